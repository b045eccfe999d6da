"""A table given to an uploader: read, or refused with a note on what stays."""

from __future__ import annotations

import hashlib

import streamlit as st

import explorer as ex
from explorer.messages import message
from pages.settings import session
from pages.settings.session import Upload


def read(key: str, what_stays: str, place: str = "") -> Upload | None:
    """The table in the uploader of this key; None if there is none, or if it cannot be read: `place` reports that."""
    given = st.session_state[key]
    if given is None:
        return None
    content = given.getvalue()
    try:
        table = ex.read_table(content, name=given.name)
    except ex.ExplorerError as error:
        session.notify("error", message("{error} {kept}", error=error, kept=what_stays).rstrip(), place)
        return None
    return Upload(given.name, hashlib.sha256(content).hexdigest(), table)
