"""The frame of every page: settings and address, the style sheet, rail and workbench, messages of the last action."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from urllib.parse import urlencode

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from explorer.drawing.joined_modules import component_file
from explorer.messages import current_catalogue, message
from pages.layout import awaited_file
from pages.layout.steps import undo
from pages.results.memory import sessions
from pages.settings import session, url
from pages.settings.settings import Settings
from pages.uploads import browser, go_to, models, opening
from pages.uploads.reading import TABLE
from pages.widgets import page_frame, upload

_HERE = Path(__file__).parent
PAGE_PATHS = ("data", "grow", "prune", "evaluate", "rules", "predict", "compare", "ensembles", "learn")
"""The last parts of the addresses of the pages."""
_COMMENT = re.compile(r"/\*.*?\*/\s*", re.DOTALL)
_STYLES = ("shell.css", "inspector.css", "chooser.css", "data.css", "compare.css", "predict.css", "learn.css")
_PRESENTER = "presenter.css"


def _needs_table(_: Settings) -> bool:
    return True


def start(title: str, views: Sequence[str] = (), needs_table: Callable[[Settings], bool] = _needs_table) -> Settings:
    """Begin a page: style, keys, and the messages left by the last action; gives the settings.

    `title` is for screen readers: the navigation shows it already. `views` are the tree views whose timeline the keys
    of the presenter mode move: the first that is on the page. `needs_table` says whether the page shows the table in
    use: one that does asks for the file of its address where that is missing, and shows nothing else.
    """
    sessions.notice()
    undo.by_keys()
    is_new = session.is_new()
    if is_new:
        url.start_from_url(needs_table)
    opening.restore()
    if is_new:
        page_frame.fall_back_if_unusable()
    else:
        _go_back()
        if session.read().connected:
            page_frame.fall_back_if_gone()
    opening.advance()
    models.go_to_given()
    opening.keep_files_in_use()
    opening.keep_choices()
    url.leave_as_opened(is_new)
    url.write()
    settings = session.read()
    st.html(_style(settings.view.presenter, settings.view.frozen))
    st.html(f'<h1 class="unseen">{title}</h1>')
    shell = st.components.v2.component("workbench", js=component_file(_HERE / "shell.js"))
    shell(
        data={
            "presenter": settings.view.presenter,
            "views": list(views),
            "language": current_catalogue().language,
            "steps": list(url.STEPS),
            "done": session.step_done(),
            "waits": session.is_going_along(),
            "back": url.BACK,
            "address": urlencode(url.current_query(), doseq=True) if is_new else "",
            "theme": st.context.theme.type or "",
            "theme_button": message("Light or dark theme"),
        },
        key="shell",
        height=1,
        on_presenter_change=_presenter_switched,
        on_steps_change=lambda: None,
        on_theme_change=lambda: None,
    )
    browser.hand_over_key(PAGE_PATHS)
    show_notices()
    upload.show_reading(TABLE)
    if needs_table(settings) and opening.asks_for_file():
        awaited_file.show()
        st.stop()
    return settings


def _go_back() -> None:
    """After the browser's Back or Forward, take the settings of the address to which it went."""
    query = url.address()
    if query.pop(url.BACK, None):
        settings, problems = url.settings_from_query(query)
        go_to.go_to(settings)
        for problem in problems:
            session.notify("warning", problem)


def show_notices() -> None:
    """The messages left by the last action."""
    notices = session.take_notices()
    if notices:
        with st.container(key="notices"):
            for notice in notices:
                page_frame.show_notice(notice.level, notice.text)


@contextmanager
def rail(has_settings: bool = True) -> Iterator[None]:
    """What is written within goes into the rail, below a sign where the settings that it has are frozen."""
    with st.sidebar:
        if has_settings and session.read().view.frozen:
            with st.container(key="frozen_sign"):
                st.caption(f":material/lock: {session.frozen_text()}")
        with st.container(key="rail"):
            if has_settings:
                _freeze("rail")
            yield


def workbench(wide: bool = False) -> tuple[DeltaGenerator, DeltaGenerator]:
    """Stage and inspector, side by side; in a narrow window one above the other. A `wide` inspector has one half."""
    session.see_tree()
    opening.keep_choices()  # of a fragment
    with st.container(key="workbench"):
        stage, inspector = st.container(key="stage"), st.container(key="inspector")
    return stage, inspector.container(key="wide") if wide else inspector


@contextmanager
def scrolling_page(has_settings: bool = False) -> Iterator[None]:
    """A page without a stage: what is written within scrolls below the bar, and is inert with frozen settings in it."""
    with st.container(key="page"):
        if has_settings:
            _freeze("page")
        yield


def _freeze(place: str) -> None:
    """Make the place inert while the settings are frozen."""
    if session.read().view.frozen:
        st.components.v2.component("freeze", js=component_file(_HERE / "freeze.js"))(key=f"freeze_{place}", height=1)


keep_view = partial(session.keep_part, "view")
"""Change how trees are shown."""


def _presenter_switched() -> None:
    wanted = st.session_state.get("shell", {}).get("presenter")
    if isinstance(wanted, bool):
        keep_view(presenter=wanted)
        if wanted:
            st.toast(message("Presenter mode: P or Escape leaves it; space, ← and → move the timeline."))


class _Styles:
    """Style sheets as Streamlit takes them from an object: it does not go through their lines again at every run."""

    def __init__(self, css: str) -> None:
        self._html = f"<style>{css}</style>"

    def _repr_html_(self) -> str:
        return self._html


@cache
def _style(presenter: bool, frozen: bool) -> _Styles:
    """The style of the pages, without the comments, which no browser needs; a frozen menu is wider by its lock."""
    names = (*_STYLES, _PRESENTER) if presenter else _STYLES
    sheets = [_COMMENT.sub("", (_HERE / "styles" / name).read_text("utf-8")) for name in names]
    return _Styles("\n".join([f":root {{ --lock-width: {2 * frozen}rem; }}", *sheets]))
