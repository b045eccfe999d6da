"""Which class of the table each class of a model from a file is, where the two have no name in common."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from explorer.evaluation.comparison.recount import may_stand_for
from explorer.messages import listing, message
from explorer.values import Value
from pages.results import trees
from pages.settings import session
from pages.settings.settings import Settings, changed
from pages.text import escape_markdown
from pages.widgets.controls import feed

_MOST = 12
"""So many classes are chosen one by one."""


def choose(settings: Settings, classes: Sequence[Value]) -> None:
    """One click for the order in which libraries number classes, and a choice for each; nothing where names agree."""
    data = trees.data(settings)
    if not may_stand_for(classes, data.classes):
        return
    codes = settings.model_classes if len(settings.model_classes) == len(classes) else ()
    called = escape_markdown(data.target.name)
    if codes:
        st.caption(message("The classes of '{target}' have other names in the model.", target=called))
    else:
        st.caption(message("The classes of '{target}' have other names in the model. Which is which?", target=called))
    if not codes:
        order = sorted(range(len(classes)), key=lambda code: _place_of(data.classes[code]))
        names = zip(classes, (data.classes[code] for code in order), strict=True)
        pairs = [" = ".join(escape_markdown(str(name)) for name in both) for both in names]
        st.button(
            listing(pairs[:_MOST]),
            key="classes.sorted",
            icon=":material/link:",
            help=message("Libraries number classes in the order of their names."),
            on_click=_keep,
            args=(tuple(order),),
        )
    if len(classes) > _MOST:
        return
    for place, name in enumerate(classes):
        st.selectbox(
            message("{name} in the model", name=escape_markdown(str(name))),
            range(len(classes)),
            index=None,
            format_func=lambda code: str(data.classes[code]),
            key=feed(f"classes.{place}", codes[place] if codes else None),
            placeholder="–",
            on_change=_take,
            args=(place, codes, len(classes)),
        )


def _place_of(name: Value) -> tuple[bool, float, str]:
    """What classes are ordered by: numbers by their value, before texts."""
    return (True, 0.0, name) if isinstance(name, str) else (False, float(name), "")


def _take(place: int, codes: tuple[int, ...], n_classes: int) -> None:
    """Another class at this place; the class that was there takes the place of it."""
    chosen = st.session_state[f"classes.{place}"]
    if chosen is None:
        _keep(())
        return
    order = list(codes or range(n_classes))
    other = order.index(chosen)
    order[place], order[other] = chosen, order[place]
    _keep(tuple(order))


def _keep(codes: tuple[int, ...]) -> None:
    session.keep(changed(session.read(), model_classes=codes))
