"""Where textbooks differ on pruning: which node is first, which way the inequality goes, where to begin, which risk."""

from __future__ import annotations

from explorer.drawing.pictures.many_trees.small_trees import SmallTrees, small_tree
from explorer.explaining import link_formula, reached_by
from explorer.formatting import leaves as leaves_text
from explorer.messages import message
from pages.learn.scenes.chinese_words import in_words
from pages.learn.scenes.pruning.exact import with_decimals
from pages.learn.scenes.step import Chosen, Number, Question, Scene, Step, TablePicture, TreePicture
from pages.results.lessons import pruning, pruning_rules


def steps(chosen: Chosen) -> tuple[Step, ...]:
    """The order of pruning on eleven rows, then risk, beginning and inequality on built-in tables."""
    return _largest_first(), _same_size(), _number_of_trees(), _to_the_root(), _inequality(), _no_cost(), _which_risk()


def _book() -> str:
    return message("Breiman et al. (1984), section 3.3")


def _largest_first() -> Step:
    path, strength = pruning_rules.path(), pruning_rules.strengths()
    nodes = tuple(strength)
    largest, least = max(nodes, key=lambda node: strength[node]), min(nodes, key=lambda node: strength[node])

    def note(node: int, leaves: int) -> str:
        return f"g(t{node}) = {strength[node]:.4f}\n{leaves_text(leaves)}"

    return Step(
        name="largest first",
        title=message("Which node is pruned first?"),
        text=message(
            "Breiman prunes the node with the smallest g(t). One rule found in print takes the largest g(t) first."
        ),
        picture=SmallTrees(
            says=message("The full tree, and what the first cut by either rule leaves of it."),
            trees=(
                small_tree(path.tree, "full", message("full tree"), note=leaves_text(path.tree.n_leaves)),
                small_tree(
                    path.subtree(position=1), "least", message("smallest g(t) first"), note=note(least, 4), is_best=True
                ),
                small_tree(
                    pruning_rules.cut_at(path.tree, (largest,)),
                    "largest",
                    message("largest first"),
                    note=note(largest, 1),
                ),
            ),
        ),
        question=Question(
            message("The full tree has four splits. Whose g(t) is the largest?"),
            tuple(f"t{node}: {reached_by(path.tree, node)}" for node in nodes),
            (nodes.index(largest),),
            message("It is the root’s: the largest first leaves a single leaf at once."),
        ),
        before=_full_tree(),
        number=Number(f"g(t{largest})", strength[largest], 4),
        numbers={"largest": strength[largest], "least": strength[least]},
        source=_book(),
    )


def _full_tree() -> SmallTrees:
    """The full tree of the eleven rows."""
    tree = pruning_rules.path().tree
    return SmallTrees(
        says=message("The full tree of eleven rows."),
        trees=(small_tree(tree, "full", message("full tree"), note=leaves_text(tree.n_leaves)),),
    )


def _same_size() -> Step:
    path = pruning_rules.path()
    fixed, fixed_risk = pruning_rules.of_fixed_strengths(3)
    position = path.n_leaves.tolist().index(3)
    risk = float(path.risks[position])
    return Step(
        name="same size",
        title=message("g(t) changes when a branch below is cut"),
        text=message(
            "Breiman works g(t) out again after every cut. With the values of the full tree, three leaves have "
            "R(T) = {fixed} instead of {risk}.",
            fixed=with_decimals(fixed_risk),
            risk=with_decimals(risk),
        ),
        picture=SmallTrees(
            says=message("Two pruned trees with three leaves each."),
            trees=(
                small_tree(
                    path.subtree(position=position),
                    "least",
                    message("worked out again"),
                    note=f"R(T) = {risk:.4f}",
                    is_best=True,
                ),
                small_tree(fixed, "fixed", message("worked out once"), note=f"R(T) = {fixed_risk:.4f}"),
            ),
        ),
        number=Number(message("R(T) of the better tree with three leaves"), risk, 4),
        numbers={"risk again": risk, "risk once": fixed_risk},
        source=_book(),
    )


def _number_of_trees() -> Step:
    path = pruning_rules.path()
    splits = path.tree.n_leaves - 1
    return Step(
        name="number of trees",
        title=message("How many trees are in the sequence?"),
        text=message(
            "One rule found in print says: at most as many as internal nodes. This tree has {splits}, and {n} trees.",
            splits=splits,
            n=len(path.alphas),
        ),
        picture=TablePicture(
            says=message("The trees of the sequence with α, leaves and R(T)."),
            columns=(message("tree"), "α", message("leaves"), "R(T)"),
            rows=tuple(
                (f"T{position}", f"{alpha:.4f}", str(leaves), f"{risk:.4f}")
                for position, (alpha, leaves, risk) in enumerate(
                    zip(path.alphas.tolist(), path.n_leaves.tolist(), path.risks.tolist(), strict=True)
                )
            ),
            lit=(len(path.alphas) - 1,),
        ),
        question=Question(
            message("{splits} internal nodes: how many trees can a sequence have at most?", splits=splits),
            (str(splits - 1), str(splits), str(splits + 1)),
            (2,),
            message("Each cut removes one internal node or more, and the full tree is there before the first cut."),
        ),
        number=Number(message("Trees in the sequence"), float(len(path.alphas)), 0),
        numbers={f"alpha {position}": alpha for position, alpha in enumerate(path.alphas.tolist()) if position},
        source=_book(),
    )


def _to_the_root() -> Step:
    folded = pruning_rules.random_rows()
    path, best, one_se = folded.path, folded.best, folded.one_se
    counts = path.n_leaves.tolist()
    return Step(
        name="to the root",
        title=message("Stop at two leaves, or at the root?"),
        text=message(
            "One rule found in print ends the sequence at the root with two leaves. Breiman goes on to the root alone: "
            "it is the right tree where features say nothing, as on 100 rows of random numbers."
        ),
        picture=TablePicture(
            says=message("The sequence of the tree of random rows, with the cross-validated error of each tree."),
            columns=(message("tree"), "α", message("leaves"), "R(T)", message("cross-validated error")),
            rows=tuple(
                (f"T{k}", f"{alpha:.4f}", str(leaves), f"{risk:.4f}", f"{mean:.4f} ± {error:.4f}")
                for k, (alpha, leaves, risk, mean, error) in enumerate(
                    zip(
                        path.alphas.tolist(),
                        counts,
                        path.risks.tolist(),
                        folded.mean.tolist(),
                        folded.standard_error.tolist(),
                        strict=True,
                    )
                )
            ),
            lit=(one_se,),
        ),
        before=TreePicture(path.tree, message("A tree of three levels on 100 rows of random numbers.")),
        question=Question(
            message("Features and class are drawn at random. How many leaves has the tree of the 1-SE rule?"),
            tuple(map(str, (counts[0], counts[2], 2, 1))),
            ((counts[0], counts[2], 2, 1).index(counts[one_se]),),
            message(
                "Its error {error} is within one standard error of the least, {best}.",
                error=f"{folded.mean[one_se]:.4f}",
                best=f"{folded.mean[best]:.4f}",
            ),
        ),
        number=Number(message("Cross-validated error of the root alone"), float(folded.mean[-1]), 4),
        numbers={
            "Gini index of the root": float(path.risks[-1]),
            "least error": float(folded.mean[best]),
            "its standard error": float(folded.standard_error[best]),
            "error of the root": float(folded.mean[-1]),
        },
        source=message("Breiman et al. (1984), section 3.3; 100 × 4 random digits, numpy seed 42"),
    )


def _inequality() -> Step:
    path = pruning.path("loan_a1a2a3", "CART")
    links = pruning.links(path.tree, ())
    node = min(links, key=lambda node: links[node].strength)
    link = links[node]
    alphas = [factor * link.strength for factor in (0.5, 1.0, 2.0)]
    costs = [(link.risk + alpha, link.risk_below + alpha * link.leaves_below) for alpha in alphas]
    return Step(
        name="inequality",
        title=message("α at least g(t), or at most?"),
        text=message(
            "A node becomes a leaf when R(t) + α ≤ R(Tₜ) + α·|Tₜ|, where |Tₜ| counts leaves (one text: children). "
            "That is α ≥ g(t); the opposite, α ≤ g(t), is found in print."
        ),
        picture=TablePicture(
            says=message("What t{node} of the loan tree costs as a leaf and as a branch, for three α.", node=node),
            columns=("α", "R(t) + α", "R(Tₜ) + α·|Tₜ|", message("cheaper")),
            rows=tuple(
                (f"{alpha:.4f}", f"{leaf:.4f}", f"{branch:.4f}", _cheaper(leaf, branch))
                for alpha, (leaf, branch) in zip(alphas, costs, strict=True)
            ),
            lit=(1,),
        ),
        number=Number(f"g(t{node})", link.strength, 4, derivation=link_formula(path, node)),
        numbers={"g": link.strength, "leaf below": costs[0][0], "branch below": costs[0][1], "leaf above": costs[2][0]},
        source=_book(),
    )


def _cheaper(leaf: float, branch: float) -> str:
    if abs(leaf - branch) < 1e-12:
        return message("both alike")
    return message("as a leaf") if leaf < branch else message("as a subtree")


def _no_cost() -> Step:
    path = pruning.path("mammals", "CART", (), "error")
    first, second = path.subtree(position=0), path.subtree(position=1)
    risk = float(path.risks[0])
    return Step(
        name="no cost",
        title=message("Begin with the full tree, or with T₁?"),
        text=message(
            "By the error rate, one split of this tree removes no error: g(t) = 0. Breiman begins with T₁, the "
            "smallest tree with the risk of the full one."
        ),
        picture=SmallTrees(
            says=message("The full tree of the animals and T₁, with equal risks."),
            trees=(
                small_tree(in_words(first), "full", message("full tree"), note=f"R(T) = {risk:.4f}"),
                small_tree(in_words(second), "first", "T₁", note=f"R(T) = {float(path.risks[1]):.4f}", is_best=True),
            ),
        ),
        number=Number(message("R(T₁), the share of wrong rows"), float(path.risks[1]), 4),
        numbers={"risk of the full tree": risk, "risk of T1": float(path.risks[1])},
        source=_book(),
    )


def _which_risk() -> Step:
    by_gini, by_error = (pruning.path("loan_a1a2a3", "CART", (), risk) for risk in ("impurity", "error"))
    rows = zip(by_gini.n_leaves.tolist(), by_gini.alphas.tolist(), by_error.alphas.tolist(), strict=True)
    return Step(
        name="which risk",
        title=message("R(T): Gini or error rate?"),
        text=message(
            "Breiman and rpart take the error rate as risk, scikit-learn the Gini index. Here the trees are the same, "
            "but each α differs: say which risk is meant."
        ),
        picture=TablePicture(
            says=message("The sequence of the loan tree with α by Gini and by the error rate."),
            columns=(message("leaves"), message("α by Gini"), message("α by error rate")),
            rows=tuple((str(leaves), f"{gini:.4f}", f"{error:.4f}") for leaves, gini, error in rows),
        ),
        number=Number(message("α at which the root becomes a leaf, by error rate"), float(by_error.alphas[-1]), 4),
        numbers={
            **{f"gini {position}": alpha for position, alpha in enumerate(by_gini.alphas.tolist()) if position},
            **{f"error {position}": alpha for position, alpha in enumerate(by_error.alphas.tolist()) if position},
        },
        source=message("Breiman et al. (1984), chapter 3; documentation of rpart and scikit-learn"),
    )


SCENE = Scene(
    name="pruning_rules",
    title=lambda: message("Textbooks: pruning"),
    asks=lambda: message("Which node goes first, and what does R(T) measure?"),
    minutes=5,
    steps=steps,
    own_page="prune",
    sample="loan_a1a2a3",
    recipe="CART",
)
