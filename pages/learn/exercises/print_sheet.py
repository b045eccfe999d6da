"""The sheet to print: how many exercises, with or without solutions, as a file."""

from __future__ import annotations

import streamlit as st

import explorer as ex
from explorer.explaining.exercises import EXERCISE_KINDS
from explorer.export.exercise_sheet import MOST_EXERCISES, exercise_sheet
from explorer.messages import in_this_language, message
from pages.learn.exercises.options import Options


def show(data: ex.Dataset, chosen: Options) -> None:
    """A sheet of this table and seed, made on download."""
    with st.expander(message("Sheet to print"), icon=":material/print:"):
        st.caption(
            message(
                "For A4: this table and an exercise fit one page, solutions have pages of their own. The same table "
                "and seed give the same sheet."
            )
        )
        names = [name for name, kind in EXERCISE_KINDS.items() if kind.suits(data)]
        kinds = st.multiselect(
            message("Kinds of exercises"),
            names,
            default=[chosen.kind.name],
            format_func=lambda name: EXERCISE_KINDS[name].label,
            key=f"learn.sheet.kinds.{chosen.kind.name}.{chosen.table}",
        )
        with st.container(horizontal=True, vertical_alignment="bottom"):
            n = st.number_input(message("Exercises"), 1, MOST_EXERCISES, 1, key="learn.sheet.n", width=130)
            solved = st.toggle(message("With solutions"), value=True, key="learn.sheet.solutions")
            st.download_button(
                message("Download sheet"),
                in_this_language(lambda: exercise_sheet(data, chosen.seed, int(n), kinds or None, solved)),
                file_name=f"exercises_{chosen.table}_{chosen.seed}.html",
                mime="text/html",
                on_click="ignore",
                key="learn.sheet.download",
                icon=":material/download:",
            )
