"""Bars and figures of stability: the numbers are those given, and names from a table stay text."""

import re

import numpy as np
import pytest

from explorer.drawing.figures.stability_figures import share_bars, threshold_figure
from explorer.drawing.palette import DARK, LIGHT


def test_bars_are_as_long_as_their_shares_and_say_their_fractions():
    bars = share_bars([("Outlook", 11), ("Humidity", 3)], 14, LIGHT, "Outlook")
    assert re.findall(r"width:([\d.]+)%", bars) == ["78.57", "21.43"]
    assert "11 of 14 (78.6 %)" in bars
    assert re.findall(r"background:(#\w+)", bars) == [LIGHT.accent, LIGHT.line]
    assert "3/14" in share_bars([("Outlook", 11), ("Humidity", 3)], 14, LIGHT, is_narrow=True)


def test_names_are_text():
    bars = share_bars([('<img src=x onerror="alert(1)">', 1)], 1, DARK)
    assert "<img" not in bars
    assert 'title="&lt;img' in bars


@pytest.mark.parametrize("values", [[1.0, 2.0, 2.5, 9.0], [3.0]])
def test_the_box_has_the_quartiles(values):
    box, *_ = threshold_figure(values, 2.0, LIGHT).data
    assert [box.q1[0], box.median[0], box.q3[0]] == pytest.approx(np.quantile(values, [0.25, 0.5, 0.75]))
    assert (box.lowerfence[0], box.upperfence[0]) == (min(values), max(values))


def test_of_very_many_thresholds_not_all_are_points():
    box, *_ = threshold_figure(np.arange(5000.0), 2.0, LIGHT).data
    assert len(box.x[0]) <= 400
    assert box.median[0] == 2499.5
