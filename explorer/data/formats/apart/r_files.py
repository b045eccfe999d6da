"""Files of R (.rds, .RData), with the optional package pyreadr: factors become categories in order of their levels.

Tables of counts need no package.
"""

from __future__ import annotations

import pandas as pd

from explorer.data.arrow_frame import pandas_frame
from explorer.data.formats.apart.r_counts import counts_frame, is_counts, objects_of
from explorer.data.formats.apart.run import read_apart, refuse_without
from explorer.data.reading import Reading
from explorer.data.source import Source
from explorer.errors import InputError
from explorer.messages import message


def read_r(source: Source, reading: Reading) -> pd.DataFrame:
    """Return the data frame asked for, or the first; `InputError` where there is none, and without the package."""
    if (counts := _counts(source, reading)) is not None:
        return counts
    refuse_without("pyreadr", "R", reading)
    table, facts = read_apart(source, reading, "R", {"reader": "r", "sheet": reading.wanted_sheet})
    names = tuple(name for name in facts["names"] if name)
    if names or reading.wanted_sheet:
        reading.choose(names)
    if not facts["names"]:
        raise InputError(
            message(
                "'{file}' is a file of R without a data frame: save one with saveRDS(frame, file).", file=reading.name
            )
        )
    reading.check(table.num_rows, table.num_columns)
    reading.sheet = facts.get("wanted") or ""
    reading.remarks.append(lambda: message("Read as a file of {program}.", program="R"))
    if len(names) > 1:
        reading.remarks.append(
            lambda: message("Read from table '{table}', one of {tables}.", table=reading.sheet, tables=len(names))
        )
    return pandas_frame(table, reading.remarks)


def _counts(source: Source, reading: Reading) -> pd.DataFrame | None:
    """The table of counts asked for, or the first object if it is one; None where it is a data frame, or nothing."""
    found = [(name, value) for name, value in objects_of(source) if is_counts(value) or "data.frame" in value.classes]
    wanted = reading.wanted_sheet or next((name for name, _ in found), "")
    value = dict(found).get(wanted)
    if value is None or not is_counts(value):
        return None
    reading.choose(tuple(name for name, _ in found if name))
    frame = counts_frame(value)
    reading.check(*frame.shape)
    reading.sheet = wanted
    reading.remarks.append(
        lambda: message(
            "Read as a table of counts of R: a row for each cell, with its count in '{column}'.",
            column=frame.columns[-1],
        )
    )
    if len(reading.sheets) > 1:
        reading.remarks.append(
            lambda: message(
                "Read from table '{table}', one of {tables}.", table=reading.sheet, tables=len(reading.sheets)
            )
        )
    return frame
