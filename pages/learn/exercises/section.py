"""The section: which exercise, its rows, the blank table beside them, and the sheet to print."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from explorer.data.samples import SAMPLES
from explorer.explaining.exercises import EXERCISE_KINDS, Exercise, exercise
from explorer.formatting import value_text, visible
from explorer.messages import message
from pages.layout import shell
from pages.learn.exercises import blank_table, print_sheet
from pages.learn.exercises.options import RANDOM, Options, choose, data_for, options, samples_for
from pages.settings import session, url
from pages.settings.learn_settings import OWN
from pages.settings.settings import Settings
from pages.text import escape_markdown
from pages.widgets import page_frame
from pages.widgets.controls import feed

_TABLE_WIDTH, _SHEET_WIDTH = 0.42, 0.58


def show(settings: Settings) -> None:
    """The exercises; a typed cell runs only this again."""
    with shell.scrolling_page():
        _show()


@st.fragment
def _show() -> None:
    settings = session.read()
    url.write()
    chosen = options(settings)
    st.markdown(message("### Compute it yourself"))
    _choices(chosen)
    with page_frame.errors_shown():
        data = data_for(settings, chosen)
        made = exercise(chosen.kind.name, data, chosen.seed)
        name = f"{chosen.kind.name}.{chosen.table}.{chosen.seed}.{data.fingerprint}"
        st.markdown(f"**{escape_markdown(made.task)}**")
        rows, sheet = st.columns([_TABLE_WIDTH, _SHEET_WIDTH], gap="small")
        with rows:
            _rows(made)
        with sheet:
            blank_table.show(name, made, chosen.with_counts)
        print_sheet.show(data, chosen)


def _choices(chosen: Options) -> None:
    """Kind, table and seed, and another exercise."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="exercise_choices"):
        _pick(
            message("Exercise"),
            "kind",
            {name: kind.label for name, kind in EXERCISE_KINDS.items()},
            chosen.kind.name,
        )
        titles = {key: SAMPLES[key].title for key in samples_for(chosen.kind.name)}
        tables = {**titles, RANDOM: message("Made by seed"), OWN: message("My table, node selected on Grow")}
        _pick(message("Table"), "table", tables, chosen.table)
        st.number_input(
            message("Seed"),
            min_value=0,
            max_value=999_999,
            step=1,
            key=feed("learn.exercise.seed", chosen.seed),
            on_change=lambda: choose("seed", str(st.session_state["learn.exercise.seed"])),
            help=message("The same seed gives the same exercise, on screen and on the printed sheet."),
            width=130,
        )
        st.button(
            message("Another exercise"),
            key="learn.exercise.another",
            type="primary",
            icon=":material/casino:",
            on_click=choose,
            args=("seed", str(chosen.seed + 1)),
        )


def _pick(label: str, name: str, words: dict[str, str], value: str) -> None:
    key = f"learn.exercise.{name}"
    st.selectbox(
        label,
        list(words),
        key=feed(key, value),
        format_func=lambda option: words[option],
        on_change=lambda: choose(name, st.session_state[key]),
        width=290,
    )


def _rows(made: Exercise) -> None:
    """The rows of the node, every cell as text."""
    columns = {
        escape_markdown(visible(str(name))): [escape_markdown(visible(value_text(cell))) for cell in made.rows[name]]
        for name in made.rows.columns
    }
    frame = pd.DataFrame(columns)
    frame.index = pd.RangeIndex(1, len(frame) + 1)
    with st.container(key="exercise_rows"):
        st.table(frame, border="horizontal")
