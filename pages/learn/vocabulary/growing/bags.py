"""Candidate splits of a node as bags of balls, with the Gini indices of the bags as fractions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import explorer as ex
from explorer.drawing.pictures.row_groups import Division, RowGroup, RowGroups
from explorer.explaining import Derivation, Formula, candidate_formulas, remaining_impurity_formula
from explorer.explaining.formulas.impurity import of_rows
from explorer.formatting import value_text
from explorer.messages import message, plural
from pages.learn.vocabulary.branches import rows_in_branches
from pages.learn.vocabulary.words import Derived, Here, add, word


def gini_fraction(counts: Sequence[float]) -> str:
    """The Gini index of class counts over the squared number of rows, not reduced.

    >>> gini_fraction([7, 1]), gini_fraction([4, 0])
    ('14/64', '0')
    """
    rows = round(sum(counts))
    top = rows**2 - sum(round(count) ** 2 for count in counts)
    return f"{top}/{rows**2}" if top else "0"


def _picture(here: Here, divisions: Sequence[Division], marked_by: str | None = None, most: float = 0.0) -> RowGroups:
    """The node's rows as balls, each marked by its value of a feature (None: not marked), in groups."""
    rows, data, tree = [int(row) for row in here.tree.rows_at(here.data, here.node)], here.data, here.tree
    codes = data.y[rows].astype(int).tolist()
    return RowGroups(
        says=here.says,
        title=here.heading,
        rows=tuple(map(str, rows)),
        marks=tuple(value_text(data.frame[marked_by].iloc[row]) if marked_by else "" for row in rows),
        codes=tuple(codes),
        classes=tuple(
            f"{tree.target} = {value_text(value)} · {codes.count(code)}" for code, value in enumerate(tree.classes)
        ),
        divisions=tuple(divisions),
        shown=next((i for i, division in enumerate(divisions) if division.is_best), 0),
        most=most,
    )


def _whole_bag(here: Here, asks: bool = False) -> RowGroups:
    """The rows of the root in one bag; while `asks`, without its Gini index."""
    text = "" if asks else _gini_text(here.tree.node(0).stats.tolist(), here.tree.node(0).impurity)
    return _picture(here, [Division("D", (RowGroup("D", tuple(range(here.data.n_rows)), (text,)),))])


def label_of(candidate: ex.Candidate) -> str:
    """A split by its smaller group: the branch with fewer values, the first where both have as many."""
    return candidate.condition.word(_smaller(candidate))


def _smaller(candidate: ex.Candidate) -> int:
    sizes = [len(branch) for branch in candidate.condition.branches]
    return sizes.index(min(sizes))


def _bags(
    here: Here, candidates: Sequence[ex.Candidate], asks: bool = False, marked_by: str | None = None
) -> RowGroups:
    """The bags of every candidate at the node; while `asks`, without the numbers that answer the question."""
    data = here.data.take(here.tree.rows_at(here.data, here.node))
    lowest = min(candidate.weighted_impurity for candidate in candidates)
    divisions = [_division(data, candidate, lowest, asks) for candidate in candidates]
    return _picture(here, divisions, marked_by, here.tree.node(here.node).impurity * 1.1)


def _division(data: ex.Dataset, candidate: ex.Candidate, lowest: float, asks: bool) -> Division:
    """One candidate, its smaller group first."""
    first, inside = _smaller(candidate), rows_in_branches(data, candidate)
    order, left, name = (first, 1 - first), candidate.weighted_impurity, label_of(candidate)
    bags = tuple(RowGroup(candidate.condition.word(i), inside[i], (_bag_text(candidate, i, asks),)) for i in order)
    if asks:
        return Division(name, bags, text="?")
    arithmetic = _arithmetic(candidate, order)
    return Division(name, bags, f"{arithmetic} = {left:.3f}", left, f"{left:.3f}", arithmetic, left <= lowest + 1e-12)


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
    bag=lambda here, asks=False: _whole_bag(here, asks),
    # The tests of the node as a list, and two bags with the rows of the selected one.
    bags=lambda here, asks=False: _bags(here, _questions(here), asks),
    # The same for groups of values, its balls marked by a feature's values.
    bags_of_groups=lambda here, marked_by=None, asks=False: _bags(here, _groups(here), asks, marked_by),
)
