"""What members say of rows that they did not see: out-of-bag scores, importance, strength (DEFINITIONS section 18)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.ensembles.base_ensemble import BaseEnsemble
from explorer.ensembles.sample import MOST_SEED, PERMUTATION, stream
from explorer.ensembles.scores import Targets, checked_score, margins, score_of, targets_for
from explorer.errors import InputError
from explorer.evaluation.shuffled_columns import ShuffledColumns
from explorer.messages import message
from explorer.ranges import checked_seed, deviation
from explorer.threads import WORTH_A_THREAD, side_by_side
from explorer.tree.tree import Tree

Floats = NDArray[np.float64]
VOTING = ("forest", "bagging", "extra_trees")
"""The methods whose members are grown each on its own."""


@dataclass(frozen=True, eq=False)
class OutOfBag:
    """Every row answered by the members that did not draw it.

    `scores` [stages + 1] are over the rows that have an answer by then, nan where none has. `predictions` are class
    shares [n, K], or numbers [n, 1], at the last stage, nan for the `n_without` rows that every member drew; `counts`
    [n] are the members that answer a row.
    """

    scores: Floats
    n_without: int
    predictions: Floats
    counts: NDArray[np.int64]


def has_out_of_bag(ensemble: BaseEnsemble) -> bool:
    """Whether members of a forest, or of bagging, left rows of a known training set out."""
    drawn = (member.weights for member in ensemble.members if member.weights is not None)
    return ensemble.method in VOTING and ensemble.train is not None and any((times == 0).any() for times in drawn)


def training_rows(ensemble: BaseEnsemble) -> Dataset:
    """The rows that members were drawn from; InputError where no member left a row out."""
    if ensemble.method not in VOTING:
        raise InputError(
            message(
                "Trees of '{method}' are grown on all rows, so no row is out of bag: score validation rows instead.",
                method=ensemble.method,
            )
        )
    if ensemble.train is None:
        raise InputError(message("A saved ensemble does not hold its training set: grow it again."))
    if not has_out_of_bag(ensemble):
        raise InputError(
            message("No row is out of bag: every tree has all rows. Use bootstrap=True, or fewer rows (max_samples).")
        )
    return ensemble.train


def out_of_bag(ensemble: BaseEnsemble, metric: str | None = None) -> OutOfBag:
    """The out-of-bag predictions and their score stage by stage."""
    train, name = training_rows(ensemble), checked_score(ensemble, metric)
    targets = targets_for(ensemble, train)
    constant = np.tile(ensemble.constant, (train.n_rows, 1))
    scores = [score_of(ensemble, constant, targets, name)]
    sums, counts = np.zeros_like(constant), np.zeros(train.n_rows, dtype=np.int64)
    read = ensemble.read(train)
    for member in ensemble.members:
        rows = np.flatnonzero(member.weights == 0)
        if len(rows):
            sums[rows] += ensemble.combination.answer(member.tree, read.take(rows))
            counts[rows] += 1
        answered = counts > 0
        means = sums[answered] / counts[answered, None]
        scores.append(score_of(ensemble, means, targets.taken(answered), name))
    predictions = np.divide(sums, counts[:, None], out=np.full_like(sums, np.nan), where=counts[:, None] > 0)
    return OutOfBag(np.array(scores), int((counts == 0).sum()), predictions, counts)


@dataclass(frozen=True, eq=False)
class OutOfBagImportance:
    """By how much the loss of each member rises when a feature is permuted among its out-of-bag rows, [members].

    The loss is the error rate, or the mean squared error.
    """

    losses: Floats = field(repr=False)

    @property
    def mean(self) -> float:
        """The mean over the members: Breiman's importance."""
        return float(self.losses.mean())

    @property
    def z(self) -> float:
        """The mean by its standard error; nan where the losses do not differ."""
        spread = float(deviation(self.losses, ddof=1)) if len(self.losses) > 1 else 0.0
        return self.mean / (spread / np.sqrt(len(self.losses))) if spread else float("nan")


def permutation_importance(
    ensemble: BaseEnsemble, seed: int = 0, progress: Callable[[int, int], None] | None = None
) -> dict[str, OutOfBagImportance]:
    """The importance of every feature by permuting it among each member's out-of-bag rows (Breiman 2001)."""
    train, seed = training_rows(ensemble), checked_seed(seed, MOST_SEED)
    names = [feature.name for feature in train.features]

    def losses_of(number: int) -> list[float] | None:
        """The losses of one member; None where it saw every row."""
        member = ensemble.members[number]
        rows = np.flatnonzero(member.weights == 0)
        order = stream(seed, number, PERMUTATION).permutation(len(rows))
        return _losses_of(ensemble, member.tree, train.take(rows), order) if len(rows) else None

    numbers = range(len(ensemble.members))
    losses_by_member = (map if train.codes.size < WORTH_A_THREAD else side_by_side)(losses_of, numbers)
    losses: list[list[float]] = []
    for number in numbers:
        if progress is not None:
            progress(number, len(numbers))
        of_member = next(losses_by_member)
        if of_member is not None:
            losses.append(of_member)
    return {name: OutOfBagImportance(column) for name, column in zip(names, np.array(losses).T, strict=True)}


def _losses_of(ensemble: BaseEnsemble, tree: Tree, rows: Dataset, order: NDArray[np.intp]) -> list[float]:
    """The rise of a tree's loss on some rows by each feature; 0 for those it does not use."""
    targets, shuffled = targets_for(ensemble, rows), ShuffledColumns(tree, rows)
    positions = {encoding.name: position for position, encoding in enumerate(tree.features)}
    loss = _loss(tree, shuffled.predictions(), targets)
    return [
        _loss(tree, shuffled.predictions(positions[f.name], order), targets) - loss
        if positions.get(f.name) in shuffled.tested
        else 0.0
        for f in rows.features
    ]


def _loss(tree: Tree, predictions: NDArray[Any], targets: Targets) -> float:
    errors = predictions - targets.values
    return float(np.average(errors**2 if tree.is_regression else errors != 0, weights=targets.weights))


class Strength(NamedTuple):
    """How good the trees of a forest are one by one, and how much alike (Breiman 2001, section 2).

    `strength` is the mean margin of the out-of-bag votes, `correlation` the mean correlation of two trees' margins,
    `bound` = correlation·(1 − strength²)/strength², an upper limit of the error where the strength is above 0.
    """

    strength: float
    correlation: float
    bound: float


def strength(ensemble: BaseEnsemble) -> Strength:
    """Strength and correlation of a forest of classes, from its out-of-bag votes.

    The correlation is var(margin)/(mean sd)²: sd is that of one tree's margin (+1 right, −1 for the most voted wrong
    class, 0 for another), √(p₁ + p₂ − (p₁ − p₂)²). (The paper prints "+" before the last term, which is no deviation.)
    """
    if ensemble.is_regression:
        raise InputError(message("The target '{target}' is numeric: there are no votes.", target=ensemble.target))
    train = training_rows(ensemble)
    codes = np.asarray(targets_for(ensemble, train).values, dtype=np.intp)
    votes, answers = np.zeros((train.n_rows, len(ensemble.classes))), []
    for member in ensemble.members:
        rows = np.flatnonzero(member.weights == 0)
        predicted = member.tree.predict_encoded(train.take(rows)) if len(rows) else np.empty(0, np.int32)
        votes[rows, predicted] += 1.0
        answers.append((rows, predicted))
    seen = votes.sum(axis=1) > 0
    shares = votes[seen] / votes[seen].sum(axis=1, keepdims=True)
    margin = margins(shares, codes[seen])
    others = votes.copy()
    others[np.arange(train.n_rows), codes] = -1.0
    rival = others.argmax(axis=1)
    deviations = [_deviation(codes[rows], rival[rows], predicted) for rows, predicted in answers if len(rows)]
    mean, spread = float(margin.mean()), float(np.mean(deviations))
    correlation = float(margin.var()) / spread**2 if spread else float("nan")
    return Strength(mean, correlation, correlation * (1 - mean**2) / mean**2 if mean > 0 else float("nan"))


def _deviation(codes: NDArray[np.intp], rival: NDArray[np.intp], predicted: NDArray[np.int32]) -> float:
    """The standard deviation of one tree's margin."""
    right, wrong = float((predicted == codes).mean()), float((predicted == rival).mean())
    return float(np.sqrt(max(right + wrong - (right - wrong) ** 2, 0.0)))


MOST_ROWS_IN_PAIRS = 5_000
"""Rows up to which every pair is compared."""


def proximity(ensemble: BaseEnsemble, rows: Dataset, oob: bool = False) -> Floats:
    """The share of members in which two rows share a leaf, [n, n] (Breiman 2001); 1 on the diagonal.

    With `oob`, of the members that drew neither of them (nan where there are none); `rows` is then the training set.
    """
    if rows.n_rows > MOST_ROWS_IN_PAIRS:
        raise InputError(
            message(
                "{rows:,} rows have too many pairs: give at most {most:,}.", rows=rows.n_rows, most=MOST_ROWS_IN_PAIRS
            )
        )
    if oob and training_rows(ensemble) is not rows:
        raise InputError(message("Out-of-bag proximity is about the training set: give `ensemble.train`."))
    together = np.zeros((rows.n_rows, rows.n_rows))
    members = np.zeros_like(together)
    for member in ensemble.members:
        weights = member.weights
        counts = np.ones(rows.n_rows, dtype=bool) if not oob or weights is None else weights == 0
        leaves = np.where(counts, member.tree.apply(rows), -1)
        both = counts[:, None] & counts[None, :]
        together += both & (leaves[:, None] == leaves[None, :])
        members += both
    return np.divide(together, members, out=np.full_like(together, np.nan), where=members > 0)
