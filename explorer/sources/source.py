"""A connected table, ready to be counted: `ex.connect` makes it, `ex.grow` and the functions of pruning take it."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple, Protocol

from explorer.data.codes.feature import Feature
from explorer.data.dataset import Dataset
from explorer.data.division import check_shares
from explorer.data.encode import Kind
from explorer.data.notes import ColumnInfo, Note
from explorer.errors import InputError, NeedsRowsError, SourceChangedError
from explorer.messages import Words, message, plural
from explorer.ranges import checked_seed, is_whole
from explorer.sources.counting import CountingEngine, Layout
from explorer.sources.level_report import LevelReport
from explorer.sources.query_steps import QueryStep, taken
from explorer.sources.routing import Routing
from explorer.sources.rows_in_memory import dataset_of
from explorer.sources.splits import ColumnSplit, KeySplit, Split, check_part_values
from explorer.values import Value

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Selection:
    """What of a table is used, and how: the names of columns, kinds, and how rows are divided into parts.

    `features` None stands for every column that suits, without the target, the weights and the column of `split`.
    """

    target: str
    features: tuple[str, ...] | None = None
    kinds: tuple[tuple[str, Kind], ...] = ()
    weights: str | None = None
    classes: tuple[Value, ...] | None = None
    split: Split | None = None


@dataclass(frozen=True)
class Tuning:
    """What only time and memory depend on, never a result."""

    bins: int = 256
    codes_per_bin: int = 64
    rows_in_memory: int = 20_000
    """A node of at most so many rows is fetched, and its subtree grown in memory."""
    values_at_once: int = 20_000
    """Bins with more rows than these together are looked into by fine codes before their values are fetched."""

    def __post_init__(self) -> None:
        """Raise InputError for sizes that no table can be encoded by."""
        for name, least in (("bins", 2), ("codes_per_bin", 1), ("rows_in_memory", 0), ("values_at_once", 0)):
            value = getattr(self, name)
            if not is_whole(value, least):
                raise InputError(
                    message(
                        "{name} is {value!r}: give a whole number from {least} on.", name=name, value=value, least=least
                    )
                )


class WorkingTable(NamedTuple):
    """A table encoded once: layout, engine, notes for the reader, and the columns not used, with the reason."""

    layout: Layout
    engine: CountingEngine
    notes: tuple[Note, ...] = ()
    left_out: tuple[ColumnInfo, ...] = ()


class Origin(Protocol):
    """Where a table comes from: files, a database, a data frame of an engine."""

    name: str

    def prepare(self, selection: Selection, tuning: Tuning, progress: Progress | None = None) -> WorkingTable:
        """Encode the table. Raises InputError."""

    def fingerprint(self) -> str:
        """A text that changes when the table does."""

    def close(self) -> None:
        """Give back everything on disk and in memory; may be called twice."""


@dataclass(eq=False)
class Workspace:
    """The working table of a source and all its parts, made once, when a thread first needs it."""

    origin: Origin
    selection: Selection
    tuning: Tuning
    steps: list[QueryStep] = field(default_factory=list)
    """What the engine has been asked so far."""
    _fingerprint: str = field(default="", init=False)
    facts: dict[object, Any] = field(default_factory=dict, init=False)
    """What growing has found out of the rows, for the next time that it is asked."""
    _table: WorkingTable | None = field(default=None, init=False)
    _lock: threading.RLock = field(default_factory=threading.RLock, init=False, repr=False)

    def __getstate__(self) -> dict[str, Any]:
        """What a copy in another process has: all but the lock."""
        return {name: value for name, value in self.__dict__.items() if name != "_lock"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__ |= state | {"_lock": threading.RLock()}

    @property
    def table(self) -> WorkingTable:
        """The working table."""
        return self.prepared()

    def prepared(self, progress: Progress | None = None) -> WorkingTable:
        """The working table, made now if it is not there; `progress(rows done, rows in all)` may raise Stopped."""
        if self._table is None:
            with taken(self._lock):
                if self._table is None:
                    self._fingerprint = self.origin.fingerprint()
                    self._table = self.origin.prepare(self.selection, self.tuning, progress)
        return self._table

    def close(self) -> None:
        """Give back the working table and all that the origin keeps; may be called twice."""
        if self._table is not None:
            self._table.engine.close()
        self.origin.close()

    def check_unchanged(self) -> None:
        """Raise SourceChangedError where the table is not the one that the working table was made of."""
        if self._fingerprint and self.origin.fingerprint() != self._fingerprint:
            raise changed_error(self.origin.name)


def state_of(path: Path) -> tuple[int, ...]:
    """Size, times of change and number of a file; SourceChangedError where it is gone.

    Programs may set the time of the last change of the contents back, but not that of the file itself (ctime).
    """
    try:
        stat = path.stat()
    except OSError as error:
        raise SourceChangedError(
            message("'{file}' is gone: put it back, or connect another table and grow again.", file=path.name)
        ) from error
    return stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns, stat.st_ino


def changed_error(name: str) -> SourceChangedError:
    """The error for a table that is not the one that was connected."""
    return SourceChangedError(
        message("'{name}' has changed since it was connected: connect it again, and grow again.", name=name)
    )


@dataclass(frozen=True, eq=False)
class Source:
    """A table that an engine counts: the rows of `part` (None: all) with a value in each of the `complete` columns."""

    workspace: Workspace = field(repr=False)
    part: int | None = None
    watch: Callable[[LevelReport], None] | None = field(default=None, repr=False)
    """Called while a tree grows, with what has been done at its level."""
    complete: tuple[int, ...] = ()

    def watched_by(self, watch: Callable[[LevelReport], None]) -> Source:
        """The same source; `watch(report)` is called between queries while a tree grows, and at the end of a level."""
        return replace(self, watch=watch)

    @property
    def layout(self) -> Layout:
        """The codes that counts are by."""
        return self.workspace.table.layout

    @property
    def engine(self) -> CountingEngine:
        """What counts. Raises SourceChangedError where the table has changed since."""
        engine = self.workspace.table.engine
        self.workspace.check_unchanged()
        return engine

    @property
    def tuning(self) -> Tuning:
        """What only time and memory depend on."""
        return self.workspace.tuning

    @property
    def target(self) -> Feature:
        """Name, kind and classes of the target."""
        return self.layout.target

    @property
    def features(self) -> tuple[Feature, ...]:
        """Name, kind and categories of every feature; numbers have no list of values here."""
        return tuple(column.feature for column in self.layout.columns)

    @property
    def is_regression(self) -> bool:
        """Whether the target is numeric."""
        return self.target.kind == "numeric"

    @property
    def classes(self) -> tuple[Value, ...]:
        """The target's classes in order; empty for a numeric target."""
        return self.target.categories

    @property
    def notes(self) -> tuple[Note, ...]:
        """What a reader should know of the table."""
        return self.workspace.table.notes

    @property
    def steps(self) -> tuple[QueryStep, ...]:
        """Every step of connecting and counting so far, with its SQL."""
        return tuple(self.workspace.steps)

    def close(self) -> None:
        """Give back the working table and the temporary folder; may be called twice."""
        self.workspace.close()

    @property
    def routing(self) -> Routing:
        """The rows of this source, all of them at the root."""
        return Routing(part=self.part, complete=self.complete)

    @property
    def columns(self) -> tuple[ColumnInfo, ...]:
        """The facts of every column of the whole table: target, features, weights, then those that are left out."""
        selection = self.workspace.selection
        listed = [ColumnInfo(self.target.name, "target", self.target.kind, self.target.n_values or None, 0)]
        for column in self.layout.columns:
            feature = column.feature
            n_values = column.n_distinct if column.is_numeric else feature.n_values
            listed.append(ColumnInfo(feature.name, "feature", feature.kind, n_values, column.n_missing))
        if selection.weights is not None:
            listed.append(ColumnInfo(selection.weights, "weight", "", 0, 0))
        return (*listed, *self.workspace.table.left_out)

    @property
    def date_columns(self) -> tuple[str, ...]:
        """The numeric features whose numbers are days since 1970-01-01."""
        return tuple(column.feature.name for column in self.layout.columns if column.is_date and column.is_numeric)

    @property
    def weight_column(self) -> str | None:
        """The column with the weights of the rows; None without one."""
        return self.workspace.selection.weights

    @cached_property
    def n_rows(self) -> int:
        """The number of rows of this source."""
        if self.part is None and not self.complete:
            return self.layout.n_rows
        at_root = self.engine.targets(self.routing, [0])
        return at_root[0].n_rows if at_root else 0

    def sample(self, n: int = 100_000, seed: int = 0) -> Dataset:
        """Draw n rows into memory, or all where there are no more, with the order of classes and categories of here.

        Every function of the package takes them. The same seed gives the same rows from the same engine. `notes` says
        that they are a sample. Raises InputError for less than one row.
        """
        if not is_whole(n, 1):
            raise InputError(message("A sample cannot have {n!r} rows: give a whole number from 1 on.", n=n))
        checked_seed(seed)
        drawn = self.engine.sample(self.routing, int(n), int(seed))
        label = (Note(_sample_text(len(drawn.y), self.n_rows)),) if len(drawn.y) < self.n_rows else ()
        return dataset_of(self.layout, drawn, self.workspace.selection.weights, (*label, *self.notes), with_dates=True)

    def split(self, *shares: float, key: str, seed: int = 0) -> tuple[Source, ...]:
        """Divide the rows into parts of about these shares and a last part of the rest, by a hash of the column `key`.

        `split(0.7, key="customer_id")` gives a training and a validation set, two shares also a test set. Rows of one
        key stay together, and every engine divides a table alike. No row is copied. The key must be text or whole
        numbers. Raises InputError.
        """
        check_shares(shares, seed)
        return self._divided(KeySplit(key, tuple(map(float, shares)), int(seed)), len(shares) + 1)

    def split_by(self, column: str, values: Sequence[Value] | None = None) -> tuple[Source, ...]:
        """Divide the rows by a column of two or three values: one part per value, in sorted order or that of `values`.

        The column may be text, whole numbers, or true and false; it is no feature then. Raises InputError.
        """
        if values is None:
            return self._divided(ColumnSplit(column))
        check_part_values(column, values)
        return self._divided(ColumnSplit(column, tuple(values)), len(values))

    def _divided(self, split: Split, n_parts: int | None = None) -> tuple[Source, ...]:
        """The parts of the table, which share one working table; `n_parts` None asks the table."""
        selection = self.workspace.selection
        if selection.split is not None:
            raise InputError(message("These rows are divided already: split the whole table that `connect` gave."))
        if split.column in (selection.target, selection.weights):
            raise InputError(
                message(
                    "Column '{column}' is the target or the weights, so it cannot divide the rows: choose another.",
                    column=split.column,
                )
            )
        workspace = replace(self.workspace, selection=replace(selection, split=split))
        n_parts = len(workspace.table.layout.parts) if n_parts is None else n_parts
        return tuple(Source(workspace, part) for part in range(n_parts))

    def __getattr__(self, name: str) -> Any:
        """Refuse what only a Dataset has: a function that asks for it reads rows, and a connected table is counted."""
        if name in _OF_ROWS:
            raise NeedsRowsError(_needs_rows_text(name))
        return object.__getattribute__(self, name)


_OF_ROWS = {
    name
    for name in {field.name for field in fields(Dataset)} | {*vars(Dataset)}
    if not name.startswith("_") and name not in vars(Source)
}
"""What a Dataset has and a Source has not."""


def _needs_rows_text(name: str) -> str:
    function = _function_called()
    if not function:
        return message(
            "A connected table is counted by its engine and has no '{name}': take rows into memory, such as "
            "source.sample(100_000).",
            name=name,
        )
    return message(
        "{function} reads the table row by row, but a connected table is only counted by its engine: give it rows in "
        "memory, such as source.sample(100_000).",
        function=function,
    )


def _function_called() -> str:
    """The outermost function of the package among those that are running: the one that the reader called."""
    name = ""
    frame: FrameType | None = sys._getframe(3)
    while frame is not None:
        if str(frame.f_globals.get("__name__")).startswith("explorer."):
            name = frame.f_code.co_qualname.split(".<")[0]
        frame = frame.f_back
    return name


def _sample_text(n: int, n_rows: int) -> Words:
    return lambda: plural(
        n,
        "A sample of {n:,} row of the {all:,} rows of the table: every figure is about the sample.",
        "A sample of {n:,} of the {all:,} rows of the table: every figure is about the sample.",
        all=n_rows,
    )
