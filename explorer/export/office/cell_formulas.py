"""Formulas of a workbook that read cells and follow the lines of a tree; no text of a table is part of one."""

from __future__ import annotations

import re
from dataclasses import dataclass

from explorer.export.office.followed_lines import FollowedLines
from explorer.values import MISSING_MARKERS

MARKS = sorted(MISSING_MARKERS - {""})
"""Texts that are missing cells, in the first column of the sheet of values."""
LINE_HEAD = ("column", "up to", "then", "else", "missing", "unseen", "offset", "branches", "node", "way", "prediction")
"""The columns of the sheet of lines; probabilities follow."""


class Formula(str):
    """A text that is a formula."""


class ExactText(str):
    """A text that is kept sign by sign, as cells are compared with it."""


_NO_CELL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_LONGEST = 32_767


def can_be_cell(text: str) -> bool:
    """Whether a cell of a workbook can hold a text."""
    return len(text) <= _LONGEST and not _NO_CELL.search(text)


def exact(value: object) -> object:
    """A text as a file of Excel keeps it, where `_x000D_` stands for a sign; other values as they are.

    >>> exact("a_x0041_"), exact(1.5)
    ('a_x005F_x0041_', 1.5)
    """
    if not isinstance(value, str) or not can_be_cell(value):
        return value
    return ExactText(re.sub("_(?=x[0-9A-Fa-f]{4}_)", "_x005F_", value).replace("\r", "_x000D_"))


def letters(position: int) -> str:
    """The name of a column, from 0 on."""
    from openpyxl.utils import get_column_letter

    found: str = get_column_letter(position + 1)
    return found


def quoted(title: str) -> str:
    """The title of a sheet in a formula."""
    return "'" + title.replace("'", "''") + "'"


@dataclass(frozen=True)
class Formulas:
    """Formulas over the sheets of lines and of values with these titles."""

    followed: FollowedLines
    lines: str
    values: str

    def reading(self, position: int, cell: str) -> str:
        """What a cell of a column is: "" where it is missing, #N/A where it has to be a number and is not."""
        column = self.followed.columns[position]
        number = f"({cell}-{column.first_day})" if column.first_day else cell
        size = len(column.encoding.labels)
        if column.edges:
            number = f"(1+SUMPRODUCT(--({self._values(position + 1, 2, len(column.edges))}<{number})))"
        elif column.is_listed:
            number = f"IFERROR(MATCH({number},{self._values(position + 1, 2, size)},0),0)"
        if column.is_number:
            logical = number.replace(cell, f"({cell}*1)")
            missing = f'IF({self._is_mark(cell)},"",NA())'
            return f"IF(ISLOGICAL({cell}),{logical},IF(ISNUMBER({cell}),{number},{missing}))"
        listed, lengths = (self._values(position + 1, part, size) for part in (0, 1))
        place = f"SUMPRODUCT({_stripped(listed, lengths, cell)}*(ROW({listed})-1))"
        code_of = {text: at for at, text, _ in column.labels()}
        logical = f"IF({cell},{code_of.get('True', 0)},{code_of.get('False', 0)})"
        text = f'IF({place}>0,{place},IF({self._is_mark(cell)},"",0))'
        return f"IF(ISLOGICAL({cell}),{logical},IF(ISNUMBER({cell}),{number},{text}))"  # LibreOffice: TRUE is a number

    def reading_words(self, position: int, reading: str, missing: str, unseen: str) -> str:
        """The same for a reader; the words are cells."""
        column = self.followed.columns[position]
        known = f"{reading}+{column.first_day}" if column.first_day else reading
        if column.is_listed:
            part = 2 if column.is_number else 0
            listed = self._values(position + 1, part, len(column.encoding.labels))
            known = f"IF({reading}=0,{unseen},INDEX({listed},{reading}))"
        return f'IF({reading}="",{missing},{known})'

    def next_line(self, line: str, readings: str) -> str:
        """The line after a line, by the readings of all columns; the same one at an end."""
        column, up_to, low, high, missing, unseen, offset = (self.of_line(name, line) for name in LINE_HEAD[:7])
        reading = f"INDEX({readings},{column})"
        listed = f"INDEX({self._column('branches', max(len(self.followed.branches), 1))},{offset}+{reading})"
        by_limit = f"IF({reading}<={up_to},{low},{high})"
        known = f"IF(ISNUMBER({up_to}),{by_limit},IF({reading}=0,{unseen},{listed}))"
        return f'IF({column}=0,{line},IF({reading}="",{missing},{known}))'

    def of_line(self, name: str, line: str, more: int = 0) -> str:
        """What the sheet of lines has of a line, `more` columns after that with the name."""
        return f"INDEX({self._column(name, len(self.followed.lines), more)},{line})"

    def _column(self, name: str, size: int, more: int = 0) -> str:
        letter = letters(LINE_HEAD.index(name) + more)
        return f"{quoted(self.lines)}!${letter}$2:${letter}${size + 1}"

    def _values(self, block: int, part: int, size: int) -> str:
        """Texts, their lengths without blanks, or numbers (`part` 0, 1, 2) of a block; block 0 has the marks."""
        letter = letters(3 * block + part)
        return f"{quoted(self.values)}!${letter}$2:${letter}${max(size, 1) + 1}"

    def _is_mark(self, cell: str) -> str:
        marks, lengths = (self._values(0, part, len(MARKS)) for part in (0, 1))
        return f"OR(LEN(TRIM({cell}))=0,SUMPRODUCT({_stripped(marks, lengths, cell)})>0)"


def _stripped(listed: str, lengths: str, cell: str) -> str:
    """Which of the listed texts a cell is, but for blanks around it: it holds that text, and no other sign."""
    return f'ISNUMBER(FIND({listed},{cell}))*({lengths}=LEN(SUBSTITUTE({cell}," ","")))'
