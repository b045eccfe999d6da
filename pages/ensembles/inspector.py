"""The inspector: scores, one row, the stage, the trees, importance; or the node of the tree opened."""

from __future__ import annotations

from functools import partial

from explorer.ensembles.members import Ensemble
from explorer.messages import message
from pages.ensembles import importance_tab, losses_table, member_panel, members_tab, row_tab, scores_tab
from pages.results import ensembles
from pages.settings import session
from pages.settings.settings import Settings
from pages.widgets import open_tabs


def show(settings: Settings, made: Ensemble, member: int | None) -> None:
    """What there is to know; only the open tab is worked out."""
    settings = session.read()
    if member is not None:
        member_panel.show(settings, made, member)
        return
    if ensembles.shows_losses(settings):
        losses_table.show(settings)
        return
    contents = {
        "scores": (message("Scores"), partial(scores_tab.show, settings, made)),
        "row": (message("This row"), partial(row_tab.show, settings, made)),
        "round": (message("Stage"), partial(members_tab.show_round, settings, made)),
        "members": (message("Tree list"), partial(members_tab.show, settings, made)),
        "importance": (message("Importance"), partial(importance_tab.show, settings, made)),
    }
    open_tabs.show(contents, "en.tab")
