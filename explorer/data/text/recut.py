"""Texts whose columns stand between blanks or are of fixed width: found, and read as if tabs stood between them."""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TextIO

from explorer.data.text.lead import is_number
from explorer.errors import InputError
from explorer.messages import message

TAB = "\t"
_TOKEN = re.compile(r'"(?:[^"\\]|\\.|"")*+"(?=\s|\Z)|\S+')
_ENDS = "\r\n"
_FEW, _ENOUGH = 3, 0.5
_LEADING = _TRAILING = 3
"""So many lines above and below the table may be no rows."""
_COMMENTS = ("#", "%")


@dataclass(frozen=True)
class Recut:
    """How lines are cut: after so many signs each, or at blanks where there are no `cuts`.

    Where the cuts `are_guessed`, no cell may go across one: `InputError` names the line that has such a cell.
    """

    name: str
    cuts: tuple[int, ...] = ()
    are_guessed: bool = True

    def cells(self, line: str, number: int) -> list[str]:
        """The cells of a line.

        >>> Recut("t").cells('1.5 "a b"  c', 1), Recut("t", (3,), False).cells("1.5a b", 1)
        (['1.5', 'a b', 'c'], ['1.5', 'a b'])
        """
        if not self.cuts:
            return [_unquoted(token) for token in _TOKEN.findall(line)]
        if self.are_guessed:
            for cut in self.cuts:
                if cut < len(line) and not line[cut].isspace() and not line[cut - 1].isspace():
                    raise InputError(
                        message(
                            "Line {line} of '{file}' has a cell that goes on behind sign {cut}, where a column of "
                            "fixed width seemed to end: correct the line, or set the cuts by hand.",
                            line=number,
                            file=self.name,
                            cut=cut,
                        )
                    )
        return [line[first:end].strip() for first, end in pairwise((0, *self.cuts, max(len(line), self.cuts[-1])))]

    def line(self, written: str, number: int) -> str:
        """A line with tabs between its cells, in quotation marks where they need them; blank ones stay."""
        text = written.rstrip(_ENDS)
        if not text.strip():
            return written
        cells = self.cells(text.lstrip("\ufeff") if number == 1 else text, number)
        return TAB.join(map(_quoted, cells)) + written[len(text) :]


class RecutText(io.TextIOBase):
    """A text whose lines are cut anew."""

    def __init__(self, text: TextIO, recut: Callable[[str, int], str]) -> None:
        self._text, self._recut, self._number, self._rest = text, recut, 0, ""

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
        """Read a line, or what is left of it."""
        if self._rest:
            line, self._rest = self._rest, ""
            return line
        self._number += 1
        return self._recut(self._text.readline(), self._number)

    def read(self, size: int | None = -1, /) -> str:
        """Read so many signs, or all."""
        parts, length = list[str](), 0
        while size is None or size < 0 or length < size:
            line = self.readline()
            if not line:
                break
            parts.append(line)
            length += len(line)
        text = "".join(parts)
        if size is not None and 0 <= size < length:
            text, self._rest = text[:size], text[size:]
        return text

    def close(self) -> None:
        """Close the text beneath too."""
        self._text.close()
        super().close()


def _unquoted(token: str) -> str:
    """A token without its quotation marks, within which R writes a backslash before one."""
    is_quoted = len(token) > 1 and token.startswith('"') and token.endswith('"')
    return token[1:-1].replace('\\"', '"').replace('""', '"') if is_quoted else token


def _quoted(cell: str) -> str:
    if not cell or '"' in cell or TAB in cell:
        return '"' + cell.replace('"', '""') + '"' if cell else ""
    return cell


def guessed(probe: str, complete: bool, name: str) -> Recut | None:
    """How to cut a text without signs between its cells: at blanks, or at fixed widths; None for a single column.

    >>> [guessed(f"x  name\\n1  {city}\\n22 Ulm\\n", True, "t").cuts for city in ("Rome", "New York")]
    [(), (3,)]
    >>> guessed("text\\nhello world\\n", True, "t") is None
    True
    """
    lines = probe.lstrip("\ufeff").splitlines()[: None if complete else -1]
    kept = [line for line in lines if line.strip() and not line.lstrip().startswith(_COMMENTS)]
    return Recut(name) if len(kept) >= _FEW and _are_between_blanks(kept) else _fixed(kept, name)


def marked(lines: Sequence[str], cuts: Sequence[int]) -> str:
    """Lines with a bar at each cut.

    >>> marked(["0101M", "02"], (4,))
    '0101│M\\n02'
    """
    ends = [(0, *(cut for cut in cuts if cut < len(line)), len(line)) for line in lines]
    return "\n".join("│".join(line[a:b] for a, b in pairwise(own)) for line, own in zip(lines, ends, strict=True))


def is_behind_tabs(probe: str, complete: bool) -> bool:
    """Whether numbers between blanks stand left of the only tab of each row, as in UCI's auto-mpg.data.

    Blanks and tabs may stand between the names of as many columns above them.
    """
    lines = [line for line in probe.splitlines()[: None if complete else -1] if line.strip()]
    first = [line.split(TAB)[0].split() for line in lines]
    names = lines[0].split() if lines else []
    if len(lines) > _FEW and not any(map(is_number, names)):
        if len(names) != len(_TOKEN.findall(lines[1])):
            return False
        first = first[1:]
    same = bool(first) and len(first[0]) >= _FEW and {len(cells) for cells in first} == {len(first[0])}
    return same and all(map(is_number, (cell for cells in first for cell in cells))) and _are_between_blanks(lines)


def _are_between_blanks(lines: Sequence[str]) -> bool:
    """Whether each line has as many cells as the others, some column of them is of numbers, and they are no words."""
    rows = [[_unquoted(token) for token in _TOKEN.findall(line)] for line in lines]
    width = Counter(map(len, rows)).most_common(1)[0][0]
    for _ in range(_TRAILING):
        if len(rows) > _FEW and len(rows[-1]) != width:
            rows.pop()
    top = next((i for i, row in enumerate(rows[:_LEADING]) if len(row) in (width - 1, width)), None)
    if top is None or any(len(row) != width for row in rows[top + 1 :]) or len(rows) - top < _FEW or width < 2:
        return False
    below = list(zip(*rows[top + 1 :], strict=True))
    are_numbers = [all(map(is_number, column)) for column in below]
    if width == 2 and any(len(set(column)) == 1 for column in below):
        return False  # a number and its unit
    return any(are_numbers)


def _fixed(lines: Sequence[str], name: str) -> Recut | None:
    """The cuts of columns between which all lines have a blank; None where none of them has numbers."""
    if len(lines) < _FEW or any(TAB in line for line in lines):
        return None
    width = max(map(len, lines))
    is_blank = [all(len(line) <= i or line[i] == " " for line in lines) for i in range(min(width, 1 << 14))]
    begins = [i for i in range(1, len(is_blank)) if is_blank[i - 1] and not is_blank[i]]
    cuts = tuple(i for i in begins if not all(is_blank[:i]))
    if not cuts:
        return None
    recut = Recut(name, _below_names(lines[0], cuts, name))
    if not recut.cuts:
        return None
    header, *rows = (recut.cells(line, 0) for line in lines)
    columns = [[cell for cell in column if cell] for column in zip(*rows, strict=True)]
    are_filled = all(len(column) >= _ENOUGH * len(rows) for column in columns) and all(header)
    return recut if are_filled and any(all(map(is_number, column)) for column in columns) else None


def _below_names(header: str, cuts: tuple[int, ...], name: str) -> tuple[int, ...]:
    """The cuts between columns that have a name: words below one name, each at the same place, are one cell."""
    names = Recut(name, cuts).cells(header, 0)
    named = [i for i, cell in enumerate(names) if cell]
    return tuple(cut for i, cut in enumerate(cuts) if names[i] and named and i < named[-1])


def cuts_from(text: str) -> tuple[int, ...]:
    """The cuts that a reader writes, such as "4, 11"; none where it is empty, `InputError` where it has no numbers.

    >>> cuts_from("4, 11 20")
    (4, 11, 20)
    """
    parts = re.split(r"[\s,;]+", text.strip())
    if not all(part.isascii() and part.isdigit() and len(part) < 6 for part in parts if part):
        raise InputError(message("The cuts are {text!r}: write numbers of signs, such as 4, 11.", text=text[:60]))
    return tuple(int(part) for part in parts if part)
