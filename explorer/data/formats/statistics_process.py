"""Read a file of SPSS, Stata or SAS from standard input, write its table to standard output: a process of its own.

ReadStat is written in C, and a damaged file may end its process or keep it busy. This process may take a given memory,
time and length of output only. It imports nothing of this package, so that it starts quickly.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any, BinaryIO

WRONG_FILE, TOO_LARGE = 3, 4
"""How the process ends where the file is damaged, and where its table takes more bytes than it may."""
_LONGEST_ERROR = 200
_BROKEN = (Exception, MemoryError)
"""Whatever ReadStat and its wrapper raise for a damaged file: they name no kinds."""


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
        "ordinal": [name for name, measure in facts.variable_measure.items() if measure == "ordinal"],
        "dates_are_numbers": are_numbers,
    }


def _array(arrow: Any, cells: list[Any]) -> Any:
    """A column of one kind: blank text is missing, mixed cells are text."""
    with suppress(arrow.ArrowException, OverflowError):
        if not any(isinstance(cell, str) for cell in cells):
            return arrow.array(cells, from_pandas=True)
    return arrow.array([None if cell is None or not str(cell).strip() else str(cell) for cell in cells], "string")


def main(asked: dict[str, Any]) -> None:
    """Read, check and write; the exit code says what went wrong, standard error in which words."""
    sys.meta_path.insert(0, _WithoutPandas())
    import pyarrow as pa

    _limit(asked["memory"], asked["seconds"], asked["bytes"])
    try:
        columns, facts = _table(asked)
        table = pa.table([_array(pa, cells) for cells in columns.values()], names=list(columns))
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
