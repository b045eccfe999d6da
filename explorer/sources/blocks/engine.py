"""The counting engine of a table in blocks: each method is one pass over them, and rows that were fetched stay here."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from types import SimpleNamespace
from typing import Any, Protocol

import numpy as np

from explorer.messages import Words
from explorer.sources.blocks import worker_counts as work
from explorer.sources.blocks.ways import Path, code_array, needed_arrays, path_to, prefixes, way_to
from explorer.sources.blocks.worker_counts import AnyArray, Block, Partial
from explorer.sources.counting import Coding, EndGroups, Floats, Ints, Layout, NodeColumn, NodeTarget, RowBlock
from explorer.sources.mapped import equivalents
from explorer.sources.mapped.cells import bin_of_codes
from explorer.sources.query_steps import QueryStep, note
from explorer.sources.routing import Routing
from explorer.sources.sql import words
from explorer.sources.sql.cell_engine import CellEngine

KEPT_ROWS = 1_000_000
"""Rows of small nodes that stay in memory once they were fetched, at most."""
BYTES_AT_ONCE = 256_000_000
"""What one pass returns, as far as nodes can be divided among passes."""
NO_CELLS = np.empty(0, np.int64)
Question = tuple[Any, ...]
"""A name in `work.KINDS` with its arguments."""


class Passes(Protocol):
    """What runs one pass over all blocks of a working table."""

    n_parts: int
    """How many partitions answer, at most."""

    def __call__(
        self, what: Words, text: Callable[[], str], arrays: Sequence[str], way: SimpleNamespace, asked: list[Question]
    ) -> list[list[Partial]]:
        """The answers of every partition to the questions; reads these arrays only. Raises EngineError."""

    def close(self) -> object:
        """Give the blocks back; may be called twice."""


@dataclass(eq=False)
class BlockEngine(CellEngine):
    """Counts by passes over blocks of codes; see `CountingEngine` for the methods.

    Rows of nodes that were fetched stay here, up to `KEPT_ROWS`: what is asked about these nodes, and those below, is
    counted here. With the target of nodes a pass counts their bins, which are asked for next.
    """

    layout: Layout
    types: dict[str, str]
    """The arrays of a block and their types, as of numpy."""
    passes: Passes
    steps: list[QueryStep]
    _kept: dict[Path, Block] = field(default_factory=dict)
    _ready: dict[tuple[Path, Coding], Floats] = field(default_factory=dict)
    _codings: tuple[Coding, ...] = ()

    def __post_init__(self) -> None:
        self._codings = tuple(map(Coding, range(len(self.layout.columns))))

    def keep(self, path: Path, rows: Block) -> None:
        """Keep the rows of a node; those that were fetched first go where there are too many."""
        kept = {known: block for known, block in self._kept.items() if path not in prefixes(known)} | {path: rows}
        while sum(len(block["y"]) for block in kept.values()) > KEPT_ROWS and len(kept) > 1:
            del kept[next(iter(kept))]
        self._kept = kept

    def targets(self, routing: Routing, nodes: Sequence[int]) -> dict[int, NodeTarget]:
        """The target at every node; a node that no row reaches is left out."""
        found, ready, codings = dict[int, NodeTarget](), dict[tuple[Path, Coding], Floats](), self._codings
        for block, some in self._portions(routing, nodes, self._bytes_of(codings)):
            asked: list[Question] = [("Targets", len(some), self._width), self._codes(len(some), codings)]
            text = partial(equivalents.targets_sql, self.layout, routing, some)
            target, codes = self._ask(words.targets_words(len(some)), text, routing, some, asked, block)
            for slot, node in enumerate(some):
                if target[1][slot]:
                    values = (array[slot].item() for array in target[1:])
                    found[node] = NodeTarget(target[0][slot].astype(np.float64), *values)
                    path = path_to(routing, self.layout, node)
                    ready |= {(path, coding): codes[i][slot] for i, coding in enumerate(codings)}
        self._ready = ready
        return found

    def bins(self, routing: Routing, nodes: Sequence[int], codings: Sequence[Coding]) -> dict[tuple[int, int], Floats]:
        """Counts [codes + 1, K] by (node, position in `codings`), those of missing cells last; empty nodes left out."""
        found, ready = dict[tuple[int, int], Floats](), self._ready
        paths = {node: path_to(routing, self.layout, node) for node in nodes}
        self._codings = tuple(codings)
        known = [node for node in nodes if all((paths[node], coding) in ready for coding in codings)]
        for node in known:
            found |= {(node, i): ready[paths[node], coding] for i, coding in enumerate(codings)}
        others = [node for node in nodes if node not in known]
        for block, some in self._portions(routing, others, self._bytes_of(codings)):
            text = partial(equivalents.bins_sql, self.layout, routing, some, codings)
            asked = [self._codes(len(some), codings)]
            (codes,) = self._ask(words.bins_words(len(some), len(codings)), text, routing, some, asked, block)
            found |= {
                (node, i): counts[slot]
                for slot, node in enumerate(some)
                for i, counts in enumerate(codes)
                if counts[slot].any()
            }
        return {place: counts.astype(np.float64) for place, counts in found.items()}

    def _bytes_of(self, codings: Sequence[Coding]) -> int:
        """What one node's counts take, from all partitions."""
        return sum(self._n_cells(coding) for coding in codings) * self._width * 8 * self.passes.n_parts

    def _codes(self, n_slots: int, codings: Sequence[Coding]) -> Question:
        return ("Codes", n_slots, self._width, [self._coding(coding) for coding in codings])

    def _coding(self, coding: Coding) -> tuple[str, AnyArray | None, AnyArray | None, int]:
        """The array that a coding reads, the group of its codes or their edges, and how many there are."""
        column, n_cells = self.layout.columns[coding.column], self._n_cells(coding)
        if not column.is_numeric:
            return code_array(self.layout, coding.column), None, None, n_cells
        if coding.edges is not None:
            return f"x{coding.column}", None, np.array(coding.edges), n_cells
        return f"f{coding.column}", np.append(bin_of_codes(column), column.n_bins), None, n_cells

    def _n_cells(self, coding: Coding) -> int:
        return (self.layout.columns[coding.column].n_bins if coding.edges is None else len(coding.edges) + 1) + 1

    def _within(
        self,
        text_of: Callable[[int, Sequence[str]], Words],
        routing: Routing,
        wanted: Mapping[NodeColumn, Ints],
        cell: str,
        value: str,
    ) -> dict[NodeColumn, tuple[Floats, Floats]]:
        """Sums by value of the wanted cells; `cell` and `value` are the first letters of columns in SQL."""
        found = {place: (np.empty(0), np.empty((0, self._width))) for place in wanted}
        nodes = sorted({node for (node, _), cells in wanted.items() if len(cells)})
        for block, some in self._portions(routing, nodes, 0):
            here = {place: cells for place, cells in wanted.items() if place[0] in some and len(cells)}
            columns = sorted({column for _, column in here})
            places = [self._places(column, some, here, cell) for column in columns]
            arrays = [(f"f{i}", group, f"{value}{i}", at) for i, (group, _, at) in zip(columns, places, strict=True)]
            asked: list[Question] = [("Within", arrays, [n_cells for _, n_cells, _ in places])]
            what = text_of(len(some), [self.layout.columns[column].feature.name for column in columns])
            text = partial(equivalents.closer_sql, self.layout, routing, cell, value, here)
            (sums,) = self._ask(what, text, routing, some, asked, block)
            for column, of_column in zip(columns, sums, strict=True):
                at_slots = enumerate(some if of_column else ())
                by_node = [(node, self._at_slot(slot, *of_column)) for slot, node in at_slots]
                found |= {(node, column): cells for node, cells in by_node if (node, column) in here}
        return found

    def _places(
        self, column: int, nodes: Sequence[int], wanted: Mapping[NodeColumn, Ints], cell: str
    ) -> tuple[AnyArray | None, int, Ints]:
        """The group of a column's fine codes, how many cells there are, and those wanted as slot · n_cells + cell."""
        layout = self.layout.columns[column]
        n_cells = (layout.n_bins if cell == "b" else layout.n_codes) + 1
        group = np.append(bin_of_codes(layout), layout.n_bins) if cell == "b" else None
        at = [slot * n_cells + np.unique(wanted.get((node, column), NO_CELLS)) for slot, node in enumerate(nodes)]
        return group, n_cells, np.concatenate(at)

    def _at_slot(
        self, slot: int, slots: AnyArray, values: AnyArray, classes: AnyArray, terms: Floats
    ) -> tuple[Floats, Floats]:
        """The values of one column at a slot, ascending, and their counts [v, K]."""
        begin, end = np.searchsorted(slots, [slot, slot + 1])
        numbers, at = np.unique(values[begin:end], return_inverse=True)
        counts = np.zeros((len(numbers), self._width))
        if len(classes):
            counts[at, classes[begin:end]] = terms[begin:end, 0]
        else:
            counts[at] = terms[begin:end]
        return numbers.astype(np.float64), counts

    def rows(self, routing: Routing, nodes: Sequence[int]) -> dict[int, RowBlock]:
        """All rows of these nodes, in no particular order; they stay in memory up to a bound."""
        found = dict[int, RowBlock]()
        for block, some in self._portions(routing, nodes, 0):
            text = partial(equivalents.rows_sql, self.layout, routing, some)
            asked: list[Question] = [("Fetched", self._arrays)]
            (fetched,) = self._ask(words.rows_words(len(some)), text, routing, some, asked, block)
            slots, whole = self._block(fetched)
            order = np.argsort(slots, kind="stable")
            ends = np.searchsorted(slots[order], np.arange(len(some) + 1))
            for slot, node in enumerate(some):
                rows = {name: array[order[ends[slot] : ends[slot + 1]]] for name, array in whole.items()}
                found[node] = self._row_block(rows)
                if block is None:
                    self.keep(path_to(routing, self.layout, node), rows)
        return found

    @property
    def _arrays(self) -> list[str]:
        """All arrays of a block but its id."""
        return [name for name in self.types if name != "id"]

    def _block(self, fetched: Partial) -> tuple[AnyArray, Block]:
        """What comes first in an answer with rows, and these as a block."""
        if not fetched:
            return np.empty(0, np.int64), {name: np.empty(0, self.types[name]) for name in self._arrays}
        return fetched[0], dict(zip(self._arrays, fetched[1:], strict=True))

    def _row_block(self, rows: Block) -> RowBlock:
        is_numeric = self.layout.target.kind == "numeric"
        y = rows["y"].astype(np.float64) if is_numeric else rows["y"].astype(np.int32)
        return RowBlock(self._cells(rows), y, rows["w"].astype(np.float64) if self.layout.has_weights else None)

    def _cells(self, rows: Block) -> tuple[AnyArray, ...]:
        """The columns of a `RowBlock`."""
        columns = enumerate(self.layout.columns)
        return tuple(rows[f"x{i}"] if c.is_numeric else rows[f"c{i}"].astype(np.int32) for i, c in columns)

    def sample(self, routing: Routing, n: int, seed: int) -> RowBlock:
        """Draw n rows of the routing at random, or all where there are no more; the same rows for the same seed."""
        asked: list[Question] = [("Drawn", self._arrays, n, seed)]
        text = partial(equivalents.sample_sql, self.layout, routing, n, seed)
        nodes = equivalents.all_nodes(routing)
        (drawn,) = self._ask(words.sample_words(n), text, routing, nodes, asked, self._whole(routing))
        return self._row_block(self._block(drawn)[1])

    def ends(self, routing: Routing) -> EndGroups:
        """All rows of the routing by the node where they end."""
        nodes = equivalents.all_nodes(routing)
        asked: list[Question] = [("Ends", len(nodes), self._width, self._arrays)]
        text = partial(equivalents.ends_sql, self.layout, routing)
        ((counts, n_rows, first),) = self._ask(words.ends_words, text, routing, nodes, asked, self._whole(routing))
        slots, rows = self._block(first)
        return EndGroups(np.array(nodes)[slots], counts[slots].astype(np.float64), n_rows[slots], self._cells(rows))

    def close(self) -> None:
        """Give back the blocks; may be called twice."""
        self._kept, self._ready = {}, {}
        self.passes.close()

    @property
    def _width(self) -> int:
        """K, the number of counts of a cell."""
        return len(self.layout.target.categories) or 3

    def _whole(self, routing: Routing) -> Block | None:
        """The rows of the routing, where they are here."""
        return self._block_above(path_to(routing, self.layout, 0))

    def _block_above(self, path: Path) -> Block | None:
        return next((block for known, block in self._kept.items() if known in prefixes(path)), None)

    def _portions(
        self, routing: Routing, nodes: Sequence[int], bytes_a_node: int
    ) -> list[tuple[Block | None, list[int]]]:
        """The nodes by the rows that are here and hold theirs; the others (None), so many as one pass may ask for."""
        by_block = dict[int, tuple[Block | None, list[int]]]()
        for node in nodes:
            block = self._block_above(path_to(routing, self.layout, node))
            by_block.setdefault(id(block), (block, []))[1].append(node)
        size = max(BYTES_AT_ONCE // max(bytes_a_node, 1), 1)
        return [
            (block, some[start : start + size])
            for block, some in by_block.values()
            for start in range(0, len(some), size)
        ]

    def _ask(
        self,
        what: Words,
        text: Callable[[], str],
        routing: Routing,
        nodes: Sequence[int],
        asked: list[Question],
        block: Block | None,
    ) -> list[Partial]:
        """The answers to some questions about nodes, from a block that is here, or from a pass over all blocks."""
        way = way_to(routing, self.layout, nodes)
        questions = [work.KINDS[name](*arguments) for name, *arguments in asked]
        if block is not None:
            start = time.perf_counter()
            parts = [work.answers([block], way, asked)]
            note(self.steps, QueryStep.of(what, text(), time.perf_counter() - start, len(block["y"])))
        else:
            arrays = needed_arrays(way, self.types, [name for question in questions for name in question.columns])
            parts = self.passes(what, text, arrays, way, asked)
        return [question.merged([part[i] for part in parts]) for i, question in enumerate(questions)]


def joined(blocks: Iterable[Block]) -> Block:
    """The rows of several blocks as one."""
    whole = list(blocks)
    return {name: np.concatenate([block[name] for block in whole]) for name in whole[0]}


def types_of(layout: Layout, has_parts: bool) -> dict[str, str]:
    """The arrays of a block and their types."""
    found = dict[str, str]()
    for i, column in enumerate(layout.columns):
        found |= {f"f{i}": "u2", f"x{i}": "f8"} if column.is_numeric else {f"c{i}": "u2"}
    found["y"] = "f8" if layout.target.kind == "numeric" else "u2"
    if layout.has_weights:
        found["w"] = "f8"
    if has_parts:
        found["part"] = "u1"
    return found | {"id": "i8"}
