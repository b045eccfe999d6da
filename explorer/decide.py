"""The decision at one node: every candidate with its numbers, the winner, and why each other one did not win."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import overload

import numpy as np

from explorer.candidates import Candidate, FeatureCandidates, make_candidate
from explorer.choices import Question
from explorer.contest import Contest, hold_contest, statistics
from explorer.contingency import count_rows
from explorer.costs import NONE, row_weights
from explorer.dataset import Dataset
from explorer.errors import InputError
from explorer.given import Given, Profile, profile_of
from explorer.limits import (
    EMPTY,
    LOCKED,
    NOT_BETTER,
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
from explorer.steering import forbidden_features
from explorer.stops import Chi2, chi2_test
from explorer.surrogates import Surrogate
from explorer.tree import Tree
from explorer.usage import USED_UP, Column, columns_for


class RankedCandidates(Sequence[Candidate]):
    """All candidates of a node, the chosen one first, then by score, those out of the contest last; made on demand."""

    def __init__(self, contest: Contest, recipe: Recipe, impurity: str, unit: float) -> None:
        """Rank without wording anything yet."""
        self._contest, self._impurity, self.unit = contest, impurity, unit
        self._score_unit = recipe.score_unit(regression=impurity == "variance")
        self._strict = recipe.mean_gain_filter == "greater"
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
        return self.word(self._contest.features[feature], which, self._rejection(feature, which))

    def word(self, found: FeatureCandidates, which: int, rejected: str | None) -> Candidate:
        """Word a test, its numbers in the recipe's unit."""
        return make_candidate(found, which, self._impurity, self.unit, self._score_unit, rejected)

    def of_feature(self, name: str) -> list[Candidate]:
        """All candidates of one feature in the order of the tie rule (thresholds ascending)."""
        for i, found in enumerate(self._contest.features):
            if found.column.usage.name == name:
                return [self.make(i, which) for which in range(len(found))]
        return []

    def _rejection(self, feature: int, which: int) -> str | None:
        found = self._contest.features[feature]
        if not found.admissible[which]:
            return _limit(found, which)
        if found.n_thresholds and not found.gain[which] > 0:
            return "the penalty for choosing among thresholds leaves no gain"
        if np.isnan(self._contest.scores[feature]):
            if not has_ratio(found.split_info[which]):
                return "no gain ratio: all but no rows take one branch"
            below = "not above" if self._strict else "below"
            return f"gain {below} the mean gain {self._contest.mean_gain * self.unit:.4g}"
        return None


def _limit(found: FeatureCandidates, which: int) -> str | None:
    """What the recipe's limits have against a test."""
    return None if found.admissible[which] else f"a branch has less than the {found.minimum:g} rows required"


@dataclass(frozen=True, eq=False)
class Decision:
    """What was known at one node when its test was chosen.

    `margin` is the winner's lead in score over the best other feature, `tie` whether an equal candidate came later in
    order, `tied` the other features that are as good, `absent` why a feature has no candidate at all, `mean_gain` the
    mean of the features' best gains, by which gain ratios may be filtered. `chi2` tests the winner's branches against
    the classes, whether or not the recipe stops by it (None without a winner, or for a numeric target). With
    pre-pruning, `validation_before` and `validation_after` are the tree's accuracy (mean squared error) on the
    validation rows without and with this split, when it was judged.
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
    by_hand: bool = False
    """Whether a person chose the test, or made the node a leaf; `would_win` or `would_stop` is what else had come."""
    would_win: Candidate | None = None
    would_stop: str | None = None
    chi2: Chi2 | None = None
    validation_before: float | None = None
    validation_after: float | None = None

    @cached_property
    def best(self) -> dict[str, Candidate]:
        """The best admissible candidate of every feature that has one, in feature order."""
        features = enumerate(self._contest.features)
        return {f.column.usage.name: self.candidates.make(i, f.best) for i, f in features if f.best >= 0}

    def trial(self, question: Question) -> Candidate:
        """The numbers of any test of a feature that is in the contest; InputError where it cannot part these rows.

        >>> from explorer import ID3, Dataset, Question, grow, load_sample
        >>> data = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
        >>> root = decide(grow(data, ID3), data, 0)
        >>> overcast = root.trial(Question("Outlook", "grouping", categories=("Overcast",)))
        >>> overcast.branch_stats.tolist(), round(overcast.gain, 3)      # 0.940 − 10/14 · 1
        ([[5.0, 5.0], [0.0, 4.0]], 0.226)
        """
        found = next((f for f in self._contest.features if f.column.usage.name == question.feature), None)
        if found is None:
            why = self.absent.get(question.feature, "the tree has no such feature")
            raise InputError(f"'{question.feature}' has no test here: {why}. Ask for another feature.")
        given = Given(question, found.column, found.counts, found.stats, found.rules)
        return self.candidates.word(given, given.best, _limit(given, given.best))

    def profile(self, feature: str) -> Profile:
        """How the rows and the gains of a feature with a test are spread over its values."""
        found = next(f for f in self._contest.features if f.column.usage.name == feature)
        return profile_of(found, self.candidates.unit)


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
    if tree.stop[node] == EMPTY:
        return _empty_decision(tree, node)
    rules = rules_for(tree.recipe, used, factors=NONE if tree.class_factors is None else tree.class_factors)
    part, closed = part_at(tree, used, node), closed_features(tree, node)
    stats = statistics(used, part.rows, part.weights, rules)
    found, places, absent = [], [], {}
    for i, column in enumerate(columns):
        counts = count_rows(column, part.rows, used.y, part.weights, rules, stats[1] if rules.regression else 0.0)
        if i in closed:
            absent[column.usage.name] = closed[i]
        elif len(counts.codes) < 2:
            absent[column.usage.name] = "one value only here" if len(counts.codes) else "missing in every row here"
        else:
            found.append(FeatureCandidates(column, counts, stats, rules))
            places.append(i)
    contest = hold_contest(found, stats, rules, float(used.weight_of_rows().sum()))
    pure = bool(np.ptp(used.y[part.rows]) == 0)
    reason = stop_before_search(rules, stats, pure, int(tree.depth[node]), len(columns) - len(closed)) or contest.reason
    if reason == SPLIT and tree.stop[node] in (NOT_SIGNIFICANT, NOT_BETTER):
        reason = tree.stop[node]
    decision = _describe(tree, node, len(part.rows), contest, int(reason), rules, absent)
    if contest.winner >= 0 and not rules.regression:
        chi2 = _independence(tree, node, contest, used, part, columns, places[contest.winner], closed)
        decision = replace(decision, chi2=chi2)
    if tree.node(node).is_forced:
        column, condition = columns[int(tree.feature[node])], tree.condition(node)
        assert condition is not None, "a forced node has a test"
        counts = count_rows(column, part.rows, used.y, part.weights, rules, stats[1] if rules.regression else 0.0)
        given = Given(Question.of(condition), column, counts, stats, rules)
        asked = decision.candidates.word(given, given.best, _limit(given, given.best))
        return _by_hand(decision, replace(asked, condition=condition), None)
    return _by_hand(decision, None, STOP_REASONS[LOCKED]) if tree.stop[node] == LOCKED else decision


def _by_hand(decision: Decision, chosen: Candidate | None, stop_reason: str | None) -> Decision:
    """The decision with what a person made of it, beside what would have come otherwise."""
    return replace(
        decision,
        chosen=chosen,
        stop_reason=stop_reason,
        by_hand=True,
        would_win=decision.chosen,
        would_stop=decision.stop_reason,
        margin=None,
        tie=False,
        tied=(),
        runner_up=None,
    )


def closed_features(tree: Tree, node: int) -> dict[int, str]:
    """The features that may not be asked at a node and why: used up by a branch for each value above, or forbidden."""
    tests = [(int(tree.feature[step]), tree.condition(step)) for step, _ in tree.path_to(node)]
    closed = {f: "already used on this path" for f, test in tests if test is not None and test.kind in USED_UP}
    forbidden = forbidden_features(tree, node)
    return closed | {f: "forbidden by hand" for f, usage in enumerate(tree.features) if usage.name in forbidden}


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


def _independence(
    tree: Tree, node: int, contest: Contest, used: Dataset, part: Part, columns: list[Column], place: int,
    closed: Container[int],
) -> Chi2:  # fmt: skip
    """The χ² test of the winner's branches, with the rows that lack a value where they go, against the classes."""
    if tree.feature[node] >= 0 and tree.origin is None:
        return chi2_test(tree.row_stats[list(tree.children_of(node))])
    classes = used.y[part.rows].astype(np.intp)
    winner = contest.features[contest.winner]
    parts = send(winner, part, columns, place, classes, closed).parts
    stats = np.stack([statistics(used, below.rows, below.weights, winner.rules) for below in parts])
    return chi2_test(row_weights(stats, tree.class_factors))


def _validation(tree: Tree, node: int, which: int) -> float | None:
    if tree.validation is None or np.isnan(tree.validation[node, which]):
        return None
    return float(tree.validation[node, which])


def _empty_decision(tree: Tree, node: int) -> Decision:
    contest = Contest([], np.empty(0), -1, float("nan"), EMPTY)
    ranked = RankedCandidates(contest, tree.recipe, tree.recipe.impurity_for(tree.is_regression), 1.0)
    absent = {usage.name: "no training row comes here" for usage in tree.features}
    return Decision(node, 0, 0.0, ranked, None, STOP_REASONS[EMPTY], None, None, False, (), None, absent, (), contest)
