"""What is special about a node's rows: its features against those of all other rows, in the tab of its rows."""

from __future__ import annotations

import pandas as pd
import streamlit as st

import explorer as ex
from explorer.explaining.node_profile import FeatureProfile, node_profile
from explorer.formatting import percent, value_text
from explorer.messages import message
from pages.results import trees
from pages.results.cache import kept
from pages.settings.settings import Settings
from pages.text import number, readable
from pages.widgets import tables

_MOST = 12
"""The most features that are listed."""
_WIDTHS = {"feature": 92, "here": 68, "elsewhere": 82, "effect": 68}
"""Pixels of the columns, together as wide as the panel of a window of 1280."""


def show(settings: Settings, node_id: int) -> None:
    """A line for each feature, the largest difference first; nothing at the root, which has no other rows."""
    lines = [_line(profile) for profile in profiles(settings, node_id)[:_MOST]]
    if not lines:
        return
    st.markdown(message("**These rows against all others**"))
    tables.numbers_table(
        pd.DataFrame(lines),
        [False] * len(lines),
        "node.profile",
        widths=_WIDTHS,
        right=["here", "elsewhere", "effect"],
        lines=2,
    )
    st.caption(
        message(
            "Effect: of numbers Cliff's δ, how much likelier a row here has the larger value than the smaller one (−1 "
            "to 1; medians are shown); of categories Cramér's V (0 to 1; the share that differs most is shown)."
        )
    )


def profiles(settings: Settings, node_id: int) -> list[FeatureProfile]:
    """The features, that of the largest difference first; none at the root, and of a branch without rows."""
    if node_id == 0:
        return []
    try:
        key = f"{trees.grown_key(settings)} {node_id}"
        return _profiles(key, node_id, trees.grown(settings).tree, trees.parts(settings).train)
    except ex.InputError:  # an empty branch
        return []


def _line(profile: FeatureProfile) -> dict[str, str | float]:
    if profile.shares is None:
        name, here, elsewhere = profile.feature.name, _cell(profile.inside), _cell(profile.outside)
    else:
        name = f"{profile.feature.name} = {value_text(profile.inside)}"
        here, elsewhere = map(percent, profile.shares)
    return {"feature": readable(name), "here": here, "elsewhere": elsewhere, "effect": profile.effect}


def _cell(value: object) -> str:
    return "–" if value is None else number(value) if isinstance(value, float) else value_text(value)


@kept()
def _profiles(key: str, node: int, _tree: ex.Tree, _train: ex.Dataset) -> list[FeatureProfile]:
    return node_profile(_tree, _train, node)
