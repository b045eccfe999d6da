"""Connected text files: several that differ, decimal commas, and files that are no table."""

import gzip
from pathlib import Path

import numpy as np
import pytest

import explorer as ex
from explorer.sources.origins.preview import preview
from explorer.sources.query_steps import stoppable
from tests.oracles.connected import assert_same, in_memory

N = 30
CELLS = {
    "whole": [str(i) for i in range(N)],
    "decimals": [f"{i}.5" for i in range(N)],
    "per cent": [f"{i}%" for i in range(N)],
    "dates": [f"2024-01-{i + 1:02d}" for i in range(N)],
    "empty": [""] * N,
}


def text(x: list[str], columns: str = "xzy", sign: str = ",") -> str:
    """A table of these cells x, of numbers z and of words y, its columns in the order given."""
    cells = {"x": x, "z": [str(i % 7) for i in range(len(x))], "y": ["no" if i % 3 else "yes" for i in range(len(x))]}
    rows = zip(*(cells[name] for name in columns), strict=True)
    return "\n".join([sign.join(columns), *map(sign.join, rows)]) + "\n"


def written(folder: Path, *texts: str) -> str:
    """Files 0.csv, 1.csv and so on, as a pattern."""
    for i, content in enumerate(texts):
        (folder / f"{i}.csv").write_text(content)
    return str(folder / "*.csv")


def columns_of(path: str, **options) -> dict[str, tuple[str, int]]:
    """Kind and number of missing cells of every column; the source is closed."""
    source = ex.connect(path, target="y", engine="duckdb", **options)
    try:
        assert source.layout.n_rows == source.n_rows
        return {facts.name: (facts.kind, facts.n_missing) for facts in source.workspace.origin.reader.facts.values()}
    finally:
        source.close()


def test_looking_at_many_files_says_how_far_it_is_and_can_be_stopped(tmp_path):
    path, seen = written(tmp_path, *[text(CELLS["whole"])] * 4), []

    def stop(done: int, files: int) -> None:
        seen.append((done, files))
        if done == 2:
            raise ex.Stopped

    with pytest.raises(ex.Stopped):
        preview(path, progress=stop)
    assert seen == [(0, 4), (1, 4), (2, 4)]
    with stoppable(lambda: stop(2, 4)), pytest.raises(ex.Stopped):
        ex.connect(path, target="y")
    preview(path, progress=lambda *done: seen.append(done))
    assert seen[-1] == (4, 4)


@pytest.mark.parametrize(
    ("first", "third", "words"),
    [
        ("whole", "per cent", r"'x' has text such as '0%' in '2\.csv', but numbers in '0\.csv'"),
        ("per cent", "decimals", r"'x' has numbers in '2\.csv', but text such as '0%' in '0\.csv'"),
        ("decimals", "dates", r"'x' has text such as '2024-01-01' in '2\.csv', but numbers in '0\.csv'"),
    ],
)
def test_a_column_of_two_types_is_refused_by_file_unless_it_is_made_categorical(tmp_path, first, third, words):
    path = written(tmp_path, text(CELLS[first]), text(CELLS[first]), text(CELLS[third]))
    with pytest.raises(ex.ColumnError, match=words + r".*kinds=\{'x': 'categorical'\}"):
        ex.connect(path, target="y")
    with pytest.raises(ex.ColumnError, match=words):
        preview(path)
    assert columns_of(path, kinds={"x": "categorical"}) == {
        "x": ("categorical", 0),
        "z": ("numeric", 0),
        "y": ("categorical", 0),
    }


@pytest.mark.parametrize("kinds", [("whole", "whole", "decimals"), ("whole", "empty")])
def test_numbers_of_two_types_and_columns_without_any_cell_are_no_difference(tmp_path, kinds):
    path = written(tmp_path, *(text(CELLS[kind]) for kind in kinds))
    assert columns_of(path)["x"] == ("numeric", N * kinds.count("empty"))


def test_dates_are_text_as_in_memory_and_days_where_the_column_is_made_numeric(tmp_path):
    path = written(tmp_path, *(text(CELLS[kind]) for kind in ("empty", "dates", "empty")))
    assert columns_of(path)["x"] == ("categorical", 2 * N)
    assert columns_of(path, kinds={"x": "numeric"})["x"] == ("numeric", 2 * N)
    source = ex.connect(path, target="y")
    assert any("'x' holds dates, which are text" in note.text for note in source.notes)
    source.close()


def test_names_of_digits_are_text_wherever_in_the_file_the_first_of_them_is(tmp_path):
    """A leading zero, and a whole number beyond 2⁵³ beside a fraction: DuckDB would make numbers of both."""
    zips, ids = [str(i) for i in range(10, 40)], [str(10**18 + i) for i in range(N)]
    zips[25], ids[3] = "01067", "2.5"
    for cells, found in ((zips, "01067"), (ids, str(10**18 + 29))):
        source = ex.connect(written(tmp_path, text(cells)), target="y", features=["x"])
        assert source.features[0].kind == "categorical"
        assert found in source.features[0].categories
        assert source.features[0].n_values == N
        source.close()


def test_the_eleventh_file_may_be_the_first_with_numbers(tmp_path):
    path = written(tmp_path, *[text(CELLS["empty"])] * 10)
    (tmp_path / "last.csv").write_text(text(CELLS["decimals"]))
    assert columns_of(path)["x"] == ("numeric", 10 * N)


@pytest.mark.parametrize(("place", "other"), [(0, "1"), (2, "0")])
def test_a_column_that_one_file_lacks_is_named_with_the_file(tmp_path, place, other):
    texts = [text(CELLS["whole"])] * 3
    texts[place] = text(CELLS["whole"], "xy")
    with pytest.raises(ex.ColumnError, match=rf"'z' is missing in '{place}\.csv', but '{other}\.csv' has it"):
        ex.connect(written(tmp_path, *texts), target="y")


def test_files_without_rows_and_columns_in_another_order_make_one_table(tmp_path):
    path = written(tmp_path, text(CELLS["whole"]), text(CELLS["whole"], "yzx"), "x,z,y\n", "")
    source = ex.connect(path, target="y", features=["x", "z"], engine="duckdb")
    block = source.engine.rows(source.routing, [0])[0]
    source.close()
    assert sorted(block.columns[0]) == sorted([*range(N), *range(N)])
    assert set(block.columns[1]) == set(range(7))


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ('x,y\n1,2,3\n4\n"5,6\n7\n', r"'0\.csv' is read as a single column, 'x,y'.*commas, line 2 .*\(3\).*\(2\)"),
        ("x;y\n1\n2\n3\n", r"'0\.csv' is read as a single column, 'x;y'.*semicolons, line 2 .*\(1\).*\(2\)"),
    ],
)
def test_a_file_whose_cells_cannot_be_told_apart_is_said_to_be_one_column(tmp_path, content, words):
    path = written(tmp_path, content)
    with pytest.raises(ex.InputError, match=words):
        ex.connect(path, target="y")
    packed = tmp_path / "packed.csv.gz"
    packed.write_bytes(gzip.compress(content.encode()))
    with pytest.raises(ex.InputError, match=words.replace(r"0\.csv", r"packed\.csv\.gz")):
        ex.connect(packed, target="y")


def test_decimal_commas_between_semicolons_are_numbers_as_in_memory(tmp_path):
    rng = np.random.default_rng(0)
    x = [f"{value:.2f}".replace(".", ",") for value in rng.normal(size=200)]
    folder = tmp_path / "it's [a] folder"
    folder.mkdir()
    file = folder / "table.csv"
    file.write_text(text(x, sign=";"))
    source = ex.connect(file, target="y", features=["x"], engine="duckdb")
    notes = [note.text for note in source.notes]
    tree = ex.grow(source, ex.CART.replace(max_depth=3))
    source.close()
    assert "Numbers are written with a decimal comma." in notes
    assert_same(tree, ex.grow(in_memory(ex.read_table(file).frame[["x", "y"]], "y"), ex.CART.replace(max_depth=3)))


def test_decimal_commas_beside_decimal_points_are_noted_by_column(tmp_path):
    lines = [f"{i},5;{i % 7}.5;{'no' if i % 3 else 'yes'}" for i in range(N)]
    path = written(tmp_path, "\n".join(["x;z;y", *lines]))
    source = ex.connect(path, target="y", features=["x", "z"], engine="duckdb")
    kinds, notes = [feature.kind for feature in source.features], [note.text for note in source.notes]
    source.close()
    assert kinds == ["categorical", "numeric"]
    assert any("'x' has numbers with a decimal comma" in note and "with a point" in note for note in notes)


LATE = 25_000
"""More rows than DuckDB looks at to find the types."""


def late(cell: str) -> str:
    """A table whose whole numbers x are followed by one other cell."""
    return text([*(str(i % 50) for i in range(LATE)), cell])


def test_decimals_after_many_whole_numbers_are_not_rounded(tmp_path):
    file = tmp_path / "table.csv"
    file.write_text(late("2.5"))
    source = ex.connect(file, target="z", features=["x"], engine="duckdb", kinds={"z": "categorical"})
    cells, classes = source.engine.rows(source.routing, [0])[0].columns[0], source.classes
    source.close()
    assert np.unique(cells).tolist() == sorted([*range(50), 2.5])
    assert classes == tuple(range(7))
    assert all(isinstance(value, int) for value in classes)
    seen = preview(str(file), n_rows=LATE + 1).frame
    assert (2.5 in seen["x"].tolist(), seen["z"].dtype.kind) == (True, "i")


def test_whole_numbers_that_no_double_holds_keep_all_digits(tmp_path):
    file = tmp_path / "table.csv"
    file.write_text(text([str(2**53 + 1 + i % 5) for i in range(N)]))
    source = ex.connect(file, target="y", features=["x"], engine="duckdb")
    categories, notes = source.features[0].categories, [note.text for note in source.notes]
    source.close()
    assert categories == tuple(str(2**53 + 1 + i) for i in range(5)), "names, as in a text file that is read"
    assert any("'x' has whole numbers beyond 2⁵³" in note for note in notes)


def test_text_after_many_numbers_is_refused_by_line_unless_the_column_is_categorical(tmp_path):
    path = written(tmp_path, text(CELLS["whole"]), late("high"))
    words = rf"Line {LATE + 2:,} of '1\.csv' has 'high' in column 'x', of which the first rows have numbers"
    with pytest.raises(ex.ColumnError, match=words):
        columns_of(path)
    with pytest.raises(ex.ColumnError, match=words):
        preview(path)
    source = ex.connect(path, target="y", features=["x"], engine="duckdb", kinds={"x": "categorical"})
    assert set(source.features[0].categories) == {*map(str, range(50)), "high"}
    source.close()


def test_a_line_of_another_width_after_many_is_named(tmp_path):
    file = tmp_path / "table.csv"
    file.write_text(late("1,2"))
    with pytest.raises(ex.InputError, match=rf"Line {LATE + 2:,} of 'table\.csv' .*\(4\).*\(3\)"):
        columns_of(str(file))
