"""In place of a page: the file that its link is about, asked for, with what the link says of it."""

from __future__ import annotations

import streamlit as st

from explorer.messages import listing, message
from pages.settings import session, url
from pages.settings.settings import Settings
from pages.text import escape_markdown, readable
from pages.uploads import opening
from pages.uploads.reading import TABLE
from pages.widgets import upload
from pages.widgets.controls import quiet_button

_MOST_FEATURES = 12


def show() -> None:
    """What the link needs, what is known of it, and where to give it; or the way on without it."""
    held = session.awaiting_file()
    if held is None:
        return
    with st.container(key="awaited"):
        st.info(
            message(
                "This view needs an uploaded file. Upload the same file to restore it: here are its settings, "
                "and no rows."
            )
        )
        st.markdown("\n".join(f"- {fact}" for fact in _known(held)))
        with st.container(key="uploader"):
            upload.table_uploader(message("Drop the file of this view"), "file", TABLE)
        st.caption(message("The view opens as its sender saw it, once the same file is here, byte for byte."))
        quiet_button(
            message("Go on without the file"),
            "awaited.without",
            "",
            opening.go_on_without_file,
            about=message("Shows a sample. The settings of the link wait for the file, which you can still upload."),
        )


def _known(held: Settings) -> list[str]:
    """What the link says of the file."""
    name = url.awaited_name()
    facts = [message("File: **{name}**", name=_name(name))] if name else []
    if held.target:
        facts.append(message("Target: **{column}**", column=_name(held.target)))
    if held.features:
        names = listing([_name(name) for name in held.features[:_MOST_FEATURES]])
        facts.append(message("Among its features: {names}", names=names))
    if held.sheet:
        facts.append(message("Sheet: {sheet}", sheet=_name(held.sheet)))
    if held.grow.name:
        facts.append(message("Algorithm: {algorithm}", algorithm=held.grow.name))
    return [*facts, message("Its SHA-256 begins with `{digits}`", digits=held.upload[:16])]


def _name(text: str) -> str:
    return escape_markdown(readable(text))
