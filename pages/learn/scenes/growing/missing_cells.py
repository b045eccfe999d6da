"""Missing cells: a row without a value goes down every branch, each with a part of its weight."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

import explorer as ex
from explorer.drawing.pictures.row_groups import Division, RowGroup, RowGroups
from explorer.drawing.pictures.weight_flow import FlowBranch, WeightFlow
from explorer.explaining import Derivation, Formula, RowPath, candidate_formulas, missing_formula, row_path
from explorer.explaining.formulas.expression import Number as Whole
from explorer.explaining.formulas.expression import Product, Quantity, ratio, total
from explorer.formatting import amount, class_counts, percent
from explorer.messages import listing, message
from pages.learn.scenes.step import Chosen, Number, Question, Scene, Step, TreePicture
from pages.learn.vocabulary import branches
from pages.results.lessons import trees
from pages.results.lessons.missing_values import parts_of_a_row

_TABLE, _FEATURE = "golf_missing", "outlook"
_QUINLAN = (("min_rows_leaf", 2.0), ("min_rows_in", "two"), ("threshold_at", "c45"))
"""The settings of the worked example: two branches with at least two rows, thresholds from the table."""
_KNOWN = (2, 3, 4)
"""Known rows in the three branches of the first step."""


def steps(chosen: Chosen) -> tuple[Step, ...]:
    """From nine known rows to the prediction of a case without humidity."""
    return _parts(), _gain(), _split_information(), _row(), _leaves(), _case()


def _source() -> str:
    return message("Quinlan, C4.5: Programs for Machine Learning (1993), chapter 3")


def _parts() -> Step:
    parts = parts_of_a_row(_KNOWN)
    names = [f"A = A{branch}" for branch in range(1, len(_KNOWN) + 1)]
    fractions = [f"{rows}/{sum(_KNOWN)}" for rows in _KNOWN]
    flow = WeightFlow(
        says=message("A row with a missing value, divided over three branches."),
        source="A = ?",
        code=-1,
        branches=tuple(FlowBranch(name, (float(rows),)) for name, rows in zip(names, _KNOWN, strict=True)),
        classes=(),
        most=9,
    )
    return Step(
        name="parts",
        title=message("One row, three branches"),
        text=message(
            "Nine rows have a value of A, one has none. C4.5 sends it down all branches, "
            "divided as the known rows are. Move the sliders to change these."
        ),
        picture=flow,
        before=replace(flow, has_parts=False, most=0, state="asked"),
        number=Number(
            message("Part of the row in {branch}", branch=names[-1]),
            parts[-1],
            derivation=Derivation(
                (Formula(Quantity("m₃", "m_3", ratio(_KNOWN[-1], sum(_KNOWN))), parts[-1]),),
                (("m₃", message("known rows of the third branch, out of all known rows")),),
            ),
        ),
        question=Question(
            message("The branches have 2, 3 and 4 known rows. How much of the row goes down the third?"),
            (message("all of it"), "1/3", fractions[-1]),
            (2,),
            message(
                "Four of nine known rows go there; the other branches get {others}.", others=listing(fractions[:2])
            ),
        ),
        numbers={f"part {number}": part for number, part in enumerate(parts, 1)},
        source=_source(),
    )


def _root() -> tuple[ex.Tree, ex.Decision, ex.Candidate]:
    decision = trees.decision(_TABLE, "C4.5", 0, _QUINLAN)
    return trees.grown(_TABLE, "C4.5", _QUINLAN), decision, decision.best[_FEATURE]


def _days(division: Division, says: str, has_shares: bool = False) -> RowGroups:
    data = trees.rows(_TABLE)
    return RowGroups(
        says=says,
        rows=tuple(str(row) for row in range(1, data.n_rows + 1)),
        codes=tuple(data.y.tolist()),
        details=branches.details(data),
        classes=tuple(map(str, data.classes)),
        divisions=(division,),
        has_shares=has_shares,
    )


def _outlook(result: str) -> Division:
    """The branches of outlook and, beside them, the day without a value."""
    data, candidate = trees.rows(_TABLE), _root()[2]
    known = branches.divided(data, candidate, result)
    without = branches.rows_without(data, _FEATURE)
    unknown = RowGroup(message("missing"), without, (branches.counts_text(data, without),))
    return Division(known.name, (*known.groups, unknown), result)


def _gain() -> Step:
    tree, _, outlook = _root()
    derived = candidate_formulas(tree.node(0), outlook)["gain"]
    before, after = derived.formulas[0].value, outlook.weighted_impurity
    n_rows = trees.rows(_TABLE).n_rows
    result = message(
        "gain = {known}/{all} · ({before} − {after}) = {gain} bits",
        known=amount(sum(outlook.weights)),
        all=n_rows,
        before=f"{before:.3f}",
        after=f"{after:.3f}",
        gain=f"{outlook.gain:.3f}",
    )
    says = message("The golf days in the branches of outlook; one day has no value.")
    full = trees.decision("golf", "C4.5").best[_FEATURE].gain
    return Step(
        name="gain",
        title=message("Unknown rows lower the gain"),
        text=message(
            "Day 6 has lost its outlook. Entropy before and after the split is worked out on the 13 known days, "
            "then multiplied by their share."
        ),
        picture=_days(_outlook(result), says),
        before=_days(_outlook(""), says),
        number=Number(message("Gain({feature})", feature=_FEATURE), outlook.gain, derivation=derived),
        question=Question(
            message("With all values known the gain is {gain}. What does one missing value do?", gain=f"{full:.3f}"),
            (message("the gain falls"), message("the gain stays"), message("the gain rises")),
            (0,),
            message("The day lost was an overcast one with Play, and one row in fourteen tells nothing."),
        ),
        numbers={
            "entropy of known rows": before,
            "entropy after the split": after,
            "gain": outlook.gain,
            "gain without missing values": full,
        },
        source=_source(),
    )


def _split_information() -> Step:
    tree, _, outlook = _root()
    other = trees.decision(_TABLE, "C4.5", 0, (*_QUINLAN, ("missing_ratio", "known_rows_only"))).best[_FEATURE]
    result = message(
        "ratio = {gain} / {info} = {ratio}",
        gain=f"{outlook.gain:.3f}",
        info=f"{outlook.split_info:.3f}",
        ratio=f"{outlook.gain_ratio or 0.0:.3f}",
    )
    return Step(
        name="split information",
        title=message("Missing counts as a branch of its own"),
        text=message(
            "For split information the unknown row is a fourth group: 1 of 14. "
            "Some texts leave it out and get the ratio {ratio} from {info} bits.",
            ratio=f"{other.gain_ratio or 0.0:.3f}",
            info=f"{other.split_info:.3f}",
        ),
        picture=_days(
            _outlook(result), message("The shares of the three branches and of the day without a value."), True
        ),
        number=Number(
            message("Gain ratio of {feature}", feature=_FEATURE),
            outlook.gain_ratio or 0.0,
            derivation=Derivation(
                candidate_formulas(tree.node(0), outlook)["gain ratio"].formulas[-3:],
                (("SI(A)", message("split information, “missing” being one more outcome")),),
            ),
        ),
        numbers={
            "split information": outlook.split_info,
            "gain ratio": outlook.gain_ratio or 0.0,
            "split information of known rows": other.split_info,
            "gain ratio of known rows": other.gain_ratio or 0.0,
        },
        source=_source(),
    )


def _row() -> Step:
    tree, decision, outlook = _root()
    data = trees.rows(_TABLE)
    parts = ex.missing_row_branches(tree, data, 0)
    row = branches.rows_without(data, _FEATURE)[0]
    known = int(sum(outlook.weights))
    labels = [str(group[0]) for group in outlook.condition.branches]
    flow = tuple(
        FlowBranch(
            f"{_FEATURE} = {label}",
            tuple(outlook.branch_stats[branch].tolist()),
            message(
                "{weight} + {fraction} = {sum} rows",
                weight=amount(outlook.weights[branch]),
                fraction=f"{outlook.weights[branch]:.0f}/{known}",
                sum=amount(outlook.weights[branch] + parts[branch]),
            ),
        )
        for branch, label in enumerate(labels)
    )
    picture = WeightFlow(
        says=message("Day 6 goes down all three branches of outlook."),
        source=message("day {n}", n=row + 1),
        code=int(data.y[row]),
        branches=flow,
        classes=tuple(map(str, data.classes)),
    )
    return Step(
        name="row 6",
        title=message("Day 6 goes everywhere"),
        text=message(
            "The tree below outlook is grown with weights: day 6 is in all three branches. "
            "Together its parts weigh one day."
        ),
        picture=picture,
        before=replace(picture, has_parts=False, state="asked"),
        number=Number(
            message("Part of day 6 in {branch}", branch=labels[0]),
            parts[0],
            derivation=missing_formula(tree.node(0), decision, parts),
        ),
        question=Question(
            message("Sunny and rain have 5 known days each, overcast 3. Which part goes to overcast?"),
            ("1/3", f"3/{known}", "0"),
            (1,),
            message("3 of the {n} known days are overcast.", n=known),
        ),
        numbers=dict(zip(labels, parts, strict=True)),
        source=_source(),
    )


def _leaves() -> Step:
    tree = _root()[0]
    leaves = [tree.node(node) for node in tree.preorder() if tree.node(node).is_leaf]
    overcast = int(tree.children_of(0)[1])
    return Step(
        name="leaves",
        title=message("Leaves with fractions of a day"),
        text=message(
            "Quinlan prints such leaves as Play (3.2) or Don’t Play (3.4/0.4): weight of the leaf / weight of the "
            "other class. The parts of day 6 are these fractions."
        ),
        picture=TreePicture(
            tree,
            message("The tree of the golf table with one missing value."),
            marks={node.id: class_counts(node.stats, tree.classes) for node in leaves},
        ),
        number=Number(
            message("Weight of the leaf {leaf}", leaf=f"{_FEATURE} = overcast"),
            tree.node(overcast).weight,
            derivation=Derivation(
                (Formula(Quantity("W", "W", total([Whole(3), ratio(3, 13)])), tree.node(overcast).weight),),
                (("W", message("three known days and a part of day 6")),),
            ),
        ),
        numbers={
            f"leaf {number}, {name}": float(weight)
            for number, node in enumerate(leaves, 1)
            for name, weight in zip(tree.classes, node.stats, strict=True)
        },
        source=_source(),
    )


def _path() -> RowPath:
    """A sunny day with a light wind whose humidity is not known, as the tree predicts it."""
    case = {"outlook": ["sunny"], "temperature": [70], "humidity": [np.nan], "windy": ["false"]}
    return row_path(trees.grown(_TABLE, "C4.5", _QUINLAN), pd.DataFrame(case), 0)


def _case() -> Step:
    tree = _root()[0]
    ends = [visit for visit in _path().visits if visit.ends]
    stats = [tuple(tree.node(visit.node).stats.tolist()) for visit in ends]
    weight = sum(visit.weight for visit in ends)
    mixed = [sum(visit.part * of[code] / sum(of) for visit, of in zip(ends, stats, strict=True)) for code in (0, 1)]
    flow = tuple(
        FlowBranch(visit.reached, of, _part_text(visit.weight, weight, visit.part))
        for visit, of in zip(ends, stats, strict=True)
    )
    classes = tuple(map(str, tree.classes))
    picture = WeightFlow(
        says=message("A case without humidity goes to two leaves, and its prediction mixes them."),
        source="humidity = ?",
        code=-1,
        branches=flow,
        classes=classes,
        mixed=tuple(mixed),
        mixed_texts=tuple(f"{name} {percent(share)}" for name, share in zip(classes, mixed, strict=True)),
    )
    return Step(
        name="prediction",
        title=message("A new day without humidity"),
        text=message(
            "A sunny day of unknown humidity goes down both branches, by their training weights. "
            "The prediction is the mean of the two leaves, weighted by these parts."
        ),
        picture=picture,
        before=replace(picture, has_parts=False, mixed=(), mixed_texts=(), state="asked"),
        number=Number("P(Play)", mixed[0], derivation=_mixed_derived(stats, mixed[0])),
        question=Question(
            message("Which class does the tree predict?"),
            classes,
            (classes.index(str(_path().prediction)),),
            message("More of the case goes to the leaf where most days have Don’t Play."),
        ),
        numbers={"P(Play)": mixed[0], "P(Don't Play)": mixed[1]}
        | {f"part {number}": visit.part for number, visit in enumerate(ends, 1)},
        source=_source(),
    )


def _part_text(weight: float, whole: float, part: float) -> str:
    return message("{fraction} of the row: {part}", fraction=f"{amount(weight)}/{amount(whole)}", part=f"{part:.3f}")


def _mixed_derived(stats: Sequence[tuple[float, ...]], value: float) -> Derivation:
    """Σ part · share of Play, by the leaves' weights: the weights of the leaves cancel out."""
    whole = sum(map(sum, stats))
    terms = [Product((ratio(sum(of), whole), ratio(of[0], sum(of)))) for of in stats]
    return Derivation(
        (Formula(Quantity("P(Play)", r"P(\text{Play})", total(terms)), value),),
        (("P(Play)", message("part of the case in each leaf times the share of Play there")),),
    )


SCENE = Scene(
    name="missing_cells",
    title=lambda: message("Missing values"),
    asks=lambda: message("Where does a row go whose value is missing?"),
    minutes=4,
    steps=steps,
    sample=_TABLE,
    recipe="C4.5",
)
