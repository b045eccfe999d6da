"""A tree of numbers: the cuts with the squared error that they leave, and the staircase that the tree predicts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import explorer as ex
from explorer.drawing.pictures.chart import Axis, Chart, Mark, Panel, Place, across, dot, line, square, text
from explorer.explaining import remaining_error_formula
from explorer.formatting import leaves as leaves_text
from explorer.formatting import number_text
from explorer.messages import message, plural
from pages.learn.vocabulary.words import Derived, Here, add, word
from pages.results.lessons import trees


class CutAt(NamedTuple):
    """A threshold, the means on its two sides, and the sum of the squared errors from them."""

    threshold: float
    left_mean: float
    right_mean: float
    squared_error: float


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


def _plot(points: tuple[tuple[float, float], ...], room: float, share: float, marks: Iterable[Mark] = ()) -> Panel:
    """The axes of the points, with some of their spread free above and below them."""
    (xs, ys), y_room = zip(*points, strict=True), room * (max(y for _, y in points) - min(y for _, y in points))
    return Panel(
        x=Axis(low=min(xs) - 0.5, high=max(xs) + 0.5),
        y=Axis(low=min(ys) - y_room, high=max(ys) + y_room, title="y"),
        marks=tuple(marks),
        share=share,
    )


@word
def cut(here: Here, cuts: bool = True, asks: bool = False) -> Chart:
    """Points with a cut, the means of both sides, and m(s) for all cuts; while it asks, without m(s)."""
    _, average, squares = here.tree.node(0).stats.tolist()
    points, all_cuts = _points(here), _cuts(here) if cuts else ()
    plot = _plot(points, 0.12, 1.8)
    best = min(range(len(all_cuts)), key=lambda at: all_cuts[at].squared_error) if cuts else 0
    if not cuts:
        said = message("Sum of squared errors = {error}", error=f"{squares:.2f}")
        only = Place(
            said=said, reading=said, marks=(tuple(_errors(points, plot, [("ȳ", plot.x.low, plot.x.high, average)])),)
        )
        return Chart(says=here.says, columns=((plot,),), places=(only,))
    places = []
    for at, each in enumerate(all_cuts):
        test, low, high = f"x ≤ {number_text(each.threshold)}", plot.x.low, plot.x.high
        error = message("Sum of squared errors = {error}", error=f"{each.squared_error:.2f}")
        sides = [("c₁", low, each.threshold, each.left_mean), ("c₂", each.threshold, high, each.right_mean)]
        here_cut = across("cut", each.threshold, plot.y.low, plot.y.high, dash="5 4", quick=True)
        found = (dot(f"m {at}", each.threshold, each.squared_error, "primary" if at == best else "text", r=8),)
        marks = (*_errors(points, plot, sides), here_cut), found
        places.append(Place(said=test, reading=test if asks else f"{test} · {error}", at=each.threshold, marks=marks))
    return Chart(
        says=here.says,
        columns=((plot,) if asks else (plot, _sums(all_cuts, best, plot.x)),),
        places=tuple(places),
        shown=0 if asks else best,
        slider=message("Cut"),
    )


def _errors(
    points: Iterable[tuple[float, float]], plot: Panel, sides: list[tuple[str, float, float, float]]
) -> Iterator[Mark]:
    """The points, the mean of every side over its range, and squared distances from it as squares."""
    for at, (x, y) in enumerate(points):
        side = next(place for place, (_, _, end, _) in enumerate(sides) if x <= end)
        yield square(f"square {at}", x, y, sides[side][3], left=side > 0)
        yield dot(f"point {at}", x, y)
    for side, (name, start, end, mean) in enumerate(sides):
        yield line(f"mean {side}", ((start, mean), (end, mean)))
        look = {"dx": -2, "dy": 20, "anchor": "end"} if side else {"dx": 4, "dy": -8, "anchor": "start"}
        yield text(f"mean text {side}", end if side else start, mean, f"{name} = {mean:.2f}", kind="pic-number", **look)


def _sums(cuts: tuple[CutAt, ...], best: int, x: Axis) -> Panel:
    """The squared errors that all cuts leave, as a curve."""
    most = max(each.squared_error for each in cuts)
    marks = [line("sums", [(each.threshold, each.squared_error) for each in cuts], "quiet")]
    for at, each in enumerate(cuts):
        marks.append(
            dot(f"m {at}", each.threshold, each.squared_error, "primary" if at == best else "text", r=4, to=at)
        )
        kind = "pic-number" if at == best else "pic-small"
        marks.append(
            text(f"sum {at}", each.threshold, each.squared_error, f"{each.squared_error:.2f}", dy=-12, kind=kind)
        )
    title = message("Sum of squared errors m(s) by cut s")
    return Panel(x=x, y=Axis(low=0.0, high=1.25 * most), marks=tuple(marks), title=title)


@word
def staircase(here: Here, shown: int | None = None) -> Chart:
    """A tree of one numeric feature, split by split in the order of growing; below it the tree in the same scale."""
    tree, points = here.tree, _points(here)
    order, errors = trees.split_nodes(tree), _errors_after(tree, trees.split_nodes(tree))
    bounds = {0: (points[0][0] - 0.5, points[-1][0] + 0.5)}
    for node in order:
        (low, high), threshold = bounds[node], float(tree.threshold[node])
        first, second = tree.children_of(node)
        bounds[first], bounds[second] = (low, threshold), (threshold, high)
    plot = _plot(points, 0.1, 1.0, (dot(f"point {at}", x, y) for at, (x, y) in enumerate(points)))
    below = Panel(
        x=Axis(low=plot.x.low, high=plot.x.high, ticks=()),
        y=Axis(low=-tree.max_depth - 0.8, high=0.5, ticks=()),
    )
    places = []
    for n in range(len(order) + 1):
        drawn = {0, *(child for node in order[:n] for child in tree.children_of(node))}
        leaves = drawn - set(order[:n])
        said = plural(n, "{n} split", "{n} splits")
        reading = f"{leaves_text(len(leaves))} · {message('sum of squared errors {error}', error=f'{errors[n]:.2f}')}"
        marks = tuple(_stairs(tree, points, bounds, leaves)), tuple(_stair_tree(tree, bounds, drawn, leaves))
        places.append(Place(said=said, reading=reading, marks=marks))
    at = len(order) if shown is None else shown
    slider = message("Number of splits")
    return Chart(says=here.says, columns=((plot, below),), places=tuple(places), shown=at, slider=slider)


Bounds = Mapping[int, tuple[float, float]]


def _stairs(tree: ex.Tree, points: tuple[tuple[float, float], ...], bounds: Bounds, leaves: set[int]) -> Iterator[Mark]:
    """The means of the leaves over their intervals, and the distance of every point from its mean."""
    for leaf in sorted(leaves):
        (low, high), mean = bounds[leaf], float(tree.values[leaf])
        yield line(f"stair {leaf}", ((low, mean), (high, mean)))
        for at, (x, y) in enumerate(points):
            if low < x <= high:
                yield across(f"residual {at}", x, y, mean, "primary", opacity=0.5)


def _stair_tree(tree: ex.Tree, bounds: Bounds, drawn: set[int], leaves: set[int]) -> Iterator[Mark]:
    """An inner node stands over its threshold, a leaf over the middle of its interval."""
    xs = {node: sum(bounds[node]) / 2 if node in leaves else float(tree.threshold[node]) for node in drawn}
    for node in sorted(drawn):
        depth, parent, is_leaf = -int(tree.depth[node]), int(tree.parent[node]), node in leaves
        if node:
            yield line(f"branch {node}", ((xs[parent], depth + 1), (xs[node], depth + 1), (xs[node], depth)), "quiet")
        if not is_leaf:
            yield across(f"cut {node}", xs[node], 0.5, depth, "quiet", dash="3 4", opacity=0.6, width=1.5)
    for node in sorted(drawn):
        depth, is_leaf = -int(tree.depth[node]), node in leaves
        yield dot(f"node {node}", xs[node], depth, "primary" if is_leaf else "quiet", r=6 if is_leaf else 4)
        words = f"{tree.values[node]:.2f}" if is_leaf else f"x ≤ {number_text(xs[node])}"
        look = {"dy": 20} if is_leaf else {"dy": -8, "kind": "pic-number"}
        yield text(f"text {node}", xs[node], depth, words, **look)


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
