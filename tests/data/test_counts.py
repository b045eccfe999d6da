"""Tables of counts: which they are, a row for each case, and which column of a new table is probably the target."""

from itertools import product

import numpy as np
import pandas as pd
import pytest

import explorer as ex
from explorer.data.codes.counts import MOST_CASES, count_column
from explorer.data.codes.likely_target import likely_targets
from explorer.explaining.predict_file import predict_file, repair_file
from tests.oracles.titanic_counts import TITANIC

ILL = pd.DataFrame({"sex": ["f", "f", "m", "m"], "ill": ["no", "yes"] * 2, "n": [20, 3, 18, 0]})


def repaired(frame):
    table = ex.Table(frame, (), "counts.csv")
    (suggestion,) = table.suggestions
    return suggestion, suggestion.apply(table)


def test_each_case_gets_a_row_as_pandas_repeats_them():
    suggestion, table = repaired(TITANIC)
    assert (suggestion.repair.kind, suggestion.repair.settings) == ("one_row_per_case", {"column": "Freq"})
    assert "2,201 in all" in suggestion.sentence
    assert suggestion.is_question, "only a person knows it"
    expected = TITANIC.loc[TITANIC.index.repeat(TITANIC["Freq"])].drop(columns="Freq").reset_index(drop=True)
    pd.testing.assert_frame_equal(table.frame, expected)
    assert table.suggestions == ()


def test_folds_are_of_people_then_and_the_tree_is_that_of_the_counts_as_weights():
    """By sex, and women by class: of the men 1,364 died, of the women of the third class 106, and 254 others lived."""
    people = ex.Dataset.from_frame(repaired(TITANIC)[1].frame, "Survived")
    counted = ex.Dataset.from_frame(TITANIC, "Survived", weights="Freq")
    trees = [ex.grow(data, ex.CART) for data in (people, counted)]
    tests, of_counts = ([line.split(" (")[0] for line in ex.to_text(tree).splitlines()] for tree in trees)
    assert tests == of_counts
    folded = ex.cross_validate_path(people, ex.CART)
    assert folded.path.n_leaves[folded.one_se] == 3
    assert folded.mean[folded.one_se] == pytest.approx((1364 + 106 + 254) / 2201)
    assert len(folded.fold_of_row) == 2201


def test_a_second_file_keeps_its_rows_and_needs_no_counts():
    suggestion, table = repaired(TITANIC)
    tree = ex.grow(ex.Dataset.from_frame(table.frame, "Survived"), ex.CART)
    second = ex.Table(pd.DataFrame({"Class": ["1st"], "Sex": ["Female"], "Age": ["Adult"]}), (), "one.csv")
    assert repair_file(second, [suggestion.repair]).notes == ()
    predicted = predict_file(tree, None, second, [suggestion.repair]).predicted
    assert not [note for note in predicted.notes if "Freq" in note.text]


@pytest.mark.parametrize("name", ["rownames", "column 1", "Unnamed: 0"])
def test_row_names_before_the_rest_are_no_part_of_a_combination_and_go_with_the_counts(name):
    """As in tables of R that Rdatasets has as CSV: 40 rows of sex, year and response, such as vcdExtra's Vietnam."""
    levels = product(["Female", "Male"], range(1, 6), "ABCD")
    cells = pd.DataFrame(list(levels), columns=["sex", "year", "response"]).assign(Freq=[5 + i for i in range(40)])
    numbered = cells.copy()
    numbered.insert(0, name, range(1, 41))
    assert count_column(numbered) == "Freq"
    assert count_column(numbered[numbered["Freq"] != 9]) == "Freq", "a row without cases was left out"
    pd.testing.assert_frame_equal(repaired(numbered)[1].frame, repaired(cells)[1].frame)
    assert likely_targets(numbered)[0] == "response"


@pytest.mark.parametrize("name", ["Freq", "FREQUENCY", "count", "n", "Anzahl", "Häufigkeit", "人数"])
def test_counts_have_one_of_their_names(name):
    assert count_column(ILL.rename(columns={"n": name})) == name


@pytest.mark.parametrize(
    "other",
    [
        ILL.rename(columns={"n": "weight"}),  # what bodies weigh
        ILL.rename(columns={"n": "age"}),
        ILL.assign(n=[1, 1, 1, 1]),  # one case each
        ILL.assign(n=[20, 3, -1, 4]),
        ILL.assign(n=[20, 3, 1.5, 4]),
        ILL.assign(n=[20, 3, np.nan, 4]),
        ILL.assign(n=[MOST_CASES, 3, 1, 4]),
        ILL.assign(n=["20", "3", "a", "4"]),
        ILL.assign(sex="f"),  # the same combination twice
        ILL.drop(columns="sex"),
        ILL.assign(temperature=[36.5, 38.1, 36.7, 39.0]),  # each row a case of its own
        ILL.assign(row=[1, 2, 3, 4]),  # a number of a name of its own
        pd.DataFrame({"dose": [1, 1, 2, 2], "sex": list("fmfm"), "died": [3, 5, 5, 3], "n": 20}),  # shares of the dead
        pd.DataFrame({"count": [10, 7, 20, 14], "spray": list("AABB"), "plot": [1, 1, 2, 2]}),
    ],
)
def test_other_tables_are_no_tables_of_counts(other):
    assert count_column(other) is None


def test_counts_that_are_gone_or_no_counts_leave_a_table_as_it_is():
    repair = ex.Repair("one_row_per_case", "", {"column": "n"})
    for frame in (ILL.drop(columns="n"), ILL.assign(n=[1.5, 2, 3, 4]), ILL.assign(n=MOST_CASES)):
        pd.testing.assert_frame_equal(ex.apply_repairs(ex.Table(frame, (), "t"), [repair]).frame, frame)
    with pytest.raises(ex.InputError, match="repair"):
        ex.Repair("one_row_per_case", "", {"column": 3})
    assert "'n'" in repair.label


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        ("state sex diag death status age", "status"),
        ("Class Sex Age Survived Freq", "Survived"),
        ("x y z class", "class"),
        ("x y z", "z"),
        ("x y", "y"),
        ("y x", "y"),
        ("type age STATUS", "STATUS"),
        ("week arrest prio", "arrest"),
        ("vote educ logpopul", "vote"),
        ("Admit Dept", "Admit"),
        ("votes_against status", "status"),
        ("marital_status age", "age"),  # both names of features
        ("age b c marital_status", "b"),
        ("a b c", "c"),
    ],
)
def test_the_name_tells_the_target_else_the_last_column(columns, expected):
    frame = pd.DataFrame({name: [0.5 * i for i in range(12)] for name in columns.split()})
    assert likely_targets(frame)[0] == expected


def test_the_only_column_of_text_is_the_target_unless_it_says_who_somebody_is():
    frame = pd.DataFrame({"Kyphosis": ["absent", "present"] * 6, "Age": range(12), "Start": range(12)})
    assert likely_targets(frame) == ["Kyphosis", "Start", "Age"]
    assert likely_targets(frame.rename(columns={"Kyphosis": "Sex"}))[0] == "Start"
    assert likely_targets(frame.assign(side=["left", "right"] * 6))[0] == "side", "the last of several"
    dated = frame.drop(columns="Kyphosis").assign(seen=[f"2024-01-{i + 10}" for i in range(12)], wt=1.5, visit_date="x")
    assert likely_targets(dated)[0] == "Start", "neither a weight nor a date, nor text that differs in each row"
    assert likely_targets(frame.assign(name=[f"n{i}" for i in range(12)]))[0] == "Kyphosis", "names differ in each row"
    for name in ("cens", "censors", "death", "Event"):
        assert likely_targets(dated.rename(columns={"Start": name}).assign(z=1.0))[0] == name, "as in survival data"
    assert likely_targets(frame, ["Kyphosis"])[0] == "Start"


def test_counts_and_names_with_too_many_values_come_last():
    assert likely_targets(TITANIC)[0] == "Survived"
    assert likely_targets(TITANIC)[-1] == "Freq"
    frame = pd.DataFrame({"label": [f"text {i}" for i in range(12)], "x": range(12)})
    assert likely_targets(frame)[0] == "x"
