"""Value against the rest, or subsets? Three values, four values, and Breiman's ordering of ten."""

from __future__ import annotations

import explorer as ex
from explorer.drawing.pictures.splits.ordered_categories import CategoryShare, OrderedCategories
from explorer.drawing.pictures.splits.split_bags import SplitBags
from explorer.explaining import remaining_impurity_formula
from explorer.formatting import value_text
from explorer.messages import message
from pages.learn.scenes.growing.bags import label_of, split_bags
from pages.learn.scenes.step import Choice, Chosen, Competition, Number, Question, Scene, Step, TreePicture
from pages.results.lessons import four_values, groupings, trees

_THREE, _MANY = "play_tennis", "credit_g"
_FEATURE, _CODE = "purpose", 1
_TESTS = ("one_vs_rest", "subset")


def steps(chosen: Chosen) -> tuple[Step, ...]:
    """From three values to four, to the two trees, and to ten values."""
    test = chosen.get("test", "subset")
    return _three(), _four(), _two_trees(test if test in _TESTS else "subset"), _ordering()


def _ordered(decision: ex.Decision) -> list[ex.Candidate]:
    """The admissible candidates, in the order of the features and of their first values."""
    admissible = [candidate for candidate in decision.candidates if candidate.rejection is None]
    features = list(dict.fromkeys(candidate.feature for candidate in admissible))
    return sorted(admissible, key=lambda c: (features.index(c.feature), len(label_of(c)), label_of(c)))


def _three() -> Step:
    tree, decision = trees.grown(_THREE, "CART"), trees.decision(_THREE, "CART")
    candidates = _ordered(decision)
    best = min(candidates, key=lambda candidate: candidate.weighted_impurity)
    condition = best.condition
    title, says = (
        message("Gini index after each split"),
        message("A list of splits, and two bags with the rows of one."),
    )
    return Step(
        name="three values",
        title=message("Three values: no difference"),
        text=message(
            "CART splits the values of a feature into two groups. "
            "With three values, one group always has a single value: both rules try the same splits."
        ),
        picture=split_bags(trees.rows(_THREE), tree, candidates, says, title),
        before=split_bags(trees.rows(_THREE), tree, candidates, says, title, asks=True),
        number=Number(
            f"Gini(D, {condition.feature})",
            best.weighted_impurity,
            derivation=remaining_impurity_formula(tree.node(0), best),
        ),
        question=Question(
            message("In how many ways do three values fall into two groups?"),
            ("2", "3", "6"),
            (1,),
            message("Each value once against the other two: 2² − 1 = 3."),
        ),
        competition=Competition(decision, tree),
        numbers={condition_name(candidate): candidate.weighted_impurity for candidate in candidates},
        source=message("Breiman et al., Classification and Regression Trees (1984), section 2.4"),
    )


def condition_name(candidate: ex.Candidate) -> str:
    """A split by both of its groups, sorted, such as "Outlook: Overcast | Rain,Sunny"."""
    groups = sorted(",".join(sorted(map(str, branch))) for branch in candidate.condition.branches)
    return message("{name}: {value}", name=candidate.feature, value=" | ".join(groups))


def _four_bags(test: str, asks: bool = False) -> SplitBags:
    return split_bags(
        four_values.rows(),
        four_values.grown(test),
        _ordered(four_values.decision(test)),
        message("A list of splits, and two bags with the rows of one."),
        message("Gini index after each split"),
        asks=asks,
        marked_by="city",
    )


def _four() -> Step:
    decisions = {test: four_values.decision(test) for test in _TESTS}
    best = {test: decision.chosen for test, decision in decisions.items()}
    single, grouped = best["one_vs_rest"], best["subset"]
    assert single is not None
    assert grouped is not None
    n = {test: len(_ordered(decision)) for test, decision in decisions.items()}
    return Step(
        name="four values",
        title=message("Four values: the rules part"),
        text=message(
            "Cities p and q have class yes, r and s have no. "
            "One value against the rest has {single} splits; groups of any size have {groups}.",
            single=n["one_vs_rest"],
            groups=n["subset"],
        ),
        picture=_four_bags("subset"),
        before=_four_bags("one_vs_rest", asks=True),
        number=Number(
            message("Gini index left by the best single value"),
            single.weighted_impurity,
            derivation=remaining_impurity_formula(four_values.grown("one_vs_rest").node(0), single),
        ),
        question=Question(
            message("Can one value against the rest separate the classes in one split?"),
            (message("yes"), message("no")),
            (1,),
            message(
                "Its best split leaves {single:.3f}; the group {group} leaves {grouped:.0f}.",
                single=single.weighted_impurity,
                group=label_of(grouped),
                grouped=grouped.weighted_impurity,
            ),
        ),
        numbers={
            "single": single.weighted_impurity,
            "grouped": grouped.weighted_impurity,
            "single values": float(n["one_vs_rest"]),
            "groups": float(n["subset"]),
        },
        source=message("One rule found in print is one value against the rest; Breiman et al. (1984) use groups."),
    )


def _two_trees(test: str) -> Step:
    leaves = {each: four_values.grown(each).n_leaves for each in _TESTS}
    words = {"one_vs_rest": message("One value against the rest"), "subset": message("Groups of values")}
    says = message("The tree that the chosen rule grows on the twelve rows.")
    return Step(
        name="two trees",
        title=message("Three leaves against two"),
        text=message(
            "One value against the rest needs a second split for the same twelve rows. "
            "Switch the rule and compare the trees."
        ),
        picture=TreePicture(four_values.grown(test), says),
        number=Number(message("Leaves"), leaves[test], 0),
        choices=(Choice("test", message("Rule"), words, "subset"),),
        numbers={"leaves": float(leaves[test])},
        source=message("Breiman et al., Classification and Regression Trees (1984), section 2.4"),
    )


def _order_picture(is_sorted: bool) -> OrderedCategories:
    found = groupings.groupings(_MANY, _FEATURE, _CODE)
    data = trees.rows(_MANY)
    name = f"{data.target.name} = {value_text(data.classes[_CODE])}"
    rows = zip(found.categories, found.counts, found.shares, found.places, strict=True)
    return OrderedCategories(
        says=message("Categories with their share of a class, a cut between them, and all groupings on one axis."),
        title=message("{feature}: share of {target}, number of rows", feature=_FEATURE, target=name),
        class_name=name,
        code=_CODE,
        categories=tuple(CategoryShare(*row) for row in rows),
        cuts=found.cuts,
        groupings=found.all_values,
        best=found.best,
        shown=found.best,
        is_sorted=is_sorted,
    )


def _ordering() -> Step:
    found = groupings.groupings(_MANY, _FEATURE, _CODE)
    n, n_all = len(found.categories), len(found.all_values)
    return Step(
        name="ordering",
        title=message("Breiman's ordering"),
        text=message(
            "Ten purposes of a loan fall into {n_all} pairs of groups. "
            "For two classes, Breiman sorts them by the share of one class and tries only cuts.",
            n_all=n_all,
        ),
        picture=_order_picture(is_sorted=True),
        before=_order_picture(is_sorted=False),
        number=Number(message("Gini index after the best cut"), found.cuts[found.best], 4),
        question=Question(
            message("How many cuts does a sorted list of {n} values have?", n=n),
            (str(n - 1), str(2 * n), str(n_all)),
            (0,),
            message("The best of these {cuts} is the best of all {n_all} groupings.", cuts=n - 1, n_all=n_all),
        ),
        numbers={
            "groupings": float(n_all),
            "cuts": float(n - 1),
            "best cut": found.cuts[found.best],
            "best grouping": found.all_values[0],
        },
        source=message("Breiman et al., Classification and Regression Trees (1984), theorem 4.5"),
    )


SCENE = Scene(
    name="subsets",
    title=lambda: message("Value against the rest, or subsets?"),
    asks=lambda: message("How does CART split a feature with many values in two?"),
    minutes=3,
    steps=steps,
    sample=_MANY,
    recipe="CART",
)
