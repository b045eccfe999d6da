"""An Excel workbook of a tree: its rules, its gains, its scores, and every row with its prediction."""

from __future__ import annotations

import io
import math
import numbers
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import islice
from typing import Any

import numpy as np
import pandas as pd

from explorer.data.codes.date_features import dated
from explorer.data.dataset import Dataset
from explorer.evaluation.deciding.gains import gains, gains_heading
from explorer.explaining.rules import rules
from explorer.export.office.cell_formulas import ExactText, Formula
from explorer.export.report.provenance import Provenance
from explorer.export.report.sections import score_values
from explorer.formatting import visible
from explorer.messages import message
from explorer.tree.tree import Tree

MOST_CELLS = 400_000
"""Cells of scored rows that a workbook holds, which take some seconds; of a larger table it says so in their place."""
MOST_CLASSES = 24
"""Classes that a workbook has gains of."""
_LONGEST, _WIDEST, _MEASURED = 32_767, 60, 100
"""Letters of a cell in Excel, letters that a column shows, and lines that decide how wide it is."""
_EXACT = 2**53
PER_CENT = "0.0%"
"""How a share is shown."""
SHARES_OF_RULES = ("confidence", "estimated accuracy")


def to_xlsx(provenance: Provenance) -> bytes:
    """The tree as a workbook with the sheets Rules, Gains, Scores and Rows; numbers with all their digits.

    Text stays text: no cell is a formula. Gains are those of `ex.gains`, for each class, on the training and the
    validation set; rows have their set, leaf, prediction and probabilities. Raises InputError where
    the tree cannot predict the rows.
    """
    from openpyxl import Workbook  # takes time to load

    book = Workbook(write_only=True)
    tree = provenance.tree
    listed = rules(tree)
    frame = listed.to_frame()
    write_sheet(book, message("Rules"), frame.columns.tolist(), lines_of(frame), SHARES_OF_RULES)
    _write_gains(book, provenance, {rule.leaf: rule.words for rule in listed})
    write_sheet(book, message("Scores"), *score_values(provenance))
    _write_rows(book, provenance)
    made = io.BytesIO()
    book.save(made)
    return made.getvalue()


def _write_gains(book: Any, provenance: Provenance, conditions: Mapping[int, str]) -> None:
    """One table under the other, told apart by their first columns, so that Excel can filter them."""
    tree = provenance.tree
    parts = list(zip((message("training"), message("validation")), provenance.scored_sets.values(), strict=False))
    named = [(None, 0)] if tree.is_regression else [(name, k) for k, name in enumerate(tree.classes[:MOST_CLASSES])]
    tables = [(part, name, gains(tree, data, code)) for part, data in parts for name, code in named]
    names = tables[0][2].columns.tolist()
    first = [message("set"), message("class")] if not tree.is_regression else [message("set")]
    head = [*first, *(gains_heading(name, tree.is_regression) for name in names), message("rule")]
    are_shares = [n for n in names if "share" in n or "index" in n or ("response" in n and not tree.is_regression)]
    shares = {gains_heading(name, tree.is_regression) for name in are_shares if name != "responses"}

    def lines() -> Iterator[Sequence[object]]:
        for part, name, table in tables:
            own = [part] if tree.is_regression else [part, name]
            for line in lines_of(table):
                yield [*own, *line, conditions.get(int(line[0]), message("stopped above the leaves"))]

    write_sheet(book, message("Gains"), head, lines(), shares)


def _write_rows(book: Any, provenance: Provenance) -> None:
    frame, title = provenance.table.frame, message("Rows")
    n_rows, n_columns = frame.shape
    if n_rows * n_columns > MOST_CELLS:
        said = message(
            "The table has {n:,} cells, more than the {most:,} that this workbook takes. The page Predict scores it as "
            "CSV.",
            n=n_rows * n_columns,
            most=MOST_CELLS,
        )
        write_sheet(book, title, [said], [])
        return
    added = _scored(provenance.tree, provenance.data, provenance.parts, n_rows)
    probabilities = {name for name in added.columns if name.startswith("P(")}
    read = dated(frame, provenance.table.days_since)
    lines = ((*row, *more) for row, more in zip(lines_of(read), lines_of(added), strict=True))
    write_sheet(book, title, [*map(str, frame.columns), *added.columns], lines, probabilities)


def _scored(tree: Tree, data: Dataset, parts: Sequence[Dataset], n_rows: int) -> pd.DataFrame:
    """Set, leaf, prediction and probabilities of each row; empty for a row without a target, which no set has."""
    position = np.full(n_rows, -1)
    position[data.row_numbers] = np.arange(data.n_rows)
    sets = np.full(n_rows, None, dtype=object)
    for name, part in zip((message("training"), message("validation"), message("test")), parts, strict=False):
        sets[part.row_numbers] = name
    columns: dict[str, Any] = {message("set"): sets}
    found = {message("leaf"): tree.apply(data), message("prediction"): tree.predict(data)}
    if not tree.is_regression:
        shares = np.asarray(tree.predict_proba(data))
        found |= {f"P({name})": shares[:, k] for k, name in enumerate(tree.classes)}
    for name, values in found.items():
        filled = np.full(n_rows, None, dtype=object)
        filled[position >= 0] = np.asarray(values, dtype=object)[position[position >= 0]]
        columns[name] = filled
    return pd.DataFrame(columns)


def lines_of(frame: pd.DataFrame) -> Iterator[Sequence[Any]]:
    """The rows of a table."""
    return iter(zip(*(frame.iloc[:, k].astype(object) for k in range(frame.shape[1])), strict=True))


def write_sheet(
    book: Any, title: str, head: Sequence[object], lines: Iterable[Sequence[object]], shares: Collection[str] = ()
) -> None:
    """A sheet with a heading that stays in view; columns named in `shares` are per cents."""
    rest = iter(lines)
    first = [[plain(value) for value in line] for line in islice(rest, _MEASURED)]
    widths = [max([len(str(name)), *(len(str(line[k])) for line in first)]) for k, name in enumerate(head)]
    sheet = sheet_of(book, title, [min(letters + 2, _WIDEST) for letters in widths], frozen="A2")
    sheet.line(list(head), is_bold=True)
    formats = [PER_CENT if name in shares else "" for name in head]
    for line in (*first, *rest):
        sheet.line(line, formats)


@dataclass(frozen=True)
class Sheet:
    """A sheet that is filled line by line."""

    sheet: Any

    def line(self, values: Sequence[object], formats: Sequence[str] = (), is_bold: bool = False) -> None:
        """One more line; text that begins like a formula stays text, a `Formula` is one. `formats` are of numbers."""
        from openpyxl.styles import Font

        font = Font(bold=True) if is_bold else None
        shown = [*formats, *[""] * (len(values) - len(formats))]
        self.sheet.append([self._cell(plain(value), font, form) for value, form in zip(values, shown, strict=True)])

    def _cell(self, value: object, font: Any, form: str) -> object:
        if font is None and not form and (isinstance(value, Formula) or not isinstance(value, str)):
            return value
        from openpyxl.cell import WriteOnlyCell

        cell = WriteOnlyCell(self.sheet, value)
        if isinstance(value, str) and not isinstance(value, Formula):
            cell.data_type = "s"
        if font is not None:
            cell.font = font
        if form and not (isinstance(value, str) and not isinstance(value, Formula)):
            cell.number_format = form
        return cell


def sheet_of(book: Any, title: str, widths: Iterable[int], frozen: str = "") -> Sheet:
    """A new sheet whose first columns have these widths, in letters; `frozen` is the first cell that scrolls."""
    from openpyxl.utils import get_column_letter

    made = book.create_sheet(title)
    made.freeze_panes = frozen or None
    for k, width in enumerate(widths):
        made.column_dimensions[get_column_letter(k + 1)].width = width
    return Sheet(made)


def plain(value: object) -> object:
    """A value as Excel keeps it: a number that it holds exactly, a time, or a text of what can be seen; None: empty.

    >>> plain(2**60), plain(float("nan")), plain(float("inf")), plain(np.float64(0.5)), plain("a\\x00")
    ('1152921504606846976', None, 'inf', 0.5, 'a␀')
    """
    if isinstance(value, (Formula, ExactText)):
        return value
    if value is None or value is pd.NaT or value is pd.NA:
        return None
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if isinstance(value, numbers.Integral):
        return int(value) if abs(int(value)) <= _EXACT else str(int(value))
    if isinstance(value, numbers.Real):
        number = float(value)
        return None if math.isnan(number) else number if math.isfinite(number) else str(number)
    if isinstance(value, datetime):
        return value.replace(tzinfo=None) if value.tzinfo is None and value.year >= 1900 else value.isoformat()
    if isinstance(value, date):
        return value if value.year >= 1900 else value.isoformat()
    return visible(str(value))[:_LONGEST]
