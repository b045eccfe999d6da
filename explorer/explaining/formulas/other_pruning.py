"""The formulas of each step of reduced error and pessimistic pruning (DEFINITIONS section 7)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from explorer.explaining.formulas.cost_complexity import parts_below
from explorer.explaining.formulas.derivation import Derivation, Formula
from explorer.explaining.formulas.expression import Call, Expression, Number, Quantity, Sum, difference, ratio, total
from explorer.explaining.formulas.impurity import below, squared
from explorer.explaining.formulas.symbols import Pair, exactly, word_symbol
from explorer.explaining.node_rule import reached_by
from explorer.formatting import visible
from explorer.growing.training_rows import wrong_rows
from explorer.messages import message, plural
from explorer.pruning.error_bound import TABLE, normal_deviate, upper_errors
from explorer.pruning.pessimistic_step import PessimisticStep
from explorer.pruning.reduced_error import ReducedErrorStep
from explorer.tree.tree import Tree

_ONE = Number(1)


def reduced_error_formula(step: ReducedErrorStep) -> Derivation:
    """Validation loss with a leaf and with the subtree, and the score of the whole tree before and after."""
    rows, whole = Number(step.all_rows), Quantity("L(T)", "L(T)", Number(step.loss_of_tree))
    as_leaf = Quantity("L(t)", "L(t)", Number(step.loss_as_leaf))
    as_subtree = Quantity("L(Tₜ)", "L(T_t)", Number(step.loss_below))
    after = Sum(((1, whole), (-1, as_subtree), (1, as_leaf)))
    scores = [whole / rows, after / rows]
    measured = [
        Quantity(*word_symbol(name), share if step.is_regression else _ONE - share)
        for name, share in zip(_score_names(step.is_regression), scores, strict=True)
    ]
    saved = Quantity(*word_symbol(message("saved")), as_subtree - as_leaf)
    formulas = (
        Formula(saved, step.loss_below - step.loss_as_leaf),
        Formula(measured[0], step.before),
        Formula(measured[1], step.after),
    )
    return Derivation(formulas, _reduced_error_legend(step))


def _score_names(is_regression: bool) -> tuple[str, str]:
    """The names of the scores before and after a step."""
    if is_regression:
        return message("MSE before"), message("MSE after")
    return message("accuracy before"), message("accuracy after")


def _reduced_error_legend(step: ReducedErrorStep) -> tuple[Pair, ...]:
    loss = (
        message(
            "sum of squared errors on the validation set: L(t) as a leaf, L(Tₜ) as a subtree, "
            "L(T) of the whole tree before"
        )
        if step.is_regression
        else message(
            "weight of misclassified validation rows: L(t) as a leaf, L(Tₜ) as a subtree, L(T) of the whole tree before"
        )
    )
    reached = {"node": step.node, "rows": exactly(step.rows), "all_rows": exactly(step.all_rows)}
    if step.counts_rows:
        node = message("node {node}, reached by {rows} of {all_rows} validation rows", **reached)
    else:
        node = message("node {node}, reached by weight {rows} of the validation rows' {all_rows}", **reached)
    return ("t", node), ("L", loss)


def expected_errors(errors: float, rows: float, confidence: float, limit: str) -> Expression:
    """N·U(E, N) of a leaf, by one of the three limits; a rate outside [E/N, 1] is clipped to that interval.

    >>> expected_errors(0, 6, 0.25, "release8").written(False, True)
    '6·(1 − 0.25^(1/6))'
    >>> round(expected_errors(1, 16, 0.25, "release8").value, 3)
    2.507
    """
    if rows <= 0:
        return Number(0)
    errors = but_for_rounding(errors, rows)
    unclipped = _unclipped(errors, rows, confidence, limit)
    expected = float(upper_errors(np.array([errors]), np.array([rows]), confidence, limit)[0])
    if abs(unclipped.value - expected) > 1e-9 * expected:
        return Number(rows) * ratio(expected, rows)
    return unclipped


def but_for_rounding(errors: float, rows: float) -> float:
    """The errors, or 0 where they are only the rounding error of a sum of fractional weights."""
    return errors if errors > 1e-12 * rows else 0.0


def _unclipped(errors: float, rows: float, confidence: float, limit: str) -> Expression:
    if limit == "binomial":
        return _by_beta(errors, rows, confidence)
    deviate = _deviate(confidence, limit)
    power = Number(confidence) ** ratio(1, rows)
    without_errors = Number(rows) * (_ONE - power)
    if errors == 0:
        return without_errors
    if errors < (0.9999 if limit == "release8" else 1.0):
        added_per_error = difference(_normal(1.0, rows, deviate, limit), _ONE, without_errors)
        return Sum(((1, Number(errors)), (1, without_errors), (1, Number(errors) * added_per_error)))
    return _normal(errors, rows, deviate, limit)


def _by_beta(errors: float, rows: float, confidence: float) -> Expression:
    """The definition itself: the 1 − CF quantile of a Beta distribution."""
    if errors >= rows:
        return Number(rows)
    shape = Number(errors + 1.0), Number(rows - errors)
    return Number(rows) * Call("beta_quantile", (Number(1.0 - confidence), *shape))


def _normal(errors: float, rows: float, deviate: float, limit: str) -> Expression:
    """Wilson's upper limit around (E + ½)/N, times N; where E + ½ reaches N, a share of the rest."""
    if errors + 0.5 >= rows:
        rest = Number(max(rows - errors, 0.0) if limit == "normal" else rows - errors)
        added: Expression = rest if limit == "normal" else Number(0.67) * rest
        return Sum(((1, Number(errors)), (1, added)))
    z, n, share = Quantity("z", "z", Number(deviate)), Number(rows), ratio(errors + 0.5, rows)
    middle = squared(z) / (Number(2) * n)
    within = Sum(
        (
            (1, share * (_ONE - share) / n),
            (1, squared(z) / (Number(4) * squared(n))),
        )
    )
    top = Sum(((1, share), (1, middle), (1, z * Call("sqrt", (within,)))))
    return n * (top / Sum(((1, _ONE), (1, squared(z) / n))))


def pessimistic_formula(
    tree: Tree, steps: Sequence[PessimisticStep], index: int, confidence: float, limit: str
) -> Derivation:
    """Expected errors with a leaf and, unless subtree raising has moved rows, with the leaves of the subtree."""
    step = steps[index]
    as_leaf = Quantity("e(t)", "e(t)", expected_errors(step.errors, step.rows, confidence, limit))
    formulas, wrong = [Formula(as_leaf, step.upper_as_leaf)], wrong_of(step.errors, step.rows, tree.counts_rows)
    legend: list[Pair] = [
        ("t", message("node {node} as a leaf: {errors}", node=step.node, errors=wrong)),
        (
            "e",
            message(
                "expected errors: rows times the upper confidence limit of the error rate, N·U(E, N); "
                "prune if e(t) ≤ e(Tₜ) + 0.1"
            ),
        ),
        (exactly(confidence), message("confidence factor CF")),
    ]
    if step.upper_raised is None:
        _, leaves = parts_below(tree, step.node, {earlier.node for earlier in steps[:index] if earlier.pruned})
        leaf_formulas = _leaf_formulas(tree, leaves, confidence, limit)
        formulas += [formula for formula, _ in leaf_formulas]
        terms = [formula.quantity for formula, _ in leaf_formulas]
        formulas.append(Formula(Quantity("e(Tₜ)", "e(T_t)", total(terms)), step.upper_below))
        legend += [pair for _, pair in leaf_formulas]
    if any("z" in formula.quantity.meaning.written(False, False) for formula in formulas):
        legend.append(("z", _deviate_words(confidence, limit)))
    return Derivation(tuple(formulas), tuple(legend))


def _deviate_words(confidence: float, limit: str) -> str:
    """The source of the deviate for the confidence."""
    deviate, factor = _deviate(confidence, limit), exactly(confidence)
    if limit == "release8":
        return message("{deviate:.4g}, the deviate for CF = {factor} from C4.5's table", deviate=deviate, factor=factor)
    return message(
        "{deviate:.4g}, the deviate for CF = {factor} of the normal distribution", deviate=deviate, factor=factor
    )


def _deviate(confidence: float, limit: str) -> float:
    return float(np.interp(confidence, *TABLE)) if limit == "release8" else normal_deviate(confidence)


def _leaf_formulas(tree: Tree, leaves: list[int], confidence: float, limit: str) -> list[tuple[Formula, Pair]]:
    """The expected errors of every leaf with rows, and the legend of the leaf."""
    errors, rows = wrong_rows(tree, tree.stats)
    upper, formulas = upper_errors(errors, rows, confidence, limit), list[tuple[Formula, Pair]]()
    for leaf in leaves:
        if rows[leaf] > 0:
            number, counts = len(formulas) + 1, (float(errors[leaf]), float(rows[leaf]))
            meaning = expected_errors(*counts, confidence, limit)
            quantity = Quantity(f"e(l{below(str(number))})", f"e(l_{{{number}}})", meaning)
            formulas.append((Formula(quantity, float(upper[leaf])), _leaf_pair(tree, number, leaf, *counts)))
    return formulas


def _leaf_pair(tree: Tree, number: int, leaf: int, errors: float, rows: float) -> Pair:
    counts = wrong_of(errors, rows, tree.counts_rows)
    condition = visible(reached_by(tree, leaf))
    words = message("leaf {leaf}, {condition} · {counts}", leaf=leaf, condition=condition, counts=counts)
    return f"l{below(str(number))}", words


def wrong_of(errors: float, rows: float, counts_rows: bool) -> str:
    """The text for errors and rows, or their weights."""
    wrong = exactly(but_for_rounding(errors, rows))
    if not counts_rows:
        return message("{errors} of weight {rows} misclassified", errors=wrong, rows=exactly(rows))
    return plural(
        rows,
        "{errors} of {rows} row misclassified",
        "{errors} of {rows} rows misclassified",
        errors=wrong,
        rows=exactly(rows),
    )
