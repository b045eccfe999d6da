"""A tree of at most so many leaves, the largest decreases first (explorer/ensembles/DEFINITIONS.md section 24).

A split does not depend on the order of growing. So the tree of a given size is the full tree, of which the splits are
made in the order "best_first" of `growing_steps` until the leaves are used up.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from explorer.growing.growing_steps import growing_steps, weighted_decreases
from explorer.growing.stopping import without_splits
from explorer.recipe.parameters import MOST_LEAVES
from explorer.tree.tree import Tree


class SplitLeftOut(NamedTuple):
    """What the split of a leaf would have decreased the impurity by, and the least of the splits that were made.

    Both are shares of the rows times the decrease at the node: min_impurity_decrease is in the same unit.
    """

    decrease: float
    least_made: float


def with_most_leaves(tree: Tree) -> Tree:
    """The tree cut to the recipe's `max_leaf_nodes`, its nodes numbered anew; a split of more branches may not fit.

    What a person chose is made first, whatever the limit.
    """
    most = tree.recipe.max_leaf_nodes
    if most is None or tree.n_leaves <= most:
        return tree
    by_hand = _with_ancestors(tree)
    is_made, leaves = np.zeros(tree.n_nodes_grown, dtype=bool), 1
    is_reached = np.zeros(tree.n_nodes_grown, dtype=bool)
    is_reached[0] = True
    for node in growing_steps(tree, "best_first", by_hand).nodes:
        added = int(tree.child_count[node]) - 1
        if not is_reached[node] or (leaves + added > most and node not in by_hand):
            continue
        is_made[node], leaves = True, leaves + added
        is_reached[list(tree.children_of(node))] = True
    reasons = np.where((tree.feature >= 0) & ~is_made, MOST_LEAVES, 0).astype(np.int8)
    return without_splits(tree, reasons)


def _with_ancestors(tree: Tree) -> list[int]:
    """The nodes whose split a person chose and those above them, by id."""
    forced = [] if tree.forced is None else np.flatnonzero(tree.forced).tolist()
    return sorted({node for end in forced for node in (*(above for above, _ in tree.path_to(end)), end)})


def split_left_out(tree: Tree, node: int, gain: float) -> SplitLeftOut | None:
    """Why a leaf of a tree of a given size was not split by a test with this gain; None for any other node.

    >>> from explorer import CART, Dataset, decide, grow, load_sample
    >>> tennis = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> tree = grow(tennis, CART.replace(max_leaf_nodes=3))
    >>> gain = decide(tree, tennis, 3).winner.gain
    >>> tree.node(3).stop_reason, [round(number, 3) for number in split_left_out(tree, 3, gain)]
    ('maximum number of leaves reached', [0.043, 0.102])
    """
    if tree.stop[node] != MOST_LEAVES:
        return None
    made: NDArray[np.float64] = weighted_decreases(tree)[tree.feature >= 0]
    total = float(tree.weight[0])
    least = float(made.min()) / total if made.size else 0.0
    return SplitLeftOut(float(tree.weight[node]) / total * gain, least)
