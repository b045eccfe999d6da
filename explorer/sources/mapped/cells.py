"""What rows are counted by: all codes of a column, the fine codes of some bins, or different numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from explorer.sources.counting import Coding, ColumnLayout, Floats, Ints
from explorer.sources.mapped.code_tables import interval_of_codes
from explorer.sources.mapped.files import AnyArray, Codes, ColumnFiles, Int32s, UInt32s, code_type
from explorer.sources.mapped.loops import choose, count_classes, count_numbers

MOST_WAITING = 1 << 18
"""Rows with values to be summed that are kept until they are."""
ONE_CODE, NO_OFFSET = np.zeros(1, np.uint16), np.zeros(1, np.uint32)


@dataclass(frozen=True, eq=False)
class Rows:
    """The rows of a chunk that count: where the chunk begins, its size, their positions in it, slots, target, weights.

    Slots are positions in a list of nodes. Without `weights` ([0]) all are 1. `n_classes` is 0 for a numeric target,
    from which `centre` is taken off.
    """

    begin: int
    n_in_chunk: int
    positions: UInt32s
    slots: UInt32s
    y: AnyArray
    weights: Floats
    n_classes: int
    centre: float = 0.0

    @property
    def width(self) -> int:
        """K, the number of counts of a cell."""
        return self.n_classes or 3

    @property
    def in_table(self) -> Ints:
        """Their positions in the table."""
        return self.begin + self.positions.astype(np.int64)

    @cached_property
    def places(self) -> UInt32s:
        """Where the counts of a row begin among those of all slots, [slots, K]."""
        return self.places_of(self.slots)

    @cached_property
    def terms(self) -> Floats:
        """w, w·d and w·d² of a numeric target, d = y − centre, [n, 3]."""
        deviation = self.y - self.centre
        weights = self.weights if len(self.weights) else np.ones(len(deviation))
        return np.stack([weights, weights * deviation, weights * deviation**2], axis=1)

    def places_of(self, cells: UInt32s) -> UInt32s:
        """Where the counts of each row begin when it is counted in a cell, [cells, K]."""
        begins = cells * np.uint32(self.width)
        return (begins + self.y).astype(np.uint32, copy=False) if self.n_classes else begins

    def count(self, positions: UInt32s, places: UInt32s, codes: Codes, offset: UInt32s, counts: Floats) -> None:
        """Add every row to counts [n] at `offset[codes[position]]` + place."""
        if self.n_classes:
            count_classes(positions, places, codes, offset, self.weights, counts)
        else:
            count_numbers(positions, places, codes, offset, self.terms, counts)

    def add(self, cells: UInt32s, counts: Floats) -> None:
        """Add every row to the counts [cells, K] of its cell."""
        self.count(np.zeros_like(cells), self.places_of(cells), ONE_CODE, NO_OFFSET, counts.reshape(-1))

    def take(self, rows: Ints | UInt32s) -> Rows:
        """Some of the rows."""
        weights = self.weights[rows] if len(self.weights) else self.weights
        return replace(self, positions=self.positions[rows], slots=self.slots[rows], y=self.y[rows], weights=weights)


class AllCodes:
    """Counts of every slot by bin, category, or interval, and of missing cells."""

    def __init__(self, layout: ColumnLayout, coding: Coding, n_slots: int, width: int) -> None:
        self._edges = None if coding.edges is None else np.array(coding.edges, dtype=np.float64)
        if self._edges is not None:
            group = np.arange(len(self._edges) + 2)
        else:
            group = np.append(bin_of_codes(layout), layout.n_bins)
        self._offset = (group * n_slots * width).astype(np.uint32)
        self._counts = np.zeros((int(group[-1]) + 1, n_slots, width))

    def add(self, rows: Rows, files: ColumnFiles, codes: Codes) -> None:
        """Count the rows; `codes` are those of the chunk."""
        positions = rows.positions
        if self._edges is not None:
            codes, positions = intervals(self._edges, rows, files, codes), np.arange(len(positions), dtype=np.uint32)
        rows.count(positions, rows.places, codes, self._offset, self._counts.reshape(-1))

    def of_slot(self, slot: int) -> Floats:
        """Counts [codes + 1, K]."""
        return np.ascontiguousarray(self._counts[:, slot])


def intervals(edges: Floats, rows: Rows, files: ColumnFiles, codes: Codes) -> Codes:
    """The interval between the edges that each row's number lies in, missing cells in one past the last."""
    codes = codes[rows.positions]
    interval = np.append(interval_of_codes(files.layout, edges), len(edges) + 1)[codes]
    unknown = np.flatnonzero(interval < 0)
    if len(unknown):
        numbers = files.numbers_at(rows.in_table[unknown], codes[unknown])
        interval[unknown] = np.searchsorted(edges, numbers, side="left")
    return interval.astype(np.result_type(np.uint16, code_type(len(edges) + 1)))


def bin_of_codes(layout: ColumnLayout) -> Ints:
    """The bin of every fine code; categories are bins of their own."""
    if not layout.is_numeric:
        return np.arange(layout.n_codes)
    return np.repeat(np.arange(layout.n_bins), np.diff(layout.bin_starts, append=layout.n_codes))


@dataclass(eq=False)
class ChosenCells:
    """Which rows are wanted: code c at slot s has cell `first[s, group[c]] + within[c]`, if all of these are ≥ 0."""

    group: Int32s
    within: Int32s
    first: Int32s

    def choose(self, rows: Rows, codes: Codes) -> tuple[Rows, UInt32s]:
        """The wanted ones of the rows, and their cells; `codes` are those of the chunk."""
        chosen, cells = np.empty((2, len(rows.positions)), np.uint32)
        n = choose(rows.positions, rows.slots, codes, self.group, self.within, self.first, chosen, cells)
        return rows.take(chosen[:n]), cells[:n]


class FineCodes:
    """Counts by the fine codes of the bins wanted at each slot: a cell for each, slot by slot."""

    def __init__(self, layout: ColumnLayout, bins: Mapping[int, Ints], n_slots: int, width: int) -> None:
        bin_of, sizes = bin_of_codes(layout), np.diff(layout.bin_starts, append=layout.n_codes)
        wanted = {slot: np.unique(each) for slot, each in bins.items()}
        ends = np.cumsum([sizes[each].sum() for each in wanted.values()]).tolist()
        within = np.append(np.arange(layout.n_codes) - layout.bin_starts[bin_of], 0)
        first = np.full((n_slots, layout.n_bins), -1, np.int32)
        for (slot, each), end in zip(wanted.items(), ends, strict=True):
            first[slot, each] = end - np.cumsum(sizes[each][::-1])[::-1]
        group = np.append(np.where(np.any(first >= 0, axis=0)[bin_of], bin_of, -1), -1)
        self._chosen = ChosenCells(group.astype(np.int32), within.astype(np.int32), first)
        self._codes = np.concatenate([np.flatnonzero(np.isin(bin_of, each)) for each in wanted.values()])
        self._ranges = dict(zip(wanted, zip([0, *ends], ends, strict=False), strict=True))
        self._counts = np.zeros((ends[-1], width))
        self._has_rows = np.zeros(ends[-1], np.bool_)

    def add(self, rows: Rows, files: ColumnFiles, codes: Codes) -> None:
        """Count the wanted ones of the rows; `codes` are those of the chunk."""
        chosen, cells = self._chosen.choose(rows, codes)
        chosen.add(cells, self._counts)
        self._has_rows[cells] = True

    def of_slot(self, slot: int) -> tuple[Ints, Floats]:
        """The codes that rows at a slot have, ascending, and their counts [c, K]."""
        begin, end = self._ranges[slot]
        cells = begin + np.flatnonzero(self._has_rows[begin:end])
        return self._codes[cells], self._counts[cells]


class ValueSums:
    """Counts by exact number of the fine codes wanted at each slot.

    Rows wait until there are many of them; they are summed in their order all the same.
    """

    def __init__(self, layout: ColumnLayout, codes: Mapping[int, Ints], n_slots: int, width: int) -> None:
        known = np.unique(np.concatenate(list(codes.values())))
        group = np.full(layout.n_codes + 1, -1, np.int32)
        group[known] = np.arange(len(known))
        first = np.full((n_slots, len(known)), -1, np.int32)
        for slot, wanted in codes.items():
            first[slot, np.searchsorted(known, wanted)] = 0
        self._chosen = ChosenCells(group, np.zeros_like(group), first)
        self._slots, self._numbers = np.empty(0, np.uint32), np.empty(0)
        self._counts = np.zeros((0, width))
        self._waiting: list[tuple[Rows, Floats]] = []
        self._n_waiting = 0

    def add(self, rows: Rows, files: ColumnFiles, codes: Codes) -> None:
        """Keep the wanted ones of the rows; `codes` are those of the chunk."""
        chosen, cells = self._chosen.choose(rows, codes)
        if len(cells):
            self._waiting.append((chosen, files.numbers_at(chosen.in_table, codes[chosen.positions])))
            self._n_waiting += len(cells)
        if self._n_waiting > MOST_WAITING:
            self._sum()

    def _sum(self) -> None:
        """Sum the rows that wait: slots and numbers are then those of all rows, ascending."""
        waiting, self._waiting, self._n_waiting = self._waiting, [], 0
        slots = np.concatenate([self._slots, *(rows.slots for rows, _ in waiting)])
        numbers = np.concatenate([self._numbers, *(each for _, each in waiting)])
        order = np.lexsort((numbers, slots))
        is_new = np.ones(len(order), np.bool_)
        is_new[1:] = (slots[order][1:] != slots[order][:-1]) | (np.diff(numbers[order]) != 0)
        cell_of = np.empty(len(order), np.uint32)
        cell_of[order] = np.cumsum(is_new) - 1
        counts = np.zeros((int(is_new.sum()), self._counts.shape[1]))
        begin = len(self._numbers)
        counts[cell_of[:begin]] = self._counts
        for rows, each in waiting:
            rows.add(cell_of[begin : begin + len(each)], counts)
            begin += len(each)
        self._slots, self._numbers, self._counts = slots[order][is_new], numbers[order][is_new], counts

    def of_slot(self, slot: int) -> tuple[Floats, Floats]:
        """The numbers at a slot, ascending, and their counts [v, K]."""
        if self._waiting:
            self._sum()
        begin, end = np.searchsorted(self._slots, [slot, slot + 1])
        return self._numbers[begin:end], self._counts[begin:end]
