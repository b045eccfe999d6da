"""Quotation marks of a text, a repeated byte order mark, and a first line that looks like a row."""

import pytest

import explorer as ex

QUOTES = [
    (b'name,y\n"say \\"hi\\"",a\n"x\\\\y",b\n', ['say "hi"', "x\\\\y"], "backslash"),
    (b'name,y\n"a \\"b\\", c",a\nx,b\n', ['a "b", c', "x"], "backslash"),
    (b'name,y\n"C:\\",a\n"D:\\",b\n', ["C:\\", "D:\\"], None),
    (b'name,y\n"say ""hi""",a\nx,b\n', ['say "hi"', "x"], None),
    (b'name,y\n"5" long,a\nx,b\n', ["5 long", "x"], 'such as "5" long'),
    (b'name,y\n5" long,a\nx,b\n', ['5" long', "x"], None),
]


@pytest.mark.parametrize(("raw", "names", "noted"), QUOTES)
def test_quotation_marks_within_cells_are_kept_or_noted(raw, names, noted):
    table = ex.read_table(raw, name="t.csv")
    assert table.frame["name"].tolist() == names
    notes = " ".join(table.notes)
    assert noted in notes if noted else "uotation" not in notes and "backslash" not in notes


def test_backslashes_are_read_alike_in_every_part_of_a_long_text():
    rows = "".join(f'"{"x" * (i % 97)} \\"{i}\\"",{i % 2}\n' for i in range(20_000))
    frame = ex.read_table(f"name,y\n{rows}".encode()).frame
    assert frame["name"].str.replace("x", "").tolist() == [f' "{i}"' for i in range(20_000)]


@pytest.mark.parametrize("marks", [1, 2, 3])
def test_no_byte_order_mark_stays_in_a_name(marks):
    assert list(ex.read_table(("\ufeff" * marks + '"a,b",c\n1,2\n').encode()).frame) == ["a,b", "c"]


FIRST_LINES = [
    (b"5.1,3.5,Iris-setosa\n4.9,3.0,Iris-setosa\n7.0,3.2,Iris-versicolor\n", True),
    (b"39, State-gov, <=50K\n50, Private, <=50K\n38, State-gov, >50K\n", True),
    (b"city,2019,2020\nRome,3,4\nParis,5,6\n", False),
    (b"x,y\n1,a\n2,b\n", False),
    (b"a,b\nx,y\na,b\n", False),
]


@pytest.mark.parametrize(("raw", "is_row"), FIRST_LINES)
def test_a_first_line_that_looks_like_a_row_is_noted_and_can_be_one(raw, is_row):
    table = ex.read_table(raw, name="iris.data")
    assert ("looks like a row" in " ".join(table.notes)) == is_row
    assert len(ex.read_table(raw, has_header=False).frame) == len(table.frame) + 1


def test_words_for_a_missing_cell_that_may_be_categories_are_named_by_column():
    table = ex.read_table(b"region,n,y\nNA,1,a\nEU,NA,b\nEU,2,n/a\n", name="t.csv")
    (said,) = (note for note in table.notes if "categories" in note)
    assert "'region', 'y'." in said
    assert not any("categories" in note for note in ex.read_table(b"x,y\nNA,a\n1,?\n").notes)
