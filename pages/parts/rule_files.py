"""The rules and the tree to take away: text, CSV, Mitchell's listing, Python and SQL."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

import explorer as ex
from explorer.names import visible
from pages.parts.tables import plain_csv


def downloads(found: ex.RuleList) -> None:
    """Files of the list and of the tree, made when they are asked for."""
    tree, is_pruned = found.tree, bool(found.removals)
    files: dict[str, tuple[str, str, Callable[[], str]]] = {
        "Rules as text": ("rules.txt", "text/plain", found.to_text),
        "Rules as a table (CSV)": ("rules.csv", "text/csv", partial(rules_csv, found)),
        "The tree in Python": ("tree.py", "text/x-python", partial(ex.to_python, tree)),
        "The tree in SQL": ("tree.sql", "application/sql", partial(query, tree)),
    }
    if len(tree.classes) == 2:
        files["The tree as Mitchell’s listing"] = ("listing.txt", "text/plain", partial(ex.to_listing, tree))
    with st.popover("Download", icon=":material/download:"):
        for label, (name, kind, make) in files.items():
            st.download_button(label, make, file_name=name, mime=kind, key=f"download.{name}", on_click="ignore")
        if is_pruned:
            st.caption("Python, SQL and the listing hold the tree that these rules were pruned from.")


def rules_csv(found: ex.RuleList) -> str:
    """The table of rules as a file; no cell begins as a formula of a spreadsheet does."""
    frame = found.to_frame().map(lambda cell: visible(cell) if isinstance(cell, str) else cell)
    return plain_csv(frame.rename(columns=lambda name: visible(str(name))))


def query(tree: ex.Tree) -> str:
    """The query, or why there is none: names may hold what SQL cannot."""
    try:
        return ex.to_sql(tree)
    except ex.InputError as error:
        return f"-- There is no query for this tree. {visible(str(error))}\n"
