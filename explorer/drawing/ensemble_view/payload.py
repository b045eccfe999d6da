"""The picture of an ensemble as bytes for the view; `model/picture.js` reads them.

The bytes have the layout of `tree_view/payload.py`: a header of texts and names, then the arrays.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from explorer.drawing.ensemble_view.records import MOST_ROWS, Array, EnsemblePicture, RoundFacts, RowPicture
from explorer.drawing.tree_view.payload import payload_bytes

_PIXEL = 1e-4
"""A share of the range of what is drawn that nobody sees."""


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
        "numeric_members": picture.numeric_members,
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
        "tests": [member.test for member in picture.members],
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
    header = {
        "row_labels": [str(label) for label in weights.labels],
        "rows_of_class": [int(n) for n in weights.n_of_class],
        "rows_are_drawn": weights.are_drawn,
    }
    return header, {
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
    """Numbers that are drawn and not shown as text: 32 bits, unless what they differ by is lost in them."""
    flat = _shaped(np.asarray(array, dtype=np.float64), np.size(array) if size is None else size, name)
    with np.errstate(over="ignore", invalid="ignore"):
        small = flat.astype(np.float32)
        span = np.nanmax(flat, initial=-np.inf) - np.nanmin(flat, initial=np.inf)
        lost = np.nanmax(np.abs(small - flat), initial=0.0)
    return small if lost <= _PIXEL * span else flat


def _bytes(array: Array, size: int, name: str) -> Array:
    return _shaped(np.asarray(array, dtype=np.uint8), size, name)


def _flags(array: Array) -> Array:
    return np.asarray(array, dtype=bool).astype(np.uint8)


def _byte(share: Array) -> Array:
    """Shares from 0 to 1 in 255 steps."""
    return np.round(255 * np.asarray(share)).astype(np.uint8)


def _number(value: float | None) -> float | None:
    return None if value is None else float(value)
