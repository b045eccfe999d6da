"""The tree as it is grown: the settings in the rail, the tree on the stage, the selected node in the inspector."""

import streamlit as st

from explorer.messages import message
from pages.grow import (
    ask_first,
    growing_controls,
    manual_choices,
    node_panel,
    opened_page,
    split_evidence,
    timeline,
    tree_notes,
)
from pages.grow import price_of_greed as greed
from pages.grow.of_rows import pictures
from pages.layout import bar, growing, shell, summary_line
from pages.results import opened_tree, provenance, trees
from pages.results.resampled import stability
from pages.settings import session, url
from pages.settings.settings import Settings
from pages.widgets import page_frame, tree_panels


@st.fragment
def show_workbench() -> None:
    """The tree, its timeline, and the selected node: a click runs only this again, and the web address follows it."""
    settings = session.read()
    url.write()
    growing.run_again_unless_there(settings)
    stage, inspector = shell.workbench()
    with stage:
        signs = [
            *split_evidence.near_tie_marks(settings),
            *tree_panels.held_out_marks(settings),
            *greed.marks(settings),
            *pictures.marks(settings),
        ]
        layer = stability.layer(settings)
        asked = timeline.of(settings, ask_first.verdict(settings), ask_first.branches(settings))
        node = tree_panels.show(settings, "grow", marks=signs, timeline=asked, stability=layer)
    with inspector, page_frame.errors_shown():
        node_panel.show(session.read(), node)


def show_grown(settings: Settings) -> None:
    """The tree that is grown here."""
    growing.wait(settings, rail=lambda: growing_controls.show("grow", settings))
    bar.show(settings, lambda: provenance.of_grown(settings))
    with shell.rail():
        growing_controls.show("grow", settings)
        manual_choices.show(settings)
        tree_notes.show(settings)
    line = st.container(key="summary_place")  # the tree first: its score may take long, on a server just started
    show_workbench()
    with line:
        costs = summary_line.cost_text(settings)
        summary_line.show(settings, trees.grown(settings).tree, more=[costs], offers_full=True)


opened = opened_tree.now()
settings = shell.start(message("Grow"), views=("grow" if opened is None else opened_page.NAME,))
with page_frame.errors_shown():
    if opened is None:
        show_grown(settings)
    else:
        opened_page.show(settings, opened)
