"""A cell means the same in every table: its category and its number depend on the cell alone."""

import datetime
import random
import sqlite3
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

import explorer as ex
from explorer.data.cells import clean_value, distinct_cells
from explorer.data.source_column import SourceColumn

KNOWN = (1, 1.0, "1", True, "1.0", " a ", "a", 2.0, "2", 2.5, "2.5", np.int64(1), np.float32(2), Decimal(2))
MISSING = (None, "?", " NA ", float("nan"), pd.NA, pd.NaT)


def mixed(cells=KNOWN) -> pd.DataFrame:
    """A table in which every category has a class of its own to predict."""
    classes = [f"class of {clean_value(cell)}" for cell in cells]
    return pd.DataFrame({"x": pd.Series([*cells, *cells], dtype=object), "y": classes * 2})


def python_function(tree: ex.Tree, column: str = "x"):
    module: dict = {}
    exec(ex.to_python(tree), module)
    return lambda cell: module["predict"]({column: cell})[0]


def test_categories_of_mixed_cells_are_texts_with_one_meaning():
    data = ex.Dataset.from_frame(mixed(), "y", features=["x"])
    assert set(data.features[0].categories) == {"1", "True", "1.0", "a", "2", "2.5"}


@pytest.mark.parametrize("recipe", [ex.ID3, ex.C45, ex.CART], ids=["id3", "c45", "cart"])
def test_a_cell_is_predicted_alike_in_any_table_and_in_the_python_file(recipe):
    tree = ex.grow(ex.Dataset.from_frame(mixed(), "y", features=["x"]), recipe)
    frame = mixed((*KNOWN, *MISSING))
    whole = list(tree.predict(frame))
    alone = [tree.predict(frame.iloc[[i]])[0] for i in range(len(frame))]
    inferred = [tree.predict(pd.DataFrame({"x": [cell]}))[0] for cell in frame["x"]]
    predict = python_function(tree)
    assert whole == alone == inferred == [predict(cell) for cell in frame["x"]]
    assert whole[: len(KNOWN)] == frame["y"].tolist()[: len(KNOWN)]


@pytest.mark.parametrize("training", [[1, 2], [1.0, 2.0], ["1", "2"], [True, False]])
@pytest.mark.parametrize("recipe", [ex.ID3, ex.CART], ids=["id3", "cart"])
def test_other_rows_of_a_table_do_not_change_a_prediction(training, recipe):
    train = pd.DataFrame({"x": pd.Series(training * 4, dtype=object), "y": ["p", "q"] * 4})
    data = ex.Dataset.from_frame(train, "y", features=["x"], kinds={"x": "categorical"})
    tree = ex.grow(data, recipe)
    rows = pd.DataFrame({"x": pd.Series([1, 1.0, "1", True, "True", "1.0", 2.0, "b", None], dtype=object)})
    alone = [tree.predict(rows.iloc[[i]])[0] for i in range(len(rows))]
    predict = python_function(tree)
    assert list(tree.predict(rows)) == alone == [predict(cell) for cell in rows["x"]]
    assert alone[0] == alone[1] == alone[2], "1, 1.0 and the text 1 are one category"


def test_a_database_reads_the_texts_of_mixed_cells_alike():
    frame = mixed()
    tree = ex.grow(ex.Dataset.from_frame(frame, "y", features=["x"]), ex.CART)
    with sqlite3.connect(":memory:") as base:
        base.execute('CREATE TABLE rows ("x" TEXT)')
        base.executemany("INSERT INTO rows VALUES (?)", [(str(clean_value(cell)),) for cell in frame["x"]])
        answers = [row[-1] for row in base.execute(ex.to_sql(tree))]
    assert answers == list(tree.predict(frame))


LONG = 12345678901234567890
LONG_CELLS = {
    "text": [str(LONG), str(LONG + 1)],
    "text with a point": [f"{LONG}.0", f"{LONG + 1}.0"],
    "Python's integers": [LONG, LONG + 1],
    "integers of 30 digits": [10**29 + 1, 10**29 + 2],
    "decimals": [Decimal(LONG), Decimal(LONG + 1)],
}


@pytest.mark.parametrize("cells", LONG_CELLS.values(), ids=LONG_CELLS)
def test_long_whole_numbers_stay_apart(cells):
    frame = pd.DataFrame({"code": pd.Series(cells * 3, dtype=object), "y": ["p", "q"] * 3})
    data = ex.Dataset.from_frame(frame, "y", features=["code"])
    assert (data.features[0].kind, data.features[0].n_values) == ("categorical", 2)
    tree = ex.grow(data, ex.CART)
    assert list(tree.predict(frame)) == frame["y"].tolist()
    assert [python_function(tree, "code")(cell) for cell in cells] == ["p", "q"]


def test_nullable_integers_stay_apart_too():
    frame = pd.DataFrame({"code": pd.Series([2**60 + 1, 2**60 + 2, None] * 2, dtype="Int64"), "y": list("pqrpqr")})
    data = ex.Dataset.from_frame(frame, "y", features=["code"])
    assert (data.features[0].kind, data.features[0].n_values) == ("categorical", 2)


@pytest.mark.parametrize(
    "cells", [["9007199254740992", "3"], [2**53, 3], ["1e300", "3"], ["0.12345678901234567890", "3"]]
)
def test_numbers_that_a_float_holds_stay_numbers(cells):
    frame = pd.DataFrame({"x": pd.Series(cells * 3, dtype=object), "y": ["p", "q"] * 3})
    assert ex.Dataset.from_frame(frame, "y", features=["x"]).features[0].kind == "numeric"


@pytest.mark.parametrize("cells", [[str(LONG), str(LONG + 1)], [2**60 + 1, 2**60 + 2]])
def test_a_long_number_that_is_to_be_numeric_is_rounded_with_a_note(cells):
    frame = pd.DataFrame({"code": cells * 3, "z": [1.5, 2, 3, 4, 5, 6], "y": ["p", "q"] * 3})
    data = ex.Dataset.from_frame(frame, "y", features=["code", "z"], kinds={"code": "numeric"})
    (note,) = [note.text for note in data.notes if "rounded" in note.text]
    assert f"{cells[0]} counts as {float(cells[0]):.0f}" in note
    assert "'code'" in note


def test_a_mark_that_is_listed_as_a_category_is_one():
    frame = pd.DataFrame({"region": ["NA", "EU", "NA", "EU", "?", "EU"], "y": ["p", "q", "p", "q", "q", "q"]})
    data = ex.Dataset.from_frame(frame, "y", features=["region"], kinds={"region": ["NA", "EU"]})
    assert data.features[0].categories == ("NA", "EU")
    assert data.codes[0].tolist() == [0, 1, 0, 1, 2, 1], "the question mark, which is not listed, is missing"
    for recipe in (ex.ID3, ex.C45, ex.CART):
        tree = ex.grow(data, recipe)
        assert list(tree.predict(pd.DataFrame({"region": [" NA ", "EU"]}))) == ["p", "q"]
        assert list(tree.predict(data))[:2] == ["p", "q"]
        assert [python_function(tree, "region")(cell) for cell in ("NA ", "EU")] == ["p", "q"]
    assert ex.row_path(tree, frame, 0).visits[1].value == "NA"


def test_a_class_may_be_called_na():
    frame = pd.DataFrame({"x": [1.0, 2.0, 3.5, 4.0], "y": ["NA", "NA", "EU", "EU"]})
    data = ex.Dataset.from_frame(frame, "y", classes=["EU", "NA"])
    assert (data.n_rows, data.classes) == (4, ("EU", "NA"))


def test_a_mark_is_missing_in_delimited_text_and_a_category_in_a_frame_which_has_missing_cells_of_its_own():
    frame = pd.DataFrame({"region": ["NA", "EU", "US", "EU"], "y": ["p", "q", "p", "q"]})
    text = ex.read_table(frame.to_csv(index=False).encode(), name="t.csv").frame
    for rows, categories in ((frame, ("NA", "EU", "US")), (text, ("EU", "US"))):
        data = ex.Dataset.from_frame(rows, "y", features=["region"], kinds={"region": "categorical"})
        assert data.features[0].categories == categories


@pytest.mark.parametrize("bad", [["a", "b"], {"a": 1}, {1, 2}, np.array([1, 2])])
@pytest.mark.parametrize("kind", [None, "categorical", "numeric"])
def test_a_cell_that_holds_several_values_is_named(bad, kind):
    frame = pd.DataFrame({"tags": pd.Series([1, bad, None, 2], dtype=object), "y": ["p", "q", "p", "q"]})
    with pytest.raises(ex.ColumnError, match=r"'tags'.*row 2.*leave the column out") as caught:
        ex.Dataset.from_frame(frame, "y", kinds={} if kind is None else {"tags": kind})
    assert caught.value.cells == ((2, str(bad)),)


def test_lists_of_arrow_are_named_too():
    arrow = pytest.importorskip("pyarrow")
    column = pd.Series(pd.arrays.ArrowExtensionArray(arrow.array([[1], [2, 3]] * 2)))
    with pytest.raises(ex.ColumnError, match="'tags'"):
        ex.Dataset.from_frame(pd.DataFrame({"tags": column, "y": ["p", "q"] * 2}), "y")


def test_dates_are_numbers_in_a_column_of_objects_too():
    dates = pd.Series(pd.to_datetime(["2024-01-05", "2024-02-01", "2025-01-01", "2025-03-01"]))
    frame = pd.DataFrame({"day": dates, "y": ["p", "p", "q", "q"]})
    tree = ex.grow(ex.Dataset.from_frame(frame, "y"), ex.CART)
    rows = pd.DataFrame({"day": pd.Series(list(dates), dtype=object)})
    assert list(tree.predict(rows)) == list(tree.predict(frame)) == frame["y"].tolist()


ODD_CELLS = (
    *(1, 1.0, "1", True, False, None, float("nan"), pd.NA, pd.NaT, "NA", " a ", "a", "1_000", "１２", "nan", "inf"),
    *(10**400, -(10**30), Decimal("1.50"), Decimal("1E+500"), Decimal("NaN"), Decimal("Infinity"), float("inf")),
    *(Decimal("0.12345678901234567890"), Fraction(1, 3), 1 + 2j, (1, 2), [1], {"a": 1}, np.float32(0.1), np.True_),
    *(datetime.date(2020, 1, 1), pd.Timestamp("2020"), pd.Timedelta("1D"), pd.Period("2020"), pd.Interval(0, 1)),
    *("1e400", b"x"),
)


@pytest.mark.parametrize("seed", range(4))
def test_columns_of_any_cells_are_refused_in_words_or_predicted_alike_everywhere(seed):
    rng = random.Random(seed)
    predicted = 0
    for _ in range(40):
        some = rng.sample(ODD_CELLS, rng.choice([1, 2, 3, 8]))
        frame = pd.DataFrame({"x": pd.Series([rng.choice(some) for _ in range(8)], dtype=object), "z": range(8)})
        frame["y"] = list("pqpqpqpq")
        kind = rng.choice([None, "numeric", "categorical"])
        try:
            data = ex.Dataset.from_frame(frame, "y", kinds={} if kind is None else {"x": kind})
            tree = ex.grow(data, rng.choice([ex.ID3, ex.C45, ex.CART]))
            whole = list(tree.predict(frame))
        except ex.InputError:
            continue
        module: dict = {}
        exec(ex.to_python(tree), module)
        assert [tree.predict(frame.iloc[[i]])[0] for i in range(8)] == whole
        assert [module["predict"](frame.iloc[i].to_dict())[0] for i in range(8)] == whole
        predicted += 1
    assert predicted > 8


@pytest.mark.parametrize("n_values", [0, 1, 16, 17])
@pytest.mark.parametrize("dtype", ["int64", "uint8", "float32", "bool", "float64"])
def test_numbers_are_listed_by_first_appearance(n_values, dtype):
    numbers = np.random.default_rng(n_values).integers(0, max(n_values, 1), 200 * min(n_values, 1)).astype(dtype)
    column = pd.Series(numbers)
    if dtype == "float64" and n_values:
        column[7] = np.nan
    codes, values = distinct_cells(SourceColumn(column))
    expected, distinct = pd.factorize(column)
    assert codes.tolist() == np.where(expected < 0, len(distinct), expected).tolist()
    assert values == distinct.tolist()
    assert {type(value) for value in values} <= ({bool} if dtype == "bool" else {int})


def test_long_numbers_of_one_type_stay_apart():
    codes, values = distinct_cells(SourceColumn(pd.Series([2**60, 2**60 + 1, 2**60])))
    assert (codes.tolist(), values) == ([0, 1, 0], [2**60, 2**60 + 1])
