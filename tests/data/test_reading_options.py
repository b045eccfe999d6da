"""What is set by hand of how a file is read."""

import io

import openpyxl
import pandas as pd
import pytest

import explorer as ex
from explorer.data.reading import AS_FOUND, ReadingOptions

GERMAN = b"kg;preis;y\n2.620;1.000,5;a\n146;3;b\n"

SET = [
    (GERMAN, {"thousands": "."}, {"kg": [2620, 146], "preis": [1000.5, 3]}),
    (GERMAN, {"decimal": "."}, {"kg": [2.62, 146.0]}),
    (b"x,y\n1 200,a\n12,b\n", {"thousands": " "}, {"x": [1200, 12]}),
    (b"x;y\n12.05.2020;a\n13.05.2020;b\n", {"thousands": "."}, {"x": ["12.05.2020", "13.05.2020"]}),
    (b"x y\n1 a\n2 b\n", {"separator": " "}, {"x": [1, 2], "y": ["a", "b"]}),
    (b"x,y;z\n1,x;3\n", {"separator": ";"}, {"x,y": ["1,x"], "z": [3]}),
    ("größe,y\n1,ä\n".encode("cp850"), {"encoding": "cp850"}, {"größe": [1], "y": ["ä"]}),
    ("\ufeffx,y\n1,ä\n".encode(), {"encoding": "utf-8"}, {"x": [1], "y": ["ä"]}),
    (b"1,2,a\n3,4,b\n", {"has_header": False}, {"column 1": [1, 3], "column 3": ["a", "b"]}),
    (b"title\n\n1,2\n3,4\n", {"has_header": False, "header_line": 3}, {"column 1": [1, 3]}),
    (b"n,r\nNA,NA\n1,EU\n?,?\n", {"missing": ["?"]}, {"n": [None, 1.0], "r": ["NA", "EU"]}),
    (b"r,y\n-,a\nx,b\n", {"missing": ["-", "NA"]}, {"r": [None, "x"]}),
]


@pytest.mark.parametrize(("raw", "options", "expected"), SET)
def test_a_text_is_read_as_it_is_set(raw, options, expected):
    frame = ex.read_table(raw, name="t.csv", **options).frame
    for name, cells in expected.items():
        assert frame[name].astype(object).where(frame[name].notna(), None).tolist() == cells


def test_a_mark_that_is_kept_is_a_category_of_the_tree():
    raw = b"x,region,y\n" + b"1,NA,a\n2,EU,b\n" * 4
    assert ex.Dataset.from_frame(ex.read_table(raw).frame, "y", features=["region"]).features[0].categories == ("EU",)
    frame = ex.read_table(raw, missing=[]).frame
    assert ex.Dataset.from_frame(frame, "y", features=["region"]).features[0].categories == ("NA", "EU")


def test_a_sheet_may_have_no_header_and_a_mark_that_is_kept():
    book, out = openpyxl.Workbook(), io.BytesIO()
    for row in ((1, "NA"), (2, "EU")):
        book.active.append(row)
    book.save(out)
    table = ex.read_table(out.getvalue(), has_header=False, missing=[])
    assert table.frame.to_dict("list") == {"column 1": [1, 2], "column 2": ["NA", "EU"]}


REFUSED = [
    (b"x,y\n1,a\n", {"separator": ";;"}, "must be one sign"),
    (b"x,y\n1,a\n", {"decimal": "."} | {"thousands": "."}, "cannot be both"),
    (b"x,y\n1,a\n", {"thousands": "x"}, "use one of"),
    (b"x,y\n1,a\n", {"encoding": "hex"}, "'hex' is not known"),
    (b"x,y\n1,\xff\n", {"encoding": "utf-8"}, "cannot be read as utf-8"),
    (b'{"x": 1}\n{"x": 2}\n', {"decimal": ","}, "is no text with separators: read it without decimal"),
]


@pytest.mark.parametrize(("raw", "options", "said"), REFUSED)
def test_what_cannot_be_set_is_said(raw, options, said):
    with pytest.raises(ex.InputError, match=said):
        ex.read_table(raw, name="t.csv", **options)


def test_options_survive_their_plain_form_and_nothing_else_is_taken():
    options = ReadingOptions(separator="\t", thousands="'", has_header=False, missing=("?", "-"))
    assert ReadingOptions.from_plain(options.given) == options
    assert ReadingOptions.from_plain({}) == AS_FOUND
    for plain in (None, [], {"sign": 1}, {"missing": "NA"}, {"missing": [1]}, {"decimal": 1}, {"has_header": 1}):
        with pytest.raises(ex.InputError):
            ReadingOptions.from_plain(plain)


NAMIBIA = b"country,y\nNA,a\nEU,b\nNA,a\nUS,b\n"


def test_a_mark_that_the_reader_took_off_is_not_suggested_again():
    assert ex.read_table(NAMIBIA, missing=["?"]).suggestions == ()
    left = ex.read_table(NAMIBIA.replace(b"US", b"unknown") + b"JP,a\n", missing=["NA"]).suggestions
    assert [suggestion.repair.settings["codes"] for suggestion in left] == [("unknown",)]


def test_a_mark_taken_off_is_not_suggested_for_a_workbook_either():
    out = io.BytesIO()
    pd.DataFrame({"country": ["NA", "EU", "NA", "US"], "y": [1, 2, 3, 4]}).to_excel(out, index=False)
    table = ex.read_table(out.getvalue(), name="t.xlsx", missing=["?"])
    assert table.frame["country"].tolist() == ["NA", "EU", "NA", "US"]
    assert table.suggestions == ()


@pytest.mark.parametrize("number", ["9007199254740993", "4000000000000184313"])
def test_long_ids_keep_their_digits_beside_a_sign_between_thousands(number):
    raw = f"id;n\n{number};1.234\n{int(number) + 1};2.345\n;3.456\n".encode()
    frame = ex.read_table(raw, thousands=".").frame
    assert frame["id"].dropna().tolist() == [number, str(int(number) + 1)]
    assert frame["n"].tolist() == [1234.0, 2345.0, 3456.0]


def test_whole_numbers_that_a_float_keeps_are_numbers_beside_a_sign_between_thousands():
    frame = ex.read_table(b"id;n\n9.007.199.254.740.992;1.234\n7;2.345\n", thousands=".").frame
    assert frame["id"].tolist() == [9007199254740992.0, 7.0]
