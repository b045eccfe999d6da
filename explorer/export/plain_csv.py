"""Tables as CSV text in which a spreadsheet finds no formula."""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
import pandas as pd

from explorer.explaining.row_form import free_name
from explorer.explaining.rules import Rule, RuleList
from explorer.formatting import visible

_FORMULA = re.compile(r"[\t\r\n]|[\s\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]*[=+\-@＝＋－＠]")
"""How a cell begins that a spreadsheet may take for a formula."""
_NEGATIVE = re.compile(r"-\d+(\.\d+)?([eE][+-]?\d+)?")
_OTHER_DELIMITERS = re.compile(r"[;\t|\r]")
_MOST_WHOLE = 2.0**53
"""Floats are exact whole numbers up to here."""


def plain_cell(text: str) -> str:
    """Text for a cell of a CSV file: what a spreadsheet would take for a formula gets an apostrophe in front.

    Full-width signs count, and signs after characters that are not seen; a number stays a number.

    >>> plain_cell("=1+1"), plain_cell("Outlook"), plain_cell("-1.5"), plain_cell("＝1"), plain_cell(" @a")
    ("'=1+1", 'Outlook', '-1.5', "'＝1", "' @a")
    """
    return f"'{text}" if _FORMULA.match(text) and not _NEGATIVE.fullmatch(text) else text


def plain_csv(frame: pd.DataFrame) -> str:
    """A table as a file, all digits; no cell and no heading begins as a formula of a spreadsheet does.

    Where a text holds a delimiter of other CSV files, all texts are quoted: no reader ends a cell there. Whole numbers
    stay whole where cells are missing, for which pandas keeps them as floats.

    >>> plain_csv(pd.DataFrame({"=a": ["-b", "c"], "d": [-1.5, 2.0]}))
    "'=a,d\\n'-b,-1.5\\nc,2.0\\n"
    >>> plain_csv(pd.DataFrame({"a": ["b;=1"], "d": [2]}))
    '"a","d"\\n"b;=1",2\\n'
    >>> plain_csv(pd.DataFrame({"a": [22.0, None], "d": [1.0, 2.0]}))
    'a,d\\n22,1.0\\n,2.0\\n'
    """
    plain = frame.set_axis([plain_cell(str(name)) for name in frame.columns], axis=1)
    texts: list[object] = list(plain.columns)
    for position, (_, cells) in enumerate(frame.items()):
        if not pd.api.types.is_numeric_dtype(cells):
            safe = [plain_cell(cell) if isinstance(cell, str) else cell for cell in cells]
            plain.isetitem(position, pd.Series(safe, dtype=object).to_numpy())
            texts += safe
        elif pd.api.types.is_float_dtype(cells) and _are_whole(cells):
            plain.isetitem(position, cells.astype("Int64").array)
    is_split = any(isinstance(text, str) and _OTHER_DELIMITERS.search(text) for text in texts)
    return plain.to_csv(index=False, quoting=csv.QUOTE_NONNUMERIC if is_split else csv.QUOTE_MINIMAL)


def _are_whole(cells: pd.Series) -> bool:
    """Whether a column has missing cells, and whole numbers in all others."""
    known = cells.dropna().to_numpy(np.float64)
    return 0 < len(known) < len(cells) and bool(np.all((known % 1 == 0) & (np.abs(known) < _MOST_WHOLE)))


def predictions_csv(frame: pd.DataFrame, predictor: object) -> str:
    """A table with its predictions as a file; its last column names the threshold or cutoffs that they follow."""
    decision = getattr(predictor, "decision", None)
    if decision is None:
        return plain_csv(frame)
    return plain_csv(frame.assign(**{free_name("decision", map(str, frame.columns)): visible(decision.sentence)}))


def rules_csv(rule_list: RuleList, hits: Mapping[Rule, tuple[float, float]] = MappingProxyType({})) -> str:
    """The table of rules (`RuleList.to_frame`) as a file."""
    frame = rule_list.to_frame(hits)
    for name in frame.select_dtypes(exclude="number").columns:
        frame[name] = [visible(cell) if isinstance(cell, str) else cell for cell in frame[name]]
    return plain_csv(frame.rename(columns=lambda name: visible(str(name))))
