"""CART: two branches. Every question with two answers, by the Gini index of the bags it makes, on 15 loans."""

from __future__ import annotations

import explorer as ex
from explorer.drawing.pictures.splits.split_bags import SplitBags
from explorer.explaining import Derivation, Formula, candidate_formulas, remaining_impurity_formula
from explorer.explaining.formulas.impurity import of_rows
from explorer.messages import message
from pages.learn.scenes.growing.bags import label_of, split_bags, whole_bag
from pages.learn.scenes.step import Chosen, Competition, Number, Question, Scene, Step, TreePicture
from pages.results.lessons import trees

_TABLE, _RECIPE = "loan_a1a2a3", "CART"
_ONE_VALUE = (("categorical", "one_vs_rest"),)


def steps(chosen: Chosen) -> tuple[Step, ...]:
    """From the Gini index of all loans to the whole tree."""
    return _gini(), _candidates(), _first_split(), _below(1), _below(2), _whole()


def _tree() -> ex.Tree:
    return trees.grown(_TABLE, _RECIPE, _ONE_VALUE)


def _in_table_order(decision: ex.Decision) -> list[ex.Candidate]:
    """The candidates feature by feature, the larger Gini index first where a feature has several."""
    features = [feature.name for feature in _tree().features]
    ordered = sorted(decision.candidates, key=lambda c: (features.index(c.feature), -c.weighted_impurity))
    return [candidate for candidate in ordered if candidate.rejection is None]


def _gini() -> Step:
    tree, data = _tree(), trees.rows(_TABLE)
    gini = tree.node(0).impurity
    quantity = of_rows("gini", "D", "D", tree.node(0).stats.tolist())
    says = message("A bag with one ball a loan, coloured by class.")
    return Step(
        name="gini",
        title=message("How mixed are 15 loans?"),
        text=message(
            "CART measures a node by its Gini index: 1 minus the sum of the squared class shares. "
            "It is the chance that two loans drawn at random, with replacement, differ in class."
        ),
        picture=whole_bag(data, tree, says, message("All 15 loans, D")),
        before=whole_bag(data, tree, says, message("All 15 loans, D"), asks=True),
        number=Number("Gini(D)", gini, derivation=Derivation((Formula(quantity, gini),))),
        question=Question(
            message("Draw a loan, put it back, draw again. How often do the two differ in class?"),
            ("1/3", "4/9", "1/2"),
            (1,),
            message("The two agree with chance (10/15)² + (5/15)² = 5/9."),
        ),
        numbers={"gini": gini},
        source=message(
            "Breiman et al., Classification and Regression Trees (1984), chapter 4; Li Hang (2012), section 5.5"
        ),
    )


def _candidates() -> Step:
    tree, decision = _tree(), trees.decision(_TABLE, _RECIPE, 0, _ONE_VALUE)
    candidates = _in_table_order(decision)
    labels = tuple(label_of(candidate) for candidate in candidates)
    best = min(candidates, key=lambda candidate: candidate.weighted_impurity)
    return Step(
        name="candidates",
        title=message("Five questions with two answers"),
        text=message(
            "CART asks one value against the rest, and weighs the Gini index of the two bags by their rows. "
            "Select a question to see its bags; the least mixed pair wins."
        ),
        picture=_bags(0, _says(), message("Gini index after each question")),
        before=_bags(0, _says(), message("Gini index after each question"), asks=True),
        number=Number(
            f"Gini(D, {label_of(best)})",
            best.weighted_impurity,
            derivation=remaining_impurity_formula(tree.node(0), best),
        ),
        question=Question(
            message("Which question leaves the two bags least mixed?"),
            labels,
            (labels.index(label_of(best)),),
            message("{left:.3f} is the smallest of the five numbers.", left=best.weighted_impurity),
        ),
        competition=Competition(decision, tree),
        numbers={"gini": decision.impurity} | _gini_numbers(candidates),
        source=message("The rule: Li Hang (2012), section 5.5. The 15 loans are rebuilt from printed counts."),
    )


def _says() -> str:
    return message("A list of questions with their Gini indices, and two bags with the rows of the selected question.")


def _bags(node: int, says: str, title: str, asks: bool = False) -> SplitBags:
    candidates = _in_table_order(trees.decision(_TABLE, _RECIPE, node, _ONE_VALUE))
    return split_bags(trees.rows(_TABLE), _tree(), candidates, says, title, node, asks)


def _gini_numbers(candidates: list[ex.Candidate]) -> dict[str, float]:
    """The weighted Gini index of every candidate, and those of its two bags with their shares of the rows."""
    numbers = {}
    for candidate in candidates:
        label = label_of(candidate)
        numbers[label] = candidate.weighted_impurity
        for branch, impurity in enumerate(candidate.impurities):
            word = candidate.condition.word(branch)
            numbers[f"{word} bag"] = impurity
            numbers[f"{word} share"] = candidate.weights[branch] / sum(candidate.weights)
    return numbers


def _first_split() -> Step:
    tree = _tree()
    left, right = (tree.node(child) for child in tree.node(0).children)
    decrease = trees.decision(_TABLE, _RECIPE, 0, _ONE_VALUE).chosen
    assert decrease is not None
    return Step(
        name="first split",
        title=message("{question} splits the root", question=label_of(decrease)),
        text=message(
            "The bags become nodes: {left:.0f} loans with Gini {left_gini:.3f}, {right:.0f} with {right_gini:.3f}. "
            "CART now asks again in each of them.",
            left=left.weight,
            left_gini=left.impurity,
            right=right.weight,
            right_gini=right.impurity,
        ),
        picture=TreePicture(tree, message("The tree after its first split."), position=1),
        number=Number(message("Decrease of the Gini index"), decrease.gain, derivation=_decrease(tree, decrease)),
        numbers={"left gini": left.impurity, "right gini": right.impurity, "decrease": decrease.gain},
        source=message("The rule: Li Hang (2012), section 5.5. The 15 loans are rebuilt from printed counts."),
    )


def _decrease(tree: ex.Tree, candidate: ex.Candidate) -> Derivation:
    return candidate_formulas(tree.node(0), candidate)["Gini decrease"]


def _below(node: int) -> Step:
    """The candidates in a branch of the first split."""
    tree, decision = _tree(), trees.decision(_TABLE, _RECIPE, node, _ONE_VALUE)
    condition = tree.condition(0)
    assert condition is not None
    branch = condition.word(node - 1)
    candidates = _in_table_order(decision)
    labels = tuple(label_of(candidate) for candidate in candidates)
    best = min(candidates, key=lambda candidate: candidate.weighted_impurity)
    title = message("Gini index after each question, where {branch}", branch=branch)
    return Step(
        name=f"node {node}",
        title=message("The branch {branch}", branch=branch),
        text=message(
            "Only the {n:.0f} loans of this branch count now: their Gini index is {gini:.3f}. "
            "Another question can win here than at the root.",
            n=tree.node(node).weight,
            gini=tree.node(node).impurity,
        ),
        picture=_bags(node, _says(), title),
        before=_bags(node, _says(), title, asks=True),
        number=Number(
            f"Gini(D, {label_of(best)})",
            best.weighted_impurity,
            derivation=remaining_impurity_formula(tree.node(node), best),
        ),
        question=Question(
            message("Which question wins in this branch?"),
            labels,
            (labels.index(label_of(best)),),
            message("It leaves {left:.3f} of {gini:.3f}.", left=best.weighted_impurity, gini=decision.impurity),
        ),
        numbers={"gini": decision.impurity} | _gini_numbers(candidates),
    )


def _whole() -> Step:
    tree = _tree()
    n_splits = len(trees.split_nodes(tree))
    return Step(
        name="whole tree",
        title=message("Until every leaf is pure"),
        text=message(
            "CART stops where all rows of a node have one class, or no question separates them. "
            "The result fits all 15 loans: pruning comes next."
        ),
        picture=TreePicture(tree, message("The whole tree: every leaf is pure."), position=n_splits),
        number=Number(message("Leaves"), tree.n_leaves, 0),
        numbers={"leaves": float(tree.n_leaves)},
        source=message("Breiman et al., Classification and Regression Trees (1984)"),
    )


SCENE = Scene(
    name="cart",
    title=lambda: message("CART: two branches"),
    asks=lambda: message("How does CART ask questions with only two answers?"),
    minutes=3,
    steps=steps,
    sample=_TABLE,
    recipe=_RECIPE,
)
