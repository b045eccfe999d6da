"""Texts with blanks between their cells, and of fixed width: the cells of R and of pandas, cuts that are said."""

import io
from pathlib import Path

import pandas as pd
import pytest

import explorer as ex
from explorer.data.reading import ReadingOptions

R = Path(__file__).parent / "tools" / "r"
FIXED = "name       city      pop\nAnn Lee    New York  1200\nBo         Ulm         12\nC D E      Köln       800\n"


def cells(table: ex.Table) -> dict[str, list[object]]:
    frame = table.frame
    return {name: [None if pd.isna(cell) else cell for cell in frame[name].tolist()] for name in frame}


def test_the_blanks_of_write_table_in_r_separate_cells_and_names_of_rows() -> None:
    table = ex.read_table(R / "blanks.txt")
    assert cells(table) == {
        "row name": [1, 2, 3],
        "n": [1.5, -2.0, None],
        "text": ["a b", 'c "d"', "e"],
        "k": [10, 20, 30],
    }
    assert "cells separated by blanks" in table.notes[0]
    assert table.read_as is not None
    assert table.read_as.separator == " "


@pytest.mark.parametrize("name", ["blanks_no_names.txt", "fixed.txt"])
def test_columns_of_fixed_width_are_found_where_cells_have_blanks(name: str) -> None:
    text = (R / name).read_text("utf-8")
    if name.startswith("blanks"):
        with pytest.raises(ex.InputError):  # three cells in one line, two in others, and no width that fits
            ex.read_table(text.encode(), separator=" ")
        return
    table = ex.read_table(text.encode())
    assert cells(table) == {
        "name": ["Ann Lee", "Bo", "Cy de Ruyter"],
        "town": ["New York", "Ulm", "Köln"],
        "n": [1200.0, 12.0, 800.5],
    }
    assert "columns of fixed width, cut after signs 14, 23" in table.notes[0]


def test_cuts_by_hand_part_columns_that_touch() -> None:
    table = ex.read_table(R / "touching.txt", cuts=[2, 5], has_header=False)
    expected = pd.read_fwf(R / "touching.txt", widths=[2, 3, 4], header=None, dtype={0: str})
    assert list(cells(table).values()) == [expected[i].tolist() for i in range(3)]
    assert table.read_as is not None
    assert table.read_as.cuts == (2, 5)
    assert ReadingOptions.from_plain({"cuts": [2, 5]}) == ReadingOptions(cuts=(2, 5))


@pytest.mark.parametrize("separator", [" ", "  ", "    "])
def test_blanks_are_read_as_pandas_reads_them(separator: str) -> None:
    rows = [["x", "y", "kind"], ["1", "-2.5", "a"], ["3", "1e3", "b"], ["5", "NA", "c"]]
    text = "\n".join(f" {separator.join(row)} " for row in rows)
    expected = pd.read_csv(io.StringIO(text), sep=r"\s+")
    pd.testing.assert_frame_equal(ex.read_table(text.encode()).frame, expected)


def test_the_print_of_a_pandas_frame_has_its_columns_though_words_stand_at_the_same_place() -> None:
    frame = pd.DataFrame({"town": ["New York", "Ulm", "Bad Tölz"], "n": [1, 20, 300], "q": [0.5, 12.25, -7.0]})
    assert cells(ex.read_table(frame.to_string(index=False).encode())) == frame.to_dict("list")


@pytest.mark.parametrize(
    "text",
    [
        "full name\nAda Lovelace\nAlan Turing\nGrace Hopper\n",
        "weight kg\n12 kg\n13 kg\n14 kg\n",
        "remark\nall is well\nso so\nno\n",
        "when\n2024-01-02 10:30\n2024-01-03 10:30\n2024-01-04 10:30\n",
        "a b\n1 2\n",
    ],
)
def test_words_of_a_single_column_stay_together(text: str) -> None:
    table = ex.read_table(text.encode())
    assert table.frame.shape[1] == 1
    assert "single column" in table.notes[0]


def test_a_cell_across_a_guessed_cut_is_refused_with_its_line_wherever_it_is() -> None:
    text = FIXED + "Bo         Ulm         12\n" * 20_000 + "Bartholomew-IVUlm      12\n"
    with pytest.raises(ex.InputError, match=r"Line 20005 of .* goes on behind sign 11"):
        ex.read_table(text.encode())
    assert ex.read_table(FIXED.encode()).frame["pop"].tolist() == [1200, 12, 800]


def test_numbers_left_of_a_tab_are_cells_as_in_auto_mpg() -> None:
    text = '18.0   8   307.0\t"chevrolet chevelle malibu"\n15.0   8   350.0\t"buick skylark 320"\n9 4 ?\t"opel"\n'
    table = ex.read_table(text.encode(), has_header=False)
    assert table.frame["column 3"].tolist()[:2] == [307.0, 350.0]
    assert table.frame["column 4"].tolist() == ["chevrolet chevelle malibu", "buick skylark 320", "opel"]


@pytest.mark.parametrize("names", ["mpg\thp weight\tname", "mpg hp  weight name", "mpg\thp\tweight\tname"])
def test_names_between_blanks_and_tabs_head_rows_with_one_tab(names: str) -> None:
    """As in ISLP's Auto.data."""
    rows = '18.0   130.0      3504.\t"chevrolet malibu"\n25.0   ?          2046.\t"ford pinto"\n'
    table = ex.read_table(f"{names}\n{rows * 3}".encode(), "Auto.data")
    assert {name: column[:2] for name, column in cells(table).items()} == {
        "mpg": [18.0, 25.0],
        "hp": [130.0, None],
        "weight": [3504.0, 2046.0],
        "name": ["chevrolet malibu", "ford pinto"],
    }


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("a\tb\n" + "1 2 3\tx\n" * 4, ["a", "b"]),  # three numbers in a cell under one name
        ("a b\tc\td\n" + "1 2\t3\tx\n" * 4, ["a b", "c", "d"]),
        ("id\tnote\n" + "7\tgo on\n" * 4, ["id", "note"]),
    ],
)
def test_cells_between_tabs_keep_their_blanks(text: str, columns: list[str]) -> None:
    assert list(ex.read_table(text.encode(), "t.tsv").frame) == columns


@pytest.mark.parametrize("cuts", [(4, 4), (0,), (-1, 3), (5, 2), (10**9,)])
def test_cuts_that_do_not_rise_are_refused(cuts: tuple[int, ...]) -> None:
    with pytest.raises(ex.InputError, match="The cuts must be rising"):
        ReadingOptions(cuts=cuts)


@pytest.mark.parametrize("plain", [{"cuts": "4"}, {"cuts": 4}, {"cuts": ["4"]}, {"cuts": [True]}])
def test_cuts_of_a_link_that_are_none_are_refused(plain: dict[str, object]) -> None:
    with pytest.raises(ex.InputError):
        ReadingOptions.from_plain(plain)
