"""The tennis table with and without its noisy row 15: the stability of both trees side by side."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

import explorer as ex
from explorer.formatting import leaves
from explorer.messages import message, plural
from pages.grow.stability import root_part
from pages.settings.settings import Settings


def show(pairs: Sequence[tuple[Settings, ex.Stability]]) -> None:
    """Root features and the mean share of the nodes, for each table."""
    if not pairs:
        return
    for column, (settings, made) in zip(st.columns(len(pairs)), sorted(pairs, key=_name), strict=True):
        with column:
            has_row = settings.sample == "play_tennis_noise15"
            st.markdown(message("**With row 15**") if has_row else message("**Without row 15**"))
            st.html(root_part.bars(made, is_narrow=True))
            st.caption(_summary(made))


def _name(pair: tuple[Settings, ex.Stability]) -> str:
    return pair[0].sample


def _summary(made: ex.Stability) -> str:
    """Size, and how often the whole tree is grown again."""
    same = plural(
        made.n_same,
        "{n} of {all} trees divides the rows as this tree does.",
        "{n} of {all} trees divide the rows as this tree does.",
        all=made.n_resamples,
    )
    return message("{leaves}. {same}", leaves=leaves(made.tree.n_leaves), same=same)
