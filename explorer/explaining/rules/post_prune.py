"""Rule post-pruning: every rule of a tree loses conditions by itself (Quinlan 1993, chapter 5; DEFINITIONS section 13).

A branch near the root can be pruned from a tree only with everything below it; a rule can lose any of its conditions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.errors import InputError
from explorer.explaining.node_rule import terms_of
from explorer.explaining.rules.from_tree import rules
from explorer.explaining.rules.matching import Rows, Step
from explorer.explaining.rules.rule import Estimate, Floats, Removal, Rule, RuleList
from explorer.growing.training_rows import training_rows_of
from explorer.pruning.error_bound import checked_confidence, upper_error
from explorer.tree.leaf_mixture import predictions_of_shares
from explorer.tree.metrics import targets_of
from explorer.tree.tree import Tree

SAME = 1e-12
"""Estimates that differ by less are equal."""


def post_prune_rules(
    tree: Tree,
    valid: Dataset | None = None,
    train: Dataset | None = None,
    only_if_better: bool = False,
    confidence: float = 0.25,
    limit: str = "release8",
) -> RuleList:
    """The rules of the open tree, each without the conditions that do not make it more accurate, best rules first.

    From each rule the condition goes whose removal gives the largest estimated accuracy (of equal ones the earliest),
    again and again, as long as the estimate does not fall, or with `only_if_better` as long as it rises. The estimate
    is the accuracy on the rows of `valid` that fulfil the rule; without them 1 − `upper_error` of its rows in `train`,
    at this `confidence` and `limit`. A rule that no row fulfils counts 0. Equal rules are merged; the first rule that
    a row fulfils answers it. The default is the heaviest class of the rows of `train` that fulfil none, the root's
    answer where there are none or `train` is not given. Raises InputError for numeric targets and without any rows.

    >>> from explorer import ID3, Dataset, grow, load_sample
    >>> data = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> found = post_prune_rules(grow(data, ID3), train=data, only_if_better=True)
    >>> found[0].words, found[0].prediction, round(found[0].accuracy, 3)       # 1 − U(0, 4) = 0.25^(1/4)
    ('Outlook = Overcast', 'Yes', 0.707)
    """
    checked_confidence(confidence, limit)
    if tree.is_regression:
        raise InputError(
            f"Rules are pruned by their accuracy, but the target '{tree.target}' is numeric: use the tree's own rules."
        )
    judge = _judge(tree, valid, train, confidence, limit)
    pruned, removals = [], list[Removal]()
    for rule in rules(tree):
        kept, rounds = _pruned(tree, rule, judge, only_if_better)
        pruned.append(judge.judged(replace(rule, steps=tuple(kept), terms=tuple(terms_of(tree, kept)))))
        removals.extend(rounds)
    found = _merged(sorted(pruned, key=lambda rule: -round(rule.accuracy or 0.0, 12)))
    return RuleList(tree, found, default_rule(tree, train, found), removals=tuple(removals))


@dataclass(frozen=True, eq=False)
class _Judge:
    """The rows that rules are judged by; a `confidence` where they are the training rows."""

    rows: Rows
    weights: Floats
    targets: NDArray[np.float64]
    n_classes: int
    confidence: float | None
    limit: str

    def estimates(self, parts: Floats, code: int) -> list[Estimate]:
        """The estimates of rules with one answer, that rows fulfil by these parts [rules, n]."""
        weight = parts @ self.weights
        wrong = np.clip(weight - parts @ (self.weights * (self.targets == code)), 0.0, weight)
        filled = np.where(weight > 0, weight, 1.0)
        rate = wrong / filled if self.confidence is None else upper_error(wrong, filled, self.confidence, self.limit)
        accuracy = np.where(weight > 0, 1.0 - rate, 0.0)
        return [Estimate(*numbers) for numbers in zip(weight.tolist(), wrong.tolist(), accuracy.tolist(), strict=True)]

    def judged(self, rule: Rule) -> Rule:
        """The rule with the weights of the rows that fulfil it, and its estimate."""
        part = self.rows.fit(rule.steps)
        stats = _by_class(self.targets, self.weights * part, self.n_classes)
        shares = tuple((stats / stats.sum()).tolist()) if stats.sum() > 0 else rule.shares
        found = self.estimates(part[None], rule.code)[0]
        return replace(rule, weight=found.rows, stats=tuple(stats.tolist()), shares=shares, accuracy=found.accuracy)


def _by_class(targets: NDArray[np.float64], weights: Floats, n_classes: int) -> Floats:
    known = targets >= 0
    return np.asarray(np.bincount(targets[known].astype(np.int64), weights[known], n_classes), dtype=np.float64)


def _judge(tree: Tree, valid: Dataset | None, train: Dataset | None, confidence: float, limit: str) -> _Judge:
    if valid is not None:
        targets, weights = targets_of(tree, valid)
        return _Judge(Rows(tree, valid), weights, targets, len(tree.classes), None, limit)
    if train is None:
        raise InputError("Rules are judged by rows: give validation rows as `valid`, or the training rows as `train`.")
    used, weights = _training(tree, train)
    return _Judge(Rows(tree, used), weights, used.y.astype(np.float64), len(tree.classes), confidence, limit)


def _training(tree: Tree, train: Dataset) -> tuple[Dataset, Floats]:
    """The rows that growing used, and their row weights."""
    used = training_rows_of(tree, train)
    factors = np.ones(len(tree.classes)) if tree.class_factors is None else tree.class_factors
    return used, np.asarray(used.weight_of_rows() / factors[used.y.astype(np.intp)], dtype=np.float64)


def _conditions(tree: Tree, steps: Sequence[Step]) -> list[list[Step]]:
    """The steps by what can be removed at once: a lower or an upper bound, or all tests on a feature's categories."""
    found: dict[tuple[int, int], list[Step]] = {}
    for node, branch in steps:
        feature = int(tree.feature[node])
        side = branch if tree.features[feature].test == "threshold" else 0
        found.setdefault((feature, side), []).append((node, branch))
    return list(found.values())


def _pruned(tree: Tree, rule: Rule, judge: _Judge, only_if_better: bool) -> tuple[list[Step], list[Removal]]:
    """The steps that a rule keeps, and the rounds that took the others."""
    conditions = _conditions(tree, rule.steps)
    words = [terms_of(tree, steps)[0].words for steps in conditions]
    parts = np.array([judge.rows.fit(steps) for steps in conditions]).reshape(len(conditions), judge.rows.n_rows)
    kept, rounds = list(range(len(conditions))), []
    while kept:
        whole, without = _left_out(parts[kept])
        before, *trials = judge.estimates(np.vstack([whole, without]), rule.code)
        place = _best(trials)
        gained = trials[place].accuracy - before.accuracy
        goes = gained > SAME if only_if_better else gained >= -SAME
        asked = tuple(words[one] for one in kept)
        rounds.append(Removal(rule.leaf, rule.prediction, asked, before, tuple(trials), place if goes else None))
        if not goes:
            break
        del kept[place]
    left = {step for one in kept for step in conditions[one]}
    return [step for step in rule.steps if step in left], rounds


def _best(trials: Sequence[Estimate]) -> int:
    """The first of the trials with the largest estimated accuracy."""
    largest = max(trial.accuracy for trial in trials)
    return next(place for place, trial in enumerate(trials) if trial.accuracy >= largest - SAME)


def _left_out(parts: Floats) -> tuple[Floats, Floats]:
    """The product of all rows of [m, n], and [m, n] the product of all but each one."""
    ones = np.ones((1, parts.shape[1]))
    before: Floats = np.multiply.accumulate(np.vstack([ones, parts]))
    after: Floats = np.multiply.accumulate(np.vstack([ones, parts[::-1]]))[::-1]
    return before[-1], before[:-1] * after[1:]


def _merged(found: Sequence[Rule]) -> tuple[Rule, ...]:
    """One rule for those with the same conditions and answer: the first, with the leaves of all."""
    merged: dict[object, Rule] = {}
    for rule in found:
        key = frozenset(rule.terms), rule.code
        merged[key] = replace(merged[key], leaves=(*merged[key].leaves, *rule.leaves)) if key in merged else rule
    return tuple(merged.values())


def default_rule(tree: Tree, train: Dataset | None, found: Sequence[Rule]) -> Rule:
    """The rule for rows that fulfil none of those found: the answer of such training rows, or the root's."""
    root = rules(tree).default
    if train is None:
        return root
    used, weights = _training(tree, train)
    known = Rows(tree, used)
    covered = np.any([known.fit(rule.steps) > 0 for rule in found], axis=0)
    stats = _by_class(used.y.astype(np.float64), np.where(covered, 0.0, weights), len(tree.classes))
    if not stats.sum() > 0:
        return root
    shares = stats / stats.sum()
    code = int(predictions_of_shares(shares[None], tree.costs)[0])
    prediction = replace(root, prediction=tree.classes[code], code=code, shares=tuple(shares.tolist()))
    return replace(prediction, weight=float(stats.sum()), stats=tuple(stats.tolist()))
