"""A method of pruning step by step: the tree with a slider over the steps, and the numbers of each."""

from __future__ import annotations

import streamlit as st

from pages.results.pruning_steps import StepSequence
from pages.text import escape_markdown
from pages.widgets import formula, tree_panels


def show(name: str, sequence: StepSequence, palette: str) -> int:
    """The tree with its steps; gives the step shown."""
    return tree_panels.show_steps(name, sequence.tree, sequence.pack, sequence.content, palette, sequence.begin)


def show_formula(name: str, sequence: StepSequence, step: int) -> None:
    """What is decided in a step, and its numbers."""
    if 0 < step < len(sequence.captions):
        st.markdown(escape_markdown(sequence.captions[step]))
    derivation = sequence.formula(step) if step > 0 else None
    if derivation is not None:
        formula.show(derivation, name)
