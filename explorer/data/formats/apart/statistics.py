"""Files of SPSS, Stata and SAS, with the optional package pyreadstat: value labels become categories."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from explorer.data.arrow_frame import pandas_frame
from explorer.data.formats.apart.run import read_apart, refuse_without
from explorer.data.notes import listed_names
from explorer.data.reading import Reading
from explorer.data.source import Source
from explorer.messages import message
from explorer.values import EXACT_WHOLE

_STATA_MISSING = 2_147_483_620
"""Stata's codes above stand for missing cells: the labels of .a to .z."""


@dataclass(frozen=True)
class Program:
    """A program's files: its name, pyreadstat's function, and what the format says.

    With `has_codes`, a file declares codes that stand for missing cells. Where `labels_are_ordered`, categories
    keep the order of their codes, whatever they mean; elsewhere only where the file calls the column ordinal.
    """

    name: str
    reader: str
    has_codes: bool = False
    labels_are_ordered: bool = False

    def __call__(self, source: Source, reading: Reading) -> pd.DataFrame:
        """Return the frame; `InputError` for a damaged file, and where the package pyreadstat is missing."""
        refuse_without("pyreadstat", self.name, reading)
        table, facts = read_apart(source, reading, self.name, {"reader": self.reader, "has_codes": self.has_codes})
        reading.check(table.num_rows, table.num_columns)
        reading.remarks.append(lambda: message("Read as a file of {program}.", program=self.name))
        reading.declares_order = not self.labels_are_ordered
        reading.described = tuple((name, str(text).strip()) for name, text in facts["described"].items())
        return self._labelled(pandas_frame(table, reading.remarks), facts, reading)

    def _labelled(self, frame: pd.DataFrame, facts: dict[str, Any], reading: Reading) -> pd.DataFrame:
        """The frame with categories for labels."""
        columns, few = [], []
        for i, name in enumerate(map(str, frame.columns)):
            cells = frame.iloc[:, i]
            labels = _labels(facts["labels"].get(name, []), facts["missing"].get(name, []), cells)
            if labels and _name_most(labels, cells):
                cells = _categories(cells, labels, self.labels_are_ordered or name in facts["ordinal"])
            elif labels:
                few.append(name)
            columns.append(cells)
        _note(few, list(facts["missing"]), facts["dates_are_numbers"], reading)
        return pd.concat(columns, axis=1) if columns else frame


def _note(few: list[str], with_codes: list[str], dates_are_numbers: bool, reading: Reading) -> None:
    if with_codes:
        reading.remarks.append(
            lambda: message(
                "Codes that the file declares missing are missing cells, in these columns: {columns}.",
                columns=listed_names(with_codes),
            )
        )
    if few:
        reading.remarks.append(
            lambda: message(
                "Labels of these columns are left out, since most of their values have none: {columns}.",
                columns=listed_names(few),
            )
        )
    if dates_are_numbers:
        reading.remarks.append(
            lambda: message("A date lies beyond the year 9999: all dates are read as the numbers in the file.")
        )


def _labels(written: Sequence[tuple[Any, str]], missing: Sequence[Sequence[Any]], cells: pd.Series) -> dict[Any, str]:
    """The labels of codes that stand for values, in the order of the codes.

    Numbers have numbers as codes: a letter is one of Stata's missing codes, .a to .z.
    """
    is_text = isinstance(cells.dtype, pd.StringDtype)
    return dict(
        sorted(
            (code, label.strip())
            for code, label in written
            if label.strip() and isinstance(code, str) == is_text and not _is_missing(code, missing)
        )
    )


def _is_missing(code: Any, spans: Sequence[Sequence[Any]]) -> bool:
    """Whether the file declares a code missing, or it is one of Stata's .a to .z as a number."""
    if isinstance(code, int) and code > _STATA_MISSING:
        return True
    return any(low <= code <= high for low, high in spans if isinstance(low, str) == isinstance(code, str))


def _name_most(labels: dict[Any, str], cells: pd.Series) -> bool:
    """Whether at least half of a column's values have a label: it holds codes then, not amounts."""
    values = cells.dropna().unique()
    return 2 * sum(value in labels for value in values.tolist()) >= len(values)


def _categories(cells: pd.Series, labels: dict[Any, str], is_ordered: bool) -> pd.Series:
    """The labels of the codes as categories in the order of the codes; a code without a label is its own text.

    Codes of one label stay apart: their code follows the label.
    """
    unlabelled = {code: _code_text(code) for code in cells.dropna().unique().tolist()}
    texts = dict(sorted((unlabelled | labels).items()))
    counts = Counter(texts.values())
    levels = [text if counts[text] == 1 else f"{text} ({_code_text(code)})" for code, text in texts.items()]
    if len(set(levels)) < len(levels):
        levels = [_code_text(code) for code in texts]
    codes = pd.Index(texts).get_indexer(pd.Index(cells))
    return pd.Series(
        pd.Categorical.from_codes(codes, pd.Index(levels), ordered=is_ordered), index=cells.index, name=cells.name
    )


def _code_text(value: Any) -> str:
    is_whole = isinstance(value, float) and value.is_integer() and abs(value) <= EXACT_WHOLE
    return str(int(value)) if is_whole else str(value)


SPSS = Program("SPSS", "read_sav", has_codes=True)
STATA = Program("Stata", "read_dta", labels_are_ordered=True)
SAS = Program("SAS", "read_sas7bdat")
SAS_TRANSPORT = Program("SAS", "read_xport")
