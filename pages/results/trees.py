"""The table, its parts, the tree, its pruning sequence and curves for the settings: calls of the package, cached.

Caches are keyed by hashes of the full content, and bounded; what holds finished sentences also by their language.

Arguments with a leading underscore are not hashed; the text beside them stands for their content. Results are shared
between sessions: nobody changes them.
"""

from __future__ import annotations

import dataclasses
import time
from typing import Any

import explorer as ex
from explorer.compiling import CELLS_BY_DEFINITION, compiles_beside, is_compiling
from explorer.drawing.tree_view.payload import tree_payload as make_tree_payload
from explorer.errors import TreeTooLargeError
from explorer.messages import message
from explorer.recipe.many_branches import possible_cells
from explorer.tree.leaf_mixture import Cutoffs, Decision
from explorer.values import Value
from pages.results import connected_table, jobs
from pages.results.cache import kept
from pages.results.connected import opened, remedies
from pages.results.connected.opened import Rows
from pages.results.divided.division import SMALL_TABLE as SMALL_TABLE
from pages.results.divided.division import Division, named, of
from pages.results.of_tree.curves import curves_of
from pages.results.of_tree.first_picture import is_large
from pages.results.of_tree.grown_on import grown_on
from pages.results.of_tree.records import Curves as Curves
from pages.results.of_tree.records import Grown as Grown
from pages.results.of_tree.records import Parts as Parts
from pages.results.source import Source as Source
from pages.results.source import labelled, under_labels
from pages.results.source import on_table as on_table
from pages.results.source import source as source
from pages.settings.growing_options import first_recipe as first_recipe
from pages.settings.memo import remembered
from pages.settings.page_settings import GrowSettings
from pages.settings.settings import Settings, choices_of, growing_of

WAITED, WORTH_TIMING_AGAIN = 0.3, 300_000
"""A small table (in cells) that took so many seconds waited for the compiled loops: its growing is timed again."""

MOST_CELLS_AT_ONCE, MOST_CELLS_WITH_CANDIDATES = 2_000_000, 200_000
"""Cells of a table (rows × columns) up to which a page works while its reader waits (above, the job pool does), and up
to which a tree keeps the best candidate of every feature, which near ties need (at most 10 MB)."""

MOST_NODES = 1_000_000
"""Nodes of a tree that pages show: a view of so many takes 60 MB and ten seconds of the server's."""


@remembered
def data(settings: Settings) -> ex.Dataset:
    """The table as the settings see it, its classes under their labels; raises InputError."""
    return labelled(source(settings).key, tuple(class_labels(settings).items()), _data_of_file(settings))


def class_labels(settings: Settings) -> dict[str, str]:
    """What classes are called in place of their names in the file: by the reader, else by the sample."""
    if settings.connected:
        return {}
    given, own = dict(source(settings).labels), dict(settings.view.class_labels)
    return given | own if given and given.keys() == set(class_names(settings)) else own


def _data_of_file(settings: Settings) -> ex.Dataset:
    """The same with the classes as the file names them."""
    whole, window = _data(*_columns_in_use(settings), source(settings).table), (settings.fold_rows, settings.fold_gap)
    if whole.division is None or whole.division.kind != "time" or window == (0, 0):
        return whole
    return _windowed(f"{source(settings).key} {whole.fingerprint}", *window, whole)


@kept()
def _windowed(key: str, rows: int, gap: int, _whole: ex.Dataset) -> ex.Dataset:
    assert _whole.division is not None
    return dataclasses.replace(_whole, division=_whole.division.with_window(rows or None, gap))


def _columns_in_use(
    settings: Settings,
) -> tuple[str, str, tuple[str, ...] | None, tuple[tuple[str, str], ...], str, tuple[str, str, str]]:
    """What the encoded table depends on: file, target, features, types, weights, groups or time, sets.

    The table's own features leave out what divides the rows.
    """
    table_source, divided = source(settings), named(settings)
    features = settings.features
    if features is None and table_source.features is not None:
        features = tuple(name for name in table_source.features if name not in divided[1:])
    if features is not None:
        features = tuple(name for name in features if name != settings.weight)
    return table_source.key, table_source.target, features, kinds(settings), settings.weight, divided


def all_columns(settings: Settings) -> ex.Dataset:
    """The table with every column the program would take by itself, for facts of all columns; raises InputError.

    A column of weights is one of them.
    """
    table_source = source(settings)
    table = table_source.table
    return _data(table_source.key, table_source.target, None, kinds(settings), "", ("rows", "", ""), table)


@remembered
def kinds(settings: Settings) -> tuple[tuple[str, str], ...]:
    """The types of columns set by the table itself, by its repairs, and over that by the reader."""
    table = source(settings)
    return tuple({**dict(table.kinds), **table.table.kinds, **dict(settings.kinds)}.items())


@remembered
def parts(settings: Settings) -> Parts:
    """Training, validation and test set, as the settings split the rows; raises InputError."""
    if settings.connected:
        return _sample_parts(connected_table.key(settings), connected_table.rows(settings))
    return _parts(*_split_in_use(settings), division(settings), data(settings))


def all_rows(settings: Settings) -> Parts | Rows:
    """What trees are grown on and scored by: the sets in memory, or those that an engine counts; raises InputError."""
    return connected_table.rows(settings) if settings.connected else parts(settings)


def check_rows(settings: Settings) -> None:
    """Raise InputError where the columns cannot be used or the rows not split; of a connected table a sample tells."""
    if settings.connected:
        data(settings)
        connected_table.divided(settings)
    else:
        parts(settings)


def _split_in_use(settings: Settings) -> tuple[str, str]:
    """What training, validation and test set depend on."""
    return f"{source(settings).key} {data(settings).fingerprint}", repr(division(settings))


@remembered
def division(settings: Settings) -> Division:
    """How the rows of a table in memory are divided; raises InputError."""
    return of(settings, data(settings))


def classes_of_file(settings: Settings) -> tuple[Value, ...]:
    """The classes as the file has them, which class weights and costs of the settings name; none for numbers."""
    return _data_of_file(settings).classes


def class_names(settings: Settings) -> tuple[str, ...]:
    """The classes as the file names them; none for a numeric target."""
    return tuple(str(name) for name in classes_of_file(settings))


def has_first_picture(settings: Settings, slot: str = "grow") -> bool:
    """Whether the tree is the one that a large table begins with: CART with a least size of its leaves."""
    is_first = growing_of(settings, slot) == GrowSettings() and slot in ("grow", "left")
    return is_first and is_large(data(settings), bool(settings.upload))


def has_first_limit(settings: Settings, slot: str = "grow") -> bool:
    """The same where other options were changed: whether it is CART, with the least size of leaves it began with."""
    if has_first_picture(settings, slot):
        return True
    chosen = recipe(settings, slot)
    is_limited = chosen.name == ex.CART.name and chosen.min_rows_leaf > ex.CART.min_rows_leaf
    return (
        is_limited
        and is_large(data(settings), bool(settings.upload))
        and chosen.min_rows_leaf == _first_recipe(settings).min_rows_leaf
    )


def _first_recipe(settings: Settings) -> ex.Recipe:
    if settings.connected:
        return connected_table.first_recipe(settings)
    return first_recipe(parts(settings).train.weight_of_rows())


@remembered
def recipe(settings: Settings, slot: str = "grow") -> ex.Recipe:
    """The recipe in force: the one chosen, else the default of the slot.

    The tree of the Grow page begins with ID3 for classes and CART for numbers, in a large table (`has_first_picture`)
    with `first_recipe`. A reader's own table with a numeric feature begins with CART too: ID3 would cut it into bins.
    The other sides of a comparison begin with other algorithms, within the same least leaf size.
    """
    growing = under_labels(growing_of(settings, slot), data(settings).class_labels)
    if has_first_picture(settings, slot):
        return _first_recipe(settings)
    is_regression = data(settings).is_regression
    if slot in ("right", "third"):
        other = _other_recipe(settings, slot, is_regression)
        return growing.recipe(remedies.counted(other, recipe(settings, "left")) if settings.connected else other)
    has_numbers = any(feature.kind == "numeric" for feature in data(settings).features)
    return growing.recipe(ex.CART if is_regression or (settings.upload and has_numbers) else ex.ID3)


def _other_recipe(settings: Settings, slot: str, is_regression: bool) -> ex.Recipe:
    """What a side of a comparison begins with: an algorithm that the sides before it do not have."""
    if is_regression:
        return ex.CART.replace(max_depth=3) if slot == "right" else ex.CART.replace(min_rows_leaf=10)
    left = recipe(settings, "left")
    second, third = {"CART": (ex.C45, ex.ID3), "C4.5": (ex.CART, ex.ID3)}.get(left.name, (ex.CART, ex.C45))
    other = second if slot == "right" else third
    return other.replace(min_rows_leaf=left.min_rows_leaf) if has_first_limit(settings, "left") else other


def explicit(settings: Settings, slot: str = "grow") -> GrowSettings:
    """How a slot's tree is grown, with the algorithm named: what a change of one option starts from."""
    growing = growing_of(settings, slot)
    if growing.name:
        return growing
    own = GrowSettings.of_recipe(recipe(settings, slot))
    return GrowSettings(own.name, tuple(sorted({**dict(own.changes), **dict(growing.changes)}.items())))


@remembered
def grown(settings: Settings, slot: str = "grow") -> Grown:
    """The tree of the settings; raises InputError."""
    chosen_recipe, choices = recipe(settings, slot), choices_of(settings, slot)
    made = _grown(*_growing_in_use(settings, slot), chosen_recipe, choices, all_rows(settings))
    if isinstance(made, TreeTooLargeError):
        raise made.again()
    return made


def _growing_in_use(settings: Settings, slot: str) -> tuple[str, str]:
    """What the grown tree depends on: rows and recipe."""
    chosen_recipe, choices = recipe(settings, slot), choices_of(settings, slot)
    return rows_key(parts(settings), chosen_recipe), f"{chosen_recipe!r} {choices!r}"


def is_small(settings: Settings) -> bool:
    """Whether a page works on the table while its reader waits; while loops are compiled, if it needs none of them."""
    rows, columns = source(settings).table.frame.shape
    most = CELLS_BY_DEFINITION if compiles_beside() else MOST_CELLS_AT_ONCE
    return not settings.connected and rows * columns <= most


@remembered
def is_quick(settings: Settings, slot: str = "grow") -> bool:
    """Whether a page grows the tree of a slot while its reader waits: a small table without columns of many branches.

    Raises InputError.
    """
    if not is_small(settings):
        return False
    train, chosen_recipe = parts(settings).train, recipe(settings, slot)
    return _possible_cells(train.fingerprint, f"{chosen_recipe!r}", chosen_recipe, train) <= MOST_CELLS_AT_ONCE


def has_parts(settings: Settings) -> bool:
    """Whether encoding and splitting the rows takes no time worth mentioning; raises InputError."""
    if settings.connected:
        return connected_table.is_ready(settings) and _sample_parts.is_kept(
            connected_table.key(settings), connected_table.rows(settings)
        )
    return is_small(settings) or (
        _data.is_kept(*_columns_in_use(settings), source(settings).table)
        and _parts.is_kept(*_split_in_use(settings), division(settings), data(settings))
    )


def has_grown(settings: Settings, slot: str = "grow") -> bool:
    """The same of the tree of a slot."""
    if not has_parts(settings) or is_quick(settings, slot):
        return has_parts(settings)
    chosen_recipe, choices = recipe(settings, slot), choices_of(settings, slot)
    return _grown.is_kept(*_growing_in_use(settings, slot), chosen_recipe, choices, all_rows(settings))


def check(settings: Settings, slot: str = "grow") -> None:
    """Raise InputError where no tree can be grown. A large table is only checked for what shows before growing."""
    if has_grown(settings, slot):
        grown(settings, slot)
    elif has_parts(settings):
        _growing_in_use(settings, slot)


def seconds_to_grow(settings: Settings, slot: str = "grow") -> float | None:
    """How long growing takes, compiling left out; None as long as the loops are being compiled."""
    first = grown(settings, slot)
    if first.seconds is not None or is_compiling() or not is_quick(settings, slot):
        return first.seconds
    subsets, chosen_recipe, choices = parts(settings), recipe(settings, slot), choices_of(settings, slot)
    return _seconds(rows_key(subsets, chosen_recipe), f"{chosen_recipe!r} {choices!r}", chosen_recipe, choices, subsets)


def how_grown(tree: ex.Tree) -> str:
    """A text for what a tree was grown by beside its rows."""
    return f"{tree.recipe!r} {tree.choices!r}"


@remembered
def grown_key(settings: Settings, slot: str = "grow") -> str:
    """A text for everything that the grown tree of a slot depends on."""
    tree = grown(settings, slot).tree
    return f"{rows_key(parts(settings), tree.recipe)} {how_grown(tree)}"


def rows_key(subsets: Parts, chosen_recipe: ex.Recipe) -> str:
    """A text for the rows that a tree depends on: with pre-pruning the validation rows are among them."""
    if not chosen_recipe.prepruning:
        return subsets.train.fingerprint
    if subsets.valid is None:
        raise ex.InputError(
            message(
                "Pre-pruning needs a validation set, and there is none. Choose “Training and validation” on the Data "
                "page, or switch pre-pruning off."
            )
        )
    return f"{subsets.train.fingerprint} {subsets.valid.fingerprint}"


@remembered
def decision(settings: Settings, node: int, slot: str = "grow") -> ex.Decision:
    """All candidates of one node; raises InputError."""
    tree = grown(settings, slot).tree
    return _decision(rows_key(parts(settings), tree.recipe), how_grown(tree), node, tree, all_rows(settings))


def decision_of(settings: Settings, node: int, tree: ex.Tree) -> ex.Decision:
    """The same for a tree with the nodes of the grown one and another recipe, as for another λ."""
    return _decision(rows_key(parts(settings), tree.recipe), how_grown(tree), node, tree, all_rows(settings))


def missing_row_branches(settings: Settings, node: int, slot: str = "grow") -> tuple[float, ...]:
    """Weight of the rows without a value of the node's feature, by branch; raises InputError."""
    subsets, tree = parts(settings), grown(settings, slot).tree
    return _missing_row_branches(rows_key(subsets, tree.recipe), how_grown(tree), node, tree, subsets.train)


@remembered
def path(settings: Settings, slot: str = "grow") -> ex.Path:
    """The weakest-link sequence of the tree under the risk of the settings; raises InputError."""
    tree = grown(settings, slot).tree
    return _path(rows_key(parts(settings), tree.recipe), how_grown(tree), settings.risk, tree)


def metric(settings: Settings, slot: str = "grow") -> str:
    """The metric that scores pruned trees: the one chosen, or what suits the tree."""
    tree = grown(settings, slot).tree
    if tree.is_regression:
        return "mse"
    default = "accuracy" if tree.costs is None else "expected_cost"
    return default if settings.metric in ("", "expected_cost") else settings.metric


def curves(settings: Settings) -> Curves:
    """Training and validation scores along the path; without validation rows a small table is left out row by row."""
    return curves_by(settings, "grow", metric(settings))


@remembered
def curves_by(settings: Settings, slot: str, metric: str) -> Curves:
    """The same for the tree of any slot, by any score that suits it."""
    sequence = path(settings, slot)
    return _curves(*_curves_in_use(settings, sequence.tree, metric), all_rows(settings), sequence)


def _curves_in_use(settings: Settings, tree: ex.Tree, metric: str) -> tuple[str, str, str, str, str]:
    """What the scores along the path depend on."""
    subsets = parts(settings)
    valid = subsets.valid.fingerprint if subsets.valid else ""
    return subsets.train.fingerprint, valid, how_grown(tree), settings.risk, metric


def has_curves(settings: Settings, slot: str = "grow") -> bool:
    """Whether the path of the grown tree and its scores take no time worth mentioning."""
    if is_quick(settings, slot):
        return True
    tree, subsets = grown(settings, slot).tree, parts(settings)
    of_path = _path.is_kept(rows_key(subsets, tree.recipe), how_grown(tree), settings.risk, tree)
    if not of_path:
        return False
    in_use = _curves_in_use(settings, tree, metric(settings, slot))
    return _curves.is_kept(*in_use, all_rows(settings), path(settings, slot))


def tree_payload(settings: Settings, slot: str = "grow", decision: Decision | Cutoffs | None = None) -> bytes:
    """The grown tree as the view reads it; `decision` is from which probability on a class is predicted."""
    tree = grown(settings, slot).tree
    if decision is not None:
        tree = dataclasses.replace(tree, decision=decision)
    return _tree_payload(rows_key(parts(settings), tree.recipe), f"{how_grown(tree)} {decision}", tree)


def sequence_payload(settings: Settings, folded: ex.CrossValidation | None) -> bytes:
    """The pruning sequence and its scores as the view reads them; with cross-validation's, if there are any."""
    subsets, sequence, chosen_metric = parts(settings), path(settings), metric(settings)
    whole = all_rows(settings)
    valid = subsets.valid.fingerprint if subsets.valid else ""
    folds_key = f"{settings.folds} {settings.fold_seed}" if folded else ""
    how = f"{how_grown(sequence.tree)} {settings.risk} {folds_key}"
    key = f"{subsets.train.fingerprint} {valid} {how}"
    return _sequence_payload(key, chosen_metric, whole, sequence, folded, curves(settings).left_out)


@kept(lambda: message("Reading the columns …"))
def _data(
    key: str,
    target: str,
    features: tuple[str, ...] | None,
    kinds: tuple[tuple[str, str], ...],
    weight: str,
    divided: tuple[str, str, str],
    _table: ex.Table,
) -> ex.Dataset:
    kind, column, sets = divided
    by: dict[str, Any] = {kind: column} if kind != "rows" else {}
    by["days_since"] = _table.days_since
    weights = weight or None
    data = ex.Dataset.from_frame(_table.frame, target, features, dict(kinds), weights, None, jobs.reporting(), **by)
    return data.without_feature(sets) if sets else data


@kept(lambda: message("Taking a sample of the rows …"))
def _sample_parts(key: str, _rows: Rows) -> Parts:
    return Parts(_rows.how, *opened.samples(key, _rows))


@kept()
def _parts(key: str, how: str, _division: Division, _whole: ex.Dataset) -> Parts:
    return Parts(_division.how, *_division.split(_whole))


@kept(lambda: message("Growing the tree …"))
def _grown(
    key: str, how: str, _recipe: ex.Recipe, _choices: ex.Choices | None, _subsets: Parts | Rows
) -> Grown | TreeTooLargeError:
    """The tree; or why there is none, where finding that out takes long: no page tries it again."""
    was_compiling = is_compiling()
    try:
        tree, seconds = _timed(_subsets, _recipe, _choices)
    except TreeTooLargeError as error:
        return error.again()
    if was_compiling:
        return Grown(tree, None)
    if isinstance(_subsets, Rows):
        return Grown(tree, seconds)
    if seconds > WAITED and _subsets.train.n_rows * len(_subsets.train.features) < WORTH_TIMING_AGAIN:
        seconds = min(seconds, _timed(_subsets, _recipe, _choices)[1])
    return Grown(tree, seconds)


@kept()
def _seconds(key: str, how: str, _recipe: ex.Recipe, _choices: ex.Choices | None, _subsets: Parts) -> float:
    return min(_timed(_subsets, _recipe, _choices)[1] for _ in range(2))


def _timed(subsets: Parts | Rows, recipe: ex.Recipe, choices: ex.Choices | None) -> tuple[ex.Tree, float]:
    start, valid = time.perf_counter(), subsets.valid if recipe.prepruning else None
    train = subsets.watched() if isinstance(subsets, Rows) else subsets.train
    keeps = isinstance(train, ex.Dataset) and train.n_rows * len(train.features) <= MOST_CELLS_WITH_CANDIDATES
    tree = ex.grow(
        train, recipe, valid, jobs.reporting(), keep_candidates=keeps, choices=choices, most_nodes=MOST_NODES
    )
    return tree, time.perf_counter() - start


@kept()
def _possible_cells(key: str, how: str, _recipe: ex.Recipe, _train: ex.Dataset) -> float:
    return possible_cells(_train, _recipe)


@kept(lambda: message("Listing the candidates …"))
def _decision(fingerprint: str, how: str, node: int, _tree: ex.Tree, _rows: Parts | Rows) -> ex.Decision:
    return ex.decide(_tree, _rows.train, node)


@kept()
def _missing_row_branches(key: str, how: str, node: int, _tree: ex.Tree, _train: ex.Dataset) -> tuple[float, ...]:
    return ex.missing_row_branches(_tree, _train, node)


@kept()
def _path(fingerprint: str, how: str, risk: str, _tree: ex.Tree) -> ex.Path:
    return ex.cost_complexity_path(_tree, risk=risk)


@kept(lambda: message("Scoring every pruned tree …"))
def _curves(
    fingerprint: str, valid: str, how: str, risk: str, metric: str, _subsets: Parts | Rows, _path: ex.Path
) -> Curves:
    return curves_of(_path, _subsets, risk, metric)


@kept(by_language=True)
def _tree_payload(fingerprint: str, how: str, _tree: ex.Tree) -> bytes:
    return make_tree_payload(_tree)


@kept(by_language=True)
def _sequence_payload(
    key: str,
    metric: str,
    _subsets: Parts | Rows,
    _path: ex.Path,
    _folded: ex.CrossValidation | None,
    _left_out: ex.CrossValidation | None,
) -> bytes:
    return ex.to_slider(_path, grown_on(_subsets.train, _path.tree.recipe), _subsets.valid, metric, _folded, _left_out)
