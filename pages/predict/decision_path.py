"""The decision path of the row, node by node."""

from __future__ import annotations

import streamlit as st

from explorer.explaining import Visit
from explorer.formatting import amount as weight_text
from explorer.formatting import percent, visible
from explorer.messages import message
from pages.predict import head
from pages.results.prediction import FilledForm
from pages.settings.settings import Settings
from pages.text import value_text
from pages.widgets import tree_panels
from pages.widgets.choice_list import choice_list
from pages.widgets.choice_list.choice_list import Column


def show(settings: Settings, form: FilledForm) -> None:
    """The nodes of the path, the leaf marked unless another is chosen; a node chosen is chosen on the tree."""
    path = form.path
    if not form.tree.is_regression and not head.has_bars(form.tree):
        head.show_probabilities(form)
    nodes = [visit.node for visit in path.visits]
    chosen = nodes.index(settings.node if settings.node in nodes[1:] else path.ends[0].node)

    def line_selected(line: int | None) -> None:
        tree_panels.take_node("grow", path.ends[0].node if line is None else nodes[line])

    choice_list.show("path", columns_of(form), chosen, line_selected)
    st.caption(message("Choose a line to see its node on the tree."))


def columns_of(form: FilledForm) -> list[Column]:
    """One line for each node; parts where the row's value did not decide its branch."""
    visits = form.path.visits

    def amount(text: str, cells: list[str]) -> Column:
        return Column(text, cells, is_amount=True)

    branches = [visible(visit.reached) or message("all rows") for visit in visits]
    is_parted = sum(visit.ends for visit in visits) > 1
    if not is_parted:  # of several parts the sentence says why, and the column of parts how much
        branches = [branch + _note(visit) for branch, visit in zip(branches, visits, strict=True)]
    columns = [
        amount(message("node"), [str(visit.node) for visit in visits]),
        Column(message("branch"), branches, names=True),
    ]
    if is_parted:
        columns.append(amount(message("part of the row"), [percent(visit.part) for visit in visits]))
    columns.append(Column(message("predicts"), [value_text(visit.prediction) for visit in visits]))
    if any(visit.share is not None for visit in visits):
        share = message("share") if form.tree.smoothing is None else message("probability")
        columns.append(amount(share, ["" if visit.share is None else percent(visit.share) for visit in visits]))
    columns.append(amount(message("training rows"), [weight_text(visit.weight) for visit in visits]))
    return columns


def _note(visit: Visit) -> str:
    """Why the row took the branch, where its value did not decide that."""
    return f" ({visible(visit.remark)})" if visit.remark else ""
