"""How the rows are shared out among training, validation and test set."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from explorer.messages import listing, message, plural
from pages.data import divided_by
from pages.results import trees
from pages.results.divided.columns import times_of
from pages.results.divided.division import Division, dividing
from pages.settings.settings import Settings
from pages.text import escape_markdown, number
from pages.widgets import controls

_LARGEST_SEED = 2**31 - 1


def show(settings: Settings) -> None:
    """The split in one line; the controls are behind it."""
    parts, division = trees.parts(settings), trees.division(settings)
    with st.popover(summary(settings, parts.how), icon=":material/splitscreen_left:", key="split"):
        divided_by.choose(settings)
        if division.values:
            divided_by.choose_values([*map(str, division.values)], divided_by.take_values)
        else:
            _show_sizes(settings, division, parts.how)
        if parts.how == "all" and settings.split == "auto":
            st.caption(
                message(
                    "With fewer than 100 rows, the tree is grown on all of them, as in the books. Evaluate it by "
                    "leaving out one row at a time, or choose a split."
                )
            )
        for sentence in _pruned(settings):
            st.caption(sentence)
    st.caption(" ".join([*_sentences(parts), *_kept_together(division, parts)]))


def _show_sizes(settings: Settings, division: Division, how: str) -> None:
    """The shares of the sets; of rows with a time also the times at which they begin."""
    if how == "all":
        return
    with st.container(horizontal=True):
        if division.kind == "time":
            divided_by.choose_times(settings, len(division.times or division.shares))
        if division.shares:
            shares(settings, how, has_seed=division.kind != "time")


def summary(settings: Settings, how: str) -> str:
    """How the rows are divided, in a few words."""
    columns = dividing(settings)
    if not columns:
        return _shares_text(settings, how)
    by, division = escape_markdown(listing(columns)), trees.division(settings)
    if division.values or division.times:
        parts = escape_markdown(" / ".join(map(str, division.values or division.times)))
        return message("By {column}: {parts}", column=by, parts=parts)
    if not division.shares:
        return message("By {column}: {parts}", column=by, parts=_shares_text(settings, how))
    shares = (*division.shares, 1 - sum(division.shares))
    return message("By {column}, {shares}", column=by, shares=" : ".join(f"{100 * share:.0f}" for share in shares))


def _shares_text(settings: Settings, how: str) -> str:
    train, valid = settings.share, settings.valid_share
    if how == "all":
        return message("All rows for training")
    if how == "two":
        return message("Training {train} % / validation {valid} %", train=train, valid=100 - train)
    return message(
        "Training {train} % / validation {valid} % / test {test} %", train=train, valid=valid, test=100 - train - valid
    )


def _kept_together(division: Division, parts: trees.Parts) -> Sequence[str]:
    """How many groups, or which times, every set has."""
    divided = [rows.division for rows in (parts.train, parts.valid, parts.test) if rows is not None and rows.division]
    column = escape_markdown(division.column)
    if division.kind == "groups":
        counts = " + ".join(f"{len(each.counts):,}" for each in divided)
        return [message("{counts} values of {column}.", counts=counts, column=column)]
    if division.kind == "time":
        ranges = " / ".join(
            message("{first} to {last}", first=first, last=last) for first, last in map(times_of, divided)
        )
        return [message("{column}: {ranges}.", column=column, ranges=escape_markdown(ranges))]
    return []


def _pruned(settings: Settings) -> Sequence[str]:
    """What becomes of a pruned tree with another split."""
    if settings.alpha is not None:
        return [message("With another split the tree stays pruned at α = {alpha}.", alpha=number(settings.alpha))]
    if settings.manual_steps:
        return [message("Another split takes back what is pruned by hand.")]
    return []


def _sentences(parts: trees.Parts) -> Sequence[str]:
    """The sets and their rows."""
    sentences = [plural(parts.train.n_rows, "Training set: {n:,} row.", "Training set: {n:,} rows.")]
    if parts.valid is not None:
        sentences.append(plural(parts.valid.n_rows, "Validation set: {n:,} row.", "Validation set: {n:,} rows."))
    if parts.test is not None:
        sentences.append(
            plural(parts.test.n_rows, "Test set, not used yet: {n:,} row.", "Test set, not used yet: {n:,} rows.")
        )
    return sentences


def shares(settings: Settings, how: str, has_seed: bool = True) -> None:
    """The numbers of a split by shares."""
    help_text = message("The tree is grown on these rows.")
    controls.count(message("Training share, %"), "share", (10, 90), settings, help_text)
    if how == "three":
        help_text = message("These rows choose the size of the tree. All other rows are the test set.")
        controls.count(message("Validation share, %"), "valid_share", (5, 45), settings, help_text)
    if has_seed:
        help_text = message("The same seed gives the same split.")
        controls.count(message("Seed"), "seed", (0, _LARGEST_SEED), settings, help_text)
