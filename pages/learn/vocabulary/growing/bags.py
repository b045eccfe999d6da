"""Candidate splits of a node as bags of balls, with the Gini indices of the bags as fractions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import explorer as ex
from explorer.drawing.pictures.splits.split_bags import Bag, Ball, Division, SplitBags
from explorer.explaining import Derivation, Formula, candidate_formulas, remaining_impurity_formula
from explorer.explaining.formulas.impurity import of_rows
from explorer.formatting import value_text
from explorer.messages import message, plural
from pages.learn.vocabulary.words import Derived, Here, add, word


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


def _whole_bag(data: ex.Dataset, tree: ex.Tree, says: str, title: str, asks: bool = False) -> SplitBags:
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


def _split_bags(
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


def _questions(here: Here) -> list[ex.Candidate]:
    """The admissible tests in the order of the table's features, the larger remaining impurity first."""
    features = [feature.name for feature in here.tree.features]
    ordered = sorted(here.decision.candidates, key=lambda c: (features.index(c.feature), -c.weighted_impurity))
    return [candidate for candidate in ordered if candidate.rejection is None]


def _groups(here: Here) -> list[ex.Candidate]:
    """The admissible tests in the order of the features, then of their smaller groups."""
    admissible = [candidate for candidate in here.decision.candidates if candidate.rejection is None]
    features = list(dict.fromkeys(candidate.feature for candidate in admissible))
    return sorted(admissible, key=lambda c: (features.index(c.feature), len(label_of(c)), label_of(c)))


def _best(here: Here) -> ex.Candidate:
    return min(_questions(here), key=lambda candidate: candidate.weighted_impurity)


@word
def gini(here: Here) -> Derived:
    """The Gini index of all rows."""
    value = here.tree.node(0).impurity
    quantity = of_rows("gini", "D", "D", here.tree.node(0).stats.tolist())
    return Derived(value, Derivation((Formula(quantity, value),)))


@word
def gini_decrease(here: Here) -> Derived:
    """The decrease of the Gini index by the best test."""
    chosen = here.decision.chosen
    assert chosen is not None
    return Derived(chosen.gain, candidate_formulas(here.tree.node(here.node), chosen)["Gini decrease"])


@word
def left_by_best_question(here: Here) -> Derived:
    """The mean impurity after the best test."""
    best = _best(here)
    return Derived(best.weighted_impurity, remaining_impurity_formula(here.tree.node(here.node), best))


@word
def left_by_chosen(here: Here) -> Derived:
    """The mean impurity after the test that the tree has chosen."""
    chosen = here.decision.chosen
    assert chosen is not None
    return Derived(chosen.weighted_impurity, remaining_impurity_formula(here.tree.node(here.node), chosen))


@word
def chosen_group(here: Here) -> str:
    """The test that the tree has chosen, by its smaller group."""
    assert here.decision.chosen is not None
    return label_of(here.decision.chosen)


@word
def branch(here: Here) -> str:
    """The branch that leads to the node, in words."""
    above = int(here.tree.parent[here.node])
    condition = here.tree.condition(above)
    assert condition is not None
    return condition.word(list(here.tree.children_of(above)).index(here.node))


@word
def each_question(here: Here) -> Mapping[str, float]:
    """The mean impurity after every test, and those of its two bags with their shares of the rows."""
    numbers = {}
    for candidate in _questions(here):
        numbers[label_of(candidate)] = candidate.weighted_impurity
        for side, impurity in enumerate(candidate.impurities):
            words = candidate.condition.word(side)
            numbers[f"{words} bag"] = impurity
            numbers[f"{words} share"] = candidate.weights[side] / sum(candidate.weights)
    return numbers


def _both_groups(candidate: ex.Candidate) -> str:
    groups = sorted(",".join(sorted(map(str, branch))) for branch in candidate.condition.branches)
    return message("{name}: {value}", name=candidate.feature, value=" | ".join(groups))


add(
    questions=lambda here: tuple(map(label_of, _questions(here))),  # The tests of the node, each by its smaller group.
    n_groups=lambda here: len(_groups(here)),  # How many tests the node has.
    best_question=lambda here: label_of(_best(here)),  # The test that leaves the least impurity, by its smaller group.
    best_feature=lambda here: _best(here).feature,  # The feature of the test that leaves the least impurity.
    # The mean impurity after every test, named by both of its groups: "Outlook: Overcast | Rain,Sunny".
    each_grouping=lambda here: {_both_groups(candidate): candidate.weighted_impurity for candidate in _groups(here)},
    # All rows as balls in one bag.
    bag=lambda here, asks=False: _whole_bag(here.data, here.tree, here.says, here.heading, asks),
    # The tests of the node as a list, and two bags with the rows of the selected one.
    bags=lambda here, asks=False: _split_bags(
        here.data, here.tree, _questions(here), here.says, here.heading, here.node, asks
    ),
    # The same for groups of values, its balls marked by a feature's values.
    bags_of_groups=lambda here, marked_by=None, asks=False: _split_bags(
        here.data, here.tree, _groups(here), here.says, here.heading, 0, asks, marked_by
    ),
)
