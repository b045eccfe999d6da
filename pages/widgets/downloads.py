"""The tree as files to download: report, pictures, text and code."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby

import streamlit as st

import explorer as ex
from explorer.drawing.svg.svg import drawable_depth, in_theme
from explorer.drawing.tree_view.stability_layer import Layer
from explorer.export.needed import missing_for
from explorer.export.office.spreadsheet import spreadsheet_refusal
from explorer.export.onnx_model import onnx_refusal
from explorer.export.plain_csv import rules_csv
from explorer.export.pmml import pmml_refusal
from explorer.export.sql import dates_of
from explorer.export.sql_dialects import DIALECTS
from explorer.messages import in_this_language, message
from pages.results import class_colours
from pages.results.provenance import Slider
from pages.results.resampled import stability as resampled
from pages.results.rules import query
from pages.settings.settings import Settings, how_read
from pages.text import escape_markdown
from pages.widgets import page_frame

_KINDS = {
    "csv": "text/csv",
    "h": "text/x-c",
    "js": "text/javascript",
    "dot": "text/vnd.graphviz",
    "html": "text/html",
    "json": "application/json",
    "md": "text/markdown",
    "onnx": "application/octet-stream",
    "pdf": "application/pdf",
    "pmml": "application/xml",
    "png": "image/png",
    "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "py": "text/x-python",
    "sql": "application/sql",
    "svg": "image/svg+xml",
    "txt": "text/plain",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
"""Media types by the end of a file's name."""


@dataclass(frozen=True)
class File:
    """A file to download: its button, its name, what it is for, and how it is made on download.

    Files for the same share a line. `refusal` says why this tree has no such file, in place of the purpose.
    """

    label: str
    name: str
    purpose: str
    make: Callable[[], str | bytes]
    refusal: str = ""


Files = dict[str, list[File]]
"""Files by what they are for."""


def downloads(
    settings: Settings, provenance: Callable[[], ex.Provenance], slider: Callable[[], Slider] | None = None
) -> None:
    """The tree in other forms and its report, made on download; with a `slider` the web page carries it."""
    if settings.connected:
        of_slider = slider() if slider else None
        offer(_files_of_tree(provenance().tree, class_colours.palette(settings), of_slider, settings=settings))
        st.caption(message("Report and script need all rows in memory: there are none of a connected table."))
        return
    made = provenance()
    layer = None if slider else resampled.layer_over(settings, made.tree)
    offer(_files(made, class_colours.palette(settings), slider() if slider else None, layer, settings))


def of_tree(tree: ex.Tree, colours: str) -> None:
    """A tree whose rows are not known, in the forms that do not need them."""
    offer(_files_of_tree(tree, colours))


def offer(groups: Files) -> None:
    """A button for every file, by what they are for."""
    with st.container(key="downloads"):
        for group, files in groups.items():
            st.markdown(f"**{group}**")
            for purpose, sharing in groupby(files, key=lambda file: file.purpose):
                _offer(purpose, list(sharing))


def _offer(purpose: str, files: list[File]) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        for file in files:
            command = missing_for(_form(file))
            needs = message("Needs more packages: {command}", command=command) if command else ""
            st.download_button(
                file.label,
                in_this_language(file.make),
                file_name=file.name,
                mime=_KINDS[_form(file).lower()],
                key=f"download.{file.name}",
                on_click="ignore",
                width=120 if len(files) == 1 else "content",
                disabled=bool(file.refusal or needs),
                help=needs or None,
            )
        why = next((file.refusal for file in files if file.refusal), "")
        st.caption(escape_markdown(why) or purpose, width=330 if len(files) == 1 else "stretch")


def _form(file: File) -> str:
    return file.name.rpartition(".")[2].upper()


def _files(
    made: ex.Provenance,
    colours: str,
    slider: Slider | None = None,
    layer: Layer | None = None,
    settings: Settings | None = None,
) -> Files:
    """All files by what they are for."""
    return {message("Report"): _reports(made, colours), **_files_of_tree(made.tree, colours, slider, layer, settings)}


def _files_of_tree(
    tree: ex.Tree,
    colours: str,
    slider: Slider | None = None,
    layer: Layer | None = None,
    settings: Settings | None = None,
) -> Files:
    """The files of a tree; with the `settings` that grew it, its JSON has those of the table too."""
    return {
        message("Picture"): _pictures(tree, colours, slider, layer),
        message("Text"): _texts(tree),
        message("Code"): _code(tree, settings),
    }


def _reports(made: ex.Provenance, colours: str) -> list[File]:
    report, about = partial(ex.to_report, made, palette=colours), message("Data, settings, scores and tree.")
    script, slides = partial(ex.to_script, made), partial(ex.to_pptx, made, colours)
    return [
        File(message("Report"), "report.html", about, partial(report, "html")),
        File("Markdown", "report.md", about, partial(report, "markdown")),
        File(message("Script"), "again.py", message("Python code that grows this tree again."), script),
        File("PowerPoint", "tree.pptx", message("Tree, scores and rules as slides."), slides),
        File("Excel", "tree.xlsx", message("Rules, gains of the leaves, every row scored."), partial(ex.to_xlsx, made)),
    ]


def _pictures(tree: ex.Tree, colours: str, slider: Slider | None, layer: Layer | None) -> list[File]:
    about, make = message("Interactive, works offline."), partial(ex.to_html, tree, None, colours, stability=layer)
    if slider is not None:
        about, make = message("Interactive with its slider, works offline."), partial(slider.page, colours)
    dot = File("DOT", "tree.dot", message("For Graphviz and its tools."), partial(ex.to_dot, tree))
    page = File(message("Web page"), "tree.html", about, make)
    return [*_for_print(tree, colours), page, dot]


def _for_print(tree: ex.Tree, colours: str) -> list[File]:
    """The tree for print; of a tree with more nodes than a picture may have, the top."""
    depth = drawable_depth(tree)
    purpose = message("For print and slides.")
    if depth < tree.max_depth:
        purpose = message(
            "For print and slides: down to depth {depth}. The tree has {nodes:,} nodes, which is too many to draw.",
            depth=depth,
            nodes=tree.n_nodes,
        )
    max_depth = depth if depth < tree.max_depth else None
    svg = partial(in_theme, tree, colours, page_frame.colours().name, max_depth)
    return [
        File("SVG", "tree.svg", purpose, svg),
        File("PDF", "tree.pdf", purpose, partial(ex.to_pdf, tree, colours, max_depth)),
        File("PNG", "tree.png", purpose, partial(ex.to_png, tree, colours, max_depth)),
    ]


def _texts(tree: ex.Tree) -> list[File]:
    each_leaf = message("One sentence per leaf.")
    counts = File(
        message("Counts"),
        "counts.txt",
        message("Mitchell’s notation, [9+,5-] at every node."),
        partial(ex.to_listing, tree),
    )
    return [
        File(message("Text"), "tree.txt", message("One line per node."), partial(ex.to_text, tree)),
        *([counts] if len(tree.classes) == 2 else []),
        File(message("Rules"), "rules.txt", each_leaf, partial(_rules, tree)),
        File(message("Rules, CSV"), "rules.csv", each_leaf, partial(_rules_table, tree)),
    ]


def _code(tree: ex.Tree, settings: Settings | None) -> list[File]:
    sheets = partial(ex.to_spreadsheet, tree)
    return [
        File("Python", "tree.py", message("A function without dependencies."), partial(ex.to_python, tree)),
        File("JavaScript", "tree.js", message("A module without dependencies."), partial(ex.to_javascript, tree)),
        File("C", "tree.h", message("A header without dependencies."), partial(ex.to_c, tree)),
        File("ONNX", "tree.onnx", message("A model for ONNX Runtime."), partial(ex.to_onnx, tree), onnx_refusal(tree)),
        File(
            "PMML", "tree.pmml", message("A model for scoring engines."), partial(ex.to_pmml, tree), pmml_refusal(tree)
        ),
        File("Excel", "predict.xlsx", message("A workbook whose formulas predict."), sheets, spreadsheet_refusal(tree)),
        *_queries(tree),
        File("JSON", "tree.json", message("Every number of the tree, for programs."), partial(_json, tree, settings)),
    ]


def _queries(tree: ex.Tree) -> list[File]:
    """One query for all databases; where the tree tests dates, one for each."""
    about = message("A query that predicts the rows of a table.")
    if not dates_of(tree):
        return [File("SQL", "tree.sql", about, partial(query, tree))]
    return [File(f"SQL ({name})", f"tree_{name}.sql", about, partial(query, tree, name)) for name in DIALECTS]


def _rules(tree: ex.Tree) -> str:
    return ex.rules(tree).to_text()


def _rules_table(tree: ex.Tree) -> str:
    return rules_csv(ex.rules(tree))


def _json(tree: ex.Tree, settings: Settings | None) -> str:
    if settings is not None:
        tree = replace(tree, table_settings=how_read(settings))
    return json.dumps(tree.to_dict(), ensure_ascii=False, allow_nan=False)
