"""C4.5's pessimistic error: its confidence, and the upper limit of the error rate."""

from __future__ import annotations

from typing import Literal

import streamlit as st

from explorer.messages import message
from pages.settings import labels
from pages.settings.settings import Settings
from pages.widgets.controls import feed, keep_value

Width = int | Literal["stretch"]


def confidence(settings: Settings, label: str, where: str, help_text: str, width: Width = "stretch") -> None:
    """The confidence, bound to the settings; `where` keeps its key apart from that of another section."""
    least, most = labels.CONFIDENCES
    key = f"{where}.confidence"
    st.number_input(
        label,
        min_value=least,
        max_value=most,
        step=0.05,
        format="%.3g",
        key=feed(key, settings.confidence),
        on_change=keep_value,
        args=("confidence", key),
        help=help_text,
        width=width,
    )


def limit(settings: Settings, label: str, where: str, width: Width = "stretch") -> None:
    """The upper limit, bound to the settings."""
    key = f"{where}.limit"
    st.selectbox(
        label,
        list(labels.LIMITS),
        key=feed(key, settings.limit),
        format_func=lambda name: labels.LIMITS[name],
        on_change=keep_value,
        args=("limit", key),
        help=message("How the upper confidence limit of the error rate is computed."),
        width=width,
    )
