"""Candidate splits of a node as bags of balls, with the Gini indices of the bags as fractions."""

from __future__ import annotations

from collections.abc import Sequence

import explorer as ex
from explorer.drawing.pictures.splits.split_bags import Bag, Ball, Division, SplitBags
from explorer.formatting import value_text
from explorer.messages import message, plural


def gini_fraction(counts: Sequence[float]) -> str:
    """The Gini index of class counts over the squared number of rows, not reduced.

    >>> gini_fraction([7, 1]), gini_fraction([4, 0])
    ('14/64', '0')
    """
    rows = round(sum(counts))
    top = rows**2 - sum(round(count) ** 2 for count in counts)
    return f"{top}/{rows**2}" if top else "0"


def balls_of(data: ex.Dataset, rows: Sequence[int], marked_by: str | None = None) -> tuple[Ball, ...]:
    """These rows as balls, each marked by its value of a feature (None: not marked)."""
    marks = [value_text(value) for value in data.frame[marked_by]] if marked_by else [""] * data.n_rows
    return tuple(Ball(int(row), int(data.y[row]), marks[row]) for row in rows)


def whole_bag(data: ex.Dataset, tree: ex.Tree, says: str, title: str, asks: bool = False) -> SplitBags:
    """The rows of the root in one bag; while `asks`, without its Gini index."""
    gini, counts = tree.node(0).impurity, tree.node(0).stats.tolist()
    text = "" if asks else _gini_text(counts, gini)
    division = Division("D", (Bag("D", tuple(range(data.n_rows)), text),), gini, "", "")
    return SplitBags(
        says=says,
        title=title,
        balls=balls_of(data, range(data.n_rows)),
        classes=class_names(tree),
        divisions=(division,),
    )


def class_names(tree: ex.Tree) -> tuple[str, ...]:
    """The classes as the legend names them."""
    return tuple(f"{tree.target} = {value_text(value)}" for value in tree.classes)


def label_of(candidate: ex.Candidate) -> str:
    """A split by its smaller group: the branch with fewer values, the first where both have as many."""
    return candidate.condition.word(_smaller(candidate))


def _smaller(candidate: ex.Candidate) -> int:
    sizes = [len(branch) for branch in candidate.condition.branches]
    return sizes.index(min(sizes))


def split_bags(
    data: ex.Dataset,
    tree: ex.Tree,
    candidates: Sequence[ex.Candidate],
    says: str,
    title: str,
    node: int = 0,
    asks: bool = False,
    marked_by: str | None = None,
) -> SplitBags:
    """The bags of every candidate at a node; while `asks`, without the numbers that answer the question."""
    rows = [int(row) for row in tree.rows_at(data, node)]
    lowest = min(candidate.weighted_impurity for candidate in candidates)
    divisions = tuple(_division(data, rows, candidate, lowest, asks) for candidate in candidates)
    best = 0 if asks else next(i for i, division in enumerate(divisions) if division.is_best)
    return SplitBags(
        says=says,
        title=title,
        balls=balls_of(data, rows, marked_by),
        classes=class_names(tree),
        divisions=divisions,
        most=tree.node(node).impurity * 1.1,
        shown=best,
    )


def _division(data: ex.Dataset, rows: Sequence[int], candidate: ex.Candidate, lowest: float, asks: bool) -> Division:
    """One candidate, its smaller group first."""
    first = _smaller(candidate)
    order = (first, 1 - first)
    values = data.frame[candidate.feature]
    bags = []
    for branch in order:
        group = candidate.condition.branches[branch]
        inside = tuple(place for place, row in enumerate(rows) if values.iloc[row] in group)
        bags.append(Bag(candidate.condition.word(branch), inside, _bag_text(candidate, branch, asks)))
    left = candidate.weighted_impurity
    return Division(
        label_of(candidate),
        tuple(bags),
        0.0 if asks else left,
        "?" if asks else f"{left:.3f}",
        "" if asks else _arithmetic(candidate, order),
        not asks and left <= lowest + 1e-12,
    )


def _bag_text(candidate: ex.Candidate, branch: int, asks: bool) -> str:
    counts = candidate.branch_stats[branch].tolist()
    if asks:
        return plural(round(sum(counts)), "{n} row", "{n} rows")
    return _gini_text(counts, candidate.impurities[branch])


def _gini_text(counts: Sequence[float], gini: float) -> str:
    if gini == 0:
        return message("Gini 0")
    return message("Gini {fraction} = {gini:.3f}", fraction=gini_fraction(counts), gini=gini)


def _arithmetic(candidate: ex.Candidate, order: Sequence[int]) -> str:
    """The weighted mean as fractions: 8/15·14/64 + 7/15·24/49."""
    whole = round(sum(candidate.weights))
    return " + ".join(
        f"{round(candidate.weights[branch])}/{whole}·{gini_fraction(candidate.branch_stats[branch].tolist())}"
        for branch in order
    )
