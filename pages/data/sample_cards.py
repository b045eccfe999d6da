"""The samples as cards, searched and filtered: a picture of the tree, the title, the size, one line of what it is."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Literal

import streamlit as st

from explorer.data.samples import SAMPLES, Sample
from explorer.drawing.palette import class_colours, mean_ends, mix, theme
from explorer.drawing.tree_icon import tree_icon
from explorer.messages import message
from pages.data.sample_shapes import SHAPES
from pages.results import trees
from pages.results.fit_to_target import fit_target
from pages.settings import session
from pages.settings.settings import Settings
from pages.text import escape_markdown
from pages.uploads import opening
from pages.widgets import page_frame, upload

_TEXTBOOK, _REAL, _REGRESSION = "textbook", "real", "regression"
_MOST_LETTERS = 84


_SEARCH, _FIRST = "sample.search", "sample.first"


def find(settings: Settings) -> list[str]:
    """The search field and the filters; gives the samples that they leave, the one in use at the visit's begin first.

    What is chosen later stays where it is.
    """
    if _SEARCH not in st.session_state:
        st.session_state[_FIRST] = "" if settings.upload or settings.connected else settings.sample
    searched = st.text_input(
        message("Search samples"),
        key=_SEARCH,
        placeholder=message("Search samples"),
        label_visibility="collapsed",
        icon=":material/search:",
        width=160,
    )
    labels = _filter_labels()
    chosen = st.pills(
        message("Types of samples"),
        list(labels),
        key="sample.filter",
        format_func=labels.__getitem__,
        label_visibility="collapsed",
    )
    words = searched.lower().split()
    left = [key for key, sample in SAMPLES.items() if _fits(sample, chosen) and _holds(sample, words)]
    return sorted(left, key=lambda key: key != st.session_state.get(_FIRST))


def _filter_labels() -> dict[str, str]:
    return {_TEXTBOOK: message("Textbook"), _REAL: message("Real"), _REGRESSION: message("Regression")}


def _fits(sample: Sample, wanted: str | None) -> bool:
    return wanted is None or sample.group == wanted or (wanted == _REGRESSION and sample.is_regression)


def _holds(sample: Sample, words: Sequence[str]) -> bool:
    """Whether every word stands somewhere in what is said of the sample."""
    text = " ".join([sample.key, sample.title, sample.story, sample.target, sample.source]).lower()
    return all(word in text for word in words)


def show(keys: Sequence[str], settings: Settings) -> None:
    """A card each for these samples, after those of the reader's own files."""
    _draw_trees(settings.palette)
    with st.container(key=_place(settings)):
        _own_files(settings)
        is_own = bool(settings.upload or settings.connected)
        for key in keys:
            sample = SAMPLES[key]
            story = "" if _place(settings) == "cards_own" else first_of(sample.story)
            text = _card(sample.title, _size(sample.rows, sample.columns), story)
            _button(key, text, key == settings.sample and not is_own, partial(_open_sample, key))
    if not keys:
        st.caption(message("No sample matches."))


def first_of(story: str) -> str:
    """As much of a story as a card has lines for: whole, or up to the end of a sentence, or else of a clause.

    >>> first_of("15 loans with the features A1, A2 and A3: small enough to prune by hand, step by step, on paper.")
    '15 loans with the features A1, A2 and A3'
    >>> first_of("Good or bad risk? Caution: the sex and whether one is foreign are among the columns of this table.")
    'Good or bad risk?'
    """
    if len(story) <= _MOST_LETTERS:
        return story
    ends = list(re.finditer(r"[.?!:](?=\s)", story[: _MOST_LETTERS + 1]))
    last = max(ends, key=lambda end: (end[0] != ":", end.end()), default=None)
    return story[: last.end()].rstrip(":") if last else story


def _place(settings: Settings) -> str:
    """The key of the container: all cards, two rows of them, or a line of names beside the reader's own table."""
    if st.session_state.get("samples.all"):
        return "cards_all"
    return "cards_own" if settings.upload or settings.connected else "cards"


def _own_files(settings: Settings) -> None:
    """The connected table, the file of this session, and the others that the server keeps for this browser."""
    if settings.connected:
        source = trees.source(settings)
        size = _size(source.n_rows, source.table.frame.shape[1])
        _button("connected", _card(source.name, size, message("Connected table")), True, lambda: None)
    own = session.upload()
    if own is not None:
        table = trees.source(settings).table if settings.upload else own.table
        text = _card(own.name, _size(*table.frame.shape), message("Your file"))
        _button("file", text, bool(settings.upload), partial(opening.open_table, own))
    others = [file for file in opening.kept_files() if own is None or file.fingerprint != own.fingerprint]
    for number, file in enumerate(others):
        size = _size(*file.shape) if any(file.shape) else upload.size_text(file.size)
        text = _card(file.name, size, message("Your file"))
        _button(f"kept.{number}", text, False, partial(opening.reopen, file))


def _card(title: str, size: str, line: str) -> str:
    """The parts of a card as Markdown, the size in the middle; the style sheet gives the title its own lines."""
    return f"**{escape_markdown(title)}** *{size}*" + (f" · {escape_markdown(line)}" if line else "")


def _size(n_rows: int, n_columns: int) -> str:
    return f"{n_rows:,} × {n_columns:,}"


def _button(key: str, text: str, is_open: bool, on_click: Callable[[], None]) -> None:
    kind: Literal["primary", "secondary"] = "primary" if is_open else "secondary"
    st.button(text, key=f"open.{key}", type=kind, width="stretch", on_click=on_click)


def _draw_trees(palette: str) -> None:
    """The pictures as a style sheet of our own: one background for each card's button."""
    st.html(f"<style>{_pictures(page_frame.colours().name, palette)}</style>")


@cache
def _pictures(name: str, palette: str) -> str:
    line = theme(name).line
    rules = []
    for key, shape in SHAPES.items():
        picture = tree_icon(shape, _digit_colours(SAMPLES[key], name, palette), line)
        encoded = base64.b64encode(picture.encode()).decode()
        rules.append(f".st-key-open-{key} button{{--tree:url(data:image/svg+xml;base64,{encoded})}}")
    return "\n".join(rules)


def _digit_colours(sample: Sample, name: str, palette: str) -> list[str]:
    """The colours of the digits of a shape: those of classes, or ten from the lowest mean to the highest."""
    if not sample.is_regression:
        return class_colours(10, name, palette)
    low, high = mean_ends(name, palette)
    return [mix(low, high, (digit + 1) / 10) for digit in range(10)]


def _open_sample(key: str) -> None:
    if session.open_table(trees.parts, sample=key, upload=""):
        fit_target()
