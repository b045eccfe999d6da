"""Rules of pruning on which textbooks differ: which node is first, where the sequence ends, what a node costs."""

from __future__ import annotations

from explorer.drawing.pictures.chart import TreePanel, small_tree
from explorer.explaining import reached_by
from explorer.formatting import leaves as leaves_text
from pages.learn.scenes.step import TablePicture
from pages.learn.vocabulary.chinese_words import in_words
from pages.learn.vocabulary.pruning.links import link, path_of
from pages.learn.vocabulary.words import Here, add, word
from pages.results.lessons import pruning, pruning_rules


def _strengths(here: Here) -> dict[int, float]:
    return {node: found.strength for node, found in pruning.links(path_of(here).tree, ()).items()}


@word
def strongest(here: Here) -> int:
    """The node with the largest g(t)."""
    strengths = _strengths(here)
    return max(strengths, key=lambda node: strengths[node])


@word
def weakest(here: Here) -> int:
    """The node with the smallest g(t)."""
    strengths = _strengths(here)
    return min(strengths, key=lambda node: strengths[node])


@word
def link_in_words(here: Here, node: int) -> str:
    """A node and how rows get there."""
    return f"t{node}: {reached_by(path_of(here).tree, node)}"


@word
def risk_once(here: Here, leaves: int) -> float:
    """R(T) of the tree with so many leaves where g(t) is worked out once."""
    return pruning_rules.of_fixed_strengths(leaves)[1]


@word
def small_subtree(
    here: Here,
    key: str,
    title: str,
    position: int = 0,
    cut: int | None = None,
    once: int = 0,
    note: str = "",
    risk: str = "impurity",
    best: bool = False,
) -> TreePanel:
    """A subtree of the sequence, the tree cut at a node, or that of g(t) worked out once, for a picture of several.

    The note is its leaves, its risk, or the strength of the node that is cut.
    """
    path = path_of(here, risk)
    tree = path.subtree(position=position)
    if once:
        tree = pruning_rules.of_fixed_strengths(once)[0]
    elif cut is not None:
        tree = pruning_rules.cut_at(path.tree, (cut,))
    at = weakest(here) if cut is None else cut
    notes = {
        "leaves": leaves_text(tree.n_leaves),
        "risk": f"R(T) = {risk_once(here, once) if once else path.risks[position]:.4f}",
        "strength": f"g(t{at}) = {_strengths(here).get(at, 0.0):.4f}\n{leaves_text(tree.n_leaves)}",
    }
    shown = in_words(tree) if here.table == "mammals" else tree
    return small_tree(shown, title, note=notes[note], is_best=best)


@word
def sequence(here: Here, part: str, risk: str = "impurity") -> tuple[str | float, ...]:
    """The alphas, n_leaves, risks or names of all trees of the sequence."""
    path = path_of(here, risk)
    return tuple(f"T{k}" for k in range(len(path))) if part == "names" else tuple(getattr(path, part).tolist())


@word
def columns(
    here: Here, names: tuple[str, ...], *columns: tuple[str | float, ...], lit: int | None = None
) -> TablePicture:
    """A table by its columns, numbers with four decimals, and one row (from 0; −1 the last) that is tinted."""
    texts = [[f"{cell:.4f}" if isinstance(cell, float) else str(cell) for cell in column] for column in columns]
    rows = tuple(zip(*texts, strict=True))
    return TablePicture(says=here.says, columns=names, rows=rows, lit=() if lit is None else (lit % len(rows),))


@word
def random_position(here: Here, which: str) -> int:
    """Where the best tree, that of one_se or the root is in the sequence of the random rows."""
    folded = pruning_rules.random_rows()
    return len(folded.mean) - 1 if which == "root" else int(getattr(folded, which))


@word
def random_errors(here: Here) -> tuple[str, ...]:
    """The errors of all trees with their standard errors."""
    folded = pruning_rules.random_rows()
    pairs = zip(folded.mean.tolist(), folded.standard_error.tolist(), strict=True)
    return tuple(f"{mean:.4f} ± {error:.4f}" for mean, error in pairs)


@word
def cost_at(here: Here, factor: float, what: str) -> float:
    """What the weakest node costs as a leaf or as a branch where α is so many times its g(t)."""
    node = weakest(here)
    alpha = factor * link(here, node)
    if what == "leaf":
        return link(here, node, "risk") + alpha
    return link(here, node, "risk_below") + alpha * link(here, node, "leaves_below")


@word
def cost_table(here: Here, names: tuple[str, ...], both: str, as_leaf: str, as_subtree: str) -> TablePicture:
    """Both costs below, at and above g(t), and which is less."""
    factors = (0.5, 1.0, 2.0)
    leaf, branch = ([cost_at(here, factor, what) for factor in factors] for what in ("leaf", "branch"))
    cheaper = [
        both if abs(a - b) < 1e-12 else as_leaf if a < b else as_subtree for a, b in zip(leaf, branch, strict=True)
    ]
    alphas = [factor * float(link(here, weakest(here))) for factor in factors]
    return columns(here, names, tuple(alphas), tuple(leaf), tuple(branch), tuple(cheaper), lit=1)


add(
    # All split nodes in these words.
    links_in_words=lambda here: tuple(link_in_words(here, node) for node in _strengths(here)),
    # Every α of the sequence from the first cut on, as numbers of their own: "alpha 1".
    each_alpha=lambda here, name, risk="impurity": {
        f"{name} {k}": alpha for k, alpha in enumerate(path_of(here, risk).alphas.tolist()) if k
    },
    # Its leaves.
    random_leaves=lambda here, which: int(pruning_rules.random_rows().path.n_leaves[random_position(here, which)]),
    # Its cross-validated error, or the standard_error of that.
    random_error=lambda here, which, part="mean": float(
        getattr(pruning_rules.random_rows(), part)[random_position(here, which)]
    ),
)
