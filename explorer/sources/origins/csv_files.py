"""Text files as DuckDB reads them: what each is taken for, held against the others, and the SQL that reads them all."""

from __future__ import annotations

import glob
import gzip
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from explorer.data.notes import Note
from explorer.data.table import MISSING_MARKERS
from explorer.data.text.form import DELIMITERS, PROBE_SIGNS, comma_columns, probe_rows
from explorer.errors import ColumnError, InputError
from explorer.messages import Words, message
from explorer.sources.origins.duckdb_session import first_line, imported_duckdb
from explorer.sources.origins.same_columns import check_same_columns
from explorer.sources.sql.queries import DUCKDB

TYPES = "'NULL', 'BIGINT', 'DOUBLE', 'DATE', 'TIMESTAMP', 'VARCHAR'"
"""What DuckDB may take the cells of a text file for: yes and no stay words, as in a table in memory."""
NUMBERS, DATES, TEXT = "numbers", "dates", "text"
_SORTS = {"BIGINT": NUMBERS, "DOUBLE": NUMBERS, "DATE": DATES, "TIMESTAMP": DATES}


@dataclass(frozen=True)
class CsvTable:
    """The SQL that reads all files as one table, and what the reader has to know of it."""

    relation: str
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True)
class _CsvFile:
    """What DuckDB takes one file for by its first rows: the sign between cells, and the types of its columns."""

    file: Path
    delimiter: str
    types: dict[str, str]
    decimal: str = "."

    def sort(self, name: str) -> str:
        """Whether a column holds numbers, dates or text by the first rows."""
        return _SORTS.get(self.types[name], TEXT)


def csv_table(files: Sequence[Path], as_text: Collection[str] = ()) -> CsvTable:
    """Text files as one table; columns `as_text` may hold numbers in one file and text in another.

    Raises InputError for a file without a sign between its cells, and ColumnError for a column that a file lacks, or
    that holds numbers, dates or text by file.
    """
    found = [_looked_at(file) for file in files if file.stat().st_size] or [_looked_at(files[0])]
    commas, has_points = _decimal_commas(found[0])
    notes = [_left_as_text_note(commas)] if commas and has_points else []
    decimal = "," if commas and not has_points else "."
    if decimal == ",":
        notes.append(Note(_decimal_comma_text, "info", commas))
        found = [_looked_at(file.file, decimal) for file in found]
    check_same_columns([(file.file, file.types) for file in found])
    mixed = [name for name in found[0].types if not _has_one_sort(found, name, as_text)]
    return CsvTable(_relation(found, decimal, mixed), tuple(notes))


def _relation(found: Sequence[_CsvFile], decimal: str, as_text: Sequence[str]) -> str:
    """The SQL; files that do not look alike are joined by the names of their columns."""
    listed = ", ".join(DUCKDB.text(glob.escape(str(file.file))) for file in found)
    types = ", ".join(f"{DUCKDB.text(name)}: 'VARCHAR'" for name in as_text)
    more = f", types = {{{types}}}" if types else ""
    is_alike = all(list(file.types.items()) == list(found[0].types.items()) for file in found)
    return f"read_csv([{listed}], {_options(decimal)}{more}{'' if is_alike else ', union_by_name = true'})"


def _options(decimal: str) -> str:
    missing = ", ".join(map(DUCKDB.text, sorted(MISSING_MARKERS)))
    comma = ", decimal_separator = ','" if decimal == "," else ""
    return f"nullstr = [{missing}], auto_type_candidates = [{TYPES}]{comma}"


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
    stat = file.file.stat()
    return _first_text(file.file, name, file.decimal, stat.st_size, stat.st_mtime_ns)


@lru_cache(maxsize=1000)
def _first_text(file: Path, name: str, decimal: str, *_version: int) -> str:
    cell = DUCKDB.identifier(name)
    number = f"REPLACE({cell}, ',', '.')" if decimal == "," else cell
    rows = f"read_csv({DUCKDB.text(glob.escape(str(file)))}, {_options(decimal)}, all_varchar = true)"
    query = f"SELECT {cell} FROM {rows} WHERE {cell} IS NOT NULL AND TRY_CAST({number} AS DOUBLE) IS NULL LIMIT 1"
    found = _rows_of(file, query)
    return str(found[0][0]) if found else ""


def _looked_at(file: Path, decimal: str = ".") -> _CsvFile:
    """What DuckDB takes a file for. Raises InputError for one whose cells it cannot tell apart."""
    stat = file.stat()
    delimiter, columns = _sniffed(file, decimal, stat.st_size, stat.st_mtime_ns)
    if len(columns) == 1:
        _refuse_single_column(file)
    return _CsvFile(file, delimiter, dict(columns), decimal)


@lru_cache(maxsize=10_000)
def _sniffed(file: Path, decimal: str, *_version: int) -> tuple[str, tuple[tuple[str, str], ...]]:
    """The sign between cells, and the names and types of the columns."""
    given = f"sniff_csv({DUCKDB.text(glob.escape(str(file)))}, {_options(decimal)})"
    ((delimiter, columns),) = _rows_of(file, f"SELECT Delimiter, Columns FROM {given}")
    return delimiter, tuple((column["name"], column["type"]) for column in columns)


def _rows_of(file: Path, query: str) -> list[tuple[Any, ...]]:
    """The rows of a query on one file, by a database of its own."""
    duckdb = imported_duckdb()
    try:
        with duckdb.connect(config={"autoinstall_known_extensions": "false"}) as database:
            return list(database.execute(query).fetchall())
    except duckdb.Error as error:
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
