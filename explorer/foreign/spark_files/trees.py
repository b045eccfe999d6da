"""The nodes of Spark's trees, as the table `data` holds them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from explorer.errors import InputError
from explorer.foreign.limits import MOST_CLASSES, MOST_TREES, check_pairs
from explorer.foreign.record import ModelNodes
from explorer.foreign.spark_files.pipeline import Slot
from explorer.foreign.spark_files.stored import refuse
from explorer.messages import message
from explorer.ranges import LARGEST_SUMMED

Array = NDArray[Any]
STAYS = -1
"""The branch of rows that Spark refuses: they stay at the node."""
OF_NUMBERS = 3
"""What is kept of a node of numbers: Σw, Σw·y and Σw·y²."""


@dataclass(frozen=True, eq=False)
class Nodes:
    """The nodes of all trees, tree after tree in the order of their ids [n]: children by id, negative for a leaf.

    The values of a split are `listed` from `begin` to `end`: its threshold where `arity` is negative, else the codes
    that go left, of as many as `arity`. `stats` [n, K] are class weights, or the three sums of numbers.
    """

    tree: Array
    left: Array
    right: Array
    feature: Array
    arity: Array
    begin: Array
    end: Array
    listed: Array
    prediction: Array
    stats: Array
    n_rows: Array | None
    is_of_numbers: bool

    @property
    def weight(self) -> Array:
        """What the training rows of a node weigh together, [n]."""
        found: Array = self.stats[:, 0] if self.is_of_numbers else self.stats.sum(axis=1)
        return found


def nodes_of(table: pa.Table, width: int, is_of_numbers: bool) -> Nodes:
    """The nodes of the table, `width` statistics each; InputError where they are damaged."""
    try:
        data = table.combine_chunks()
        tree = _column(data["treeID"]) if "treeID" in table.column_names else np.zeros(len(table), dtype=np.int64)
        node = _struct(data["nodeData"]) if "nodeData" in table.column_names else data
        order = np.lexsort((_column(node["id"]), tree))
        split, stats = _struct(node["split"]), node["impurityStats"]
        listed = split["leftCategoriesOrThreshold"]
        return _checked(node, split, _lists(stats), _lists(listed), tree, order, width, is_of_numbers)
    except InputError:
        raise
    except (pa.ArrowException, KeyError, ValueError, TypeError, AttributeError, OverflowError, NotImplementedError):
        refuse(message("a file of numbers is damaged"))


def _checked(
    node: Any,
    split: Any,
    stats: tuple[Array, Array],
    listed: tuple[Array, Array],
    tree: Array,
    order: Array,
    width: int,
    is_of_numbers: bool,
) -> Nodes:
    ids = _column(node["id"])[order]
    tree = tree[order]
    starts = np.flatnonzero(np.diff(tree, prepend=-1))
    if not 1 <= len(starts) <= MOST_TREES:
        refuse(message("it has {n:,} trees, and up to {most:,} can be read", n=len(starts), most=MOST_TREES))
    if (tree[starts] != np.arange(len(starts))).any() or (ids != np.arange(len(ids)) - starts[tree]).any():
        refuse(message("the children of a tree do not form a tree"))
    numbers, ends = stats
    if not 1 <= width <= MOST_CLASSES or (np.diff(ends) != width).any() or len(numbers) != width * len(ids):
        refuse(message("its number of trees does not fit its classes"))
    sums = numbers.reshape(-1, width)[order]
    prediction = _column(node["prediction"])[order]
    if not (np.abs(sums) <= LARGEST_SUMMED**2).all() or not (np.abs(prediction) <= LARGEST_SUMMED).all():
        refuse(message("the value of a leaf is no finite number"))
    names = node.column_names if isinstance(node, pa.Table) else list(node)
    return Nodes(
        tree,
        _column(node["leftChild"])[order],
        _column(node["rightChild"])[order],
        _column(split["featureIndex"])[order],
        _column(split["numCategories"])[order],
        listed[1][:-1][order],
        listed[1][1:][order],
        listed[0],
        prediction,
        sums,
        _column(node["rawCount"])[order] if "rawCount" in names else None,
        is_of_numbers,
    )


def _column(column: Any) -> Array:
    """A column of numbers without gaps."""
    found: Array = column.to_numpy() if isinstance(column, pa.ChunkedArray) else column.to_numpy(zero_copy_only=False)
    if column.null_count or found.dtype.kind not in "if":
        refuse(message("a file of numbers is damaged"))
    return found


def _whole(column: Any) -> Any:
    """A column as one array."""
    return column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column


def _struct(column: Any) -> dict[str, Any]:
    """The parts of a column of records, by name."""
    whole = _whole(column)
    if whole.null_count:
        refuse(message("a file of numbers is damaged"))
    return dict(zip((whole.type.field(i).name for i in range(whole.type.num_fields)), whole.flatten(), strict=True))


def _lists(column: Any) -> tuple[Array, Array]:
    """The numbers of all lists behind each other, and where each begins, with the end of the last."""
    whole = _whole(column)
    ends = whole.offsets.to_numpy().astype(np.int64)
    if whole.null_count or not isinstance(whole, pa.ListArray):
        refuse(message("a file of numbers is damaged"))
    return _column(whole.values).astype(np.float64)[ends[0] : ends[-1]], ends - ends[0]


def model_nodes(nodes: Nodes, slots: Sequence[Slot], shares: Array | None, impurity: Array | None) -> list[ModelNodes]:
    """Every tree for the reader's record; `shares` [n, K] are what leaves of classes predict."""
    n, split = len(nodes.tree), nodes.feature >= 0
    is_one = nodes.end - nodes.begin == 1
    by_code = split & np.array([slot.codes is not None for slot in slots] or [False])[np.where(split, nodes.feature, 0)]
    by_set = split & (nodes.arity >= 0)
    if (nodes.feature >= len(slots)).any() or (split & ~by_set & ~is_one).any() or (by_set & ~by_code).any():
        refuse(message("a split has no threshold, or one on categories"))
    first = np.zeros(n)
    first[split & ~by_set] = nodes.listed[nodes.begin[split & ~by_set]]
    refuses = np.array([slot.refuses for slot in slots] or [False])[np.where(split, nodes.feature, 0)]
    missing = np.where(split, np.where(refuses, STAYS, 1), -1)
    pairs = _pairs(nodes, np.flatnonzero(by_code), slots, first, missing)
    threshold = np.where(split & ~by_code, first, np.nan)
    value = nodes.prediction if shares is None else shares
    starts = np.flatnonzero(np.diff(nodes.tree, prepend=-1))
    found = []
    for start, end in zip(starts.tolist(), [*starts[1:].tolist(), n], strict=True):
        part = slice(start, end)
        own = pairs[np.searchsorted(pairs[:, 0], start) : np.searchsorted(pairs[:, 0], end)] - (start, 0, 0)
        found.append(
            ModelNodes.of_two_sides(
                nodes.left[part],
                nodes.right[part],
                nodes.feature[part],
                threshold[part],
                1 - missing[part],
                value[part],
                nodes.weight[part],
                pairs=own if len(own) else None,
                unseen_branch=missing[part],
                impurity=None if impurity is None else impurity[part],
            )
        )
    return found


def _pairs(nodes: Nodes, where: Array, slots: Sequence[Slot], first: Array, missing: Array) -> Array:
    """Node, code of the label and branch, [m, 3], node after node; sets the branch of other cells in `missing`.

    Spark keeps the smaller side of a split: a code that is none of the feature's is on the other one.
    """
    sizes = np.array([len(slot.codes or ()) for slot in slots])
    check_pairs(int(sizes[nodes.feature[where]].sum() + np.maximum(nodes.arity[where], 0).sum()))
    tables = [np.empty((0, 3), dtype=np.int64)]
    for node in where.tolist():
        slot = slots[int(nodes.feature[node])]
        codes = np.fromiter((slot.codes or {}).values(), dtype=np.float64)
        kept = np.array([np.nan if slot.kept is None else slot.kept])
        if nodes.arity[node] < 0:
            branches, other = [~(each <= first[node]) for each in (codes, kept)], 1
        else:
            listed = nodes.listed[nodes.begin[node] : nodes.end[node]]
            branches = [~np.isin(each, listed) for each in (codes, kept)]
            other = int(len(listed) <= nodes.arity[node] // 2)
        if slot.kept is not None or not slot.refuses:
            missing[node] = int(branches[1][0]) if slot.kept is not None else other
        tables.append(np.column_stack([np.full(len(codes), node), np.arange(len(codes)), branches[0]]))
    return np.concatenate(tables).astype(np.int64)
