"""The palette of the tree, and its downloads."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import streamlit as st

import explorer as ex
from explorer.drawing.palette import PALETTES
from explorer.drawing.svg.svg import in_theme
from pages.results.provenance import Slider
from pages.results.rules import query, rules_csv
from pages.settings.settings import Settings
from pages.widgets import page_frame
from pages.widgets.controls import feed, keep_value

_KINDS = {
    "csv": "text/csv",
    "dot": "text/vnd.graphviz",
    "html": "text/html",
    "json": "application/json",
    "md": "text/markdown",
    "py": "text/x-python",
    "sql": "application/sql",
    "svg": "image/svg+xml",
    "txt": "text/plain",
}
"""Media types by the end of a file's name."""


@dataclass(frozen=True)
class File:
    """A file to download: its button, its name, what it is good for, and how it is made on download."""

    label: str
    name: str
    good_for: str
    make: Callable[[], str]


def palette(settings: Settings) -> None:
    """The colours of the classes."""
    st.selectbox(
        "Colours",
        list(PALETTES),
        key=feed("palette", settings.palette),
        format_func=lambda name: PALETTES[name](),
        on_change=keep_value,
        args=("palette", "palette"),
        help="Every class has a shape and its name beside its colour, whatever the palette.",
        width=220,
    )


def downloads(
    settings: Settings, provenance: Callable[[], ex.Provenance], slider: Callable[[], Slider] | None = None
) -> None:
    """The tree in other forms and its report, once the menu is open; each file is made on download.

    With a `slider` the web page carries it.
    """
    with st.popover("Download", icon=":material/download:", key="download", on_change="rerun") as opened:
        if not opened.open:
            return
        groups = _files(provenance(), settings.palette, slider() if slider else None)
        for tab, (group, files) in zip(st.tabs(list(groups)), groups.items(), strict=True):
            with tab.container(gap="small"):
                for file in files:
                    _offer(file)
                if group == "Picture":
                    st.caption("PNG: the picture button above the tree saves what is seen.")


def _offer(file: File) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.download_button(
            file.label,
            file.make,
            file_name=file.name,
            mime=_KINDS[file.name.rpartition(".")[2]],
            key=f"download.{file.name}",
            on_click="ignore",
            width=120,
        )
        st.caption(file.good_for, width=330)


def _files(made: ex.Provenance, colours: str, slider: Slider | None = None) -> dict[str, list[File]]:
    """All files by what they are for."""
    tree = made.tree
    report = partial(ex.to_report, made, palette=colours)
    listing = File("Counts", "counts.txt", "Mitchell’s listing, [9+,5-] at every node.", partial(ex.to_listing, tree))
    return {
        "Report": [
            File("Report", "report.html", "Data, settings, scores and tree, to read.", partial(report, "html")),
            File("Markdown", "report.md", "The same, to go on writing.", partial(report, "markdown")),
            File("Script", "again.py", "Grows this very tree again in Python.", partial(ex.to_script, made)),
        ],
        "Picture": [
            File(
                "SVG", "tree.svg", "For print and slides.", partial(in_theme, tree, colours, page_frame.colours().name)
            ),
            _web_page(tree, colours, slider),
            File("DOT", "tree.dot", "For Graphviz and its tools.", partial(ex.to_dot, tree)),
        ],
        "Text": [
            File("Text", "tree.txt", "One line for every node.", partial(ex.to_text, tree)),
            *([listing] if len(tree.classes) == 2 else []),
            File("Rules", "rules.txt", "One sentence for every answer.", partial(_rules, tree)),
            File("Rules, CSV", "rules.csv", "The rules as a table.", partial(_rules_table, tree)),
        ],
        "Code": [
            File("Python", "tree.py", "A function that needs nothing else.", partial(ex.to_python, tree)),
            File("SQL", "tree.sql", "A query that answers the rows of a table.", partial(query, tree)),
            File("JSON", "tree.json", "Every number of the tree, for programs.", partial(_json, tree)),
        ],
    }


def _web_page(tree: ex.Tree, colours: str, slider: Slider | None) -> File:
    if slider is None:
        return File("Web page", "tree.html", "To explore, also offline.", partial(ex.to_html, tree, None, colours))
    return File("Web page", "tree.html", "To explore with its slider, also offline.", partial(slider.page, colours))


def _rules(tree: ex.Tree) -> str:
    return ex.rules(tree).to_text()


def _rules_table(tree: ex.Tree) -> str:
    return rules_csv(ex.rules(tree))


def _json(tree: ex.Tree) -> str:
    return json.dumps(tree.to_dict(), ensure_ascii=False, allow_nan=False)
