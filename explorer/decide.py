"""The decision at one node: every candidate with its numbers, the winner, and why each other one did not win."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import overload

import numpy as np

from explorer.candidates import Candidate, FeatureCandidates, make_candidate
from explorer.contest import Contest, hold_contest, statistics
from explorer.contingency import count_rows
from explorer.costs import NONE, Floats, row_weights
from explorer.dataset import Dataset
from explorer.description import SplitBits, bits_of_split
from explorer.errors import InputError
from explorer.limits import (
    EMPTY,
    NOT_BETTER,
    NOT_SHORTER,
    NOT_SIGNIFICANT,
    SPLIT,
    STOP_REASONS,
    Rules,
    rules_for,
    stop_before_search,
)
from explorer.parting import Part, grown_rows, part_at, send
from explorer.recipe import Recipe
from explorer.selection import has_ratio, scale_of, tie_margin
from explorer.stops import Chi2, chi2_test
from explorer.surrogates import Surrogate
from explorer.tree import Tree
from explorer.usage import Column, columns_for


class RankedCandidates(Sequence[Candidate]):
    """All candidates of a node, the chosen one first, then by score, those out of the contest last; made on demand."""

    def __init__(self, contest: Contest, recipe: Recipe, impurity: str, unit: float) -> None:
        """Rank without wording anything yet."""
        self._contest, self._impurity, self._unit = contest, impurity, unit
        self._score_unit, self._strict = 1.0, recipe.mean_gain_filter == "greater"
        if contest.features:
            self._score_unit = recipe.score_unit(contest.features[0].rules.regression)
        owner, place, key = [], [], []
        for i, found in enumerate(contest.features):
            inside = found.admissible & ~np.isnan(contest.scores[i])
            ranked = np.where(inside, -found.scores, 1e300)
            if i == contest.winner and contest.reason == SPLIT:
                ranked[found.best] = -np.inf
            owner.append(np.full(len(found), i))
            place.append(np.arange(len(found)))
            key.append(ranked)
        order = np.argsort(np.concatenate(key), kind="stable") if key else np.empty(0, np.intp)
        self._owner = np.concatenate(owner)[order] if owner else order
        self._place = np.concatenate(place)[order] if place else order

    def __len__(self) -> int:
        """How many candidates there are."""
        return len(self._owner)

    @overload
    def __getitem__(self, index: int) -> Candidate: ...
    @overload
    def __getitem__(self, index: slice) -> list[Candidate]: ...
    def __getitem__(self, index: int | slice) -> Candidate | list[Candidate]:
        """The candidate at a rank."""
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        return self.make(int(self._owner[index]), int(self._place[index]))

    def make(self, feature: int, which: int) -> Candidate:
        """Word one candidate of a feature."""
        found = self._contest.features[feature]
        reason = self._rejection(feature, which)
        return make_candidate(found, which, self._impurity, self._unit, self._score_unit, reason)

    def of_feature(self, name: str) -> list[Candidate]:
        """All candidates of one feature in the order of the tie rule (thresholds ascending)."""
        for i, found in enumerate(self._contest.features):
            if found.column.usage.name == name:
                return [self.make(i, which) for which in range(len(found))]
        return []

    def _rejection(self, feature: int, which: int) -> str | None:
        found = self._contest.features[feature]
        if not found.admissible[which]:
            return f"a branch has less than the {found.minimum:g} rows required"
        if found.n_thresholds and not found.gain[which] > 0:
            return "the penalty for choosing among thresholds leaves no gain"
        if np.isnan(self._contest.scores[feature]):
            if not has_ratio(found.split_info[which]):
                return "no gain ratio: all but no rows take one branch"
            below = "not above" if self._strict else "below"
            return f"gain {below} the mean gain {self._contest.mean_gain * self._unit:.4g}"
        return None


@dataclass(frozen=True, eq=False)
class Decision:
    """What was known at one node when its test was chosen.

    `margin` is the winner's lead in score over the best other feature, `tie` whether an equal candidate came later in
    order, `tied` the other features that are as good, `absent` why a feature has no candidate at all, `mean_gain` the
    mean of the features' best gains, by which gain ratios may be filtered. `chi2` tests the winner's branches against
    the classes, and `bits` tells them with and without the winner, whether or not the recipe stops by these (None
    without a winner, or for a numeric target). With pre-pruning, `validation_before` and `validation_after` are the
    tree's accuracy (mean squared error) on the validation rows without and with this split, when it was judged.
    """

    node: int
    n_rows: int
    impurity: float
    candidates: RankedCandidates
    chosen: Candidate | None
    stop_reason: str | None
    mean_gain: float | None
    margin: float | None
    tie: bool
    tied: tuple[str, ...]
    runner_up: Candidate | None
    absent: dict[str, str]
    surrogates: tuple[Surrogate, ...]
    """The tests that stand in for the node's own, best first, as they were kept while growing."""
    _contest: Contest = field(repr=False)
    chi2: Chi2 | None = None
    bits: SplitBits | None = None
    validation_before: float | None = None
    validation_after: float | None = None

    @cached_property
    def winner(self) -> Candidate | None:
        """The test that won the contest of the features, whether or not the node then stopped; None without one."""
        if self._contest.winner < 0:
            return None
        return self.candidates.make(self._contest.winner, self._contest.features[self._contest.winner].best)

    @cached_property
    def best(self) -> dict[str, Candidate]:
        """The best admissible candidate of every feature that has one, in feature order."""
        features = enumerate(self._contest.features)
        return {f.column.usage.name: self.candidates.make(i, f.best) for i, f in features if f.best >= 0}


def decide(tree: Tree, data: Dataset, node: int) -> Decision:
    """Search one node again, on the rows it had in training: milliseconds, and nothing needs to be kept for it.

    `data` is the data that the tree was grown on. Raises InputError for a node that does not exist.
    """
    tree.node(node)
    used = grown_rows(tree, data)
    if (used.target.name, used.classes) != (tree.target, tree.classes):
        raise InputError(
            f"The tree predicts '{tree.target}' and these rows '{used.target.name}': give its training part."
        )
    if abs(used.weight_of_rows().sum() - tree.weight[0]) > 1e-9 * tree.weight[0]:
        raise InputError("These are not the rows that the tree was grown on: give the training part.")
    columns = columns_for(used, tree.recipe)
    if [column.usage.name for column in columns] != [usage.name for usage in tree.features]:
        raise InputError("These rows have other features than the tree was grown on: give its training part.")
    rules = rules_for(tree.recipe, used, factors=NONE if tree.class_factors is None else tree.class_factors)
    part = part_at(tree, used, node)
    spent = spent_features(tree, node)
    if tree.stop[node] == EMPTY:
        return _empty_decision(tree, node)
    stats = statistics(used, part.rows, part.weights, rules)
    found, places, absent = [], [], {}
    for i, column in enumerate(columns):
        mean = stats[1] if rules.regression else 0.0
        counts = count_rows(column, part.rows, used.y, part.weights, rules, mean)
        if i in spent:
            absent[column.usage.name] = "already used on this path"
        elif len(counts.codes) < 2:
            absent[column.usage.name] = "one value only here" if len(counts.codes) else "missing in every row here"
        else:
            found.append(FeatureCandidates(column, counts, stats, rules))
            places.append(i)
    contest = hold_contest(found, stats, rules, float(used.weight_of_rows().sum()))
    pure = bool(np.ptp(used.y[part.rows]) == 0)
    reason = stop_before_search(rules, stats, pure, int(tree.depth[node]), len(columns) - len(spent)) or contest.reason
    if reason == SPLIT and tree.stop[node] in (NOT_SIGNIFICANT, NOT_SHORTER, NOT_BETTER):
        reason = tree.stop[node]
    decision = _describe(tree, node, len(part.rows), contest, int(reason), rules, absent)
    if contest.winner < 0 or rules.regression:
        return decision
    branches = _branch_stats(tree, node, contest, used, part, columns, places[contest.winner])
    bits = _bits(tree, contest, np.vstack([stats, branches]), len(columns) - len(spent))
    return replace(decision, chi2=chi2_test(row_weights(branches, tree.class_factors)), bits=bits)


def spent_features(tree: Tree, node: int) -> set[int]:
    """Features that an ancestor has used up by a branch for each value."""
    used = {int(tree.feature[step]) for step, _ in tree.path_to(node)}
    return {f for f in used if tree.features[f].test in ("each_value", "bins")}


def _describe(
    tree: Tree, node: int, n_rows: int, contest: Contest, reason: int, rules: Rules, absent: dict[str, str]
) -> Decision:
    regression = tree.is_regression
    if reason != SPLIT:
        contest = replace(contest, reason=reason)
    unit = tree.recipe.unit(regression)
    ranked = RankedCandidates(contest, tree.recipe, tree.recipe.impurity_for(regression), unit)
    chosen = runner_up = margin = None
    tied: tuple[str, ...] = ()
    tie = False
    if contest.winner >= 0 and reason == SPLIT:
        winner = contest.features[contest.winner]
        chosen = ranked.make(contest.winner, winner.best)
        others = np.where(np.arange(len(contest.scores)) == contest.winner, np.nan, contest.scores)
        if not np.isnan(others).all():
            second = int(np.nanargmax(others))
            runner_up = ranked.make(second, contest.features[second].best)
            lead = contest.scores[contest.winner] - others[second]
            margin = max(lead * tree.recipe.score_unit(regression), 0.0)
            limit = tie_margin(contest.scores[contest.winner], scale_of(rules.score, winner.impurity))
            equals = np.flatnonzero(others >= contest.scores[contest.winner] - limit)
            tied = tuple(contest.features[i].column.usage.name for i in equals)
        equal = winner.admissible & (winner.gain >= winner.gain[winner.best] - tie_margin(0.0, winner.impurity))
        tie = bool(tied) or int(equal.sum()) > 1
    return Decision(
        node=node,
        n_rows=n_rows,
        impurity=float(tree.impurity[node]),
        candidates=ranked,
        chosen=chosen,
        stop_reason=STOP_REASONS[reason] or None,
        mean_gain=contest.mean_gain * unit if contest.features else None,
        margin=margin,
        tie=tie,
        tied=tied,
        runner_up=runner_up,
        absent=absent,
        surrogates=tree.surrogates.at(node, tree.features) if tree.surrogates is not None else (),
        _contest=contest,
        validation_before=_validation(tree, node, 0),
        validation_after=_validation(tree, node, 1),
    )


def _branch_stats(
    tree: Tree, node: int, contest: Contest, used: Dataset, part: Part, columns: list[Column], place: int
) -> Floats:
    """Class weights of the winner's branches, [branches, K], with the rows that lack a value where they go."""
    if tree.feature[node] >= 0 and tree.origin is None:
        return tree.stats[list(tree.children_of(node))]
    classes = used.y[part.rows].astype(np.intp)
    winner = contest.features[contest.winner]
    parts = send(winner, part, columns, place, classes).parts
    return np.stack([statistics(used, below.rows, below.weights, winner.rules) for below in parts])


def _bits(tree: Tree, contest: Contest, stats: Floats, features: int) -> SplitBits:
    """The node with these class weights and its branches, [1 + branches, K], told in bits."""
    winner = contest.features[contest.winner]
    return bits_of_split(tree, stats, features, winner.column.test, len(winner.counts.codes))


def _validation(tree: Tree, node: int, which: int) -> float | None:
    if tree.validation is None or np.isnan(tree.validation[node, which]):
        return None
    return float(tree.validation[node, which])


def _empty_decision(tree: Tree, node: int) -> Decision:
    contest = Contest([], np.empty(0), -1, float("nan"), EMPTY)
    ranked = RankedCandidates(contest, tree.recipe, tree.recipe.impurity_for(tree.is_regression), 1.0)
    absent = {usage.name: "no training row comes here" for usage in tree.features}
    return Decision(node, 0, 0.0, ranked, None, STOP_REASONS[EMPTY], None, None, False, (), None, absent, (), contest)
