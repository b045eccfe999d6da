"""C4.5, Orange and libsvm: the table of the tool's own reader, levels and roles as declared, errors with the line."""

import io
import json
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.io.arff import loadarff
from sklearn.datasets import dump_svmlight_file, load_svmlight_file

import explorer as ex

TOOLS = Path(__file__).parent / "tools"
GOLF_NAMES = """| golf, with what Quinlan's grammar allows
Play, Don't Play.

outlook: sunny,
         overcast, rain\\, heavy.
temp 1.5x: continuous.\t| a point within a name
windy: discrete 2.
day: ignore
class: x, y.
"""
GOLF_DATA = """sunny, 85, false, 1, x, Don't Play
| a comment
overcast, ?, N/A, 3, y, Play.
rain\\, heavy, 7e1, true, 4, ?,   Don't   Play.  | why
"""


def zipped(**members: str) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, text in members.items():
            archive.writestr(name.replace("_", "."), text)
    return packed.getvalue()


def cells(column: pd.Series) -> list[object]:
    return [None if pd.isna(cell) else cell for cell in column.tolist()]


def levels(column: pd.Series) -> list[str]:
    return list(column.cat.categories)


def test_c45_names_declare_the_columns_of_the_data_beside_them(tmp_path: Path) -> None:
    (tmp_path / "golf.names").write_text(GOLF_NAMES)
    (tmp_path / "golf.data").write_text(GOLF_DATA)
    packed = zipped(golf_names=GOLF_NAMES, golf_data=GOLF_DATA)
    tables = [ex.read_table(tmp_path / "golf.data"), ex.read_table(tmp_path / "golf.names"), ex.read_table(packed)]
    for table in tables:
        assert {name: cells(column) for name, column in table.frame.items()} == {
            "outlook": ["sunny", "overcast", "rain, heavy"],
            "temp 1.5x": [85.0, None, 70.0],
            "windy": ["false", None, "true"],
            "class": ["x", "y", None],
            "class (2)": ["Don't Play", "Play", "Don't Play"],
        }
        assert levels(table.frame["outlook"]) == ["sunny", "overcast", "rain, heavy"]
        assert levels(table.frame["class (2)"]) == ["Play", "Don't Play"]
        assert table.target_column == "class (2)"
        assert any("'day'" in note for note in table.notes)
        assert any("1 cell is N/A" in note for note in table.notes)


@pytest.mark.parametrize("file", sorted((TOOLS / "c45").glob("*.arff")), ids=lambda file: file.stem)
def test_c45_files_are_read_as_weka_reads_them(file: Path) -> None:
    rows, attributes = loadarff(file)
    table = ex.read_table(file.with_suffix(".data"))
    assert [name.lower() for name in table.frame] == [name.lower() for name in attributes.names()]
    for name, column in zip(attributes.names(), table.frame, strict=True):
        kind, values = attributes[name]
        if kind == "numeric":
            expected = [None if np.isnan(number) else number for number in rows[name].tolist()]
        else:
            expected = [None if cell == b"?" else cell.decode() for cell in rows[name].tolist()]
            assert levels(table.frame[column]) == list(values)
        assert cells(table.frame[column]) == expected
    assert table.target_column == list(table.frame)[-1]


def test_c50_names_its_target_orders_levels_weighs_rows_and_computes_nothing() -> None:
    names = """Outcome.                | the target
age: continuous.
case weight: continuous.
size: [ordered] small, middle, big.
when: date.
Outcome: good, bad.
twice := age * 2.0 + (age > 1.5).
label: label.
attributes excluded: label.
"""
    table = ex.read_table(zipped(a_names=names, a_data="30,2,big,2024/01/02,bad,x\n31,0.5,small,?,good,y\n"))
    assert list(table.frame) == ["age", "case weight", "size", "when", "Outcome"]
    assert (table.target_column, table.weight_column) == ("Outcome", "case weight")
    assert table.frame["size"].cat.ordered
    assert levels(table.frame["size"]) == ["small", "middle", "big"]
    assert any("formula" in note and "'twice'" in note for note in table.notes)


@pytest.mark.parametrize(
    ("names", "data", "said"),
    [
        (GOLF_NAMES, "hail,1,a,1,x,Play\n", "Line 1 of .* has 'hail' in column 'outlook'"),
        (GOLF_NAMES, "sunny,1,a,1,x,Play\nsunny,warm,a,1,x,Play", "Line 2 of .* 'warm' in the numeric column"),
        (GOLF_NAMES, "sunny,1,a\n", "Line 1 of .* has 3 cells, but 6 columns"),
        ("a, b.\nx: continuous.\ny\n", "1,a\n", "Line 3 of the .names file"),
        ("a, b.\nx: continuous.\nx: continuous.\n", "1,2,a\n", "declares a column twice"),
    ],
)
def test_what_does_not_fit_c45_is_named(names: str, data: str, said: str) -> None:
    with pytest.raises(ex.InputError, match=said):
        ex.read_table(zipped(a_names=names, a_data=data))


def test_names_alone_ask_for_their_data() -> None:
    with pytest.raises(ex.InputError, match="load it together with its"):
        ex.read_table(GOLF_NAMES.encode())


@pytest.mark.parametrize("file", sorted((TOOLS / "orange").glob("*.json")), ids=lambda file: file.stem)
def test_orange_files_are_read_as_orange_reads_them(file: Path) -> None:
    expected, table = json.loads(file.read_text("utf-8")), ex.read_table(file.with_suffix(""))
    for name, column in expected["columns"].items():
        read = table.frame[name]
        if column["kind"] == "TimeVariable":
            read = (read - pd.Timestamp("1970-01-01")) / pd.Timedelta(seconds=1)
        assert cells(read) == column["cells"]
        assert (levels(read) if column["levels"] is not None else None) == column["levels"]
        assert (table.target_column == name) == (column["role"] == "class")
    assert (cells(table.frame[table.weight_column]) if table.weight_column else None) == expected["weights"]
    assert len(table.frame.columns) == len(expected["columns"]) + bool(table.weight_column)


def test_a_level_that_orange_drops_silently_is_named() -> None:
    table = ex.read_table(TOOLS / "orange" / "three_lines.tab")
    assert any("1 cell of 'size' is none of its declared levels" in note and "'huge'" in note for note in table.notes)


def test_text_in_a_continuous_column_of_orange_is_refused_with_its_line() -> None:
    for text, line in (("a\tb\nc\td\n\t\n1\tx\n*\ty\n", 5), ("C#a,D#b\n1,x\n\n1;5,y\n", 4)):
        with pytest.raises(ex.InputError, match=f"Line {line} of .* in the numeric column 'a'"):
            ex.read_table(text.encode())


@pytest.mark.parametrize(("zero_based", "first"), [(True, 0), (False, 1)])
def test_libsvm_is_read_as_scikit_learn_reads_it(zero_based: bool, first: int) -> None:
    x = np.array([[0.0, 1.5, 0.0], [0.0, 0.0, -2e-7], [0.0, 0.0, 0.0]])
    file = io.BytesIO()
    dump_svmlight_file(x, [1, -1, 2], file, zero_based=zero_based, query_id=[4, 4, 9], comment="made by hand")
    file.seek(0)
    own, labels, groups = load_svmlight_file(file, zero_based=zero_based, query_id=True)
    table = ex.read_table(file.getvalue())
    names = [f"x{i}" for i in range(first, first + 3)]
    assert table.frame[names].to_numpy().tolist() == own.toarray().tolist() == x.tolist()
    assert table.frame["label"].tolist() == labels.tolist()
    assert table.frame["qid"].tolist() == groups.tolist()
    assert table.target_column == "label"


@pytest.mark.parametrize("row", ["2 3:1 2:1", "2 a:1", "2 1:x", "x 1:1", "2 -1:1", "2 1000000000000:1", "2 1"])
def test_a_line_that_is_no_row_of_libsvm_is_named(row: str) -> None:
    with pytest.raises(ex.InputError, match=r"Line 3 of .* is no row of libsvm"):
        ex.read_table(f"# a comment\n1 1:2\n{row}\n1 2:3\n0\n".encode())


def test_an_encoding_set_by_hand_holds_for_declared_columns() -> None:
    raw = "C#größe\tD#y\n1\tä\n2\tö\n".encode("cp850")
    assert list(ex.read_table(raw, encoding="cp850").frame) == ["größe", "y"]
    with pytest.raises(ex.InputError, match="no text with separators: read it without separator"):
        ex.read_table(raw, encoding="cp850", separator=";")
