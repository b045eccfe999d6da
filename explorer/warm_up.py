"""Compile ahead of use: what every page calls first, then the loops that large tables need."""

import pandas as pd

from explorer.data.dataset import Dataset
from explorer.growing.decide import decide
from explorer.growing.grow import compiling, grow, grow_fast
from explorer.pruning import cost_complexity_path, mdl_prune, reduced_error_prune
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
_FEATURES = ["single", "double", "category"]


def _use(target: str, recipe: Recipe) -> None:
    """Do once, on a table of six rows, what a page does with a table."""
    data = Dataset.from_frame(_FRAME, target, features=_FEATURES)
    tree = grow(data, recipe)
    decide(tree, data, 0)
    tree.predict(data)
    path = cost_complexity_path(tree)
    path.curve(data)
    links(path)
    for order in ("best_first", "bottom_up"):
        reduced_error_prune(tree, data, order)
    if not tree.is_regression:
        mdl_prune(tree)


def warm_up() -> None:
    """Compile everything, or load it from disk: up to a minute on the first start, well under a second later.

    Meanwhile small tables are grown by the readable layer, so that the first tree does not wait.
    """
    with compiling():
        for target, recipe in (("class", CART), ("class", C45), ("class", ID3), ("third", CART), ("number", CART)):
            _use(target, recipe)
        data = Dataset.from_frame(_FRAME, "class", features=_FEATURES)
        for recipe in (CART, C45):
            grow_fast(data, columns_for(data, recipe), recipe)
