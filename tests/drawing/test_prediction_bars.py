"""The bars of a prediction: every class of a few, of many those that have a share."""

import re

import numpy as np

from explorer.drawing.figures.class_bar import prediction_bars
from explorer.drawing.palette import LIGHT


def names(bars: str) -> list[str]:
    """The classes from the top down."""
    return re.findall(r'title="(.*?)"', bars)


def test_a_few_classes_all_have_their_bar():
    bars = prediction_bars(["a", "<b>", "c"], [0.0, 0.75, 0.25], LIGHT)
    assert names(bars) == ["a", "&lt;b&gt;", "c"]
    assert re.findall(r"<span[^>]*>(.*?)</span>", bars) == ["0 %", "75.0 %", "25.0 %"]
    assert re.findall(r"width:calc.*? \* (.*?)\)", bars) == ["0.000000", "0.750000", "0.250000"]


def test_of_many_classes_only_the_largest_with_a_share_are_drawn():
    classes = [f"k{code}" for code in range(30)]
    shares = np.zeros(30)
    shares[[3, 20]] = 0.4, 0.6
    assert names(prediction_bars(classes, shares, LIGHT)) == ["k3", "k20"]
    assert len(names(prediction_bars(classes, np.full(30, 1 / 30), LIGHT))) == 12
