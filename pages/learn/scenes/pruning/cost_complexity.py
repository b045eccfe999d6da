"""Prune by α: the loss R(T) + α·leaves of pruned subtrees as lines over α, whose lower envelope is the sequence."""

from __future__ import annotations

import numpy as np

import explorer as ex
from explorer.drawing.pictures.pruning.cost_complexity import Breakpoint, PenaltyLine, PenaltyLines
from explorer.drawing.pictures.pruning.lesson_tree import lesson_tree
from explorer.explaining import link_formula
from explorer.messages import message, plural
from pages.learn.scenes.pruning.exact import fraction, with_decimals
from pages.learn.scenes.step import Choice, Chosen, Number, Question, Scene, Step
from pages.results.lessons import pruning, trees

_TABLE, _RECIPE = "loan_a1a2a3", "CART"
_OTHERS: dict[str, pruning.Changes] = {
    "play_tennis": pruning.ONE_AGAINST_REST,
    "titanic": (("max_depth", 4), ("min_rows_leaf", 10.0)),
}
_MOST_FOR_ALL = 12
"""With more leaves than this, only the lines of the sequence are drawn."""


def steps(chosen: Chosen) -> tuple[Step, ...]:
    """From two trees to all of them, their lower envelope, and another table."""
    path = pruning.path(_TABLE, _RECIPE, pruning.ONE_AGAINST_REST)
    return _two_trees(path), _all_trees(path), _envelope(path), _prune(path), _other_table(chosen)


def _book() -> str:
    return message("Breiman, Friedman, Olshen, Stone: Classification and Regression Trees (1984), chapter 3")


def _two_trees(path: ex.Path) -> Step:
    risk, leaves = float(path.risks[-1]), int(path.n_leaves[0])
    meet = pruning.links(path.tree, ())[0].strength
    options = tuple(fraction(value) for value in (0.0, meet, risk))
    picture = _lines(path, alpha=0.03, only=(0, -1), breaks={meet: with_decimals(meet)})
    return Step(
        name="two trees",
        title=message("A leaf costs α"),
        text=message(
            "The loss of a tree is its risk R(T), the mean Gini index of the {rows} loans in their leaves, plus α "
            "a leaf. The full tree has risk 0 and {leaves} leaves; the root alone has risk {risk} and one.",
            rows=int(path.tree.node(0).weight),
            leaves=leaves,
            risk=with_decimals(risk),
        ),
        picture=picture,
        before=_lines(path, alpha=0.03, only=(0, -1)),
        question=Question(
            message("At which α do both cost the same?"),
            options,
            (1,),
            message("{risk} + α = {leaves}·α, so α = {alpha}.", risk=fraction(risk), leaves=leaves, alpha=options[1]),
        ),
        number=Number(message("α where both cost the same"), meet, 4),
        numbers={"R(root)": risk, "g(root)": meet, "R(full tree)": float(path.risks[0])},
        source=_book(),
    )


def _all_trees(path: ex.Path) -> Step:
    meet = pruning.links(path.tree, ())[0].strength
    position = path.position(meet)
    lines = pruning.pruned_subtrees(path.tree)
    loss = float(path.risks[position] + meet * path.n_leaves[position])
    return Step(
        name="all subtrees",
        title=message("Other subtrees are cheaper still"),
        text=message(
            "Every way to prune is one line: {n} subtrees in all. Drag α and see which line is the lowest; point at a "
            "line to see its tree.",
            n=len(lines),
        ),
        picture=_lines(path, alpha=meet, envelope=False),
        before=_lines(path, alpha=0.0, envelope=False),
        question=Question(
            message("At α = {alpha}, how many leaves has the cheapest tree?", alpha=with_decimals(meet)),
            tuple(plural(n, "{n} leaf", "{n} leaves") for n in path.n_leaves.tolist()),
            (position,),
            message("Its loss is {loss}, below both trees of the step before.", loss=f"{loss:.4f}"),
        ),
        number=Number(message("Loss of the cheapest tree at α = {alpha}", alpha=fraction(meet)), loss, 3),
        numbers={"loss": loss, "subtrees": float(len(lines))},
        source=_book(),
    )


def _envelope(path: ex.Path) -> Step:
    alphas = path.alphas[1:].tolist()
    options = tuple(fraction(alpha) for alpha in alphas)
    return Step(
        name="envelope",
        title=message("The lower envelope is the sequence"),
        text=message(
            "Only {n} subtrees are ever the cheapest, and each is a pruned form of the one before. Where two lines of "
            "the envelope cross, α makes the tree smaller.",
            n=len(path),
        ),
        picture=_lines(path, alpha=0.08, breaks={alpha: with_decimals(alpha) for alpha in alphas}),
        before=_lines(path, alpha=0.08),
        question=Question(
            message("At which α does the root become a leaf?"),
            options,
            (len(options) - 1,),
            message("There the line of the root goes below the line of the tree with {n} leaves.", n=path.n_leaves[-2]),
        ),
        number=Number(message("α where the root becomes a leaf"), alphas[-1], 4, derivation=link_formula(path, 0)),
        numbers={f"alpha {k}": alpha for k, alpha in enumerate(alphas, 1)},
        source=_book(),
    )


def _prune(path: ex.Path) -> Step:
    position = 2
    alpha = float(path.alphas[position])
    node = next(node for node in pruning.pruned_nodes(path, position) if path.collapse_alpha[node] == alpha)
    rows = [
        f"| {with_decimals(alpha) if alpha else '0'} | {leaves} | {with_decimals(risk)} |"
        for alpha, leaves, risk in zip(path.alphas, path.n_leaves, path.risks, strict=True)
    ]
    head = message("| from α | leaves | R(T) |")
    root = trees.grown(_TABLE, "ID3").node(0)
    bits = float(root.weight * root.impurity)
    return Step(
        name="sequence",
        title=message("From the full tree to the root"),
        text=message("T(α) is the cheapest tree at α. As α grows, leaves go and none comes back.")
        + "\n\n"
        + "\n".join([head, "|---|---|---|", *rows])
        + "\n\n"
        + message(
            "With entropy as the risk, N·R(T) is −log₂ of the likelihood of the rows, {bits:.2f} bits at the root. "
            "So ID3 grows by maximum likelihood, and a penalty for leaves makes it regularised maximum likelihood.",
            bits=bits,
        ),
        picture=_lines(path, alpha=alpha, breaks={alpha: with_decimals(alpha) for alpha in path.alphas[1:].tolist()}),
        number=Number(message("α where a second branch goes"), alpha, 4, derivation=link_formula(path, node)),
        numbers={
            **{f"alpha {k}": float(value) for k, value in enumerate(path.alphas)},
            **{f"leaves {k}": float(value) for k, value in enumerate(path.n_leaves)},
            **{f"risk {k}": float(value) for k, value in enumerate(path.risks)},
            "bits of the root": bits,
        },
        source=_book(),
    )


def _other_table(chosen: Chosen) -> Step:
    names = {"play_tennis": message("14 days of tennis"), "titanic": message("Titanic")}
    table = chosen.get("table", "titanic")
    path = pruning.path(table, _RECIPE, _OTHERS[table] if table in _OTHERS else _OTHERS["titanic"])
    last = float(path.alphas[-1])
    return Step(
        name="other table",
        title=message("The same on other rows"),
        text=message(
            "This tree has {leaves} leaves, and its sequence has {n} subtrees. Drag α: splits that lower the risk "
            "least go first.",
            leaves=int(path.n_leaves[0]),
            n=len(path),
        ),
        picture=_lines(path, alpha=float(np.sqrt(path.alphas[1] * last)), breaks={last: with_decimals(last)}),
        number=Number(message("α where the root becomes a leaf"), last, 4, derivation=link_formula(path, 0)),
        choices=(Choice("table", message("Table"), names, "titanic"),),
        numbers={"last alpha": last},
    )


def _lines(
    path: ex.Path,
    alpha: float,
    only: tuple[int, ...] = (),
    breaks: dict[float, str] | None = None,
    envelope: bool = True,
) -> PenaltyLines:
    """The lines of all subtrees (with many: of the sequence); `only` has positions in the sequence."""
    sequence = {pruning.pruned_nodes(path, position): position for position in range(len(path))}
    if only:
        chosen = {position % len(path) for position in only}
        sequence = {pruned: position for pruned, position in sequence.items() if position in chosen}
    lines = [
        PenaltyLine(float(path.risks[position]), int(path.n_leaves[position]), pruned, float(path.alphas[position]))
        for pruned, position in sequence.items()
    ]
    if not only and path.n_leaves[0] <= _MOST_FOR_ALL:
        lines += [
            PenaltyLine(subtree.risk, subtree.leaves, subtree.pruned)
            for subtree in pruning.pruned_subtrees(path.tree, path.risk)
            if subtree.pruned not in sequence
        ]
    return PenaltyLines(
        says=message("Straight lines of risk plus α times leaves, one per subtree, and the tree that is the cheapest."),
        tree=lesson_tree(path.tree),
        lines=tuple(lines),
        most=float(path.alphas[-1]) * 1.25,
        alpha=alpha,
        breakpoints=tuple(Breakpoint(value, text) for value, text in (breaks or {}).items()),
        shows_envelope=envelope and not only,
    )


SCENE = Scene(
    name="cost_complexity",
    title=lambda: message("Prune by α"),
    asks=lambda: message("When is a smaller tree worth more than a better fit?"),
    minutes=3,
    steps=steps,
    on_short_path=True,
    own_page="prune",
    sample=_TABLE,
    recipe=_RECIPE,
)
