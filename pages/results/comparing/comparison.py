"""The trees of two or three sides compared: first difference, selected nodes, agreement, scores on the same rows."""

from __future__ import annotations

import dataclasses

import numpy as np

import explorer as ex
from explorer.data.suggestions.apply import RepairedDate
from explorer.evaluation import decision_regions
from explorer.evaluation.comparison import first_difference
from explorer.evaluation.comparison.first_difference import counterpart
from explorer.evaluation.paired_scores import PairedScores, scores_on
from explorer.sources.source import Source
from pages.results import evaluation, pruned_tree, trees
from pages.results.cache import kept
from pages.results.comparing import compared
from pages.settings.memo import remembered
from pages.settings.page_settings import SIDES
from pages.settings.settings import Settings, node_field

PairPredictions = ex.Agreement | ex.PredictionDifferences
Walk = first_difference.Walk


def names(settings: Settings) -> dict[str, str]:
    """What sentences call each side: its algorithm, or its letter where two sides have the same."""
    slots = settings.compare.slots
    recipes = [trees.recipe(settings, slot).name for slot in slots]
    letters = [SIDES[slot] for slot in slots]
    return dict(zip(slots, recipes if len(set(recipes)) == len(recipes) else letters, strict=True))


@remembered
def tree_key(settings: Settings, slot: str) -> str:
    """A text for everything that a side's tree depends on, and the rows that it is scored on."""
    valid = trees.parts(settings).valid
    shape = evaluation.shape_key(settings, compared.tree(settings, slot), slot)
    return f"{valid.fingerprint if valid else ''} {shape}"


def walk(settings: Settings, pair: tuple[str, str]) -> first_difference.Walk:
    """The pair's trees walked together to their first difference; raises InputError."""
    return _walk(*_walk_in_use(settings, pair))


def _walk_in_use(
    settings: Settings, pair: tuple[str, str]
) -> tuple[str, tuple[str, str], ex.Tree, ex.Tree, ex.Dataset, ex.Dataset | Source]:
    """What the walk of a pair depends on, and is made from."""
    setting_names = names(settings)
    called = setting_names[pair[0]], setting_names[pair[1]]
    first, second = (compared.tree(settings, slot) for slot in pair)
    key = " ".join(tree_key(settings, slot) for slot in pair)
    return key, called, first, second, trees.parts(settings).train, trees.all_rows(settings).train


def work_out(settings: Settings) -> None:
    """The scores of the sides and the first difference of the pair, which are kept: what the page shows first."""
    for slot in grown_slots(settings):
        evaluation.held_out_score(settings, compared.tree(settings, slot), slot)
    pair = compared_pair(settings)
    if pair is not None:
        walk(settings, pair)


def is_worked_out(settings: Settings) -> bool:
    """Whether these take no time worth mentioning, once the trees are there."""
    if not all(compared.is_ready(settings, slot) for slot in settings.compare.slots):
        return False
    pair = None if all(trees.is_quick(settings, slot) for slot in settings.compare.slots) else compared_pair(settings)
    return pair is None or _walk.is_kept(*_walk_in_use(settings, pair))


def problem(settings: Settings, slot: str) -> str:
    """Why the tree of a side cannot be grown, or not be pruned; empty if it can."""
    try:
        compared.tree(settings, slot)
    except ex.ExplorerError as error:
        return str(error)
    return ""


def grown_slots(settings: Settings) -> list[str]:
    """The sides that have a tree."""
    return [slot for slot in settings.compare.slots if not problem(settings, slot)]


def compared_pair(settings: Settings) -> tuple[str, str] | None:
    """The pair that is compared; None if one of its trees cannot be grown."""
    pair = settings.compare.pair_slots
    return None if any(problem(settings, slot) for slot in pair) else pair


def with_selected_nodes(settings: Settings) -> Settings:
    """The settings with a selected node for each side: those chosen on the page, else the first difference."""
    pair = compared_pair(settings)
    is_chosen = settings.compare.has_chosen_node or any(getattr(settings, f"{slot}_node") for slot in SIDES)
    if is_chosen or pair is None:
        return _with_nodes_in_sight(settings)
    difference = walk(settings, pair).difference
    if difference is None:
        return with_counterparts(settings, pair[0], pruned_tree.selected_node(settings, pair[0]) or 0)
    settings = with_counterparts(settings, pair[0], difference.node_a)
    return _with_node(settings, pair[1], difference.node_b)


def with_counterparts(settings: Settings, slot: str, node: int) -> Settings:
    """A node selected in one side and, where they have one with the same decision path, in the others."""
    trees_of = {other: compared.tree(settings, other) for other in grown_slots(settings)}
    for other, tree in trees_of.items():
        same = node if other == slot else counterpart(trees_of[slot], node, tree)
        if same is not None and tree.is_kept[same]:
            settings = _with_node(settings, other, same)
    return settings


def _with_nodes_in_sight(settings: Settings) -> Settings:
    """The settings with the leaf above in place of a selected node that is pruned away."""
    trees_of = {slot: compared.tree(settings, slot) for slot in grown_slots(settings)}
    for slot, tree in trees_of.items():
        node = pruned_tree.selected_node(settings, slot)
        while node and not tree.is_kept[node]:
            node = int(tree.parent[node])
            settings = _with_node(settings, slot, node)
    return settings


def _with_node(settings: Settings, slot: str, node: int) -> Settings:
    fields: dict[str, int] = {node_field(settings, slot): node}
    return dataclasses.replace(settings, **fields)  # type: ignore[arg-type]


def compared_rows(settings: Settings) -> tuple[str, ex.Dataset]:
    """The rows that the sides predict, "valid" or "train": the validation rows, unless others were chosen."""
    subsets = trees.parts(settings)
    if subsets.valid is None or settings.compare.rows == "train":
        return "train", subsets.train
    return "valid", subsets.valid


def agreement(settings: Settings, pair: tuple[str, str]) -> PairPredictions:
    """Who predicts what on the rows compared; raises InputError."""
    which, rows = compared_rows(settings)
    key = " ".join([which, *(tree_key(settings, slot) for slot in pair)])
    first, second = (compared.tree(settings, slot) for slot in pair)
    return _agreement(key, first, second, rows)


def rows_of_cell(settings: Settings) -> ex.Dataset | None:
    """The rows of the cell that is selected among the pair's predictions; None without one, or without such rows."""
    cell, pair = settings.compare.cell, compared_pair(settings)
    if cell is None or pair is None:
        return None
    predictions = agreement(settings, pair)
    if not isinstance(predictions, ex.Agreement) or max(cell) >= len(predictions.classes):
        return None
    positions = predictions.rows(*cell)
    return compared_rows(settings)[1].take(positions) if len(positions) else None


def leaves_reached(tree: ex.Tree, rows: ex.Dataset) -> dict[int, int]:
    """The leaves that these rows end in, each with its number of rows."""
    nodes, counts = np.unique(tree.apply(rows), return_counts=True)
    return dict(zip(nodes.tolist(), counts.tolist(), strict=True))


def validation_scores(settings: Settings) -> PairedScores | None:
    """The losses of all grown trees on the validation rows, row by row; None without such rows or without two trees."""
    slots, valid = grown_slots(settings), trees.parts(settings).valid
    if valid is None or len(slots) < 2:
        return None
    key = " ".join(tree_key(settings, slot) for slot in slots)
    return _validation_scores(key, [compared.tree(settings, slot) for slot in slots], valid)


def region(settings: Settings, slot: str, across: str, up: str) -> decision_regions.Regions:
    """A side's predictions over two features; raises InputError."""
    tree = compared.tree(settings, slot)
    dates = trees.source(settings).table.dates
    return _region(tree_key(settings, slot), across, up, tree, trees.parts(settings).train, dates)


@kept()
def _walk(
    key: str,
    called: tuple[str, str],
    _first: ex.Tree,
    _second: ex.Tree,
    _train: ex.Dataset,
    _decided_on: ex.Dataset | Source,
) -> first_difference.Walk:
    return first_difference.walk_together(_first, _second, _train, called, _decided_on)


@kept()
def _agreement(key: str, _first: ex.Tree, _second: ex.Tree, _rows: ex.Dataset) -> PairPredictions:
    return ex.agreement(_first, _second, _rows)


@kept()
def _validation_scores(key: str, _trees: list[ex.Tree], _valid: ex.Dataset) -> PairedScores:
    return scores_on(_trees, _valid)


@kept()
def _region(
    key: str, across: str, up: str, _tree: ex.Tree, _train: ex.Dataset, _dates: tuple[RepairedDate, ...]
) -> decision_regions.Regions:
    return decision_regions.decision_regions(_tree, _train, across, up, _dates)
