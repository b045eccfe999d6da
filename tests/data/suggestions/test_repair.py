"""The record of a repair, a second file, long columns, and words in the language in force."""

import json

import numpy as np
import pandas as pd
import pytest

import explorer as ex
from explorer.data.suggestions.repair import BY_HAND, KINDS
from explorer.messages import spoken_in
from tests.data.suggestions.columns import only, table_of
from tests.data.untidy_files import FILES
from tests.oracles.brackets import Bracketed, is_bracketed
from tests.oracles.repairs import apply_all

PER_CENT = ["per_cent", "rate", {"decimal": ".", "group": ""}]


def test_a_repair_survives_json_and_can_be_a_key():
    repair = ex.Repair.from_plain(json.loads(json.dumps(PER_CENT)))
    assert repair.to_plain() == PER_CENT
    assert len({repair, ex.Repair(*PER_CENT)}) == 1


@pytest.mark.parametrize(
    "plain",
    [
        None,
        7,
        [],
        ["per_cent"],
        ["luck", "x", {}],
        ["per_cent", "x", {}],
        ["per_cent", "", PER_CENT[2]],
        "abc",
        ["per_cent", "x", {"decimal": ";", "group": ""}],
        ["per_cent", 7, PER_CENT[2]],
        ["per_cent", "x", [1]],
        ["per_cent", "x", {**PER_CENT[2], "more": 1}],
        ["headers", "x", {}],
        [["per_cent"], "x", PER_CENT[2]],
        ["dates", "x", {"order": "dmy", "origin": "soon", "parts": []}],
        ["levels", "x", {"levels": [[]]}],
        ["missing_codes", "x", {"codes": [], "numbers": [float("nan")]}],
        ["units", "x", {"decimal": ".", "group": "", "units": []}],
        ["missing_codes", "x", {"codes": [], "numbers": [10**400]}],
        ["money", "x", {"decimal": ".", "group": "", "currency": "\ud800"}],
        ["blanks", "\ud800", {}],
    ],
)
def test_a_damaged_repair_is_refused(plain):
    with pytest.raises(ex.InputError, match="repair"):
        ex.Repair.from_plain(plain)


def test_a_column_that_is_not_there_becomes_a_remark():
    table = table_of(["a", "b"])
    again = ex.apply_repairs(table, [ex.Repair(*PER_CENT)])
    pd.testing.assert_frame_equal(again.frame, table.frame)
    assert again.notes[-1] == "Not repaired (per cent as a number): there is no column 'rate'."
    assert again.repairs == (ex.Repair(*PER_CENT),)


def test_every_kind_is_found_in_some_untidy_file_and_has_words_in_every_language():
    tables = [ex.read_table(one.raw, name=one.name) for one in FILES]
    suggestions = [suggestion for table in tables for suggestion in table.suggestions]
    found = {suggestion.repair.kind for suggestion in suggestions}
    assert found == set(KINDS).difference(kind.name for kind in BY_HAND)
    with spoken_in(Bracketed("x-brackets")):
        for suggestion in suggestions:
            assert is_bracketed(suggestion.sentence), suggestion.sentence
            assert is_bracketed(suggestion.repair.label), suggestion.repair.label
            assert all(is_bracketed(one.choice) for one in suggestion.alternatives[1:])


def test_a_long_column_is_examined_from_a_sample_and_says_so():
    rng = np.random.default_rng(5)
    amounts = rng.integers(1, 10**7, 100_000)
    cells = [f"${amount:,}" for amount in amounts]
    cells[77_777] = "?!"
    table = ex.Table(pd.DataFrame({"x": pd.Series(cells, dtype="str"), "y": amounts % 7}), (), "long.csv")
    suggestion = only(table)
    assert suggestion.sentence.endswith("(Estimated from 2,000 cells of the column.)")
    assert suggestion.n_cells == pytest.approx(100_000, rel=0.05)
    again = suggestion.apply(table)
    expected = amounts.astype(float)
    expected[77_777] = np.nan
    np.testing.assert_array_equal(again.frame["x"].to_numpy(), expected)
    assert again.notes[-1] == "Column 'x': 1 cell did not fit and is missing now: '?!'."


@pytest.mark.parametrize(("rows", "missing"), [(6259, 0), (6259, 2), (2001, 7), (9001, 0)])
def test_an_estimate_counts_no_more_cells_than_the_column_has(rows, missing):
    """Every third of 6,259 cells is 2,087, which three times are 6,261."""
    cells = pd.Series([f"${amount:,}" for amount in range(1000, 1000 + rows)], dtype="str")
    cells[5 : 5 + missing] = None
    suggestion = only(ex.Table(pd.DataFrame({"x": cells, "y": np.arange(rows) % 7}), (), "long.csv"))
    assert suggestion.n_cells == rows - missing
    assert f"({rows - missing:,} values in $)" in suggestion.sentence


def test_a_long_column_with_few_values_is_examined_as_a_whole():
    cells = ["red", "green"] * 50_000
    cells[55_555] = "unknown"
    table = ex.Table(pd.DataFrame({"x": pd.Series(cells, dtype="str")}), (), "long.csv")
    assert (only(table).repair.kind, only(table).n_cells) == ("missing_codes", 1)


def test_a_repaired_table_grows_a_tree():
    table = apply_all(ex.read_table(FILES[0].raw, name=FILES[0].name))
    data = ex.Dataset.from_frame(table.frame, "state")
    assert [feature.kind for feature in data.features] == ["numeric", "numeric"]
    assert ex.grow(data, ex.CART).n_leaves > 1


def test_cells_that_are_no_text_and_very_long_ones_are_no_trouble():
    frame = pd.DataFrame({"lists": [[1], [2], [1]], "mixed": ["5%", 6, None], "long": ["9" * 10**6, "a" * 10**6, "-"]})
    table = ex.Table(frame, (), "t")
    assert all(len(suggestion.sentence) < 500 for suggestion in table.suggestions)
    repairs = [ex.Repair(PER_CENT[0], name, PER_CENT[2]) for name in frame.columns]
    assert ex.apply_repairs(table, repairs).frame["mixed"].tolist()[:2] == [5, 6]
    assert all(len(note) < 500 for note in ex.apply_repairs(table, repairs).notes)


def test_a_number_too_large_for_a_float_does_not_fit():
    cells = [*(f"{i}%" for i in range(40)), "1e999%"]
    table = table_of(cells)
    assert only(table).apply(table).frame["x"].isna().sum() == 1


def test_separators_that_are_one_sign_are_no_trouble_in_a_long_column():
    table = table_of(["1.234.5", "2"] * 10_000)
    repaired = ex.apply_repairs(table, [ex.Repair("numbers", "x", {"decimal": ".", "group": "."})])
    assert len(repaired.frame) == 20_000


def test_missing_cells_are_counted_again_after_repairs():
    table = table_of(["5%", "", "unknown", "7%", *["8%"] * 20])
    assert table.notes[-1] == "1 cell is missing (empty, ?, NA, NaN, N/A or null)."
    for _ in range(2):
        table = table.suggestions[0].apply(table)
        assert [note for note in table.notes if "missing" in note] == ["2 cells are missing after the repairs."]
    assert table.frame["x"].isna().sum() == 2


def test_missing_cells_that_a_repair_makes_or_removes_are_counted():
    table = table_of(["12", "unknown", "15", "n.a.", "17"])
    assert only(table).apply(table).notes[-1] == "2 cells are missing after the repairs."
    text = b"shop,sales,size\nA,1,5\nB,2,6\nC,3,7\nTotal,6,\n"
    table = ex.read_table(text, name="t.csv")
    assert "1 cell is missing (empty, ?, NA, NaN, N/A or null)." in table.notes
    assert not [note for note in only(table).apply(table).notes if "missing" in note]
