"""What is compiled ahead of use, in tasks that processes share; `compile_ahead` runs them."""

import importlib
from collections.abc import Callable

import numpy as np
import pandas as pd

from explorer.as_written import run_as_written
from explorer.compiling import (
    ENGINE,
    ENGINE_BY_ALL_THREADS,
    FRACTIONAL_ROWS,
    MEMBERS,
    PAGES,
    PAGES_WITH_GAPS,
    PLAIN,
    PLAIN_BY_ALL_THREADS,
    PLAIN_PARTS,
    RAISING,
    SELDOM,
)
from explorer.data.dataset import Dataset
from explorer.ensembles.stability.stability import stability
from explorer.evaluation.feature_importance import permutation_importance
from explorer.growing.decide import decide
from explorer.growing.grow import compile_plain_parts, grow, grow_fast
from explorer.growing.grow_many import GrowJob, Presorted
from explorer.optimal.best_subtree import best_subtree
from explorer.pruning import cost_complexity_path, mdl_prune, pessimistic_prune, reduced_error_prune
from explorer.pruning.cost_complexity.path import Path
from explorer.pruning.cost_complexity.weakest_links import links
from explorer.recipe.columns import columns_for
from explorer.recipe.recipe import C45, CART, ID3, Recipe

_FRAME = pd.DataFrame(
    {
        "single": [1.0, 2.0, 3.0, None, 2.0, 5.0],
        "double": [0.1, 0.2, 0.3, 0.1, None, 0.2],
        "category": ["a", "b", "c", "a", "b", "c"],
        "class": ["p", "q", "p", "q", "q", "p"],
        "third": ["p", "q", "r", "q", "r", "p"],
        "number": [1.5, 2.5, 0.5, 4.5, 1.0, 2.0],
        "other": [3.0, 1.0, 2.0, 2.0, 4.0, 1.0],
        "flag": [0, 1, 0, 1, 1, 0],
    }
)
_FEATURES = ("single", "double", "category")
_NUMBERS, _WITHOUT_GAPS = ("single", "double"), ("other", "category")
_NEWTON = CART.replace(score="newton", missing="default_direction")
_Trees = tuple[tuple[str, Recipe, tuple[str, ...]], ...]
_COMPLETE_TREES: _Trees = (
    ("class", CART, ("other",)),
    ("class", C45, _WITHOUT_GAPS),
    ("class", ID3, _WITHOUT_GAPS),
    ("third", CART, ("other",)),
    ("number", CART, ("other",)),
    ("flag", CART, ("other",)),
)
"""Targets, recipes and features that use every loop that pages need of complete tables. How subsets of categories are
ordered takes 3 s to compile, and runs as written as long as there are few."""
_TREES: _Trees = (
    ("class", CART, _FEATURES),
    ("class", C45, _FEATURES),
    ("class", C45, _NUMBERS),  # rows with a missing value go down both branches in part
    ("third", CART, _FEATURES),
    ("number", CART, _FEATURES),
)
"""The same of tables with missing cells, but for what few recipes ask for."""

_COMPLETE = (("class", ("number", "category")), ("number", ("category",)))
"""Targets and features without a missing cell, which have loops of their own."""


def _plain(limit: int | None = None) -> None:
    """The loops that grow complete tables without weights; those that encode one are compiled with what pages need."""
    for target, features in _COMPLETE:
        with run_as_written():
            data = _table(target, features)
        for recipe in (CART,) if data.is_regression else (CART, C45):
            for keeps_candidates in (False, True):  # pages keep those of small tables
                grow_fast(data, columns_for(data, recipe), recipe, keep=keeps_candidates, limit=limit)


def _plain_parts() -> None:
    """Parts of them, which one process alone would compile for longer than all that pages need."""
    with run_as_written():
        data = _table(*_COMPLETE[0])
    compile_plain_parts(data, columns_for(data, CART), CART)


def _plain_by_all_threads() -> None:
    """The loops of complete tables for nodes of so many rows that all threads work on them."""
    _plain(limit=1)


def _engine() -> None:
    """The loops that grow a whole tree."""
    data = _table("class", _FEATURES)
    grow_fast(data, columns_for(data, CART), CART)


def _engine_by_all_threads() -> None:
    """The loops that all threads call for the upper nodes of a large table."""
    data = _table("class", _FEATURES)
    for recipe in (CART, CART.replace(missing="surrogate")):
        for keeps_candidates in (False, True):
            grow_fast(data, columns_for(data, recipe), recipe, keep=keeps_candidates, limit=1)


def _fractional_rows() -> None:
    """The loops for rows that go down several branches in part."""
    data = _table("class", _NUMBERS)
    grow_fast(data, columns_for(data, C45), C45)
    grow_fast(data, columns_for(data, C45), C45, limit=1)
    grow(data, C45).rows_at(data, 0)
    cost_complexity_path(grow(data, C45)).curve(data)


def _members() -> None:
    """A member of an ensemble, whose nodes draw features and thresholds or keep the order; how stable a tree is."""
    data, recipe = _table("class", _FEATURES), CART.replace(max_features=1, random_thresholds=True)
    weights, complete = np.array([2.0, 1.0, 0.0, 1.0, 1.0, 1.0]), _table("class", _WITHOUT_GAPS)
    for rows, own in ((data, recipe), (complete, recipe), (complete, CART)):
        Presorted(rows, own).grow_alone(GrowJob(weights, None, own), np.zeros(1, dtype=np.uint8))
    drawn = data.with_weights(weights)
    decide(grow(drawn, recipe), drawn, 0)
    stability(data, CART, 3).distinct_trees()


def _pages(of: _Trees = _COMPLETE_TREES) -> None:
    """What pages show of a small table, whose tree is grown by definition meanwhile."""
    trees = [(_table(target, features), recipe) for target, recipe, features in of]
    paths = [_scored(data, recipe) for data, recipe in trees]
    for path, (data, _) in zip(paths, trees, strict=True):
        _prune(path, data)


def _pages_with_gaps() -> None:
    """What pages show of a small table with missing cells."""
    _pages(_TREES)


def _seldom() -> None:
    """What pages show of trees that few recipes ask for."""
    data = _table("class", _FEATURES)
    decide(grow(data, CART.replace(score="p_value")), data, 0)
    for target, categorical in (("number", "subset"), ("class", "each_value")):
        of_target = _table(target, _FEATURES)
        _prune(_scored(of_target, _NEWTON.replace(categorical=categorical)), of_target)
    grow(data.take(np.array([0])), ID3)
    complete = _table("class", _WITHOUT_GAPS)
    for rows in (complete, complete.take(np.arange(6).repeat(100))):  # few rows for their values, and many
        best_subtree(rows, 2)


def _raising() -> None:
    """C4.5's pruning, which may raise a branch."""
    data = _table("class", _FEATURES)
    pessimistic_prune(grow(data, C45.replace(missing="most_common")), raising=True, train=data)


def _table(target: str, features: tuple[str, ...]) -> Dataset:
    return Dataset.from_frame(_FRAME, target, features=features)


def _scored(data: Dataset, recipe: Recipe) -> Path:
    """Do what every page does with a table: grow a tree, decide a node, prune it and score it; gives its sequence.

    Scores need scikit-learn, which is imported here, not when `explorer` is.
    """
    tree = grow(data, recipe)
    decide(tree, data, 0)
    path = cost_complexity_path(tree)
    path.curve(data)
    permutation_importance(tree, data, 1)
    importlib.import_module("explorer.evaluation.evaluation").evaluate(tree, data)
    tree.rows_at(data, 0)
    return path


def _prune(path: Path, data: Dataset) -> None:
    """Do what the pages about pruning show of a tree besides its sequence."""
    links(path)
    for order in ("best_first", "bottom_up"):
        reduced_error_prune(path.tree, data, order)
    if not path.tree.is_regression:
        mdl_prune(path.tree)


TASKS: dict[str, Callable[[], None]] = {
    PLAIN: _plain,
    PLAIN_PARTS: _plain_parts,
    PAGES: _pages,
    ENGINE: _engine,
    PLAIN_BY_ALL_THREADS: _plain_by_all_threads,
    PAGES_WITH_GAPS: _pages_with_gaps,
    RAISING: _raising,
    ENGINE_BY_ALL_THREADS: _engine_by_all_threads,
    FRACTIONAL_ROWS: _fractional_rows,
    MEMBERS: _members,
    SELDOM: _seldom,
}
"""What is compiled ahead, each in one process. A new family of loops is a new line here, and in `IN_ORDER_OF_NEED`."""
