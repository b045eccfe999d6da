"""The offer to keep one of each row that a table has several times."""

from __future__ import annotations

import streamlit as st

import explorer as ex
from explorer.messages import message, paragraph, plural
from pages.results import evaluation, trees
from pages.settings import session
from pages.settings.settings import Settings


def offer(settings: Settings) -> None:
    """How many rows of the reader's own table repeat earlier ones, and the button where they may be entered twice."""
    n, is_chance = evaluation.repeated_rows(settings) if settings.upload else (0, True)
    if n:
        sentences = [_text(n, trees.data(settings).n_rows)]
        if not is_chance:
            sentences.append(message("Were cases entered twice?"))
        with st.container(key="repeated_rows", horizontal=True, vertical_alignment="center"):
            st.markdown(f":material/content_copy: {paragraph(sentences)}", width="content")
            if not is_chance:
                button()


def button() -> None:
    """The button alone."""
    help_text = message("Equal rows on both sides of a random split make scores too good.")
    st.button(message("Keep one of each"), key="repeated_rows.keep", on_click=_keep_one, help=help_text)


def _text(n: int, n_rows: int) -> str:
    return plural(
        n,
        "{n:,} of {rows:,} rows repeats an earlier row in every column.",
        "{n:,} of {rows:,} rows repeat an earlier row in every column.",
        rows=n_rows,
    )


def _keep_one() -> None:
    """Keep the first of the rows that are equal in every column."""
    settings = session.read()
    columns = tuple(map(str, trees.source(settings).table.frame.columns))
    repair = ex.Repair("one_of_each", "", {"columns": columns})
    if session.attempt(trees.check, repairs=(*settings.repairs, repair)) and session.has_seen_tree():
        session.notify("info", message("The tree is grown again on the table as it is now."))
