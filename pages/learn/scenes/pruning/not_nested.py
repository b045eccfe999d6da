"""A loss that is not nested: each node's loss divided by its own rows, against Breiman's weights by all rows."""

from __future__ import annotations

from itertools import pairwise

import explorer as ex
from explorer.drawing.pictures.many_trees.small_trees import SmallTree, SmallTrees, small_tree
from explorer.drawing.pictures.pruning.cost_complexity import AlphaInterval, AlphaRule, FixedAlphaRules
from explorer.drawing.pictures.pruning.lesson_tree import lesson_tree
from explorer.explaining import Derivation, fixed_alpha_formula
from explorer.formatting import leaves as leaves_text
from explorer.messages import message
from explorer.pruning import FixedAlpha, fixed_alpha_trees
from pages.learn.scenes.pruning.exact import fraction, with_decimals
from pages.learn.scenes.step import Choice, Chosen, Number, Question, Scene, Step, TablePicture
from pages.results.lessons import pruning

_PER_NODE, _WEIGHTED = "per_node", "impurity"
_SMALL, _LARGER = 0.23, 0.25
"""An α where the loss per node leaves one leaf of the nine rows' tree, and a larger one where it leaves two."""


def steps(chosen: Chosen) -> tuple[Step, ...]:
    """The tree grows with α, why, two procedures, Breiman's weights, other rows, skipped subtrees, α never falls."""
    tree = pruning.not_nested("9 rows")
    other = _other_rows(chosen.get("rows", "13 rows"))
    return _grows(tree), _why(tree), _two_procedures(tree), _weighted(tree), other, _skipped(), _never_falls()


def _book() -> str:
    return message("The weights are those of Breiman et al. (1984), chapter 3; the nine rows were made for this page")


def _leaves_at(tree: ex.Tree, alpha: float, risk: str) -> int:
    return ex.prune_at_alpha(tree, alpha, risk).n_leaves


def _begins(intervals: list[FixedAlpha]) -> dict[str, float]:
    return {f"begin {k}": interval.begin for k, interval in enumerate(intervals)}


def _grows(tree: ex.Tree) -> Step:
    intervals = fixed_alpha_trees(tree, _PER_NODE)
    right = _leaves_at(tree, _LARGER, _PER_NODE)
    return Step(
        name="larger alpha",
        title=message("A larger α, a larger tree?"),
        text=message(
            "One rule found in print divides the loss of a branch by the rows of its own node. Bottom-up, a node "
            "becomes a leaf when that costs no more."
        ),
        picture=_rules(tree, _LARGER, (_PER_NODE,)),
        before=_rules(tree, _SMALL, (_PER_NODE,), asks=True),
        question=Question(
            message(
                "At α = {small} the tree has {leaves}. How many has it at α = {larger}?",
                small=_SMALL,
                leaves=leaves_text(_leaves_at(tree, _SMALL, _PER_NODE)),
                larger=_LARGER,
            ),
            tuple(leaves_text(n) for n in (1, 2, 3)),
            (right - 1,),
            message(
                "The tree grows again at α = {alpha}. Trees of a sequence should be nested; these are not.",
                alpha=with_decimals(intervals[2].begin),
            ),
        ),
        number=Number(message("α where the tree grows again"), intervals[2].begin, 4),
        numbers=_begins(intervals),
        source=_book(),
    )


def _root_formula(tree: ex.Tree, alpha: float, risk: str) -> tuple[float, float, Derivation]:
    """Penalised loss of the root as a leaf and as a subtree, and how it is worked out."""
    decided = ex.fixed_alpha_steps(tree, alpha, risk)
    step = decided[-1]
    formula = fixed_alpha_formula(tree, decided, len(decided) - 1, alpha, risk)
    return step.penalised_as_leaf, step.penalised_as_subtree, formula


def _why(tree: ex.Tree) -> Step:
    small_leaf, small_subtree, _ = _root_formula(tree, _SMALL, _PER_NODE)
    leaf, subtree, formula = _root_formula(tree, _LARGER, _PER_NODE)
    return Step(
        name="why",
        title=message("The branch got cheaper first"),
        text=message(
            "At α = {small} the root's branch has three leaves and costs {small_subtree}, more than a leaf's "
            "{small_leaf}. At α = {larger} node A is a leaf first: the branch costs {subtree}, less than {leaf}.",
            small=_SMALL,
            small_subtree=f"{small_subtree:.4f}",
            small_leaf=f"{small_leaf:.4f}",
            larger=_LARGER,
            subtree=f"{subtree:.4f}",
            leaf=f"{leaf:.4f}",
        ),
        picture=_rules(tree, _LARGER, (_PER_NODE,)),
        number=Number(message("Loss of the branch at α = {alpha}", alpha=_LARGER), subtree, 4, derivation=formula),
        numbers={"leaf, small": small_leaf, "subtree, small": small_subtree, "leaf": leaf, "subtree": subtree},
        source=_book(),
    )


def _two_procedures(tree: ex.Tree) -> Step:
    by_node, by_all = (ex.cost_complexity_path(tree, risk) for risk in (_PER_NODE, _WEIGHTED))
    bottom_up, weakest = ex.prune_at_alpha(tree, _LARGER, _PER_NODE), by_node.subtree(_LARGER)
    breiman = by_all.subtree(_LARGER)
    first = _small(bottom_up, "bottom-up", message("bottom-up"))
    rest = (
        _small(weakest, "weakest", message("weakest links")),
        _small(breiman, "breiman", message("Breiman: either way")),
    )
    return Step(
        name="two procedures",
        title=message("Two procedures, two trees"),
        text=message(
            "One text prunes by this loss in two ways: bottom-up at a given α, and by weakest links. With Breiman's "
            "weights both leave the same tree; with this loss they do not."
        ),
        picture=SmallTrees(says=_at_alpha(), trees=(first, *rest)),
        before=SmallTrees(says=_at_alpha(), trees=(first,)),
        question=Question(
            message(
                "Bottom-up, the tree has {leaves} at α = {alpha}. How many has it by weakest links?",
                alpha=_LARGER,
                leaves=leaves_text(bottom_up.n_leaves),
            ),
            tuple(leaves_text(n) for n in (1, 2, 3)),
            (weakest.n_leaves - 1,),
            message(
                "The root has the smallest g(t) of all: it is a leaf from α = {alpha} on.",
                alpha=with_decimals(float(by_node.alphas[1])),
            ),
        ),
        number=Number(message("α from which weakest links leave the root alone"), float(by_node.alphas[1]), 4),
        numbers={
            "bottom-up": float(bottom_up.n_leaves),
            "weakest links": float(weakest.n_leaves),
            "Breiman": float(breiman.n_leaves),
            "Breiman, bottom-up": float(ex.prune_at_alpha(tree, _LARGER, _WEIGHTED).n_leaves),
            "alpha": float(by_node.alphas[1]),
        },
        source=_book(),
    )


def _at_alpha() -> str:
    return message("What is left of the tree at α = {alpha}.", alpha=_LARGER)


def _small(tree: ex.Tree, key: str, title: str) -> SmallTree:
    return small_tree(tree, key, title, counts=True, note=leaves_text(tree.n_leaves), is_best=key == "breiman")


def _weighted(tree: ex.Tree) -> Step:
    intervals = fixed_alpha_trees(tree, _WEIGHTED)
    counts = [interval.n_leaves for interval in intervals]
    nested, up_and_down = ("{}, {}, {}".format(*counts), "3, 1, 2, 1")
    return Step(
        name="weighted",
        title=message("Breiman weighs by all rows"),
        text=message(
            "R(t) is the node's impurity times its share of all rows, so losses add up over leaves. Then every pruned "
            "tree is part of the one before."
        ),
        picture=_rules(tree, _LARGER, (_PER_NODE, _WEIGHTED)),
        before=_rules(tree, _LARGER, (_PER_NODE, _WEIGHTED), asks=True),
        question=Question(
            message("How many leaves does Breiman's tree have as α grows?"),
            (up_and_down, nested, "3, 1"),
            (1,),
            message(
                "It loses leaves at {first} and {second}, and never gains any.",
                first=with_decimals(intervals[1].begin),
                second=with_decimals(intervals[2].begin),
            ),
        ),
        number=Number(message("α where the root becomes a leaf"), intervals[-1].begin, 4),
        numbers=_begins(intervals),
        source=_book(),
    )


def _other_rows(table: str) -> Step:
    table = table if table in pruning.NOT_NESTED else "13 rows"
    tree = pruning.not_nested(table)
    intervals = fixed_alpha_trees(tree, _PER_NODE)
    names = {"4 rows": message("4 rows"), "13 rows": message("13 rows")}
    return Step(
        name="other rows",
        title=message("Not one odd table"),
        text=message(
            "With entropy it happens too, on four rows or on thirteen. Between {first} and {second} there is one leaf, "
            "after that there are two.",
            first=f"{intervals[1].begin:.4f}",
            second=f"{intervals[2].begin:.4f}",
        ),
        picture=_rules(tree, (intervals[2].begin + intervals[3].begin) / 2, (_PER_NODE, _WEIGHTED)),
        number=Number(message("α where the tree grows again"), intervals[2].begin, 4),
        choices=(Choice("rows", message("Rows"), names, "13 rows"),),
        numbers=_begins(intervals),
        source=_book(),
    )


def _skipped() -> Step:
    per_node = pruning.path("loan_a1a2a3", "CART", pruning.ONE_AGAINST_REST, _PER_NODE)
    weighted = pruning.path("loan_a1a2a3", "CART", pruning.ONE_AGAINST_REST, _WEIGHTED)
    sequences = [" → ".join(str(n) for n in path.n_leaves) for path in (per_node, weighted)]
    alpha = float(per_node.alphas[1])
    return Step(
        name="skipped",
        title=message("Good trees are skipped"),
        text=message(
            "On the 15 loans the loss per node goes from 6 leaves to the root at once, at α = {alpha}. Breiman's "
            "sequence passes trees with 4 and 3 leaves, which may predict best.",
            alpha=with_decimals(alpha),
        ),
        picture=_rules(weighted.tree, alpha, (_PER_NODE, _WEIGHTED)),
        before=_rules(weighted.tree, 0.05, (_PER_NODE, _WEIGHTED), asks=True),
        question=Question(
            message("Weakest links with the loss per node: how many leaves, one after the other?"),
            (sequences[1], "6 → 3 → 1", sequences[0]),
            (2,),
            message("The root's own g(t) is {alpha}, the smallest of all.", alpha=fraction(alpha)),
        ),
        number=Number(message("α where the root becomes a leaf"), alpha, 4),
        numbers={"alpha": alpha, **{f"weighted {k}": float(each) for k, each in enumerate(weighted.alphas)}},
        source=_book(),
    )


def _never_falls() -> Step:
    path = pruning.path("iris", "CART", (), _PER_NODE)
    alphas = path.alphas.tolist()
    rises = [after - before for before, after in pairwise(alphas)]
    return Step(
        name="never falls",
        title=message("At least α never falls"),
        text=message(
            "It is often said that with this loss the α of weakest links can fall. It cannot: what is pruned has the "
            "smallest g(t), and every g(t) above it stays at least as large."
        ),
        picture=TablePicture(
            says=message("The weakest links of the iris tree with this loss: α and leaves."),
            columns=(message("tree"), "α", message("leaves")),
            rows=tuple(
                (f"T{k}", f"{alpha:.4f}", str(leaves))
                for k, (alpha, leaves) in enumerate(zip(alphas, path.n_leaves.tolist(), strict=True))
            ),
        ),
        question=Question(
            message("What can go wrong when a loss is divided by the rows of its node?"),
            (message("α falls"), message("trees are not nested"), message("both")),
            (1,),
            message("At a given α a larger tree can follow a smaller one, and good trees are skipped."),
        ),
        number=Number(message("Smallest rise from one α to the next"), min(rises), 4),
        numbers={f"alpha {k}": alpha for k, alpha in enumerate(alphas)},
        source=message("Breiman et al. (1984), chapter 3, proves the same for weights by all rows"),
    )


def _rules(tree: ex.Tree, alpha: float, risks: tuple[str, ...], asks: bool = False) -> FixedAlphaRules:
    titles = {_PER_NODE: message("Loss divided by the node's rows"), _WEIGHTED: message("Breiman: divided by all rows")}
    rules = tuple(AlphaRule(titles[risk], tuple(map(_interval, fixed_alpha_trees(tree, risk)))) for risk in risks)
    begins = sorted(interval.begin for rule in rules for interval in rule.intervals[1:])
    return FixedAlphaRules(
        says=message("The tree that each rule leaves at α, and its number of leaves over α."),
        tree=lesson_tree(tree),
        rules=rules,
        least=0.6 * begins[0],
        most=1.15 * begins[-1],
        alpha=alpha,
        asks=asks,
    )


def _interval(interval: FixedAlpha) -> AlphaInterval:
    tree = interval.tree
    pruned = tuple(node for node in tree.leaves().tolist() if tree.child_count[node])
    return AlphaInterval(interval.begin, interval.n_leaves, pruned, with_decimals(interval.begin))


SCENE = Scene(
    name="not_nested",
    title=lambda: message("A loss that is not nested"),
    asks=lambda: message("Can a larger α leave a larger tree?"),
    minutes=4,
    steps=steps,
    own_page="prune",
    sample="fixed_alpha",
    recipe="CART",
)
