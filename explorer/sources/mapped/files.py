"""One file per column: the rows of a table as plain arrays on disk, read in chunks and not mapped into memory."""

from __future__ import annotations

import errno
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from explorer.errors import EngineError
from explorer.messages import message
from explorer.sources.counting import ColumnLayout, Floats, Ints, Layout

AnyArray = NDArray[Any]
Int32s = NDArray[np.int32]
UInt32s = NDArray[np.uint32]
Codes = NDArray[np.uint16]
CHUNK = 1 << 16
"""Rows that are read and counted at a time, few enough for the processor's cache."""
FEW = 64
"""Up to so many numbers of a chunk are read one by one; for more of them the whole chunk is read."""


def code_type(n_codes: int) -> np.dtype[np.unsignedinteger]:
    """The smallest type that holds the codes 0 to `n_codes`, the last for missing cells.

    >>> code_type(255).name, code_type(16384).name
    ('uint8', 'uint16')
    """
    return np.min_scalar_type(n_codes)


@dataclass(frozen=True)
class ArrayFile:
    """A file that holds an array of one type and nothing else. Every method raises EngineError."""

    path: Path
    dtype: np.dtype[Any]

    def append(self, array: AnyArray) -> None:
        """Write an array at the end, as this file's type."""
        self._write("ab", None, np.ascontiguousarray(array, self.dtype))

    def create(self, n: int) -> None:
        """Make the file [n], of zeros."""
        try:
            with self.path.open("wb") as file:
                file.truncate(n * self.dtype.itemsize)
        except OSError as error:
            raise writing_error(self.path.parent, error) from error

    def write(self, begin: int, array: AnyArray) -> None:
        """Overwrite the items from position `begin` on by an array of this file's type."""
        self._write("r+b", begin, array)

    def _write(self, mode: str, begin: int | None, array: AnyArray) -> None:
        try:
            with self.path.open(mode) as file:
                if begin is not None:
                    file.seek(begin * self.dtype.itemsize)
                file.write(array.tobytes())
        except OSError as error:
            raise writing_error(self.path.parent, error) from error

    def read(self, begin: int, out: AnyArray) -> None:
        """Fill `out`, an array of this file's type, with the items from position `begin` on."""
        self._read([begin], out[np.newaxis])

    def at(self, positions: Ints) -> AnyArray:
        """The items at some positions, [n]: read together where many lie close together, else one by one."""
        items = np.empty(len(positions), self.dtype)
        if len(items) > FEW and positions.max() - positions.min() < CHUNK:
            first = int(positions.min())
            together = np.empty(int(positions.max()) + 1 - first, self.dtype)
            self.read(first, together)
            return together[positions - first]
        self._read(positions.tolist(), items[:, np.newaxis])
        return items

    def _read(self, begins: Sequence[int], out: AnyArray) -> None:
        """Fill row i of `out` with the items from position `begins[i]` on."""
        try:
            with self.path.open("rb", buffering=0) as file:
                for begin, items in zip(begins, out, strict=True):
                    file.seek(begin * self.dtype.itemsize)
                    if len(items) and file.readinto(items.data.cast("B")) != items.nbytes:
                        raise self._lost()
        except OSError as error:
            raise self._lost() from error

    def _lost(self) -> EngineError:
        return EngineError(
            message("The temporary file {path} was removed or cut short. Connect the table again.", path=str(self.path))
        )


def writing_error(folder: Path, error: OSError) -> EngineError:
    """What to say when a file could not be written."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return EngineError(
            message(
                "The disk of the temporary folder {folder} is full. Free space on it, and connect the table again.",
                folder=str(folder),
            )
        )
    if error.errno == errno.ENOENT:
        return EngineError(
            message("The temporary folder {folder} was removed. Connect the table again.", folder=str(folder))
        )
    return EngineError(
        message(
            "The temporary folder {folder} cannot be written to ({reason}). Set TMPDIR to another folder.",
            folder=str(folder),
            reason=error.strerror or str(error),
        )
    )


@dataclass(frozen=True, eq=False)
class ColumnFiles:
    """The files of one feature: its codes, and its numbers where several of them share a fine code."""

    layout: ColumnLayout
    codes: ArrayFile
    numbers: ArrayFile
    has_numbers: bool = False

    def codes_of(self, begin: int, n: int) -> Codes:
        """The codes of n rows from row `begin` on."""
        codes = np.empty(n, self.codes.dtype)
        self.codes.read(begin, codes)
        return codes.astype(np.uint16, copy=False)

    def numbers_at(self, rows: Ints, codes: Codes) -> Floats:
        """The numbers of some rows, whose codes are known; nan where missing."""
        return self.numbers.at(rows) if self.has_numbers else np.append(self.layout.only_value, np.nan)[codes]


@dataclass(frozen=True, eq=False)
class TableFiles:
    """All files of a working table in one folder. `weights` and `part` are None without any."""

    folder: Path
    layout: Layout
    columns: tuple[ColumnFiles, ...]
    y: ArrayFile
    weights: ArrayFile | None
    part: ArrayFile | None
    chunk: int = CHUNK
    """Rows that are read and counted at a time."""
    node: ArrayFile = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "node", array_file(self.folder, "node", np.int32))

    @property
    def n_rows(self) -> int:
        """How many rows there are."""
        return self.layout.n_rows

    def target_of(self, begin: int, n: int) -> tuple[AnyArray, Floats]:
        """The target of n rows from row `begin` on, and their weights ([0]: all 1)."""
        y = np.empty(n, self.y.dtype)
        self.y.read(begin, y)
        weights = np.empty(0 if self.weights is None else n)
        if self.weights is not None:
            self.weights.read(begin, weights)
        return y, weights


def array_file(folder: Path, name: str, dtype: DTypeLike) -> ArrayFile:
    """The file of one array in a folder."""
    return ArrayFile(folder / f"{name}.bin", np.dtype(dtype))


def column_files(folder: Path, position: int, layout: ColumnLayout) -> ColumnFiles:
    """The files of the feature at a position."""
    codes = array_file(folder, f"codes{position}", code_type(layout.n_codes))
    return ColumnFiles(layout, codes, array_file(folder, f"numbers{position}", np.float64))


def table_files(folder: Path, layout: Layout, has_parts: bool, chunk: int) -> TableFiles:
    """The files of a table with this layout, to be read in chunks of so many rows."""
    numeric = layout.target.kind == "numeric"
    y = array_file(folder, "target", np.float64 if numeric else code_type(layout.target.n_values))
    return TableFiles(
        folder,
        layout,
        tuple(column_files(folder, i, column) for i, column in enumerate(layout.columns)),
        y,
        array_file(folder, "weights", np.float64) if layout.has_weights else None,
        array_file(folder, "part", np.int32) if has_parts else None,
        chunk,
    )


def bytes_needed(layout: Layout, n_rows: int) -> int:
    """An upper bound of the bytes that the files of a table take on disk.

    >>> from explorer.data.codes.feature import Feature
    >>> column = ColumnLayout(Feature("x", "numeric"), 0, edges=np.arange(300.0))
    >>> bytes_needed(Layout(Feature("y", "categorical", categories=("no", "yes")), (column,), 1000), 1000)
    19000
    """
    target = 8 if layout.target.kind == "numeric" else code_type(layout.target.n_values).itemsize
    features = sum(code_type(column.n_codes).itemsize + 8 * column.is_numeric for column in layout.columns)
    return n_rows * (features + target + 8 * layout.has_weights + 4 + 4)  # 4 each for the part and the node of a row
