"""The nodes of YDF's trees: one tree after the other, parents before children, the negative child first."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.errors import InputError
from explorer.foreign.assembly import DEEPEST
from explorer.foreign.limits import MOST_NODES_IN_ALL, check_pairs, refusing
from explorer.foreign.record import ModelNodes
from explorer.foreign.ydf_files.wire import Message
from explorer.messages import message
from explorer.recipe.columns import FeatureEncoding
from explorer.recipe.condition import ABOVE_ALL, BELOW_ALL
from explorer.tree.from_sklearn import thresholds_before_rounding

Array = NDArray[Any]
_CLASSIFIER, _REGRESSOR, _CONDITION, _ROWS = 1, 2, 3, 4
_IS_MISSING, _HIGHER, _TRUE, _LISTED, _BITMAP, _DISCRETE, _OBLIQUE = 1, 2, 3, 4, 5, 6, 7
NEGATIVE, POSITIVE = 0, 1
LARGEST_THRESHOLD = 3.4e38
"""Thresholds from here on, the largest 32-bit numbers, have all numbers on one side."""


def no_model(culprit: str) -> InputError:
    """The error of files that YDF has not written."""
    return InputError(
        message(
            "This is not a model of YDF that can be read: {culprit}. Save it anew with model.save('folder').",
            culprit=culprit,
        )
    )


refuse = refusing(no_model)


@dataclass(frozen=True)
class Column:
    """A column of the data: its test here, and the bit of a bitmap that each of its labels has.

    `edges` are those of numbers that YDF has sorted into bins.
    """

    encoding: FeatureEncoding
    bits: tuple[int, ...] = ()
    edges: tuple[float, ...] = ()


@dataclass(eq=False)
class Trees:
    """What is collected of all trees, node after node: [n] each but `pairs`, [m, 3]."""

    starts: list[int]
    left: list[int]
    right: list[int]
    feature: list[int]
    threshold: list[float]
    missing: list[int]
    unseen: list[int]
    top: list[float]
    counts: list[Array]
    weight: list[float]
    impurity: list[float]
    rows: list[int]
    pairs: list[Array]
    n_pairs: int = 0


def blobs(data: bytes) -> Iterator[bytes]:
    """The messages of a file of nodes."""
    if data[:2] != b"BS" or len(data) < 8:
        refuse(message("a file of numbers is damaged"))
    version, is_packed = struct.unpack_from("<HB", data, 2)
    if version > 1 or is_packed:
        raise InputError(message("The nodes of the model of YDF are compressed, which cannot be read: save it plain."))
    place = 8
    while place < len(data):
        if place + 4 > len(data):
            refuse(message("a file of numbers is damaged"))
        (length,) = struct.unpack_from("<I", data, place)
        if place + 4 + length > len(data):
            refuse(message("a file of numbers is damaged"))
        yield data[place + 4 : place + 4 + length]
        place += 4 + length


def trees_from(files: Sequence[bytes], columns: dict[int, Column], features: Sequence[int], n_classes: int) -> Trees:
    """All nodes; `features` are the places of the columns in the order of the features, `n_classes` 0 for numbers."""
    found = Trees([], [], [], [], [], [], [], [], [], [], [], [], [])
    rank = {column: place for place, column in enumerate(features)}
    waiting: list[int] = []
    for data in (blob for file in files for blob in blobs(file)):
        number = len(found.left)
        if number >= MOST_NODES_IN_ALL or len(waiting) > DEEPEST:
            refuse(message("it has no trees, or more than {most:,} nodes", most=MOST_NODES_IN_ALL))
        if not waiting:
            found.starts.append(number)
        else:
            _join(found, waiting, number)
        node = Message(data, no_model)
        _add_answer(found, node, n_classes)
        found.left.append(-1)
        found.right.append(-1)
        if _CONDITION in node.found:
            waiting.append(number)
            _add_test(found, node.part(_CONDITION), columns, rank)
        else:
            for each, value in ((found.feature, -1), (found.missing, -1), (found.unseen, -1)):
                each.append(value)
            found.threshold.append(np.nan)
    if waiting or not found.starts:
        refuse(message("the children of a tree do not form a tree"))
    return found


def _join(found: Trees, waiting: list[int], number: int) -> None:
    """The node is the next child of the last node that lacks one."""
    parent = waiting[-1]
    own = number - found.starts[-1]
    if found.left[parent] < 0:
        found.left[parent] = own
    else:
        found.right[parent] = own
        waiting.pop()


def _add_answer(found: Trees, node: Message, n_classes: int) -> None:
    """What a leaf answers, and the training rows that it stands for."""
    output = node.part(_CLASSIFIER if n_classes else _REGRESSOR)
    told = output.part(2)
    found.rows.append(node.whole(_ROWS))
    if n_classes:
        counts = told.reals(1, 8)[1:]
        top = output.whole(1) - 1
        if len(counts) != n_classes or not 0 <= top < n_classes:
            refuse(message("its number of trees does not fit its classes"))
        found.top.append(top)
        found.counts.append(counts)
        found.weight.append(float(counts.sum()))
        return
    count = told.real(3)
    mean = told.real(1) / count if count > 0 else 0.0
    found.top.append(output.real(1))
    found.weight.append(count)
    found.impurity.append(max(told.real(2) / count - mean * mean, 0.0) if count > 0 else 0.0)


def _add_test(found: Trees, told: Message, columns: dict[int, Column], rank: dict[int, int]) -> None:
    """What a node asks, and the branches of missing and unseen values."""
    place, condition = told.whole(2), told.part(3)
    kinds = set(condition.found)
    if _OBLIQUE in kinds:
        raise InputError(
            message(
                "The model of YDF has splits on sums of several columns, which cannot be read: fit it with "
                "split_axis='AXIS_ALIGNED'."
            )
        )
    if place not in rank or len(kinds) != 1:
        refuse(message("a split names feature {number}, which is not there", number=place))
    column, kind, missing = columns[place], kinds.pop(), POSITIVE if told.whole(1) else NEGATIVE
    threshold, unseen = np.nan, missing
    if column.encoding.test == "threshold":
        threshold = _threshold(column, kind, condition)
    else:
        positive, unseen = _positive(column, kind, condition, missing)
        codes = np.arange(len(column.bits))
        found.n_pairs += len(codes)
        check_pairs(found.n_pairs)
        found.pairs.append(np.column_stack([np.full(len(codes), len(found.feature)), codes, positive]))
    if kind == _IS_MISSING:
        missing, unseen = POSITIVE, NEGATIVE
    found.feature.append(rank[place])
    found.threshold.append(threshold)
    found.missing.append(missing)
    found.unseen.append(unseen)


def _threshold(column: Column, kind: int, condition: Message) -> float:
    """The smallest number with a positive answer, in 32 bits; endless where all numbers have a negative one."""
    if kind == _IS_MISSING:
        return np.inf
    if kind == _HIGHER and not column.edges:
        return condition.part(_HIGHER).real(1)
    edge = condition.part(_DISCRETE).whole(1)
    if kind != _DISCRETE or not 1 <= edge <= len(column.edges):
        refuse(message("a split has no threshold, or one on categories"))
    return column.edges[edge - 1]


def _positive(column: Column, kind: int, condition: Message, missing: int) -> tuple[Array, int]:
    """Which labels have a positive answer [L], and the answer of a value without a label, whose bit is the first."""
    bits = np.array(column.bits, dtype=np.int64)
    if kind == _IS_MISSING:
        return np.zeros(len(bits), dtype=bool), NEGATIVE
    if kind == _TRUE:
        return bits > 0, missing
    if kind == _LISTED:
        listed = condition.part(_LISTED).wholes(1)
    elif kind == _BITMAP:
        data = np.frombuffer(condition.part(_BITMAP).piece(1), dtype=np.uint8)
        listed = np.flatnonzero(np.unpackbits(data, bitorder="little")).tolist()
    else:
        refuse(message("a split has no threshold, or one on categories"))
    return np.isin(bits, listed), POSITIVE if 0 in listed else NEGATIVE


def model_nodes(trees: Trees, value: Array, with_impurity: bool) -> list[ModelNodes]:
    """Every tree for the reader's record; `value` [n] or [n, K] of all nodes."""
    threshold = np.array(trees.threshold)
    is_usual = np.abs(threshold) < LARGEST_THRESHOLD
    below = np.nextafter(np.where(is_usual, threshold, 0.0).astype(np.float32), np.float32(-np.inf))
    largest = np.where(is_usual, thresholds_before_rounding(below.astype(np.float64)), threshold)
    largest = np.clip(largest, BELOW_ALL, ABOVE_ALL)
    pairs = np.concatenate([np.empty((0, 3), dtype=np.int64), *trees.pairs]).astype(np.int64)
    left, right, feature = np.array(trees.left), np.array(trees.right), np.array(trees.feature)
    missing, unseen = np.array(trees.missing), np.array(trees.unseen)
    weight, impurity = np.array(trees.weight), np.array(trees.impurity)
    found = []
    for start, end in zip(trees.starts, [*trees.starts[1:], len(left)], strict=True):
        part = slice(start, end)
        own = pairs[np.searchsorted(pairs[:, 0], start) : np.searchsorted(pairs[:, 0], end)] - (start, 0, 0)
        found.append(
            ModelNodes.of_two_sides(
                left[part],
                right[part],
                feature[part],
                largest[part],
                1 - missing[part],
                value[part],
                weight[part],
                pairs=own if len(own) else None,
                unseen_branch=unseen[part],
                impurity=impurity[part] if with_impurity else None,
            )
        )
    return found
