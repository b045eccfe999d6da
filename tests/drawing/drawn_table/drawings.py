"""Drawings at random, for the laws of drawn tables."""

import numpy as np
from hypothesis import strategies as st

from explorer.drawing.drawn_table.points import DrawnTable


@st.composite
def drawings(draw, targets=("2", "3", "number"), least=2, most=40):
    """A table of a few points, on a coarse grid so that values repeat."""
    target = draw(st.sampled_from(targets))
    largest = 100 if target == "number" else int(target) - 1
    n = draw(st.integers(least, most))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    x, y = rng.integers(0, 41, (2, n)) * 25
    return DrawnTable(x, y, rng.integers(0, largest + 1, n), target)


def has_something_to_predict(table):
    """Whether two classes or two numbers are there."""
    return len(set(table.marks.tolist())) > 1
