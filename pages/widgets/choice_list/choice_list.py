"""The table: its columns, and which line the reader chooses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from explorer.drawing.joined_modules import component_file

_HERE = Path(__file__).parent


@dataclass(frozen=True)
class Column:
    """A column: its heading, its cells, and what the heading means.

    The one that `names` a line has the room that all others leave; a screen reader chooses the line by it. An amount
    stands at the right, and the lines may be sorted by it. A cell with a remark, which is "" for the others, is marked
    and says it on hover. Cells of the column that names lines end a line only where "\\n" stands, as far as there is
    room; those of amounts end one at each.
    """

    text: str
    cells: Sequence[str]
    help: str = ""
    names: bool = False
    is_amount: bool = False
    is_order: bool = False
    remarks: Sequence[str] = ()


def show(
    key: str,
    columns: Sequence[Column],
    chosen: int | None,
    on_line: Callable[[int | None], None],
    pale: Sequence[int] = (),
) -> None:
    """Mount the table; `on_line` receives the position of another line, None where the chosen one is left.

    Lines at the positions `pale` have letters that stand back.
    """
    head = [
        {
            "text": column.text,
            "help": column.help,
            "names": column.names,
            "isAmount": column.is_amount,
            "isOrder": column.is_order,
            "remarks": list(column.remarks),
        }
        for column in columns
    ]
    lines = list(zip(*(column.cells for column in columns), strict=True))
    mount = st.components.v2.component(
        "choice_list", js=component_file(_HERE / "view.js"), css=component_file(_HERE / "view.css")
    )
    mount(
        data={"head": head, "lines": lines, "chosen": -1 if chosen is None else chosen, "pale": list(pale)},
        key=key,
        on_line_change=lambda: on_line(_line_chosen(key, len(lines))),
    )


def _line_chosen(key: str, n_lines: int) -> int | None:
    line = st.session_state[key].get("line")
    return line if isinstance(line, int) and 0 <= line < n_lines else None
