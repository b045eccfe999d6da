"""What a reader says about values by hand: merged, in intervals, missing, and which rows are kept."""

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import explorer as ex
from explorer.data.suggestions.by_hand import names_of
from explorer.data.suggestions.repair import BY_HAND
from explorer.explaining.predict_file import repair_file
from explorer.messages import spoken_in
from tests.oracles.brackets import Bracketed, is_bracketed

FRAME = pd.DataFrame(
    {
        "grade": pd.Series(["A", "B", "F", None, "A", "C"], dtype="str"),
        "age": [17.0, 18.0, 40.0, np.nan, 65.0, 66.0],
        "day": pd.to_datetime(["2020-01-01", None, "2020-01-03", "2020-01-01", "2020-01-05", "2020-01-06"]),
        "flag": [True, False, True, True, False, True],
    }
)
REPAIRS = [
    ex.Repair("recoded", "grade", {"values": [["A", "pass"], ["B", "pass"], ["F", ""]]}),
    ex.Repair("intervals", "age", {"edges": [65, 18.0]}),
    ex.Repair("kept_rows", "", {"column": "grade", "values": ["pass", "C"], "low": None, "high": None}),
]
ONE_OF_EACH = ex.Repair("one_of_each", "", {"columns": ["grade", "age"]})


def repaired(*repairs):
    return ex.apply_repairs(ex.Table(FRAME, (), "people.csv"), repairs).frame


def test_merged_categories_have_the_new_name_and_an_empty_one_is_missing():
    assert repaired(REPAIRS[0])["grade"].fillna("").tolist() == ["pass", "pass", "", "", "pass", "C"]


def test_a_column_of_any_type_is_recoded():
    found = repaired(ex.Repair("recoded", "flag", {"values": [["true", "yes"]]}))["flag"]
    assert found.tolist() == ["yes", "false", "yes", "yes", "false", "yes"]
    assert repaired(ex.Repair("recoded", "age", {"values": [["66", "99"]]}))["age"].max() == 99.0


def test_a_column_without_these_cells_stays_as_it_is():
    untouched = ex.Repair("recoded", "age", {"values": [["a", "b"]]})
    pd.testing.assert_frame_equal(repaired(untouched), FRAME)


def test_the_first_of_equal_rows_is_kept_and_a_file_to_be_predicted_keeps_all():
    cells = pd.DataFrame({"id": [1, 2, 3, 4, 5], "x": [1.0, np.nan, 1.0, np.nan, 1.0], "y": ["a", "b", "a", "b", "b"]})
    table = ex.Table(cells, (), "rows.csv")
    repair = ex.Repair("one_of_each", "", {"columns": ["x", "y"]})
    assert ex.apply_repairs(table, [repair]).frame["id"].tolist() == [1, 2, 5]
    of_all = ex.Repair("one_of_each", "", {"columns": ["id", "x", "y", "gone"]})
    assert ex.apply_repairs(table, [of_all]).frame["id"].tolist() == [1, 2, 3, 4, 5]
    file = repair_file(table, [repair])
    assert (len(file.table.frame), file.rows.tolist(), file.notes) == (5, [0, 1, 2, 3, 4], ())


def test_an_interval_holds_its_upper_end():
    assert repaired(REPAIRS[1])["age"].fillna("").tolist() == [
        "≤ 18",
        "≤ 18",
        "18 < … ≤ 65",
        "",
        "18 < … ≤ 65",
        "> 65",
    ]


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=5), st.lists(st.floats(-1e6, 1e6), max_size=20))
def test_intervals_are_those_of_pandas_cut(edges, numbers):
    edges, frame = sorted(set(edges)), pd.DataFrame({"x": np.array(numbers, dtype=float)})
    repair = ex.Repair("intervals", "x", {"edges": edges})
    found = ex.apply_repairs(ex.Table(frame, (), "t"), [repair]).frame["x"]
    expected = pd.cut(frame["x"], [-np.inf, *edges, np.inf], labels=False)
    assert found.tolist() == [names_of(edges)[place] for place in expected.tolist()]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"column": "grade", "values": ["A", "F"]}, [0, 2, 4]),
        ({"column": "age", "values": [], "low": 18}, [1, 2, 4, 5]),
        ({"column": "age", "values": [], "high": 40.0}, [0, 1, 2]),
        ({"column": "age", "values": [], "low": 18, "high": 18}, [1]),
        ({"column": "age", "values": []}, [0, 1, 2, 4, 5]),  # the known ones
        ({"column": "flag", "values": ["false"]}, [1, 4]),
        ({"column": "day", "values": ["2020-01-01 00:00:00"]}, [0, 3]),
        ({"column": "grade", "values": [], "low": 1}, [0, 1, 2, 3, 4, 5]),  # no numbers there
        ({"column": "gone", "values": ["A"]}, [0, 1, 2, 3, 4, 5]),
    ],
)
def test_rows_are_kept_by_values_or_by_ends(options, expected):
    found = repaired(ex.Repair("kept_rows", "", {"low": None, "high": None, **options}))
    pd.testing.assert_frame_equal(found, FRAME.iloc[expected].reset_index(drop=True))


def test_the_same_is_done_to_a_second_file_and_rows_left_out_are_told():
    second = pd.DataFrame({"grade": ["B", "D"], "age": [70.0, 20.0]})
    file = repair_file(ex.Table(second, (), "more.csv"), REPAIRS)
    assert file.table.frame.to_dict("list") == {"grade": ["pass"], "age": ["> 65"]}
    assert file.rows.tolist() == [0]
    assert any("only rows where 'grade' is 'pass', 'C'" in note.text for note in file.notes)


@pytest.mark.parametrize(
    "repair", [*REPAIRS, ONE_OF_EACH, ex.Repair("kept_rows", "", {**REPAIRS[2].settings, "values": [], "low": 3})]
)
def test_a_repair_by_hand_survives_json_and_has_words_in_every_language(repair):
    assert ex.Repair.from_plain(json.loads(json.dumps(repair.to_plain()))) == repair
    with spoken_in(Bracketed("x-brackets")):
        assert is_bracketed(repair.label)


@pytest.mark.parametrize(
    ("kind", "column", "options"),
    [
        ("recoded", "x", {"values": ["ab"]}),
        ("recoded", "x", {"values": [["a", 1]]}),
        ("intervals", "x", {"edges": []}),
        ("intervals", "x", {"edges": ["a"]}),
        ("kept_rows", "x", REPAIRS[2].settings),
        ("kept_rows", "", {**REPAIRS[2].settings, "low": "a"}),
    ],
)
def test_a_damaged_repair_by_hand_is_refused(kind, column, options):
    with pytest.raises(ex.InputError, match="repair"):
        ex.Repair(kind, column, options)


def test_none_of_them_is_ever_suggested():
    assert all(kind.find(FRAME) is None for kind in BY_HAND)
