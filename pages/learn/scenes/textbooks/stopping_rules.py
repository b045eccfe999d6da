"""Where textbooks differ on stopping: one feature left, splits without gain, and values that no row had."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

import explorer as ex
from explorer.drawing.pictures.bars import Bar, Bars
from explorer.drawing.pictures.many_trees.small_trees import SmallTrees, small_tree
from explorer.formatting import class_counts
from explorer.messages import message, plural
from pages.learn.scenes.melon_words import with_meaning
from pages.learn.scenes.step import Chosen, Number, Question, Scene, Step, TreePicture
from pages.learn.scenes.textbooks.tables import rows_picture
from pages.results.lessons import textbook_rules, trees
from pages.text import escape_markdown

_STOPS = (("stop_at_one_feature", True),)
_LEAST = 1e-3


def steps(chosen: Chosen) -> tuple[Step, ...]:
    """Two tables with the rule of one feature left, XOR, empty branches, unseen values, the base of the logarithm."""
    return _one_feature(), _last_feature(), _zero_gain(), _empty_branch(), _unseen(), _log_base()


def _wrong(n: int) -> str:
    return plural(n, "{n} row wrong", "{n} rows wrong")


def _one_feature() -> Step:
    rows = textbook_rules.table("one feature")
    stopped, grown = textbook_rules.grown("one feature", "ID3", _STOPS), textbook_rules.grown("one feature", "ID3")
    wrong = [textbook_rules.errors(tree, rows) for tree in (stopped, grown)]
    return Step(
        name="one feature",
        title=message("Stop with one feature left?"),
        text=message(
            "ID3 stops when no feature is left (Mitchell 1997). One rule found in print stops when a single one is "
            "left: a table with one feature is then never split."
        ),
        picture=SmallTrees(
            says=message("A single leaf beside a tree with one split."),
            trees=(
                small_tree(stopped, "stopped", message("stop at one feature"), counts=True, note=_wrong(wrong[0])),
                small_tree(grown, "grown", message("stop at none"), counts=True, note=_wrong(wrong[1]), is_best=True),
            ),
        ),
        number=Number(message("Wrong rows when ID3 stops at one feature"), wrong[0], 0),
        numbers={"errors stopped": float(wrong[0]), "errors grown": float(wrong[1])},
        source=message("Mitchell, Machine Learning (1997), table 3.1"),
    )


def _last_feature() -> Step:
    rows = trees.rows("loan_a1a2a3")
    stopped, grown = trees.grown("loan_a1a2a3", "ID3", _STOPS), trees.grown("loan_a1a2a3", "ID3")
    wrong = [textbook_rules.errors(tree, rows) for tree in (stopped, grown)]
    return Step(
        name="last feature",
        title=message("What the last feature is worth"),
        text=message(
            "The 15 loans have three features. Without a split on the last one, {n} leaves stay mixed.",
            n=int(((stopped.impurity > 0) & stopped.is_leaf).sum()),
        ),
        picture=SmallTrees(
            says=message("Two trees for the loans, one without the splits on the last feature."),
            trees=(
                small_tree(stopped, "stopped", message("stop at one feature"), note=_wrong(wrong[0])),
                small_tree(grown, "grown", message("stop at none"), note=_wrong(wrong[1]), is_best=True),
            ),
        ),
        before=rows_picture(rows),
        number=Number(message("Leaves of the whole tree"), grown.n_leaves, 0),
        question=Question(
            message("How many of the 15 loans does the stopped tree get wrong?"),
            ("0", "2", "5"),
            (1,),
            message("The whole tree gets none wrong; whether it predicts better is a matter of pruning."),
        ),
        numbers={"errors stopped": float(wrong[0]), "errors grown": float(wrong[1]), "leaves": float(grown.n_leaves)},
    )


def _zero_gain() -> Step:
    least = (("min_score", _LEAST),)
    stopped, grown = textbook_rules.grown("exclusive or", "ID3", least), textbook_rules.grown("exclusive or", "ID3")
    gain = textbook_rules.decision_of("exclusive or", "ID3").best["A"].gain
    return Step(
        name="zero gain",
        title=message("Stop when no split gains anything?"),
        text=message(
            "In XOR each feature alone gains nothing: H(y | A) equals H(y), so it is not “certainly smaller”. "
            "A least gain ε stops there; splitting on separates all rows."
        ),
        picture=SmallTrees(
            says=message("A single leaf beside a tree with four pure leaves."),
            trees=(
                small_tree(stopped, "stopped", message("stop if gain < ε"), counts=True),
                small_tree(grown, "grown", message("split on"), counts=True, is_best=True),
            ),
        ),
        before=rows_picture(textbook_rules.table("exclusive or")),
        number=Number(message("Gain(A) at the root of XOR"), abs(gain), 3),
        question=Question(
            message("y = A xor B, four rows. How large is the gain of A at the root?"),
            ("0", "0.5", "1"),
            (0,),
            message("Either value of A leaves one row of each class."),
        ),
        numbers={"gain A": abs(gain), "leaves stopped": float(stopped.n_leaves), "leaves grown": float(grown.n_leaves)},
        source=message("Li Hang, 统计学习方法 (2nd ed. 2019), algorithm 5.2; Mitchell (1997), table 3.1"),
    )


def _empty_branch() -> Step:
    drawn, left_out = (trees.grown("watermelon_2_0", "ID3", (("empty_branches", has),)) for has in (True, False))
    empty = int(np.flatnonzero(drawn.is_leaf & (drawn.weight == 0))[0])
    above = drawn.node(int(drawn.parent[empty]))
    classes = tuple(with_meaning(str(name)) for name in drawn.classes)
    return Step(
        name="empty branch",
        title=message("A branch without rows: draw it or not?"),
        text=message(
            "No melon that reaches node {node} has the value {value}. Mitchell draws the branch all the same, as a "
            "leaf; Li Hang makes branches only for values that occur.",
            node=above.id,
            value=escape_markdown(with_meaning(_value_of(drawn, empty))),
        ),
        picture=TreePicture(
            drawn,
            message("The tree of the melons with its empty branch ringed."),
            selected=empty,
            marks={empty: message("No row comes here")},
        ),
        question=Question(
            message("What does the leaf of the empty branch predict?"),
            (*classes, message("nothing")),
            (list(map(str, drawn.classes)).index(str(drawn.node(empty).label)),),
            message(
                "The class of most melons at node {node} above it: {counts}.",
                node=above.id,
                counts=class_counts(np.asarray(above.stats), classes),
            ),
        ),
        number=Number(message("Leaves of the tree without empty branches"), left_out.n_leaves, 0),
        numbers={"leaves with": float(drawn.n_leaves), "leaves without": float(left_out.n_leaves)},
        source=message(
            "Mitchell, Machine Learning (1997), table 3.1; Li Hang, 统计学习方法 (2nd ed. 2019), algorithm 5.2"
        ),
    )


def _value_of(tree: ex.Tree, node: int) -> str:
    """The value by which a branch leads to a node."""
    above = int(tree.parent[node])
    condition = tree.condition(above)
    assert condition is not None
    return str(condition.branches[list(tree.children_of(above)).index(node)][0])


def _unseen() -> Step:
    words = {
        "node": message("stay at the node"),
        "heaviest": message("heaviest branch"),
        "fractional": message("all branches by weight"),
        "random": message("a random branch"),
    }
    shares = {rule: textbook_rules.unseen_shares(rule) for rule in words}
    return Step(
        name="unseen value",
        title=message("A value no training row had"),
        text=message(
            "A Foggy day comes to the split on Outlook. Books let it stay, take the heaviest branch, divide it, "
            "or even draw a branch at random: here are the shares of Yes."
        ),
        picture=_shares_picture(words, shares),
        before=_shares_picture(words, None),
        number=Number(message("Share of Yes at the root: 9 of 14"), shares["node"]),
        question=Question(
            message("Which rule uses all 14 training days for its answer, whatever the other values are?"),
            tuple(words.values()),
            (0,),
            message("The node's own 9 Yes and 5 No; the other rules go on below."),
        ),
        numbers=shares,
        source=message("Mitchell (1997), section 3.7.4; Quinlan, C4.5 (1993), chapter 3"),
    )


def _shares_picture(words: Mapping[str, str], shares: Mapping[str, float] | None) -> Bars:
    """A bar for each rule; without the shares while they are asked for."""
    return Bars(
        says=message("Bars with the predicted share of Yes by four rules."),
        title=message("P(Yes) for Foggy, Hot, High, Strong"),
        bars=tuple(
            Bar(words[rule], shares[rule], f"{shares[rule]:.3f}", rule == "node") if shares else Bar(word, 0.0, "?")
            for rule, word in words.items()
        ),
        most=1.1,
    )


def _log_base() -> Step:
    bits, nats = (trees.decision("play_tennis", "ID3", 0, (("log_base", base),)).best for base in (2, "e"))
    return Step(
        name="log base",
        title=message("Bits or nats?"),
        text=message(
            "Some books take logarithms to base 2, others the natural ones. "
            "All gains shrink by the same factor ln 2, so the tree is the same; only thresholds on a gain change."
        ),
        picture=Bars(
            says=message("Bars with the gains of the four features in bits and in nats."),
            title=message("Gains in bits, then in nats"),
            bars=tuple(
                Bar(f"{name} · {unit}", found.gain, f"{found.gain:.3f}", name == "Outlook")
                for name in bits
                for unit, found in ((message("bits"), bits[name]), (message("nats"), nats[name]))
            ),
            most=0.3,
        ),
        number=Number(message("Gain(Outlook) in nats"), nats["Outlook"].gain),
        numbers={"bits Outlook": bits["Outlook"].gain, "nats Outlook": nats["Outlook"].gain},
        source=message("Mitchell (1997); Li Hang, 统计学习方法 (2nd ed. 2019), section 5.2"),
    )


SCENE = Scene(
    name="stopping_rules",
    title=lambda: message("Textbooks: when to stop"),
    asks=lambda: message("When is a node a leaf, and where does an unknown value go?"),
    minutes=4,
    steps=steps,
    sample="loan_a1a2a3",
    recipe="ID3",
)
