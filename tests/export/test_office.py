"""PDF, PNG, slides and workbook, read back by the readers of other programs."""

import datetime
import io
import struct

import numpy as np
import openpyxl
import pandas as pd
import pytest

import explorer as ex
from explorer.evaluation.deciding.gains import gains
from explorer.export import needed
from explorer.export.office import workbook
from tests.oracles.reported import grown, provenance


def book_of(known):
    return openpyxl.load_workbook(io.BytesIO(ex.to_xlsx(known)))


def lines_of(sheet):
    head, *lines = sheet.values
    return pd.DataFrame(lines, columns=head)


def hostile():
    """A tree whose names and values a spreadsheet or XML could take for something else."""
    texts = ["=1+1", "@SUM(A1)", "<b>&amp;", "a\x00b", "?", "+1", "-x", "a\u202eb"]
    frame = pd.DataFrame({"=cmd": texts * 4, "n": range(32), "'class": ["=no", "-yes"] * 16})
    table = ex.read_table(frame, "=file.csv")
    data = ex.Dataset.from_frame(table.frame, "'class")
    return grown(table, data, ex.CART)


@pytest.mark.parametrize("key", ["titanic", "iris"])
def test_gains_are_those_that_pandas_counts(key):
    known = provenance(key, ex.CART.replace(max_depth=4), (0.7,), seed=3)
    tree, target = known.tree, known.data.target.name
    for part in known.parts:
        frame = part.frame.assign(leaf=tree.apply(part), is_of=lambda frame: frame[target] == tree.classes[0])
        counted = frame.groupby("leaf")["is_of"].agg(["size", "sum", "mean"])
        counted = counted.sort_values(["mean", "size"], ascending=False, kind="stable")
        table = gains(tree, part, 0)
        assert table["leaf"].tolist() == counted.index.tolist()
        np.testing.assert_allclose(table["rows"], counted["size"])
        np.testing.assert_allclose(table["responses"], counted["sum"])
        np.testing.assert_allclose(table["response"], counted["mean"])
        grown_on = known.parts[0].frame.assign(leaf=tree.apply(known.parts[0]))
        training = (grown_on[target] == tree.classes[0]).groupby(grown_on["leaf"]).mean()
        np.testing.assert_allclose(table["training response"], training[table["leaf"]])
        np.testing.assert_allclose(table["index"], counted["mean"] / frame["is_of"].mean())
        np.testing.assert_allclose(
            table["cumulative share of responses"], counted["sum"].cumsum() / frame["is_of"].sum()
        )
        np.testing.assert_allclose(table["cumulative response"], counted["sum"].cumsum() / counted["size"].cumsum())
        assert table["cumulative share of rows"].iloc[-1] == pytest.approx(1)
        assert table["cumulative index"].iloc[-1] == pytest.approx(1)


def test_gains_of_numbers_are_means_over_the_mean_and_weights_count():
    frame = pd.DataFrame({"x": [1.0, 2, 3, 4], "y": [1.0, 1, 3, 3], "w": [1.0, 1, 1, 3]})
    data = ex.Dataset.from_frame(frame, "y", weights="w", kinds={"y": "numeric"})
    table = gains(ex.grow(data, ex.CART.replace(max_depth=1)), data)
    assert table["response"].tolist() == [3.0, 1.0]
    assert table["rows"].tolist() == [4.0, 2.0]
    mean = (1 + 1 + 3 + 9) / 6
    np.testing.assert_allclose(table["index"], [3 / mean, 1 / mean])
    assert "responses" not in table


def test_a_workbook_has_rules_gains_scores_and_every_row_with_its_prediction():
    known = provenance("titanic", ex.CART.replace(max_depth=3), (0.6, 0.2), seed=1)
    book, tree = book_of(known), known.tree
    assert book.sheetnames == ["Rules", "Gains", "Scores", "Rows"]
    assert len(lines_of(book["Rules"])) == tree.n_leaves + 1, "the default comes last"
    table, frame = lines_of(book["Gains"]), known.table.frame
    assert set(zip(table["set"], table["class"], strict=True)) == {
        (s, c) for s in ("training", "validation") for c in (0, 1)
    }
    own = table[(table["set"] == "validation") & (table["class"] == 1)]
    np.testing.assert_allclose(own["response"], gains(tree, known.parts[1], 1)["response"])
    assert own["rule"].iloc[0] == next(rule.words for rule in ex.rules(tree) if rule.leaf == own["leaf"].iloc[0])
    scores = lines_of(book["Scores"]).set_index("score")
    found = ex.evaluate(tree, known.parts[1]).scores["accuracy"]
    assert scores.loc["accuracy", "validation: tree"] == found.value, "with all digits"
    rows = lines_of(book["Rows"])
    assert len(rows) == len(frame)
    assert rows["name"].tolist() == frame["name"].tolist()
    np.testing.assert_array_equal(rows["prediction"], tree.predict(frame))
    np.testing.assert_allclose(rows[["P(0)", "P(1)"]].astype(float), tree.predict_proba(frame))
    assert rows["set"].value_counts().to_dict() == {
        "training": known.parts[0].n_rows,
        "validation": known.parts[1].n_rows,
        "test": known.parts[2].n_rows,
    }


def test_text_stays_text_in_a_workbook():
    known = hostile()
    texts = [cell for sheet in book_of(known) for line in sheet.iter_rows() for cell in line]
    assert {cell.data_type for cell in texts} <= {"s", "n", "b"}, "no formula, no error"
    rows = lines_of(book_of(known)["Rows"])
    assert rows.columns[0] == "=cmd"
    assert rows["=cmd"].tolist()[:4] == ["=1+1", "@SUM(A1)", "<b>&amp;", "a␀b"]


def test_rows_have_dates_where_a_repair_made_days_of_them():
    days = ["2023-03-01", "2023-01-31", None, "2023-02-28", "2023-12-31", "2023-06-07"] * 3
    table = ex.read_table(pd.DataFrame({"day": days, "y": ["a", "b", "a"] * 6}), "t")
    repaired = ex.apply_repairs(table, [one.repair for one in table.suggestions if one.column == "day"])
    data = ex.Dataset.from_frame(repaired.frame, "y", days_since=repaired.days_since)
    assert repaired.frame["day"].dtype.kind == "f"
    rows = lines_of(book_of(grown(repaired, data, ex.CART))["Rows"])
    assert rows["day"].fillna("").tolist() == [day or "" for day in days]


def test_a_row_without_a_target_is_in_no_set_and_a_large_table_says_so(monkeypatch):
    frame = pd.DataFrame({"x": [1, 2, 3, 4, 5], "y": ["a", None, "b", "a", "b"]})
    table = ex.read_table(frame, "t")
    known = grown(table, ex.Dataset.from_frame(table.frame, "y"), ex.CART)
    rows = lines_of(book_of(known)["Rows"])
    assert rows["set"].isna().tolist() == [False, True, False, False, False]
    assert rows["prediction"].isna().tolist() == [False, True, False, False, False]
    monkeypatch.setattr(workbook, "MOST_CELLS", 9)
    assert "10 cells" in next(book_of(known)["Rows"].values)[0]


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        (None, None),
        (pd.NaT, None),
        (float("nan"), None),
        (np.int64(2**53), 2**53),
        (2**53 + 1, "9007199254740993"),
        (float("-inf"), "-inf"),
        (np.bool_(True), True),
        (pd.Timestamp("2020-01-02 03:04"), datetime.datetime(2020, 1, 2, 3, 4)),
        (pd.Timestamp("2020-01-02", tz="UTC"), "2020-01-02T00:00:00+00:00"),
        (datetime.date(1812, 5, 6), "1812-05-06"),
        ("x" * 40_000, "x" * 32_767),
    ],
)
def test_a_value_is_one_that_excel_keeps(value, kept):
    assert workbook.plain(value) == kept


@pytest.mark.parametrize("form", ["PDF", "PNG", "PPTX"])
def test_without_its_package_the_error_names_the_command(monkeypatch, form):
    monkeypatch.setattr(needed, "find_spec", lambda name: None)
    known = provenance("play_tennis", ex.ID3)
    makes = {"PDF": ex.to_pdf, "PNG": ex.to_png, "PPTX": ex.to_pptx}
    with pytest.raises(ex.InputError, match=f"{form} needs more packages: run 'pip install typst python-pptx'"):
        makes[form](known if form == "PPTX" else known.tree)


def test_a_pdf_is_one_page_with_every_text_of_the_tree():
    pytest.importorskip("typst")
    pypdf = pytest.importorskip("pypdf")
    tree = provenance("titanic", ex.CART.replace(max_depth=4)).tree
    (page,) = pypdf.PdfReader(io.BytesIO(ex.to_pdf(tree))).pages
    said = page.extract_text()
    assert said.count(" rows") + said.count(" row\n") >= tree.n_nodes
    assert "sex = male" in said
    assert page.mediabox.width > page.mediabox.height
    (top,) = pypdf.PdfReader(io.BytesIO(ex.to_pdf(tree, max_depth=1))).pages
    assert len(top.extract_text()) < len(said) / 2
    large = provenance("titanic", ex.CART).tree
    (page,) = pypdf.PdfReader(io.BytesIO(ex.to_pdf(large))).pages
    assert page.mediabox.width == pytest.approx(14_400, abs=1), "as large as a page may be"


def test_a_png_is_sharp_and_of_bounded_size():
    pytest.importorskip("typst")
    small, large = (provenance("titanic", ex.CART.replace(max_depth=depth)).tree for depth in (1, 8))
    assert pixels(ex.to_png(large))[0] == pytest.approx(8000, abs=2)
    assert 400 < pixels(ex.to_png(small))[0] < 4000
    assert pixels(ex.to_png(hostile().tree))[0] > 200


def pixels(content):
    """Width and height as the header of a PNG has them."""
    assert content[:8] == b"\x89PNG\r\n\x1a\n"
    return struct.unpack(">II", content[16:24])


def titles_and_tables(content):
    pptx = pytest.importorskip("pptx")
    slides = pptx.Presentation(io.BytesIO(content)).slides
    shapes = [shape for slide in slides for shape in slide.shapes]
    tables = [[[cell.text for cell in row.cells] for row in s.table.rows] for s in shapes if s.has_table]
    pictures = [shape for shape in shapes if shape.shape_type == 13]
    return [slide.shapes.title.text for slide in slides], tables, pictures


def test_slides_have_tree_scores_matrix_and_rules():
    pytest.importorskip("typst")
    pytest.importorskip("pptx")
    known = provenance("titanic", ex.CART.replace(max_depth=4), (0.7,), seed=0)
    titles, tables, pictures = titles_and_tables(ex.to_pptx(known))
    assert titles[:3] == ["Decision tree for survived", "The tree down to depth 3", "The tree"]
    assert titles[3:5] == ["Scores", "Confusion matrix, validation set"]
    assert set(titles[5:]) == {"Rules"}
    assert len(pictures) == 2
    found = ex.evaluate(known.tree, known.parts[1])
    assert [[float(cell) for cell in line[1:]] for line in tables[1][1:]] == found.confusion.tolist()
    shown = [line for table in tables[2:] for line in table[1:]]
    assert sorted(line[0] for line in shown) == sorted(rule.words for rule in ex.rules(known.tree))
    amounts = [float(line[2]) for line in shown]
    assert amounts == sorted(amounts, reverse=True)


def test_slides_take_hostile_names_and_numbers():
    pytest.importorskip("typst")
    pytest.importorskip("pptx")
    titles, _, _ = titles_and_tables(ex.to_pptx(hostile()))
    assert titles[0] == "Decision tree for 'class"
    titles, tables, _ = titles_and_tables(ex.to_pptx(provenance("auto_mpg", ex.CART.replace(max_depth=2))))
    assert not any("matrix" in title for title in titles)
    assert tables
