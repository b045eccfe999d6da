"""A method of pruning step by step: the tree with a slider over the steps, and the numbers of each."""

from __future__ import annotations

from pages.results.pruning_steps import StepSequence
from pages.widgets import formula, tree_panels


def show(name: str, sequence: StepSequence, palette: str) -> None:
    """The steps, and beneath them the numbers of the step shown."""
    step = tree_panels.show_steps(name, sequence.tree, sequence.pack, sequence.content, palette, sequence.begin)
    derivation = sequence.formula(step) if step > 0 else None
    if derivation is not None:
        formula.show(derivation, name)
