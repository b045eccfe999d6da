"""Compile ahead of use: what a first visit to any page needs, then what pages show later, then loops of large tables.

The order matters: while one function is compiled every other one waits, and the loops that grow large trees take most.
"""

import importlib

import numpy as np
import pandas as pd

from explorer.data.dataset import Dataset
from explorer.ensembles.stability.stability import stability
from explorer.growing.decide import decide
from explorer.growing.grow import compiling, grow, grow_fast
from explorer.growing.grow_many import GrowJob, Presorted
from explorer.pruning import cost_complexity_path, mdl_prune, reduced_error_prune
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
    }
)
_FEATURES = ("single", "double", "category")
_NUMBERS = ("single", "double")
_NEWTON = CART.replace(score="newton", missing="default_direction")
_TREES: tuple[tuple[str, Recipe, tuple[str, ...]], ...] = (
    ("class", CART, _FEATURES),
    ("class", C45, _FEATURES),
    ("class", C45, _NUMBERS),  # rows with a missing value go down both branches in part
    ("class", ID3, _FEATURES),
    ("third", CART, _FEATURES),
    ("number", CART, _FEATURES),
    ("number", _NEWTON, _FEATURES),
    ("class", _NEWTON.replace(categorical="each_value"), _FEATURES),
)
"""Targets, recipes and features that use every loop that small tables need."""
_COMPLETE = (("class", ("number",)), ("number", ("category",)))
"""Targets and features without a missing cell, which have loops of their own."""


def warm_up() -> None:
    """Compile everything, or load it from disk: two to three minutes on the first start, a second later.

    Meanwhile small tables are grown by the readable layer, so that the first tree does not wait.
    """
    with compiling():
        paths = [_scored(_table(target, features), recipe) for target, recipe, features in _TREES]
        for path, (target, _, features) in zip(paths, _TREES, strict=True):
            _prune(path, _table(target, features))
        data = _table("class", _FEATURES)
        stability(data, CART, 3).distinct_trees()
        decide(grow(data, CART.replace(score="p_value")), data, 0)
        grow(data.take(np.array([0])), ID3)  # arrays of a single node count as contiguous: another type
        for recipe in (CART, C45):
            grow_fast(data, columns_for(data, recipe), recipe)
        for target, features in _COMPLETE:
            plain = _table(target, features)
            grow_fast(plain, columns_for(plain, CART), CART)
        _grow_member(data)


def _grow_member(data: Dataset) -> None:
    """Grow a member of an ensemble, whose nodes draw features and thresholds, in both ways."""
    recipe = CART.replace(max_features=1, random_thresholds=True)
    weights = np.array([2.0, 1.0, 0.0, 1.0, 1.0, 1.0])
    member = GrowJob(weights, None, recipe)
    Presorted(data, recipe).grow_alone(member, np.zeros(1, dtype=np.uint8))
    drawn = data.with_weights(weights)
    decide(grow(drawn, recipe), drawn, 0)


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
