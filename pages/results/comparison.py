"""The trees of two or three settings compared: first difference, agreement, shared rows; cached."""

from __future__ import annotations

import streamlit as st

import explorer as ex
from explorer.evaluation import decision_regions
from explorer.evaluation.comparison import first_difference
from pages.results import trees
from pages.results.trees import KEPT
from pages.settings.page_settings import SIDES
from pages.settings.settings import Settings

PairPredictions = ex.Agreement | ex.PredictionDifferences


def names(settings: Settings) -> dict[str, str]:
    """What sentences call each side: its algorithm, or its letter where two sides have the same."""
    slots = settings.compare.slots
    recipes = [trees.recipe(settings, slot).name for slot in slots]
    letters = [SIDES[slot] for slot in slots]
    return dict(zip(slots, recipes if len(set(recipes)) == len(recipes) else letters, strict=True))


def tree_key(settings: Settings, slot: str) -> str:
    """A text for everything that a side's tree depends on."""
    subsets = trees.parts(settings)
    valid = subsets.valid.fingerprint if subsets.valid else ""
    return f"{subsets.train.fingerprint} {valid} {trees.how_grown(trees.grown(settings, slot).tree)}"


def walk(settings: Settings, pair: tuple[str, str]) -> first_difference.Walk:
    """The pair's trees walked together to their first difference; raises InputError."""
    setting_names = names(settings)
    called = setting_names[pair[0]], setting_names[pair[1]]
    pair_trees = tuple(trees.grown(settings, slot).tree for slot in pair)
    key = " ".join(tree_key(settings, slot) for slot in pair)
    return _walk(key, called, pair_trees[0], pair_trees[1], trees.parts(settings).train)


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
    first, second = (trees.grown(settings, slot).tree for slot in pair)
    return _agreement(key, first, second, rows)


def pruned(settings: Settings, slot: str) -> tuple[ex.Path, int]:
    """A side's pruning sequence by impurity, and where its α for the regions stands in it."""
    path = _path(tree_key(settings, slot), trees.grown(settings, slot).tree)
    alpha = settings.compare.alpha(slot)
    return path, 0 if alpha is None else path.position(alpha)


def region(settings: Settings, slot: str, across: str, up: str) -> decision_regions.Regions:
    """A side's predictions over two features at its α; raises InputError."""
    path, position = pruned(settings, slot)
    key = f"{tree_key(settings, slot)} {position}"
    return _region(key, across, up, path.subtree(position=position), trees.parts(settings).train)


@st.cache_resource(ttl=KEPT, max_entries=24, show_spinner=False)
def _walk(
    key: str, called: tuple[str, str], _first: ex.Tree, _second: ex.Tree, _train: ex.Dataset
) -> first_difference.Walk:
    return first_difference.walk_together(_first, _second, _train, called)


@st.cache_resource(ttl=KEPT, max_entries=24, show_spinner=False)
def _agreement(key: str, _first: ex.Tree, _second: ex.Tree, _rows: ex.Dataset) -> PairPredictions:
    return ex.agreement(_first, _second, _rows)


@st.cache_resource(ttl=KEPT, max_entries=24, show_spinner=False)
def _path(key: str, _tree: ex.Tree) -> ex.Path:
    return ex.cost_complexity_path(_tree)


@st.cache_resource(ttl=KEPT, max_entries=24, show_spinner="Drawing the regions …")
def _region(key: str, across: str, up: str, _tree: ex.Tree, _train: ex.Dataset) -> decision_regions.Regions:
    return decision_regions.decision_regions(_tree, _train, across, up)
