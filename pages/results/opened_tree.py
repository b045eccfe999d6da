"""The tree that is open from a file: as the table in use names its classes, pruned, and with the counts of its rows."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, Literal

import streamlit as st

import explorer as ex
from explorer.drawing.tree_view.payload import sequence_payload as sequence_payload_of
from explorer.drawing.tree_view.payload import signature, tree_payload
from explorer.drawing.tree_view.pruning_slider import scores_along
from explorer.ensembles.members import Ensemble
from explorer.evaluation.comparison.first_difference import Walk, walk_together
from explorer.evaluation.comparison.recount import named_as, named_by_place, with_classes_as
from explorer.messages import message
from explorer.tree.leaf_mixture import Cutoffs, Decision
from explorer.values import Value
from pages.results import trees
from pages.results.cache import kept
from pages.settings import session
from pages.settings.memo import remembered
from pages.settings.settings import OF_ROWS, Settings, changed, understood

_OPEN = "opened tree"


@dataclass(frozen=True)
class OpenedTree:
    """The tree with the name and the hash of its file; `is_pruned` says whether the pages show it pruned.

    `method` says by what: by "validation" rows, or by its "weakest" links up to `alpha` (None: none of them).
    `classes` are those of the ensemble that it is a member of.
    """

    name: str
    key: str
    tree: ex.Tree
    is_pruned: bool = False
    method: Literal["validation", "weakest"] = "validation"
    alpha: float | None = None
    classes: tuple[Value, ...] = ()

    @property
    def source(self) -> str:
        """The library that wrote the file; "" for a tree saved here."""
        return self.tree.source


def now() -> OpenedTree | None:
    """The tree that is open in this session."""
    opened: OpenedTree | None = st.session_state.get(_OPEN)
    return opened


def keep(opened: OpenedTree) -> None:
    """Show this tree on the pages, in place of the one of the table."""
    st.session_state[_OPEN] = opened


def close() -> None:
    """Show the tree of the table again, from its root, without actions of the other's nodes."""
    st.session_state.pop(_OPEN, None)
    session.keep(changed(session.read(), node=0, actions=()))


def choose(**changes: Any) -> None:
    """Show the tree pruned on all pages, or as it is in its file; by another method, or up to another α."""
    opened = now()
    if opened is not None:
        keep(dataclasses.replace(opened, **changes))


def key(settings: Settings, opened: OpenedTree) -> str:
    """A text for everything that the tree on the pages depends on."""
    data, how = trees.data(settings), ""
    if opened.is_pruned and can_prune(settings, opened):
        how = _how_counted(settings, opened) if opened.method == "weakest" else _how_validated(settings)
    choices = f"{opened.alpha} {settings.decide} {settings.actions} {settings.model_classes}"
    return f"opened {opened.key} {data.target.name!r} {data.classes!r} {how} {choices}"


def tree(settings: Settings, opened: OpenedTree) -> ex.Tree:
    """The tree with the target and the classes of the table, where it has them, and pruned where that is chosen.

    It predicts as its file says, or from the probability on that the reader chose.
    """
    try:
        named = of_table(settings, opened)
    except ex.InputError:
        return placed(settings, opened.tree)
    if opened.is_pruned and can_prune(settings, opened):
        named = pruned(settings, opened)
    return decided(settings, named)


def decided(settings: Settings, tree: ex.Tree) -> ex.Tree:
    """A tree that predicts from the settings' probability on, or by their cutoffs, and has their actions."""
    actions = {node: text for node, text in settings.actions if node < tree.n_nodes_grown}
    tree = tree.with_actions(actions) if actions else tree
    if len(settings.decide) == 2 == len(tree.classes):
        code, threshold = settings.decide
        return tree.with_threshold(tree.classes[int(code)], threshold)
    if len(settings.decide) == len(tree.classes) > 2:
        return tree.with_cutoffs(dict(zip(tree.classes, settings.decide, strict=True)))
    return tree


def of_table(settings: Settings, opened: OpenedTree) -> ex.Tree:
    """The tree as it stands in its file, named as the table; raises InputError where that has not its target."""
    return named_as(placed(settings, opened.tree), trees.data(settings), settings.model_classes)


@remembered
def placed(settings: Settings, tree: ex.Tree) -> ex.Tree:
    """A tree of a file, of which the features have the table's names where the file only numbers them."""
    return named_by_place(tree, trees.data(settings))


@remembered
def named(settings: Settings, tree: ex.Tree) -> ex.Tree:
    """A tree of a file with those of the table's names that suit it: of features alone where its target is another."""
    tree = placed(settings, tree)
    try:
        return named_as(tree, trees.data(settings), settings.model_classes)
    except ex.InputError:
        return tree


def reads_table(settings: Settings, opened: OpenedTree) -> bool:
    """Whether the table in use has the columns that the tree tests."""
    names = {feature.name for feature in trees.data(settings).features}
    tree = placed(settings, opened.tree)
    return all(tree.features[position].name in names for position in tree.tested_features())


def can_prune(settings: Settings, opened: OpenedTree) -> bool:
    """Whether there is what its method needs: validation rows, or numbers of rows at its nodes."""
    if opened.method == "validation":
        return trees.parts(settings).valid is not None
    try:
        sequence(settings, opened)
    except ex.InputError:
        return False
    return True


def pruned(settings: Settings, opened: OpenedTree) -> ex.Tree:
    """The tree pruned by its method; raises InputError where tree and rows do not go together."""
    tree = of_table(settings, opened)
    if opened.method == "weakest":
        path = sequence(settings, opened)
        return dataclasses.replace(path, tree=tree).subtree(position=position(path, opened))
    valid = trees.parts(settings).valid
    assert valid is not None, "the page asks only where there are validation rows"
    return _pruned(f"{opened.key} {valid.fingerprint} {tree.classes!r}", settings.order, settings.ties, tree, valid)


def has_its_split(settings: Settings, fitted: ex.Tree | Ensemble) -> bool:
    """Whether a model saved here says how its table was divided, and the table in use is divided so, for validation."""
    if fitted.table_settings is None or trees.parts(settings).valid is None:
        return False
    try:
        saved = understood(dict(fitted.table_settings))
    except ex.ExplorerError:
        return False
    return all(getattr(saved, name) == getattr(settings, name) for name in OF_ROWS)


def worth_of_score(settings: Settings, opened: OpenedTree) -> str:
    """What a score of the tree of a file is worth: whether it knew the rows."""
    if has_its_split(settings, opened.tree):
        return message("Its validation rows took no part in growing it, if this is the table that it was saved with.")
    return message("Whether the tree was fitted to these rows its file does not say: if it was, the score is too good.")


def counts_rows(tree: ex.Tree) -> bool:
    """Whether the file holds the numbers of rows and the impurity of all nodes; values of boosting are neither."""
    return tree.counts_rows and tree.predictions is None


def sequence(settings: Settings, opened: OpenedTree) -> ex.Path:
    """Its pruned subtrees over α by the numbers of rows in its file, else of the training rows; raises InputError."""
    named = of_table(settings, opened)
    is_told = counts_rows(named) and reads_table(settings, opened)  # without its columns counting says which is missing
    of_counts = named if is_told else counted(settings, opened)
    return _sequence(_how_counted(settings, opened), of_counts)


def position(path: ex.Path, opened: OpenedTree) -> int:
    """Where its α stands in the sequence."""
    return 0 if opened.alpha is None else path.position(opened.alpha)


def sequence_payload(settings: Settings, opened: OpenedTree, pack: bytes) -> bytes:
    """The sequence for the view of `pack`, each subtree scored as the file's tree predicts; raises InputError."""
    parts, path, tree = trees.parts(settings), sequence(settings, opened), of_table(settings, opened)
    valid = parts.valid.fingerprint if parts.valid else ""
    key = f"{_how_counted(settings, opened)} {parts.train.fingerprint} {valid}"
    return _sequence_payload(key, signature(pack), path, dataclasses.replace(path, tree=tree), parts)


def _how_validated(settings: Settings) -> str:
    valid = trees.parts(settings).valid
    return f"{settings.order} {settings.ties} {valid.fingerprint if valid else ''}"


def _how_counted(settings: Settings, opened: OpenedTree) -> str:
    """A text for the numbers of rows that α rests on, and for the names of the table."""
    data = trees.data(settings)
    names = (data.target.name, data.classes, settings.model_classes, [feature.name for feature in data.features])
    key = f"{opened.key} {names!r}"
    if counts_rows(opened.tree):
        return key
    return f"{key} {train(settings, opened).fingerprint} {trees.recipe(settings)!r}"


@kept()
def _sequence(key: str, _tree: ex.Tree) -> ex.Path:
    return ex.cost_complexity_path(_tree)


@kept(by_language=True)
def _sequence_payload(key: str, tree_sig: str, _path: ex.Path, _of_file: ex.Path, _parts: trees.Parts) -> bytes:
    return sequence_payload_of(_path, scores_along(_of_file, _parts.train, _parts.valid), tree_sig)


@kept()
def _pruned(key: str, order: str, ties: str, _tree: ex.Tree, _valid: ex.Dataset) -> ex.Tree:
    return ex.reduced_error_prune(_tree, _valid, order, ties)


def payload(settings: Settings, key: str, tree: ex.Tree, decision: Decision | Cutoffs | None = None) -> bytes:
    """A tree of a file, by the hash of that, as the view reads it; `decision` is from which probability on it predicts.

    A decision names a class as the table does.
    """
    shown = named(settings, tree)
    if decision is not None and decision != shown.decision:
        shown = dataclasses.replace(shown, decision=decision)
    names = [shown.target, *shown.classes, *(feature.name for feature in shown.features)]
    return _payload(f"{key} {names!r} {decision}", shown)


@kept(by_language=True)
def _payload(key: str, _tree: ex.Tree) -> bytes:
    return tree_payload(_tree)


@remembered
def suited(settings: Settings, tree: ex.Tree) -> Settings:
    """The settings with the columns that a tree tests as features, and as numbers or categories as it reads them."""
    tree, data = placed(settings, tree), trees.data(settings)
    columns = {str(name) for name in trees.source(settings).table.frame.columns}
    tested = (tree.features[position] for position in tree.tested_features())
    reads = {each.name: "categorical" if tree.source and each.test != "threshold" else each.kind for each in tested}
    kinds = {feature.name: feature.kind for feature in data.features}
    others = {name: kind for name, kind in reads.items() if kinds.get(name) != kind and name in columns}
    if not others:
        return settings
    features = (*kinds, *(name for name in others if name not in kinds))
    given = tuple({**dict(settings.kinds), **others}.items())
    return dataclasses.replace(settings, features=features, kinds=given)


def read_otherwise(settings: Settings, tree: ex.Tree) -> tuple[str, ...]:
    """The columns that the tree reads otherwise than the settings have them."""
    before = dict(settings.kinds)
    return tuple(name for name, kind in suited(settings, tree).kinds if before.get(name) != kind)


@remembered
def train(settings: Settings, opened: OpenedTree) -> ex.Dataset:
    """The training rows as the tree reads them, their classes in its order, or that of its ensemble."""
    classes = opened.classes or named(settings, opened.tree).classes
    return with_classes_as(trees.parts(suited(settings, opened.tree)).train, classes)


def counted(settings: Settings, opened: OpenedTree) -> ex.Tree:
    """A tree of a file with the counts of the training rows; raises InputError."""
    return _counted_on(settings, opened.key, opened.tree, train(settings, opened))


def _counted_on(settings: Settings, key: str, tree: ex.Tree, rows: ex.Dataset) -> ex.Tree:
    recipe = trees.recipe(settings)
    return _counted(f"{key} {rows.fingerprint}", f"{recipe!r}", placed(settings, tree), rows, recipe)


@kept()
def _counted(key: str, how: str, _tree: ex.Tree, _train: ex.Dataset, _recipe: ex.Recipe) -> ex.Tree:
    return ex.recount(_tree, _train, _recipe)


def decision(settings: Settings, opened: OpenedTree, node: int) -> ex.Decision:
    """What competes at a node of it on the training rows; raises InputError."""
    recipe, rows = trees.recipe(settings), train(settings, opened)
    return _decision(f"{opened.key} {rows.fingerprint}", f"{recipe!r}", node, counted(settings, opened), rows)


@kept()
def _decision(key: str, how: str, node: int, _tree: ex.Tree, _train: ex.Dataset) -> ex.Decision:
    return ex.decide(_tree, _train, node)


def walk(settings: Settings, opened: OpenedTree, slot: str = "grow", name: str = "") -> Walk:
    """It and the tree grown by a slot's settings, called `name`, up to their first difference; raises InputError."""
    rows = trees.parts(suited(settings, opened.tree)).train  # their classes in the order of the tree grown here
    of_file = _counted_on(settings, opened.key, opened.tree, rows)
    settings = suited(settings, opened.tree)
    own = trees.grown(settings, slot).tree
    names = (opened.name, name or own.recipe.name)
    return _walk(f"{opened.key} {trees.grown_key(settings, slot)}", names, of_file, own, rows)


@kept()
def _walk(key: str, names: tuple[str, str], _tree: ex.Tree, _own: ex.Tree, _train: ex.Dataset) -> Walk:
    return walk_together(_tree, _own, _train, names)
