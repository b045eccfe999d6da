"""The decision path of the row, node by node, with the reason for the prediction."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from explorer.explaining import Visit
from explorer.formatting import amount, percent, visible
from explorer.messages import message
from pages.predict import head
from pages.results.prediction import FilledForm
from pages.settings.settings import Settings
from pages.text import escape_markdown, value_text
from pages.widgets import tables, tree_panels

_HEIGHT = 422
"""Pixels for the table at most."""


def show(settings: Settings, form: FilledForm) -> None:
    """The reason in a sentence, and the nodes of the path; a node chosen is chosen on the tree."""
    path = form.path
    st.markdown(escape_markdown(visible(path.sentence)))
    if not form.tree.is_regression and not head.has_bars(form.tree):
        head.show_probabilities(form)
    nodes = [visit.node for visit in path.visits]
    chosen = nodes.index(settings.node) if settings.node in nodes else None

    def line_selected(line: int | None) -> None:
        tree_panels.take_node("grow", path.ends[0].node if line is None else nodes[line])

    share = message("share") if form.tree.smoothing is None else message("probability")
    frame = frame_of(path.visits, share)
    widths = {
        message("branch"): 130,
        message("note"): 330,
        message("node"): 55,
        message("predicts"): 75,
        share: 70 if form.tree.smoothing is None else 95,
        message("training rows"): 100,
    }
    columns = {name: st.column_config.Column(width=width) for name, width in widths.items()}
    key = f"path.{len(nodes)}.{nodes[-1]}.{settings.node}"
    tables.choosable(frame, key, chosen, line_selected, _HEIGHT, columns)
    st.caption(message("Choose a line to see its node on the tree."))


def frame_of(visits: tuple[Visit, ...], share: str) -> pd.DataFrame:
    """One line for each node; notes and parts where the row's value did not decide its branch.

    `share` is what the probability of the predicted class is called.
    """
    columns = {message("node"): [str(visit.node) for visit in visits]}
    columns[message("branch")] = [visible(visit.reached) or message("all rows") for visit in visits]
    if any(visit.remark for visit in visits):
        columns[message("note")] = [visible(visit.remark) for visit in visits]
    if sum(visit.ends for visit in visits) > 1:
        columns[message("part of the row")] = [percent(visit.part) for visit in visits]
        columns[message("ends here")] = ["✓" if visit.ends else "" for visit in visits]
    columns[message("predicts")] = [value_text(visit.prediction) for visit in visits]
    if any(visit.share is not None for visit in visits):
        columns[share] = ["" if visit.share is None else percent(visit.share) for visit in visits]
    columns[message("training rows")] = [amount(visit.weight) for visit in visits]
    return pd.DataFrame(columns)
