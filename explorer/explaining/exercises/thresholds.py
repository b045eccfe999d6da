"""Exercises on a numeric column: the gain of every threshold between two classes, and the squared error of cuts."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from statistics import fmean, median

from explorer.candidates.candidates import Candidate
from explorer.data.dataset import Dataset
from explorer.errors import InputError
from explorer.explaining.exercises.exercise import Cell, Exercise, Line, Slip, cell_of, drawn, filled
from explorer.explaining.exercises.slips import decrease_slips, log_slips
from explorer.explaining.exercises.splits import root_of
from explorer.explaining.formulas.expression import Number, Quantity, Sum, total
from explorer.explaining.formulas.gain import CandidateFormulas
from explorer.explaining.formulas.impurity import below
from explorer.formatting import class_counts, number_text, visible
from explorer.messages import message
from explorer.recipe.recipe import CART, ID3
from explorer.tree.tree import Node

MOST_THRESHOLDS, MOST_CUTS = 6, 3


def threshold_exercise(data: Dataset, seed: int) -> Exercise:
    """The gain of the midpoints at which the class changes, and the best of them."""
    feature = numeric_feature(data, seed)
    tree, decision = root_of(data, ID3.replace(numeric="threshold"))
    candidates = in_order(decision.candidates, feature)
    shown = [each for each in candidates if not _is_between_equals(data, each)][:MOST_THRESHOLDS]
    columns = (message("threshold t"), message("rows ≤ t"), message("rows > t"), message("gain"))
    node = tree.node(0)
    lines = [_threshold_line(data, node, number, each) for number, each in enumerate(shown, 1)]
    best = max(shown, key=lambda each: each.gain)
    says = message("threshold with the largest gain")
    best_cell = _midpoint_cell(data, best, "t*", says)
    lines.append(Line(f"t*: {says}", filled([best_cell, None, None, None], len(columns))))
    task = message(
        "Find the threshold of {feature} with the largest information gain for {target}.",
        feature=visible(feature),
        target=visible(tree.target),
    )
    rows = data.frame[[feature, tree.target]].sort_values(feature, kind="stable")
    facts = (message("Only midpoints between rows of different classes are asked: no other can be best."),)
    return Exercise("threshold", task, rows, columns, tuple(lines), facts)


def numeric_feature(data: Dataset, seed: int) -> str:
    """One of the numeric features by seed; InputError where there is none."""
    names = [feature.name for feature in data.features if feature.type == "numeric"]
    if not names:
        raise InputError(message("This exercise needs a numeric column. Choose another table or kind of exercise."))
    return drawn(names, seed)


def in_order(candidates: Sequence[Candidate], feature: str) -> list[Candidate]:
    """The thresholds of a feature, ascending."""
    own = [each for each in candidates if each.feature == feature and each.condition.threshold is not None]
    return sorted(own, key=lambda each: threshold_of(each))


def threshold_of(candidate: Candidate) -> float:
    """The number t of a split ≤ t."""
    assert candidate.condition.threshold is not None, "the split is a threshold"
    return candidate.condition.threshold


def neighbours(data: Dataset, candidate: Candidate) -> tuple[float, float]:
    """The values next below and next above a threshold."""
    values = data.frame[candidate.feature].astype(float)
    cut = threshold_of(candidate)
    return float(values[values <= cut].max()), float(values[values > cut].min())


def _is_between_equals(data: Dataset, candidate: Candidate) -> bool:
    """Whether all rows next below and next above have one class."""
    values = data.frame[candidate.feature].astype(float)
    return data.frame[data.target.name][values.isin(neighbours(data, candidate))].nunique() == 1


def _midpoint_cell(data: Dataset, candidate: Candidate, symbol: str, says: str) -> Cell:
    low, high = neighbours(data, candidate)
    middle = Sum(((1, Number(low)), (1, Number(high)))) / Number(2)
    slips = [Slip("edge_instead", low), Slip("edge_instead", high)]
    rule = f"{symbol} = (a + b)/2"
    return cell_of(Quantity(symbol, symbol.replace("*", "^*"), middle), threshold_of(candidate), says, rule, slips)


def _threshold_line(data: Dataset, node: Node, number: int, candidate: Candidate) -> Line:
    """The midpoint, the classes on both sides, and the gain."""
    low, high = neighbours(data, candidate)
    label = message("between {low} and {high}", low=number_text(low), high=number_text(high))
    formulas = CandidateFormulas(node, candidate, str(number))
    gain = formulas.information_gain()
    slips = [
        *decrease_slips(candidate.impurities, candidate.weights, node.impurity),
        *log_slips(candidate.gain),
    ]
    classes = [visible(class_counts(stats, node.tree.classes)) for stats in candidate.branch_stats]
    rule = "gain = H(D) − |D₁|/|D|·H(D₁) − |D₂|/|D|·H(D₂)"
    unfolded = Quantity(gain.symbol, gain.latex_symbol, formulas.decrease("entropy"))
    return Line(
        label,
        (
            _midpoint_cell(data, candidate, f"t{below(str(number))}", message("midpoint of the two values")),
            *classes,
            cell_of(unfolded, candidate.gain, message("information gain of the threshold"), rule, slips),
        ),
    )


def squares_exercise(data: Dataset, seed: int) -> Exercise:
    """CART for numbers: means and squared errors of a few cuts, and the best of these."""
    feature = numeric_feature(data, seed)
    tree, decision = root_of(data, CART)
    candidates = in_order(decision.candidates, feature)
    if not candidates:
        raise InputError(message("Column '{column}' has one value only: choose another table.", column=feature))
    chosen = random.Random(seed).sample(candidates, min(MOST_CUTS, len(candidates)))
    shown = sorted(chosen, key=threshold_of)
    columns = ("ȳ₁", "SSE₁", "ȳ₂", "SSE₂", message("sum"))
    lines = [
        Line(visible(each.condition.word(0)), tuple(_cut_cells(data, each, str(i)))) for i, each in enumerate(shown, 1)
    ]
    lines.append(_best_line(shown, len(columns)))
    task = message(
        "Which of these splits on {feature} leaves the least squared error of {target}?",
        feature=visible(feature),
        target=visible(tree.target),
    )
    rows = data.frame[[feature, tree.target]].sort_values(feature, kind="stable")
    legend = (
        ("ȳ₁, ȳ₂", message("mean of the target in the two branches")),
        ("SSE", message("sum of the squared deviations from the mean of the branch")),
    )
    return Exercise("squared_error", task, rows, columns, tuple(lines), legend=legend)


def _best_line(shown: Sequence[Candidate], n_columns: int) -> Line:
    """The threshold with the least squared error; the one with the largest is a slip."""
    best, says = threshold_of(min(shown, key=_squares)), message("threshold with the least squared error")
    slips = [Slip("largest_instead", threshold_of(max(shown, key=_squares)))]
    cell = cell_of(Quantity("t*", "t^*", Number(best)), best, says, "t* = arg min (SSE₁ + SSE₂)", slips)
    return Line(f"t*: {says}", filled([cell], n_columns))


def _squares(candidate: Candidate) -> float:
    return float(candidate.branch_stats[:, 2].sum())


def _cut_cells(data: Dataset, candidate: Candidate, index: str) -> Iterator[Cell]:
    """Mean and squared error of both branches, and the sum of the errors."""
    is_left = data.frame[candidate.feature].astype(float) <= threshold_of(candidate)
    target = data.frame[data.target.name].astype(float)
    sides = [target[is_left].tolist(), target[~is_left].tolist()]
    errors = list[Quantity]()
    for side, values in enumerate(sides):
        name = below(f"{index},{side + 1}")
        _, mean, squares = candidate.branch_stats[side].tolist()
        yield _mean_cell(name, values, mean, sides[1 - side])
        cell = _error_cell(name, values, mean, squares, fmean(target))
        errors.append(cell.formula.quantity if cell.formula else Quantity("", "", Number(0)))
        yield cell
    first, second = (quantity.value for quantity in errors)
    slips = [Slip("one_branch", first), Slip("one_branch", second), Slip("half", (first + second) / 2)]
    slips.append(Slip("variance_instead", (first + second) / len(target)))
    whole = Quantity(f"SSE{below(index)}", f"SSE_{{{index}}}", total(errors))
    yield cell_of(whole, _squares(candidate), message("squared error of the split"), "SSE = SSE₁ + SSE₂", slips)


def _mean_cell(name: str, values: list[float], mean: float, others: list[float]) -> Cell:
    meaning = total([Number(value) for value in values]) / Number(len(values))
    slips = [Slip("median_instead", median(values)), Slip("other_branch", fmean(others))]
    return cell_of(
        Quantity(f"ȳ{name}", rf"\bar{{y}}_{{{name}}}", meaning),
        mean,
        message("mean of the branch"),
        "ȳ = Σ y / n",
        slips,
    )


def _error_cell(name: str, values: list[float], mean: float, squares: float, whole_mean: float) -> Cell:
    """The sum of squared deviations from the mean, as that of the squares less the mean's share."""
    squared = [(Number(value) - Number(mean)) ** Number(2) for value in values]
    slips = [
        Slip("variance_instead", squares / len(values)),
        *([Slip("sample_variance", squares / (len(values) - 1))] if len(values) > 1 else []),
        Slip("absolute_errors", math.fsum(abs(value - mean) for value in values)),
        Slip("whole_mean", math.fsum((value - whole_mean) ** 2 for value in values)),
    ]
    quantity = Quantity(f"SSE{name}", rf"SSE_{{{name}}}", total(squared))
    return cell_of(quantity, squares, message("squared error of the branch"), "SSE = Σ (y − ȳ)²", slips)
