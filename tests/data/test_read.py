"""A file's bytes become a table with notes, or one clear error."""

import gzip
import io
import zipfile
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.data.read import read_table
from explorer.data.text.form import text_form
from explorer.data.text.ragged import first_ragged_line
from explorer.errors import InputError
from explorer.values import MISSING_MARKERS

CHINESE = "编号,色泽,好瓜\n1,青绿,是\n2,乌黑,否\n"
FRENCH = "nom,ville\nRené,Orléans\nZoë,Besançon\n"


def cells(raw: bytes | str) -> list[list[object]]:
    raw = raw.encode() if isinstance(raw, str) else raw
    return read_table(raw, name="t.csv").frame.to_numpy(dtype=object, na_value=None).tolist()


def message(raw: bytes | str) -> str:
    with pytest.raises(InputError) as error:
        read_table(raw.encode() if isinstance(raw, str) else raw, name="t.csv")
    return str(error.value)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "gb18030"])
def test_chinese_text_is_read_in_every_encoding(encoding: str) -> None:
    assert cells(CHINESE.encode(encoding)) == [[1, "青绿", "是"], [2, "乌黑", "否"]]


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1", "utf-16"])
def test_accents_are_read_in_every_encoding(encoding: str) -> None:
    assert cells(FRENCH.encode(encoding)) == [["René", "Orléans"], ["Zoë", "Besançon"]]


def test_windows_quotes_and_euro_are_read() -> None:
    text = "prix €,nom\n1,“é”\n2,à\n"
    table = read_table(text.encode("cp1252"))
    assert list(table.frame) == ["prix €", "nom"]
    assert "Windows-1252" in table.notes[0]


@pytest.mark.parametrize("sign", [",", ";", "\t", "|"])
def test_the_delimiter_is_found(sign: str) -> None:
    assert cells(f"a{sign}b\n1{sign}x y\n2{sign}z\n") == [[1, "x y"], [2, "z"]]


def test_a_decimal_comma_with_semicolons_is_a_number() -> None:
    table = read_table(b"x;text\n1,5;a, b\n2;c\n", name="t.csv")
    assert table.frame["x"].tolist() == [1.5, 2.0]
    assert table.frame["text"].tolist() == ["a, b", "c"]
    assert "Numbers are written with a decimal comma." in table.notes


def test_a_decimal_point_with_semicolons_stays_a_point() -> None:
    assert cells("x;y\n1.5;2\n2.5;3\n") == [[1.5, 2], [2.5, 3]]


def test_a_single_column_may_hold_commas_and_is_noted() -> None:
    table = read_table(b"comment\nhello, world\nfoo\n", name="t.csv")
    assert table.frame["comment"].tolist() == ["hello, world", "foo"]
    assert "single column" in table.notes[0]


@pytest.mark.parametrize("marker", sorted(MISSING_MARKERS))
def test_markers_are_missing(marker: str) -> None:
    frame = read_table(f"a,b\nx,{marker}\ny,2\n".encode()).frame
    assert frame["b"].isna().tolist() == [True, False]
    assert frame["b"].dtype == float


def test_none_is_a_category() -> None:
    assert cells("a,b\nnone,1\nNone,2\n") == [["none", 1], ["None", 2]]


def test_true_and_false_stay_the_words_of_the_file() -> None:
    assert cells("a,b\ntrue,TRUE\nfalse,?\n") == [["true", "TRUE"], ["false", None]]


def test_a_column_of_numbers_and_late_words_is_text_throughout() -> None:
    rows = "".join(f"{i},{i}\n" for i in range(300_000))
    frame = read_table(f"a,b\n{rows}x,0\n".encode()).frame
    assert frame["a"].iloc[[0, 7, -1]].tolist() == ["0", "7", "x"]
    assert frame["b"].dtype == int


def test_numbers_are_exactly_the_written_ones() -> None:
    written = ["0.697", "0.1", "1e-7", "123456.789", "2.675", "-0.30000000000000004"]
    frame = read_table(("x\n" + "\n".join(written)).encode()).frame
    assert frame["x"].tolist() == [float(text) for text in written]


def test_spaces_after_delimiters_do_not_count() -> None:
    assert cells("a, b\nx, y\nz, ?\n") == [["x", "y"], ["z", None]]


def test_names_are_stripped_and_made_unique_and_noted() -> None:
    table = read_table(b" a ,a,,a (2)\n1,2,3,4\n", name="t.csv")
    assert list(table.frame) == ["a", "a (3)", "column 3", "a (2)"]
    assert sum("column 2" in note or "Column 3" in note for note in table.notes) == 2


def test_blank_rows_and_blank_unnamed_columns_are_dropped_and_noted() -> None:
    table = read_table(b"a,b,\n1,2,\n,,\n\n3,4,\n", name="t.csv")
    assert table.frame.to_numpy().tolist() == [[1, 2], [3, 4]]
    assert any("1 row without any value" in note for note in table.notes)
    assert any("neither a name nor a value" in note for note in table.notes)


def test_a_header_of_numbers_is_noted() -> None:
    notes = read_table(b"1,2\n3,4\n").notes
    assert any("read as column names" in note for note in notes)


def test_missing_cells_are_counted() -> None:
    assert "3 cells are missing" in read_table(b"a,b\n1,?\n,x\nNA,y\n").notes[-1]


def test_quoted_cells_may_hold_delimiters_and_line_breaks() -> None:
    assert cells('a,b\n"x, y","two\nlines"\nz,"say ""hi"""\n') == [["x, y", "two\nlines"], ["z", 'say "hi"']]


@pytest.mark.parametrize("as_what", [str, Path])
def test_a_path_gives_the_name(tmp_path: Path, as_what: type) -> None:
    path = tmp_path / "car.csv"
    path.write_bytes(b"a,b\n1,2\n")
    table = read_table(as_what(path))
    assert table.name == "car.csv"
    assert table.frame.to_numpy().tolist() == [[1, 2]]


def test_a_binary_file_is_read_and_a_text_file_refused() -> None:
    assert read_table(io.BytesIO(b"a,b\n1,2\n")).frame.shape == (1, 2)
    with pytest.raises(InputError, match="binary mode"):
        read_table(io.StringIO("a,b\n1,2\n"))  # type: ignore[arg-type]


def test_a_large_table_in_memory_reads_like_a_small_one() -> None:
    rows = "".join(f"{i},true,word {i % 7}\n" for i in range(500_000))
    frame = read_table(f"i,flag,word\n{rows}".encode()).frame
    assert frame.shape == (500_000, 3)
    assert frame.iloc[-1].tolist() == [499_999, "true", f"word {499_999 % 7}"]


def test_gzip_is_unpacked_and_noted() -> None:
    table = read_table(gzip.compress(b"a\tb\n1\t2\n"), name="t.tsv.gz")
    assert table.frame.to_numpy().tolist() == [[1, 2]]
    assert table.notes[:2] == ("Unpacked with gzip.", "Read as text in UTF-8, cells separated by tabs.")


NAMESPACES = ("office", "table", "text")


def workbook(*sheets: tuple[str, list[list[object]]]) -> bytes:
    book = openpyxl.Workbook()
    book.remove(book.worksheets[0])
    for title, rows in sheets:
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def test_excel_takes_the_first_sheet_with_data() -> None:
    rows: list[list[object]] = [[], [None, "a", "b"], [None, 1, True], [None, None, "x, y"], [None, 0.25, "?"]]
    table = read_table(workbook(("empty", []), ("Data", rows), ("Other", [["z"], [1]])), name="t.xlsx")
    assert table.frame.to_numpy(dtype=object, na_value=None).tolist() == [[1, "TRUE"], [None, "x, y"], [0.25, None]]
    assert table.notes[0] == "Read from sheet 'Data' (3 sheets in the file)."


@pytest.mark.parametrize("of", [workbook, lambda *sheets: open_document(*sheets)], ids=["xlsx", "ods"])
def test_a_sheet_with_a_title_alone_is_not_the_table(of: Callable[..., bytes]) -> None:
    raw = of(("Read me", [["Survey of 2024"]]), ("Answers", [["a", "b"], ["1", "x"]]))
    table = read_table(raw, name="t")
    assert (table.sheet, table.sheets, table.frame.columns.tolist()) == ("Answers", ("Read me", "Answers"), ["a", "b"])
    with pytest.raises(InputError, match="column names but no rows"):
        read_table(of(("Read me", [["Survey of 2024"]])), name="t")


def open_document(*sheets: tuple[str, list[list[str]]]) -> bytes:
    """An OpenDocument spreadsheet of texts."""
    tables = ""
    for title, rows in sheets:
        lines = "".join(
            "<table:table-row>"
            + "".join(f"<table:table-cell><text:p>{cell}</text:p></table:table-cell>" for cell in row)
            + "</table:table-row>"
            for row in rows
        )
        tables += f'<table:table table:name="{title}">{lines}</table:table>'
    names = "".join(f' xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in NAMESPACES)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        body = f"<office:body><office:spreadsheet>{tables}</office:spreadsheet></office:body>"
        archive.writestr("content.xml", f"<office:document-content{names}>{body}</office:document-content>")
    return out.getvalue()


def test_parquet_keeps_numbers_truth_values_text_and_categories() -> None:
    frame = pd.DataFrame(
        {
            "n": [1, 2, None],
            "flag": [True, None, False],
            "word": ["a", "?", "b"],
            "kind": pd.Categorical(["x", "y", "x"]),
            "list": [[1], [2], [3]],
        }
    )
    out = io.BytesIO()
    frame.to_parquet(out)
    table = read_table(out.getvalue(), name="t.parquet")
    expected = [[1, True, "a", "x"], [2, None, "?", "y"], [None, False, "b", "x"]]
    assert table.frame.to_numpy(dtype=object, na_value=None).tolist() == expected
    assert any("'list' was left out" in note for note in table.notes)


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        ("a,b,c\n1,2,3\n4,5\n", "Line 3 of 't.csv' has 2 cells, but the header has 3"),
        ("a,b\n1,2,3\n", "Line 2 of 't.csv' has 3 cells, but the header has 2"),
        ("a,b\n1,2\n1,2,3\n", "Line 3 of 't.csv' has 3 cells, but the header has 2"),
        ('a,b\n"x, y",\n"z"\n', "Line 3 of 't.csv' has 1 cell, but the header has 2"),
        ('a,b\n1,"2\n3,4\n', "never closed"),
        ("", "is empty"),
        (" \n\n", "nothing but blank lines"),
        ("a,b\n", "no rows"),
        ("a,b\n,\n", "no rows"),
        ("<!DOCTYPE html><html></html>", "web page"),
        (b"%PDF-1.7 ...", "PDF"),
        (b"PK\x03\x04 something", "zip archive"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 old", "without a workbook"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le"), "password"),
        (b"\x1f\x8b broken", "damaged gzip"),
        (gzip.compress(b"", mtime=0), "empty gzip"),
        (b"PAR1 broken", "damaged Parquet"),
        (bytes(range(256)), "not a text file"),
        (b"a,b\n\x01\x02,3\n", "not a text file"),
        ("a,b\n是是是,1\n".encode() + b"\xff,2\n", "Line 3 of 't.csv' has a byte (0xff) that is not UTF-8"),
        (b"\xef\xbb\xbfa,b\n\xff,1\n", "starts like UTF-8"),
    ],
)
def test_errors_name_the_fact_and_the_culprit(raw: bytes | str, said: str) -> None:
    assert said in message(raw)


def test_a_damaged_workbook_is_refused() -> None:
    assert "damaged workbook" in message(workbook(("Data", [["a"], [1]]))[:-200])


def test_a_workbook_without_data_is_refused() -> None:
    assert "no sheet with data" in message(workbook(("Data", [])))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"There is no file .*nothing\.csv"):
        read_table(tmp_path / "nothing.csv")
    with pytest.raises(InputError, match="cannot be read"):
        read_table(tmp_path)


plain = st.text(alphabet=st.sampled_from("abcXYZ äé是 ,;|\t\"'"), max_size=6)


def test_a_header_of_three_cells_is_no_title_above_a_wider_table() -> None:
    text = "first,second,third\nxx,x;x,x;;x\nxx,x;x,x;;x\n"
    assert cells(text) == [["xx", "x;x", "x;;x"]] * 2


@given(st.lists(st.lists(plain, min_size=3, max_size=3), min_size=1, max_size=5))
def test_what_pandas_writes_is_read_again(rows: list[list[str]]) -> None:
    rows = [["x" + cell + "x" for cell in row] for row in rows]
    frame = pd.DataFrame(rows, columns=["first", "second", "third"])
    assert cells(frame.to_csv(index=False)) == rows


@given(st.binary(max_size=200))
def test_any_bytes_give_a_table_or_an_input_error(raw: bytes) -> None:
    try:
        table = read_table(raw)
    except InputError:
        return
    assert len(table.frame) > 0
    assert table.frame.columns.is_unique


def test_sniffing_in_parts() -> None:
    assert text_form("a;b\n1,5;2,5\n", True, "x").delimiter == ";"
    assert first_ragged_line(io.StringIO("\n1,2\n3\n", newline=""), ",", 2) == (3, 1)
    assert first_ragged_line(io.StringIO("1,2\n"), ",", 2) is None


def test_a_skipped_line_is_quoted_with_its_commas():
    text = b"Loan book, exported 2024-01-05\n\nrate,income,state\n1,2,a\n3,4,b\n"
    assert (
        "Line 1 ('Loan book, exported 2024-01-05') stands above the header and was skipped." in read_table(text).notes
    )
    assert "Line 1 ('Sales') stands above" in read_table(b"Sales,,\nrate,income,state\n1,2,a\n3,4,b\n").notes[1]
