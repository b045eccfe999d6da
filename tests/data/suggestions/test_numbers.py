"""Numbers stored as text are found, and become the numbers that a person reads."""

import numpy as np
import pytest

from tests.data.suggestions.columns import kinds_of, only, repaired, table_of


def test_per_cent_as_text_is_suggested_and_applied():
    table = table_of(["11.4%", "7.9 %", "", "-12%"], name="rate")
    suggestion = only(table)
    assert suggestion.sentence == "'rate' looks like a percentage stored as text (3 values). Convert it to a number?"
    assert (suggestion.column, suggestion.n_cells, suggestion.is_question) == ("rate", 3, False)
    assert suggestion.examples == (("11.4%", "11.4"), ("7.9 %", "7.9"), ("-12%", "-12"))
    assert suggestion.repair.label == "per cent as a number"
    again = suggestion.apply(table)
    assert again.frame["rate"].tolist()[:2] == [11.4, 7.9]
    assert again.frame["rate"].isna().tolist() == [False, False, True, False]
    assert (again.repairs, again.suggestions) == ((suggestion.repair,), ())
    assert table.frame["rate"].tolist()[:2] == ["11.4%", "7.9 %"]
    assert table.repairs == ()


@pytest.mark.parametrize(
    ("cells", "numbers"),
    [
        (["$40,160", "$7", "$1,250.5"], [40160, 7, 1250.5]),
        (["(1,200)", "1,300", "2,400.5"], [-1200, 1300, 2400.5]),
        (["1.200,50 €", "-3,00 €", "12.000.000,00 €"], [1200.5, -3, 12e6]),
        (["-$5.25", "$-5.50", "($5.75)", "$6.00-"], [-5.25, -5.5, -5.75, -6]),
        (["1 234,5", "1\u00a0235,5", "1\u202f236,5"], [1234.5, 1235.5, 1236.5]),
        (["CHF 1'234.50", "CHF 5.-", "chf 6"], [1234.5, 5, 6]),
        (["１２．５", "−３", "４"], [12.5, -3, 4]),
        (["1,23,456", "12,34,567", "999"], [123456, 1234567, 999]),
        (["EUR 5", "7 EUR", "9"], [5, 7, 9]),
        (["1,5e3", "2,5", "+3,5"], [1500, 2.5, 3.5]),
    ],
)
def test_a_written_number_becomes_the_number(cells, numbers):
    assert repaired(cells) == numbers


def test_whether_a_comma_groups_or_divides_is_asked_where_it_cannot_be_told():
    table = table_of(["1,200", "15,300", "7,450"])
    suggestion = only(table)
    assert suggestion.is_question
    assert "thousands separator or a decimal sign" in suggestion.sentence
    assert [ask.choice for ask in suggestion.alternatives] == ["',' separates thousands", "',' is the decimal sign"]
    assert [ask.label for ask in suggestion.alternatives] == [
        "text as a number (',' separates thousands)",
        "text as a number (',' is the decimal sign)",
    ]
    assert [suggestion.examples_of(ask)[0] for ask in suggestion.alternatives] == [("1,200", "1200"), ("1,200", "1.2")]
    assert suggestion.apply(table).frame["x"].tolist() == [1200, 15300, 7450]


@pytest.mark.parametrize(
    ("plain", "number"), [(range(500, 2300, 150), 1200), (range(1, 13), 1.2), ([*range(1, 10), 1500], None)]
)
def test_a_number_whose_comma_is_open_is_read_like_the_numbers_around_it(plain, number):
    """Within a factor of ten of numbers without a comma; where both readings are, the reader is asked."""
    table = table_of([*plain, "1,200"])
    assert only(table).is_question == (number is None)
    if number is not None:
        assert only(table).apply(table).frame["x"].tolist() == [*plain, number]


def test_whether_a_comma_groups_or_divides_is_asked_of_a_unit_too():
    suggestion = only(table_of(["1,200 kg", "15,300 kg", "7,450 kg"]))
    assert {ask.choice for ask in suggestion.alternatives} == {"',' separates thousands", "',' is the decimal sign"}


def test_what_does_not_fit_is_named_before_and_missing_afterwards():
    table = table_of([*(f"{i},5" for i in range(40)), "abc", "1.2.3"])
    suggestion = only(table)
    assert suggestion.sentence.endswith("2 cells do not fit and become missing: 'abc', '1.2.3'.")
    again = suggestion.apply(table)
    assert np.flatnonzero(again.frame["x"].isna()).tolist() == [40, 41]
    assert again.notes[-1] == "Column 'x': 2 cells did not fit and are missing now: 'abc', '1.2.3'."


def test_five_per_cent_may_not_fit_and_no_more():
    assert kinds_of(table_of([*(f"{i}%" for i in range(19)), "abc"])) == ["per_cent"]
    assert kinds_of(table_of([*(f"{i}%" for i in range(18)), "abc"])) == []


@pytest.mark.parametrize(
    "cells",
    [
        ["007", "012", "abc7"] * 3,
        ["+49 170 123", "+49 171 456", "555-1234"],
        ["1.2.3", "1.2.4", "1.3.0a"],
        ["$5", "€6", "$7"],
        ["A12", "B13", "C14"],
        ["12a", "13b", "14c"],
        ["1st", "2nd", "3rd"],
        ["12345678901234567890,5", "12345678901234567891,5"],
        ["3 Main Street", "5 High Street", "7 Park Avenue"],
        ["²", "½", "³"],
        ["1-2", "3-1", "0-0"],
        ["5%", "0.05", "0.07"],
    ],
)
def test_names_and_mixtures_stay_text(cells):
    assert kinds_of(table_of(cells)) == []


def test_phone_numbers_in_groups_of_three_stay_text():
    cells = ["555 123 456", "555 789 123", "555 456 789"]
    assert kinds_of(table_of(cells, name="Phone")) == []
    assert kinds_of(table_of(cells, name="people")) == ["numbers"]


@pytest.mark.parametrize(
    ("cells", "numbers"),
    [
        (["12 kg", "13.5 kg", "14kg"], [12, 13.5, 14]),
        (["1 day", "2 days", "10 days"], [1, 2, 10]),
        (["1 star", "2 stars", "3 stars", "5 stars"], [1, 2, 3, 5]),
        (["5 Sterne", "1 Stern", "4 Sterne"], [5, 1, 4]),
        (["1★", "5★", "3★"], [1, 5, 3]),
        (["3 years", "1 year", "7 years"], [3, 1, 7]),
        (["1500 g", "2 kg", "3 kg"], [1.5, 2, 3]),
        (["90 min", "2 h", "1.5 h"], [1.5, 2, 1.5]),
        (["1.5K", "2M", "300"], [1500, 2000000, 300]),
        (["80 km/h", "95 km/h", "110 km/h"], [80, 95, 110]),
        (["36.5 °C", "37.5 °C", "38.1 °C"], [36.5, 37.5, 38.1]),
    ],
)
def test_a_number_with_a_unit_becomes_a_number(cells, numbers):
    assert repaired(cells) == numbers


def test_a_mixture_of_units_is_a_question_and_names_the_factors():
    suggestion = only(table_of(["1500 g", "2 kg", "3 kg"]))
    assert suggestion.is_question
    assert "kg × 1, g × 0.001" in suggestion.sentence


def test_a_question_about_units_shows_a_cell_of_each():
    suggestion = only(table_of(["2 kg", "3 kg", "4 kg", "1500 g"]))
    assert suggestion.examples == (("2 kg", "2"), ("1500 g", "1.5"))


@pytest.mark.parametrize("cells", [["5 kg", "3 pcs", "7 kg"], ["5 kg", "800 g", "7"], ["5 kg", "6", "7"]])
def test_units_that_cannot_be_converted_are_left_alone(cells):
    assert kinds_of(table_of(cells)) == []


def test_a_number_without_the_unit_is_said():
    assert "1 cell without a unit is taken as it is." in only(table_of(["5 kg", "6 kg", "7"])).sentence


@pytest.mark.parametrize(("words", "asked"), [(1, True), (5, True), (6, False)])
def test_a_column_that_is_almost_one_of_numbers_is_asked_about(words, asked):
    """20 different numbers, and words: 20 of 25 cells are 80 %."""
    cells = [*(f"{1000 + 7 * k:,}" for k in range(10)), *map(str, range(500, 510)), *["abc"] * words]
    found = table_of([*cells, "?"]).suggestions
    questions = [suggestion for suggestion in found if suggestion.repair.kind == "numbers"]
    assert bool(questions) == asked
    if asked:
        (question,) = questions
        assert not question.is_certain, "never applied unasked"
        assert question.n_lost == words
        assert f"{words} cell" in question.sentence
        values = question.apply(table_of(cells)).frame["x"]
        assert values.tolist()[:20] == [*(1000 + 7 * k for k in range(10)), *range(500, 510)]
        assert values[20:].isna().all()


def test_a_few_numbers_among_words_are_categories():
    assert "numbers" not in kinds_of(table_of([*["1", "2", "3"] * 6, "crew", "crew"]))


@pytest.mark.parametrize(
    ("name", "cells", "inches"),
    [
        ("height", ["5'11", "6'0", "5'4"], [71, 72, 64]),
        ("x", ["5 ft 6 in", "6ft", "4 feet 11.5 inches"], [66, 72, 59.5]),
        ("x", ["5’7”", "6′1″", "5'8''"], [67, 73, 68]),
        ("Height", ["5-11", "6-0", "5-4"], [71, 72, 64]),
    ],
)
def test_feet_and_inches_become_inches(name, cells, inches):
    assert only(table_of(cells, name)).repair.kind == "feet"
    assert repaired(cells, name) == inches


@pytest.mark.parametrize(
    ("name", "cells"), [("score", ["5-11", "6-0", "5-4"]), ("height", ["5'12", "6'13", "5'30"]), ("x", ["5", "6", "7"])]
)
def test_other_pairs_of_numbers_are_no_feet(name, cells):
    assert "feet" not in kinds_of(table_of(cells, name))
