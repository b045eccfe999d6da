"""Description lengths (MDL) as formulas: bits for a tree and for its exceptions (DEFINITIONS section 7)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from explorer.data.dataset import Dataset
from explorer.explaining.formulas.cost_complexity import parts_below
from explorer.explaining.formulas.derivation import Derivation, Formula
from explorer.explaining.formulas.expression import Call, Expression, Number, Quantity, Sum, total
from explorer.explaining.formulas.other_pruning import but_for_rounding, wrong_of
from explorer.explaining.formulas.symbols import Pair
from explorer.growing.decide import Decision
from explorer.growing.description_length import description_bits
from explorer.growing.training_rows import wrong_rows
from explorer.messages import message
from explorer.pruning.mdl import MdlStep
from explorer.tree.tree import Node, Tree

DescriptionPart = tuple[Expression, float]
"""A part of a description as an expression, and its recorded bits."""
_ONE = Number(1)


def mdl_formula(tree: Tree, steps: Sequence[MdlStep], index: int, train: Dataset | None = None) -> Derivation:
    """Bits for the tree and bits for the exceptions, with a leaf and with the subtree."""
    step, bits = steps[index], description_bits(tree, train)
    pruned = {earlier.node for earlier in steps[:index] if earlier.pruned}
    internal_nodes, leaves = parts_below(tree, step.node, pruned)
    errors, rows = wrong_rows(tree, tree.stats)
    label = Call("log2", (Number(len(tree.classes)),))

    def exceptions(node: int) -> Expression:
        wrong = but_for_rounding(float(errors[node]), float(rows[node]))
        return _exceptions(wrong, float(rows[node]), len(tree.classes))

    leaf_bits = Sum(((1, _ONE), (1, label)))
    below_it = total(
        [
            *(_test_bits(float(bits.features[node]), float(bits.which[node])) for node in internal_nodes),
            Number(len(leaves)) * leaf_bits,
        ]
    )
    as_leaf = (leaf_bits, step.tree_bits_as_leaf), (exceptions(step.node), step.exception_bits_as_leaf)
    wrong = total([exceptions(leaf) for leaf in leaves])
    formulas = [
        *_both_parts(_of_leaf(), *as_leaf, step.bits_as_leaf),
        *_both_parts(
            _of_subtree(), (below_it, step.tree_bits_below), (wrong, step.exception_bits_below), step.bits_below
        ),
    ]
    return Derivation(tuple(formulas), _mdl_legend(tree, step.node, step.errors, step.rows))


def split_bits_formula(node: Node, decision: Decision) -> Derivation | None:
    """Bits of a node as a leaf, and with the split of its decision and leaves below it; None without a split."""
    bits, observed = decision.bits, decision.chi2.observed if decision.chi2 is not None else None
    if bits is None or observed is None:
        return None
    tree, factors = node.tree, node.tree.class_factors
    branches = observed if factors is None else observed * factors
    errors, rows = (side.tolist() for side in wrong_rows(tree, np.vstack([node.stats, branches])))
    wrong = [_exceptions(but_for_rounding(e, n), n, len(tree.classes)) for e, n in zip(errors, rows, strict=True)]
    leaf_bits = Sum(((1, _ONE), (1, Call("log2", (Number(len(tree.classes)),)))))
    with_split = Sum(((1, _test_bits(bits.features, bits.which)), (1, Number(len(branches)) * leaf_bits)))
    below_it = (with_split, bits.tree_as_split), (total(wrong[1:]), bits.exceptions_as_split)
    formulas = [
        *_both_parts(_of_leaf(), (leaf_bits, bits.tree_as_leaf), (wrong[0], bits.exceptions_as_leaf), bits.as_leaf),
        *_both_parts(_of_split(), *below_it, bits.as_split),
    ]
    return Derivation(tuple(formulas), _mdl_legend(tree, node.id, errors[0], rows[0]))


Names = tuple[str, str, str]
"""What bits are for: the tree, the exceptions, and both."""


def _of_leaf() -> Names:
    return message("tree, leaf"), message("exceptions, leaf"), message("leaf")


def _of_subtree() -> Names:
    return message("tree, subtree"), message("exceptions, subtree"), message("subtree")


def _of_split() -> Names:
    return message("tree, split"), message("exceptions, split"), message("split")


def _both_parts(names: Names, tree_bits: DescriptionPart, exceptions: DescriptionPart, both: float) -> list[Formula]:
    """Bits for the tree, for the exceptions, and together."""
    parts = [
        Formula(_bits_of(name, meaning), value)
        for name, (meaning, value) in zip(names[:2], (tree_bits, exceptions), strict=True)
    ]
    return [*parts, Formula(_bits_of(names[2], total([part.quantity for part in parts])), both)]


def _bits_of(name: str, meaning: Expression) -> Quantity:
    bits = message("bits")
    return Quantity(f"{bits}[{name}]", rf"\text{{{bits}}}_{{\text{{{name}}}}}", meaning)


def _mdl_legend(tree: Tree, node: int, errors: float, rows: float) -> tuple[Pair, ...]:
    wrong = wrong_of(errors, rows, tree.counts_rows)
    return (
        ("t", message("node {node} as a leaf: {errors}", node=node, errors=wrong)),
        (message("bits of a split"), message("1 + log2(candidate features) + log2(candidate splits of the feature)")),
        (message("bits of a leaf"), message("1 + log2(classes)")),
        (
            message("bits of exceptions"),
            message(
                "log2(N + 1) + log2 C(N; E) + E·log2(classes − 1): the number of misclassified rows E among N rows, "
                "which rows, and their classes"
            ),
        ),
    )


def _test_bits(features: float, which: float) -> Expression:
    """1 + log2(features) + log2(tests of the feature), `which` being the last term."""
    offered: Expression = Number(round(2.0**which, 9)) if which < 50 else Number(0)
    if which >= 50:
        offered = Number(2) ** Number(round(which) + 1) - _ONE
    logs = [Call("log2", (Number(features),)), Call("log2", (offered,))]
    return Sum(((1, _ONE), *((1, logarithm) for logarithm in logs)))


def _exceptions(errors: float, rows: float, classes: int) -> Expression:
    """log2(N + 1) + log2 C(N, E) + E·log2(K − 1)."""
    terms: list[Expression] = [Call("log2", (Sum(((1, Number(rows)), (1, _ONE))),))]
    if errors > 0:
        terms.append(Call("log2_choose", (Number(rows), Number(errors))))
        terms.append(Number(errors) * Call("log2", (Number(classes) - _ONE,)))
    return total(terms)
