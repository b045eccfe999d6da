"""Text files as DuckDB reads them: what each is taken for, held against the others, and the SQL that reads them all."""

from __future__ import annotations

import glob
import gzip
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from explorer.data.notes import Note
from explorer.data.text.form import DELIMITERS, PROBE_SIGNS, comma_columns, probe_rows
from explorer.errors import ColumnError, EngineError, InputError
from explorer.messages import Words, message
from explorer.sources.encoding.table_columns import TableColumn
from explorer.sources.origins.csv_errors import csv_error
from explorer.sources.origins.duckdb_session import DuckSession, first_line, imported_duckdb, stopped_by_check
from explorer.sources.origins.same_columns import check_same_columns
from explorer.sources.query_steps import poll
from explorer.sources.source import Progress
from explorer.sources.sql.queries import DUCKDB
from explorer.values import EXACT_WHOLE, MISSING_MARKERS

TYPES = "'NULL', 'BIGINT', 'DOUBLE', 'DATE', 'TIMESTAMP', 'VARCHAR'"
"""What DuckDB may take the cells of a text file for: yes and no stay words, as in a table in memory."""
DOUBLES = TYPES.replace("'BIGINT', ", "")
"""The same for reading all rows: after whole numbers in the first of them, DuckDB would round 2.5 to 3."""
NUMBERS, DATES, TEXT = "numbers", "dates", "text"
_SORTS = {"BIGINT": NUMBERS, "DOUBLE": NUMBERS, "DATE": DATES, "TIMESTAMP": DATES}


@dataclass(frozen=True)
class CsvTable:
    """Text files that are read as one table, and what the reader has to know of it."""

    files: tuple[Path, ...]
    decimal: str = "."
    notes: tuple[Note, ...] = ()
    is_alike: bool = True
    """Whether all files have the same columns in the same order, of the same types."""
    numbers: tuple[str, ...] = ()
    """Columns that are numbers in the first rows of some file."""
    whole: tuple[str, ...] = ()
    """Columns that are whole numbers in the first rows of every file."""
    as_text: tuple[str, ...] = ()
    """Columns that are read as text."""
    may_be_text: frozenset[str] = frozenset()
    """Columns whose numbers and dates may be read as text, as they are made categorical."""

    def sql(self, exact: Collection[str] = (), *, is_text: bool = False) -> str:
        """What reads all rows; whole numbers are read as doubles unless they are `exact`, as DuckDB rounds 2.5 to 3.

        With `is_text`, every cell is text.
        """
        listed = ", ".join(_quoted(file) for file in self.files)
        given = dict.fromkeys(self.as_text, "VARCHAR") | dict.fromkeys(exact, "BIGINT")
        types = ", ".join(f"{DUCKDB.text(name)}: '{kind}'" for name, kind in given.items())
        more = ", all_varchar = true" if is_text else f", types = {{{types}}}" if types else ""
        return (
            f"read_csv([{listed}], {_options(self.decimal)}{more}{'' if self.is_alike else ', union_by_name = true'})"
        )

    def with_text(self, column: str) -> CsvTable:
        """The same with a column that is read as text."""
        whole = tuple(name for name in self.whole if name != column)
        return replace(self, whole=whole, as_text=(*self.as_text, column))


def with_whole_numbers(
    table: CsvTable, rows: Callable[[str], str], ask: Callable[[str], Mapping[str, float | bool | None]]
) -> str:
    """All rows, with the columns that hold nothing but whole numbers as such, whatever their first rows have.

    `rows` is given the SQL that reads them and returns where they then are; `ask` returns the one row of a query.
    """
    for name in _names_of_digits(table, ask):
        table = table.with_text(name)
    place = rows(table.sql())
    if not table.whole:
        return place
    quoted = {name: DUCKDB.identifier(name) for name in table.whole}
    facts = ", ".join(
        f"bool_and(isfinite({cell}) AND {cell} = trunc({cell})) AS w{i}, MAX(abs({cell})) AS m{i}"
        for i, cell in enumerate(quoted.values())
    )
    found = ask(f"SELECT {facts} FROM {place}")
    whole = {name: found[f"m{i}"] for i, name in enumerate(table.whole) if found[f"w{i}"]}
    exact = [name for name, most in whole.items() if most is not None and most >= EXACT_WHOLE]
    if exact:
        place = rows(table.sql(exact))
    casts = ", ".join(f"CAST({quoted[name]} AS BIGINT) AS {quoted[name]}" for name in whole if name not in exact)
    return f"(SELECT * REPLACE ({casts}) FROM {place})" if casts else place


def _names_of_digits(table: CsvTable, ask: Callable[[str], Mapping[str, float | bool | None]]) -> list[str]:
    """The columns of numbers that are names: with leading zeros, or whole numbers too long for a double."""
    columns = [TableColumn(name, "VARCHAR") for name in table.numbers if name not in table.as_text]
    if not columns:
        return []
    listed = ", ".join(
        f"{column.text_facts[fact]} AS {fact}{i}" for i, column in enumerate(columns) for fact in ("zero", "long")
    )
    found = ask(f"SELECT {listed} FROM {table.sql(is_text=True)}")
    return [column.name for i, column in enumerate(columns) if found[f"zero{i}"] or found[f"long{i}"]]


def imported_text(session: DuckSession, table: CsvTable) -> str:
    """Copy the rows of text files into a database; returns where they are there.

    A column that is made categorical may have text far behind its numbers: it is read as text then.
    """

    def ask(query: str) -> dict[str, float | bool | None]:
        try:
            row: dict[str, float | bool | None] = session.run(_whole_text, query).to_pylist()[0]
        except EngineError as error:
            if isinstance(error.__cause__, session.error):
                raise error.__cause__ from None  # what is wrong in the file has words of its own
            raise
        return row

    while True:
        try:
            return with_whole_numbers(table, session.imported, ask)
        except session.error as error:
            known = csv_error(error)
            column = known.column if isinstance(known, ColumnError) else ""
            if column not in table.may_be_text or column in table.as_text:
                raise
            table = table.with_text(column)


@dataclass(frozen=True)
class _Version:
    """A file as it is now, whose numbers have this decimal sign."""

    file: Path
    decimal: str
    size: int
    changed: int

    @classmethod
    def of(cls, file: Path, decimal: str) -> _Version:
        """The file with its size and its time of change."""
        stat = file.stat()
        return cls(file, decimal, stat.st_size, stat.st_mtime_ns)


@dataclass(frozen=True)
class _CsvFile:
    """What DuckDB takes one file for by its first rows: the sign between cells, and the types of its columns."""

    version: _Version
    delimiter: str
    types: dict[str, str]
    database: Any = field(repr=False)
    """What reads it while files are looked at."""

    @property
    def file(self) -> Path:
        """Where it is."""
        return self.version.file

    def with_dates_as_text(self, names: Collection[str]) -> _CsvFile:
        """The same with the dates in columns of these names as text."""
        return replace(self, types=self.types | {n: "VARCHAR" for n in names if self.sort(n) == DATES})

    def sort(self, name: str) -> str:
        """Whether a column holds numbers, dates or text by the first rows."""
        return _SORTS.get(self.types[name], TEXT)


def csv_table(
    files: Sequence[Path],
    as_text: Collection[str] = (),
    progress: Progress | None = None,
    numeric: Collection[str] = (),
) -> CsvTable:
    """Text files as one table; columns `as_text` may hold numbers in one file and text in another.

    Dates are text, as in a text file that is read into memory, but in the columns that are to be `numeric`.

    `progress(files looked at, files in all)` may raise Stopped, as the check in force may. Raises InputError for a file
    without a sign between its cells, and ColumnError for a column that a file lacks, or that holds numbers, dates or
    text by file.
    """
    with imported_duckdb().connect(config={"autoinstall_known_extensions": "false"}) as database:
        return _csv_table(files, as_text, progress, numeric, database)


def _csv_table(
    files: Sequence[Path],
    as_text: Collection[str],
    progress: Progress | None,
    numeric: Collection[str],
    database: Any,
) -> CsvTable:
    found = []
    for position, file in enumerate(files):
        poll()
        if progress is not None:
            progress(position, len(files))
        if file.stat().st_size:
            found.append(_looked_at(file, ".", database))
    if progress is not None:
        progress(len(files), len(files))
    found = found or [_looked_at(files[0], ".", database)]
    commas, has_points = _decimal_commas(found[0])
    notes = [_left_as_text_note(commas)] if commas and has_points else []
    decimal = "," if commas and not has_points else "."
    if decimal == ",":
        notes.append(Note(_decimal_comma_text, "info", commas))
        found = [_looked_at(file.file, decimal, database) for file in found]
    check_same_columns([(file.file, file.types) for file in found])
    dates = {name for file in found for name, kind in file.types.items() if _SORTS.get(kind) == DATES} - {*numeric}
    notes += [Note(_dates_text(name), "info", (name,)) for name in found[0].types if name in dates]
    found = [file.with_dates_as_text(dates) for file in found]
    names = list(found[0].types)
    mixed = tuple(name for name in names if not _has_one_sort(found, name, as_text))
    types = {name: {file.types[name] for file in found} for name in names}
    return CsvTable(
        files=tuple(file.file for file in found),
        decimal=decimal,
        notes=tuple(notes),
        is_alike=all(list(file.types.items()) == list(found[0].types.items()) for file in found),
        numbers=tuple(n for n in names if types[n] & {"BIGINT", "DOUBLE"}),
        whole=tuple(n for n in names if "BIGINT" in types[n] <= {"BIGINT", "VARCHAR"} and n not in mixed),
        as_text=tuple(name for name in names if name in mixed or name in dates),
        may_be_text=frozenset(as_text),
    )


def _quoted(file: Path) -> str:
    return DUCKDB.text(glob.escape(str(file)))


def _options(decimal: str, types: str = DOUBLES) -> str:
    missing = ", ".join(map(DUCKDB.text, sorted(MISSING_MARKERS)))
    comma = ", decimal_separator = ','" if decimal == "," else ""
    return f"nullstr = [{missing}], auto_type_candidates = [{types}]{comma}"


def _has_one_sort(found: Sequence[_CsvFile], name: str, as_text: Collection[str]) -> bool:
    """Whether all files have numbers, all dates or all text in a column; False where that is allowed by `as_text`."""
    first, *others = found
    if all(file.sort(name) == first.sort(name) for file in others):
        return True
    texts = {file.file: _text_in(file, name) for file in found if file.sort(name) == TEXT}
    filled = [file for file in found if texts.get(file.file) != ""]  # a column without any value is of every sort
    other = next((file for file in filled if file.sort(name) != filled[0].sort(name)), None) if filled else None
    if other is None:
        return True
    if name not in as_text:
        words = [_sort_text(file.sort(name), texts.get(file.file, "")) for file in (other, filled[0])]
        raise ColumnError(_two_sorts_text(name, other.file.name, filled[0].file.name, words), name)
    return False


def _text_in(file: _CsvFile, name: str) -> str:
    """The first cell of a column that is no number; "" where no cell has a value."""
    return _known(file.version, f"text {name}", lambda: _first_text(file.version, name, file.database))


_MOST_KNOWN = 10_000
_answers: dict[tuple[_Version, str], Any] = {}


def _known(version: _Version, question: str, find: Callable[[], Any]) -> Any:
    """The answer to a question about a file as it is, found once; of many, the oldest is forgotten."""
    key = version, question
    if key in _answers:
        with suppress(KeyError):  # another thread may forget it just now
            return _answers[key]
    answer = find()
    if len(_answers) >= _MOST_KNOWN:
        _answers.pop(next(iter(_answers)), None)
    _answers[key] = answer
    return answer


def _first_text(version: _Version, name: str, database: Any) -> str:
    cell = DUCKDB.identifier(name)
    number = f"REPLACE({cell}, ',', '.')" if version.decimal == "," else cell
    rows = f"read_csv({_quoted(version.file)}, {_options(version.decimal)}, all_varchar = true)"
    query = f"SELECT {cell} FROM {rows} WHERE {cell} IS NOT NULL AND TRY_CAST({number} AS DOUBLE) IS NULL LIMIT 1"
    found = _rows_of(version, query, database)
    return str(found[0][0]) if found else ""


def _looked_at(file: Path, decimal: str, database: Any) -> _CsvFile:
    """What DuckDB takes a file for. Raises InputError for one whose cells it cannot tell apart."""
    version = _Version.of(file, decimal)
    delimiter, columns = _known(version, "columns", lambda: _sniffed(version, database))
    if len(columns) == 1:
        _refuse_single_column(file)
    return _CsvFile(version, delimiter, dict(columns), database)


def _sniffed(version: _Version, database: Any) -> tuple[str, tuple[tuple[str, str], ...]]:
    """The sign between cells, and the names and types of the columns."""
    given = f"sniff_csv({_quoted(version.file)}, {_options(version.decimal, TYPES)})"
    ((delimiter, columns),) = _rows_of(version, f"SELECT Delimiter, Columns FROM {given}", database)
    return delimiter, tuple((column["name"], column["type"]) for column in columns)


def _rows_of(version: _Version, query: str, database: Any) -> list[tuple[Any, ...]]:
    """The rows of a query on one file."""
    file = version.file
    try:
        return list(stopped_by_check(database, lambda: database.execute(query).fetchall()))
    except imported_duckdb().Error as error:
        said = first_line(error).replace(f"{file.parent}/", "")  # where on a server the file is, is not told
        raise InputError(
            message("'{table}' cannot be read ({error}): check the file.", table=file.name, error=said)
        ) from error


def _probe(file: Path) -> tuple[str, bool]:
    """The first signs of a file, and whether they are all."""
    with (gzip.open if file.name.lower().endswith(".gz") else open)(file, "rb") as stream:
        head = stream.read(PROBE_SIGNS)
    return head.decode("utf-8-sig", errors="replace"), len(head) < PROBE_SIGNS


def _decimal_commas(file: _CsvFile) -> tuple[tuple[str, ...], bool]:
    """The columns whose numbers have a decimal comma, and whether others have a point, by the first rows."""
    if file.delimiter == "," or "VARCHAR" not in file.types.values():
        return (), False
    rows = [row.cells for row in probe_rows(*_parsed_probe(file))]
    names = list(file.types)
    found, has_points = comma_columns(rows[1:])
    return tuple(names[i] for i in found if i < len(names)), has_points


def _parsed_probe(file: _CsvFile) -> tuple[str, str, bool]:
    probe, complete = _probe(file.file)
    return probe, file.delimiter, complete


def _refuse_single_column(file: Path) -> None:
    """InputError where the first line has signs between cells, but not every line fits them."""
    probe, complete = _probe(file)
    line = next(iter(probe.splitlines()), "")
    sign = max(DELIMITERS, key=line.count)
    if sign not in line:
        return
    rows = [row for row in probe_rows(probe, sign, complete) if not row.is_blank]
    fields = {"file": file.name, "column": line[:80], "delimiters": DELIMITERS[sign]}
    ragged = next((row for row in rows if len(row.cells) != len(rows[0].cells)), None)
    if ragged is None:
        text = message(
            "'{file}' is read as a single column, '{column}', as no sign between its cells fits all lines: separate "
            "the cells of every line by {delimiters}.",
            **fields,
        )
    else:
        text = message(
            "'{file}' is read as a single column, '{column}', as no sign between its cells fits all lines. With "
            "{delimiters}, line {line:,} has another number of cells ({n:,}) than the first one ({width:,}): correct "
            "that line.",
            line=ragged.line,
            n=len(ragged.cells),
            width=len(rows[0].cells),
            **fields,
        )
    raise InputError(text)


def _sort_text(sort: str, cell: str) -> str:
    if sort == TEXT:
        return message("text such as '{cell}'", cell=cell[:80])
    return message("numbers") if sort == NUMBERS else message("dates")


def _two_sorts_text(name: str, file: str, first: str, words: Sequence[str]) -> str:
    return message(
        "Column '{column}' has {type} in '{file}', but {other} in '{first}': write the files with one type, or make "
        "the column categorical by kinds={kinds}.",
        column=name,
        type=words[0],
        file=file,
        other=words[1],
        first=first,
        kinds=repr({name: "categorical"}),
    )


def _whole_text() -> str:
    return message("Look which columns hold nothing but whole numbers")


def _dates_text(name: str) -> Words:
    return lambda: message(
        "'{column}' holds dates, which are text in a text file. Make the column numeric to split on days.", column=name
    )


def _decimal_comma_text() -> str:
    return message("Numbers are written with a decimal comma.")


def _left_as_text_note(columns: tuple[str, ...]) -> Note:
    return Note(_left_as_text(columns[0]), "warning", columns)


def _left_as_text(name: str) -> Words:
    return lambda: message(
        "'{column}' has numbers with a decimal comma, and other columns have a decimal point, so it is read as text "
        "and is categorical. Write all numbers with a point to split on them.",
        column=name,
    )
