"""Colours keep apart for colour-blind readers and stand off the page; figures show names literally."""

import itertools
import re

import numpy as np
import pytest

from explorer.drawing.figures import data_figures
from explorer.drawing.figures.class_bar import class_bar
from explorer.drawing.palette import (
    DARK,
    LIGHT,
    PALETTES,
    class_colours,
    contrast,
    luminance,
    mean_ends,
    mix,
    text_on,
    theme,
)

# Severity 1.0 matrices of Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color
# Vision Deficiency" (2009), table 1, applied to linear RGB.
DEFICIENCIES = {
    "none": np.eye(3),
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
}
THEMES = [LIGHT, DARK]


def linear(colour):
    channels = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    return np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)


def lab(rgb):
    to_xyz = np.array(
        [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.072175], [0.0193339, 0.119192, 0.9503041]]
    )
    xyz = to_xyz @ np.clip(rgb, 0, 1) / np.array([0.95047, 1.0, 1.08883])
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def apart(one, other, deficiency):
    seen = [lab(np.array(DEFICIENCIES[deficiency]) @ linear(colour)) for colour in (one, other)]
    return float(np.linalg.norm(seen[0] - seen[1]))


@pytest.mark.parametrize("colours", THEMES, ids=lambda t: t.name)
@pytest.mark.parametrize("deficiency", DEFICIENCIES)
def test_the_first_six_class_colours_stay_apart(colours, deficiency):
    closest = min(apart(a, b, deficiency) for a, b in itertools.combinations(colours.classes[:6], 2))
    assert closest > 12


@pytest.mark.parametrize("colours", THEMES, ids=lambda t: t.name)
def test_class_colours_stand_off_the_page(colours):
    assert min(contrast(colour, colours.background) for colour in colours.classes) >= 3


@pytest.mark.parametrize("colours", THEMES, ids=lambda t: t.name)
def test_texts_can_be_read(colours):
    assert contrast(colours.text, colours.background) >= 7
    assert contrast(colours.quiet, colours.background) >= 4.5
    assert min(contrast(text_on(colour), colour) for colour in colours.classes) >= 4.5


@pytest.mark.parametrize("name", ["light", "dark"])
@pytest.mark.parametrize("palette", PALETTES)
def test_every_palette_stands_off_the_page_and_can_be_written_on(palette, name):
    chosen = theme(name, palette)
    assert min(contrast(colour, chosen.background) for colour in chosen.classes) >= 3
    shades = [mix(*mean_ends(name, palette), step / 50) for step in range(51)]
    many = class_colours(30, name, palette)
    assert min(contrast(text_on(colour), colour) for colour in [*many, *shades]) >= 4.5


@pytest.mark.parametrize("name", ["light", "dark"])
@pytest.mark.parametrize("deficiency", ["none", "protanopia", "deuteranopia"])
def test_okabe_and_itos_first_six_colours_stay_apart(name, deficiency):
    six = class_colours(6, name, "okabe_ito")
    assert min(apart(a, b, deficiency) for a, b in itertools.combinations(six, 2)) > 12


@pytest.mark.parametrize("name", ["light", "dark"])
def test_greys_differ_in_lightness_and_neighbours_most(name):
    lightness = [lab(linear(colour))[0] for colour in class_colours(6, name, "greys")]
    assert min(abs(a - b) for a, b in itertools.combinations(lightness, 2)) > 9
    assert min(abs(a - b) for a, b in itertools.pairwise(lightness)) > 17


@pytest.mark.parametrize("name", ["light", "dark"])
@pytest.mark.parametrize("palette", PALETTES)
def test_larger_means_are_ever_stronger(palette, name):
    steps = [luminance(mix(*mean_ends(name, palette), step / 20)) for step in range(21)]
    changes = np.diff(steps)
    assert (changes < 0).all() or (changes > 0).all()


def test_an_unknown_palette_is_the_safe_one():
    assert class_colours(3, "dark", "rainbow") == class_colours(3, "dark")


def test_figures_take_the_palette_of_their_theme():
    figure = data_figures.share_bar(["a", "b"], [3.0, 1.0], theme("light", "greys"))
    assert figure.data[0].marker.color == "#111111"


def test_more_classes_than_colours_still_get_one_each():
    assert len(set(class_colours(26, "light"))) == 26
    assert len(set(class_colours(26, "dark"))) == 26


def test_an_unknown_theme_is_light():
    assert theme(None) is LIGHT


def test_names_in_figures_are_not_markup():
    figure = data_figures.share_bar(["<b>x</b>", "y"], [3.0, 1.0], LIGHT)
    assert "<b>" not in figure.to_json()
    assert "&lt;b&gt;x" in figure.data[0].text.replace("\u003c", "<")


def test_a_bar_of_classes_as_html_has_names_as_text_and_a_part_for_each_class_with_rows():
    """7 of 10 rows are 70 %, 3 of 10 are 30 %; the class without rows has no part."""
    bar = class_bar(['<b onclick="x">', "y", "none"], [7.0, 3.0, 0.0], LIGHT)
    assert "<b" not in bar
    assert "&lt;b onclick=&quot;x&quot;&gt;: 7 rows, 70.0" in bar
    assert re.findall(r"<span[^>]*>([^<]+)</span>", bar)[-2:] == ["y  3", "(30.0 %)"], (
        "a narrow part loses its share first"
    )
    assert [bar.count("flex:7 1 0"), bar.count("flex:3 1 0"), bar.count("title=")] == [1, 1, 2]
    assert "none:" not in bar


def test_the_best_threshold_is_marked_where_it_is():
    figure = data_figures.gain_by_threshold([60.0, 50.0, 85.0], [0.1, 0.3, 0.2], 50.0, ("t", "gain"), DARK)
    assert list(figure.data[0].x) == [50.0, 60.0, 85.0]
    assert (figure.data[1].x[0], figure.data[1].y[0]) == (50.0, 0.3)


def test_beyond_a_few_classes_a_bar_says_to_point_at_it_and_has_no_legend():
    few = data_figures.share_bar([f"class {k}" for k in range(8)], np.ones(8), LIGHT)
    many = data_figures.share_bar([f"class {k}" for k in range(30)], np.ones(30), LIGHT)
    assert (few.layout.showlegend, many.layout.showlegend) == (True, False)
    assert not few.layout.annotations
    assert many.layout.annotations[0].text.startswith("30 classes")


def test_a_legend_cuts_a_long_name_and_the_bar_itself_has_it_whole():
    figure = data_figures.share_bar(["n" * 300, "m"], [3.0, 1.0], LIGHT)
    assert figure.data[0].name == "n" * 17 + "…: 3"
    assert "n" * 300 in figure.data[0].hovertemplate
