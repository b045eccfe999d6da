"""A column that cannot become what was asked is named with its offending cells: rows of the table, text as written."""

import pickle

import pandas as pd
import pytest

import explorer as ex


def refusal(frame: pd.DataFrame, **given) -> ex.ColumnError:
    with pytest.raises(ex.ColumnError) as caught:
        ex.Dataset.from_frame(frame, "y", **given)
    return caught.value


def test_text_in_a_numeric_column_is_listed_with_the_rows_of_the_table():
    cells = ["1", "2", " 11.4% ", "4", "n.a.", "6"]
    frame = pd.DataFrame({"rate": cells, "y": ["p", "q", "p", None, "q", "p"]})
    error = refusal(frame, kinds={"rate": "numeric"})
    assert error.column == "rate"
    assert error.cells == ((3, " 11.4% "), (5, "n.a.")), "row 4, which has no target, is counted"
    assert "3, 5" in str(error)


def test_at_most_twenty_cells_are_held():
    frame = pd.DataFrame({"x": ["a"] * 50, "z": range(50), "y": ["p", "q"] * 25})
    error = refusal(frame, kinds={"x": "numeric"})
    assert [row for row, _ in error.cells] == list(range(1, 21))
    assert "50 values" in str(error)


@pytest.mark.parametrize("cells", [[1.0, float("inf"), 2.0, 3.0], ["1", "1e999", "2", "3"]])
def test_an_infinite_number_is_an_error_of_its_column(cells):
    frame = pd.DataFrame({"x": cells, "y": ["p", "q", "p", "q"]})
    error = refusal(frame)
    assert (error.column, error.cells) == ("x", ((2, str(cells[1])),))


def test_a_category_outside_the_given_order_is_an_error_of_its_column():
    frame = pd.DataFrame({"size": ["low", "huge", "high", "huge"], "y": ["p", "q", "p", "q"]})
    error = refusal(frame, kinds={"size": ["low", "high"]})
    assert (error.column, error.cells) == ("size", ((2, "huge"), (4, "huge")))


@pytest.mark.parametrize(("cells", "bad"), [(["1", "two", "1", "?"], "two"), ([1.0, -3.0, 1.0, 1.0], "-3.0")])
def test_a_column_of_weights_names_its_cells(cells, bad):
    frame = pd.DataFrame({"x": [1.0, 2.0, 3.5, 4.0], "w": cells, "y": ["p", "q", "p", "q"]})
    error = refusal(frame, weights="w")
    assert error.column == "w"
    assert error.cells[0] == (2, bad)


def test_predicting_names_the_cells_too():
    frame = pd.DataFrame({"x": [1.0, 2.0, 3.5, 4.0], "y": ["p", "p", "q", "q"]})
    tree = ex.grow(ex.Dataset.from_frame(frame, "y"), ex.CART)
    with pytest.raises(ex.ColumnError) as caught:
        tree.predict(pd.DataFrame({"x": ["1", "2", "tall"]}))
    assert (caught.value.column, caught.value.cells) == ("x", ((3, "tall"),))


def test_the_error_keeps_its_cells_between_processes():
    error = pickle.loads(pickle.dumps(ex.ColumnError("Column 'x' holds text.", "x", ((3, "11.4%"),))))
    assert (str(error), error.column, error.cells) == ("Column 'x' holds text.", "x", ((3, "11.4%"),))
