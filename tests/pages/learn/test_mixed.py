"""How mixed is a node, and what does a split tell: numbers against closed forms, the reference, and laws of entropy."""

import json
import math

import pytest

from explorer.messages import chinese, spoken_in
from pages.learn.path import scene_of
from pages.results.lessons.mixtures import NATS, impurity_of
from tests.folders import ROOT
from tests.pages.learn.numbers_mixed import NUMBERS

GOLDEN = json.loads((ROOT / "tests/reference/golden/golden.json").read_text("utf-8"))
SCENES = {name: scene_of(name).steps for name in ("mixed", "information")}


def step(scene, name, **chosen):
    (found,) = (step for step in SCENES[scene](chosen) if step.name == name)
    return found


@pytest.mark.parametrize("row", NUMBERS, ids=lambda row: f"{row[2]}.{row[3]}.{row[4]}")
def test_a_number_of_a_textbook(row):
    _, path, scene, name, number = row
    expected = GOLDEN
    for key in path:
        expected = expected[key]
    assert step(scene, name).numbers[number] == pytest.approx(expected, abs=1e-9)


def test_nats_are_bits_times_the_logarithm_of_two():
    units = step("mixed", "units", unit=NATS).numbers
    for bag in ("14 days", "6 of 10"):
        assert units[f"{bag} in nats"] == pytest.approx(units[f"{bag} in bits"] * math.log(2))
    assert units["14 days in nats"] == pytest.approx(0.6517565612)


@pytest.mark.parametrize("measure", ["entropy", "gini", "error"])
@pytest.mark.parametrize("k", [2, 3, 7])
def test_equal_shares_are_the_most_mixed(measure, k):
    largest = math.log2(k) if measure == "entropy" else 1 - 1 / k
    assert impurity_of(measure, [4] * k) == pytest.approx(largest)
    assert impurity_of(measure, [5] + [4] * (k - 1)) < largest
    assert impurity_of(measure, [4] + [0] * (k - 1)) == 0


def test_every_measure_is_offered_for_three_classes():
    names = step("mixed", "triangle").choices[0].options
    assert [step("mixed", "triangle", measure=measure).number.value for measure in names] == pytest.approx(
        [math.log2(3), 2 / 3, 2 / 3]
    )


@pytest.mark.parametrize("feature", ["Outlook", "Humidity", "Wind", "Temperature"])
def test_gain_is_what_is_left_subtracted_and_the_same_both_ways(feature):
    gain = step("information", "gain", feature=feature).numbers
    assert gain[f"gain {feature}"] == pytest.approx(GOLDEN["play_tennis"]["gain"][feature], abs=1e-9)
    assert gain["entropy"] - gain[f"conditional entropy {feature}"] == pytest.approx(gain[f"gain {feature}"])
    mutual = step("information", "mutual", feature=feature)
    assert mutual.number.value == pytest.approx(gain[f"gain {feature}"])
    given = mutual.numbers[f"entropy of {feature} given the class"]
    assert mutual.numbers[f"entropy of {feature}"] - given == pytest.approx(mutual.number.value)


def test_an_independent_feature_tells_nothing():
    coin = step("information", "coin").numbers
    assert coin["conditional entropy Coin"] == pytest.approx(coin["entropy"], abs=1e-12)


def test_the_conditional_entropy_is_the_weighted_mean_and_the_wrong_options_are_not():
    remaining = step("information", "remaining")
    h = -0.4 * math.log2(0.4) - 0.6 * math.log2(0.6)
    assert remaining.number.value == pytest.approx(10 / 14 * h)
    assert remaining.question.options == (f"{2 / 3 * h:.3f}", f"{10 / 14 * h:.3f}", f"{2 * h:.3f}")
    assert remaining.question.right == (1,)


def test_wind_leaves_the_error_rate_and_humidity_lowers_it():
    """5 errors of 14 before; 2 + 3 with Wind, 3 + 1 with Humidity."""
    assert step("information", "chords").number.value == pytest.approx(0, abs=1e-12)
    assert step("information", "chords").question.right == (0,)
    humidity = step("information", "chords", two_way="Humidity")
    assert humidity.number.value == pytest.approx(1 / 14)
    assert humidity.question.right == (1,)


def test_the_balls_drawn_are_those_of_the_bag_and_take_as_many_questions_as_the_entropy():
    questions = step("mixed", "questions")
    picture = questions.picture
    assert tuple(picture.order.count(code) for code in range(3)) == picture.counts
    taken = [min(code + 1, 2) for code in picture.order]
    assert questions.number.value == pytest.approx(sum(taken) / len(taken))


@pytest.mark.parametrize("scene", SCENES)
def test_steps_are_short_and_every_text_has_its_words_in_chinese(scene):
    english = SCENES[scene]({})
    assert 3 <= len(english) <= 7
    for each in english:
        sentences = [part for part in each.text.split(". ") if part]
        assert len(sentences) <= 2
        assert all(len(part.split()) <= 25 for part in sentences), each.text
    with spoken_in(chinese()):
        for one, other in zip(english, SCENES[scene]({}), strict=True):
            assert one.title != other.title
            assert one.text != other.text
            assert one.numbers == other.numbers
