"""Members and how their answers add up stage by stage: an ensemble before it is scored or saved (section 16)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.ensembles.combination import Combination, Rows
from explorer.errors import InputError
from explorer.evaluation.feature_importance import decreases
from explorer.messages import message
from explorer.ranges import is_whole
from explorer.recipe.class_weights import cost_matrix
from explorer.recipe.columns import FeatureEncoding
from explorer.recipe.recipe import Recipe
from explorer.recipe.remarks import Remark
from explorer.sources.source import Source
from explorer.tree.leaf_mixture import named, predictions_of_shares
from explorer.tree.routing import RowValues, row_values
from explorer.tree.tree import Tree
from explorer.values import Value

Floats = NDArray[np.float64]


class RowNumbers:
    """A number per row of a member: counts of draws take one byte, others eight.

    A function in their place works them out when they are asked for.
    """

    def __set_name__(self, owner: type, name: str) -> None:
        """Keep the numbers under a name of their own."""
        self.name = f"_{name}"

    def __get__(self, member: Any, owner: type) -> Floats | None:
        """The numbers [n]; None where the member has those of the data."""
        kept = None if member is None else member.__dict__[self.name]
        if callable(kept):
            kept = kept()
        return None if kept is None else np.asarray(kept, dtype=np.float64)

    def __set__(self, member: Any, weights: NDArray[Any] | Callable[[], Floats] | None) -> None:
        """Keep whole numbers below 256 as bytes."""
        if weights is not None and not callable(weights):
            small = weights.astype(np.uint8) if len(weights) and 0 <= weights.min() <= weights.max() < 256 else None
            weights = small if small is not None and (small == weights).all() else weights
        member.__dict__[self.name] = weights


@dataclass(frozen=True, eq=False)
class Member:
    """A tree of an ensemble, with what it was grown on.

    `stage` is its round, from 1 on; K trees of one round share it. `vote` is what its answer is multiplied by.
    `weights` [n] are the row weights that it was grown on, 0 for rows that it did not see, and `target` [n] the numbers
    (negative gradients): None for those of the data. `of_class` is the class whose score it adds to. `facts` are
    numbers of its round under stable names ("epsilon", "alpha", "z", "bound", "delta", "loss", …).
    """

    tree: Tree
    stage: int
    vote: float = 1.0
    weights: RowNumbers = RowNumbers()
    target: RowNumbers = RowNumbers()
    of_class: int | None = None
    facts: Mapping[str, float] = field(default_factory=dict)

    def data(self, train: Dataset) -> Dataset:
        """The rows of `train` that the tree was grown on, with their weights and targets: what `decide` asks for."""
        data, weights = train, self.weights
        if self.target is not None:
            data = data.with_target(self.target)
        return data if weights is None else data.with_weights(weights)


@dataclass(frozen=True, eq=False)
class Contributions:
    """What one row's score is made of: the start value, one number per member (vote · answer), and their sum.

    `values` [members, width]: width is the number of classes, or 1.
    """

    start: Floats
    values: Floats
    total: Floats


@dataclass(frozen=True, eq=False)
class BaseEnsemble:
    """Members in order; the prediction at stage k comes from the members of stages 1 … k. Stage 0 has no tree.

    `start` [1] or [K] is the score before the first member. `constant` [1] or [K] is the mean, or the class shares, of
    the training rows: what an ensemble that averages answers at stage 0. `options` are the arguments of the call.
    `ended` says why there are fewer stages than asked for. `train` is kept for out-of-bag scores and is not saved.
    """

    method: str
    members: tuple[Member, ...]
    n_stages: int
    start: Floats
    constant: Floats
    combination: Combination
    recipe: Recipe
    options: Mapping[str, object]
    target: str
    classes: tuple[Value, ...]
    features: tuple[FeatureEncoding, ...]
    ended: Remark | None = None
    origin: str = ""
    """Where an imported ensemble comes from; empty for one that was grown here."""
    version: str = ""
    """The version of that program, as far as its file tells."""
    train: Dataset | None = field(default=None, repr=False)
    table_settings: Mapping[str, list[str]] | None = field(default=None, repr=False)
    """As of a `Tree`."""

    def __repr__(self) -> str:
        """One line: what it predicts, how, and by how many trees."""
        return f"<Ensemble for {self.target!r} by {self.method}: {len(self.members)} trees, {self.n_stages} stages>"

    @property
    def source(self) -> str:
        """The program that it comes from, with its version as far as its file tells; "" for one that was grown here."""
        return f"{self.origin} {self.version}".strip()

    @property
    def is_regression(self) -> bool:
        """Whether it predicts numbers instead of classes."""
        return not self.classes

    @property
    def width(self) -> int:
        """How many numbers a row's score has: one for each class, or 1."""
        return len(self.start)

    @cached_property
    def costs(self) -> Floats | None:
        """The cost of predicting class k (column) for a row of class j, [K, K]; None without costs."""
        has_costs = self.classes and self.recipe.cost_pairs is not None
        return cost_matrix(self.recipe.cost_pairs, self.classes) if has_costs else None  # type: ignore[arg-type]

    def stage_of(self, stage: int | None) -> int:
        """A stage that exists, the last for None; InputError for any other."""
        if stage is None:
            return self.n_stages
        if not is_whole(stage, 0, self.n_stages):
            raise InputError(
                message("There is no stage {stage!r}: stages go from 0 to {last}.", stage=stage, last=self.n_stages)
            )
        return int(stage)

    def members_up_to(self, stage: int | None = None) -> tuple[Member, ...]:
        """The members of stages 1 … `stage`."""
        last = self.stage_of(stage)
        return tuple(member for member in self.members if member.stage <= last)

    @cached_property
    def _features_used(self) -> list[int] | None:
        """Positions of the features that any member asks for; None where members read features in ways of their own."""
        if not all(_are_same(member.tree.features, self.features) for member in self.members):
            return None
        return sorted({feature for member in self.members for feature in member.tree.tested_features()})

    def tested_features(self) -> list[int]:
        """Positions in `features` of those that any member splits on, or has as a surrogate, ascending."""
        trees = [member.tree for member in self.members]
        tested = {tree.features[feature].name for tree in trees for feature in tree.tested_features()}
        return [position for position, feature in enumerate(self.features) if feature.name in tested]

    def read(self, rows: Rows) -> Rows:
        """The rows, their values read once for all members where these read them alike."""
        if isinstance(rows, RowValues) or len(self.members) < 2 or self._features_used is None:
            return rows
        return row_values(self.features, self._features_used, rows)

    def answer(self, member: Member, rows: Rows) -> Floats:
        """What a member adds to the scores of some rows: vote · answer, [n, width]."""
        answer = member.vote * self.combination.answer(member.tree, rows)
        if member.of_class is None:
            return answer
        of_one_class = np.zeros((len(answer), self.width))
        of_one_class[:, member.of_class] = answer[:, 0]
        return of_one_class

    def _start(self, rows: Rows) -> Floats:
        """The start value of every row, [n, width]."""
        return np.tile(self.start, (rows.n_rows if isinstance(rows, (Dataset, Source)) else len(rows), 1))

    def staged_raw(self, rows: Rows) -> Iterator[Floats]:
        """The scores at stages 0 … `n_stages`, [n, width] each."""
        raw, rows = self._start(rows), self.read(rows)
        yield raw
        position = 0
        for stage in range(1, self.n_stages + 1):
            raw = raw.copy()
            while position < len(self.members) and self.members[position].stage == stage:
                raw += self.answer(self.members[position], rows)
                position += 1
            yield raw

    def raw(self, rows: Rows, stage: int | None = None) -> Floats:
        """The score of every row: start + Σ vote · answer, [n, width]."""
        raw, rows = self._start(rows), self.read(rows)
        for member in self.members_up_to(stage):
            raw += self.answer(member, rows)
        return raw

    def votes_up_to(self, stage: int) -> float:
        """The sum of the members' votes up to a stage."""
        return float(sum(member.vote for member in self.members_up_to(stage)))

    def from_raw(self, raw: Floats, stage: int) -> Floats:
        """Class shares [n, K], or predicted numbers [n, 1], from the scores at a stage."""
        if self.combination.is_normalised:
            totals = raw.sum(axis=1, keepdims=True)
            return np.where(totals > 0, raw / np.where(totals > 0, totals, 1.0), self.constant)
        if not self.combination.is_mean:
            return self.combination.link(raw)
        votes = self.votes_up_to(stage)
        return raw / votes if votes else np.tile(self.constant, (len(raw), 1))

    def predict_encoded(self, rows: pd.DataFrame | Dataset, stage: int | None = None) -> NDArray[Any]:
        """The predicted class code or number of each row, [n]."""
        raw = self.raw(rows, stage)
        return self.encoded_from(self.from_raw(raw, self.stage_of(stage)), raw)

    def encoded_from(self, shares: Floats, raw: Floats | None = None) -> NDArray[Any]:
        """The class code (the first of equal ones; of least expected cost where there are costs), or the number.

        An ensemble of scikit-learn decides as that does, where the scores behind the shares are given: by all digits,
        for the second of two classes at the score 0. Votes of AdaBoost are equal within rounding, here as elsewhere.
        """
        if self.is_regression:
            return shares[:, 0]
        if raw is None or self.origin != "scikit-learn" or self.method == "adaboost":
            return predictions_of_shares(shares, self.costs)
        if self.width == 1:
            is_second = raw[:, 0] > 0.0 if self.method == "newton_boosting" else raw[:, 0] >= 0.0
            return is_second.astype(np.int32)
        return (shares if self.combination.is_vote else raw).argmax(axis=1).astype(np.int32)

    def predict(self, rows: pd.DataFrame | Dataset, stage: int | None = None) -> NDArray[Any]:
        """The predicted class (in its own type) or number of each row, [n]."""
        encoded = self.predict_encoded(rows, stage)
        return encoded if self.is_regression else named(encoded, self.classes)

    def predict_proba(self, rows: pd.DataFrame | Dataset, stage: int | None = None) -> Floats:
        """Class probabilities of each row in class order, [n, K]."""
        if self.is_regression:
            raise InputError(message("This ensemble predicts numbers and has no class probabilities: use `predict`."))
        return self.from_raw(self.raw(rows, stage), self.stage_of(stage))

    def contributions(self, row: Rows, stage: int | None = None) -> Contributions:
        """The start value and what every member adds to the score of one row; InputError for more rows or none."""
        row = self.read(row)
        values = [_of_one_row(self.answer(member, row)) for member in self.members_up_to(stage)]
        stacked = np.array(values).reshape(len(values), self.width)
        return Contributions(self.start, stacked, self.start + stacked.sum(axis=0))

    def votes(self, row: Rows) -> NDArray[Any]:
        """The class code, or the number, that every member predicts for one row, [members]; InputError for more."""
        row = self.read(row)
        return np.array([_of_one_row(member.tree.predict_encoded(row)) for member in self.members])

    def importance(self) -> dict[str, float]:
        """The share of each feature in the decrease of impurity; the shares add up to 1, or are all 0.

        Where members vote, the mean of their own shares by their votes (scikit-learn); where they add up, all their
        decreases together. It favours features with many values.
        """
        own = [decreases(member.tree) for member in self.members] or [np.zeros(len(self.features))]
        if self.combination.is_vote:
            votes = [member.vote for member in self.members] or [1.0]
            own = [vote * by_feature / (by_feature.sum() or 1.0) for vote, by_feature in zip(votes, own, strict=True)]
        total = np.sum(own, axis=0)
        return dict(zip((f.name for f in self.features), (total / (total.sum() or 1.0)).tolist(), strict=True))

    @property
    def n_nodes(self) -> int:
        """How many nodes the members have in all."""
        return sum(member.tree.n_nodes_grown for member in self.members)

    def with_best_rounds(self) -> Self:
        """The same ensemble with the rounds up to the one that early stopping chose (`ended` names it)."""
        if self.ended is None or self.ended.code != "best_round":
            raise InputError(message("The model names no best round: it was fitted without early stopping."))
        best, rounds = self.ended.values
        ended, n_stages = Remark("only_best_rounds", (best, rounds)), min(best, rounds)
        return replace(self, members=self.members_up_to(n_stages), n_stages=n_stages, ended=ended)

    def with_members(self, order: NDArray[np.intp]) -> Self:
        """The same ensemble with some of its members, each a stage of its own in this order."""
        members = tuple(replace(self.members[i], stage=stage) for stage, i in enumerate(order, 1))
        return replace(self, members=members, n_stages=len(members))


def _are_same(first: tuple[FeatureEncoding, ...], second: tuple[FeatureEncoding, ...]) -> bool:
    """Whether they are equal; tuples look at every item, even in themselves."""
    return first is second or first == second


def _of_one_row(answers: NDArray[Any]) -> Any:
    """What a member answers for the only row."""
    if len(answers) != 1:
        raise InputError(
            message(
                "One row is explained at a time, and {rows:,} are given: give a table of one row.", rows=len(answers)
            )
        )
    return answers[0]
