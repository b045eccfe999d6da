"""Scenes on attributes, the date, thresholds, gain ratio and missing values: their numbers against the reference.

Also laws: what a step says of the best one holds for all, and what it shows adds up.
"""

import json
import re
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

import explorer as ex
from explorer.drawing.pictures.row_groups import RowGroups
from explorer.messages import chinese, spoken_in
from pages.learn.path import SCENES
from pages.learn.scenes.step import TreePicture
from pages.learn.vocabulary.threshold_cuts import changes_class
from tests.folders import GOLDEN_FOLDER
from tests.oracles.chart_marks import marks_of, named
from tests.pages.learn.numbers_grow1 import NUMBERS

FILES = ("golden.json", "golden_ensembles.json")
GOLDEN = {key: value for name in FILES for key, value in json.loads((GOLDEN_FOLDER / name).read_text("utf-8")).items()}
NAMES = ("which_attribute", "day_column", "thresholds", "gain_ratio", "missing_cells")
BY_NAME = {scene.name: scene for scene in SCENES}


def steps_of(name, **chosen):
    return {step.name: step for step in BY_NAME[name].steps(chosen)}


def reference(path):
    value = GOLDEN
    for key in path:
        value = value[key]
    return float(Fraction(value)) if isinstance(value, str) else value


@pytest.mark.parametrize("name", NAMES)
def test_the_numbers_of_a_scene_are_those_of_the_textbooks(name):
    steps = steps_of(name)
    rows = [row for row in NUMBERS if row[2] == name]
    assert len(rows) > 10
    for _, path, _, step, number in rows:
        precision = 5e-5 if "published" in path else 5e-10  # the table of animals prints four decimals
        assert steps[step].numbers[number] == pytest.approx(reference(path), abs=precision), (step, number)


def test_an_outlier_changes_no_gain_and_no_other_threshold():
    plain, outlier = (steps_of("thresholds", warmest=warmest)["best threshold"] for warmest in ("90", "150"))
    moved = {name.replace("gain 115", "gain 85"): value for name, value in outlier.numbers.items()}
    assert moved == pytest.approx(plain.numbers)
    assert 150 in [mark["x"] for mark in named(marks_of(outlier.picture, panel=1), "row")]


def test_branch_entropies_that_are_printed():
    """0.9544, 0 and 0.8113, as printed with four decimals."""
    printed = GOLDEN["mammals"]["published"]["branch entropies 饮食习性"]
    numbers = steps_of("gain_ratio")["diet"].numbers
    assert {value: numbers[f"entropy {value}"] for value in printed} == pytest.approx(printed, abs=5e-5)


def test_days_left_out_are_counted_as_a_plain_loop_does():
    """A tree on the date predicts the majority of the other 13 days."""
    frame = ex.load_sample("play_tennis").frame
    features = ["Outlook", "Temperature", "Humidity", "Wind"]
    by_day = by_weather = 0
    for left_out, row in frame.iterrows():
        others = frame.drop(index=left_out)
        by_day += others["PlayTennis"].mode()[0] == row["PlayTennis"]
        tree = ex.grow(ex.Dataset.from_frame(others, "PlayTennis", features=features), ex.ID3)
        by_weather += tree.predict(frame.loc[[left_out]])[0] == row["PlayTennis"]
    numbers = steps_of("day_column")["a new day"].numbers
    assert (numbers["right by Day"], numbers["right by weather"]) == (by_day, by_weather)


def test_thresholds_of_either_number_of_the_golf_table():
    for feature in ("humidity", "temperature"):
        step = steps_of("thresholds", number=feature)["fourteen days"]
        expected = {f"gain {each['t']:g}": each["gain"] for each in GOLDEN["golf"][feature]["thresholds"]}
        assert {name: step.numbers[name] for name in expected} == pytest.approx(expected, abs=5e-10)
    assert steps_of("thresholds", number="?")["fourteen days"].picture.slider == "Threshold of humidity"


def test_class_changes_are_those_of_the_reference():
    step = steps_of("thresholds")["class changes"]
    assert [not mark["hollow"] for mark in named(marks_of(step.picture), "cut")] == [
        each["class_change"] for each in GOLDEN["temperature6"]["thresholds"]
    ]


def test_the_best_threshold_of_any_rows_changes_class():
    """Fayyad and Irani's theorem, by which thresholds are marked as out."""
    generator = np.random.default_rng(5)
    for _ in range(30):
        values = generator.integers(0, 9, 14).astype(float)
        codes = generator.integers(0, 2, 14)
        if len(set(values)) < 2 or len(set(codes)) < 2:
            continue
        frame = {"x": values, "y": [f"c{code}" for code in codes]}
        data = ex.Dataset.from_frame(pd.DataFrame(frame), "y", kinds={"x": "numeric"})
        decision = ex.decide(ex.grow(data, ex.CART.replace(impurity="entropy")), data, 0)
        best = max(candidate.gain for candidate in decision.candidates)
        changing = [c.gain for c in decision.candidates if changes_class(values, codes, c.condition.threshold)]
        assert max(changing) == pytest.approx(best)


def test_three_places_for_one_threshold():
    """70 is the largest sunny value below, 77.5 the midpoint to 85, and 75 the largest of all days up to there."""
    frame = ex.load_sample("golf").frame
    sunny = frame.loc[frame["outlook"] == "sunny", "humidity"]
    middle = (sunny[sunny < 80].max() + sunny[sunny > 80].min()) / 2
    numbers = steps_of("thresholds")["placement"].numbers
    assert numbers["observed"] == sunny[sunny < 80].max()
    assert numbers["midpoint"] == middle
    assert numbers["c45"] == frame.loc[frame["humidity"] <= middle, "humidity"].max() == 75


@pytest.mark.parametrize("name", NAMES)
def test_a_scene_has_questions_whose_right_option_is_there(name):
    steps = BY_NAME[name].steps({})
    questions = [step.question for step in steps if step.question is not None]
    assert 3 <= len(steps) <= 7
    assert len(questions) >= len(steps) / 3
    for question in questions:
        assert len(set(question.options)) == len(question.options) >= 2
        assert all(0 <= right < len(question.options) for right in question.right)
    assert all(step.before is not None for step in steps if step.question is not None and step.name != "a new day")


@pytest.mark.parametrize("name", NAMES)
def test_a_step_says_what_it_is_in_few_words(name):
    for step in BY_NAME[name].steps({}):
        sentences = [part for part in re.split(r"(?<=[.?:])\s", step.text) if part]
        assert all(len(sentence.split()) <= 27 for sentence in sentences), (step.name, sentences)
        assert (
            step.number.derivation is None
            or step.number.derivation.formulas[-1].value == pytest.approx(step.number.value, abs=1e-9)
            or name == "missing_cells"
        )


@pytest.mark.parametrize("name", NAMES)
def test_branches_hold_every_row_once(name):
    pictures = [picture for step in BY_NAME[name].steps({}) for picture in (step.picture, step.before)]
    for picture in pictures:
        if isinstance(picture, RowGroups):
            for division in picture.divisions:
                rows = sorted(row for group in division.groups for row in group.rows)
                assert rows == list(range(len(picture.rows)))


def test_the_tree_grows_by_one_split_a_step():
    shown = [
        step.picture.position for step in BY_NAME["which_attribute"].steps({}) if type(step.picture) is TreePicture
    ]
    assert shown == [1, 2, 3, 3]


def test_names_of_the_animals_are_explained_in_english_alone():
    english = steps_of("gain_ratio")
    with spoken_in(chinese()):
        translated = steps_of("gain_ratio")
    assert english["diet"].picture.divisions[0].name == "饮食习性 (diet)"
    assert translated["diet"].picture.divisions[0].name == "饮食习性"
    for steps, test, name in ((english, "胎生动物 (live birth)", "是 (yes)"), (translated, "胎生动物", "是")):
        tree = steps["below the root"].picture.tree
        assert tree.condition(0).feature == test
        assert {name} <= set(tree.classes) & set(tree.features[tree.feature[0]].labels)
