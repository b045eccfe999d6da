"""The blank table: a line of cells a branch or total, each checked when it is typed, with hints on wish."""

from __future__ import annotations

from collections.abc import Iterator

import streamlit as st

from explorer.explaining.exercises import Cell, Exercise, Line
from explorer.messages import message, plural
from pages.learn.exercises import answers
from pages.learn.exercises.options import choose
from pages.text import escape_markdown
from pages.widgets.controls import feed, feed_typed

_LABEL, _COUNT, _NUMBER, _HINT = 2.4, 0.7, 1.3, 0.6
"""Widths of the columns: labels, counts, numbers to fill in, and the button for a hint."""
_RIGHT = ":green[✓]"
_MARKS = {"rounded": ":orange[≈]", "slip": ":red[✗]", "wrong": ":red[✗]", "unreadable": ":red[?]"}


def show(name: str, made: Exercise, with_counts: bool) -> None:
    """All lines of an exercise with this name, its facts, and how far the reader is."""
    _progress(name, made, with_counts)
    for fact in made.facts:
        st.caption(escape_markdown(fact))
    widths = _widths(made)
    with st.container(key="exercise_table"):
        for place, head in zip(st.columns(widths, vertical_alignment="bottom"), ("", *made.columns, ""), strict=True):
            place.caption(escape_markdown(head))
        for number, line in enumerate(made.lines):
            _line(name, line, number, widths, with_counts)
    if made.legend:
        with st.expander(message("What the symbols mean")):
            st.caption(
                "  \n".join(f"**{escape_markdown(sign)}**  {escape_markdown(says)}" for sign, says in made.legend)
            )


def _widths(made: Exercise) -> list[float]:
    """A narrow column where all cells are counts."""
    n_columns = len(made.columns)
    wide = {
        column
        for line in made.lines
        for column, cell in enumerate(line.cells)
        if isinstance(cell, str) or (isinstance(cell, Cell) and not cell.is_count)
    }
    return [_LABEL, *(_NUMBER if column in wide else _COUNT for column in range(n_columns)), _HINT]


def _line(name: str, line: Line, number: int, widths: list[float], with_counts: bool) -> None:
    """The label, the cells, the hint of the line, and below it the room for what the verdicts say."""
    label, *places, hint = st.columns(widths, vertical_alignment="center")
    label.markdown(escape_markdown(line.label))
    asked = list[Cell]()
    for place, cell in zip(places, line.cells, strict=True):
        if isinstance(cell, Cell) and (with_counts or not cell.is_count):
            asked.append(cell)
            with place:
                _input(name, cell)
        elif cell is not None:
            place.markdown(escape_markdown(cell if isinstance(cell, str) else f"{cell.value:g}"))
    if asked:
        with hint:
            _hints(name, number, asked)
        st.caption("  \n".join(_verdicts(name, asked)) or "&nbsp;")


def _input(name: str, cell: Cell) -> None:
    """The field of a cell, with its mark beside what was typed."""
    place = name, cell.name
    key = feed_typed(f"learn.cell.{name}.{cell.name}", answers.typed(place))
    st.text_input(
        f"{cell.symbol} {cell.says}".strip(),
        key=key,
        placeholder=cell.symbol or "n",
        label_visibility="collapsed",
        max_chars=40,
        on_change=answers.keep_typed,
        args=(place, key),
    )


def _verdicts(name: str, asked: list[Cell]) -> Iterator[str]:
    """Which of several cells are right, and a sentence for each that is not."""
    if len(asked) > 1:
        right = [cell for cell in asked if _is_right(name, cell)]
        if right:
            yield " · ".join(f"{_RIGHT} {escape_markdown(cell.symbol or cell.says)}" for cell in right)
    for cell in asked:
        found = answers.verdict((name, cell.name), cell)
        if found.verdict in _MARKS:
            subject = escape_markdown(cell.symbol or cell.says)
            said = message("{name}: {value}", name=subject, value=escape_markdown(found.text))
            yield f"{_MARKS[found.verdict]} {said}"


def _is_right(name: str, cell: Cell) -> bool:
    return answers.verdict((name, cell.name), cell).verdict == "right"


def _hints(name: str, number: int, asked: list[Cell]) -> None:
    """A button that opens the hints of all cells of the line; a tick once they are right."""
    is_done = all(_is_right(name, cell) for cell in asked)
    folded = st.popover(
        "",
        icon=":material/check:" if is_done else ":material/lightbulb:",
        type="tertiary",
        help=message("Hint"),
        key=f"learn.hint.{number}",
        on_change="rerun",
    )
    if folded.open:
        with folded:
            for cell in asked:
                _hint(name, cell)


def _hint(name: str, cell: Cell) -> None:
    """First the formula, then the formula with its numbers, last the value."""
    place = name, cell.name
    st.markdown(f"**{escape_markdown(cell.says)}**")
    if cell.rule:
        st.markdown(escape_markdown(cell.rule))
    if cell.worked and answers.hint_level(place) >= answers.RULE:
        st.markdown(escape_markdown(cell.worked))
    elif cell.worked:
        key = f"learn.worked.{name}.{cell.name}"
        st.button(message("With the numbers"), key=key, on_click=answers.ask_hint, args=(place,))
    key = f"learn.show.{name}.{cell.name}"
    st.button(message("Show this cell"), key=key, on_click=answers.show_cell, args=(place, cell))


def _progress(name: str, made: Exercise, with_counts: bool) -> None:
    """How many cells are right, and a button that empties them."""
    asked = made.asked(with_counts)
    right = sum(answers.verdict((name, cell.name), cell).verdict == "right" for cell in asked)
    shown = sum(answers.was_shown((name, cell.name)) for cell in asked)
    with st.container(horizontal=True, vertical_alignment="center"):
        text = plural(right, "{n} of {all} cells is right.", "{n} of {all} cells are right.", all=len(asked))
        if shown:
            text += " " + plural(shown, "{n} was shown.", "{n} were shown.")
        if any(cell.is_count for cell in made.cells()):
            st.toggle(
                message("Count rows too"),
                key=feed("learn.exercise.counts", with_counts),
                on_change=lambda: choose("counts", "asked" if st.session_state["learn.exercise.counts"] else "given"),
            )
        st.progress(right / len(asked), text=text)
        st.button(
            message("Empty all"),
            key="learn.exercise.clear",
            on_click=answers.clear,
            args=(name,),
            disabled=not right and not shown,
        )
    if right == len(asked):
        st.success(message("All cells are right. Try another exercise."))
