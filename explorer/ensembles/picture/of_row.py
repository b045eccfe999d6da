"""One row under all members: how its score adds up, and what every member says of it."""

from __future__ import annotations

import numpy as np

from explorer.data.dataset import Dataset
from explorer.drawing.ensemble_view.records import RowPicture, Votes, Waterfall
from explorer.ensembles.members import Ensemble
from explorer.ensembles.scores import margins
from explorer.messages import message


def row_picture(ensemble: Ensemble, row: Dataset) -> RowPicture:
    """The picture of the one row of a data set; in the training set it has the flags of being out of bag.

    Additive scores come as a waterfall (of the class that is predicted, where each class has a score); votes as those
    for the predicted class and against it.
    """
    number = int(row.row_numbers[0])
    label = message("row {n}", n=number + 1)
    if not ensemble.combination.is_mean:
        return RowPicture(number, label, waterfall=_waterfall(ensemble, row), votes=None)
    return RowPicture(number, label, waterfall=_for_and_against(ensemble, row), votes=_votes(ensemble, row, number))


def _waterfall(ensemble: Ensemble, row: Dataset) -> Waterfall:
    """Start and contributions to the number, to the log-odds of the second class, or to the predicted class's score."""
    made = ensemble.contributions(row)
    if ensemble.is_regression:
        return Waterfall(float(made.start[0]), made.values[:, 0], "identity", actual=float(row.y[0]))
    if ensemble.width == 1:
        return Waterfall(float(made.start[0]), made.values[:, 0], "logistic", str(ensemble.classes[1]))
    code = int(ensemble.predict_encoded(row)[0])
    return Waterfall(float(made.start[code]), made.values[:, code], "identity", str(ensemble.classes[code]))


def _for_and_against(ensemble: Ensemble, row: Dataset) -> Waterfall | None:
    """The votes of classes, positive for the row's own class; None for a mean of numbers."""
    if ensemble.is_regression:
        return None
    own = int(row.y[0])
    codes = ensemble.votes(row)
    votes = np.array([member.vote for member in ensemble.members])
    return Waterfall(0.0, np.where(codes == own, votes, -votes), "votes", str(ensemble.classes[own]))


def _votes(ensemble: Ensemble, row: Dataset, number: int) -> Votes:
    position = _position(ensemble, number)
    out_of_bag = None
    if ensemble.has_oob and position is not None and all(member.weights is not None for member in ensemble.members):
        out_of_bag = np.array([member.weights[position] == 0 for member in ensemble.members])  # type: ignore[index]
    margin = None
    if not ensemble.is_regression:
        truth = np.asarray(row.y, dtype=np.intp)
        staged = (ensemble.from_raw(raw, stage) for stage, raw in enumerate(ensemble.staged_raw(row)))
        margin = np.array([margins(shares, truth)[0] for shares in staged])
    return Votes(ensemble.votes(row), out_of_bag, margin, float(row.y[0]))


def _position(ensemble: Ensemble, number: int) -> int | None:
    """Where the row of this number stands in the training set; None for another row."""
    if ensemble.train is None:
        return None
    found = np.flatnonzero(ensemble.train.row_numbers == number)
    return int(found[0]) if len(found) else None
