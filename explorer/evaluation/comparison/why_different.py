"""Why two trees differ at a node, in one sentence written from the records of both decisions.

A *side* is one of the two trees with its node and its decision there. Reasons are tried in the order of `_REASONS`,
each with the sides in either order; the first that holds is given, with the numbers of both.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from explorer.candidates.candidates import Candidate
from explorer.candidates.measures import MEASURE_NAMES
from explorer.formatting import amount, figure, set_text, shortened, visible
from explorer.growing.decide import Decision
from explorer.messages import message
from explorer.recipe.condition import Condition, limit_text
from explorer.recipe.impurity import IMPURITIES
from explorer.recipe.missing import POLICIES
from explorer.recipe.parameters import DEPTH
from explorer.recipe.recipe import Recipe
from explorer.recipe.remarks import BELOW_MEAN_GAIN
from explorer.recipe.split_score import GAIN_RATIO, SCORES
from explorer.tree.tree import Node, Tree

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
    """The sentence, and a second one where an included id-like feature wins on one side."""
    winners = [side.decision.chosen.feature for side in (a, b) if side.decision.chosen is not None]
    id_like = next((feature for feature in winners if feature in included), None)
    if id_like is None:
        return sentence
    return message("{sentence} {feature} is id-like and was included by choice.", sentence=sentence, feature=id_like)


def _of_file(a: Side, b: Side) -> str | None:
    """The splits of one side stand in a file: what they are worth on these rows."""
    if not a.decision.is_of_file:
        return None
    return message("{first}; {second}.", first=_in_file(a), second=_in_file(b))


def _in_file(side: Side) -> str:
    """What a side does, where it may stand in a file."""
    if not side.decision.is_of_file or _is_pruned(side):
        return _stops_here(side) if side.node.is_leaf else _splits_on(side)
    if side.node.condition is None:
        return message("{tree} has a leaf here", tree=side.name)
    if side.decision.chosen is None:
        feature = side.node.condition.feature
        return message("{tree} splits on {feature}, which divides none of these rows", tree=side.name, feature=feature)
    return _splits_on(side)


def _by_hand(a: Side, b: Side) -> str | None:
    """A person decided about one of the nodes."""
    if not _is_decided(a) or _is_pruned(b):
        return None
    if _is_decided(b):
        return message("{first}; {second}.", first=_does(a), second=_does(b))
    rival = a.decision.would_win
    if rival is None:
        return message("{first}; otherwise it would have stopped. {second}.", first=_does(a), second=_does(b))
    return message(
        "{first}; otherwise {feature} would have won with {measured}. {second}.",
        first=_does(a),
        feature=rival.feature,
        measured=measured(a, rival),
        second=_does(b),
    )


def _is_pruned(side: Side) -> bool:
    """Whether the node is a leaf by pruning."""
    return side.node.is_leaf and bool(side.node.tree.feature[side.node.id] >= 0)


def _is_decided(side: Side) -> bool:
    """Whether a person chose the node's split, or made it a leaf; no matter if the split was pruned since."""
    return side.decision.by_hand and side.node.is_forced != side.node.is_leaf


def _does(side: Side) -> str:
    """What a side does at the node, and whether a person chose so."""
    if side.node.is_leaf:
        return _stops_here(side)
    if not _is_decided(side):
        return _splits_on(side)
    return message(
        "{tree} splits on {feature}: {numbers}, chosen by hand",
        tree=side.name,
        feature=side.winner.feature,
        numbers=_numbers(side),
    )


def _stops(a: Side, b: Side) -> str | None:
    """One side is a leaf."""
    if not b.node.is_leaf or a.node.is_leaf:
        return None
    return message("{first}; {second}.", first=_stops_here(b), second=_splits_on(a))


def _stops_here(side: Side) -> str:
    """Why the node is a leaf, with the limit where it is a depth."""
    tree, reason = side.node.tree, side.node.stop_reason or message("pruned")
    if tree.feature[side.node.id] < 0 and tree.stop[side.node.id] == DEPTH:
        return message(
            "{tree} stops here ({reason}: {depth})", tree=side.name, reason=reason, depth=side.recipe.max_depth
        )
    return message("{tree} stops here ({reason})", tree=side.name, reason=reason)


def _weights(a: Side, b: Side) -> str | None:
    """The same rows have different weights, because of class weights or costs."""
    if a.node.tree.is_regression or _rows(a, b) is not None:
        return None
    own, other = (side.node.stats / np.maximum(side.node.tree.row_stats[side.node.id], 1e-300) for side in (a, b))
    if np.allclose(own, other, rtol=1e-9):
        return None
    k = int(np.argmax(np.abs(np.log(np.maximum(own, 1e-300) / np.maximum(other, 1e-300)))))
    return message(
        "Class weights or costs change how much a row counts: a row of class {name} counts {weight_a} in {tree_a} and "
        "{weight_b} in {tree_b}; {first}; {second}.",
        name=a.node.tree.classes[k],
        weight_a=amount(float(own[k])),
        tree_a=a.name,
        weight_b=amount(float(other[k])),
        tree_b=b.name,
        first=_splits_on(a),
        second=_splits_on(b),
    )


def _rows(a: Side, b: Side) -> str | None:
    """Rows with a missing value went to other branches above, or were left out."""
    own, other = (side.node.tree.row_stats[side.node.id] for side in (a, b))
    if np.allclose(own, other, rtol=1e-9, atol=1e-9):
        return None
    return message(
        "The rows here differ ({rows_a} and {rows_b}) because some lack a value: {policy_a}; {policy_b}; {first}; "
        "{second}.",
        rows_a=a.node.tree.rows_text(a.node.row_weight),
        rows_b=b.node.tree.rows_text(b.node.row_weight),
        policy_a=POLICIES[a.recipe.missing].action(a.name),
        policy_b=POLICIES[b.recipe.missing].action(b.name),
        first=_splits_on(a),
        second=_splits_on(b),
    )


def _same_feature(a: Side, b: Side) -> str | None:
    """The same feature in another form of test; with another threshold only where the rows are the same."""
    is_other_form = a.winner.condition.kind != b.winner.condition.kind
    if a.winner.feature != b.winner.feature or not (is_other_form or _rows(a, b) is None):
        return None
    return message(
        "Both split on {feature}: {tree_a} by {split_a}, {measured_a}; {tree_b} by {split_b}, {measured_b}.",
        feature=a.winner.feature,
        tree_a=a.name,
        split_a=split_form(a.winner.condition),
        measured_a=measured(a, a.winner),
        tree_b=b.name,
        split_b=split_form(b.winner.condition),
        measured_b=measured(b, b.winner),
    )


def _out(a: Side, b: Side) -> str | None:
    """What wins on one side may not compete on the other."""
    feature = a.winner.feature
    rival = b.best_of(feature)
    if b.test_of(feature) is None:
        reason = message("its settings leave such features out")
    elif rival is None:
        reason = b.decision.absent.get(feature, message("it has no candidate split"))
    elif rival.rejection is None:
        return None
    elif rival.rejection.code in BELOW_MEAN_GAIN:
        reason = message("{reason} (its own: {measured})", reason=rival.rejected, measured=measured(b, rival))
    else:
        reason = rival.rejection.text
    return message(
        "In {tree} {feature} may not compete: {reason}; {first}; {second}.",
        tree=b.name,
        feature=feature,
        reason=reason,
        first=_splits_on(b),
        second=_splits_on(a),
    )


def _tied(a: Side, b: Side) -> str | None:
    """What wins on one side is as good on the other, where an earlier column wins."""
    if a.winner.feature not in b.decision.tied:
        return None
    return message(
        "In {tree} {winner} and {feature} tie with {measured}, and the earlier column wins; {other}.",
        tree=b.name,
        winner=b.winner.feature,
        feature=a.winner.feature,
        measured=measured(b, b.winner),
        other=_splits_on(a),
    )


def _tests(a: Side, b: Side) -> str | None:
    """What wins on one side is tested in another form on the other."""
    feature = a.winner.feature
    rival = b.best_of(feature)
    if rival is None or a.test_of(feature) == b.test_of(feature):
        return None
    return message(
        "{tree_a} splits on {feature} by {split_a}, {measured_a}; {tree_b} could split on it by {split_b}, "
        "{measured_b}, but {winner} is better: {numbers}.",
        tree_a=a.name,
        feature=feature,
        split_a=split_form(a.winner.condition),
        measured_a=measured(a, a.winner),
        tree_b=b.name,
        split_b=split_form(rival.condition),
        measured_b=measured(b, rival),
        winner=b.winner.feature,
        numbers=_numbers(b),
    )


def _feature_costs(a: Side, b: Side) -> str | None:
    """One side counts the cost of features."""
    rival = b.best_of(a.winner.feature)
    if not SCORES[b.recipe.score].uses_costs or rival is None or (rival.cost == 1 and b.winner.cost == 1):
        return None
    return message(
        "{tree} counts the cost of features: {feature} costs {cost}, {measured}; {winner} costs {winner_cost}, "
        "{winner_measured}, and wins; {other}.",
        tree=b.name,
        feature=rival.feature,
        cost=amount(rival.cost),
        measured=measured(b, rival),
        winner=b.winner.feature,
        winner_cost=amount(b.winner.cost),
        winner_measured=measured(b, b.winner),
        other=_splits_on(a),
    )


def _ratio(a: Side, b: Side) -> str | None:
    """Gain against gain ratio: the same gain, divided by the split information."""
    rival = b.best_of(a.winner.feature)
    if (a.recipe.score, b.recipe.score) != ("gain", "gain_ratio") or rival is None or rival.gain_ratio is None:
        return None
    if abs(rival.gain - a.winner.gain) > 1e-9 or a.recipe.log_base != b.recipe.log_base:
        return None
    lost, won = distinct_texts(rival.gain_ratio, b.winner.score or 0.0)
    information = distinct_texts(rival.split_info)[0]
    return message(
        "{other}; {tree} divides that by the split information, {information}, which leaves {lost}, and splits on "
        "{winner} with {won}.",
        other=_splits_on(a),
        tree=b.name,
        information=_bits(information) if a.recipe.log_base == 2 else message("{nats} nats", nats=information),
        lost=lost,
        winner=b.winner.feature,
        won=won,
    )


def _bits(bits: str) -> str:
    return message("{bits} bits", bits=bits)


def _scores(a: Side, b: Side) -> str | None:
    """The sides compare different scores."""
    regression = a.node.tree.is_regression
    if (a.recipe.score, a.recipe.impurity_for(regression)) == (b.recipe.score, b.recipe.impurity_for(regression)):
        return None
    return message("{first}; {second}.", first=_compares(a, b.winner.feature), second=_compares(b, a.winner.feature))


def _compares(side: Side, rival_feature: str) -> str:
    """The score that a side compares, with its winner's value and the rival's."""
    rival = side.best_of(rival_feature)
    won, lost = distinct_texts(side.winner.score or 0.0, (rival.score if rival else None) or 0.0)
    return message(
        "{tree} compares by {measure}: {feature} {won}, {rival} {lost}",
        tree=side.name,
        measure=score_name(side),
        feature=side.winner.feature,
        won=won,
        rival=rival_feature,
        lost=lost,
    )


def _known_share(a: Side, b: Side) -> str | None:
    """Rows without a value are counted otherwise in the gain."""
    rival = b.best_of(a.winner.feature)
    if rival is None or a.recipe.missing == b.recipe.missing:
        return None
    return message(
        "Some rows lack a value of a feature: {policy_a}; {policy_b}; {first}; {second}, where {feature} has "
        "{measured}.",
        policy_a=POLICIES[a.recipe.missing].action(a.name),
        policy_b=POLICIES[b.recipe.missing].action(b.name),
        first=_splits_on(a),
        second=_splits_on(b),
        feature=rival.feature,
        measured=measured(b, rival),
    )


def _both_winners(a: Side, b: Side) -> str:
    """Both winners with their numbers."""
    return message("{first}; {second}.", first=_splits_on(a), second=_splits_on(b))


_REASONS: tuple[Callable[[Side, Side], str | None], ...] = (
    _of_file,
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
    return message(
        "{tree} splits on {feature}: {numbers}", tree=side.name, feature=side.winner.feature, numbers=_numbers(side)
    )


def _numbers(side: Side) -> str:
    condition = side.winner.condition
    split = split_form(condition)
    if _is_multiway(condition):
        split = message("{branches} branches", branches=condition.n_branches)
    return message("{split}, {measured}", split=split, measured=measured(side, side.winner))


def _is_multiway(condition: Condition) -> bool:
    return condition.kind in ("each_value", "bins") or condition.has_groups


def split_form(condition: Condition) -> str:
    """The form of a split in words.

    >>> split_form(Condition("age", "threshold", 4.5))
    'the threshold 4.5'
    >>> split_form(Condition("wind", "subset", None, (("weak", "none"), ("strong",))))
    '{weak, none} against the rest'
    """
    if condition.kind == "each_value":
        return message("a branch for each of {values} values", values=condition.n_branches)
    if condition.kind == "bins":
        return message("a branch for each of {intervals} intervals", intervals=condition.n_branches)
    if condition.has_groups:
        return message("a branch for each of {groups} groups of values", groups=condition.n_branches)
    if condition.tests_missing:
        return message("missing or not")
    if condition.threshold is not None:
        threshold = limit_text(condition.threshold, condition.is_strict, condition.scale)
        if condition.has_missing_branch:
            return message("the threshold {threshold} and a branch for missing values", threshold=threshold)
        return message("the threshold {threshold}", threshold=threshold)
    names = condition.branches[0]
    group = f"“{names[0]}”" if len(names) == 1 else set_text(names)
    return message("{group} against the rest", group=shortened(group, _LONGEST))


def score_name(side: Side) -> str:
    """What a side's features compete by."""
    if side.recipe.score == "decrease":
        return MEASURE_NAMES[IMPURITIES[side.recipe.impurity_for(side.node.tree.is_regression)].decrease]
    return MEASURE_NAMES[SCORES[side.recipe.score].compares]


def measured(side: Side, candidate: Candidate) -> str:
    """A candidate's number under the name of what its side goes by."""
    known = candidate.gain_ratio if SCORES[side.recipe.score].compares == GAIN_RATIO else candidate.score
    if known is None:
        return message("gain {number}", number=distinct_texts(candidate.gain)[0])
    return message("{measure} {number}", measure=score_name(side), number=distinct_texts(known)[0])


def distinct_texts(*values: float) -> list[str]:
    """Numbers as formulas end, or with as many more digits as they need to differ; large ones without decimals.

    >>> distinct_texts(0.99750), distinct_texts(0.26308, 0.26312), distinct_texts(0.5, 0.5), distinct_texts(0.0292226)
    (['0.998'], ['0.26308', '0.26312'], ['0.500', '0.500'], ['0.0292'])
    """
    for digits in range(3, 9):
        texts = [figure(value, digits) if abs(value) < 1000 else f"{value:,.0f}" for value in values]
        if len(set(texts)) == len({round(value, 12) for value in values}):
            break
    return texts
