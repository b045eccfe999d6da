"""Rule post-pruning: removes conditions from each rule of a tree (Quinlan 1993, chapter 5; DEFINITIONS section 13).

Pruning a tree removes a split only with the whole subtree below it. In a rule any condition can be removed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.errors import InputError
from explorer.explaining.node_rule import terms_of
from explorer.explaining.rules.containment import split_off_idle
from explorer.explaining.rules.from_tree import root_rule, rules
from explorer.explaining.rules.matching import Rows, Step
from explorer.explaining.rules.rule import Estimate, Floats, Removal, Rule, RuleList
from explorer.growing.training_rows import training_rows_of
from explorer.messages import message
from explorer.pruning.error_bound import checked_confidence, lower_accuracy, upper_error
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
    """The rules of the pruned tree, each without the conditions that do not improve its accuracy, best rules first.

    Each round removes the condition whose removal gives the largest estimated accuracy (of equal ones the earliest).
    Rounds go on as long as the estimate does not fall, or with `only_if_better` as long as it rises. The estimate is
    the accuracy on the rows of the validation set `valid` that fulfil the rule; without `valid` it is 1 − `upper_error`
    of the rule's rows in the training set `train`, at this `confidence` and `limit`. It is 0 for a rule that no row
    fulfils. Equal rules are merged, and rules that can never decide, as an earlier rule has all of their rows, are
    left out (`RuleList.left_out`). The first rule that a row fulfils predicts it. The default predicts the heaviest
    class of the rows of `train` that fulfil no rule, or as the root where there are none or `train` is not given.
    Raises InputError for numeric targets and where both sets are missing.

    >>> from explorer import ID3, Dataset, grow, load_sample
    >>> data = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> pruned = post_prune_rules(grow(data, ID3), train=data, only_if_better=True)
    >>> pruned[0].words, pruned[0].prediction, round(pruned[0].accuracy, 3)    # 1 − U(0, 4) = 0.25^(1/4)
    ('Outlook = Overcast', 'Yes', 0.707)
    """
    checked_confidence(confidence, limit)
    if tree.is_regression:
        raise InputError(
            message(
                "Rules are pruned by their accuracy, but the target '{target}' is numeric. Use the rules of the tree.",
                target=tree.target,
            )
        )
    evaluator = _evaluator(tree, valid, train, confidence, limit)
    pruned, removals = [], list[Removal]()
    for rule in rules(tree):
        steps, rounds = _pruned(tree, rule, evaluator, only_if_better)
        pruned.append(evaluator.evaluated(replace(rule, steps=tuple(steps), terms=tuple(terms_of(tree, steps)))))
        removals.extend(rounds)
    merged = _merged(sorted(pruned, key=lambda rule: -round(rule.accuracy or 0.0, 12)))
    listed, left_out = split_off_idle(tree, merged)
    default = evaluator.rest(default_rule(tree, train, listed), listed)
    missing = _has_missing(tree, train if valid is None else valid)
    return RuleList(tree, listed, default, (), tuple(removals), valid is not None, missing, left_out)


def _has_missing(tree: Tree, rows: Dataset | None) -> bool:
    """Whether rows lack a value of a feature that the tree tests."""
    if rows is None:
        return False
    tested = {tree.features[feature].name for feature in tree.feature[tree.is_inner].tolist()}
    return bool(rows.frame[[name for name in rows.frame.columns if name in tested]].isna().to_numpy().any())


@dataclass(frozen=True, eq=False)
class _Evaluator:
    """The rows that rules are evaluated on; the estimate is pessimistic where they are the training set."""

    rows: Rows
    weights: Floats
    targets: NDArray[np.float64]
    n_classes: int
    is_pessimistic: bool
    confidence: float
    limit: str

    _rates: dict[tuple[float, float], float] = field(default_factory=dict)
    """Upper limits of the error by (wrong, rows): most leaves of a full tree have the same counts."""

    def estimate(self, steps: Sequence[Step], code: int) -> Estimate:
        """The estimate of the rule with these steps that predicts this class."""
        weight, stats = self.stats(steps)
        return self._estimate(weight, float(stats[code]))

    def stats(self, steps: Sequence[Step]) -> tuple[float, Floats]:
        """The weight of the rows that fulfil these steps, and the part of it in each class, [K]."""
        if not steps:
            return self._all_rows
        match = self.rows.fulfilling(steps)
        weights = self.weights[match.rows] * match.parts
        return float(weights.sum()), _by_class(self.targets[match.rows], weights, self.n_classes)

    @cached_property
    def _all_rows(self) -> tuple[float, Floats]:
        return float(self.weights.sum()), _by_class(self.targets, self.weights, self.n_classes)

    def _estimate(self, weight: float, right: float) -> Estimate:
        wrong = min(max(weight - right, 0.0), weight)
        if weight <= 0:
            return Estimate(weight, wrong, 0.0)
        return Estimate(weight, wrong, 1.0 - (self._upper(wrong, weight) if self.is_pessimistic else wrong / weight))

    def _upper(self, wrong: float, weight: float) -> float:
        if (wrong, weight) not in self._rates:
            self._rates[wrong, weight] = upper_error(wrong, weight, self.confidence, self.limit)
        return self._rates[wrong, weight]

    def evaluated(self, rule: Rule) -> Rule:
        """The rule with the weights of the rows that fulfil it, and its estimate."""
        return self._counted(rule, *self.stats(rule.steps))

    def _counted(self, rule: Rule, weight: float, stats: Floats) -> Rule:
        shares = tuple((stats / stats.sum()).tolist()) if stats.sum() > 0 else rule.shares
        estimate = self._estimate(weight, float(stats[rule.code]))
        return replace(
            rule,
            weight=estimate.rows,
            stats=tuple(stats.tolist()),
            shares=shares,
            accuracy=estimate.accuracy,
            lower_bound=1.0 - self._upper(estimate.wrong, estimate.rows) if estimate.rows > 0 else 0.0,
        )

    def rest(self, default: Rule, rule_list: Sequence[Rule]) -> Rule:
        """The default with the weights of the rows that fulfil no rule of the list."""
        free = ~_covered(self.rows, rule_list)
        weight = float(self.weights[free].sum())
        stats = _by_class(self.targets[free], self.weights[free], self.n_classes)
        return replace(self._counted(default, weight, stats), accuracy=None)


def _by_class(targets: NDArray[np.float64], weights: Floats, n_classes: int) -> Floats:
    known = targets >= 0
    return np.asarray(np.bincount(targets[known].astype(np.int64), weights[known], n_classes), dtype=np.float64)


def _evaluator(tree: Tree, valid: Dataset | None, train: Dataset | None, confidence: float, limit: str) -> _Evaluator:
    if valid is not None:
        targets, weights = targets_of(tree, valid)
        return _Evaluator(Rows(tree, valid), weights, targets, len(tree.classes), False, confidence, limit)
    if train is None:
        raise InputError(
            message("Rules are evaluated on rows. Give the validation set as `valid` or the training set as `train`.")
        )
    used, weights = _training_rows(tree, train)
    return _Evaluator(Rows(tree, used), weights, used.y.astype(np.float64), len(tree.classes), True, confidence, limit)


def _training_rows(tree: Tree, train: Dataset) -> tuple[Dataset, Floats]:
    """The rows that growing used, and their row weights."""
    used = training_rows_of(tree, train)
    factors = np.ones(len(tree.classes)) if tree.class_factors is None else tree.class_factors
    return used, np.asarray(used.weight_of_rows() / factors[used.y.astype(np.intp)], dtype=np.float64)


def _conditions(tree: Tree, steps: Sequence[Step]) -> list[list[Step]]:
    """The steps of each condition: a lower bound, an upper bound, or all tests on a feature's categories."""
    conditions: dict[tuple[int, int], list[Step]] = {}
    for node, branch in steps:
        feature = int(tree.feature[node])
        side = branch if tree.features[feature].test == "threshold" else 0
        conditions.setdefault((feature, side), []).append((node, branch))
    return list(conditions.values())


def _pruned(tree: Tree, rule: Rule, evaluator: _Evaluator, only_if_better: bool) -> tuple[list[Step], list[Removal]]:
    """The steps that a rule keeps, and the rounds that removed the others."""
    conditions = _conditions(tree, rule.steps)
    words = [terms_of(tree, steps)[0].words for steps in conditions]
    kept, rounds = list(range(len(conditions))), []

    def steps_of(some: Sequence[int]) -> list[Step]:
        return [step for condition in some for step in conditions[condition]]

    while kept:
        before = evaluator.estimate(steps_of(kept), rule.code)
        trials = [evaluator.estimate(steps_of([other for other in kept if other != c]), rule.code) for c in kept]
        best = _best(trials)
        gain = trials[best].accuracy - before.accuracy
        is_removed = gain > SAME if only_if_better else gain >= -SAME
        kept_words = tuple(words[condition] for condition in kept)
        removed = best if is_removed else None
        rounds.append(Removal(rule.leaf, rule.prediction, kept_words, before, tuple(trials), removed))
        if not is_removed:
            break
        del kept[best]
    kept_steps = set(steps_of(kept))
    return [step for step in rule.steps if step in kept_steps], rounds


def _best(trials: Sequence[Estimate]) -> int:
    """The index of the trial with the largest estimated accuracy; of equal ones the first."""
    largest = max(trial.accuracy for trial in trials)
    return next(index for index, trial in enumerate(trials) if trial.accuracy >= largest - SAME)


def _merged(rule_list: Sequence[Rule]) -> tuple[Rule, ...]:
    """Merges rules with the same conditions and prediction into the first, with the leaves of all."""
    merged: dict[object, Rule] = {}
    for rule in rule_list:
        key = frozenset(rule.terms), rule.code
        merged[key] = replace(merged[key], leaves=(*merged[key].leaves, *rule.leaves)) if key in merged else rule
    return tuple(merged.values())


def _covered(rows: Rows, rule_list: Sequence[Rule]) -> NDArray[np.bool_]:
    """Whether each row fulfils a rule of the list, wholly or in part, [n]."""
    covered = np.zeros(rows.n_rows, dtype=bool)
    for _, match in rows.matches([rule.steps for rule in rule_list]):
        covered[match.rows] = True
    return covered


def default_rule(tree: Tree, train: Dataset | None, rule_list: Sequence[Rule]) -> Rule:
    """The rule for rows that fulfil no rule of the list: the prediction of such training rows, or the root's."""
    root = root_rule(tree)
    if train is None:
        return root
    used, weights = _training_rows(tree, train)
    covered = _covered(Rows(tree, used), rule_list)
    stats = _by_class(used.y.astype(np.float64), np.where(covered, 0.0, weights), len(tree.classes))
    if not stats.sum() > 0:
        return root
    shares = stats / stats.sum()
    code = int(predictions_of_shares(shares[None], tree.deciding_costs)[0])
    prediction = replace(root, prediction=tree.classes[code], code=code, shares=tuple(shares.tolist()))
    weight = float(stats.sum())
    bound = lower_accuracy(max(weight - float(stats[code]), 0.0), weight)
    return replace(prediction, weight=weight, stats=tuple(stats.tolist()), lower_bound=bound)
