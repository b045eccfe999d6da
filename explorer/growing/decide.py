"""The decision at one node: every candidate with its numbers, the winner, and why the others did not win."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from explorer.candidates.candidates import NO_BOUNDS, Candidate, FeatureCandidates, can_split
from explorer.candidates.competition import (
    Competition,
    RankedCandidates,
    drawn_features,
    limit_of,
    select_split,
    statistics,
)
from explorer.candidates.counts import Bools, Contingency, count_rows
from explorer.candidates.custom_split import CustomSplit, Profile, profile_of
from explorer.candidates.surrogates import Surrogate
from explorer.candidates.threshold import draw_threshold
from explorer.data.dataset import Dataset
from explorer.errors import InputError
from explorer.growing.constraints import excluded_features, used_up_features
from explorer.growing.description_length import SplitBits, bits_of_split
from explorer.growing.engine.threads import shared_pool
from explorer.growing.node_rows import NodeRows, node_rows_at, split_rows
from explorer.growing.stopping import Chi2, chi2_test
from explorer.growing.training_rows import training_rows_of
from explorer.messages import message
from explorer.recipe.class_weights import NONE, Floats, as_row_weights
from explorer.recipe.columns import TESTS, TrainingColumn, columns_for, empty_columns
from explorer.recipe.condition import Condition, SplitRequest
from explorer.recipe.monotone import Bounds, value_of
from explorer.recipe.parameters import (
    BELOW_GAMMA,
    EMPTY,
    LOCKED,
    MOST_LEAVES,
    NOT_BETTER,
    NOT_SHORTER,
    NOT_SIGNIFICANT,
    SPLIT,
    STOP_REASONS,
    GrowParameters,
    parameters_for,
    stop_before_search,
)
from explorer.recipe.remarks import Remark
from explorer.recipe.split_score import BY_NEWTON, scale_of, tie_margin
from explorer.tree.tree import Tree

_UNDONE = (NOT_SIGNIFICANT, NOT_SHORTER, NOT_BETTER, BELOW_GAMMA, MOST_LEAVES)
"""Why the split of a node was undone after growing."""
ROWS_TO_LIST_IN_THREADS = 50_000
"""Below this many rows at a node, handing its columns to threads costs more than it saves."""


@dataclass(frozen=True, eq=False)
class Decision:
    """The candidates at one node and how its split was chosen.

    `stop` is the code of why the node was not split (SPLIT where it was), `stop_reason` its words.
    `margin` is the winner's lead in score over the best other feature, `tie` whether an equal candidate came later in
    order, `tied` the other features that are as good, `absent` why a feature has no candidate at all, `mean_gain` the
    mean of the features' best gains, by which gain ratios may be filtered. `chi2` tests the winner's branches against
    the classes, and `bits` is their description length with and without it, whether or not the recipe stops by these
    (None without a test, or for a numeric target). Where a person chose the test, they are about that test (`tested`).
    With pre-pruning, `validation_before` and `validation_after` are the tree's accuracy (mean squared error) on the
    validation set without and with this split, when it was compared.
    """

    node: int
    n_rows: int
    impurity: float
    candidates: RankedCandidates
    chosen: Candidate | None
    stop: int
    mean_gain: float | None
    margin: float | None
    tie: bool
    tied: tuple[str, ...]
    runner_up: Candidate | None
    absences: dict[str, Remark]
    surrogates: tuple[Surrogate, ...]
    """The surrogates of the node's own test, best first, as they were kept while growing."""
    _competition: Competition = field(repr=False)
    by_hand: bool = False
    """Whether a person chose the test, or made the node a leaf.

    `would_win` or `would_stop` (its code: `own_stop`) is what the recipe would have done, but for its stop by
    validation rows; `tie` and `tied` are then about `would_win`.
    """
    would_win: Candidate | None = None
    own_stop: int = SPLIT
    chi2: Chi2 | None = None
    bits: SplitBits | None = None
    validation_before: float | None = None
    validation_after: float | None = None

    @property
    def stop_reason(self) -> str | None:
        """Why the node was not split, in the language in force; None where it was."""
        return STOP_REASONS[self.stop] or None

    @property
    def would_stop(self) -> str | None:
        """Why the recipe would not have split a node that a person decided; None where it would have."""
        return STOP_REASONS[self.own_stop] or None

    @property
    def absent(self) -> dict[str, str]:
        """Why each feature without a candidate has none, in the language in force."""
        return {name: reason.text for name, reason in self.absences.items()}

    @cached_property
    def winner(self) -> Candidate | None:
        """The test that won the competition of the features, whether or not the node then stopped; None without one."""
        if self._competition.winner < 0:
            return None
        return self.candidates.make(self._competition.winner, self._competition.features[self._competition.winner].best)

    @property
    def tested(self) -> Candidate | None:
        """The test that χ² and bits are about: what a person chose, else the winner of the competition."""
        return self.chosen if self.by_hand and self.chosen is not None else self.winner

    @cached_property
    def best(self) -> dict[str, Candidate]:
        """The best admissible candidate of every feature that has one, in feature order.

        A feature whose candidates all violate monotone constraints has the one with the largest gain.
        """
        features = enumerate(self._competition.features)
        best = ((i, f, f.best if f.best >= 0 else f.best_violating) for i, f in features)
        return {f.column.encoding.name: self.candidates.make(i, which) for i, f, which in best if which >= 0}

    def try_split(self, request: SplitRequest) -> Candidate:
        """The numbers of any split on a feature that has candidates; InputError where it cannot divide these rows.

        >>> from explorer import ID3, Dataset, SplitRequest, grow, load_sample
        >>> data = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
        >>> root = decide(grow(data, ID3), data, 0)
        >>> overcast = root.try_split(SplitRequest("Outlook", "grouping", categories=("Overcast",)))
        >>> overcast.branch_stats.tolist(), round(overcast.gain, 3)      # 0.940 − 10/14 · 1
        ([[5.0, 5.0], [0.0, 4.0]], 0.226)
        """
        candidates = self._candidates_of(request.feature)
        if candidates is None:
            reason = self.absent.get(request.feature, message("the tree has no such feature"))
            raise InputError(
                message(
                    "'{feature}' has no candidate split at this node: {reason}. Choose another feature.",
                    feature=request.feature,
                    reason=reason,
                )
            )
        custom_split = CustomSplit(
            request,
            candidates.column,
            candidates.counts,
            candidates.stats,
            candidates.parameters,
            candidates.bounds,
        )
        return self.candidates.word(custom_split, custom_split.best, limit_of(custom_split, custom_split.best))

    def profile(self, feature: str) -> Profile:
        """The distribution of rows and gains over the values of a feature that has a test."""
        candidates = self._candidates_of(feature)
        assert candidates is not None, "a feature with a test has candidates"
        return profile_of(candidates, self.candidates.unit)

    def _candidates_of(self, feature: str) -> FeatureCandidates | None:
        """The candidates of one feature, None where it has none."""
        return next((f for f in self._competition.features if f.column.encoding.name == feature), None)


def decide(tree: Tree, data: Dataset, node: int) -> Decision:
    """Search one node again, on the rows it had in training: milliseconds, and nothing needs to be kept for it.

    `data` is the data that the tree was grown on. Raises InputError for a node that does not exist.
    """
    search = node_search(tree, data, node)
    if search is None:
        return _empty_decision(tree, node)
    parameters = search.parameters

    # What the recipe decides: the best candidate of every feature, the winner among them, and whether the node stops.
    features, column_indices, absent = search.feature_candidates()
    total_weight = float(search.used.weight_of_rows().sum())
    competition = select_split(features, search.stats, parameters, total_weight, is_drawn=search.drawn(features))
    winner = None
    if competition.winner >= 0:
        winner = TestedSplit(features[competition.winner], column_indices[competition.winner])
    reason = search.stop_reason(competition, winner)
    decision = _describe(tree, node, len(search.at_node.rows), competition, reason, parameters, absent)

    # What a person decided instead.
    tested = winner
    if tree.node(node).is_forced:
        tested = search.forced_split()
        split = tested.candidates
        chosen = decision.candidates.word(split, split.best, limit_of(split, split.best))
        decision = _by_hand(decision, replace(chosen, condition=search.condition), SPLIT)
    elif tree.stop[node] == LOCKED:
        decision = _by_hand(decision, None, LOCKED)
    if tested is None or parameters.regression:
        return decision
    return replace(decision, chi2=search.chi2(tested), bits=search.bits(tested))


def node_search(tree: Tree, data: Dataset, node: int) -> NodeSearch | None:
    """A node with its training rows, ready to be searched; None for an empty branch."""
    tree.node(node)
    used = training_rows_of(tree, data)
    columns = columns_for(used, tree.recipe)
    if [column.encoding.name for column in columns] != [usage.name for usage in tree.features]:
        raise InputError(message("These rows have other features than the tree was grown on: give its training set."))
    if tree.stop[node] == EMPTY:
        return None
    parameters = parameters_for(tree.recipe, used, factors=NONE if tree.class_factors is None else tree.class_factors)
    at_node = node_rows_at(tree, used, node)
    stats = statistics(used, at_node.rows, at_node.weights, parameters)
    return NodeSearch(tree, node, used, columns, parameters, at_node, stats)


@dataclass(frozen=True)
class TestedSplit:
    """The best test of a feature, or the one a person chose, and the index of its column."""

    candidates: FeatureCandidates
    column_index: int
    kind: int | None = None

    @property
    def test(self) -> int:
        """The kind of test; the column's own unless a person chose another."""
        return self.candidates.column.test if self.kind is None else self.kind


@dataclass(frozen=True)
class NodeSearch:
    """A node with the rows that it had in training and their statistics."""

    tree: Tree
    node: int
    used: Dataset
    columns: list[TrainingColumn]
    parameters: GrowParameters
    at_node: NodeRows
    stats: Floats

    @cached_property
    def excluded(self) -> dict[int, Remark]:
        """The features that the node may not test, and why."""
        return excluded_features(self.tree, self.node)

    @cached_property
    def bounds(self) -> Bounds:
        """Between which values its branches must lie, by the monotone constraints above it."""
        bounds = NO_BOUNDS
        for above, branch in self.tree.path_to(self.node) if self.parameters.monotone else ():
            sign = self.columns[int(self.tree.feature[above])].monotone
            if sign:
                values = (value_of(self.parameters, self.tree.stats[child]) for child in self.tree.children_of(above))
                bounds = bounds.below(sign, branch, *map(float, values))
        return bounds

    @property
    def n_features(self) -> int:
        """How many features are left that the node may test; those without any value do not count."""
        return len(self.columns) - len(self.excluded.keys() | empty_columns(self.columns))

    @property
    def condition(self) -> Condition:
        """The test that the node was split by; only read where there is one."""
        condition = self.tree.condition(self.node)
        assert condition is not None, "a split node has a test"
        return condition

    def counts(self, column_index: int) -> Contingency:
        """A column's counts at the node."""
        mean = self.stats[1] if self.parameters.regression else 0.0
        rows, weights = self.at_node.rows, self.at_node.weights
        return count_rows(self.columns[column_index], rows, self.used.y, weights, self.parameters, mean)

    def feature_candidates(self) -> tuple[list[FeatureCandidates], list[int], dict[str, Remark]]:
        """The features that have candidates, their column indices, and why the others have none."""
        map_columns = shared_pool().map if len(self.at_node.rows) > ROWS_TO_LIST_IN_THREADS else map
        features, column_indices, absent = list[FeatureCandidates](), list[int](), dict[str, Remark]()
        for index, candidates in enumerate(map_columns(self.candidates_of, range(len(self.columns)))):
            if isinstance(candidates, FeatureCandidates):
                candidates = self.with_drawn_threshold(candidates, len(features))
                features.append(candidates)
                column_indices.append(index)
            else:
                absent[self.columns[index].encoding.name] = candidates
        return features, column_indices, absent

    def candidates_of(self, column_index: int) -> FeatureCandidates | Remark:
        """A column's candidates at the node, or why it has none."""
        return self.excluded[column_index] if column_index in self.excluded else self.candidates_in(column_index)

    def candidates_in(self, column_index: int) -> FeatureCandidates | Remark:
        """The same for a column that the node may test."""
        counts = self.counts(column_index)
        if not can_split(self.columns[column_index], counts, self.parameters):
            return Remark("one_value" if len(counts.codes) else "all_missing")
        return FeatureCandidates(self.columns[column_index], counts, self.stats, self.parameters, bounds=self.bounds)

    @cached_property
    def path(self) -> tuple[int, ...]:
        """The branches from the root to the node, by which it draws features and thresholds."""
        return tuple(branch for _, branch in self.tree.path_to(self.node))

    def drawn(self, features: list[FeatureCandidates]) -> Bools | None:
        """Which of the features with candidates the node drew; None where all compete."""
        return drawn_features(len(features), self.path, self.parameters)

    def with_drawn_threshold(self, candidates: FeatureCandidates, position: int) -> FeatureCandidates:
        """The candidates of a numeric feature with the threshold that the node drew, where it draws thresholds."""
        column, counts = candidates.column, candidates.counts
        drawn = draw_threshold(column, counts, self.path, position, self.parameters)
        if drawn is None:
            return candidates
        return FeatureCandidates(column, counts, self.stats, self.parameters, drawn, self.bounds)

    @property
    def is_by_hand(self) -> bool:
        """Whether a person decided the node."""
        return self.tree.node(self.node).is_forced or self.tree.stop[self.node] == LOCKED

    def stop_reason(self, competition: Competition, winner: TestedSplit | None) -> int:
        """Why the node is a leaf by the recipe; SPLIT where it is none."""
        is_pure = bool(np.ptp(self.used.y[self.at_node.rows]) == 0)
        depth = int(self.tree.depth[self.node])
        reason = int(stop_before_search(self.parameters, self.stats, is_pure, depth, self.n_features))
        reason = reason or competition.reason
        stopped = int(self.tree.stop[self.node])
        if reason == SPLIT and self.is_by_hand and winner is not None:
            return self.reason_to_undo(winner)
        return stopped if reason == SPLIT and stopped in _UNDONE else reason

    def reason_to_undo(self, winner: TestedSplit) -> int:
        """Why χ² or bits would undo the winning split where a person decided otherwise; SPLIT if they would not."""
        recipe = self.tree.recipe
        by_p = recipe.score == "p_value"
        if recipe.chi2_level is not None and not by_p and self.chi2(winner).p > recipe.chi2_level:
            return NOT_SIGNIFICANT
        return NOT_SHORTER if recipe.mdl_stop and not self.bits(winner).is_shorter else SPLIT

    def forced_split(self) -> TestedSplit:
        """The test that a person chose for the node."""
        column_index, request = int(self.tree.feature[self.node]), SplitRequest.of(self.condition)
        counts = self.counts(column_index)
        column = self.columns[column_index]
        custom_split = CustomSplit(request, column, counts, self.stats, self.parameters, self.bounds)
        return TestedSplit(custom_split, column_index, TESTS[self.condition.kind])

    def branch_stats(self, tested: TestedSplit) -> Floats:
        """Class weights of a test's branches, [branches, K], rows without a value included."""
        tree, is_own = self.tree, tested.kind is not None or not self.is_by_hand
        if is_own and tree.feature[self.node] >= 0 and tree.origin is None:
            return tree.stats[list(tree.children_of(self.node))]
        classes = self.used.y[self.at_node.rows].astype(np.intp)
        split = split_rows(tested.candidates, self.at_node, self.columns, tested.column_index, classes, self.excluded)
        branches = [statistics(self.used, branch.rows, branch.weights, self.parameters) for branch in split.branches]
        return np.stack(branches)

    def chi2(self, tested: TestedSplit) -> Chi2:
        """The χ² test of a test's branches and the classes."""
        return chi2_test(as_row_weights(self.branch_stats(tested), self.tree.class_factors))

    def bits(self, tested: TestedSplit) -> SplitBits:
        """The node and a test's branches in bits; a feature forbidden by hand counts as a feature to choose from."""
        features = len(self.columns) - len(used_up_features(self.tree, self.node))
        stats = np.vstack([self.stats, self.branch_stats(tested)])
        return bits_of_split(self.tree, stats, features, tested.test, len(tested.candidates.counts.codes))


def _by_hand(decision: Decision, chosen: Candidate | None, stop: int) -> Decision:
    """The decision that a person made, beside what the recipe would have done."""
    return replace(
        decision,
        chosen=chosen,
        stop=stop,
        by_hand=True,
        would_win=decision.chosen,
        own_stop=decision.stop,
        margin=None,
        runner_up=None,
    )


def _describe(
    tree: Tree,
    node: int,
    n_rows: int,
    competition: Competition,
    reason: int,
    parameters: GrowParameters,
    absences: dict[str, Remark],
) -> Decision:
    regression = tree.is_regression
    if reason != SPLIT:
        competition = replace(competition, reason=reason)
    unit = tree.recipe.unit(regression)
    ranked = RankedCandidates(competition, tree.recipe, tree.recipe.impurity_for(regression), unit)
    chosen = runner_up = margin = None
    tied: tuple[str, ...] = ()
    tie = False
    if competition.winner >= 0 and reason == SPLIT:
        winner = competition.features[competition.winner]
        chosen = ranked.make(competition.winner, winner.best)
        others = np.where(np.arange(len(competition.scores)) == competition.winner, np.nan, competition.scores)
        if not np.isnan(others).all():
            second = int(np.nanargmax(others))
            runner_up = ranked.make(second, competition.features[second].best)
            lead = competition.scores[competition.winner] - others[second]
            margin = max(lead * _unit_of_score(tree, winner), 0.0)
            limit = tie_margin(competition.scores[competition.winner], scale_of(parameters.score, winner.impurity))
            equals = np.flatnonzero(others >= competition.scores[competition.winner] - limit)
            tied = tuple(competition.features[i].column.encoding.name for i in equals)
        equal = winner.admissible & (winner.gain >= winner.gain[winner.best] - tie_margin(0.0, winner.impurity))
        tie = bool(tied) or int(equal.sum()) > 1
    return Decision(
        node=node,
        n_rows=n_rows,
        impurity=float(tree.impurity[node]),
        candidates=ranked,
        chosen=chosen,
        stop=reason,
        mean_gain=competition.mean_gain * unit if competition.features else None,
        margin=margin,
        tie=tie,
        tied=tied,
        runner_up=runner_up,
        absences=absences,
        surrogates=tree.surrogates.at(node, tree.features) if tree.surrogates is not None else (),
        _competition=competition,
        validation_before=_validation(tree, node, 0),
        validation_after=_validation(tree, node, 1),
    )


def _unit_of_score(tree: Tree, feature: FeatureCandidates) -> float:
    """What a score counts in the recipe's unit; Newton's gain is that of the whole node."""
    if feature.parameters.score == BY_NEWTON:
        return feature.at_node.weight
    return tree.recipe.score_unit(tree.is_regression)


def _validation(tree: Tree, node: int, which: int) -> float | None:
    if tree.validation is None or np.isnan(tree.validation[node, which]):
        return None
    return float(tree.validation[node, which])


def _empty_decision(tree: Tree, node: int) -> Decision:
    competition = Competition([], np.empty(0), -1, float("nan"), EMPTY)
    ranked = RankedCandidates(competition, tree.recipe, tree.recipe.impurity_for(tree.is_regression), 1.0)
    absences: dict[str, Remark] = dict.fromkeys((usage.name for usage in tree.features), Remark("no_training_row"))
    return Decision(node, 0, 0.0, ranked, None, EMPTY, None, None, False, (), None, absences, (), competition)
