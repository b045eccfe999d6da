"""Missing values: a row without a value goes down every branch of a split, each with a part of its weight."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

import explorer as ex
from explorer.drawing.pictures.row_groups import Division, RowGroup, RowGroups
from explorer.drawing.pictures.weight_flow import FlowBranch, WeightFlow
from explorer.explaining import Derivation, Formula, RowPath, candidate_formulas, missing_formula, row_path
from explorer.explaining.formulas.expression import Number as Whole
from explorer.explaining.formulas.expression import Quantity, ratio, total
from explorer.formatting import amount, class_counts, relation
from explorer.formatting import percent as percent_text
from explorer.messages import message
from pages.learn.scenes.step import TreePicture
from pages.learn.vocabulary import branches
from pages.learn.vocabulary.pictures import ratio_text
from pages.learn.vocabulary.words import Derived, Here, add, word
from pages.results.lessons.missing_values import parts_of_a_row


@word
def part_of_last(here: Here, known: tuple[int, ...], words: str) -> Derived:
    """The part that goes down the last of the branches, and what it is in words."""
    value, name = parts_of_a_row(known)[-1], f"m{'₀₁₂₃'[len(known)]}"
    formula = Formula(Quantity(name, f"m_{len(known)}", ratio(known[-1], sum(known))), value)
    return Derived(value, Derivation((formula,), ((name, words),)))


def _flow(
    here: Here,
    source: str,
    flow: list[FlowBranch],
    asks: bool,
    *,
    code: int = -1,
    classes: tuple[str, ...] = (),
    most: int = 0,
    mixed: tuple[float, ...] = (),
) -> WeightFlow:
    """A row and its parts in the branches; while it `asks`, without the parts."""
    shown = () if asks else mixed
    return WeightFlow(
        says=here.says,
        source=source,
        code=code,
        branches=tuple(flow),
        classes=classes,
        most=0 if asks else most,
        has_parts=not asks,
        mixed=shown,
        mixed_texts=tuple(f"{name} {percent_text(share)}" for name, share in zip(classes, shown, strict=False)),
        state=here.state,
    )


@word
def flow_of_parts(here: Here, known: tuple[int, ...], asks: bool = False) -> WeightFlow:
    """A row without a value of A over branches whose known rows the reader can change."""
    flow = [FlowBranch(f"A = A{branch}", (float(rows),)) for branch, rows in enumerate(known, 1)]
    return _flow(here, "A = ?", flow, asks, most=9)


@word
def known_entropy(here: Here, feature: str) -> float:
    """The entropy of the rows with a value."""
    return candidate_formulas(here.tree.node(0), here.decision.best[feature])["gain"].formulas[0].value


@word
def ratio_with_missing(here: Here, feature: str, words: str) -> Derived:
    """The gain ratio where “missing” is one more outcome, which the words explain."""
    best = here.decision.best[feature]
    formulas = candidate_formulas(here.tree.node(0), best)["gain ratio"].formulas[-3:]
    return Derived(best.gain_ratio or 0.0, Derivation(formulas, (("SI(A)", words),)))


@word
def branches_with_missing(here: Here, feature: str, result: str = "") -> RowGroups:
    """All rows in the branches of a feature and, beside them, those without a value; below it the gain or the ratio."""
    data, candidate = here.data, here.decision.best[feature]
    lines = {"": "", "gain": _gain_text(here, candidate), "ratio": ratio_text(candidate)}
    known, without = branches.divided(data, candidate, lines[result]), branches.rows_without(data, feature)
    unknown = RowGroup(message("missing"), without, (branches.counts_text(data, without),))
    return RowGroups(
        says=here.says,
        rows=tuple(str(row) for row in range(1, data.n_rows + 1)),
        codes=tuple(data.y.tolist()),
        details=branches.details(data),
        classes=tuple(map(str, data.classes)),
        divisions=(Division(known.name, (*known.groups, unknown), lines[result]),),
        has_shares=result == "ratio",
    )


def _gain_text(here: Here, candidate: ex.Candidate) -> str:
    known, n_rows = sum(candidate.weights), here.data.n_rows
    numbers = (known_entropy(here, candidate.feature), candidate.weighted_impurity, candidate.gain)
    before, after, gain = (f"{value:.3f}" for value in numbers)
    return message(
        "gain = {known}/{all} · ({before} − {after}) {sign} {gain} bits",
        known=amount(known),
        all=n_rows,
        before=before,
        after=after,
        sign=relation(known / n_rows * (float(before) - float(after)), gain),
        gain=gain,
    )


@word
def each_part_of_row(here: Here, feature: str) -> Mapping[str, float]:
    """The parts of the row without a value in the branches, as numbers of their own."""
    groups = here.decision.best[feature].condition.branches
    parts = ex.missing_row_branches(here.tree, here.data, 0)
    return {str(group[0]): part for group, part in zip(groups, parts, strict=True)}


@word
def part_of_row(here: Here, feature: str) -> Derived:
    """Its part in the first branch."""
    parts = tuple(each_part_of_row(here, feature).values())
    return Derived(parts[0], missing_formula(here.tree.node(0), here.decision, parts))


@word
def flow_of_row(here: Here, feature: str, words: str, asks: bool = False) -> WeightFlow:
    """The row without a value, named by words, over the branches of the feature."""
    best, data = here.decision.best[feature], here.data
    flow = [
        FlowBranch(
            f"{feature} = {label}",
            tuple(stats.tolist()),
            message(
                "{weight} + {fraction} = {sum} rows",
                weight=amount(weight),
                fraction=f"{weight:.0f}/{sum(best.weights):.0f}",
                sum=amount(weight + part),
            ),
        )
        for (label, part), stats, weight in zip(
            each_part_of_row(here, feature).items(), best.branch_stats, best.weights, strict=True
        )
    ]
    code = int(data.y[branches.rows_without(data, feature)[0]])
    return _flow(here, words, flow, asks, code=code, classes=tuple(map(str, data.classes)))


def _leaves(tree: ex.Tree) -> list[ex.Node]:
    return [tree.node(node) for node in tree.preorder() if tree.node(node).is_leaf]


@word
def tree_with_counts(here: Here) -> TreePicture:
    """The tree with the weights of its classes at every leaf."""
    marks = {leaf.id: class_counts(leaf.stats, here.tree.classes) for leaf in _leaves(here.tree)}
    return TreePicture(here.tree, here.says, marks=marks)


@word
def leaf_weight(here: Here, leaf: int, rows: int, known: int, words: str) -> Derived:
    """The weight of a leaf: its rows and as many of the known ones' share of a row; and what it is in words."""
    weight = here.tree.node(leaf).weight
    formula = Formula(Quantity("W", "W", total([Whole(rows), ratio(rows, known)])), weight)
    return Derived(weight, Derivation((formula,), (("W", words),)))


def _case(here: Here) -> RowPath:
    """A sunny day with a light wind whose humidity is not known, as the tree predicts it."""
    case = {"outlook": ["sunny"], "temperature": [70], "humidity": [np.nan], "windy": ["false"]}
    return row_path(here.tree, pd.DataFrame(case), 0)


@word
def each_case_part(here: Here) -> Mapping[str, float]:
    """The parts in which this day ends at leaves, as numbers of their own."""
    ends = [visit for visit in _case(here).visits if visit.ends]
    return {f"part {number}": visit.part for number, visit in enumerate(ends, 1)}


@word
def case_share(here: Here, code: int, words: str = "") -> Derived:
    """The share of a class that the tree predicts for it: Σ part · share, the weights of the leaves cancelling out."""
    ends = [visit for visit in _case(here).visits if visit.ends]
    stats = [here.tree.node(visit.node).stats.tolist() for visit in ends]
    value = sum(visit.part * of[code] / sum(of) for visit, of in zip(ends, stats, strict=True))
    whole, name = sum(map(sum, stats)), str(here.tree.classes[code])
    terms = [ratio(sum(of), whole) * ratio(of[code], sum(of)) for of in stats]
    formula = Formula(Quantity(f"P({name})", rf"P(\text{{{name}}})", total(terms)), value)
    return Derived(value, Derivation((formula,), ((f"P({name})", words),)))


@word
def flow_of_case(here: Here, asks: bool = False) -> WeightFlow:
    """The same day at the leaves, and the predicted shares of the classes."""
    ends = [visit for visit in _case(here).visits if visit.ends]
    whole = amount(sum(visit.weight for visit in ends))
    flow = [
        FlowBranch(
            visit.reached,
            tuple(here.tree.node(visit.node).stats.tolist()),
            message(
                "{fraction} of the row: {part}",
                fraction=f"{amount(visit.weight)}/{whole}",
                part=f"{visit.part:.3f}",
            ),
        )
        for visit in ends
    ]
    mixed = tuple(float(case_share(here, code)) for code in (0, 1))
    return _flow(here, "humidity = ?", flow, asks, classes=tuple(map(str, here.tree.classes)), mixed=mixed)


add(
    # The parts of a row that go down branches with so many known rows, as numbers of their own.
    each_part=lambda here, known: {f"part {number}": part for number, part in enumerate(parts_of_a_row(known), 1)},
    # The mean entropy of these rows after the split.
    entropy_after=lambda here, feature: here.decision.best[feature].weighted_impurity,
    # The weights of the classes at all leaves, as numbers of their own: "leaf 1, Play".
    each_leaf=lambda here: {
        f"leaf {number}, {name}": float(weight)
        for number, leaf in enumerate(_leaves(here.tree), 1)
        for name, weight in zip(here.tree.classes, leaf.stats, strict=True)
    },
)
