"""The settings that a model was grown by here, taken over when its file is opened again."""

from __future__ import annotations

from collections.abc import Iterator

import explorer as ex
from explorer.ensembles.members import Ensemble
from explorer.messages import message
from pages.results import ensembles, trees
from pages.settings import growing_options, session
from pages.settings.page_settings import GrowSettings
from pages.settings.settings import NO_CHOICES, Settings, changed


def take(fitted: ex.Tree | Ensemble) -> str:
    """Grow as the model was grown, as far as it suits the table in use; gives what was done, "" where nothing was.

    A model of another program has no settings of ours, but may name its target.
    """
    proposals = _of_tree(fitted) if isinstance(fitted, ex.Tree) else _of_ensemble(fitted)
    for proposed, said in proposals:
        try:
            trees.check(proposed)
        except ex.ExplorerError:
            continue
        session.keep(proposed)
        return said
    return ""


def _of_tree(tree: ex.Tree) -> Iterator[tuple[Settings, str]]:
    """All the settings of a tree on its own table; without those that name classes or nodes on another."""
    own = _with_columns(tree.target, tuple(feature.name for feature in tree.features))
    if tree.source and own is not None:
        yield own, message("The table has the target and the features of the file.")
    if tree.source or tree.recipe.name not in growing_options.RECIPES:
        return
    growing = GrowSettings.of_recipe(tree.recipe)
    if own is not None and trees.data(own).classes == tree.classes:
        said = message("The Grow page has its settings, and its target and features.")
        yield changed(own, grow=growing, choices=tree.choices or NO_CHOICES, **_of_probabilities(tree)), said
    yield changed(session.read(), grow=growing.with_other_table()), message("The Grow page has its settings.")


def _of_probabilities(tree: ex.Tree) -> dict[str, object]:
    """How its class probabilities are smoothed, and from which on a class is predicted."""
    fields: dict[str, object] = {}
    if tree.smoothing is not None:
        fields |= {"smoothing": tree.smoothing.method, "smoothing_m": tree.smoothing.m}
    if tree.decision is not None:
        fields["decide"] = tree.classes.index(tree.decision.name), tree.decision.threshold
    return fields


def _of_ensemble(made: Ensemble) -> Iterator[tuple[Settings, str]]:
    if made.origin:
        return
    own = _with_columns(made.target, tuple(feature.name for feature in made.features)) or session.read()
    said = message("Once it is closed, this page grows by its settings.")
    yield changed(own, ensembles=ensembles.settings_of(made)), said


def _with_columns(target: str, features: tuple[str, ...]) -> Settings | None:
    """The table in use with this target and these features; None where it has not all of them."""
    settings = session.read()
    columns = {str(name) for name in trees.source(settings).table.frame.columns}
    if not {target, *features} <= columns:
        return None
    try:
        if trees.data(settings).target.name != target:
            settings = changed(settings, target=target)
        if tuple(feature.name for feature in trees.data(settings).features) != features:
            settings = changed(settings, features=features)
        trees.data(settings)
    except ex.ExplorerError:
        return None
    return settings
