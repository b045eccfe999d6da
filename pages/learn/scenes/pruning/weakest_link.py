"""The weakest link: g(t) of every split node, the least cut, the others worked out again, down to the root."""

from __future__ import annotations

import explorer as ex
from explorer.drawing.pictures.pruning.cost_complexity import LinkRound, LinkRow, LinkStrengths
from explorer.drawing.pictures.pruning.lesson_tree import lesson_tree
from explorer.explaining import link_formula
from explorer.messages import clauses, message, plural
from pages.learn.scenes.pruning.exact import fraction, with_decimals
from pages.learn.scenes.step import Chosen, Number, Question, Scene, Step
from pages.results.lessons import pruning

_TABLE, _RECIPE = "loan_a1a2a3", "CART"


def steps(chosen: Chosen) -> tuple[Step, ...]:
    """The rounds of the loan table, why the least link goes first, and two links that go together."""
    path = pruning.path(_TABLE, _RECIPE, pruning.ONE_AGAINST_REST)
    tied = pruning.path("play_tennis", _RECIPE, pruning.ONE_AGAINST_REST)
    return _first(path), _again(path), _smallest_first(path), _to_the_root(path), _ties(tied)


def _book() -> str:
    return message("Breiman et al. (1984), chapter 3; Li Hang, 统计学习方法, algorithm 5.7")


def _cut(path: ex.Path, position: int) -> list[int]:
    """The nodes that become leaves at this position of the sequence."""
    links = pruning.links(path.tree, pruning.pruned_nodes(path, position - 1))
    least = min(link.strength for link in links.values())
    return [node for node, link in links.items() if link.strength <= least * (1 + 1e-12)]


def _numbers(path: ex.Path, position: int) -> dict[str, float]:
    links = pruning.links(path.tree, pruning.pruned_nodes(path, position))
    return {f"g(t{node})": link.strength for node, link in links.items()}


def _first(path: ex.Path) -> Step:
    links, cut = pruning.links(path.tree, ()), _cut(path, 1)[0]
    nodes = list(links)
    link = links[cut]
    return Step(
        name="first link",
        title=message("g(t): the price of a branch"),
        text=message(
            "g(t) is how much risk the branch below t saves, per leaf that it adds. It is the α at which node t is "
            "worth no more leaves."
        ),
        picture=_links(path, 0),
        before=_links(path, 0, asks=True),
        question=Question(
            message("Pick nodes and work out their g(t). Which is the weakest link?"),
            tuple(f"t{node}" for node in nodes),
            (nodes.index(cut),),
            message(
                "g(t{node}) = ({risk} − {below}) / ({leaves} − 1) = {strength}, the least of all.",
                node=cut,
                risk=fraction(link.risk),
                below=fraction(link.risk_below),
                leaves=link.leaves_below,
                strength=fraction(link.strength),
            ),
        ),
        number=Number(f"g(t{cut})", link.strength, 4, derivation=link_formula(path, cut)),
        numbers=_numbers(path, 0),
        source=_book(),
    )


def _again(path: ex.Path) -> Step:
    before, after = (pruning.links(path.tree, pruning.pruned_nodes(path, position)) for position in (0, 1))
    changed = next(node for node in after if abs(after[node].strength - before[node].strength) > 1e-12)
    (cut,) = _cut(path, 2)
    return Step(
        name="again",
        title=message("Cut, and work out g(t) again"),
        text=message(
            "Node t{cut} is a leaf now. Only nodes above it have another g(t): that of t{node} rises from {old} to "
            "{new}.",
            cut=_cut(path, 1)[0],
            node=changed,
            old=with_decimals(before[changed].strength),
            new=with_decimals(after[changed].strength),
        ),
        picture=_links(path, 1),
        number=Number(
            message("The least g(t) now, of t{node}", node=cut), after[cut].strength, 4, link_formula(path, cut)
        ),
        numbers={f"g(t{changed}) before": before[changed].strength, **_numbers(path, 1)},
        source=_book(),
    )


def _smallest_first(path: ex.Path) -> Step:
    """At the first α, pruning a stronger link instead of the weakest."""
    links, alpha = pruning.links(path.tree, ()), float(path.alphas[1])
    cut = _cut(path, 1)[0]
    stronger = max((node for node in links if node), key=lambda node: links[node].strength)
    loss = float(path.risks[0] + alpha * path.n_leaves[0])
    link = links[stronger]
    other = loss + link.risk - link.risk_below - alpha * (link.leaves_below - 1)
    return Step(
        name="smallest first",
        title=message("Why the smallest g(t) first?"),
        text=message(
            "While α rises from 0, the first branch that no longer pays is the one with the smallest g(t). At "
            "α = {alpha} cutting any other branch makes the loss larger.",
            alpha=with_decimals(alpha),
        ),
        picture=_links(path, 0),
        question=Question(
            message(
                "At α = {alpha} the full tree has loss {loss}. What is it when t{node} is cut instead of t{cut}?",
                alpha=fraction(alpha),
                loss=f"{loss:.4f}",
                node=stronger,
                cut=cut,
            ),
            tuple(f"{value:.4f}" for value in (2 * loss - other, loss, other)),
            (2,),
            message(
                "The risk rises by {risk}, and only {leaves}·α = {saved} is saved. Cutting t{cut} changes nothing.",
                risk=f"{link.risk - link.risk_below:.4f}",
                leaves=link.leaves_below - 1,
                saved=f"{alpha * (link.leaves_below - 1):.4f}",
                cut=cut,
            ),
        ),
        number=Number(message("Loss after cutting t{node}", node=stronger), other, 4),
        numbers={"loss": loss, "other loss": other, "alpha": alpha},
        source=_book(),
    )


def _to_the_root(path: ex.Path) -> Step:
    last = float(path.alphas[-1])
    rounds = clauses(
        message("{alpha}: {leaves}", alpha=with_decimals(alpha), leaves=plural(leaves, "{n} leaf", "{n} leaves"))
        for alpha, leaves in zip(path.alphas[1:].tolist(), path.n_leaves[1:].tolist(), strict=True)
    )
    return Step(
        name="to the root",
        title=message("Go on until the root is a leaf"),
        text=message(
            "Each round cuts the weakest link, and its g(t) is the next α of the sequence. Move through the rounds: "
            "{rounds}.",
            rounds=rounds,
        ),
        picture=_links(path, len(path) - 2, can_move=True),
        number=Number(message("The last α"), last, 4, derivation=link_formula(path, 0)),
        numbers={f"alpha {k}": float(alpha) for k, alpha in enumerate(path.alphas[1:], 1)},
        source=_book(),
    )


def _ties(path: ex.Path) -> Step:
    links, cut = pruning.links(path.tree, ()), _cut(path, 1)
    leaves = path.n_leaves.tolist()
    return Step(
        name="ties",
        title=message("Equal links go together"),
        text=message(
            "In the tree of 14 days of tennis two links are the weakest, both {strength}. Both go at once, so every "
            "α of the sequence is larger than the one before.",
            strength=with_decimals(links[cut[0]].strength),
        ),
        picture=_links(path, 1, can_move=True),
        question=Question(
            message("How many leaves are left of {leaves}?", leaves=leaves[0]),
            tuple(str(n) for n in (leaves[0] - 1, leaves[0] - 2, leaves[1], 1)),
            (2,),
            message("Each of the two branches loses {n} leaves.", n=(leaves[0] - leaves[1]) // 2),
        ),
        before=_links(path, 0),
        number=Number(message("The next and last α"), float(path.alphas[-1]), 4, derivation=link_formula(path, 0)),
        numbers={
            **{f"g(t{node})": links[node].strength for node in links},
            "last alpha": float(path.alphas[-1]),
        },
        source=_book(),
    )


def _links(path: ex.Path, begin: int, can_move: bool = False, asks: bool = False) -> LinkStrengths:
    rounds = tuple(_round(path, position) for position in range(len(path)))
    return LinkStrengths(
        says=message("The tree with g(t) at every split node, and the same numbers as bars."),
        tree=lesson_tree(path.tree),
        rounds=rounds,
        most=max(row.strength for each in rounds for row in each.rows),
        begin=begin,
        can_move=can_move,
        asks=asks,
    )


def _round(path: ex.Path, position: int) -> LinkRound:
    pruned = pruning.pruned_nodes(path, position)
    weakest = _cut(path, position + 1) if position + 1 < len(path) else []
    rows = tuple(
        LinkRow(
            node,
            link.risk,
            link.risk_below,
            link.leaves_below,
            link.strength,
            with_decimals(link.strength),
            node in weakest,
        )
        for node, link in pruning.links(path.tree, pruned).items()
    )
    return LinkRound(pruned, int(path.n_leaves[position]), rows)


SCENE = Scene(
    name="weakest_link",
    title=lambda: message("The weakest link"),
    asks=lambda: message("Which branch goes first, and which next?"),
    minutes=3,
    steps=steps,
    own_page="prune",
    sample=_TABLE,
    recipe=_RECIPE,
)
