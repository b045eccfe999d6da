"""The product's mark: the icon of the browser's tab, and the mark with the name at the start of the bar."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import streamlit as st

from explorer.drawing.palette import theme

NAME = "Decision Tree Explorer"
_HERE = Path(__file__).parent
FAVICON = _HERE / "favicon.svg"


def show() -> None:
    """Mark and name, in the colours of the theme that the reader sees."""
    st.logo(_wordmark(st.context.theme.type), size="small")


@cache
def _wordmark(name: str | None) -> str:
    """The mark with the name as an SVG picture; as a picture it inherits no colour from the page."""
    return (_HERE / "wordmark.svg").read_text("utf-8").replace("currentColor", theme(name).text)
