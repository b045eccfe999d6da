"""Rows that are no data (the header repeated between them, totals at the end), and rows that are many cases each."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from explorer.data.codes.counts import count_column, counts_of, row_numbers
from explorer.data.suggestions.cells import cell_text, folded, is_text
from explorer.data.suggestions.kind import Finding, Options, TableKind, is_text_option, listed, texts, tuple_of
from explorer.messages import message, plural

_TAIL = 8
_LONGEST_FOOTER = 20
_TOTAL = re.compile(
    r"(?:grand|sub|row|column|overall)?[ -]?totals?|sum|(?:overall )?(?:average|mean|avg)|median|min(?:imum)?|"
    r"max(?:imum)?|count|st\.?dev\.?|summe|"
    r"gesamt(?:summe)?|insgesamt|durchschnitt|mittelwert|somme|moyenne|total général|suma|"
    r"promedio|totale|media|合计|总计|小计|总和|平均|平均值|合計",
    re.IGNORECASE,
)
_RENAMED = re.compile(r" \(\d+\)$")


def _repeats_header(frame: pd.DataFrame) -> NDArray[np.bool_]:
    """Which rows repeat the names of the columns in every known cell, in two or more of them; a mask [n]."""
    matches, known = np.zeros(len(frame), dtype=np.intp), np.zeros(len(frame), dtype=np.intp)
    possible = np.ones(len(frame), dtype=bool)
    for position, name in enumerate(frame.columns):
        column = frame.iloc[:, position]
        is_known = column.notna().to_numpy()
        same = _equals(column, str(name)) if is_text(column) else np.zeros(len(frame), dtype=bool)
        possible &= same | ~is_known
        if not possible.any():
            break
        matches += same
        known += is_known
    return possible & (matches >= 2)


def _equals(column: pd.Series, name: str) -> NDArray[np.bool_]:
    plain = _RENAMED.sub("", name)
    return column.isin({name, plain, f" {plain}", f"{plain} "}).to_numpy()


def _find_headers(frame: pd.DataFrame) -> Finding | None:
    """Repetitions of the header line; at least half of the rows must be others."""
    repeated = _repeats_header(frame)
    n = int(repeated.sum())
    if not n or n > len(frame) / 2:
        return None
    header = ", ".join(map(str, frame.columns[:3]))
    return Finding(
        options=[{}],
        sentence=lambda: plural(
            n,
            "{n:,} row repeats the header (row {row:,} below it). Remove it?",
            "{n:,} rows repeat the header (the first is row {row:,} below it). Remove them?",
            row=int(np.flatnonzero(repeated)[0]) + 1,
        ),
        examples=[(header, "")],
        n_cells=n,
    )


def _totals(frame: pd.DataFrame, labels: Sequence[str] | None) -> NDArray[np.bool_]:
    """Which rows at the end are totals, by their labels (None: any known one); a mask [n]."""
    found = np.zeros(len(frame), dtype=bool)
    for row in range(len(frame) - 1, max(len(frame) - 1 - _TAIL, 0), -1):
        label = _label_of(frame.iloc[row])
        if label is None or (labels is not None and folded(label) not in labels):
            break
        found[row] = True
    return found


def _totals_above_footers(frame: pd.DataFrame, labels: Sequence[str]) -> NDArray[np.bool_]:
    """The same where notes below the totals still stand: repairs may be applied in any order."""
    found = np.zeros(len(frame), dtype=bool)
    n = len(frame) - int(_footers(frame).sum())
    found[:n] = _totals(frame.iloc[:n], labels)
    return found


def _label_of(row: pd.Series) -> str | None:
    """The label of a row of totals: its first known text."""
    for cell in row:
        if isinstance(cell, str) and cell.strip():
            return cell.strip().rstrip(":").strip() if is_total(cell) else None
    return None


def is_total(text: str) -> bool:
    """Whether a text is the label of a total."""
    return _TOTAL.fullmatch(text.strip().rstrip(":").strip()) is not None


def _footers(frame: pd.DataFrame) -> NDArray[np.bool_]:
    """Which rows at the end hold one text alone, where no row above them does; a mask [n].

    In a table of two columns it must be a sentence: a row may lack its other cell.
    """
    found = np.zeros(len(frame), dtype=bool)
    tail = frame.iloc[-_LONGEST_FOOTER - 1 :]
    known = tail.notna().to_numpy()
    for back in range(1, len(tail)):
        if known[-back].sum() != 1:
            break
        cell = tail.iloc[-back, int(known[-back].argmax())]
        if (
            not isinstance(cell, str)
            or is_total(cell)
            or (frame.shape[1] < 3 and len(cell.split()) < 2 and ":" not in cell)
        ):
            break
        found[-back] = True
    n = int(found.sum())
    above = frame.iloc[: len(frame) - n]
    alone = (above.notna().sum(axis=1) == 1).to_numpy() & ~_totals(above, None)
    is_usual = n == 0 or n > _LONGEST_FOOTER - 1 or bool(alone.any())
    return np.zeros(len(frame), dtype=bool) if is_usual else found


def _find_footers(frame: pd.DataFrame) -> Finding | None:
    """Texts below the table: notes, and where it comes from."""
    if frame.shape[1] < 2:
        return None
    rows = np.flatnonzero(_footers(frame))
    if not len(rows) or len(rows) > len(frame) - len(rows):
        return None
    found = [next(str(cell) for cell in frame.iloc[row] if isinstance(cell, str)) for row in rows]
    return Finding(
        options=[{}],
        sentence=lambda: plural(
            len(rows),
            "The last row is a text alone ({texts}) and looks like a note below the table. Remove it?",
            "The last {n} rows are texts alone ({texts}) and look like notes below the table. Remove them?",
            texts=listed(found, 2),
        ),
        examples=[(text, "") for text in found[:3]],
        n_cells=len(rows),
    )


def _find_totals(frame: pd.DataFrame) -> Finding | None:
    """Rows at the end with a label such as "Total" that no row above them has, and few texts beside it."""
    rows = np.flatnonzero(_totals(frame, None))
    if not len(rows) or len(rows) > (len(frame) - len(rows)) or not _are_totals(frame, rows):
        return None
    found = [_label_of(frame.iloc[row]) or "" for row in rows]
    return Finding(
        options=[{"labels": tuple(sorted({folded(label) for label in found}))}],
        sentence=lambda: plural(
            len(rows),
            "The last row looks like a total ({labels}). Remove it?",
            "The last {n} rows look like totals ({labels}). Remove them?",
            labels=listed(found),
        ),
        examples=[(label, "") for label in found[:3]],
        n_cells=len(rows),
    )


def _are_totals(frame: pd.DataFrame, rows: NDArray[np.intp]) -> bool:
    """Whether the labels stand in the last rows only, and these have nothing but numbers beside them.

    A number may stand in a column of text, as the count of its cells does.
    """
    above, tail = frame.iloc[: rows[0]], frame.iloc[rows]
    words = {str(cell) for row in range(len(tail)) for cell in tail.iloc[row] if isinstance(cell, str)}
    labels = {word for word in words if is_total(word)}
    columns = [frame.columns[i] for i in range(frame.shape[1]) if tail.iloc[:, i].isin(labels).any()]
    if any(above[name].isin(labels).any() for name in columns):
        return False
    others = [name for name in frame.columns if name not in columns]
    categories = [name for name in others if is_text(frame[name]) and not _is_mostly_digits(above[name])]
    return bool(others) and all(_is_number(cell) for name in categories for cell in tail[name].dropna())


def _is_number(cell: object) -> bool:
    text = cell_text(cell)
    return any(sign.isdigit() for sign in text) and not any(sign.isalpha() for sign in text)


def _is_mostly_digits(column: pd.Series) -> bool:
    """Whether the first cells of a column hold a digit, as numbers stored as text do."""
    first = [cell_text(cell) for cell in column.dropna().head(100)]
    return sum(any(sign.isdigit() for sign in text) for text in first) > len(first) / 2


def _totals_label(options: Options) -> str:
    return message("totals at the end removed ({labels})", labels=listed(texts(options["labels"])))


def _counts(frame: pd.DataFrame, options: Options) -> NDArray[np.int64] | None:
    """How many cases each row is, [n]; None where the column is not there, or holds no such counts."""
    name = str(options["column"])
    return counts_of(frame[name]) if list(frame.columns).count(name) == 1 else None


def _find_cases(frame: pd.DataFrame) -> Finding | None:
    """A column that counts the cases of each combination of the others."""
    name = count_column(frame)
    counts = None if name is None else counts_of(frame[name])
    if name is None or counts is None:
        return None
    total = int(counts.sum())
    return Finding(
        options=[{"column": name}],
        sentence=lambda: message(
            "Each row seems to stand for as many cases as '{column}' says, {total:,} in all. Give each case a row, so "
            "that folds hold out cases?",
            column=name,
            total=total,
        ),
        examples=[],
        n_cells=len(frame),
        is_question=True,
    )


def _are_cases(frame: pd.DataFrame, options: Options) -> NDArray[np.bool_]:
    """Which rows stand for a case at least."""
    counts = _counts(frame, options)
    return np.ones(len(frame), dtype=bool) if counts is None else counts > 0


def _one_row_per_case(frame: pd.DataFrame, options: Options) -> pd.DataFrame:
    """Each row as often as it counts cases, without counts and row numbers; a table without counts stays as it is."""
    counts = _counts(frame, options)
    if counts is None:
        return frame
    rows = np.repeat(np.arange(len(frame)), counts)
    beside = [name for name in row_numbers(frame) if name != options["column"]]
    return frame.drop(columns=[str(options["column"]), *beside]).iloc[rows].reset_index(drop=True)


FOOTERS = TableKind(
    "footers",
    _find_footers,
    lambda frame, options: ~_footers(frame),
    lambda options: message("notes below the table removed"),
)
HEADERS = TableKind(
    "headers",
    _find_headers,
    lambda frame, options: ~_repeats_header(frame),
    lambda options: message("repeated header rows removed"),
)
TOTALS = TableKind(
    "totals",
    _find_totals,
    lambda frame, options: ~_totals_above_footers(frame, texts(options["labels"])),
    _totals_label,
    {"labels": tuple_of(is_text_option)},
)
CASES = TableKind(
    "one_row_per_case",
    _find_cases,
    _are_cases,
    lambda options: message("one row per case, as '{column}' counts them", column=str(options["column"])),
    {"column": is_text_option},
    for_growing=True,
    carry_out=_one_row_per_case,
)
"""Each row as often as `column` says, which then goes."""
