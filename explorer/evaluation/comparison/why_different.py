"""Why two trees differ at a node, in one sentence written from the records of both decisions.

A *side* is one of the two trees with its node and its decision there. Reasons are tried in the order of `_REASONS`,
each with the sides in either order; the first that holds is given, with the numbers of both.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from explorer.candidates.candidates import Candidate
from explorer.formatting import amount, number_text, rows, shortened, value_text, visible
from explorer.growing.decide import Decision
from explorer.recipe.condition import Condition
from explorer.recipe.impurity import IMPURITIES
from explorer.recipe.missing import POLICIES
from explorer.recipe.parameters import DEPTH
from explorer.recipe.recipe import Recipe
from explorer.recipe.split_score import GAIN_RATIO, SCORES
from explorer.tree.node import Node
from explorer.tree.tree import Tree

_LONGEST = 60


@dataclass(frozen=True)
class Side:
    """One of the two trees at the node: its name, the node, and the decision there."""

    name: str
    node: Node
    decision: Decision

    @property
    def recipe(self) -> Recipe:
        """The recipe that the tree was grown by."""
        return self.node.tree.recipe

    @property
    def winner(self) -> Candidate:
        """The split that was selected; the node must have one."""
        assert self.decision.chosen is not None, "a node with a test has chosen it"
        return self.decision.chosen

    def test_of(self, feature: str) -> str | None:
        """How this side's recipe tests a feature; None where it does not use it."""
        return next((encoding.test for encoding in self.node.tree.features if encoding.name == feature), None)

    def best_of(self, feature: str) -> Candidate | None:
        """The feature's best test here, or the first of those that may not compete; None if it has none."""
        best = self.decision.best.get(feature)
        return best or next(iter(self.decision.candidates.of_feature(feature)), None)


def why_different(a: Side, b: Side, included: frozenset[str] = frozenset()) -> str:
    """One sentence with the reason why `a` and `b` differ at their nodes, which have the same decision path.

    `included` are features that a reader included although they are id-like.
    """
    for reason in _REASONS:
        sentence = reason(a, b) or reason(b, a)
        if sentence:
            return readable(_with_id_like(sentence, a, b, included), a.node.tree)
    return readable(_with_id_like(_both_winners(a, b), a, b, included), a.node.tree)


def readable(sentence: str, tree: Tree) -> str:
    """The sentence with very long feature names shortened, and nothing invisible."""
    for name in (encoding.name for encoding in tree.features if len(encoding.name) > _LONGEST):
        sentence = sentence.replace(name, shortened(name, _LONGEST))
    return visible(sentence)


def _with_id_like(sentence: str, a: Side, b: Side, included: frozenset[str]) -> str:
    """The sentence, begun with the included id-like feature that wins on one side, if one does."""
    winners = [side.decision.chosen.feature for side in (a, b) if side.decision.chosen is not None]
    id_like = next((feature for feature in winners if feature in included), None)
    if id_like is None:
        return sentence
    begun = sentence if sentence.startswith((a.name, b.name)) else sentence[0].lower() + sentence[1:]
    return f"With {id_like} included, " + begun.replace(f"splits on {id_like}: ", "splits on it: ", 1)


def _by_hand(a: Side, b: Side) -> str | None:
    """A person decided about one of the nodes."""
    if not _is_decided(a) or b.node.stop_reason == "pruned":
        return None
    if _is_decided(b):
        return f"{a.name} {_does(a)}; {b.name} {_does(b)}."
    otherwise = "it would have stopped"
    if a.decision.would_win is not None:
        rival = a.decision.would_win
        otherwise = f"{rival.feature} would have won with {measured(a, rival)}"
    return f"{a.name} {_does(a)}; otherwise {otherwise}. {b.name} {_does(b)}."


def _is_decided(side: Side) -> bool:
    """Whether a person chose the node's split, or made it a leaf; no matter if the split was pruned since."""
    return side.decision.by_hand and side.node.is_forced != side.node.is_leaf


def _does(side: Side) -> str:
    """What a side does at the node, and whether a person chose so."""
    if side.node.is_leaf:
        return f"stops here ({_stop_words(side)})"
    return f"{_splits_on(side)}, chosen by hand" if _is_decided(side) else _splits_on(side)


def _stops(a: Side, b: Side) -> str | None:
    """One side is a leaf."""
    if not b.node.is_leaf or a.node.is_leaf:
        return None
    return f"{b.name} stops here ({_stop_words(b)}); {a.name} goes on and {_splits_on(a)}."


def _stop_words(side: Side) -> str:
    """Why the node is a leaf, with the limit where it is a depth."""
    tree, reason = side.node.tree, side.node.stop_reason or "pruned"
    at_depth = tree.feature[side.node.id] < 0 and tree.stop[side.node.id] == DEPTH
    return f"{reason}: {side.recipe.max_depth}" if at_depth else reason


def _weights(a: Side, b: Side) -> str | None:
    """The same rows have different weights, because of class weights or costs."""
    if a.node.tree.is_regression or _rows(a, b) is not None:
        return None
    own, other = (side.node.stats / np.maximum(side.node.tree.row_stats[side.node.id], 1e-300) for side in (a, b))
    if np.allclose(own, other, rtol=1e-9):
        return None
    k = int(np.argmax(np.abs(np.log(np.maximum(own, 1e-300) / np.maximum(other, 1e-300)))))
    return (
        f"Class weights or costs make rows count otherwise: one of class {a.node.tree.classes[k]} counts "
        f"{amount(float(own[k]))} in {a.name} and {amount(float(other[k]))} in {b.name}; {a.name} {_splits_on(a)}, "
        f"{b.name} {_splits_on(b)}."
    )


def _rows(a: Side, b: Side) -> str | None:
    """Rows with a missing value went to other branches above, or were left out."""
    own, other = (side.node.tree.row_stats[side.node.id] for side in (a, b))
    if np.allclose(own, other, rtol=1e-9, atol=1e-9):
        return None
    return (
        f"The rows here are not the same ({rows(a.node.row_weight)} and {rows(b.node.row_weight)}): where a value "
        f"is missing {a.name} {POLICIES[a.recipe.missing].action} and {b.name} {POLICIES[b.recipe.missing].action}; "
        f"{a.name} {_splits_on(a)}, {b.name} {_splits_on(b)}."
    )


def _same_feature(a: Side, b: Side) -> str | None:
    """The same feature in another form of test; with another threshold only where the rows are the same."""
    is_other_form = a.winner.condition.kind != b.winner.condition.kind
    if a.winner.feature != b.winner.feature or not (is_other_form or _rows(a, b) is None):
        return None
    return (
        f"Both split on {a.winner.feature}: {a.name} by {split_form(a.winner.condition)}, {measured(a, a.winner)}; "
        f"{b.name} by {split_form(b.winner.condition)}, {measured(b, b.winner)}."
    )


def _out(a: Side, b: Side) -> str | None:
    """What wins on one side may not compete on the other."""
    feature = a.winner.feature
    rival = b.best_of(feature)
    if b.test_of(feature) is None:
        reason = "its recipe leaves such features out"
    elif rival is None:
        reason = b.decision.absent.get(feature, "it has no test")
    elif rival.rejected:
        reason = f"{rival.rejected} (its own: {measured(b, rival)})" if "mean" in rival.rejected else rival.rejected
    else:
        return None
    return f"In {b.name} {feature} may not compete: {reason}. {b.name} {_splits_on(b)}; {a.name} {_splits_on(a)}."


def _tied(a: Side, b: Side) -> str | None:
    """What wins on one side is as good on the other, where an earlier column wins."""
    if a.winner.feature not in b.decision.tied:
        return None
    return (
        f"In {b.name} {b.winner.feature} and {a.winner.feature} tie with {measured(b, b.winner)}, and the earlier "
        f"column wins; {a.name} {_splits_on(a)}."
    )


def _tests(a: Side, b: Side) -> str | None:
    """What wins on one side is tested in another form on the other."""
    feature = a.winner.feature
    rival = b.best_of(feature)
    if rival is None or a.test_of(feature) == b.test_of(feature):
        return None
    return (
        f"{a.name} tests {feature} by {split_form(a.winner.condition)}, {measured(a, a.winner)}, and splits on it; "
        f"{b.name} by {split_form(rival.condition)}, {measured(b, rival)}, "
        f"and {b.winner.feature} does better: {_numbers(b)}."
    )


def _feature_costs(a: Side, b: Side) -> str | None:
    """One side counts the cost of features."""
    rival = b.best_of(a.winner.feature)
    if not SCORES[b.recipe.score].uses_costs or rival is None or (rival.cost == 1 and b.winner.cost == 1):
        return None
    return (
        f"{b.name} counts the cost of features: {rival.feature} costs {amount(rival.cost)}, {measured(b, rival)}; "
        f"{b.winner.feature} costs {amount(b.winner.cost)}, {measured(b, b.winner)}, and is selected; "
        f"{a.name} {_splits_on(a)}."
    )


def _ratio(a: Side, b: Side) -> str | None:
    """Gain against gain ratio: the same gain, divided by the split information."""
    rival = b.best_of(a.winner.feature)
    if (a.recipe.score, b.recipe.score) != ("gain", "gain_ratio") or rival is None or rival.gain_ratio is None:
        return None
    if abs(rival.gain - a.winner.gain) > 1e-9 or a.recipe.log_base != b.recipe.log_base:
        return None
    lost, won = distinct_texts(rival.gain_ratio, b.winner.score or 0.0)
    unit = "bits" if a.recipe.log_base == 2 else "nats"
    return (
        f"{a.name} {_splits_on(a)}; {b.name} divides that by {distinct_texts(rival.split_info)[0]} {unit}, {lost}, "
        f"and splits on {b.winner.feature} with {won}."
    )


def _scores(a: Side, b: Side) -> str | None:
    """The sides compare different scores."""
    regression = a.node.tree.is_regression
    if (a.recipe.score, a.recipe.impurity_for(regression)) == (b.recipe.score, b.recipe.impurity_for(regression)):
        return None
    return f"{_goes_by(a, b.winner.feature)}; {_goes_by(b, a.winner.feature)}."


def _goes_by(side: Side, rival_feature: str) -> str:
    """The score that a side compares, with its winner's value and the rival's."""
    rival = side.best_of(rival_feature)
    won, lost = distinct_texts(side.winner.score or 0.0, (rival.score if rival else None) or 0.0)
    return f"{side.name} goes by {score_name(side)}: {side.winner.feature} {won} against {rival_feature} {lost}"


def _known_share(a: Side, b: Side) -> str | None:
    """Rows without a value are counted otherwise in the gain."""
    rival = b.best_of(a.winner.feature)
    if rival is None or a.recipe.missing == b.recipe.missing:
        return None
    return (
        f"Some rows lack a value of a feature: there {a.name} {POLICIES[a.recipe.missing].action} and {b.name} "
        f"{POLICIES[b.recipe.missing].action}; {a.name} {_splits_on(a)}, {b.name} {_splits_on(b)}, "
        f"where {rival.feature} has {measured(b, rival)}."
    )


def _both_winners(a: Side, b: Side) -> str:
    """Both winners with their numbers."""
    return f"{a.name} {_splits_on(a)}; {b.name} {_splits_on(b)}."


_REASONS: tuple[Callable[[Side, Side], str | None], ...] = (
    _by_hand,
    _stops,
    _weights,
    _same_feature,
    _rows,
    _out,
    _tied,
    _tests,
    _feature_costs,
    _ratio,
    _scores,
    _known_share,
)


def _splits_on(side: Side) -> str:
    """The winner with its branches and its number."""
    return f"splits on {side.winner.feature}: {_numbers(side)}"


def _numbers(side: Side) -> str:
    condition = side.winner.condition
    test = f"{condition.n_branches} branches" if _is_multiway(condition) else split_form(condition)
    return f"{test}, {measured(side, side.winner)}"


def _is_multiway(condition: Condition) -> bool:
    return condition.kind in ("each_value", "bins")


def split_form(condition: Condition) -> str:
    """The form of a split in words.

    >>> split_form(Condition("age", "threshold", 4.5))
    'the threshold 4.5'
    >>> split_form(Condition("wind", "subset", None, (("weak", "none"), ("strong",))))
    '{weak, none} against the rest'
    """
    if condition.kind == "each_value":
        return f"a branch for each of {condition.n_branches} values"
    if condition.kind == "bins":
        return f"a branch for each of {condition.n_branches} intervals"
    if condition.threshold is not None:
        missing_branch = " and a branch for missing values" if condition.has_missing_branch else ""
        return f"the threshold {number_text(condition.threshold, 6)}{missing_branch}"
    names = [value_text(value) for value in condition.branches[0]]
    group = f"“{names[0]}”" if len(names) == 1 else "{" + ", ".join(names) + "}"
    return f"{shortened(group, _LONGEST)} against the rest"


def score_name(side: Side) -> str:
    """What a side's features compete by."""
    if side.recipe.score == "decrease":
        return IMPURITIES[side.recipe.impurity_for(side.node.tree.is_regression)].decrease
    return SCORES[side.recipe.score].compares


def measured(side: Side, candidate: Candidate) -> str:
    """A candidate's number under the name of what its side goes by."""
    known = candidate.gain_ratio if SCORES[side.recipe.score].compares == GAIN_RATIO else candidate.score
    if known is None:
        return f"gain {distinct_texts(candidate.gain)[0]}"
    return f"{score_name(side)} {distinct_texts(known)[0]}"


def distinct_texts(*values: float) -> list[str]:
    """Numbers with three decimals, or as many more as different ones need to differ; large ones without decimals.

    >>> distinct_texts(0.99750), distinct_texts(0.26308, 0.26312), distinct_texts(0.5, 0.5)
    (['0.998'], ['0.26308', '0.26312'], ['0.500', '0.500'])
    """
    for digits in range(3, 9):
        texts = [f"{value:.{digits}f}" if abs(value) < 1000 else f"{value:,.0f}" for value in values]
        if len(set(texts)) == len({round(value, 12) for value in values}):
            break
    return texts
