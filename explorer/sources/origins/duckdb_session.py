"""A DuckDB database of its own in a temporary folder: memory limit, queries that can be stopped, errors in words."""

from __future__ import annotations

import contextlib
import os
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pyarrow as pa

from explorer.errors import EngineError, ExplorerError, InputError
from explorer.messages import Words, message
from explorer.sources.origins.csv_errors import csv_error
from explorer.sources.query_steps import QueryStep, check_in_force, note
from explorer.sources.work_folder import new_work_folder, remove_work_folder

Result = TypeVar("Result")
POLL_SECONDS = 0.1
MEMORY_LIMIT = 1_000_000_000
"""The most memory in bytes that DuckDB takes unless another limit is given; less where a quarter of what is free is."""
LEAST_MEMORY = 200_000_000
FIRST_SHARE = 3
"""The limit is divided by this until a query needs all: DuckDB fills it with what the system has in memory too."""


class DuckSession:
    """A database in a temporary folder, with the steps that it has taken; closed when it is no longer used.

    `steps` is the list to which every query is appended.
    """

    def __init__(
        self,
        steps: list[QueryStep],
        memory_limit: str | None = None,
        threads: int | None = None,
        disk: str | None = None,
    ) -> None:
        duckdb = imported_duckdb()
        self.steps, self._errors, self.error = steps, duckdb, duckdb.Error
        self.folder = new_work_folder()
        config = {"memory_limit": memory_limit or default_memory(), "temp_directory": str(self.folder / "spilled")}
        config |= {"autoinstall_known_extensions": "false"}
        config |= {} if threads is None else {"threads": str(threads)}
        config |= {} if disk is None else {"max_temp_directory_size": disk}
        try:
            self.database = duckdb.connect(str(self.folder / "work.duckdb"), config=config)
        except duckdb.Error as error:
            remove_work_folder(self.folder)
            raise InputError(message("DuckDB refuses its settings ({error}): correct them.", error=error)) from error
        self.database.execute("SET force_compression = 'uncompressed'")  # it costs more than it saves
        self._all_memory, self._threads = self._setting("memory_limit"), self._setting("threads")
        self._settings = threading.Lock()
        """Held while one of these and the database's own setting change together."""
        self._has_all, self._n_readers = False, 0
        self._limit_memory()
        self.close = weakref.finalize(self, _close, self.database, self.folder)
        self.has_work = False
        """Whether its working table is taken."""

    def shut(self) -> None:
        """Close the database and remove its folder; may be called twice."""
        self.close()

    def _setting(self, name: str) -> str:
        return str(self.database.execute(f"SELECT current_setting('{name}')").fetchone()[0])

    def _limit_memory(self) -> None:
        """Give up what DuckDB keeps above the first share of its limit, unless a query has needed more."""
        number, unit = self._all_memory.split()
        with self._settings, contextlib.suppress(self._errors.OutOfMemoryException):  # so much is in use
            if not self._has_all:
                self.database.execute(f"SET memory_limit = '{float(number) / FIRST_SHARE:.1f} {unit}'")

    def _with_all_memory(self) -> None:
        self.database.execute(f"SET memory_limit = '{self._all_memory}'")

    def _in_memory(self, work: Callable[[], Result]) -> Result:
        """Do some work within the first share of the memory, or else, from the start, within all of it from now on."""
        had_all = self._has_all
        try:
            return work()
        except self._errors.OutOfMemoryException:
            if had_all:
                raise
            with self._settings:
                self._has_all = True
                self._with_all_memory()
            return work()

    def imported(self, relation: str) -> str:
        """Copy a relation to a file of its own, and return the table in it."""
        self.database.execute(f"ATTACH IF NOT EXISTS '{self._import_file}' AS imported")
        query = f"CREATE TABLE imported.rows AS SELECT * FROM {relation}"
        work = f"DROP TABLE IF EXISTS imported.rows; {query}"  # there may be one of a first try
        start = time.perf_counter()
        self._in_memory(lambda: stopped_by_check(self.database, lambda: self.database.execute(work)))
        note(self.steps, QueryStep.of(_import_text, query, time.perf_counter() - start, 0))
        return "imported.rows"

    def forget_import(self) -> None:
        """Remove the copy of `imported`, which the working table stands for."""
        if self._import_file.exists():
            self.execute("DETACH imported")
            self._import_file.unlink()

    @property
    def _import_file(self) -> Path:
        return self.folder / "imported.duckdb"

    def run(self, what: Words, query: str) -> pa.Table:
        """Run a query that is for what the words say; returns its rows. Raises EngineError, and what a check raises.

        Each query has a connection of its own: several threads may ask at once, and one that stops ends only its own.
        """
        start = time.perf_counter()
        with self.words_for_errors(), self.database.cursor() as cursor:
            table: pa.Table = self._in_memory(
                lambda: stopped_by_check(cursor, lambda: cursor.sql(query).to_arrow_table())
            )
        note(self.steps, QueryStep.of(what, query, time.perf_counter() - start, table.num_rows))
        return table

    def execute(self, statement: str) -> None:
        """Run a statement that returns nothing and is no step."""
        with self.words_for_errors():
            self.database.execute(statement)

    def append(self, table: str, rows: pa.Table, is_made: bool) -> None:
        """Append rows to a table, which is made of the first ones.

        Each call is a transaction: until its end, DuckDB keeps every batch that it was given, and later what it wrote.
        """
        self.database.register("batch", rows)
        self.execute(f"INSERT INTO {table} SELECT * FROM batch" if is_made else f"CREATE TABLE {table} AS FROM batch")
        self.database.unregister("batch")
        self._limit_memory()
        self._with_all_memory()

    def batches(self, query: str, rows: int) -> Iterator[pa.RecordBatch]:
        """The rows of a query in their order, so many at a time, while another query may run.

        One thread reads them: a second one would keep what it has read until the first is done with the rows before.
        """
        cursor = self.database.cursor()
        with self._settings:
            self._n_readers += 1
            self.database.execute("SET threads = 1")
            self._with_all_memory()  # what has been handed on cannot be read again
        try:
            with self.words_for_errors():
                yield from stopped_by_check(cursor, lambda: cursor.sql(query).to_arrow_reader(rows))
        finally:
            cursor.close()
            with contextlib.suppress(self._errors.Error):  # the database may be closed by now
                with self._settings:
                    self._n_readers -= 1
                    if not self._n_readers:
                        self.database.execute(f"SET threads = {self._threads}")
                self._limit_memory()

    @contextlib.contextmanager
    def words_for_errors(self) -> Iterator[None]:
        """Turn errors of DuckDB into sentences."""
        try:
            yield
        except self._errors.Error as error:
            raise EngineError(self._words_of(error)) from error

    def cannot_read(self, name: str, error: Exception) -> ExplorerError:
        """The error for a table that DuckDB did not read: for want of memory, or because of the table."""
        if isinstance(error, self._errors.OutOfMemoryException):
            return EngineError(self._words_of(error))
        text = message("'{table}' cannot be read ({error}): check the file.", table=name, error=first_line(error))
        return csv_error(error) or InputError(text)

    def _words_of(self, error: Exception) -> str:
        text, kinds = first_line(error), self._errors
        if isinstance(error, kinds.OutOfMemoryException) and "max_temp_directory_size" not in str(error):
            return message(
                "DuckDB needs more memory than its limit ({error}): give a larger memory_limit, or use fewer columns.",
                error=text,
            )
        if isinstance(error, (kinds.OutOfMemoryException, kinds.IOException)):
            return message(
                "DuckDB cannot read or write a file ({error}): free disk space in {folder}, and check that the table's "
                "files are still there. Then connect again.",
                error=text,
                folder=self.folder.parent,
            )
        if isinstance(error, (kinds.ConnectionException, kinds.FatalException)) or not self.close.alive:
            return message("The connection to DuckDB is closed ({error}): connect the table again.", error=text)
        return message("DuckDB could not finish a query ({error}): connect the table again.", error=text)


def stopped_by_check(connection: Any, work: Callable[[], Any]) -> Any:
    """Do the work of a connection in a thread, and interrupt it when the check in force raises."""
    check = check_in_force()
    if check is None:
        return work()
    result: list[Any] = []
    errors: list[BaseException] = []

    def worker() -> None:
        try:
            result.append(work())
        except BaseException as error:  # noqa: BLE001 - handed to the waiting thread
            errors.append(error)

    thread = threading.Thread(target=worker, daemon=True)
    thread.start()
    try:
        while thread.is_alive():
            thread.join(POLL_SECONDS)
            check()
    except BaseException:
        while thread.is_alive():  # an interrupt before the query has begun has no effect
            connection.interrupt()
            thread.join(POLL_SECONDS)
        raise
    if errors:
        raise errors[0]
    return result[0]


def imported_duckdb() -> Any:
    """The package duckdb; InputError that says how to install it where it is missing."""
    try:
        import duckdb
    except ImportError as error:
        raise InputError(
            message("Connecting a table needs the package duckdb: run '{command}'.", command="pip install duckdb")
        ) from error
    return duckdb


def default_memory() -> str:
    """The memory limit where none is given: 1 GB, or a quarter of what is free if that is less."""
    try:
        free = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        free = 4 * MEMORY_LIMIT
    return f"{max(min(MEMORY_LIMIT, free // 4), LEAST_MEMORY) // 1_000_000}MB"


def first_line(error: Exception) -> str:
    """The first line of an error of DuckDB, not too long."""
    return str(error).strip().split("\n")[0][:300]


def _import_text() -> str:
    return message("Read the text file once")


def _close(database: Any, folder: Path) -> None:
    with contextlib.suppress(RuntimeError):
        database.close()
    remove_work_folder(folder)
