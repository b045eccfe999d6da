"""Spellings, yes and no, levels, codes for missing cells, and rows that are no data."""

import io

import pandas as pd
import pytest

import explorer as ex
from explorer.data.samples import SAMPLES
from tests.data.suggestions.columns import kinds_of, only, repaired, table_of

QUIET = sorted(set(SAMPLES) - {"car", "titanic"})


@pytest.mark.parametrize("key", QUIET)
def test_a_tidy_table_gives_no_suggestion(key):
    assert ex.load_sample(key).suggestions == ()


def test_what_is_suggested_for_the_other_samples_can_be_defended():
    car, titanic = ex.load_sample("car").suggestions, ex.load_sample("titanic").suggestions
    assert {(one.repair.kind, one.column) for one in car} == {
        ("levels", name) for name in ("buying", "maint", "lug_boot", "safety")
    }
    assert [(one.repair.kind, one.column, one.n_cells) for one in titanic] == [("blanks", "name", 2)]


def test_spellings_are_merged_into_the_most_frequent_one():
    table = table_of(["Berlin", "berlin", "BERLIN", "Berlin", "Köln", "Ko\u0308ln", "Bonn"])
    suggestion = only(table)
    assert suggestion.n_cells == 3
    assert suggestion.sentence == (
        "'x' writes 2 categories in several ways, one of them as 'Berlin', 'berlin', 'BERLIN'. Merge them? "
        "This changes 3 of its cells."
    )
    assert suggestion.apply(table).frame["x"].tolist() == ["Berlin"] * 4 + ["Köln", "Köln", "Bonn"]


def test_cells_that_only_lose_blanks_are_counted():
    suggestion = only(table_of(["web", "web", "Web", "phone ", "phone ", "phone ", "phone", "shop"]))
    assert suggestion.n_cells == 4
    assert suggestion.sentence == (
        "'x' writes one category in several ways: 'web', 'Web'. Merge them? This changes 4 of its cells. "
        "In 3 of them only blanks around the text change."
    )


def test_names_are_not_merged():
    assert kinds_of(table_of([f"{a}{b}" for a in "abcdefgh" for b in "xyzXYZ"])) == []


def test_yes_and_no_in_several_words_become_one_pair():
    assert repaired(["yes", "Y", "no", "yes", "false", "1", "0"]) == ["yes", "yes", "no", "yes", "no", "yes", "no"]
    ways = ["N", "n", "Yes", "YES ", "NO", "no", "Y", "yes"]
    assert only(table_of(ways)).sentence.startswith(
        "'x' writes yes and no in 8 ways ('N', 'n', 'Yes', 'YES ', 'NO', 'no', …). Merge them into 'Yes' and 'NO'?"
    )
    assert kinds_of(table_of(["y", "n", "y"])) == []
    assert kinds_of(table_of(["yes", "no", "maybe"])) == []
    assert kinds_of(table_of(["n", "y", "o", "f", "s"])) == [], "letters that are codes"


@pytest.mark.parametrize("name", ["race", "inst", "Hospital_ID", "origin country", "zip code", "类型"])
def test_codes_under_the_name_of_a_category_are_asked_about_and_become_categories(name):
    frame = pd.DataFrame({name: [3.0, 1.0, None, 2.0, 12.0, 1.0], "n": [5, 7, 5, 7, 5, 5]})
    (suggestion,) = ex.read_table(frame.to_csv(index=False).encode(), "wards.csv").suggestions
    assert (suggestion.repair.kind, suggestion.column, suggestion.is_certain) == ("codes", name, False)
    assert "'1', '2', '3', '12' (5 values)" in suggestion.sentence
    repaired_table = suggestion.apply(ex.read_table(frame.to_csv(index=False).encode(), "wards.csv"))
    assert repaired_table.frame[name].dropna().tolist() == ["3", "1", "2", "12", "1"]
    assert repaired_table.suggestions == ()
    (feature,) = ex.Dataset.from_frame(repaired_table.frame, "n").features
    assert (feature.kind, set(feature.categories)) == ("categorical", {"1", "2", "3", "12"})


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("age", [1, 2, 3]),  # no name of categories
        ("grace", [1, 2, 3]),  # nor is this
        ("race", [1, 2, 1]),  # two codes split like numbers
        ("race", [1, 2.5, 3]),
        ("race", [-1, 2, 3]),
        ("MPG_CITY", [17, 25, 31]),  # a measure in cities
        ("avg price region", [1, 2, 3]),
        ("region", list(range(60))),  # too many for a tree
    ],
)
def test_other_numbers_are_not_asked_about(name, cells):
    frame = pd.DataFrame({name: cells * 2, "n": [5, 7] * len(cells)})
    assert [one for one in ex.read_table(frame.to_csv(index=False).encode(), "x.csv").suggestions if one.column] == []


def test_what_a_file_declares_to_be_categories_is_not_made_a_number():
    arff = b"@relation r\n@attribute grade {1,2,3}\n@attribute y {a,b}\n@data\n1,a\n2,b\n3,a\n2,b\n"
    (suggestion,) = ex.read_table(arff, "r.arff").suggestions
    assert (suggestion.repair.kind, suggestion.is_certain) == ("levels", False), "only their order is asked about"


@pytest.mark.parametrize(("name", "is_asked"), [("amount", True), ("ID", False), ("patient_no", False)])
def test_ids_written_in_text_stay_text(name, is_asked):
    frame = pd.DataFrame({name: pd.Series(["7", "12", "31"], dtype="str"), "y": ["a", "b", "a"]})
    file = io.BytesIO()
    frame.to_parquet(file)
    found = [one.repair.kind for one in ex.read_table(file.getvalue(), "t.parquet").suggestions]
    assert found == (["numbers"] if is_asked else [])


@pytest.mark.parametrize(
    ("cells", "order"),
    [
        (["M", "H", "L"], "L < M < H"),
        (["Marked", "None", "Some"], "None < Some < Marked"),
        (["Freq", "None", "Some"], "None < Some < Freq"),
        (["Heavy", "Never", "Occas", "Regul"], "Never < Occas < Regul < Heavy"),
    ],
)
def test_words_that_may_be_levels_are_a_question_that_all_repairs_leave_open(cells, order):
    suggestion = only(table_of(cells))
    assert (suggestion.repair.kind, suggestion.is_certain) == ("levels", False)
    assert order in suggestion.sentence


@pytest.mark.parametrize(
    "cells",
    [
        ["L", "M", "U"], ["M", "S", "D"], ["Good", "None", "Scientific"], ["1st", "2nd", "3rd", "Crew"],
        ["excellent", "other", "poor"], ["better", "worse", "dead"], ["Compact", "Large", "Medium", "Sporty"],
        ["light", "dark", "medium"], ["A", "B", "C"], ["F", "IF", "VS"], ["much", "more", "fun"],
    ],
)  # fmt: skip
def test_categories_with_some_words_of_a_scale_are_no_levels(cells):
    assert "levels" not in kinds_of(table_of(cells))


@pytest.mark.parametrize(
    ("cells", "ranks"),
    [
        (["low", "High", "medium ", "low"], [1, 3, 2, 1]),
        (["★★☆", "★★★", "★☆☆"], [2, 3, 1]),
        (["26-35", "18-25", "36+"], [2, 1, 3]),
        (["under 18", "18 to 64", "65 and over"], [1, 2, 3]),
        (["$0-$9,999", "$10,000-$19,999", "≥ $20,000"], [1, 2, 3]),
        (["Strongly agree", "Neutral", "Disagree"], [3, 2, 1]),
        (["1 - never", "2 - sometimes", "3 - always"], [1, 2, 3]),
        (["Stage II", "Stage IV", "Stage I"], [2, 3, 1]),
        (["II", "III", "I", "II"], [2, 3, 1, 2]),
        (["PhD", "Bachelor's", "High School"], [3, 2, 1]),
        (["mittel", "niedrig", "hoch"], [2, 1, 3]),
        (["低", "高", "中"], [1, 3, 2]),
        (["10+ years", "2 years", "< 1 year", "1 year"], [4, 3, 1, 2]),
        (["Very_High", "Low", "Medium", "High"], [4, 1, 2, 3]),
        (["0-39g/day", "120+", "40-79", "80-119"], [1, 4, 2, 3]),
        (["Mar", "Jan", "Dec", "Feb"], [3, 1, 4, 2]),
        (["Tue", "Sunday", "Mon"], [2, 3, 1]),
        (["星期二", "周一", "周日"], [2, 1, 3]),
        (["average", "Much better", "Much worse", "better", "worse"], [3, 5, 1, 4, 2]),
        (["About the same", "Much less", "More"], [2, 1, 3]),
        (["Bad", "Good", "Medium"], [1, 3, 2]),
        (["very bad", "indifferent", "very good", "bad", "good"], [1, 3, 5, 2, 4]),
        (["Fairly High", "Average", "Very Low", "Fairly Low", "Very High"], [4, 3, 1, 2, 5]),
        (["Disagree strongly", "Agree strongly", "Uncertain"], [1, 3, 2]),
        (["Never", "Daily", "Monthly", "Weekly"], [1, 4, 2, 3]),
        (["Very important", "Not important", "Somewhat important"], [3, 1, 2]),
        (["very happy", "not too happy", "pretty happy"], [3, 1, 2]),
        (["Ideal", "Premium", "Good", "Very Good", "Fair"], [5, 4, 2, 3, 1]),
        (["VS1", "IF", "SI2", "VVS1"], [2, 4, 1, 3]),
        (["Prof", "AsstProf", "AssocProf"], [3, 1, 2]),
        (["Normal", "Obese", "Overweight", "Underweight"], [2, 4, 3, 1]),
    ],
)
def test_levels_are_put_in_order(cells, ranks):
    table = table_of(cells)
    suggestion = only(table)
    assert suggestion.repair.kind == "levels"
    done = suggestion.apply(table)
    column = done.frame["x"]
    assert (column.cat.codes + 1).tolist() == ranks
    assert column.tolist() == [cell.strip() for cell in cells]
    assert done.kinds == {"x": "ordered"}
    assert "levels" not in kinds_of(done), "what is in order is not asked about again"
    sign = " → " if any(set(level) & set("<≥") for level in column.cat.categories) else " < "
    assert sign.join(column.cat.categories) in suggestion.repair.label, "the order is told"


@pytest.mark.parametrize(
    "cells",
    [
        ["hot", "mild", "cool"],
        ["low", "high", "low"],
        ["3-1", "2-2", "0-4"],
        ["18-30", "25-40", "35-50"],
        ["a-b", "c-d", "e-f"],
        ["I", "V", "X"],
        ["i", "ii", "iii"],
        ["I", "II", "IV"],
    ],
)
def test_what_has_no_order_stays(cells):
    assert kinds_of(table_of(cells)) == []


def test_words_for_missing_cells():
    table = table_of(["12", "unknown", "15", "n.a.", "-", "17"])
    suggestion = only(table)
    assert suggestion.sentence == (
        "'x' seems to write 'unknown', 'n.a.', '-' for missing cells (3 cells). Make them missing?"
    )
    frame = suggestion.apply(table).frame
    assert frame["x"].dtype == float
    assert frame["x"].isna().tolist() == [False, True, False, True, True, False]
    assert kinds_of(table_of(["-", "+", "-", "++"])) == [], "a result, no missing cell"
    assert kinds_of(table_of(["none", "a", "b"])) == [], "a category"
    assert kinds_of(table_of(["none", "1", "2"])) == ["missing_codes"]
    assert kinds_of(table_of(["unknown", "a", "unknown"])) == [], "the only other category would be left alone"


@pytest.mark.parametrize(
    ("cells", "codes"),
    [
        ([21.5, 20.1, -999, 22], (-999,)),
        ([18, 70, 45, 999, 999], (999,)),
        ([1, 2, 3, 4, 5, 99, 99], (99,)),
        ([1, 2, 3, 99, 98, 99, 98], (98, 99)),
        ([1, 2, 1, 9, 9], (9,)),
        ([10, 50000, 3, -999, -999], (-999,)),
        ([0.1, 0.2, -9999, 9999], (-9999, 9999)),
    ],
)
def test_codes_far_from_the_rest_are_missing(cells, codes):
    assert dict(only(table_of(cells)).repair.options)["numbers"] == codes


@pytest.mark.parametrize(("n_codes", "is_certain"), [(2, True), (5, True), (6, False)])
def test_codes_in_most_cells_are_asked_about(n_codes, is_certain):
    """The upper bounds of Kakadu's interval data are 999 in half of the rows: no bound."""
    assert only(table_of([5, 20, 50, 100, 20, *[999] * n_codes])).is_certain == is_certain


@pytest.mark.parametrize(
    "cells",
    [
        list(range(101)),
        [18, 70, 99, 99],
        [9999, 7000, 12000, 9999],
        [-99, -80, -120, -99],
        [0, 1, 9],
        [1, 2, 3, 4, 5, 9, 9],
        [999, 0, 999],
        [-7, 3, 12, -9],
        [5, 888.5, 777],
        [1, 50, 99],
    ],
)
def test_numbers_that_may_be_meant_stay(cells):
    assert kinds_of(table_of(cells)) == []


def test_blanks_are_removed_where_nothing_else_is_found():
    assert repaired(["red ", "green", "red", "blue"]) == ["red", "green", "red", "blue"]


def test_repeated_headers_and_totals_are_removed_and_numbers_read():
    text = b"shop,sales\nA,1\nB,2\nshop,sales\nC,3\nTotal,6\n"
    table = ex.read_table(text, name="t.csv")
    assert kinds_of(table) == ["headers", "totals"]
    repaired_table = ex.apply_repairs(table, [one.repair for one in table.suggestions])
    assert repaired_table.frame.to_dict("list") == {"shop": ["A", "B", "C"], "sales": [1.0, 2.0, 3.0]}
    assert repaired_table.suggestions == ()


@pytest.mark.parametrize("count", ["3", "1.234", "3 %"])
def test_a_total_may_count_the_cells_of_a_column_of_text(count):
    table = ex.read_table(f"shop;rating\nA;good\nB;bad\nC;good\nSumme;{count}\n".encode(), name="t.csv")
    assert kinds_of(table) == ["totals"]
    repaired_table = ex.apply_repairs(table, [only(table).repair])
    assert repaired_table.frame["rating"].tolist() == ["good", "bad", "good"]


@pytest.mark.parametrize(
    ("name", "categories"),
    [
        ("x", ["1-8 grades", "9-12 grades", "HS graduate", "Some college", "AA, no BA", "BA degree", "MA or more"]),
        ("educ", ["Did not finish", "Diploma", "Certificate"]),
        ("x", ["Strongly agree", "Agree with it", "Can't say", "Disagree with it", "Strongly disagree"]),
        ("x", ["None or under $2,999", "$3,000 to $4,999", "$10,000 to $11,999", "no answer"]),
        ("stage", ["1", "2", "3", "4"]),
        ("x", ["0", "0.5", "1"]),
        ("x", ["8", "9", "10"]),
    ],
)
def test_the_order_of_codes_in_a_file_is_asked_about_where_words_speak_of_levels(name, categories):
    frame = pd.DataFrame({name: pd.Categorical(categories * 3, categories), "n": range(3 * len(categories))})
    table = ex.Table(frame, (), "t")
    (suggestion,) = [one for one in table.suggestions if one.repair.kind == "levels"]
    assert (suggestion.column, suggestion.is_certain) == (name, False)
    assert list(suggestion.apply(table).frame[name].cat.categories) == categories


@pytest.mark.parametrize(("name", "is_certain"), [("race", False), ("Education", True)])
def test_numbers_before_words_are_an_order_by_themselves_only_where_the_column_is_named_like_levels(name, is_certain):
    cells = ["1. < HS Grad", "2. HS Grad", "3. Some College"] * 4
    (suggestion,) = ex.Table(pd.DataFrame({name: cells}), (), "t").suggestions
    assert (suggestion.repair.kind, suggestion.is_certain) == ("levels", is_certain)


@pytest.mark.parametrize(
    ("name", "categories"),
    [
        ("hair", ["Black", "Brown", "Red", "Blond"]),
        ("party", ["Strong left", "Right", "Centre"]),
        ("region", ["1", "2", "3"]),
        ("educ", ["a", "b", "c"]),  # the order of the alphabet is none of the file
        ("street", ["12 Oak", "3 Elm", "7 Ash"]),
        ("id", [str(i) for i in range(30)]),
    ],
)
def test_other_orders_of_a_file_are_not_asked_about(name, categories):
    frame = pd.DataFrame({name: pd.Categorical(categories * 3, categories), "n": range(3 * len(categories))})
    assert all(one.repair.kind != "levels" for one in ex.Table(frame, (), "t").suggestions if one.column == name)


def test_a_total_and_the_note_below_it_are_removed_in_either_order():
    table = ex.read_table(b"shop;rating;n\nA;good;1\nB;bad;2\nC;good;3\nTotal;;6\nSource: office;;\n", name="t.csv")
    assert kinds_of(table) == ["footers", "totals"]
    note, total = (suggestion.repair for suggestion in table.suggestions)
    assert ex.apply_repairs(table, [total]).frame["shop"].tolist() == ["A", "B", "C", "Source: office"]
    for repairs in ([note, total], [total, note]):
        one_by_one = table
        for repair in repairs:
            one_by_one = ex.apply_repairs(one_by_one, [repair])
        for repaired_table in (one_by_one, ex.apply_repairs(table, repairs)):
            assert repaired_table.frame["shop"].tolist() == ["A", "B", "C"]
            assert repaired_table.suggestions == ()


@pytest.mark.parametrize(
    "text", [b"part,n\nTotal,1\nSum,2\nTotal,3\n", b"kind,colour\na,red\nb,blue\ntotal,green\n", b"total,n\n5,1\n6,2\n"]
)
def test_a_category_called_total_stays(text):
    assert kinds_of(ex.read_table(text, name="t.csv")) == []


def test_columns_that_are_no_text_are_left_alone():
    frame = pd.DataFrame({"flag": [True, False, True], "n": [1, 2, 3], "c": pd.Categorical(["a", "b", "a"])})
    table = ex.Table(frame, (), "t")
    assert table.suggestions == ()
    repairs = [only(table_of(["11%", "12%"], name=name)).repair for name in ("flag", "n", "c")]
    assert ex.apply_repairs(table, repairs).frame["n"].tolist() == [1, 2, 3]


@pytest.mark.parametrize(
    ("cells", "levels"),
    [
        (["2_Fair", "1_Good", "3_Poor"], "1_Good < 2_Fair < 3_Poor"),
        (["1_98-98.9F", "4_100F+", "2_99-99.9F"], "1_98-98.9F < 2_99-99.9F < 4_100F+"),
        (["12 years", "< 12 years", "13-15 years", "16+ years"], "< 12 years → 12 years → 13-15 years → 16+ years"),
    ],
)
def test_levels_are_named_in_their_order_with_a_sign_between_them_that_they_lack(cells, levels):
    assert f"ordered levels: {levels} (" in only(table_of(cells * 3, "grade")).sentence


@pytest.mark.parametrize(
    ("order", "outside"),
    [
        ("never rarely sometimes most_of_time always", "did_not_ride"),
        ("<1 1 2 3 4 5+", "do not watch"),
        ("0 1-2 3-5 6-9 10-19 20-29 30", "didn't drive"),
    ],
)
def test_one_answer_beside_levels_is_missing_or_the_lowest_as_the_reader_says(order, outside):
    levels, outside = [level.replace("_", " ") for level in order.split()], outside.replace("_", " ")
    cells = [*levels, outside] * 7
    table = table_of(cells)
    found = only(table)
    assert (found.is_question, found.n_lost, found.n_cells) == (True, 7, 7 * len(levels))
    assert f"7 cells do not fit and become missing: '{outside}'" in found.sentence
    for repair, expected in zip(found.alternatives, (levels, [outside, *levels]), strict=True):
        column = ex.apply_repairs(table, [repair]).frame["x"]
        assert column.cat.ordered
        assert list(column.cat.categories) == expected
        assert column.isna().sum() == (7 if expected == levels else 0)
    assert "levels" not in kinds_of(table_of([*levels, "blue"] * 7))


@pytest.mark.parametrize(
    ("order", "is_found"),
    [("<5 5 6 7 8 9 10+", True), ("<1 1 2 3+", True), ("<5 5 7 8 10+", False), ("<0.5 0.5 1.5 2.5 3+", False),
     ("<5 5 6 7 12+", False)],
)  # fmt: skip
def test_whole_numbers_between_open_ends_that_they_touch_are_levels(order, is_found):
    found = [each for each in table_of(order.split() * 9).suggestions if each.repair.kind == "levels"]
    assert bool(found) == is_found
    if found:
        assert [level[0] for level in found[0].repair.settings["levels"]] == order.split()


def test_underscores_between_digits_make_no_levels():
    assert "levels" not in kinds_of(table_of(["1_000", "2_000", "3_500"] * 3, "grade"))
