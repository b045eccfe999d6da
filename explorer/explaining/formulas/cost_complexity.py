"""The formulas of cost-complexity pruning: R(t), R(T_t) and g(t) of a node (DEFINITIONS section 7)."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from explorer.explaining.formulas.derivation import Derivation, Formula
from explorer.explaining.formulas.expression import Expression, Number, Quantity, Sum, ratio, total
from explorer.explaining.formulas.impurity import below, impurity
from explorer.explaining.formulas.symbols import Pair, counts_text, exactly, remarks_on, word_symbol
from explorer.explaining.node_rule import reached_by
from explorer.formatting import visible
from explorer.messages import message, plural
from explorer.pruning.cost_complexity.fixed_alpha import Step
from explorer.pruning.cost_complexity.path import Path
from explorer.pruning.cost_complexity.risk import node_risk
from explorer.pruning.cost_complexity.weakest_links import links
from explorer.tree.tree import Tree

AS_LEAF, AS_SUBTREE, LEAVES = ("R(t)", "R(t)"), ("R(Tₜ)", "R(T_t)"), ("|Tₜ|", r"\left|T_t\right|")


def parts_below(tree: Tree, node: int, pruned: Collection[int]) -> tuple[list[int], list[int]]:
    """Internal nodes and leaves of the subtree at a node, where the nodes in `pruned` are leaves too."""
    internal_nodes, leaves, waiting = [node], list[int](), list(tree.children_of(node))
    while waiting:
        child = waiting.pop(0)
        if tree.is_leaf[child] or child in pruned:
            leaves.append(child)
        else:
            internal_nodes.append(child)
            waiting.extend(tree.children_of(child))
    return internal_nodes, leaves


def risk_of(tree: Tree, node: int, risk: str) -> Expression:
    """R of a node: its loss as a leaf.

    >>> from explorer import CART, Dataset, grow, load_sample
    >>> tree = grow(Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis"), CART)
    >>> risk_of(tree, 0, "error").written(False, True), risk_of(tree, 0, "impurity").exact
    ('(14 − 9)/14', Fraction(45, 98))
    """
    stats, weight, whole = tree.stats[node].tolist(), float(tree.weight[node]), float(tree.weight[0])
    if weight == 0:
        return Number(0)
    if risk == "error":
        return _leaf_loss(tree, node) / Number(whole)
    node_impurity = impurity(tree.recipe.impurity_for(tree.is_regression), stats, tree.recipe.log_base)
    if risk == "per_node":
        return node_impurity
    if tree.is_regression:
        return ratio(stats[2], whole) if risk == "impurity" else Number(stats[2])
    return (ratio(weight, whole) if risk == "impurity" else Number(weight)) * node_impurity


def _leaf_loss(tree: Tree, node: int) -> Expression:
    """Weight of the misclassified rows, or the cost of the node's prediction."""
    if tree.costs is None:
        return Number(float(tree.weight[node])) - Number(float(tree.stats[node].max()))
    rows, costs = tree.prior_stats[node].tolist(), tree.costs[:, tree.labels[node]].tolist()
    return total([Number(w) * Number(cost) for w, cost in zip(rows, costs, strict=True) if w > 0 and cost > 0])


def risk_below(tree: Tree, node: int, leaves: list[int], risk: str) -> tuple[Quantity, list[Pair]]:
    """R(T_t) as the sum over the leaves with a loss, and a legend of these leaves."""
    risks = node_risk(tree, risk)
    losing = [leaf for leaf in leaves if risks[leaf] > 0]
    terms, legend = list[Expression](), list[Pair]()
    for number, leaf in enumerate(losing, 1):
        name = f"l{below(str(number))}"
        term: Expression = Quantity(f"R({name})", f"R(l_{{{number}}})", risk_of(tree, leaf, risk))
        share = ratio(float(tree.weight[leaf]), float(tree.weight[node]))
        terms.append(share * term if risk == "per_node" else term)
        counts = counts_text(tree, tree.stats[leaf].tolist())
        condition = visible(reached_by(tree, leaf))
        legend.append(
            (name, message("leaf {leaf}, {condition} · {counts}", leaf=leaf, condition=condition, counts=counts))
        )
    if len(losing) < len(leaves):
        without_risk = plural(len(leaves) - len(losing), "{n:,} leaf with R = 0", "{n:,} leaves with R = 0")
        legend.append((message("other leaves"), without_risk))
    return Quantity(*AS_SUBTREE, total(terms)), legend


def link_formula(path: Path, node: int) -> Derivation | None:
    """g(t) of a node just before its own collapse, with R(t) and R(T_t) from the counts; None at a leaf.

    For "per_node" only nodes that collapse have a formula: the loss of the others depends on the nodes above them.

    >>> from explorer import CART, Dataset, cost_complexity_path, grow, load_sample
    >>> data = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> path = cost_complexity_path(grow(data, CART.replace(categorical="one_vs_rest")))
    >>> link_formula(path, 0).result.text
    'g(t) = (R(t) − R(Tₜ))/(|Tₜ| − 1) = (14/14·(1 − (5/14)^2 − (9/14)^2) − (5/14·(1 − (4/5)^2 − (1/5)^2) + \
5/14·(1 − (1/5)^2 − (4/5)^2)))/(3 − 1) = 113/980 ≈ 0.115'
    """
    tree, collapse_position = path.tree, path.collapse_position
    recorded = links(path)
    if collapse_position[node] == 0 or (path.risk == "per_node" and not recorded.leaves_below[node]):
        return None
    earlier = (collapse_position > 0) & (path.collapse_alpha < path.collapse_alpha[node])
    _, leaves = parts_below(tree, node, set(np.flatnonzero(earlier).tolist()))
    as_leaf = Quantity(*AS_LEAF, risk_of(tree, node, path.risk))
    as_subtree, legend = risk_below(tree, node, leaves, path.risk)
    size = Quantity(*LEAVES, Number(len(leaves)))
    strength = (as_leaf - as_subtree) / (size - Number(1))
    is_recorded = bool(recorded.leaves_below[node])
    formulas = (
        Formula(as_leaf, float(recorded.risk[node])),
        Formula(as_subtree, float(recorded.risk_below[node]) if is_recorded else as_subtree.value),
        Formula(size, float(len(leaves))),
        Formula(Quantity("g(t)", "g(t)", strength), float(path.collapse_alpha[node])),
    )
    return Derivation(formulas, (*_legend_of(tree, node), *legend), remarks_on(tree, _counts(tree, node)))


def fixed_alpha_formula(tree: Tree, steps: list[Step], index: int, alpha: float, risk: str) -> Derivation:
    """The two penalised risks compared in a step of pruning with a fixed α: R(t) + α, and R(T_t) + α·|T_t|."""
    step = steps[index]
    _, leaves = parts_below(tree, step.node, {earlier.node for earlier in steps[:index] if earlier.collapsed})
    as_leaf = Quantity(*AS_LEAF, risk_of(tree, step.node, risk))
    as_subtree, legend = risk_below(tree, step.node, leaves, risk)
    size, penalty = Quantity(*LEAVES, Number(len(leaves))), Quantity("α", r"\alpha", Number(alpha))
    penalised = (
        Quantity(*word_symbol(message("as a leaf")), Sum(((1, as_leaf), (1, penalty)))),
        Quantity(*word_symbol(message("as a subtree")), Sum(((1, as_subtree), (1, penalty * size)))),
    )
    formulas = (
        Formula(as_leaf, step.risk),
        Formula(as_subtree, step.risk_below),
        Formula(penalised[0], step.penalised_as_leaf),
        Formula(penalised[1], step.penalised_as_subtree),
    )
    return Derivation(formulas, (*_legend_of(tree, step.node), *legend), remarks_on(tree, _counts(tree, step.node)))


def _legend_of(tree: Tree, node: int) -> list[Pair]:
    counts = counts_text(tree, tree.stats[node].tolist())
    condition = visible(reached_by(tree, node))
    legend = [("t", message("node {node}, {condition} · {counts}", node=node, condition=condition, counts=counts))]
    if tree.costs is not None:
        costs = message("each count times the cost of the node's prediction for rows of that class")
        legend.append((message("costs"), costs))
    return [*legend, (message("all rows"), exactly(float(tree.weight[0])))]


def _counts(tree: Tree, node: int) -> list[float]:
    return [float(tree.weight[node])] if tree.is_regression else tree.stats[node].tolist()
