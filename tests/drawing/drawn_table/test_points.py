"""Drawn points as text, as a table and as a file."""

import io

import pandas as pd
import pytest
from hypothesis import given

from explorer.drawing.drawn_table.points import MOST_POINTS, points_of
from explorer.drawing.drawn_table.presets import PRESETS, preset_of
from explorer.errors import InputError
from tests.drawing.drawn_table.drawings import drawings
from tests.oracles.examples import law


@given(table=drawings(least=0))
@law(60)
def test_the_text_gives_the_points_again(table):
    again = points_of(table.text(), table.target)
    assert again.frame().equals(table.frame())
    assert len(table.text()) == 6 * table.n_points


@given(table=drawings(least=1))
@law(30)
def test_the_file_holds_the_table(table):
    pd.testing.assert_frame_equal(pd.read_csv(io.StringIO(table.csv())), table.frame(), check_dtype=False)


def test_a_point_is_two_digits_to_base_36_for_each_number():
    table = points_of("8c5k02", "3")  # 8·36 + 12 = 300 and 5·36 + 20 = 200 hundredths
    assert table.frame().to_dict("records") == [{"x": 3.0, "y": 2.0, "class": "C"}]


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("8c5k0", "2"),  # a letter is missing
        ("8c5k02", "2"),  # the third class of two
        ("rt0000", "2"),  # 1001 hundredths
        ("8c5k2t", "number"),  # 101 tenths
        ("8c5k-1", "2"),
        ("8C5K00", "2"),
    ],
)
def test_what_is_no_point_is_refused(text, target):
    with pytest.raises(InputError, match="draw them again"):
        points_of(text, target)


def test_too_many_points_are_refused():
    assert points_of("000000" * MOST_POINTS, "2").n_points == MOST_POINTS
    with pytest.raises(InputError, match="501 points"):
        points_of("000000" * (MOST_POINTS + 1), "2")


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_every_preset_fits_a_link_and_has_something_to_predict(preset):
    table = preset.drawn()
    assert table.n_points <= 60
    assert len(set(table.marks.tolist())) >= (3 if preset.target == "3" else 2)
    assert points_of(table.text(), table.target).text() == table.text() == preset.drawn().text()
    assert preset_of(preset.name) is preset
