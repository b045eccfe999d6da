"""Pruning by a price α of a leaf, with the links that break, and by the errors that C4.5 expects."""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt

import explorer as ex
from explorer.drawing.pictures.lesson_tree import lesson_tree
from explorer.drawing.pictures.many_trees.small_trees import SmallTree, small_tree
from explorer.drawing.pictures.pruning import cost_complexity as pictures
from explorer.drawing.pictures.pruning.upper_limits import CountedLeaf, ExpectedErrors, UpperLimits
from explorer.explaining import fixed_alpha_formula, link_formula, pessimistic_formula
from explorer.formatting import leaves as leaves_text
from explorer.messages import clauses, message
from explorer.pruning import FixedAlpha, fixed_alpha_trees, upper_error
from explorer.pruning.pessimistic_step import SLACK
from pages.learn.scenes.step import TreePicture
from pages.learn.vocabulary.pruning import exact
from pages.learn.vocabulary.words import Derived, Here, add, word
from pages.results.lessons import pruning, pruning_rules

_CHANGES: Mapping[str, pruning.Changes] = {
    "titanic": (("max_depth", 4), ("min_rows_leaf", 10.0)),
    **dict.fromkeys(("fixed_alpha", "iris", "mammals"), ()),
}
"""Fields of the recipe by table; the trees of other tables ask for one value."""
_MOST_FOR_ALL = 12
"""With more leaves than this, only the lines of the sequence are drawn."""


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


@word
def penalties(
    here: Here,
    price: float | None = None,
    only: tuple[int, ...] = (),
    breaks: tuple[float, ...] = (),
    envelope: bool = True,
) -> pictures.PenaltyLines:
    """The loss of every subtree (with many leaves: of the sequence) as a line over α, which begins at a price.

    `only` has positions in the sequence, `breaks` every α that is written below.
    """
    path = path_of(here)
    shown = {position % len(path) for position in only or range(len(path))}
    sequence = {pruning.pruned_nodes(path, at): at for at in range(len(path)) if at in shown}
    lines = [
        pictures.PenaltyLine(float(path.risks[at]), int(path.n_leaves[at]), pruned, float(path.alphas[at]))
        for pruned, at in sequence.items()
    ]
    if not only and path.n_leaves[0] <= _MOST_FOR_ALL:
        lines += [
            pictures.PenaltyLine(subtree.risk, subtree.leaves, subtree.pruned)
            for subtree in pruning.pruned_subtrees(path.tree, path.risk)
            if subtree.pruned not in sequence
        ]
    return pictures.PenaltyLines(
        says=here.says,
        tree=lesson_tree(path.tree),
        lines=tuple(lines),
        most=float(path.alphas[-1]) * 1.25,
        alpha=sqrt(path.alphas[1] * path.alphas[-1]) if price is None else price,
        breakpoints=tuple(pictures.Breakpoint(value, exact.with_decimals(value)) for value in breaks),
        shows_envelope=envelope and not only,
    )


_LEAVES = tuple(CountedLeaf(f"U(0, {rows})", 0, rows) for rows in (6, 9, 1))
"""Quinlan's three leaves without an error; as one leaf, they have one error in 16 rows."""


def _decided(here: Here, confidence: float = 0.25) -> tuple[ex.Tree, tuple[ex.PessimisticStep, ...], int]:
    """The tree of the table (without one, Quinlan's three leaves), what C4.5 decides, and the first that it prunes."""
    tree = here.tree if here.node else pruning.education_spending()
    steps = tuple(ex.pessimistic_steps(tree, confidence))
    return tree, steps, next((at for at, step in enumerate(steps) if step.node == here.node), 0)


@word
def expected(here: Here, as_leaf: bool = False, confidence: float = 0.25) -> Derived:
    """The errors that C4.5 expects below the node (at the root: in Quinlan's subtree), or with a leaf in its place."""
    tree, steps, at = _decided(here, confidence)
    value = steps[at].upper_as_leaf if as_leaf else steps[at].upper_below
    return Derived(value, pessimistic_formula(tree, steps, at, 0.25, "release8") if confidence == 0.25 else None)


@word
def pessimistic_tree(here: Here, words: str) -> TreePicture:
    """The tree after pessimistic pruning, with words at the nodes that are leaves now."""
    left = ex.pessimistic_prune(here.tree).leaves().tolist()
    nodes = tuple(node for node in left if here.tree.child_count[node])
    return TreePicture(here.tree, here.says, pruned=nodes, marks=dict.fromkeys(nodes, words))


@word
def expected_errors(
    here: Here, asks: bool = False, drags: bool = False, is_pruned: bool = False, confidence: float = 0.25
) -> ExpectedErrors:
    """The expected errors of three leaves, end to end, against those of one leaf."""
    tree = pruning.education_spending()
    return ExpectedErrors(
        says=here.says,
        tree=lesson_tree(tree),
        nodes=tuple(tree.leaves().tolist()),
        leaves=_LEAVES,
        leaf=CountedLeaf("U(1, 16)", 1, 16),
        slack=SLACK,
        asks=asks,
        can_drag=drags,
        is_pruned=is_pruned,
        confidence=confidence,
    )


def _bottom_up(here: Here, risk: str, made: str) -> list[FixedAlpha]:
    """The trees that pruning bottom-up leaves as α grows, of the table or of made-up rows."""
    return fixed_alpha_trees(pruning.not_nested(made) if made else path_of(here).tree, risk)


def _left(here: Here, price: float, risk: str, by_links: bool) -> ex.Tree:
    return path_of(here, risk).subtree(price) if by_links else ex.prune_at_alpha(path_of(here).tree, price, risk)


@word
def small_left(
    here: Here, price: float, key: str, title: str, risk: str = "per_node", by_links: bool = False
) -> SmallTree:
    """What pruning leaves, for a picture of several trees."""
    tree, is_best = _left(here, price, risk, by_links), risk == "impurity"
    return small_tree(tree, key, title, counts=True, note=leaves_text(tree.n_leaves), is_best=is_best)


@word
def root_loss(here: Here, price: float, as_leaf: bool = False) -> Derived:
    """The loss per node of the root's branch, or of a leaf in its place."""
    tree = path_of(here).tree
    steps = ex.fixed_alpha_steps(tree, price, "per_node")
    value = steps[-1].penalised_as_leaf if as_leaf else steps[-1].penalised_as_subtree
    return Derived(value, fixed_alpha_formula(tree, steps, len(steps) - 1, price, "per_node"))


@word
def fixed_rules(
    here: Here, price: float | None = None, both: bool = True, made: str = "", asks: bool = False
) -> pictures.FixedAlphaRules:
    """The trees that are left by the loss per node and by Breiman's, at a price (None: where the second is larger)."""
    titles = {"per_node": message("Loss divided by the node's rows")}
    if both:
        titles["impurity"] = message("Breiman: divided by all rows")
    found = {risk: _bottom_up(here, risk, made) for risk in titles}
    begins = sorted(each.begin for intervals in found.values() for each in intervals[1:])
    first = found["per_node"]
    return pictures.FixedAlphaRules(
        says=here.says,
        tree=lesson_tree(pruning.not_nested(made) if made else path_of(here).tree),
        rules=tuple(pictures.AlphaRule(titles[risk], tuple(map(_interval, found[risk]))) for risk in titles),
        least=0.6 * begins[0],
        most=1.15 * begins[-1],
        alpha=(first[2].begin + first[3].begin) / 2 if price is None else price,
        asks=asks,
    )


def _interval(each: FixedAlpha) -> pictures.AlphaInterval:
    pruned = tuple(node for node in each.tree.leaves().tolist() if each.tree.child_count[node])
    return pictures.AlphaInterval(each.begin, each.n_leaves, pruned, exact.with_decimals(each.begin))


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
    # The upper limit of the error rate of a leaf.
    upper=lambda here, errors, rows, confidence=0.25, limit="release8": float(
        upper_error(errors, rows, confidence, limit)
    ),
    # A number with the derivation of another, which has a line for it.
    derived_as=lambda here, value, like: Derived(value, like.derivation),
    leaves_left=lambda here: ex.pessimistic_prune(here.tree).n_leaves,  # The leaves after pessimistic pruning.
    # The upper limit over the rows of a leaf, a curve each for 0, 1 and 2 errors.
    upper_limits=lambda here, shows=True: UpperLimits(
        says=here.says, leaves=_LEAVES, errors=(0, 1, 2), shows_limits=shows
    ),
    # The α from which pruning bottom-up leaves another tree.
    begin=lambda here, at, risk="per_node", made="": _bottom_up(here, risk, made)[at].begin,
    # All of them, as numbers of their own: "begin 1".
    each_begin=lambda here, risk="per_node", made="": {
        f"begin {k}": each.begin for k, each in enumerate(_bottom_up(here, risk, made))
    },
    # The leaves that pruning at an α leaves, bottom-up or by weakest links.
    left_at=lambda here, price, risk="per_node", by_links=False: _left(here, price, risk, by_links).n_leaves,
)
