"""The sheet of exercises: stands alone, is the same for the same seed, escapes text, and its solutions are right."""

import re

import pandas as pd
import pytest

import explorer as ex
from explorer.data.samples import SAMPLES
from explorer.explaining import candidate_formulas
from explorer.explaining.exercises import EXERCISE_KINDS, by_hand, random_table
from explorer.explaining.formulas.derivation import figure
from explorer.export.exercise_sheet import exercise_sheet, sheet_exercises
from explorer.messages import chinese, spoken_in


def table(sample: str) -> ex.Dataset:
    known = SAMPLES[sample]
    frame = ex.load_sample(sample).frame
    return by_hand(ex.Dataset.from_frame(frame, known.target, features=known.features, kinds=known.kinds), 0)


def solutions_of(page: str) -> str:
    return page.split('<div class="solutions">')[1]


def test_the_solutions_are_the_candidates_of_the_package():
    data = table("play_tennis")
    tree = ex.grow(data, ex.ID3)
    solved = solutions_of(exercise_sheet(data, 0, 4, ["gain"]))
    decision = ex.decide(tree, data, 0)
    assert len(decision.candidates) == 4
    for candidate in decision.candidates:
        assert f"<td>{figure(candidate.gain)}</td>" in solved
        for formula in candidate_formulas(tree.node(0), candidate)["gain"].formulas:
            printed = formula.text.replace("log2(", "log₂(")
            assert f"<li>{printed}</li>" in solved


def test_the_same_seed_gives_the_same_sheet_and_another_seed_another():
    pages = [exercise_sheet(random_table(seed), seed, 3) for seed in (1, 1, 2)]
    assert pages[0] == pages[1] != pages[2]


def test_without_solutions_there_is_no_result():
    page = exercise_sheet(table("golf"), 0, 5, solutions=False)
    assert "≈" not in page
    assert 'class="solutions"' not in page
    assert page.count("<td></td>") > 40, "blanks to fill in"


def test_the_blanks_come_before_the_solutions_and_hold_nothing():
    page = exercise_sheet(table("golf"), 0, 5)
    asked = page.split('<div class="solutions">')[0]
    assert "≈" not in asked
    assert asked.count('<section class="exercise">') == solutions_of(page).count('<section class="exercise">') == 5


def test_no_exercise_is_on_a_sheet_twice():
    made = sheet_exercises(table("play_tennis"), 0, 12)
    tasks = [each.task for each in made]
    assert len(set(tasks)) == len(tasks) >= 8


def test_the_page_loads_nothing_and_shows_text_as_text():
    nasty = '**x** <img src="https://example.org/x" onerror=alert(1)>& $y$ :red[z]'
    frame = pd.DataFrame({nasty: ["a", "b", "<b>"] * 4, "y": ["<i>", "no", "no", "no"] * 3})
    data = by_hand(ex.Dataset.from_frame(frame, "y", features=[nasty]), 0)
    page = exercise_sheet(data, 0, 3)
    with spoken_in(chinese()):
        assert "<img" not in exercise_sheet(data, 0, 3)
    assert "<img" not in page
    assert "<b>" not in page
    assert "<i>" not in page
    assert "&lt;img src=" in page
    assert "default-src 'none'" in page
    assert re.findall(r"<(?:script|link|iframe)", page) == []


def test_the_sheet_speaks_chinese():
    with spoken_in(chinese()):
        page = exercise_sheet(table("loan_lihang"), 0, 7)
    text = re.sub(r"<style>.*?</style>|<[^>]+>", " ", page, flags=re.DOTALL)
    assert 'lang="zh-Hans"' in page
    assert "解答" in text
    assert re.findall(r"[A-Za-z]{5,}", text.replace("Decision Tree Explorer", "")) == []


@pytest.mark.parametrize("kind", EXERCISE_KINDS)
def test_every_kind_can_be_printed(kind):
    entry = EXERCISE_KINDS[kind]
    assert exercise_sheet(table(entry.sample), 1, 2, [kind]).count("<section") >= 2


@pytest.mark.parametrize("n", [0, 13])
def test_a_sheet_has_one_to_twelve_exercises(n):
    with pytest.raises(ex.InputError, match="1 to 12"):
        exercise_sheet(table("golf"), 0, n)
