"""The whole picture: scores by stage, facts of the rounds, members, and what suits the table's features."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.drawing.ensemble_view.records import (
    MOST_ROWS,
    Array,
    Baseline,
    Curve,
    EnsemblePicture,
    Margins,
    MemberPicture,
    RoundFacts,
    RowWeights,
)
from explorer.drawing.thumbnail import thumbnail
from explorer.ensembles.base_ensemble import Member
from explorer.ensembles.members import Ensemble
from explorer.ensembles.out_of_bag import VOTING
from explorer.ensembles.picture.planes import fit_on_line, regions_of, votes_on_line
from explorer.ensembles.scores import margins as margins_of
from explorer.ensembles.scores import score_of, targets_for
from explorer.formatting import METRIC_NAMES, figure, leaves, number, percent, shortened
from explorer.messages import message
from explorer.tree.tree import Tree

Floats = NDArray[np.float64]
MOST_THUMBNAILS = 1_000
"""A picture shows the first so many members as small trees."""
MOST_LETTERS = 40
"""Letters of the test of a root."""
_BINS = 20
"""Bars of the histogram of margins."""
FACT_NAMES: Mapping[str, Callable[[], str]] = {
    "epsilon": lambda: "ε",
    "alpha": lambda: "α",
    "beta": lambda: "β",
    "z": lambda: "Z",
    "bound": lambda: message("bound Π Z"),
    "delta": lambda: "δ",
    "loss": lambda: message("loss"),
    "validation_loss": lambda: message("validation loss"),
    "oob_improvement": lambda: message("OOB improvement"),
    "wrong_weight": lambda: message("weight of wrong rows"),
    "active": lambda: message("rows in use"),
    "dropped": lambda: message("rows left out from now on"),
}
"""The facts of a round and what the table calls them."""


@dataclass(frozen=True)
class _ByStage:
    """What one pass over the stages collects on the training rows.

    Class codes and margins, [M + 1, n] each, and scores, [M + 1].
    """

    codes: NDArray[np.int64]
    margins: Floats
    scores: list[float]


def picture_of(
    ensemble: Ensemble,
    valid: Dataset | None = None,
    baselines: Mapping[str, float] | None = None,
    method: str = "",
    valid_are: Literal["validation", "training"] = "validation",
) -> EnsemblePicture:
    """The picture of an ensemble; one from a file has its members, and the curve of `valid`, which are such rows.

    `baselines` are scores of the peers ("constant", "tree", "pruned_tree"), `method` is the method in words. With costs
    of misclassification the score is the expected cost, which the ensemble is grown to make small.
    """
    train, is_regression, has_costs = ensemble.train, ensemble.is_regression, ensemble.costs is not None
    given = {
        "method": method or ensemble.method,
        "n_stages": ensemble.n_stages,
        "classes": tuple(map(str, ensemble.classes)),
        "score_name": METRIC_NAMES[_metric(ensemble)],
        "higher_is_better": not (is_regression or has_costs),
        "is_share": not (is_regression or has_costs),
        "numeric_members": any(member.tree.is_regression for member in ensemble.members[:1]),
        "baselines": tuple(Baseline(of, value) for of, value in (baselines or {}).items()),  # type: ignore[arg-type]
        "members": tuple(
            _member(position, member, ensemble) for position, member in enumerate(ensemble.members[:MOST_THUMBNAILS], 1)
        ),
    }
    if train is None:
        scored = () if valid is None else (Curve(valid_are, np.asarray(ensemble.staged_scores(valid))),)
        facts = _facts(ensemble, {curve.of: curve.values for curve in scored})
        return EnsemblePicture(curves=scored, facts=facts, **given)  # type: ignore[arg-type]
    by_stage = None if is_regression else _by_stage(ensemble, train)
    curves = _curves(ensemble, train, valid, by_stage)
    shown = _shown_rows(train)
    weights = _row_weights(ensemble, train, shown, by_stage)
    return EnsemblePicture(
        curves=curves,
        facts=_facts(ensemble, {curve.of: curve.values for curve in curves}),
        scatter=fit_on_line(ensemble, train, shown),
        votes=votes_on_line(ensemble, train, shown),
        regions=regions_of(ensemble, train, shown),
        weights=weights,
        margins=None if by_stage is None else _margins(by_stage.margins),
        **given,  # type: ignore[arg-type]
    )


def _metric(ensemble: Ensemble) -> str:
    """What the stages are scored by."""
    if ensemble.is_regression:
        return "mse"
    return "accuracy" if ensemble.costs is None else "expected_cost"


def _curves(ensemble: Ensemble, train: Dataset, valid: Dataset | None, by_stage: _ByStage | None) -> tuple[Curve, ...]:
    """The score by stage on training, validation and out-of-bag rows, as far as there are such rows."""
    metric = _metric(ensemble)
    of_training = ensemble.staged_scores(train, metric) if by_stage is None else by_stage.scores
    curves = [Curve("training", np.asarray(of_training))]
    if valid is not None:
        curves.append(Curve("validation", np.asarray(ensemble.staged_scores(valid, metric))))
    if ensemble.has_oob:
        curves.append(Curve("oob", np.asarray(ensemble.oob_scores(metric).scores)))
    return tuple(curves)


def _by_stage(ensemble: Ensemble, rows: Dataset) -> _ByStage:
    truth = np.asarray(rows.y, dtype=np.intp)
    codes, margins, scores, targets = [], [], [], targets_for(ensemble, rows)
    for stage, raw in enumerate(ensemble.staged_raw(rows)):
        shares = ensemble.from_raw(raw, stage)
        codes.append(ensemble.encoded_from(shares, raw))
        margins.append(margins_of(shares, truth))
        scores.append(score_of(ensemble, shares, targets, _metric(ensemble), raw))
    return _ByStage(np.array(codes, dtype=np.int64), np.array(margins), scores)


def _margins(margins: Floats) -> Margins:
    edges = np.linspace(-1, 1, _BINS + 1)
    inside = np.clip(margins, -1, 1)
    counts = np.array([np.histogram(of_stage, edges)[0] for of_stage in inside])
    return Margins(edges, counts, margins.mean(axis=1))


def _shown_rows(train: Dataset) -> NDArray[np.intp]:
    """Positions of the rows that a picture shows: all, or evenly spaced ones of a larger table."""
    if train.n_rows <= MOST_ROWS:
        return np.arange(train.n_rows)
    return np.linspace(0, train.n_rows - 1, MOST_ROWS).astype(np.intp)


def _row_weights(
    ensemble: Ensemble, train: Dataset, shown: NDArray[np.intp], by_stage: _ByStage | None
) -> RowWeights | None:
    """The weights of every round, and the rows that its member got wrong: those of the ensemble where scores add up.

    None where there is nothing to see: numbers, and the same weight in every round.
    """
    firsts = first_members(ensemble)
    if not firsts or (train.is_regression and all(member.weights is None for member in firsts)):
        return None
    own = train.weight_of_rows()
    weights = np.array([(own if member.weights is None else member.weights)[shown] for member in firsts])
    wrong = np.zeros(weights.shape, dtype=bool)
    if by_stage is not None:
        truth, rows = np.asarray(train.y)[shown], ensemble.read(train.take(shown))
        for k, member in enumerate(firsts):
            has_classes = not member.tree.is_regression
            codes = member.tree.predict_encoded(rows) if has_classes else by_stage.codes[k + 1][shown]
            wrong[k] = codes != truth
    labels = [message("row {n}", n=int(n) + 1) for n in train.row_numbers[shown]]
    found = RowWeights(
        train.row_numbers[shown], labels, weights, wrong, are_drawn=ensemble.has_oob and train.weights is None
    )
    if train.is_regression:
        return found
    codes = np.asarray(train.y)
    n_of_class = np.bincount(codes, minlength=len(train.classes)).tolist()
    return replace(found, classes_of_rows=codes[shown], n_of_class=n_of_class)


def first_members(ensemble: Ensemble) -> list[Member]:
    """The first member of every round."""
    firsts = {member.stage: member for member in reversed(ensemble.members)}
    return [firsts[stage] for stage in sorted(firsts)]


def _member(position: int, member: Member, ensemble: Ensemble) -> MemberPicture:
    tree, title = member.tree, _title(position, member, ensemble)
    test = root_text(tree) if tree.n_leaves > 1 else ""
    return MemberPicture(thumbnail(tree), member.stage, member.vote, title, member.of_class, test)


def _title(position: int, member: Member, ensemble: Ensemble) -> str:
    """The tree in one line: those of a forest vote alike, those of a sum are multiplied by the learning rate."""
    tree = member.tree
    words = root_text(tree)
    if tree.n_leaves > 1:
        words = message("{root}, {leaves}", root=words, leaves=leaves(tree.n_leaves))
    if member.of_class is not None:
        of_class = str(ensemble.classes[member.of_class])
        words = message("{tree}, round {round}, for class {name}", tree=words, round=member.stage, name=of_class)
    shown = {"n": position, "tree": words}
    if ensemble.method in VOTING:
        return message("Tree {n}: {tree}", **shown)
    if not ensemble.combination.is_mean and ensemble.origin and member.vote == 1.0:
        return message("Tree {n}: {tree}", **shown)  # its learning rate is inside the leaves
    if not ensemble.combination.is_mean:
        return message("Tree {n}: {tree}, ν = {rate}", rate=number(member.vote), **shown)
    return message("Tree {n}: {tree}, vote {vote}", vote=figure(member.vote), **shown)


def root_text(tree: Tree) -> str:
    """The root's test as the tree names it, a long list of values shortened, or that there is none."""
    condition = tree.condition(0) if tree.is_inner[0] else None
    if condition is None:
        return message("a single leaf")
    return shortened(condition.text, MOST_LETTERS)


def _facts(ensemble: Ensemble, curves: Mapping[str, Array]) -> tuple[RoundFacts, ...]:
    as_text = percent if _metric(ensemble) == "accuracy" else figure
    return tuple(RoundFacts(member.stage, round_texts(member, curves, as_text)) for member in first_members(ensemble))


def round_texts(member: Member, curves: Mapping[str, Array], as_text: Callable[[float], str]) -> dict[str, str]:
    """The numbers of a member's round by their names, with the scores after it as `as_text` writes them."""
    texts = {message("first split"): root_text(member.tree), message("leaves"): str(member.tree.n_leaves)}
    texts |= fact_texts(member)
    names: dict[str, str] = {
        "training": message("training"),
        "validation": message("validation"),
        "oob": message("OOB"),
    }
    for of, values in curves.items():
        texts[names[of]] = as_text(float(values[member.stage]))
    return texts


def fact_texts(member: Member) -> dict[str, str]:
    """The facts of a member's round by what they are called."""
    facts = member.facts.items()
    return {(FACT_NAMES[name]() if name in FACT_NAMES else name): figure(float(value)) for name, value in facts}


def headings(facts: Sequence[RoundFacts]) -> list[str]:
    """The columns of the table of rounds."""
    return list(dict.fromkeys(heading for line in facts for heading in line.texts))
