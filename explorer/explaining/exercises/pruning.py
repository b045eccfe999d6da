"""Exercises on pruning: g(t) of a subtree, and the expected errors of C4.5's pessimistic pruning."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from explorer.data.dataset import Dataset
from explorer.errors import InputError
from explorer.explaining.exercises.exercise import Cell, Exercise, Line, Slip, cell_of, drawn, filled
from explorer.explaining.exercises.splits import count_cell
from explorer.explaining.formulas.cost_complexity import link_formula, parts_below, risk_of
from explorer.explaining.formulas.derivation import Derivation, Formula
from explorer.explaining.formulas.expression import Quantity
from explorer.explaining.formulas.impurity import below
from explorer.explaining.formulas.other_pruning import pessimistic_formula
from explorer.explaining.formulas.symbols import exactly
from explorer.explaining.node_rule import path_words
from explorer.formatting import value_text, visible
from explorer.growing.grow import grow
from explorer.growing.training_rows import wrong_rows
from explorer.messages import message
from explorer.pruning import cost_complexity_path, pessimistic_steps
from explorer.pruning.cost_complexity.path import Path
from explorer.pruning.error_bound import TABLE
from explorer.pruning.pessimistic_step import PessimisticStep
from explorer.recipe.recipe import C45, CART
from explorer.tree.tree import Tree

MOST_LEAVES = 5
CONFIDENCE, LIMIT = 0.25, "release8"
_WILSON = "U = (f + z²/2N + z·√(f·(1 − f)/N + z²/4N²))/(1 + z²/N)"


def weakest_link_exercise(data: Dataset, seed: int) -> Exercise:
    """g(t) of a subtree, the risk being the share of misclassified rows."""
    tree = grow(data, CART.replace(max_depth=3, min_rows_leaf=2))
    path = cost_complexity_path(tree, risk="error")
    node, derivation = _drawn_link(path, seed)
    leaves = _leaves_of(path, node)
    columns = (*(visible(value_text(name)) for name in tree.classes), message("rows"), "R")
    lines = [_leaf_line(tree, node, leaf, number) for number, leaf in enumerate(leaves, 1)]
    as_leaf, as_subtree, size, strength = derivation.formulas
    lines.append(Line(f"t: {_rule(tree, node)}", _risk_cells(tree, node, "t", as_leaf)))
    internal_nodes = len(parts_below(tree, node, set(leaves))[0])
    totals = (
        _below_cell(as_subtree, len(leaves), float(tree.weight[0])),
        _size_cell(size, len(leaves), internal_nodes),
        _strength_cell(strength, as_leaf.value, as_subtree.value, len(leaves), float(tree.weight[0])),
    )
    lines += [
        Line(message("{name}: {value}", name=cell.symbol, value=cell.says), filled([cell], len(columns)))
        for cell in totals
    ]
    task = message(
        "Work out g(t) of the subtree at “{rule}”, R being the share of misclassified rows.",
        rule=_rule(tree, node),
    )
    facts = (message("N = {n} rows in all, {leaves:,} leaves below t.", n=exactly(tree.weight[0]), leaves=len(leaves)),)
    return Exercise("weakest_link", task, data.frame, columns, tuple(lines), facts, derivation.legend)


def _drawn_link(path: Path, seed: int) -> tuple[int, Derivation]:
    """An internal node by seed with few leaves below, rather one where pruning costs something and leaves are mixed."""
    links = [(node, link_formula(path, node)) for node in range(len(path.collapse_position))]
    usable = [(node, found) for node, found in links if found and len(_leaves_of(path, node)) <= MOST_LEAVES]
    costly = [(node, found) for node, found in usable if found.result.value > 0]
    mixed = [(node, found) for node, found in costly if found.formulas[1].value > 0]
    if not usable:
        raise _no_subtree()
    return drawn(mixed or costly or usable, seed)


def _no_subtree() -> InputError:
    return InputError(
        message("The tree of these rows has no subtree to prune by hand. Choose another table or kind of exercise.")
    )


def _leaves_of(path: Path, node: int) -> list[int]:
    """The leaves below a node when it is its turn to be pruned."""
    earlier = (path.collapse_position > 0) & (path.collapse_alpha < path.collapse_alpha[node])
    return parts_below(path.tree, node, set(np.flatnonzero(earlier).tolist()))[1]


def _rule(tree: Tree, node: int, below_node: int = 0) -> str:
    """The conditions from one node to another below it, or "all rows"."""
    words = path_words(tree, node)[len(path_words(tree, below_node)) :]
    return ", ".join(map(visible, words)) or message("all rows")


def _leaf_line(tree: Tree, node: int, leaf: int, number: int) -> Line:
    name = f"l{below(str(number))}"
    quantity = Quantity(f"R({name})", f"R(l_{{{number}}})", risk_of(tree, leaf, "error"))
    return Line(
        message("{name}: {value}", name=name, value=_rule(tree, leaf, node)),
        _risk_cells(tree, leaf, name, Formula(quantity, quantity.value)),
    )


def _risk_cells(tree: Tree, node: int, name: str, formula: Formula) -> tuple[Cell, ...]:
    """The rows of a node by class, all of them, and its risk."""
    stats, rows, whole = tree.stats[node].tolist(), float(tree.weight[node]), float(tree.weight[0])
    counts = [
        count_cell(f"{name} {k}", visible(value_text(label)), name, stats[k]) for k, label in enumerate(tree.classes)
    ]
    counts.append(count_cell(f"{name} n", message("all classes"), name, rows))
    wrong = rows - max(stats)
    slips = [
        Slip("no_division_by_rows", wrong),
        *([Slip("node_denominator", wrong / rows)] if rows else []),
        Slip("right_rows", max(stats) / whole),
    ]
    says = message("risk of {symbol} as a leaf", symbol=name)
    return (*counts, cell_of(formula.quantity, formula.value, says, "R = (n − max nₖ)/N", slips))


def _below_cell(formula: Formula, n_leaves: int, whole: float) -> Cell:
    slips = [Slip("no_division_by_rows", formula.value * whole), Slip("mean_of_leaves", formula.value / n_leaves)]
    return cell_of(formula.quantity, formula.value, message("risk of the subtree"), "R(Tₜ) = Σ R(lᵢ)", slips)


def _size_cell(formula: Formula, n_leaves: int, n_internal: int) -> Cell:
    slips = [Slip("nodes_counted", n_leaves + n_internal), Slip("nodes_counted", n_internal)]
    says = message("number of leaves below t")
    rule = message("|Tₜ| = number of leaves of the subtree")
    return cell_of(formula.quantity, formula.value, says, rule, slips)


def _strength_cell(formula: Formula, as_leaf: float, as_subtree: float, n_leaves: int, whole: float) -> Cell:
    increase = as_leaf - as_subtree
    slips = [
        Slip("leaves_not_less_one", increase / n_leaves),
        Slip("not_per_leaf", increase),
        Slip("no_division_by_rows", formula.value * whole),
        Slip("leaf_risk_only", as_leaf / (n_leaves - 1)),
        Slip("wrong_order", -formula.value),
    ]
    says = message("increase of the risk per leaf saved")
    return cell_of(formula.quantity, formula.value, says, "g(t) = (R(t) − R(Tₜ))/(|Tₜ| − 1)", slips)


def pessimistic_exercise(data: Dataset, seed: int) -> Exercise:
    """C4.5's expected errors of a subtree and of the leaf in its place."""
    tree = grow(data, C45)
    steps = pessimistic_steps(tree, confidence=CONFIDENCE, limit=LIMIT)
    index = _drawn_step(steps, seed)
    derivation = pessimistic_formula(tree, steps, index, CONFIDENCE, LIMIT)
    step = steps[index]
    as_leaf, *leaf_formulas, as_subtree = derivation.formulas
    pruned = {earlier.node for earlier in steps[:index] if earlier.pruned}
    errors, rows = wrong_rows(tree, tree.stats)
    leaves = [leaf for leaf in parts_below(tree, step.node, pruned)[1] if rows[leaf] > 0]
    columns = (message("rows N"), message("errors E"), "N·U(E, N)")
    lines = [
        Line(
            f"l{below(str(number))}: {_rule(tree, leaf, step.node)}",
            _expected_cells(formula, f"l{below(str(number))}", float(errors[leaf]), float(rows[leaf])),
        )
        for number, (leaf, formula) in enumerate(zip(leaves, leaf_formulas, strict=True), 1)
    ]
    lines.append(_subtree_line(as_subtree, [float(errors[leaf]) for leaf in leaves]))
    lines.append(Line(f"t: {_rule(tree, step.node)}", _expected_cells(as_leaf, "t", step.errors, step.rows)))
    task = message(
        "Does C4.5 prune the subtree at “{rule}”? Work out the expected errors of its leaves and of one leaf instead.",
        rule=_rule(tree, step.node),
    )
    return Exercise("pessimistic", task, data.frame, columns, tuple(lines), _pessimistic_facts(), derivation.legend)


def _pessimistic_facts() -> tuple[str, ...]:
    deviate = float(np.interp(CONFIDENCE, *TABLE))
    return (
        message(
            "CF = 25 %, z = {deviate:.4g} (C4.5's table). C4.5 prunes if e(t) ≤ e(Tₜ) + 0.1, e = N·U(E, N).",
            deviate=deviate,
        ),
        message("Without errors: U(0, N) = 1 − CF^(1/N)."),
        message("With errors: {formula}, with {share}.", formula=_WILSON, share="f = (E + ½)/N"),
    )


def _drawn_step(steps: Sequence[PessimisticStep], seed: int) -> int:
    """A step by seed with few leaves below the node."""
    usable = [index for index, step in enumerate(steps) if 2 <= step.leaves_below <= MOST_LEAVES]
    if not usable:
        raise _no_subtree()
    return drawn(usable, seed)


def _expected_cells(formula: Formula, name: str, errors: float, rows: float) -> tuple[Cell, ...]:
    """The rows, the errors seen, and the errors expected."""
    slips = [
        Slip("errors_observed", errors),
        Slip("half_added", errors + 0.5),
        Slip("rate_instead", formula.value / rows),
        *([Slip("no_root", rows * (1 - CONFIDENCE))] if errors == 0 else []),
    ]
    rule = f"e = N·U,  {_WILSON}" if errors else "e = N·U,  U = 1 − CF^(1/N)"
    return (
        count_cell(f"{name} n", message("all classes"), name, rows),
        count_cell(f"{name} e", message("those outside the majority class"), name, errors),
        cell_of(formula.quantity, formula.value, message("expected errors of {symbol}", symbol=name), rule, slips),
    )


def _subtree_line(formula: Formula, errors: Sequence[float]) -> Line:
    slips = [
        Slip("errors_observed", sum(errors)),
        Slip("half_added", sum(errors) + 0.5 * len(errors)),
        Slip("mean_of_leaves", formula.value / len(errors)),
    ]
    says = message("expected errors of the subtree")
    cell = cell_of(formula.quantity, formula.value, says, "e(Tₜ) = Σ e(lᵢ)", slips)
    return Line(message("{name}: {value}", name=cell.symbol, value=says), filled([cell], 3))
