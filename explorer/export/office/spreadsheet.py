"""An Excel workbook whose formulas predict: a row typed in, and a table pasted, along the lines of the tree."""

from __future__ import annotations

import io
from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

from explorer.errors import InputError
from explorer.explaining.rules import rules
from explorer.export.office.cell_formulas import (
    LINE_HEAD,
    MARKS,
    Formula,
    Formulas,
    can_be_cell,
    exact,
    letters,
    quoted,
)
from explorer.export.office.followed_lines import FollowedLines, ReadColumn, followed_lines
from explorer.export.office.workbook import PER_CENT, SHARES_OF_RULES, lines_of, sheet_of, write_sheet
from explorer.messages import message
from explorer.tree.tree import Tree

MOST_ROWS, LEAST_ROWS, MOST_FORMULAS = 1_000, 100, 60_000
"""Rows of a pasted table that are predicted; fewer, down to the second, where that takes more formulas."""
MOST_LINES = 50_000
"""Nodes and values of tests that a workbook can follow."""
_LAST_COLUMN = "IV"
"""The last column of a pasted table that is read."""
_DATE = "yyyy-mm-dd"


def to_spreadsheet(tree: Tree) -> bytes:
    """The tree as an Excel workbook that predicts by formulas, without macros: one row, and rows of a pasted table.

    Missing cells and unseen categories take the branches that the tree has for them, surrogate splits included. A row
    that would follow several branches is said to, and not predicted. Formulas hold no text of the table; the first
    lines say what a workbook compares otherwise. Raises InputError for a tree of too many nodes and values.

    >>> from explorer import CART, Dataset, grow, load_sample
    >>> to_spreadsheet(grow(Dataset.from_frame(load_sample("iris").frame, "class"), CART))[:2]
    b'PK'
    """
    from openpyxl import Workbook  # takes time to load

    if why := spreadsheet_refusal(tree):
        raise InputError(why)
    followed = followed_lines(tree)
    formulas = Formulas(followed, message("Lines"), message("Values"))
    book = Workbook(write_only=True)
    book.calculation.fullCalcOnLoad = True
    _write_one_row(book, formulas)
    write_sheet(book, message("Table"), [exact(column.encoding.name) for column in followed.columns], [])
    _write_predictions(book, formulas)
    frame = rules(tree).to_frame()
    write_sheet(book, message("Rules"), frame.columns.tolist(), lines_of(frame), SHARES_OF_RULES)
    shares = [f"P({name})" for name in tree.classes]
    write_sheet(book, formulas.lines, [*LINE_HEAD, *shares], _lines(followed))
    head = ["missing", "letters", ""]
    for column in followed.columns:
        head += [column.encoding.name, "letters", "number"]
    write_sheet(book, formulas.values, head, _values(followed))
    made = io.BytesIO()
    book.save(made)
    return made.getvalue()


def spreadsheet_refusal(tree: Tree) -> str:
    """Why the tree cannot be a workbook with formulas; "" where it can."""
    size = tree.n_nodes + sum(len(each.labels) for each in tree.features) + len(tree.cat_code)
    if size <= MOST_LINES:
        return ""
    return message(
        "The tree has {n:,} nodes and values of tests, more than the {most:,} that a workbook follows: prune it, or "
        "take Python, JavaScript or C.",
        n=size,
        most=MOST_LINES,
    )


def _lines(followed: FollowedLines) -> Iterator[list[Any]]:
    """The lines with places from 1 on; beside them the lines after each value of the tests on values."""
    tree = followed.tree
    answers = tree.values if tree.is_regression else [exact(tree.classes[code]) for code in tree.labels]
    width = 1 + len(tree.classes)
    blank = [None] * (len(LINE_HEAD) - 1 + width)
    for line, branch in zip_longest(followed.lines, followed.branches):
        after = None if branch is None else branch + 1
        if line is None:
            yield [*blank[:7], after, *blank[8:]]
            continue
        goes_on = [line.column + 1, line.threshold, line.low + 1, line.high + 1, line.missing + 1, line.unseen + 1]
        answer: list[Any] = [line.words, *[None] * (width - 1)]
        if line.node >= 0:
            answer = [answers[line.node], *(() if tree.is_regression else tree.probabilities[line.node])]
        yield [*goes_on, line.offset, after, line.node if line.node >= 0 else None, line.words, *answer]


def _labels(column: ReadColumn) -> dict[int, tuple[str | None, float | None]]:
    """Text and number of each value that a cell can hold, by place."""
    return {at: (text, number) for at, text, number in column.labels() if text is None or can_be_cell(text)}


def _values(followed: FollowedLines) -> Iterator[list[Any]]:
    """Marks of missing cells, and of each column its values or the upper ends of its bins; with their lengths."""
    blocks: list[dict[int, tuple[str | None, float | None]]] = [{at: (text, None) for at, text in enumerate(MARKS, 1)}]
    for column in followed.columns:
        listed = _labels(column) if column.is_listed else {}
        blocks.append(listed or {at: (None, edge) for at, edge in enumerate(column.edges, 1)})
    for at in range(1, max(max(block, default=0) for block in blocks) + 1):
        line: list[Any] = []
        for number, block in enumerate(blocks):
            text, value = block.get(at, (None, None))
            cell = f"{letters(3 * number)}{at + 1}"
            length = None if text is None else Formula(f'=LEN(SUBSTITUTE({cell}," ",""))')
            line += [exact(text), length, value]
        yield line


def _notes(followed: FollowedLines) -> list[str]:
    notes = [
        message("Type a row beside the names of its columns. Formulas follow the tree; there are no macros."),
        message(
            "Many rows: paste a table with its heading into the sheet {table}, up to {n:,} rows and column {last}.",
            table=message("Table"),
            n=_rows(followed),
            last=_LAST_COLUMN,
        ),
        message(
            "A blank cell, or a mark such as NA, is missing. #N/A: a column is not there, or has text in place of a "
            "number. Workbooks compare numbers by 14 or 15 digits."
        ),
    ]
    if any(column.first_day for column in followed.columns):
        notes.append(message("Columns of dates take dates, from March 1900 on."))
    if followed.tree.decision is not None:
        notes.append(followed.tree.decision.sentence)
    last = len(followed.lines) - 1
    if any(last in followed.after(at) for at in range(last)):
        notes.append(
            message(
                "Rows with a missing or unseen cell that follow several branches are not predicted: the workbook says "
                "so. Python, JavaScript and C predict them."
            )
        )
    return notes


def _rows(followed: FollowedLines) -> int:
    each = len(followed.columns) + followed.steps + 2 + len(followed.tree.classes)
    return max(min(MOST_ROWS, MOST_FORMULAS // each), LEAST_ROWS)


def _write_one_row(book: Any, formulas: Formulas) -> None:
    """Notes, a line for each column, the prediction, the probabilities, and the decision path."""
    followed, notes = formulas.followed, _notes(formulas.followed)
    tree, n_columns = followed.tree, max(len(followed.columns), 1)
    sheet = sheet_of(book, message("One row"), (34, 34, 34, 12))
    for note in notes:
        sheet.line([note])
    sheet.line([])
    words = message("missing"), message("unseen")
    sheet.line(
        [message("column"), message("type here"), message("read as"), message("code"), None, *words], is_bold=True
    )
    top = len(notes) + 3
    missing, unseen = f"$F${top - 1}", f"$G${top - 1}"
    readings, path = f"$D${top}:$D${top + n_columns - 1}", top + n_columns + len(tree.classes) + 4
    for position, column in enumerate(followed.columns):
        cell, reading = f"$B${top + position}", f"$D${top + position}"
        said = Formula("=" + formulas.reading_words(position, reading, missing, unseen))
        shown = (
            ["", _DATE, _DATE]
            if column.first_day
            else ["", "@" if set(map(type, column.encoding.labels)) == {str} else ""]
        )
        sheet.line([exact(column.encoding.name), None, said, Formula("=" + formulas.reading(position, cell))], shown)
    if not followed.columns:
        sheet.line([])
    end = f"$D${path + followed.steps}"
    sheet.line([])
    sheet.line([message("prediction"), Formula("=" + formulas.of_line("prediction", end))], is_bold=True)
    for code, name in enumerate(tree.classes, 1):
        sheet.line([f"P({name})", Formula("=" + formulas.of_line("prediction", end, code))], ["", PER_CENT])
    sheet.line([])
    sheet.line([message("decision path"), message("node"), None, message("line")], is_bold=True)
    for step in range(followed.steps + 1):
        at, before = f"$D${path + step}", f"$D${path + step - 1}"
        line = formulas.next_line(before, readings) if step else "1"
        shown = [f"{formulas.of_line(name, at)}" for name in ("way", "node")]
        if step:
            shown = [f'IF({at}={before},"",{one})' for one in shown]
        sheet.line([*(Formula(f"={one}") for one in shown), None, Formula(f"={line}")])


def _write_predictions(book: Any, formulas: Formulas) -> None:
    """A line for each row of the pasted table: its number, the prediction, probabilities, node, readings and lines."""
    followed = formulas.followed
    n_classes, n_columns, n_rows = len(followed.tree.classes), len(followed.columns), _rows(followed)
    table, first, steps = quoted(message("Table")), 4 + n_classes, 4 + n_classes + n_columns
    sheet = sheet_of(book, message("Predictions"), (8, 20, *[14] * n_classes, 8))
    head: list[Any] = [message("row"), message("prediction"), *(f"P({name})" for name in followed.tree.classes)]
    head += [message("node"), *(exact(column.encoding.name) for column in followed.columns)]
    sheet.line([*head, *(message("line {n}", n=step + 1) for step in range(followed.steps + 1))], is_bold=True)
    filled = f'({table}!$A$2:${_LAST_COLUMN}${n_rows + 1}<>"")*(ROW({table}!$A$2:$A${n_rows + 1})-1)'
    places: list[Any] = [
        Formula(f"=SUMPRODUCT(MAX({filled}))"),
        message("rows in the table"),
        *[None] * (n_classes + 1),
    ]
    heading = f"{table}!$A$1:${_LAST_COLUMN}$1"
    for position in range(n_columns):
        same = f"EXACT({heading},{letters(first - 1 + position)}$1)*COLUMN({heading})"
        places.append(Formula(f"=SUMPRODUCT(MAX({same}))"))
    sheet.line([*places, *[None] * (followed.steps + 1)])
    for row in range(1, n_rows + 1):
        at = row + 2
        sheet.line(list(_predicted(formulas, table, row, at, first - 1, steps - 1)), ["", "", *[PER_CENT] * n_classes])


def _predicted(formulas: Formulas, table: str, row: int, at: int, first: int, steps: int) -> Iterator[Any]:
    """The cells of a row; blank below the last row of the table."""
    followed = formulas.followed
    end = f"${letters(steps + followed.steps)}{at}"
    yield row
    answers = [formulas.of_line("prediction", end, more) for more in range(1 + len(followed.tree.classes))]
    for one in (*answers, formulas.of_line("node", end)):
        yield Formula(f'=IF($A{at}>$A$2,"",{one})')
    for position in range(len(followed.columns)):
        place = f"{letters(first + position)}$2"
        cell = f"INDEX({table}!$A{row + 1}:${_LAST_COLUMN}{row + 1},{place})"
        yield Formula(f"=IF({place}=0,NA(),{formulas.reading(position, cell)})")
    readings = f"${letters(first)}{at}:${letters(max(steps - 1, first))}{at}"
    for step in range(followed.steps + 1):
        line = formulas.next_line(f"{letters(steps + step - 1)}{at}", readings) if step else "1"
        yield Formula(f"={line}")
