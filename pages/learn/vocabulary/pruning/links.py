"""Pruning by a price α of a leaf, with the links that break."""

from __future__ import annotations

from collections.abc import Mapping

import explorer as ex
from explorer.drawing.pictures.chart import TreePanel, small_tree
from explorer.drawing.pictures.lesson_tree import lesson_tree
from explorer.drawing.pictures.pruning import link_strengths as pictures
from explorer.explaining import fixed_alpha_formula, link_formula
from explorer.formatting import leaves as leaves_text
from explorer.messages import clauses, message
from pages.learn.vocabulary.pruning import exact
from pages.learn.vocabulary.words import Derived, Here, add, word
from pages.results.lessons import pruning, pruning_rules

_CHANGES: Mapping[str, pruning.Changes] = {
    "titanic": (("max_depth", 4), ("min_rows_leaf", 10.0)),
    **dict.fromkeys(("fixed_alpha", "iris", "mammals"), ()),
}
"""Fields of the recipe by table; the trees of other tables ask for one value."""


def path_of(here: Here, risk: str = "impurity") -> ex.Path:
    if here.table == "eleven_rows":
        return pruning_rules.path()
    changes = here.changes or _CHANGES.get(here.table, pruning.ONE_AGAINST_REST)
    return pruning.path(here.table, here.recipe, changes, risk)


def _links(path: ex.Path, position: int) -> dict[int, pruning.Link]:
    return pruning.links(path.tree, pruning.pruned_nodes(path, position))


def _cut(path: ex.Path, position: int) -> list[int]:
    """The nodes that become leaves at this position of the sequence."""
    links = _links(path, position - 1)
    least = min(link.strength for link in links.values())
    return [node for node, link in links.items() if link.strength <= least * (1 + 1e-12)]


@word
def fraction(here: Here, value: float) -> str:
    """A number as a fraction."""
    return exact.fraction(value)


@word
def alpha(here: Here, position: int) -> Derived:
    """The α from which a subtree of the sequence is the cheapest: g(t) of the node that becomes a leaf."""
    path = path_of(here)
    at = position % len(path)
    value = float(path.alphas[at])
    node = next(node for node in pruning.pruned_nodes(path, at) if path.collapse_alpha[node] == value)
    return Derived(value, link_formula(path, node))


@word
def alphas(here: Here) -> tuple[float, ...]:
    """Every α at which the cheapest subtree becomes smaller."""
    return tuple(path_of(here).alphas[1:].tolist())


@word
def each_subtree(here: Here) -> Mapping[str, float]:
    """The α, leaves and risk of every subtree of the sequence, as numbers of their own."""
    path = path_of(here)
    parts = {"alpha": path.alphas, "leaves": path.n_leaves, "risk": path.risks}
    return {f"{name} {k}": float(value) for name, values in parts.items() for k, value in enumerate(values)}


@word
def subtree_rows(here: Here, head: str, below: str) -> str:
    """The same as a table in Markdown, with its head and the text below it."""
    path = path_of(here)
    rows = (
        f"| {exact.with_decimals(alpha) if alpha else '0'} | {leaves} | {exact.with_decimals(risk)} |"
        for alpha, leaves, risk in zip(path.alphas, path.n_leaves, path.risks, strict=True)
    )
    return "\n\n" + "\n".join([head, "|---|---|---|", *rows]) + "\n\n" + below


@word
def subtrees(here: Here, every: bool = False) -> int:
    """How many subtrees the sequence has, or how many there are in all."""
    path = path_of(here)
    return len(pruning.pruned_subtrees(path.tree)) if every else len(path)


@word
def subtree(here: Here, position: int, part: str, risk: str = "impurity") -> float:
    """The alphas, risks or n_leaves of a subtree of the sequence."""
    value: float = getattr(path_of(here, risk), part)[position].item()
    return value


@word
def loss(here: Here, price: float, position: int) -> float:
    """Risk plus α times leaves of a subtree of the sequence."""
    return subtree(here, position, "risks") + price * subtree(here, position, "n_leaves")


@word
def loss_without(here: Here, top: int) -> float:
    """The loss at the first α of the full tree without the branch below a node."""
    link, price = _links(path_of(here), 0)[top], float(alpha(here, 1))
    return loss(here, price, 0) + link.risk - link.risk_below - price * (link.leaves_below - 1)


@word
def rounds(here: Here) -> str:
    """Every α with the leaves that are left, as a list in words."""
    leaves = path_of(here).n_leaves[1:].tolist()
    pairs = zip(map(exact.with_decimals, alphas(here)), map(leaves_text, leaves), strict=True)
    return clauses(message("{alpha}: {leaves}", alpha=value, leaves=left) for value, left in pairs)


@word
def link(here: Here, top: int, part: str = "strength", position: int = 0) -> Derived:
    """g(t) of a node in a subtree of the sequence, or a part of it: risk, risk_below or leaves_below."""
    path = path_of(here)
    return Derived(getattr(_links(path, position)[top], part), link_formula(path, top) if part == "strength" else None)


@word
def links(here: Here, begin: int, moves: bool = False, asks: bool = False) -> pictures.LinkStrengths:
    """The tree with g(t) at every split node, at a position of the sequence."""
    path = path_of(here)
    rounds = tuple(_round(path, position) for position in range(len(path)))
    return pictures.LinkStrengths(
        says=here.says,
        tree=lesson_tree(path.tree),
        rounds=rounds,
        most=max(row.strength for each in rounds for row in each.rows),
        begin=begin,
        can_move=moves,
        asks=asks,
    )


def _round(path: ex.Path, position: int) -> pictures.LinkRound:
    weakest = _cut(path, position + 1) if position + 1 < len(path) else []
    rows = []
    for node, each in _links(path, position).items():
        numbers = (each.risk, each.risk_below, each.leaves_below, each.strength)
        rows.append(pictures.LinkRow(node, *numbers, exact.with_decimals(each.strength), node in weakest))
    return pictures.LinkRound(pruning.pruned_nodes(path, position), int(path.n_leaves[position]), tuple(rows))


def _left(here: Here, price: float, risk: str, by_links: bool) -> ex.Tree:
    return path_of(here, risk).subtree(price) if by_links else ex.prune_at_alpha(path_of(here).tree, price, risk)


@word
def small_left(
    here: Here, price: float, key: str, title: str, risk: str = "per_node", by_links: bool = False
) -> TreePanel:
    """What pruning leaves, for a picture of several trees."""
    tree, is_best = _left(here, price, risk, by_links), risk == "impurity"
    return small_tree(tree, title, note=leaves_text(tree.n_leaves), is_best=is_best)


@word
def root_loss(here: Here, price: float, as_leaf: bool = False) -> Derived:
    """The loss per node of the root's branch, or of a leaf in its place."""
    tree = path_of(here).tree
    steps = ex.fixed_alpha_steps(tree, price, "per_node")
    value = steps[-1].penalised_as_leaf if as_leaf else steps[-1].penalised_as_subtree
    return Derived(value, fixed_alpha_formula(tree, steps, len(steps) - 1, price, "per_node"))


add(
    with_decimals=lambda here, value: exact.with_decimals(value),  # A number as a fraction, and its decimals.
    times=lambda here, first, second: first * second,  # Two numbers multiplied.
    over=lambda here, first, second: first / second,  # The first number divided by the second.
    as_leaves=lambda here, n: leaves_text(n),  # So many leaves in words.
    less=lambda here, first, second: first - second,  # The first number less the second.
    # g(t) of every node, as numbers of their own: "g(t1)".
    each_link=lambda here, position=0: {
        f"g(t{node})": link.strength for node, link in _links(path_of(here), position).items()
    },
    # A number with the derivation of another, which has a line for it.
    derived_as=lambda here, value, like: Derived(value, like.derivation),
    # The leaves that pruning at an α leaves, bottom-up or by weakest links.
    left_at=lambda here, price, risk="per_node", by_links=False: _left(here, price, risk, by_links).n_leaves,
)
