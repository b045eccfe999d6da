"""The reader's browser: the key by which it finds its files again, and the server's store of them.

The browser holds the key in a cookie, which a script on the page sets: `SameSite=Strict`, for this app's path alone,
`Secure` where the page is. A session begins with the key of its browser's cookie, or with a new one.
"""

from __future__ import annotations

import logging
import threading
import time
from pathlib import Path

import streamlit as st

from explorer.drawing.joined_modules import component_file
from pages.uploads.limits import Limits, folder
from pages.uploads.store import Store, is_key, new_key

COOKIE = "decision-tree-explorer"
_SCRIPT = Path(__file__).with_name("browser_key.js")
_KEY, _REFUSED = "browser.key", "browser.refused"
_SWEEP, _RENEWED = 600.0, 3600.0
"""Seconds between two removals of expired files, and between two renewals of the cookie."""
_log = logging.getLogger(__name__)


@st.cache_resource(show_spinner=False)
def store() -> Store | None:
    """The one store of the server; None where its disk takes no files, which then live in memory alone."""
    place, is_own = folder()
    try:
        kept = Store(place, Limits.from_environment(), is_own)
    except OSError as error:
        _log.warning("Uploads are kept in memory alone: %s", error)
        return None
    threading.Thread(target=_sweep, args=(kept,), name="expired-uploads", daemon=True).start()
    return kept


def _sweep(kept: Store) -> None:
    """Remove expired files now and then, also when nobody visits."""
    while True:
        time.sleep(_SWEEP)
        try:
            kept.remove_expired()
        except OSError as error:
            _log.warning("Expired uploads could not be removed: %s", error)


def key() -> str:
    """The key of this reader's browser."""
    if _KEY not in st.session_state:
        given = cookie()
        st.session_state[_KEY] = given if is_key(given) else new_key()
    own: str = st.session_state[_KEY]
    return own


def cookie() -> str:
    """What the browser sent as its key when the session began; "" without one."""
    given = st.context.cookies.get(COOKIE)
    return given if isinstance(given, str) else ""


def has_cookie() -> bool:
    """Whether the browser holds the key, as far as is known."""
    return not st.session_state.get(_REFUSED, False)


def hand_over_key(pages: tuple[str, ...]) -> None:
    """Give the browser its key; `pages` are the last parts of the addresses of the app's pages."""
    kept = store()
    if kept is None:
        return
    seconds = round(kept.limits.keep_hours * 3600)
    hour = int(time.time() // min(_RENEWED, seconds / 4))
    st.components.v2.component("browser_key", js=component_file(_SCRIPT))(
        data={"name": COOKIE, "key": key(), "seconds": seconds, "pages": list(pages), "renewal": hour},
        key="browser_key",
        height=1,
        on_refused_change=_refused,
        on_found_change=_found,
    )


def _refused() -> None:
    """The browser keeps no cookie: after a reload its files cannot be found again."""
    st.session_state[_REFUSED] = True


def _found() -> None:
    """Another tab gave the browser a key first: this session goes on with that one."""
    found = st.session_state.get("browser_key", {}).get("found")
    if isinstance(found, str) and is_key(found):
        before, st.session_state[_KEY] = key(), found
        _take_along(before, found)


def _take_along(before: str, found: str) -> None:
    """What was uploaded under the first key is found under the other one from now on."""
    kept = store()
    if kept is None:
        return
    try:
        kept.move(before, found)
    except OSError as error:
        _log.warning("Uploads could not be given another key: %s", error)
