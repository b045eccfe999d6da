"""The table's name as what opens another table: settings that still apply are kept."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

import explorer as ex
from explorer.data.samples import SAMPLES
from explorer.formatting import shortened, visible
from explorer.messages import message
from pages.results import trees
from pages.results.fit_to_target import fit_target
from pages.settings import session
from pages.settings.history import PART
from pages.settings.page_settings import SIDES
from pages.settings.settings import OF_PRUNING, Settings, changed
from pages.settings.tables import table_of
from pages.text import escape_markdown
from pages.uploads import opening
from pages.widgets.controls import feed

_CHOSEN, _PLACE = "switcher.table", "switcher"
_MOST_LETTERS = 60


def show(settings: Settings) -> None:
    """The name of the table in use; pressed, it lists the others."""
    label = f"**{escape_markdown(trees.source(settings).name)}**"
    is_frozen = settings.view.frozen
    with st.popover(label, key=_PLACE, type="tertiary", on_change="rerun", disabled=is_frozen) as opened:
        if not opened.open:
            return
        tables = _tables(settings)
        st.selectbox(
            message("Another table"),
            list(tables),
            index=None,
            key=feed(_CHOSEN, None),
            format_func=lambda key: tables[key][0],
            placeholder=message("Choose, or type a part of its name"),
            on_change=_switch,
        )
        st.caption(message("Algorithm, its settings and pruning stay as far as they apply."))
        st.page_link("pages/data/page.py", label=message("Data"), icon=":material/table_chart:")


def _tables(settings: Settings) -> dict[str, tuple[str, Callable[[], None]]]:
    """The reader's files and the samples but for the one in use: by their keys, the names and what opens them."""
    own = session.upload()
    found: dict[str, tuple[str, Callable[[], None]]] = {}
    if own is not None and not settings.upload:
        found["own"] = shortened(visible(own.name), _MOST_LETTERS), partial(opening.open_table, own)
    for kept in opening.kept_files():
        if own is None or kept.fingerprint != own.fingerprint:
            found[kept.fingerprint] = shortened(visible(kept.name), _MOST_LETTERS), partial(opening.reopen, kept)
    for key, sample in SAMPLES.items():
        if settings.upload or settings.connected or key != settings.sample:
            found[key] = sample.title, partial(_open_sample, key)
    return found


def _open_sample(key: str) -> None:
    session.open_table(trees.parts, sample=key, upload="")


def _switch() -> None:
    before, chosen = session.read(), st.session_state[_CHOSEN]
    tables = _tables(before)
    if chosen not in tables:
        return
    tables[chosen][1]()
    now = session.read()
    if table_of(now) != table_of(before):
        session.keep(_carried(before, now), PART)
        fit_target()
    st.session_state[_PLACE] = False


def _carried(before: Settings, now: Settings) -> Settings:
    """The settings of another table with what was chosen for the trees of the table before, as far as it applies."""
    grown = {slot: getattr(before, slot).with_other_table() for slot in ("grow", *SIDES) if getattr(before, slot).name}
    pruned = {field: getattr(before, field) for field in OF_PRUNING}
    for fields in (grown | pruned, pruned):
        proposed = changed(now, **fields)
        try:
            for slot in grown:
                trees.check(proposed, slot)
            trees.check_rows(proposed)
        except ex.ExplorerError:
            continue
        return proposed
    return now
