"""Read a file of SPSS, Stata, SAS, R or old Excel from standard input, write its table to standard output: a process.

ReadStat is written in C, and a damaged file may end its process or keep it busy; a small .xls may hold very many cells.
This process may take a given memory, time and length of output only. It imports nothing of this package, so that it
starts quickly.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any, BinaryIO

WRONG_FILE, TOO_LARGE = 3, 4
"""How the process ends where the file is damaged, and where its table takes more bytes than it may."""
_LONGEST_ERROR = 200
_BROKEN = (Exception, MemoryError)
"""Whatever ReadStat, xlrd and their wrappers raise for a damaged file: they name no kinds."""
_STANDARD_INPUT = "/dev/fd/0"
_DAY_OF_FORMAT = re.compile(r"[yd]", re.IGNORECASE)
_DURATION = re.compile(r"\[(?:h+|m+|s+)\]", re.IGNORECASE)
_HALF_SIGN = re.compile("[\ud800-\udfff]")
_NOT_SIGNS = re.compile(r"\"[^\"]*\"|\\.|\[[^\]]*\]")
TEXT, NUMBER, DATE, DURATION, CLOCK, BOOLEAN = range(6)
"""What a cell of a workbook is."""


class _WithoutPandas:
    """Arrow imports pandas where it is there, which takes longer than all the rest."""

    def find_spec(self, name: str, *_: object) -> None:
        """Refuse pandas, and say nothing of other modules."""
        if name == "pandas":
            raise ImportError(name)


def _limit(memory: int, seconds: int, output: int) -> None:
    """Limit this process, where the system can."""
    with suppress(ImportError):
        import resource

        for kind, most in (
            (resource.RLIMIT_AS, memory),
            (resource.RLIMIT_CPU, seconds),
            (resource.RLIMIT_FSIZE, output),
            (resource.RLIMIT_CORE, 0),
        ):
            with suppress(ValueError, OSError):  # the system allows less already
                resource.setrlimit(kind, (most, most))


def _opened() -> BinaryIO:
    """Standard input at its first byte: a file, which can be jumped in."""
    file = open(0, "rb", closefd=False)  # noqa: SIM115
    file.seek(0)
    return file


def _table(asked: dict[str, Any]) -> tuple[dict[str, list[Any]], dict[str, Any]]:
    """Columns as lists, and what the file says of them; only as many rows as fit, and one more."""
    import pyreadstat

    read: Callable[..., tuple[Any, Any]] = getattr(pyreadstat, asked["reader"])
    declared = {"user_missing": True} if asked["has_codes"] else {}
    _, facts = read(_opened(), metadataonly=True, output_format="dict", **declared)
    n_columns = max(len(facts.column_names), 1)
    limit = min(asked["rows"], asked["cells"] // n_columns) + 1 if n_columns <= asked["columns"] else 1
    rows = {"row_limit": limit, "output_format": "dict"}
    try:
        columns, are_numbers = read(_opened(), **rows)[0], False
    except OverflowError:  # a date that Python has none for
        columns, are_numbers = read(_opened(), disable_datetime_conversion=True, **rows)[0], True
    return columns, {
        "labels": {name: list(labels.items()) for name, labels in facts.variable_value_labels.items()},
        "missing": {name: [[span["lo"], span["hi"]] for span in spans] for name, spans in facts.missing_ranges.items()},
        "described": {name: text for name, text in facts.column_names_to_labels.items() if text},
        "ordinal": [name for name, measure in facts.variable_measure.items() if measure == "ordinal"],
        "dates_are_numbers": are_numbers,
    }


def _array(arrow: Any, cells: list[Any]) -> Any:
    """A column of one kind: blank text is missing, mixed cells are text."""
    with suppress(arrow.ArrowException, OverflowError):
        if not any(isinstance(cell, str) for cell in cells):
            return arrow.array(cells, from_pandas=True)
    return arrow.array([None if cell is None or not str(cell).strip() else str(cell) for cell in cells], "string")


def _statistics(arrow: Any, asked: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    columns, facts = _table(asked)
    return arrow.table([_array(arrow, cells) for cells in columns.values()], names=list(columns)), facts


def _of_r(arrow: Any, asked: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """The data frame asked for, or the first; the facts name all of them."""
    import pyreadr

    path = _path()
    found = [(one["object_name"], one["columns"]) for one in pyreadr.list_objects(path)]
    names = [name for name, columns in found if columns]
    wanted = asked["sheet"] or next(iter(names), None)
    if wanted not in names:
        return arrow.table({}), {"names": names, "wanted": wanted}
    n_columns = len(dict(found)[wanted])
    if n_columns > asked["columns"]:
        return arrow.table([[None]] * n_columns, names=[str(i) for i in range(n_columns)]), {"names": names}
    frame = pyreadr.read_r(path, use_objects=[wanted] if wanted else None)[wanted]
    factors = [str(name) for name, kind in frame.dtypes.items() if str(kind) == "category"]
    columns = [arrow.array(frame[name], from_pandas=True) if str(frame[name].dtype) in _PLAIN or name in factors
               else _array(arrow, [None if cell != cell else cell for cell in frame[name].tolist()])
               for name in frame]  # fmt: skip
    return arrow.table(columns, names=[str(name) for name in frame]), {"names": names, "wanted": wanted}


_PLAIN = ("int32", "int64", "float64", "bool", "datetime64[us]", "datetime64[ns]", "datetime64[s]")


def _path() -> str:
    """The path of standard input, for a reader that takes no file."""
    import os
    import tempfile

    if os.path.exists(_STANDARD_INPUT):  # noqa: PTH110
        return _STANDARD_INPUT
    with tempfile.NamedTemporaryFile(delete=False) as copy, _opened() as file:
        copy.write(file.read())
    return copy.name


def _workbook(arrow: Any, asked: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """The cells of the sheet asked for, or of the largest ones, those that Excel shows first."""
    import xlrd

    with open(0, "rb", closefd=False) as file:
        file.seek(0)
        content = file.read()
    book = xlrd.open_workbook(file_contents=content, logfile=sys.stderr, formatting_info=True, on_demand=True,
                              ragged_rows=True, encoding_override=asked["encoding"])  # fmt: skip
    names = book.sheet_names()
    if asked["sheet"] and asked["sheet"] not in names:
        return arrow.table({}), {"names": names, "sheets": []}
    sheets = []
    for name in [asked["sheet"]] if asked["sheet"] else names[:_MOST_SHEETS]:
        sheet = book.sheet_by_name(name)
        n_cells = sum(kind not in (xlrd.XL_CELL_EMPTY, xlrd.XL_CELL_BLANK) for row in range(sheet.nrows)
                      for kind in sheet.row_types(row))  # fmt: skip
        sheets.append((sheet.visibility > 0, -n_cells, name))
        book.unload_sheet(name)
    tables, facts, n_cells = [], [], 0
    for place, (_, negative, name) in enumerate(sorted(sheets)[:_MOST_READ]):
        n_cells -= negative
        if n_cells > asked["cells"] and place:
            break
        sheet = book.sheet_by_name(name)
        tables.append(_sheet_rows(arrow, book, sheet, place))
        facts.append({"name": name, "merged": sheet.merged_cells})
        book.unload_sheet(name)
    return (arrow.concat_tables(tables) if tables else arrow.table({})), {
        "names": names,
        "sheets": facts,
        "from_1904": book.datemode == 1,
    }


_MOST_SHEETS, _MOST_READ = 500, 3


def _sheet_rows(arrow: Any, book: Any, sheet: Any, place: int) -> Any:
    """A row of the table for each row of a sheet: its number, what its cells are, and their texts."""
    rows, kinds, texts = [], [], []
    for row in range(sheet.nrows):
        cells = [_cell(book, sheet.cell(row, column)) for column in range(sheet.row_len(row))]
        if any(text for _, text in cells):
            rows.append(row)
            kinds.append([kind for kind, _ in cells])
            texts.append([text for _, text in cells])
    return arrow.table(
        {
            "sheet": arrow.array([place] * len(rows), arrow.int32()),
            "row": arrow.array(rows, arrow.int32()),
            "kinds": arrow.array(kinds, arrow.list_(arrow.int8())),
            "texts": arrow.array(texts, arrow.list_(arrow.string())),
        }
    )


def _cell(book: Any, cell: Any) -> tuple[int, str]:
    """What a cell is, and its text as it is stored."""
    import xlrd

    if cell.ctype == xlrd.XL_CELL_NUMBER:
        return NUMBER, repr(cell.value)
    if cell.ctype == xlrd.XL_CELL_DATE:
        written = book.format_map[book.xf_list[cell.xf_index].format_key].format_str
        is_clock = not _DAY_OF_FORMAT.search(_NOT_SIGNS.sub("", written))
        return DURATION if _DURATION.search(written) else CLOCK if is_clock else DATE, repr(cell.value)
    if cell.ctype == xlrd.XL_CELL_BOOLEAN:
        return BOOLEAN, "TRUE" if cell.value else "FALSE"
    if cell.ctype == xlrd.XL_CELL_ERROR:
        return TEXT, xlrd.error_text_from_code.get(cell.value, "#N/A")
    return TEXT, _HALF_SIGN.sub("\ufffd", str(cell.value))


def main(asked: dict[str, Any]) -> None:
    """Read, check and write; the exit code says what went wrong, standard error in which words."""
    read = {"xls": _workbook, "r": _of_r}.get(asked["reader"], _statistics)
    if read is not _of_r:
        sys.meta_path.insert(0, _WithoutPandas())
    import pyarrow as pa

    _limit(asked["memory"], asked["seconds"], asked["bytes"])
    try:
        table, facts = read(pa, asked)
        schema = table.schema.with_metadata({"facts": json.dumps(facts)})
    except _BROKEN as error:
        sys.stderr.write(f"{error or type(error).__name__}"[:_LONGEST_ERROR])
        raise SystemExit(WRONG_FILE) from None
    if table.nbytes > asked["bytes"]:
        raise SystemExit(TOO_LARGE)
    with open(1, "wb", closefd=False) as out, pa.ipc.new_stream(out, schema) as stream:
        stream.write_table(table.replace_schema_metadata(schema.metadata))


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
