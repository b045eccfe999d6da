"""How Spark's workers count: they send the rows of blocks down a tree, and answer questions about its nodes.

Blocks are those of `worker_coding`. Like that file, this one imports nothing of the package and travels by value.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

AnyArray = NDArray[Any]
Block = dict[str, AnyArray]
Partial = tuple[Any, ...]
"""What one partition has counted, as arrays."""
FEW_BRANCHES = 4
MOST_WAITING = 1 << 18
"""Rows that wait until they are summed, or until those drawn are chosen among them."""


def blocks_of(batches: Iterable[pa.RecordBatch], types: dict[str, str]) -> Iterator[Block]:
    """The blocks in rows of bytes; `types` are those of their arrays."""
    for batch in batches:
        for row in range(batch.num_rows):
            cells = {name: batch.column(name)[row].as_buffer() for name in types}
            if cells["y"] is not None:
                yield {name: np.frombuffer(cell, types[name]) for name, cell in cells.items()}


class Reached:
    """The rows of a block at the nodes asked about, with the positions of these in the list of nodes."""

    def __init__(self, block: Block, rows: AnyArray, slots: AnyArray, way: SimpleNamespace) -> None:
        self.block, self.rows, self.slots = block, rows, slots
        self.n_classes, self.width = way.n_classes, way.n_classes or 3
        self.y = block["y"][rows]
        self.weights = block["w"][rows] if "w" in block else None
        self.centre = way.centre

    def terms(self, which: Any = slice(None)) -> AnyArray:
        """What some of the rows add: their weights [n, 1] of classes, or w, w·d and w·d² [n, 3], d = y − centre."""
        y = self.y[which]
        weights = np.ones(len(y)) if self.weights is None else self.weights[which]
        if self.n_classes:
            return weights[:, None]
        d = y - self.centre
        return np.stack([weights, weights * d, weights * d**2], axis=1)

    def sums(self, cells: AnyArray, n_cells: int) -> AnyArray:
        """Counts [n_cells, K] of the rows by their cells."""
        if not self.n_classes:
            columns = self.terms().T
            return np.stack([np.bincount(cells, column, n_cells) for column in columns], axis=1)
        places = cells * self.n_classes + self.y
        return np.bincount(places, self.weights, n_cells * self.n_classes).reshape(n_cells, self.n_classes)


def reached(block: Block, way: SimpleNamespace) -> Reached:
    """The rows of a block that the tests, parents first, send to the nodes asked about."""
    rows = np.arange(len(block["y"])) if way.part is None else np.flatnonzero(block["part"] == way.part)
    for name, missing in way.complete:
        rows = rows[block[name][rows] != missing]
    none, at = rows[:0], {0: rows}
    for test in way.tests:
        at |= divided(test, block, at.pop(test.node, none), way.undecided)
    found = [at.get(node, none) for node in way.nodes]
    return Reached(block, np.concatenate(found), np.repeat(np.arange(len(found)), [len(each) for each in found]), way)


def divided(test: SimpleNamespace, block: Block, rows: AnyArray, undecided: int) -> dict[int, AnyArray]:
    """The rows at a node by the child that they go to, for the children on the way to nodes asked about."""
    if not len(rows):
        return {}
    child = children_of(test, block, rows, undecided)
    if len(test.kept) <= FEW_BRANCHES:
        return {node: rows[child == node] for node in test.kept}
    order = np.argsort(child, kind="stable")
    ends = [np.searchsorted(child[order], test.kept, side) for side in ("left", "right")]
    return {node: rows[order[begin:end]] for node, begin, end in zip(test.kept, *ends, strict=True)}


def children_of(test: SimpleNamespace, block: Block, rows: AnyArray, undecided: int) -> AnyArray:
    """The child of every row: by its code, and where that does not decide, by its number."""
    codes = block[test.code][rows]
    if test.table is not None:
        child = test.table[codes]
    else:
        child = test.children[(codes >= test.low).astype(np.intp)]
        child[(codes >= test.low) & (codes <= test.high)] = undecided
        child[codes == test.missing_code] = test.missing
    unknown = np.flatnonzero(child == undecided)
    if len(unknown):
        child[unknown] = test.children[np.searchsorted(test.edges, block[test.number][rows[unknown]])]
    return np.asarray(child)


class Targets:
    """The target at every slot."""

    columns: Sequence[str] = ()

    def __init__(self, n_slots: int, width: int) -> None:
        self.counts, self.n_rows = np.zeros((n_slots, width)), np.zeros(n_slots, np.int64)
        self.low, self.high = np.full(n_slots, np.inf), np.full(n_slots, -np.inf)

    def add(self, rows: Reached) -> None:
        """Take the rows of a block."""
        self.counts += rows.sums(rows.slots, len(self.n_rows))
        self.n_rows += np.bincount(rows.slots, minlength=len(self.n_rows))
        np.minimum.at(self.low, rows.slots, rows.y)
        np.maximum.at(self.high, rows.slots, rows.y)

    def partial(self) -> Partial:
        """Counts [slots, K], rows, least and greatest target."""
        return self.counts, self.n_rows, self.low, self.high

    @staticmethod
    def merged(partials: Sequence[Partial]) -> Partial:
        """The same of all partitions."""
        counts, n_rows, low, high = zip(*partials, strict=True)
        return sum(counts), sum(n_rows), np.min(low, axis=0), np.max(high, axis=0)


class Codes:
    """Counts of every slot by the codes of columns, each given as (array, group of its codes, edges, cells)."""

    def __init__(self, n_slots: int, width: int, codings: Sequence[tuple[str, Any, Any, int]]) -> None:
        self.codings, self.columns = codings, [name for name, *_ in codings]
        self.n_slots, self.counts = n_slots, [np.zeros((n_slots * cells, width)) for *_, cells in codings]

    def add(self, rows: Reached) -> None:
        """Take the rows of a block."""
        for (name, group, edges, n_cells), counts in zip(self.codings, self.counts, strict=True):
            codes = rows.block[name][rows.rows]
            if edges is not None:
                codes = np.where(np.isnan(codes), len(edges) + 1, np.searchsorted(edges, codes))
            elif group is not None:
                codes = group[codes]
            counts += rows.sums(rows.slots * n_cells + codes, len(counts))

    def partial(self) -> Partial:
        """Counts [slots, cells, K] of every coding."""
        return tuple(each.reshape(self.n_slots, -1, each.shape[1]) for each in self.counts)

    @staticmethod
    def merged(partials: Sequence[Partial]) -> Partial:
        """The same of all partitions."""
        return tuple(sum(each) for each in zip(*partials, strict=True))


class Within:
    """Sums by value of the rows in some cells of columns: (array of cells, their group, array of values, places).

    `places` are slot · n_cells + cell, ascending.
    """

    def __init__(self, wanted: Sequence[tuple[str, Any, str, AnyArray]], n_cells: Sequence[int]) -> None:
        self.wanted, self.n_cells = wanted, n_cells
        self.columns = list(dict.fromkeys(name for cell, _, value, _ in wanted for name in (cell, value)))
        self.is_known = [np.zeros(n, np.bool_) for n in n_cells]
        for known, (*_, places) in zip(self.is_known, wanted, strict=True):
            known[places % len(known)] = True
        self.waiting: list[list[Partial]] = [[] for _ in wanted]
        self.n_waiting = [0] * len(wanted)

    def add(self, rows: Reached) -> None:
        """Take the rows of a block."""
        for i, (name, group, value, places) in enumerate(self.wanted):
            cells = rows.block[name][rows.rows]
            cells = cells if group is None else group[cells]
            which = np.flatnonzero(self.is_known[i][cells])
            place = rows.slots[which] * self.n_cells[i] + cells[which]
            which = which[places[np.searchsorted(places, place).clip(max=len(places) - 1)] == place]
            numbers, classes = rows.block[value][rows.rows[which]], rows.y[which] if rows.n_classes else rows.slots[:0]
            self.waiting[i].append((rows.slots[which], numbers, classes, rows.terms(which)))
            self.n_waiting[i] += len(which)
            if self.n_waiting[i] > MOST_WAITING:
                self.waiting[i], self.n_waiting[i] = [summed(self.waiting[i])], 0

    def partial(self) -> Partial:
        """Slots, values, classes (none of numbers) and sums of every column, ascending; () without blocks."""
        return tuple(summed(each) for each in self.waiting)

    @staticmethod
    def merged(partials: Sequence[Partial]) -> Partial:
        """The same of all partitions."""
        return tuple(summed(each) for each in zip(*partials, strict=True))


def summed(parts: Sequence[Partial]) -> Partial:
    """Slots, values, classes and terms with one row for each that differs in the first three; no parts, no arrays."""
    parts = [part for part in parts if part]
    if not parts:
        return ()
    slots, values, classes, terms = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    keys = [classes, values, slots] if len(classes) else [values, slots]
    order = np.lexsort(keys)
    is_new = np.zeros(len(order), np.bool_)
    is_new[:1] = True
    for key in keys:
        is_new[1:] |= key[order][1:] != key[order][:-1]
    first = order[is_new]
    sums = np.stack([np.bincount(np.cumsum(is_new) - 1, term[order], len(first)) for term in terms.T], axis=1)
    return slots[first], values[first], classes[first] if len(classes) else classes, sums


class Fetched:
    """All rows at the slots, with some of their arrays."""

    def __init__(self, columns: Sequence[str]) -> None:
        self.columns = columns
        self.found: list[Partial] = []

    def add(self, rows: Reached) -> None:
        """Take the rows of a block."""
        self.found.append((rows.slots, *(rows.block[name][rows.rows] for name in self.columns)))

    def partial(self) -> Partial:
        """Slots and arrays."""
        return tuple(np.concatenate(arrays) for arrays in zip(*self.found, strict=True))

    @staticmethod
    def merged(partials: Sequence[Partial]) -> Partial:
        """The same of all partitions that have rows."""
        return tuple(np.concatenate(arrays) for arrays in zip(*(part for part in partials if part), strict=True))


class Drawn(Fetched):
    """At most n of the rows, drawn at random: those with the least random numbers, which follow from seed and block."""

    def __init__(self, columns: Sequence[str], n: int, seed: int) -> None:
        super().__init__(columns)
        self.n, self.seed = n, seed

    def add(self, rows: Reached) -> None:
        """Take the rows of a block."""
        place = np.random.default_rng([self.seed, *rows.block["id"]]).random(len(rows.block["y"]))[rows.rows]
        self.found.append((place, *(rows.block[name][rows.rows] for name in self.columns)))
        if sum(len(part[0]) for part in self.found) > 2 * self.n + MOST_WAITING:
            self.found = [self.merged([self.partial()])]

    def merged(self, partials: Sequence[Partial]) -> Partial:  # type: ignore[override]
        """The rows drawn of all partitions."""
        whole = Fetched.merged(partials)
        return tuple(array[np.argsort(whole[0], kind="stable")[: self.n]] for array in whole) if whole else ()


class Ends:
    """Counts of every slot, with the first row of each."""

    def __init__(self, n_slots: int, width: int, columns: Sequence[str]) -> None:
        self.columns = columns
        self.counts, self.n_rows = np.zeros((n_slots, width)), np.zeros(n_slots, np.int64)
        self.first: list[Partial] = []

    def add(self, rows: Reached) -> None:
        """Take the rows of a block."""
        slots, at = np.unique(rows.slots, return_index=True)
        is_new = self.n_rows[slots] == 0
        slots, at = slots[is_new], rows.rows[at[is_new]]
        self.first.append((slots, *(rows.block[name][at] for name in self.columns)))
        self.counts += rows.sums(rows.slots, len(self.n_rows))
        self.n_rows += np.bincount(rows.slots, minlength=len(self.n_rows))

    def partial(self) -> Partial:
        """Counts [slots, K], rows, and the slots that have rows with the values of one of them."""
        return self.counts, self.n_rows, Fetched.merged(self.first)

    @staticmethod
    def merged(partials: Sequence[Partial]) -> Partial:
        """The same of all partitions."""
        counts, n_rows, first = zip(*partials, strict=True)
        found = Fetched.merged(first)
        return sum(counts), sum(n_rows), tuple(a[np.unique(found[0], return_index=True)[1]] for a in found)


KINDS: dict[str, Any] = {kind.__name__: kind for kind in (Targets, Codes, Within, Fetched, Drawn, Ends)}


def answers(blocks: Iterable[Block], way: SimpleNamespace, asked: Sequence[tuple[Any, ...]]) -> list[Partial]:
    """What the rows of some blocks answer to questions, each a name in `KINDS` and its arguments."""
    questions = [KINDS[name](*arguments) for name, *arguments in asked]
    for block in blocks:
        rows = reached(block, way)
        for question in questions:
            question.add(rows)
    return [question.partial() for question in questions]


def answer_in_batches(
    batches: Iterable[pa.RecordBatch], types: dict[str, str], way: SimpleNamespace, asked: Sequence[tuple[Any, ...]]
) -> Iterator[pa.RecordBatch]:
    """The same of one partition, as one row of bytes."""
    found = pickle.dumps(answers(blocks_of(batches, types), way, asked))
    yield pa.RecordBatch.from_pydict({"found": pa.array([found], pa.binary())})
