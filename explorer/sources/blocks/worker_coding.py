"""How Spark's workers code rows into blocks.

A *block* holds some rows as arrays by name: of the feature at position i its fine code `f<i>` and number `x<i>`, or its
category `c<i>`; then the target `y`, the weight `w` and the `part`. `id` is a number that no other block has. Workers
have numpy and pyarrow but not this package, so this file imports nothing of it and travels to them by value.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pyarrow import compute

AnyArray = NDArray[Any]
Block = dict[str, AnyArray]
BLOCK_ROWS = 1 << 15
"""Rows of a block, at least, but for the last one: few enough for the processor's cache."""


def encode(
    batches: Iterable[pa.RecordBatch], codings: Sequence[SimpleNamespace], partition: Callable[[], int]
) -> Iterator[pa.RecordBatch]:
    """Rows as blocks, one a row of bytes, and in a last row the facts of all of them; column i by coding i."""
    facts, waiting, n_waiting, block_id = Facts(codings), list[Block](), 0, partition() << 32
    for batch in batches:
        columns = zip(batch.columns, codings, strict=True)
        block = {name: cells for column, coding in columns for name, cells in coded(column, coding).items()}
        facts.add(block)
        waiting.append(block)
        n_waiting += batch.num_rows
        if n_waiting >= BLOCK_ROWS:
            yield packed(waiting, block_id)
            waiting, n_waiting, block_id = [], 0, block_id + 1
    if n_waiting:
        yield packed(waiting, block_id)
    yield row_of(dict.fromkeys(names_of(codings)) | {"facts": pickle.dumps(facts.partial())})


def names_of(codings: Sequence[SimpleNamespace]) -> list[str]:
    """The arrays of a block, its id among them."""
    pairs = [[f"f{c.name[1:]}", c.name] if c.edges is not None else [c.name] for c in codings]
    return [*(name for names in pairs for name in names), "id"]


def schema_of(codings: Sequence[SimpleNamespace]) -> str:
    """The columns of rows of bytes."""
    return ", ".join(f"{name} binary" for name in (*names_of(codings), "facts"))


def partition_of_task() -> int:
    """The number of the partition that a worker is at."""
    from pyspark import TaskContext

    context = TaskContext.get()
    assert context is not None, "it is called by a worker"
    return context.partitionId()


def packed(waiting: Sequence[Block], block_id: int) -> pa.RecordBatch:
    """Rows as one block of bytes."""
    whole = {name: np.concatenate([block[name] for block in waiting]) for name in waiting[0]}
    cells = {name: array.tobytes() for name, array in (whole | {"id": np.array([block_id])}).items()}
    return row_of(cells | {"facts": None})


def row_of(cells: dict[str, bytes | None]) -> pa.RecordBatch:
    """One row of bytes."""
    return pa.RecordBatch.from_pydict({name: pa.array([cell], pa.binary()) for name, cell in cells.items()})


def coded(cells: pa.Array, coding: SimpleNamespace) -> Block:
    """A column's part of a block."""
    if coding.cells is not None:
        x = looked_up(cells, coding.cells, coding.numbers)
    else:
        x = cells.cast(pa.float64()).to_numpy(zero_copy_only=False) + 0.0  # −0.0 becomes 0.0
    if coding.edges is None:
        return {coding.name: x.astype(coding.type)}
    codes, order = np.empty(len(x), np.uint16), np.argsort(x)  # in order the search finds its edges in the cache
    codes[order] = np.searchsorted(coding.edges, x[order])  # how many edges lie below x
    codes[np.isnan(x)] = len(coding.edges) + 1
    return {f"f{coding.name[1:]}": codes, coding.name: x}


def looked_up(cells: pa.Array, known: pa.Array, numbers: AnyArray) -> AnyArray:
    """The numbers of cells by their position among those known, the last one for missing cells."""
    position = compute.index_in(cells.cast(known.type), value_set=known)
    if position.null_count > cells.null_count:
        raise ValueError("a column has got a new value while it was read")
    return np.asarray(numbers[position.fill_null(len(known)).to_numpy(zero_copy_only=False)])


class Facts:
    """What is known of a partition's rows: of the target, and of the values of every fine code."""

    def __init__(self, codings: Sequence[SimpleNamespace]) -> None:
        self.n_rows, self.target = 0, (np.inf, -np.inf, 0.0, 0.0)
        numeric = [coding for coding in codings if coding.edges is not None]
        self.only = {c.name: np.full(len(c.edges) + 1, np.nan) for c in numeric}
        self.is_single = {name: np.zeros(len(only), np.bool_) for name, only in self.only.items()}
        self.is_several = {name: np.zeros(len(only), np.bool_) for name, only in self.only.items()}
        self.n_missing, self.n_infinite = dict.fromkeys(self.only, 0), dict.fromkeys(self.only, 0)

    def add(self, block: Block) -> None:
        """Take the rows of a block."""
        y, n_rows = block["y"].astype(np.float64), len(block["y"])
        w = block.get("w", np.ones(n_rows))
        low, high, total, weight = self.target
        if n_rows:
            self.target = min(low, y.min()), max(high, y.max()), total + float(y @ w), weight + float(w.sum())
        self.n_rows += n_rows
        for name, only in self.only.items():
            codes, x = block[f"f{name[1:]}"], block[name]
            is_known = codes < len(only)
            self.n_missing[name] += n_rows - int(is_known.sum())
            codes, x = codes[is_known], x[is_known]
            is_new = ~self.is_single[name][codes]
            only[codes[is_new]] = x[is_new]
            self.is_single[name][codes] = True
            self.is_several[name][codes[x != only[codes]]] = True
            self.n_infinite[name] += int(np.isinf(x).sum())

    def partial(self) -> tuple[Any, ...]:
        """Rows, target (least, greatest, sum, weight), and by number: rows without one, infinite ones, and its codes.

        These are bits of codes with one value and with several, and the values of the first.
        """
        columns = {}
        for name, only in self.only.items():
            is_single, is_several = self.is_single[name] & ~self.is_several[name], self.is_several[name]
            bits = np.packbits(is_single), np.packbits(is_several)
            columns[name] = (self.n_missing[name], self.n_infinite[name], *bits, only[is_single])
        return self.n_rows, self.target, columns
