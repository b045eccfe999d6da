"""A table that DuckDB can read: files of Parquet or CSV, or a table of a database, as the view `origin`."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from explorer.data.notes import Note
from explorer.errors import EngineError
from explorer.messages import Words, message
from explorer.sources.encoding.table_columns import TableColumn, TableReader
from explorer.sources.origins.csv_files import CsvTable, imported_text
from explorer.sources.origins.duckdb_session import DuckSession
from explorer.sources.origins.preparation import Preparation
from explorer.sources.query_steps import QueryStep
from explorer.sources.source import Progress, Selection, Tuning, WorkingTable, changed_error, state_of
from explorer.sources.sql.queries import DUCKDB


@dataclass(frozen=True)
class Settings:
    """What DuckDB may take: memory as text such as "300MB", threads, and space on disk. None stands for a default."""

    memory_limit: str | None = None
    threads: int | None = None
    disk_limit: str | None = None
    engine: str | None = None
    """What counts: "duckdb", "mapped" (files of codes and a compiled counter), or None to choose."""


@dataclass(eq=False)
class DuckOrigin:
    """A table by the SQL that reads it (`relation`), with the files that it lies in and what DuckDB may take.

    `attach` is a database that is attached read-only as "source" first.
    """

    name: str
    relation: str
    files: tuple[Path, ...]
    settings: Settings = Settings()
    attach: Path | None = None
    notes: tuple[Note, ...] = ()
    """What a reader should know of the files."""
    declared: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Columns whose categories are declared in the file, in the order of the listed ones where that counts."""
    text: CsvTable | None = None
    """Text files, whose rows are copied before they are looked at: they would be parsed again for every query."""
    steps: list[QueryStep] = field(default_factory=list)
    _sessions: list[DuckSession] = field(default_factory=list)
    _is_closed: bool = False
    _version: str = ""
    """The fingerprint of the table that `reader` describes."""
    values_at_once = Tuning.values_at_once

    @cached_property
    def reader(self) -> TableReader:
        """The columns and the facts of all rows."""
        self._version = self.fingerprint()
        session = self._session()
        try:
            described = session.run(_columns_text, "DESCRIBE origin").to_pylist()
            columns = tuple(self._column(session, row["column_name"], row["column_type"]) for row in described)
            reader = TableReader(columns, session.run, {}, 0)
            reader.use_facts_of_rows()
        except BaseException:
            self._drop(session)
            raise
        return reader

    def _column(self, session: DuckSession, name: str, kind: str) -> TableColumn:
        """A column with the categories that its type or its file declares."""
        if not kind.startswith("ENUM"):
            return TableColumn(name, kind, self.declared.get(name, ()), name in self.declared)
        quoted = DUCKDB.identifier(name)
        listed = f"SELECT enum_range({quoted}) AS levels\nFROM (SELECT {quoted} FROM origin LIMIT 1) AS first"
        found = session.run(_levels_text(name), listed).to_pylist()
        return TableColumn(name, kind, tuple(found[0]["levels"]) if found else (), True)

    @property
    def n_rows(self) -> int:
        """The number of all rows."""
        return self.reader.n_rows

    def fingerprint(self) -> str:
        """A hash of the paths, sizes and times of change of all files. Raises SourceChangedError for one gone."""
        digest = hashlib.sha256()
        for path in self.files:
            digest.update(repr((str(path.resolve()), *state_of(path))).encode())
        return digest.hexdigest()

    def prepare(self, selection: Selection, tuning: Tuning, progress: Progress | None = None) -> WorkingTable:
        """Encode the table. Raises InputError, and SourceChangedError for another table than `reader` describes."""
        known = self.reader
        if self.fingerprint() != self._version:
            raise changed_error(self.name)
        session = self._sessions[0]
        if session.has_work:  # every working table has a database of its own
            session = self._session()
        session.has_work = True
        reader = TableReader(known.columns, session.run, dict(known.facts), known.n_rows)
        try:
            table = Preparation(
                session,
                reader,
                selection,
                tuning,
                progress,
                self.settings.engine,
                [*self.notes, *(self.text.notes if self.text else ())],
            ).table()
        except BaseException:
            self._drop(session)
            raise
        session.forget_import()
        return table

    def close(self) -> None:
        """Close the databases and remove their folders; may be called twice."""
        self._is_closed = True
        for session in self._sessions:
            session.close()

    def _session(self) -> DuckSession:
        """A new database in a temporary folder, in which `origin` is a view of the table."""
        if self._is_closed:
            raise EngineError(message("The source is closed: connect the table again."))
        session = DuckSession(self.steps, self.settings.memory_limit, self.settings.threads, self.settings.disk_limit)
        try:
            if self.attach is not None:
                session.database.execute(f"ATTACH {DUCKDB.text(str(self.attach))} AS source (READ_ONLY)")
            relation = imported_text(session, self.text) if self.text else self.relation
            session.database.execute(f"CREATE VIEW origin AS SELECT * FROM {relation}")
        except session.error as error:
            session.close()
            raise session.cannot_read(self.name, error) from error
        except BaseException:
            session.close()
            raise
        self._sessions.append(session)
        return session

    def _drop(self, session: DuckSession) -> None:
        """Close a database whose working table could not be made; the next one begins anew."""
        session.close()
        self._sessions.remove(session)
        if not self._sessions:
            self.__dict__.pop("reader", None)


def _levels_text(name: str) -> Words:
    return lambda: message("List the categories of '{column}'", column=name)


def _columns_text() -> str:
    return message("List the columns and their types")
