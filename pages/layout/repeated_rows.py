"""The offer to keep one of each row that a table has several times."""

from __future__ import annotations

import math

import streamlit as st

import explorer as ex
from explorer.data.codes.repeats import repeated_rows
from explorer.data.suggestions.extra_rows import CASES
from explorer.messages import message, plural
from pages.results import trees
from pages.results.cache import kept
from pages.settings import session
from pages.settings.settings import Settings


def offer(settings: Settings) -> None:
    """How many rows of the reader's own table repeat earlier ones, and the button; nothing where none does."""
    if settings.connected or not settings.upload or any(repair.kind == CASES.name for repair in settings.repairs):
        return
    data = trees.data(settings)
    n = _whole_rows(f"{trees.source(settings).key} {data.fingerprint}", data)
    if n:
        with st.container(key="repeated_rows", horizontal=True, vertical_alignment="center"):
            st.markdown(f":material/content_copy: {_text(n, data.n_rows)}", width="content")
            button()


def button() -> None:
    """The button alone."""
    help_text = message("Equal rows on both sides of a random split make scores too good.")
    st.button(message("Keep one of each"), key="repeated_rows.keep", on_click=_keep_one, help=help_text)


@kept()
def _whole_rows(key: str, _data: ex.Dataset) -> int:
    """How many rows equal an earlier one in every column of the table: an unused id or date tells cases apart.

    None where there are fewer combinations of categories than rows: cases are alike then.
    """
    columns = (_data.target, *_data.features)
    are_categories = all(feature.kind == "categorical" for feature in columns)
    if are_categories and math.prod(feature.n_values for feature in columns) < _data.n_rows:
        return 0
    return int(_data.frame.duplicated().sum()) if repeated_rows(_data.codes, _data.y) else 0


def _text(n: int, n_rows: int) -> str:
    return plural(
        n,
        "{n:,} of {rows:,} rows repeats an earlier row. Is it the same case, entered twice?",
        "{n:,} of {rows:,} rows repeat earlier rows. Are they the same cases, entered twice?",
        rows=n_rows,
    )


def _keep_one() -> None:
    """Keep the first of the rows that are equal in all that a tree reads: features, target and weight."""
    settings = session.read()
    data = trees.data(settings)
    columns = [*(feature.name for feature in data.features), data.target.name, *filter(None, [settings.weight])]
    repair = ex.Repair("one_of_each", "", {"columns": tuple(columns)})
    if session.attempt(trees.check, repairs=(*settings.repairs, repair)) and session.has_seen_tree():
        session.notify("info", message("The tree is grown again on the table as it is now."))
