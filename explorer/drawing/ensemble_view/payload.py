"""The picture of an ensemble as records of plain numbers, and as bytes for the view (`model/picture.js` reads them).

*Stage* k = 0 … M is the ensemble of the first k rounds; stage 0 has no tree. Arrays over the stages have M + 1 rows, the
first for stage 0; arrays over the rounds have M rows, the first for round 1. A round has one member, or one per class.
The bytes have the layout of `tree_view/payload.py`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from explorer.drawing.thumbnail import Thumbnail
from explorer.drawing.tree_view.payload import payload_bytes

Array = NDArray[Any]

MOST_ROWS = 2000
"""A picture shows the weights of at most this many rows; a larger table gives a sample of them."""


@dataclass(frozen=True, eq=False)
class Curve:
    """The score at every stage [M + 1] on the rows `of`; NaN where a stage has none (out-of-bag rows at stage 0)."""

    of: Literal["training", "validation", "oob"]
    values: Array


@dataclass(frozen=True)
class Baseline:
    """A score without stages, drawn as a level line: of the constant, of the single tree, of the pruned tree."""

    of: Literal["constant", "tree", "pruned_tree"]
    value: float


@dataclass(frozen=True)
class RoundFacts:
    """The numbers of a round as a line of the table: heading → text, such as {"ε": "0.3000", "α": "0.4236"}.

    The headings of all rounds make the columns, in the order in which they first occur.
    """

    stage: int
    texts: Mapping[str, str]


@dataclass(frozen=True, eq=False)
class MemberPicture:
    """A member as a small tree: its round (from 1) and its vote.

    `title` is one line about it for the pointer and for screen readers; `of_class` is the class whose score it adds to,
    where a round has a tree per class.
    """

    thumbnail: Thumbnail
    stage: int
    vote: float
    title: str = ""
    of_class: int | None = None


@dataclass(frozen=True, eq=False)
class Scatter:
    """Rows on one numeric feature with the fit of every stage as a staircase: x [n] and y [n] (at most `MOST_ROWS`).

    `edges` [g + 1] are the ends of the intervals in which every fit is constant, ascending; `fitted` [M + 1, g]. On the
    right stand the `targets` [M + 1, n] that the next tree is grown on (residuals or negative gradients at stage k; the
    last row may be NaN) with that tree's `answers` [M, g]: row k is what member k + 1 answers, before ν. `target_name`
    names them. For two classes, y is 0 or 1 and `fitted` the probability of class 1.
    """

    feature: str
    target: str
    x: Array
    y: Array
    edges: Array
    fitted: Array
    targets: Array | None = None
    answers: Array | None = None
    target_name: str = ""
    rows: Array | None = None


@dataclass(frozen=True, eq=False)
class VoteLine:
    """Rows of classes on one numeric feature, under a running vote: x [n], class codes [n], and intervals as `Scatter`.

    `votes` [M + 1, K, g] is the sum of the votes for each class. For two classes the view draws the difference f(x),
    positive where class 1 leads. `answers` [M, g] is the class that the round's member predicts. The rows are those of
    `RowWeights`, in its order: weights and misclassified rows come from there.
    """

    feature: str
    x: Array
    classes_of_rows: Array
    edges: Array
    votes: Array
    answers: Array


@dataclass(frozen=True, eq=False)
class Regions:
    """Predictions over two numeric features, as a grid of cells: x and y ascend, `codes` [M + 1, ny · nx] row by row.

    For classes `codes` are class codes and `certainty` [M + 1, ny · nx], 0 to 255, is the share (or normalised margin) of
    that class: cells fade with it. For numbers `codes` are 0 … 255 between `value_range`. The grid covers
    [x_range] × [y_range]; points are rows with their class codes or numbers.
    """

    x_feature: str
    y_feature: str
    x_range: tuple[float, float]
    y_range: tuple[float, float]
    n_x: int
    n_y: int
    codes: Array
    x: Array
    y: Array
    values: Array
    certainty: Array | None = None
    value_range: tuple[float, float] | None = None
    rows: Array | None = None


@dataclass(frozen=True, eq=False)
class RowWeights:
    """The weights [M, n] that every round's member was grown on, and the rows [M, n] that it misclassifies.

    `rows` [n] are the rows' numbers in the training set, in any order that helps (the view groups them by class);
    `labels` name them for the reader, `classes_of_rows` [n] are class codes. Row weight 0: not drawn, or dropped.
    """

    rows: Array
    labels: Sequence[str]
    weights: Array
    wrong: Array
    classes_of_rows: Array | None = None


@dataclass(frozen=True, eq=False)
class Margins:
    """A histogram of the margins at every stage: `edges` [b + 1] from −1 to 1, `counts` [M + 1, b], `mean` [M + 1]."""

    edges: Array
    counts: Array
    mean: Array


@dataclass(frozen=True, eq=False)
class EnsemblePicture:
    """What the view shows of an ensemble; a part that is None or empty has no place in it.

    `method` is the name of the method in words, `classes` are empty for a numeric target. `is_share`: scores are shares
    (accuracy) and shown in per cent.
    """

    method: str
    n_stages: int
    classes: Sequence[str]
    score_name: str
    higher_is_better: bool
    curves: tuple[Curve, ...]
    baselines: tuple[Baseline, ...] = ()
    is_share: bool = False
    facts: tuple[RoundFacts, ...] = ()
    members: tuple[MemberPicture, ...] = ()
    scatter: Scatter | None = None
    votes: VoteLine | None = None
    regions: Regions | None = None
    weights: RowWeights | None = None
    margins: Margins | None = None


@dataclass(frozen=True, eq=False)
class Waterfall:
    """How the answer for one row adds up: the start, and one number per member (already times ν or α).

    `link` says what the sum is: the prediction itself, the log-odds of `of_class`, or votes for (+) and against (−).
    `actual` is the row's own number, drawn as a line.
    """

    start: float
    values: Array
    link: Literal["identity", "logistic", "votes"] = "identity"
    of_class: str = ""
    actual: float | None = None


@dataclass(frozen=True, eq=False)
class Votes:
    """What every member predicts for one row: class codes or numbers [members], and whether the row was out of bag.

    `margin` [M + 1] is the row's margin at every stage, `actual` its class code or number.
    """

    values: Array
    out_of_bag: Array | None = None
    margin: Array | None = None
    actual: float | None = None


@dataclass(frozen=True, eq=False)
class RowPicture:
    """One row under all members: its number in the training set (−1: another row), and a label for the reader."""

    row: int
    label: str
    waterfall: Waterfall | None = None
    votes: Votes | None = None


def picture_payload(picture: EnsemblePicture) -> bytes:
    """The picture as bytes: a header of texts and names, and arrays; numbers that are only drawn have 32 bits.

    Raises ValueError where an array has not the shape that its record asks for.
    """
    header: dict[str, Any] = {
        "kind": "ensemble",
        "method": picture.method,
        "n_stages": picture.n_stages,
        "classes": [str(name) for name in picture.classes],
        "score_name": picture.score_name,
        "is_share": picture.is_share,
        "higher_is_better": picture.higher_is_better,
        "curves": [curve.of for curve in picture.curves],
        "baselines": [[baseline.of, float(baseline.value)] for baseline in picture.baselines],
        "facts": _facts_table(picture.facts),
    }
    stages = picture.n_stages + 1
    arrays: dict[str, Array | None] = {
        f"curve_{curve.of}": _shaped(curve.values, stages, f"curve {curve.of}") for curve in picture.curves
    }
    for pack in (_members, _scatter, _vote_line, _regions, _row_weights, _margins):
        of_part, arrays_of_part = pack(picture)
        header |= of_part
        arrays |= arrays_of_part
    return payload_bytes(header, arrays)


def row_payload(row: RowPicture) -> bytes:
    """One row as bytes: a small message of its own, so that another row does not send the picture again."""
    waterfall, votes = row.waterfall, row.votes
    header = {
        "kind": "row",
        "row": int(row.row),
        "label": row.label,
        "waterfall": None
        if waterfall is None
        else {
            "start": float(waterfall.start),
            "link": waterfall.link,
            "of_class": waterfall.of_class,
            "actual": _number(waterfall.actual),
        },
        "votes": None if votes is None else {"actual": _number(votes.actual)},
    }
    arrays = {
        "contributions": None if waterfall is None else np.asarray(waterfall.values, dtype=np.float64),
        "votes": None if votes is None else _drawn(votes.values),
        "out_of_bag": None if votes is None or votes.out_of_bag is None else _flags(votes.out_of_bag),
        "row_margin": None if votes is None or votes.margin is None else _drawn(votes.margin),
    }
    return payload_bytes(header, arrays)


Part = tuple[dict[str, Any], dict[str, Array | None]]


def _facts_table(facts: Sequence[RoundFacts]) -> dict[str, Any]:
    """Headings, and the rounds with their texts in the order of the headings."""
    headings = list(dict.fromkeys(heading for line in facts for heading in line.texts))
    rounds = [[line.stage, *(line.texts.get(heading, "") for heading in headings)] for line in facts]
    return {"headings": headings, "rounds": rounds}


def _members(picture: EnsemblePicture) -> Part:
    """All thumbnails one after the other: `thumb_first` [members + 1] says where each begins."""
    small = [member.thumbnail for member in picture.members]
    roots = list(dict.fromkeys(thumbnail.root_feature for thumbnail in small))
    header = {
        "roots": roots,
        "titles": [member.title for member in picture.members],
        "of_class": [-1 if member.of_class is None else int(member.of_class) for member in picture.members],
    }
    if not small:
        return header, {}
    return header, {
        "member_stage": np.array([member.stage for member in picture.members]),
        "member_vote": np.array([member.vote for member in picture.members], dtype=np.float64),
        "member_root": np.array([roots.index(thumbnail.root_feature) for thumbnail in small]),
        "member_leaves": np.array([thumbnail.n_leaves for thumbnail in small]),
        "thumb_first": np.append(0, np.cumsum([len(thumbnail.x) for thumbnail in small])),
        "thumb_x": np.concatenate([_byte(thumbnail.x) for thumbnail in small]),
        "thumb_y": np.concatenate([_byte(thumbnail.y) for thumbnail in small]),
        "thumb_parent": np.concatenate([thumbnail.parent for thumbnail in small]),
        "thumb_code": np.concatenate([thumbnail.code for thumbnail in small]),
    }


def _scatter(picture: EnsemblePicture) -> Part:
    scatter, stages = picture.scatter, picture.n_stages + 1
    if scatter is None:
        return {"scatter": None}, {}
    n, intervals = len(scatter.x), len(scatter.edges) - 1
    header = {
        "scatter": {"feature": scatter.feature, "target": scatter.target, "target_name": scatter.target_name},
    }
    return header, {
        "scatter_x": _shaped(scatter.x, n, "x"),
        "scatter_y": _shaped(scatter.y, n, "y"),
        "scatter_edges": _shaped(scatter.edges, intervals + 1, "edges"),
        "scatter_fitted": _drawn(scatter.fitted, stages * intervals, "fitted"),
        "scatter_targets": None if scatter.targets is None else _drawn(scatter.targets, stages * n, "targets"),
        "scatter_answers": None
        if scatter.answers is None
        else _drawn(scatter.answers, picture.n_stages * intervals, "answers"),
        "scatter_rows": None if scatter.rows is None else np.asarray(scatter.rows),
    }


def _vote_line(picture: EnsemblePicture) -> Part:
    line = picture.votes
    if line is None:
        return {"vote_line": None}, {}
    n, intervals, n_classes = len(line.x), len(line.edges) - 1, len(picture.classes)
    if picture.weights is None or len(picture.weights.rows) != n:
        raise ValueError("votes: needs the weights of the same rows")
    return {"vote_line": {"feature": line.feature}}, {
        "line_x": _shaped(line.x, n, "x"),
        "line_class": np.asarray(line.classes_of_rows),
        "line_edges": _shaped(line.edges, intervals + 1, "edges"),
        "line_votes": _drawn(line.votes, (picture.n_stages + 1) * n_classes * intervals, "votes"),
        "line_answers": _drawn(line.answers, picture.n_stages * intervals, "answers"),
    }


def _regions(picture: EnsemblePicture) -> Part:
    regions = picture.regions
    if regions is None:
        return {"regions": None}, {}
    cells = (picture.n_stages + 1) * regions.n_x * regions.n_y
    header = {
        "regions": {
            "x_feature": regions.x_feature,
            "y_feature": regions.y_feature,
            "x_range": [float(end) for end in regions.x_range],
            "y_range": [float(end) for end in regions.y_range],
            "n_x": regions.n_x,
            "n_y": regions.n_y,
            "value_range": None if regions.value_range is None else [float(end) for end in regions.value_range],
        }
    }
    return header, {
        "region_codes": _bytes(regions.codes, cells, "codes"),
        "region_certainty": None if regions.certainty is None else _bytes(regions.certainty, cells, "certainty"),
        "region_x": _drawn(regions.x),
        "region_y": _drawn(regions.y, len(regions.x), "y"),
        "region_values": _drawn(regions.values, len(regions.x), "values"),
        "region_rows": None if regions.rows is None else np.asarray(regions.rows),
    }


def _row_weights(picture: EnsemblePicture) -> Part:
    weights = picture.weights
    if weights is None:
        return {"row_labels": []}, {}
    n = len(weights.rows)
    if n > MOST_ROWS:
        raise ValueError(f"weights: at most {MOST_ROWS} rows, not {n}")
    return {"row_labels": [str(label) for label in weights.labels]}, {
        "weight_rows": np.asarray(weights.rows),
        "weights": _drawn(weights.weights, picture.n_stages * n, "weights"),
        "wrong": _shaped(_flags(weights.wrong), picture.n_stages * n, "wrong"),
        "weight_class": None if weights.classes_of_rows is None else np.asarray(weights.classes_of_rows),
    }


def _margins(picture: EnsemblePicture) -> Part:
    margins, stages = picture.margins, picture.n_stages + 1
    if margins is None:
        return {}, {}
    bins = len(margins.edges) - 1
    return {}, {
        "margin_edges": _shaped(margins.edges, bins + 1, "edges"),
        "margin_counts": _drawn(margins.counts, stages * bins, "counts"),
        "margin_mean": _drawn(margins.mean, stages, "mean"),
    }


def _shaped(array: Array, size: int, name: str) -> Array:
    """The array laid flat, if it has that many items."""
    flat = np.ascontiguousarray(array).ravel()
    if flat.size != size:
        raise ValueError(f"{name}: {size} numbers, not {flat.size}")
    return flat


def _drawn(array: Array, size: int | None = None, name: str = "") -> Array:
    """Numbers that are drawn and not shown as text: 32 bits are enough."""
    flat = np.asarray(array, dtype=np.float32)
    return _shaped(flat, flat.size if size is None else size, name)


def _bytes(array: Array, size: int, name: str) -> Array:
    return _shaped(np.asarray(array, dtype=np.uint8), size, name)


def _flags(array: Array) -> Array:
    return np.asarray(array, dtype=bool).astype(np.uint8)


def _byte(share: Array) -> Array:
    """Shares from 0 to 1 in 255 steps."""
    return np.round(255 * np.asarray(share)).astype(np.uint8)


def _number(value: float | None) -> float | None:
    return None if value is None else float(value)
