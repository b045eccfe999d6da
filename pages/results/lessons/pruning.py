"""Pruned subtrees of small trees, their risks, and the link strength of every node in them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import pandas as pd

import explorer as ex
from explorer.pruning import node_risk
from pages.results.cache import kept
from pages.results.lessons import trees

Changes = tuple[tuple[str, object], ...]
ONE_AGAINST_REST: Changes = (("categorical", "one_vs_rest"),)


@dataclass(frozen=True)
class PrunedSubtree:
    """A pruned subtree: its risk R(T), its leaves |T|, and the nodes whose branches are pruned."""

    risk: float
    leaves: int
    pruned: tuple[int, ...]


@dataclass(frozen=True)
class Link:
    """A split node in a pruned tree: R(t), R(T_t), |T_t|, and g(t) = (R(t) − R(T_t)) / (|T_t| − 1)."""

    risk: float
    risk_below: float
    leaves_below: int

    @property
    def strength(self) -> float:
        """g(t), the α at which the node costs as much as its branch."""
        return (self.risk - self.risk_below) / (self.leaves_below - 1)


@kept()
def path(sample: str, recipe: str, changes: Changes = (), risk: str = "impurity") -> ex.Path:
    """The subtree sequence of a tree grown on a built-in table."""
    return ex.cost_complexity_path(trees.grown(sample, recipe, changes), risk)


def pruned_subtrees(tree: ex.Tree, risk: str = "impurity") -> list[PrunedSubtree]:
    """Every pruned subtree of a tree with few nodes, the tree itself first and its root alone last."""
    own = node_risk(tree, risk)

    def below(node: int) -> list[PrunedSubtree]:
        leaf = PrunedSubtree(float(own[node]), 1, (node,) if tree.child_count[node] else ())
        if not tree.child_count[node]:
            return [leaf]
        branches = [below(child) for child in tree.children_of(node)]
        return [*(_joined(parts) for parts in product(*branches)), leaf]

    return below(0)


def _joined(parts: tuple[PrunedSubtree, ...]) -> PrunedSubtree:
    return PrunedSubtree(
        sum(part.risk for part in parts),
        sum(part.leaves for part in parts),
        tuple(sorted(node for part in parts for node in part.pruned)),
    )


def pruned_nodes(path: ex.Path, position: int) -> tuple[int, ...]:
    """The nodes whose branches are pruned in a subtree of the sequence."""
    tree = path.subtree(position=position)
    return tuple(node for node in tree.leaves().tolist() if tree.child_count[node])


def links(tree: ex.Tree, pruned: tuple[int, ...], risk: str = "impurity") -> dict[int, Link]:
    """Every split node of the tree with these nodes pruned, from the root down."""
    own = node_risk(tree, risk)
    found: dict[int, Link] = {}

    def below(node: int) -> tuple[float, int]:
        if node in pruned or not tree.child_count[node]:
            return float(own[node]), 1
        parts = [below(child) for child in tree.children_of(node)]
        total, leaves = sum(part[0] for part in parts), sum(part[1] for part in parts)
        found[node] = Link(float(own[node]), total, leaves)
        return total, leaves

    below(0)
    return dict(sorted(found.items()))


@kept()
def education_spending() -> ex.Tree:
    """A subtree of the voting records in Quinlan (1993), section 4.2: three pure leaves of 6, 9 and 1 rows."""
    votes = [("no", 6, "democrat"), ("yes", 9, "democrat"), ("unknown", 1, "republican")]
    rows = [(vote, party) for vote, n, party in votes for _ in range(n)]
    frame = pd.DataFrame(rows, columns=["education spending", "party"])
    return ex.grow(ex.Dataset.from_frame(frame, "party"), ex.C45)


NOT_NESTED: dict[str, tuple[tuple[tuple[str, int], ...], str]] = {
    "4 rows": ((("00 1", 1), ("00 0", 1), ("01 0", 1), ("11 1", 1)), "entropy"),
    "13 rows": ((("000 1", 6), ("001 0", 4), ("100 1", 2), ("110 0", 1)), "entropy"),
}
"""Made-up rows on which the loss per node is not nested: values of A, B (and C) and the class, how often; impurity."""


@kept()
def not_nested(table: str) -> ex.Tree:
    """The tree of nine rows (the built-in table fixed_alpha, by Gini), or of one of the tables `NOT_NESTED`."""
    if table not in NOT_NESTED:
        return trees.grown("fixed_alpha", "CART")
    rows, impurity = NOT_NESTED[table]
    cells = [[*values.replace(" ", "")] for values, n in rows for _ in range(n)]
    names = [*"ABC"[: len(cells[0]) - 1], "y"]
    data = ex.Dataset.from_frame(pd.DataFrame(cells, columns=names), "y", kinds=dict.fromkeys(names, "categorical"))
    return ex.grow(data, ex.CART.replace(impurity=impurity, min_score=1e-9))
