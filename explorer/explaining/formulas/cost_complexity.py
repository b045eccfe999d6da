"""The formulas of cost-complexity pruning: R(t), R(T_t) and g(t) of a node (DEFINITIONS section 7)."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from explorer.explaining.formulas.derivation import Derivation, Formula
from explorer.explaining.formulas.expression import (
    Expression,
    Number,
    Product,
    Quantity,
    Quotient,
    Sum,
    difference,
    ratio,
    total,
)
from explorer.explaining.formulas.impurity import below, impurity
from explorer.explaining.formulas.symbols import Pair, counts_text, exactly, remarks_on
from explorer.explaining.node_rule import reached_by
from explorer.formatting import visible
from explorer.pruning.cost_complexity.fixed_alpha import Step
from explorer.pruning.cost_complexity.path import Path
from explorer.pruning.cost_complexity.risk import node_risk
from explorer.pruning.cost_complexity.weakest_links import links
from explorer.tree.tree import Tree

AS_LEAF, AS_SUBTREE, LEAVES = ("R(t)", "R(t)"), ("R(Tₜ)", "R(T_t)"), ("|Tₜ|", r"\left|T_t\right|")


def parts_below(tree: Tree, node: int, closed: Collection[int]) -> tuple[list[int], list[int]]:
    """Tests and leaves of the open tree from a node down, with some more nodes closed; the node itself is a test."""
    tests, found, waiting = [node], list[int](), list(tree.children_of(node))
    while waiting:
        child = waiting.pop(0)
        if tree.is_leaf[child] or child in closed:
            found.append(child)
        else:
            tests.append(child)
            waiting.extend(tree.children_of(child))
    return tests, found


def risk_of(tree: Tree, node: int, risk: str) -> Expression:
    """R of one node: what it would lose as a leaf.

    >>> from explorer import CART, Dataset, grow, load_sample
    >>> tree = grow(Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis"), CART)
    >>> risk_of(tree, 0, "error").written(False, True), risk_of(tree, 0, "impurity").exact
    ('(14 − 9)/14', Fraction(45, 98))
    """
    stats, weight, whole = tree.stats[node].tolist(), float(tree.weight[node]), float(tree.weight[0])
    if weight == 0:
        return Number(0)
    if risk == "error":
        return Quotient(_lost(tree, node), Number(whole))
    mixed = impurity(tree.recipe.impurity_for(tree.is_regression), stats, tree.recipe.log_base)
    if risk == "per_node":
        return mixed
    if tree.is_regression:
        return ratio(stats[2], whole) if risk == "impurity" else Number(stats[2])
    return Product((ratio(weight, whole) if risk == "impurity" else Number(weight), mixed))


def _lost(tree: Tree, node: int) -> Expression:
    """Weight of the wrong rows, or the cost of the node's answer."""
    if tree.costs is None:
        return difference(Number(float(tree.weight[node])), Number(float(tree.stats[node].max())))
    rows, label = tree.prior_stats[node].tolist(), int((tree.prior_stats[node] @ tree.costs).argmin())
    prices = tree.costs[:, label].tolist()
    return total(
        [Product((Number(w), Number(cost))) for w, cost in zip(rows, prices, strict=True) if w > 0 and cost > 0]
    )


def risk_below(tree: Tree, node: int, leaves: list[int], risk: str) -> tuple[Quantity, list[Pair]]:
    """R(T_t) as the sum over the leaves that lose something, and what these are."""
    own = node_risk(tree, risk)
    losing = [leaf for leaf in leaves if own[leaf] > 0]
    terms, legend = list[Expression](), list[Pair]()
    for place, leaf in enumerate(losing, 1):
        name = f"l{below(str(place))}"
        term: Expression = Quantity(f"R({name})", f"R(l_{{{place}}})", risk_of(tree, leaf, risk))
        share = ratio(float(tree.weight[leaf]), float(tree.weight[node]))
        terms.append(Product((share, term)) if risk == "per_node" else term)
        legend.append(
            (name, f"leaf {leaf}, {visible(reached_by(tree, leaf))} · {counts_text(tree, tree.stats[leaf].tolist())}")
        )
    if len(losing) < len(leaves):
        legend.append(("other leaves", f"{len(leaves) - len(losing)} that lose nothing"))
    return Quantity(*AS_SUBTREE, total(terms)), legend


def link_formula(path: Path, node: int) -> Derivation | None:
    """g(t) of a node just before it collapses by itself, with R(t) and R(T_t) from the counts; None at a leaf.

    For "per_node" only nodes that come to collapse have one: what others would lose depends on the nodes above them.

    >>> from explorer import CART, Dataset, cost_complexity_path, grow, load_sample
    >>> data = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> path = cost_complexity_path(grow(data, CART.replace(categorical="one_vs_rest")))
    >>> link_formula(path, 0).result.text
    'g(t) = (R(t) − R(Tₜ))/(|Tₜ| − 1) = (14/14·(1 − (5/14)^2 − (9/14)^2) − (5/14·(1 − (4/5)^2 − (1/5)^2) + \
5/14·(1 − (1/5)^2 − (4/5)^2)))/(3 − 1) = 113/980 ≈ 0.115'
    """
    tree, own = path.tree, path.collapse_position
    found = links(path)
    if own[node] == 0 or (path.risk == "per_node" and not found.leaves_below[node]):
        return None
    before = set(np.flatnonzero((own > 0) & (path.collapse_alpha < path.collapse_alpha[node])).tolist())
    _, leaves = parts_below(tree, node, before)
    as_leaf = Quantity(*AS_LEAF, risk_of(tree, node, path.risk))
    as_subtree, legend = risk_below(tree, node, leaves, path.risk)
    size = Quantity(*LEAVES, Number(len(leaves)))
    price = Quotient(difference(as_leaf, as_subtree), difference(size, Number(1)))
    broke = bool(found.leaves_below[node])
    formulas = (
        Formula(as_leaf, float(found.risk[node])),
        Formula(as_subtree, float(found.risk_below[node]) if broke else as_subtree.value),
        Formula(size, float(len(leaves))),
        Formula(Quantity("g(t)", "g(t)", price), float(path.collapse_alpha[node])),
    )
    return Derivation(formulas, (*_legend_of(tree, node), *legend), remarks_on(tree, _counts(tree, node)))


def fixed_alpha_formula(tree: Tree, steps: list[Step], place: int, alpha: float, risk: str) -> Derivation:
    """The two prices compared in one step of pruning with a given α: R(t) + α, and R(T_t) + α·|T_t|."""
    step = steps[place]
    _, leaves = parts_below(tree, step.node, {one.node for one in steps[:place] if one.collapsed})
    as_leaf = Quantity(*AS_LEAF, risk_of(tree, step.node, risk))
    as_subtree, legend = risk_below(tree, step.node, leaves, risk)
    size, price = Quantity(*LEAVES, Number(len(leaves))), Quantity("α", r"\alpha", Number(alpha))
    prices = (
        Quantity("as a leaf", r"\text{as a leaf}", Sum(((1, as_leaf), (1, price)))),
        Quantity("as a subtree", r"\text{as a subtree}", Sum(((1, as_subtree), (1, Product((price, size)))))),
    )
    formulas = (
        Formula(as_leaf, step.risk),
        Formula(as_subtree, step.risk_below),
        Formula(prices[0], step.penalised_as_leaf),
        Formula(prices[1], step.penalised_as_subtree),
    )
    return Derivation(formulas, (*_legend_of(tree, step.node), *legend), remarks_on(tree, _counts(tree, step.node)))


def _legend_of(tree: Tree, node: int) -> list[Pair]:
    counts = counts_text(tree, tree.stats[node].tolist())
    legend = [("t", f"node {node}, {visible(reached_by(tree, node))} · {counts}")]
    if tree.costs is not None:
        legend.append(("costs", "a count times the cost of the node's answer to rows of that class"))
    return [*legend, ("all rows", exactly(float(tree.weight[0])))]


def _counts(tree: Tree, node: int) -> list[float]:
    return [float(tree.weight[node])] if tree.is_regression else tree.stats[node].tolist()
