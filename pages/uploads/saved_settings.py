"""The settings that a model was grown by here, taken over when its file is opened again."""

from __future__ import annotations

from collections.abc import Iterator

import explorer as ex
from explorer.ensembles.members import Ensemble
from explorer.messages import message
from explorer.tree.leaf_mixture import Decision
from pages.results import ensembles, trees
from pages.settings import growing_options, session
from pages.settings.page_settings import GrowSettings
from pages.settings.settings import NO_CHOICES, OF_ROWS, ORDER, Settings, changed, understood


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
    features = tuple(feature.name for feature in tree.features)
    own = _with_columns(session.read(), tree.target, features)
    if tree.source:
        as_j48 = {"grow": GrowSettings.of_recipe(ex.C45)} if tree.source.startswith("Weka J48") else {}
        if own is not None:
            yield changed(own, **as_j48), message("The table has the target and the features of the file.")
        elif as_j48:
            yield changed(session.read(), **as_j48), message("What competes is compared by C4.5, as J48 does.")
    if tree.source or tree.recipe.name not in growing_options.RECIPES:
        return
    growing, table = GrowSettings.of_recipe(tree.recipe), _table_as_saved(tree)
    same = None if table is None else _with_columns(table, tree.target, features)
    for on, said in (
        (same, message("The Grow page has its settings, its target and features, its column types and its split.")),
        (own, message("The Grow page has its settings, and its target and features.")),
    ):
        if on is not None and trees.data(on).classes == tree.classes:
            yield changed(on, grow=growing, choices=tree.choices or NO_CHOICES, **_of_probabilities(tree)), said
    yield changed(session.read(), grow=growing.with_other_table()), message("The Grow page has its settings.")


def _of_probabilities(tree: ex.Tree) -> dict[str, object]:
    """How its class probabilities are smoothed, from which on a class is predicted, and its actions."""
    fields: dict[str, object] = {}
    if tree.smoothing is not None:
        fields |= {"smoothing": tree.smoothing.method, "smoothing_m": tree.smoothing.m}
    if isinstance(tree.decision, Decision):
        fields["decide"] = tree.classes.index(tree.decision.name), tree.decision.threshold
    elif tree.decision is not None and len(tree.classes) > 2:
        fields["decide"] = tuple(tree.decision.to_plain(tree.classes)["cutoffs"])
    if tree.actions and tree.origin is None:
        fields["actions"] = tree.actions
    return fields


def _of_ensemble(made: Ensemble) -> Iterator[tuple[Settings, str]]:
    if made.origin:
        return
    said = message("Once it is closed, this page grows by its settings.")
    features = tuple(feature.name for feature in made.features)
    for table in filter(None, (_table_as_saved(made), session.read())):
        own = _with_columns(table, made.target, features)
        if own is not None:
            yield changed(own, ensembles=ensembles.settings_of(made)), said
    yield changed(session.read(), ensembles=ensembles.settings_of(made)), said


def _table_as_saved(fitted: ex.Tree | Ensemble) -> Settings | None:
    """The table in use, read and divided as the model's; None where it lacks the columns or the file does not say."""
    if fitted.table_settings is None:
        return None
    settings = session.read()
    try:
        saved = understood(dict(fitted.table_settings))
    except ex.ExplorerError:
        return None
    orders = {repair.column: repair for repair in saved.repairs if repair.kind == ORDER}
    named = {saved.weight, saved.divide_by, saved.split_by, *dict(saved.kinds), *orders} - {""}
    if not named <= _columns(settings):
        return None
    if orders:
        others = (each for each in settings.repairs if each.kind != ORDER or each.column not in orders)
        settings = changed(settings, repairs=(*others, *orders.values()))
    return changed(settings, **{field: getattr(saved, field) for field in OF_ROWS})


def _columns(settings: Settings) -> set[str]:
    """The names of the columns of the table in use."""
    return {str(name) for name in trees.source(settings).table.frame.columns}


def _with_columns(settings: Settings, target: str, features: tuple[str, ...]) -> Settings | None:
    """The table in use with this target and these features; None where it has not all of them."""
    if not {target, *features} <= _columns(settings):
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
