"""The decision at one node: every candidate with its numbers, the winner, and why each other one did not win."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from explorer.candidates.candidates import Candidate, FeatureCandidates
from explorer.candidates.competition import Competition, RankedCandidates, limit_of, select_split, statistics
from explorer.candidates.counts import Contingency, count_rows
from explorer.candidates.custom_split import CustomSplit, Profile, profile_of
from explorer.candidates.surrogates import Surrogate
from explorer.data.dataset import Dataset
from explorer.errors import InputError
from explorer.growing.constraints import closed_features, used_up_features
from explorer.growing.description_length import SplitBits, bits_of_split
from explorer.growing.engine.threads import shared_pool
from explorer.growing.node_rows import NodeRows, part_at, send
from explorer.growing.stopping import Chi2, chi2_test
from explorer.growing.training_rows import training_rows_of
from explorer.recipe.class_weights import NONE, Floats, as_row_weights
from explorer.recipe.columns import TESTS, TrainingColumn, columns_for
from explorer.recipe.condition import Condition, SplitRequest
from explorer.recipe.parameters import (
    EMPTY,
    LOCKED,
    NOT_BETTER,
    NOT_SHORTER,
    NOT_SIGNIFICANT,
    SPLIT,
    STOP_REASONS,
    GrowParameters,
    parameters_for,
    stop_before_search,
)
from explorer.recipe.split_score import scale_of, tie_margin
from explorer.tree.tree import Tree

ROWS_TO_LIST_IN_THREADS = 50_000
"""Below this many rows at a node, handing its columns to threads costs more than it saves."""


@dataclass(frozen=True, eq=False)
class Decision:
    """What was known at one node when its test was chosen.

    `margin` is the winner's lead in score over the best other feature, `tie` whether an equal candidate came later in
    order, `tied` the other features that are as good, `absent` why a feature has no candidate at all, `mean_gain` the
    mean of the features' best gains, by which gain ratios may be filtered. `chi2` tests the winner's branches against
    the classes, and `bits` tells them with and without it, whether or not the recipe stops by these (None without a
    test, or for a numeric target); where a person chose the test, they are about that one (`tested`). With pre-pruning,
    `validation_before` and `validation_after` are the tree's accuracy (mean squared error) on the validation rows
    without and with this split, when it was judged.
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
    _contest: Competition = field(repr=False)
    by_hand: bool = False
    """Whether a person chose the test, or made the node a leaf.

    `would_win` or `would_stop` is what would have come otherwise, by all rules but that of validation rows; `tie` and
    `tied` are then about `would_win`.
    """
    would_win: Candidate | None = None
    would_stop: str | None = None
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

    @property
    def tested(self) -> Candidate | None:
        """The test that χ² and bits are about: what a person chose, else the winner of the contest."""
        return self.chosen if self.by_hand and self.chosen is not None else self.winner

    @cached_property
    def best(self) -> dict[str, Candidate]:
        """The best admissible candidate of every feature that has one, in feature order."""
        features = enumerate(self._contest.features)
        return {f.column.encoding.name: self.candidates.make(i, f.best) for i, f in features if f.best >= 0}

    def trial(self, question: SplitRequest) -> Candidate:
        """The numbers of any test of a feature that is in the contest; InputError where it cannot part these rows.

        >>> from explorer import ID3, Dataset, SplitRequest, grow, load_sample
        >>> data = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
        >>> root = decide(grow(data, ID3), data, 0)
        >>> overcast = root.trial(SplitRequest("Outlook", "grouping", categories=("Overcast",)))
        >>> overcast.branch_stats.tolist(), round(overcast.gain, 3)      # 0.940 − 10/14 · 1
        ([[5.0, 5.0], [0.0, 4.0]], 0.226)
        """
        found = next((f for f in self._contest.features if f.column.encoding.name == question.feature), None)
        if found is None:
            why = self.absent.get(question.feature, "the tree has no such feature")
            raise InputError(f"'{question.feature}' has no test here: {why}. Ask for another feature.")
        given = CustomSplit(question, found.column, found.counts, found.stats, found.parameters)
        return self.candidates.word(given, given.best, limit_of(given, given.best))

    def profile(self, feature: str) -> Profile:
        """How the rows and the gains of a feature with a test are spread over its values."""
        found = next(f for f in self._contest.features if f.column.encoding.name == feature)
        return profile_of(found, self.candidates.unit)


def decide(tree: Tree, data: Dataset, node: int) -> Decision:
    """Search one node again, on the rows it had in training: milliseconds, and nothing needs to be kept for it.

    `data` is the data that the tree was grown on. Raises InputError for a node that does not exist.
    """
    tree.node(node)
    used = training_rows_of(tree, data)
    columns = columns_for(used, tree.recipe)
    if [column.encoding.name for column in columns] != [usage.name for usage in tree.features]:
        raise InputError("These rows have other features than the tree was grown on: give its training part.")
    if tree.stop[node] == EMPTY:
        return _empty_decision(tree, node)
    rules = parameters_for(tree.recipe, used, factors=NONE if tree.class_factors is None else tree.class_factors)
    part = part_at(tree, used, node)
    here = _Here(tree, node, used, columns, rules, part, statistics(used, part.rows, part.weights, rules))
    found, places, absent = here.search()
    contest = select_split(found, here.stats, rules, float(used.weight_of_rows().sum()))
    won = _Test(found[contest.winner], places[contest.winner]) if contest.winner >= 0 else None
    decision = _describe(tree, node, len(part.rows), contest, here.stop_reason(contest, won), rules, absent)
    tested = won
    if tree.node(node).is_forced:
        tested = here.asked()
        asked = decision.candidates.word(tested.found, tested.found.best, limit_of(tested.found, tested.found.best))
        decision = _by_hand(decision, replace(asked, condition=here.condition), None)
    elif tree.stop[node] == LOCKED:
        decision = _by_hand(decision, None, STOP_REASONS[LOCKED])
    if tested is None or rules.regression:
        return decision
    return replace(decision, chi2=here.chi2(tested), bits=here.bits(tested))


@dataclass(frozen=True)
class _Test:
    """The best test of a feature, or the one asked for, and the place of its column."""

    found: FeatureCandidates
    place: int
    kind: int | None = None

    @property
    def test(self) -> int:
        """The kind of test; the column's own unless a person chose another."""
        return self.found.column.test if self.kind is None else self.kind


@dataclass(frozen=True)
class _Here:
    """A node with the rows that it had in training and their statistics."""

    tree: Tree
    node: int
    used: Dataset
    columns: list[TrainingColumn]
    rules: GrowParameters
    part: NodeRows
    stats: Floats

    @cached_property
    def closed(self) -> dict[int, str]:
        """The features that may not be asked here, and why."""
        return closed_features(self.tree, self.node)

    @property
    def condition(self) -> Condition:
        """The test that the node was split by; only asked for where there is one."""
        found = self.tree.condition(self.node)
        assert found is not None, "a split node has a test"
        return found

    def counts(self, place: int) -> Contingency:
        """A column's counts at the node."""
        mean = self.stats[1] if self.rules.regression else 0.0
        return count_rows(self.columns[place], self.part.rows, self.used.y, self.part.weights, self.rules, mean)

    def search(self) -> tuple[list[FeatureCandidates], list[int], dict[str, str]]:
        """The features with a test to offer, their places among the columns, and why the others have none."""
        spread = shared_pool().map if len(self.part.rows) > ROWS_TO_LIST_IN_THREADS else map
        offers = list(enumerate(spread(self.offer, range(len(self.columns)))))
        found = [(place, offer) for place, offer in offers if not isinstance(offer, str)]
        absent = {self.columns[place].encoding.name: offer for place, offer in offers if isinstance(offer, str)}
        return [offer for _, offer in found], [place for place, _ in found], absent

    def offer(self, place: int) -> FeatureCandidates | str:
        """A column's tests here, or why it has none."""
        if place in self.closed:
            return self.closed[place]
        counts = self.counts(place)
        if len(counts.codes) < 2:
            return "one value only here" if len(counts.codes) else "missing in every row here"
        return FeatureCandidates(self.columns[place], counts, self.stats, self.rules)

    @property
    def is_by_hand(self) -> bool:
        """Whether a person decided the node."""
        return self.tree.node(self.node).is_forced or self.tree.stop[self.node] == LOCKED

    def stop_reason(self, contest: Competition, won: _Test | None) -> int:
        """Why the node is a leaf by the recipe; SPLIT where it is none."""
        pure = bool(np.ptp(self.used.y[self.part.rows]) == 0)
        depth, n_open = int(self.tree.depth[self.node]), len(self.columns) - len(self.closed)
        reason = int(stop_before_search(self.rules, self.stats, pure, depth, n_open)) or contest.reason
        stopped = int(self.tree.stop[self.node])
        if reason == SPLIT and self.is_by_hand and won is not None:
            return self.taken_back(won)
        return stopped if reason == SPLIT and stopped in (NOT_SIGNIFICANT, NOT_SHORTER, NOT_BETTER) else reason

    def taken_back(self, won: _Test) -> int:
        """Why χ² or bits would take back what won where a person decided otherwise; SPLIT if they would not."""
        recipe = self.tree.recipe
        if recipe.chi2_level is not None and self.chi2(won).p > recipe.chi2_level:
            return NOT_SIGNIFICANT
        return NOT_SHORTER if recipe.mdl_stop and not self.bits(won).is_shorter else SPLIT

    def asked(self) -> _Test:
        """The test that a person chose for the node."""
        place = int(self.tree.feature[self.node])
        given = CustomSplit(
            SplitRequest.of(self.condition), self.columns[place], self.counts(place), self.stats, self.rules
        )
        return _Test(given, place, TESTS[self.condition.kind])

    def branch_stats(self, tested: _Test) -> Floats:
        """Class weights of a test's branches, [branches, K], with the rows that lack a value where they go."""
        tree, is_own = self.tree, tested.kind is not None or not self.is_by_hand
        if is_own and tree.feature[self.node] >= 0 and tree.origin is None:
            return tree.stats[list(tree.children_of(self.node))]
        classes = self.used.y[self.part.rows].astype(np.intp)
        parts = send(tested.found, self.part, self.columns, tested.place, classes, self.closed).parts
        return np.stack([statistics(self.used, below.rows, below.weights, self.rules) for below in parts])

    def chi2(self, tested: _Test) -> Chi2:
        """A test's branches and the classes."""
        return chi2_test(as_row_weights(self.branch_stats(tested), self.tree.class_factors))

    def bits(self, tested: _Test) -> SplitBits:
        """The node and a test's branches in bits; a feature forbidden by hand counts as one to choose from."""
        features = len(self.columns) - len(used_up_features(self.tree, self.node))
        stats = np.vstack([self.stats, self.branch_stats(tested)])
        return bits_of_split(self.tree, stats, features, tested.test, len(tested.found.counts.codes))


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
        runner_up=None,
    )


def _describe(
    tree: Tree, node: int, n_rows: int, contest: Competition, reason: int, rules: GrowParameters, absent: dict[str, str]
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
            tied = tuple(contest.features[i].column.encoding.name for i in equals)
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


def _validation(tree: Tree, node: int, which: int) -> float | None:
    if tree.validation is None or np.isnan(tree.validation[node, which]):
        return None
    return float(tree.validation[node, which])


def _empty_decision(tree: Tree, node: int) -> Decision:
    contest = Competition([], np.empty(0), -1, float("nan"), EMPTY)
    ranked = RankedCandidates(contest, tree.recipe, tree.recipe.impurity_for(tree.is_regression), 1.0)
    absent = {usage.name: "no training row comes here" for usage in tree.features}
    return Decision(node, 0, 0.0, ranked, None, STOP_REASONS[EMPTY], None, None, False, (), None, absent, (), contest)
