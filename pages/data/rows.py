"""How the rows are shared out among training, validation and test set."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from explorer.messages import message, plural
from pages.results import trees
from pages.settings.labels import SPLITS
from pages.settings.settings import Settings
from pages.widgets import controls

_LARGEST_SEED = 2**31 - 1


def show(settings: Settings) -> None:
    """The split in one line; the controls are behind it."""
    parts = trees.parts(settings)
    with st.popover(summary(settings, parts.how), icon=":material/splitscreen_left:", key="split"):
        _split(settings)
        if parts.how != "all":
            with st.container(horizontal=True):
                shares(settings, parts.how)
        if parts.how == "all" and settings.split == "auto":
            st.caption(
                message(
                    "With fewer than 100 rows, the tree is grown on all of them, as in the books. Evaluate it by "
                    "leaving out one row at a time, or choose a split."
                )
            )
    st.caption(" ".join(_sentences(parts)))


def summary(settings: Settings, how: str) -> str:
    """The shares in a few words."""
    train, valid = settings.share, settings.valid_share
    if how == "all":
        return message("All rows for training")
    if how == "two":
        return message("Training {train} % / validation {valid} %", train=train, valid=100 - train)
    return message(
        "Training {train} % / validation {valid} % / test {test} %", train=train, valid=valid, test=100 - train - valid
    )


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


def _split(settings: Settings) -> None:
    help_text = message("Automatic: all rows below 100 rows, else a training and a validation set.")
    controls.choose(message("Split"), "split", dict(SPLITS), settings, help_text)


def shares(settings: Settings, how: str) -> None:
    """The numbers of a split by shares."""
    help_text = message("The tree is grown on these rows.")
    controls.count(message("Training share, %"), "share", (10, 90), settings, help_text)
    if how == "three":
        help_text = message("These rows choose the size of the tree. All other rows are the test set.")
        controls.count(message("Validation share, %"), "valid_share", (5, 45), settings, help_text)
    help_text = message("The same seed gives the same split.")
    controls.count(message("Seed"), "seed", (0, _LARGEST_SEED), settings, help_text)
