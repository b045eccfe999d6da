"""Workbooks with formulas: LibreOffice predicts every row as the tree does, or the workbook says why it does not."""

import io

import numpy as np
import openpyxl
import pandas as pd
import pytest

import explorer as ex
from explorer.export import python_runtime
from explorer.export.office import spreadsheet
from explorer.export.office.cell_formulas import can_be_cell
from tests.oracles import used_trees
from tests.oracles.exported_code import answers_of, assert_answers
from tests.oracles.golden_walk import dataset_of
from tests.oracles.odd_tables import odd_case
from tests.oracles.spreadsheets import calculated, needs_office, predicted, saved
from tests.oracles.tables import sample_dataset

TENNIS = dataset_of("play_tennis")
SEVERAL = "several branches"


@pytest.fixture
def few_rows(monkeypatch):
    """Workbooks for 100 rows, which LibreOffice calculates in a tenth of the time."""
    monkeypatch.setattr(spreadsheet, "MOST_ROWS", 100)


def near_thresholds(tree, rows):
    """The thresholds and numbers on both sides of each, then the rows; as many as are predicted."""
    lines = []
    for node in np.flatnonzero(np.isfinite(tree.threshold)).tolist():
        cut, name = float(tree.threshold[node]), tree.features[tree.feature[node]].name
        step = max(abs(cut), 1e-3) * 1e-9
        lines += [rows.head(1).assign(**{name: value}) for value in (cut, cut - step, cut + step)]
    return pd.concat([*lines[:75], rows], ignore_index=True).head(spreadsheet.MOST_ROWS)


def cases():
    """Trees of all built-in kinds, each with all rows, missing cells, unseen categories and thresholds."""
    for key, recipe in [
        ("play_tennis", ex.ID3),
        ("titanic", ex.CART.replace(max_depth=4)),
        ("golf_missing", ex.C45.replace(missing="most_common", unseen="heaviest")),
        ("penguins", ex.CART.replace(missing="own_branch", categorical="each_value", numeric="bins", max_depth=4)),
        ("car", ex.ID3.replace(max_depth=3)),
        ("auto_mpg", ex.CART.replace(max_depth=4)),
    ]:
        data = sample_dataset(key)
        tree = ex.grow(data, recipe)
        whole = data.frame[[feature.name for feature in data.features]].astype(object)
        rows = pd.concat([whole, used_trees.with_holes(data, rows=30).astype(object)], ignore_index=True)
        rows = near_thresholds(tree, rows)
        yield tree, rows.where(rows.notna(), None)


def assert_predicted(pairs, folder):
    """Each workbook's answers are the tree's; rows of several branches are said to be so, by the tree too."""
    trees, tables = zip(*pairs, strict=True)
    for tree, rows, found in zip(trees, tables, predicted(trees, tables, folder), strict=True):
        at, _, parts = tree.routes(rows)
        several = np.zeros(len(rows), dtype=bool)
        several[at[parts < 1]] = True
        assert [one == SEVERAL for one in found[0]] == several.tolist()
        kept = np.flatnonzero(~several)
        shares = None if found[1] is None else [found[1][row] for row in kept]
        assert_answers(([found[0][row] for row in kept], shares), answers_of(tree, rows.iloc[kept]))


@needs_office
@pytest.mark.slow
def test_every_row_is_predicted_as_by_the_tree(tmp_path):
    assert_predicted(list(cases()), tmp_path)


@needs_office
@pytest.mark.slow
def test_trees_and_rows_of_all_kinds(few_rows, tmp_path):
    pairs = []
    for tree, rows in (odd_case(seed) for seed in range(24)):
        for encoding in tree.features:
            if encoding.kind == "numeric":  # texts are #N/A there, by the first lines
                rows[encoding.name] = [python_runtime.number_of(cell, encoding.name) for cell in rows[encoding.name]]
        numbers = [cell for cell in rows.to_numpy().ravel().tolist() if isinstance(cell, (int, float))]
        if all(can_be_cell(name) for name in rows.columns) and not any(abs(number) > 1e15 for number in numbers):
            pairs.append((tree, rows))  # more digits than 15 are not compared, by the first lines
    assert len(pairs) > 8
    assert_predicted(pairs, tmp_path)


@needs_office
@pytest.mark.slow
def test_names_are_only_ever_names(few_rows, tmp_path):
    names = [*used_trees.NASTY, "two\nlines\r\n", "=1+1", "@SUM(A1)", "+1", "-x", "a*b?~", "_x0041_"]
    pairs = [used_trees.nasty_tree(name) for name in names if can_be_cell(name)]
    assert_predicted([(tree, rows.drop(columns="goal")) for tree, rows in pairs], tmp_path)


@needs_office
def test_a_row_typed_in_is_predicted_with_its_path(few_rows, tmp_path):
    book = openpyxl.load_workbook(io.BytesIO(ex.to_spreadsheet(ex.grow(TENNIS, ex.ID3))))
    sheet = book["One row"]
    names = [cell.value for cell in sheet["A"]]
    for name, typed in {"Outlook": " Rain ", "Wind": "Weak", "Humidity": "Foggy"}.items():
        sheet.cell(names.index(name) + 1, 2, typed)
    lines = calculated([saved(book)], tmp_path, 1)[0]
    told = {line[0]: line[1] for line in lines}
    assert told["prediction"] == "Yes"
    assert (told["P(No)"], told["P(Yes)"]) == ("0%", "100%")
    start = [line[0] for line in lines].index("decision path") + 1
    assert [line[0] for line in lines[start : start + 3]] == ["all rows", "Outlook = Rain", "Wind = Weak"]
    read = {line[0]: line[2] for line in lines[: start - 1]}
    assert (read["Outlook"], read["Humidity"]) == ("Rain", "unseen")


def formulas_of(file):
    book = openpyxl.load_workbook(io.BytesIO(file))
    return [cell.value for sheet in book for line in sheet.iter_rows() for cell in line if cell.data_type == "f"]


@pytest.mark.parametrize("name", ["=1+1", "@SUM(A1)", '"&A1&"', "'Lines'!A1"])
def test_no_text_of_the_table_is_part_of_a_formula(few_rows, name):
    tree, _ = used_trees.nasty_tree(name)
    formulas = formulas_of(ex.to_spreadsheet(tree))
    plain, _ = used_trees.nasty_tree("plain")
    assert formulas == formulas_of(ex.to_spreadsheet(plain))
    assert all(len(formula) < 8192 for formula in formulas)


def first_lines(tree):
    sheet = openpyxl.load_workbook(io.BytesIO(ex.to_spreadsheet(tree)))["One row"]
    return " ".join(str(cell.value) for cell in sheet["A"][:6])


def test_the_first_lines_say_what_the_workbook_cannot():
    assert "follow several branches are not predicted" in first_lines(ex.grow(TENNIS, ex.C45))
    assert "several branches" not in first_lines(ex.grow(TENNIS, ex.ID3))
    days = pd.DataFrame({"day": pd.date_range("2023-01-01", periods=9), "goal": list("aaaabbbbb")})
    assert "from March 1900 on" in first_lines(ex.grow(ex.Dataset.from_frame(days, "goal"), ex.CART))


def test_a_tree_of_too_many_nodes_is_refused(monkeypatch):
    monkeypatch.setattr(spreadsheet, "MOST_LINES", 9)
    with pytest.raises(ex.InputError, match="more than the 9 that a workbook follows: prune it"):
        ex.to_spreadsheet(ex.grow(TENNIS, ex.ID3))


@needs_office
def test_dates_are_those_of_the_workbook(few_rows, tmp_path):
    days = pd.date_range("2023-01-01", periods=9)
    tree = ex.grow(ex.Dataset.from_frame(pd.DataFrame({"day": days, "goal": list("aaaabbbbb")}), "goal"), ex.CART)
    book = openpyxl.load_workbook(io.BytesIO(ex.to_spreadsheet(tree)))
    for row, day in enumerate(days, 2):
        book["Table"].cell(row, 1, day.to_pydatetime())
    book["Table"].cell(11, 1, "soon")
    lines = calculated([saved(book)], tmp_path, 3)[0]
    assert [line[1] for line in lines[2:13]] == [*"aaaabbbbb", "#N/A", ""]
