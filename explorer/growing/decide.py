"""The decision at one node: every candidate with its numbers, the winner, and why the others did not win."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from explorer.candidates.candidates import Candidate, FeatureCandidates
from explorer.candidates.competition import Competition, RankedCandidates, limit_of, select_split
from explorer.candidates.custom_split import CustomSplit, Profile, profile_of
from explorer.candidates.surrogates import Surrogate
from explorer.data.dataset import Dataset
from explorer.errors import InputError
from explorer.growing.description_length import SplitBits
from explorer.growing.node_search import NodeSearch, RowSearch, TestedSplit, node_search
from explorer.growing.stopping import Chi2
from explorer.messages import message
from explorer.recipe.condition import SplitRequest
from explorer.recipe.parameters import EMPTY, LOCKED, SPLIT, STOP_REASONS, GrowParameters
from explorer.recipe.remarks import ImpossibleSplitError, Remark
from explorer.recipe.split_score import BY_NEWTON, scale_of, tie_margin
from explorer.sources.source import Source
from explorer.tree.tree import Tree


@dataclass(frozen=True, eq=False)
class Decision:
    """The candidates at one node and how its split was chosen.

    `stop` is the code of why the node was not split (SPLIT where it was), `stop_reason` its words.
    `margin` is the winner's lead in score over the best other feature, `tie` whether an equal candidate came later in
    order, `tied` the other features that are as good, `absent` why a feature has no candidate at all, `mean_gain` the
    mean of the features' best gains, by which gain ratios may be filtered (None where no feature is in it). `chi2`
    tests the winner's branches against the classes, and `bits` is their description length with and without it, whether
    or not the recipe stops by these (None without a test, or for a numeric target). Where a person chose the test, they
    are about that test (`tested`). With pre-pruning, `validation_before` and `validation_after` are the tree's accuracy
    (mean squared error) on the validation set without and with this split, when it was compared.
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
    is_of_file: bool = False
    """Whether the test stands in a file instead (`recount`); `chosen` is also None where it divides no rows."""
    would_win: Candidate | None = None
    own_stop: int = SPLIT
    chi2: Chi2 | None = None
    bits: SplitBits | None = None
    validation_before: float | None = None
    validation_after: float | None = None
    unlisted_gain: float | None = None
    """At a large node of a connected table: the most that a threshold could gain that is not among the candidates.

    None where all are. Such a threshold lies between two that are listed and cannot be the best of its feature.
    """

    @property
    def many_values(self) -> tuple[str, ...]:
        """The features that are left out of the mean gain because they have many values."""
        columns = [feature.column for feature in self._competition.features]
        return tuple(column.encoding.name for column in columns if column.has_many_values)

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


def decide(tree: Tree, data: Dataset | Source, node: int) -> Decision:
    """Search one node again, on the rows it had in training: milliseconds, and nothing needs to be kept for it.

    `data` is the data that the tree was grown on. Of a large node of a connected table not every threshold is listed,
    but the best of every feature is (`unlisted_gain`). Raises InputError for a node that does not exist, and
    SourceChangedError where the connected table is no longer the same.
    """
    search = node_search(tree, data, node)
    if search is None:
        return _empty_decision(tree, node)
    parameters = search.parameters

    # What the recipe decides: the best candidate of every feature, the winner among them, and whether the node stops.
    features, column_indices, absent = search.feature_candidates()
    competition = select_split(features, search.stats, parameters, search.total_weight, is_drawn=search.drawn(features))
    winner = None
    if competition.winner >= 0:
        winner = TestedSplit(features[competition.winner], column_indices[competition.winner])
    reason = search.stop_reason(competition, winner)
    decision = _describe(tree, node, search.n_rows, competition, reason, parameters, absent)
    unlisted = search.unlisted_gain(features)
    if unlisted is not None:
        decision = replace(decision, unlisted_gain=unlisted * decision.candidates.unit)

    # What a person decided instead.
    tested = winner
    if tree.node(node).is_forced:
        tested = _forced_split(search)
        if tested is None:
            return _by_hand(decision, None, SPLIT)
        split = tested.candidates
        chosen = decision.candidates.word(split, split.best, limit_of(split, split.best))
        decision = _by_hand(decision, replace(chosen, condition=search.condition), SPLIT)
    elif tree.stop[node] == LOCKED:
        decision = _by_hand(decision, None, LOCKED)
    if tested is None or parameters.regression:
        return decision
    return replace(decision, chi2=search.chi2(tested), bits=search.bits(tested))


def decide_among(tree: Tree, data: Dataset, node: int, columns: Sequence[int]) -> Decision:
    """The decision at a node if only these columns competed: the same where winner and runner-up are among them.

    For nodes that the recipe split, by a score that compares the gains of features.
    """
    search = node_search(tree, data, node)
    assert isinstance(search, RowSearch), "a split node has rows"
    features, _, absent = search.feature_candidates(columns)
    competition = select_split(features, search.stats, search.parameters, search.total_weight)
    return _describe(tree, node, search.n_rows, competition, competition.reason, search.parameters, absent)


def _forced_split(search: NodeSearch) -> TestedSplit | None:
    """The test that a person chose; None for one of a file that does not divide these rows."""
    try:
        return search.forced_split()
    except ImpossibleSplitError:
        if not search.tree.is_recounted:
            raise
        return None


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
        mean_gain=None if np.isnan(competition.mean_gain) else competition.mean_gain * unit,
        margin=margin,
        tie=tie,
        tied=tied,
        runner_up=runner_up,
        absences=absences,
        surrogates=tree.surrogates.at(node, tree.features) if tree.surrogates is not None else (),
        _competition=competition,
        is_of_file=tree.is_recounted,
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
