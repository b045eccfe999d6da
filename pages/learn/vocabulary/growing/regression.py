"""A tree of numbers: the cuts with the squared error that they leave, and the staircase that the tree predicts."""

from __future__ import annotations

from collections.abc import Mapping

import explorer as ex
from explorer.drawing.pictures.splits.cut import Cut, CutAt
from explorer.drawing.pictures.splits.staircase import Stair, Staircase
from explorer.explaining import remaining_error_formula
from explorer.formatting import number_text
from pages.learn.vocabulary.words import Derived, Here, add, word
from pages.results.lessons import trees


def _points(here: Here) -> tuple[tuple[float, float], ...]:
    frame = here.data.frame
    return tuple((float(x), float(y)) for x, y in zip(frame["x"], frame["y"], strict=True))


def _cuts(here: Here) -> tuple[CutAt, ...]:
    """The cuts, in ascending order."""
    found = sorted(here.decision.candidates, key=lambda candidate: candidate.condition.threshold or 0.0)
    return tuple(map(_cut_at, found))


def _cut_at(candidate: ex.Candidate) -> CutAt:
    left, right = candidate.branch_stats.tolist()
    return CutAt(float(candidate.condition.threshold or 0.0), left[1], right[1], left[2] + right[2])


def _chosen(here: Here) -> ex.Candidate:
    chosen = here.decision.chosen
    assert chosen is not None
    return chosen


@word
def squared_error_left(here: Here) -> Derived:
    """The sum of squared errors that the best cut of the node leaves."""
    chosen = _chosen(here)
    derivation = remaining_error_formula(here.tree.node(here.node), chosen)
    return Derived(float(chosen.branch_stats[:, 2].sum()), derivation)


@word
def cut_point(here: Here) -> float:
    """The best cut of the node."""
    return _cut_at(_chosen(here)).threshold


@word
def cut_test(here: Here) -> str:
    """The best cut of the node as a test, such as x ≤ 3.5."""
    condition = here.tree.condition(here.node)
    assert condition is not None
    return condition.word(0)


@word
def mean_beside(here: Here, side: int) -> float:
    """The mean on the left side (0) or the right side (1) of the best cut."""
    cut = _cut_at(_chosen(here))
    return (cut.left_mean, cut.right_mean)[side]


def _leaves(tree: ex.Tree) -> list[int]:
    """The leaves from left to right."""
    return [node for node in tree.preorder() if tree.feature[node] < 0]


@word
def each_leaf_mean(here: Here) -> Mapping[str, float]:
    """The means of the leaves from left to right, as numbers of their own."""
    means = (float(here.tree.values[node]) for node in _leaves(here.tree))
    return {f"mean of leaf {place}": value for place, value in enumerate(means, start=1)}


@word
def cut(here: Here, cuts: bool = True, asks: bool = False) -> Cut:
    """Points with a cut, the means of both sides, and m(s) for all cuts; while it asks, without m(s)."""
    _, average, squares = here.tree.node(0).stats.tolist()
    all_cuts = _cuts(here) if cuts else ()
    best = min(range(len(all_cuts)), key=lambda i: all_cuts[i].squared_error) if all_cuts else None
    return Cut(
        says=here.says,
        x_name="x",
        y_name="y",
        points=_points(here),
        mean=average,
        squared_error=squares,
        cuts=all_cuts,
        shown=0 if asks or best is None else best,
        has_curve=not asks,
        best=None if asks else best,
    )


@word
def staircase(here: Here, shown: int | None = None) -> Staircase:
    """A tree of one numeric feature, split by split in the order of growing."""
    tree, points = here.tree, _points(here)
    order = trees.split_nodes(tree)
    split_at = {node: position for position, node in enumerate(order)}
    bounds = {0: (points[0][0] - 0.5, points[-1][0] + 0.5)}
    for node in order:
        (low, high), threshold = bounds[node], float(tree.threshold[node])
        first, second = tree.children_of(node)
        bounds[first], bounds[second] = (low, threshold), (threshold, high)
    stairs = tuple(
        Stair(
            *bounds[node],
            mean=float(tree.values[node]),
            depth=int(tree.depth[node]),
            parent=int(tree.parent[node]),
            since=split_at[int(tree.parent[node])] + 1 if node else 0,
            until=split_at.get(node),
            threshold=float(tree.threshold[node]) if node in split_at else None,
        )
        for node in range(tree.n_nodes)
    )
    return Staircase(
        says=here.says,
        x_name="x",
        y_name="y",
        points=points,
        stairs=stairs,
        squared_errors=_errors_after(tree, order),
        shown=len(order) if shown is None else shown,
    )


def _errors_after(tree: ex.Tree, order: tuple[int, ...]) -> tuple[float, ...]:
    """The sum of squared errors after 0, 1, 2, … splits."""
    squares = tree.stats[:, 2]
    errors = [float(squares[0])]
    for node in order:
        errors.append(max(errors[-1] - float(squares[node] - squares[list(tree.children_of(node))].sum()), 0.0))
    return tuple(errors)


add(
    mean=lambda here: float(here.tree.node(here.node).stats[1]),  # The mean of the node's rows.
    # The sum of squared errors around the mean of the node.
    squared_error=lambda here: float(here.tree.node(here.node).stats[2]),
    # The same at another cut.
    squared_error_at=lambda here, cut: next(each.squared_error for each in _cuts(here) if each.threshold == cut),
    cut_text=lambda here: number_text(cut_point(here)),  # The best cut of the node, as a text.
    # The squared errors that all cuts leave, as numbers of their own: "m(6.5)".
    each_squared_error=lambda here: {f"m({number_text(cut.threshold)})": cut.squared_error for cut in _cuts(here)},
    # The largest squared error of a leaf.
    largest_squared_error=lambda here: float(here.tree.stats[_leaves(here.tree), 2].max()),
)
