"""Files of R (.rds, .RData), with the optional package pyreadr: factors become categories in order of their levels."""

from __future__ import annotations

import pandas as pd

from explorer.data.arrow_frame import pandas_frame
from explorer.data.formats.apart.run import read_apart, refuse_without
from explorer.data.reading import Reading
from explorer.data.source import Source
from explorer.errors import InputError
from explorer.messages import message


def read_r(source: Source, reading: Reading) -> pd.DataFrame:
    """Return the data frame asked for, or the first; `InputError` where there is none, and without the package."""
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
