"""A formula wherever a page shows one: as mathematics, with what its symbols stand for, and to copy."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

import explorer as ex
from explorer.explaining import Derivation, probability_formula
from explorer.explaining.formulas.expression import Quotient
from explorer.formatting import amount, percent, visible
from explorer.messages import message
from pages.text import escape_markdown

_MANY = 14
"""A longer legend scrolls within this many lines."""
_TALL = 640
"""Pixels within which a long derivation scrolls."""
_LINE, _LETTERS = 26, 110
"""Pixels of one line of the legend, and about how many letters it holds."""


def show(derivation: Derivation, key: str) -> None:
    """The formulas of one number, from the counts to the result."""
    with st.container(border=True, key=f"formula.{key}"):
        with st.container(height=_TALL if derivation.is_long else "content", border=False):
            st.latex(derivation.narrow, width="stretch")
        if derivation.is_cut:
            st.caption(message("The middle is left out here; “Copy” gives the complete formula."))
        _legend(derivation)
        with st.popover(message("Copy"), icon=":material/content_copy:"):
            st.markdown(message("As text"))
            st.code(visible_lines(derivation.text), language=None, wrap_lines=True, height=140)
            st.markdown(message("As LaTeX"))
            st.code(derivation.latex, language="latex", wrap_lines=True, height=140)


def opened(label: str, derive: Callable[[], Derivation | None], key: str) -> None:
    """The same behind a button, for a number that has a sentence of its own; worked out when it is opened."""
    folded = st.popover(label, icon=":material/function:", key=f"formula.open.{key}", on_change="rerun")
    if folded.open:
        derivation = derive()
        with folded:
            if derivation is not None:
                show(derivation, key)


def show_fraction(tree: ex.Tree, node: int, code: int, key: str) -> None:
    """The probability of a class at a node as a worked fraction, with its formula behind it."""
    derived = probability_formula(tree, node, code)
    arithmetic = derived.result.quantity.meaning.written(latex=False, unfold=True)
    meaning, is_counted = derived.result.quantity.meaning, all(map(float.is_integer, tree.prior_stats[node].tolist()))
    if isinstance(meaning, Quotient) and not is_counted:  # shares of rows: few digits say enough
        arithmetic = f"{amount(meaning.top.value)}/{amount(meaning.bottom.value)}"
    share = message("p = {arithmetic} = {share}", arithmetic=arithmetic, share=percent(derived.result.value))
    opened(share, lambda: derived, key)


def visible_lines(text: str) -> str:
    """The text with its own line breaks, and nothing else invisible in it."""
    return "\n".join(visible(line) for line in text.split("\n"))


def _legend(derivation: Derivation) -> None:
    """What each symbol stands for, and what to know of the counts."""
    lines = [
        f"**{escape_markdown(visible(symbol))}**  {escape_markdown(visible(words))}"
        for symbol, words in derivation.legend
    ]
    lines += [escape_markdown(remark) for remark in derivation.remarks]
    height = sum(1 + len(line) // _LETTERS for line in lines)
    with st.container(height=_MANY * _LINE if height > _MANY else "content", border=False):
        st.caption("  \n".join(lines))
