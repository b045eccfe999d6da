"""Every number of the books' worked examples is shown in a scene, and equals the recomputed one."""

import dataclasses
import importlib
import json
import re
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

from explorer.candidates.measures import measures
from explorer.drawing.pictures.picture import Picture
from pages.learn.path import SCENES, scene_of
from pages.learn.scenes.step import TreePicture
from tests.folders import GOLDEN_FOLDER

MODULES = sorted(path.stem for path in Path(__file__).parent.glob("numbers_*.py"))
NUMBERS = [row for name in MODULES for row in importlib.import_module(f"tests.pages.learn.{name}").NUMBERS]
"""Source, path in the golden files, scene, step, and the number's name in the step."""
FILES = ("golden.json", "golden_ensembles.json")
TOKEN = re.compile(r"([-−]?\d[\d,]*(?:\.\d+)?)(?:\s*/\s*(\d+))?(\s?%)?")
CALCULATION = re.compile(r"(?<![\w)])([\d.()·/+−* ]*[·/+−][\d.()·/+−* ]*[\d)]) (=|≈) (−?\d+(?:\.\d+)?)(?![\d.]*/\d)")
_LEAST_DIGITS = 3
DRAWN = {("mixed", "play"), ("information", "chords"), ("pessimistic", "upper limit")}
"""Steps whose pictures work the number out from counts, in the browser, as the reader moves them."""


@cache
def golden(name):
    return json.loads((GOLDEN_FOLDER / name).read_text("utf-8"))


def golden_value(path):
    found = next(golden(name) for name in FILES if path[0] in golden(name))
    for key in path:
        found = found[key]
    return float(Fraction(found)) if isinstance(found, str) else float(found)


@cache
def steps(scene):
    return {step.name: step for step in scene_of(scene).steps({})}


def texts_in(value: object) -> Iterator[str]:
    """All texts in a picture, and its numbers as the browser has them."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from texts_in(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from texts_in(each)
    elif isinstance(value, int | float):
        yield repr(value)


def shown_in(step):
    """The texts of a step, and the numbers in its picture, its tree and its table of candidates."""
    question, number = step.question, step.number
    yield from (step.title, step.text, number.name, f"{number.value:,.{number.digits}f}")
    if number.derivation is not None:
        yield number.derivation.text
    if question is not None:
        yield from (question.text, question.because, *question.options)
    for picture in filter(None, (step.picture, step.before)):
        if isinstance(picture, TreePicture):
            yield from (repr(float(count)) for stats in picture.tree.stats for count in stats)
        elif isinstance(picture, Picture):
            yield from texts_in(picture.plain())
        else:
            yield from texts_in(dataclasses.asdict(picture))
    if step.competition is not None:
        tree = step.competition.tree
        for best in step.competition.decision.best.values():
            numbers = (*measures(best, tree.recipe, tree.is_regression).values(), best.score, best.weighted_impurity)
            yield from (f"{value:.4f}" for value in numbers if value is not None)


def says(text, value):
    """Whether a text has the number, exactly or rounded to three digits at least; as a fraction or in per cent too."""
    for whole, below, percent in TOKEN.findall(text):
        plain = whole.replace(",", "").replace("−", "-")
        shown = float(plain) / (float(below) if below and float(below) else 1.0)
        decimals = len(plain.partition(".")[2])
        scale = 100.0 if percent else 1.0
        digits = plain.replace(".", "").lstrip("-0")
        if abs(shown / scale - value) <= 1e-9 * max(1.0, abs(value)):
            return True
        is_precise = not below and len(digits) >= _LEAST_DIGITS - (abs(value) < 1)
        if is_precise and decimals and abs(shown - value * scale) <= 0.5000001 * 10.0**-decimals:
            return True
    return False


def calculations_in(text):
    """The calculations with decimals that a text writes out: their values, the sign, and the result shown."""
    for written, sign, result in CALCULATION.findall("" if "log" in text else text):
        expression = written.strip().lstrip("·/+ ")
        if "." in expression and not expression.startswith("−"):
            yield eval(expression.replace("·", "*").replace("−", "-"), {}), sign, float(result.replace("−", "-"))


def test_a_calculation_of_rounded_numbers_is_equal_only_where_it_is_as_it_stands():
    """0.940 − 0.694 is 0.246, so that the gain of 0.247 bits follows ≈ there."""
    assert list(calculations_in("gain = 0.5 − 0.25 = 0.25 bits")) == [(0.25, "=", 0.25)]
    found = {}
    for scene in SCENES:
        for step in steps(scene.name).values():
            found |= {(scene.name, step.name, each): each for text in shown_in(step) for each in calculations_in(text)}
    assert len(found) > 100
    assert [key for key, (value, sign, shown) in found.items() if (abs(value - shown) < 1e-9) != (sign == "=")] == []


def test_a_number_is_found_in_a_text_only_where_it_stands_there():
    assert says("gain 0.247 bits", 0.24674982)
    assert says("a share of 5/14", 5 / 14)
    assert says("92.9 %", 13 / 14)
    assert not says("gain 0.246 bits", 0.24674982)
    assert not says("gain 0.2 bits", 0.24674982)


def test_the_list_has_the_numbers_of_all_scenes_with_worked_examples():
    assert len(NUMBERS) > 300
    assert len({row[2] for row in NUMBERS}) > 15


def printed_numbers():
    """Every number that a book prints of a worked example, by the table; the last digit may be cut off or rounded."""
    for name in FILES:
        for table, found in golden(name).items():
            yield from ((table, value) for value in numbers_below(found, is_printed=False))


def numbers_below(found, is_printed):
    if isinstance(found, dict):
        for key, value in found.items():
            yield from numbers_below(value, is_printed or key == "published")
    elif isinstance(found, list):
        for value in found:
            yield from numbers_below(value, is_printed)
    elif is_printed and (not isinstance(found, str) or re.fullmatch(r"-?\d+(/\d+)?", found)):
        yield found


def test_every_number_that_a_book_prints_is_in_the_list():
    """As exact, or as the book has it where it rounds on the way."""
    listed: dict[str, list[float]] = {}
    for _, path, *_ in NUMBERS:
        listed.setdefault(path[0], []).append(golden_value(path))
    missing, printed = [], list(printed_numbers())
    for table, value in printed:
        decimals = len(repr(value).partition(".")[2]) if isinstance(value, float) else 0
        number = float(Fraction(value)) if isinstance(value, str) else float(value)
        near = 1e-9 if isinstance(value, str) else 1.0 * 10.0**-decimals if decimals else 0
        if not any(abs(abs(each) - abs(number)) <= near for each in listed.get(table, [])):
            missing.append((table, value))
    assert len(printed) > 90
    assert missing == []


@pytest.mark.parametrize("row", NUMBERS, ids=lambda row: f"{row[2]}: {row[3]}: {row[4]}")
def test_the_number_of_the_book_is_in_its_step(row):
    _, path, scene, step_name, name = row
    step = steps(scene)[step_name]
    value = step.numbers[name]
    expected = golden_value(path)
    decimals = len(repr(expected).partition(".")[2])
    printed = 0.5 * 10.0**-decimals if decimals in (3, 4) else 1e-6  # some are kept as the book prints them
    assert value == pytest.approx(expected, rel=1e-6, abs=printed)
    is_shown = (scene, step_name) in DRAWN or any(says(text, value) for text in shown_in(step))
    assert is_shown, f"{value} is not shown"
