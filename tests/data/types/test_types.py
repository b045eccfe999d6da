"""docs/types.md says of every type and format what becomes of it: each cell of its table is tried."""

from pathlib import Path

import pytest

import explorer as ex
from tests.data.types.cases import CASES, TARGET, Case
from tests.data.types.formats import FORMATS
from tests.data.types.outcome import outcome
from tests.folders import ROOT


def documented() -> dict[str, dict[str, str]]:
    """The table of docs/types.md: outcomes by type and format."""
    lines = (ROOT / "docs" / "types.md").read_text("utf-8").splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
    (_, *formats), _, *types = rows
    return {name: dict(zip(formats, cells, strict=True)) for name, *cells in types}


def test_the_table_has_a_row_for_each_type_and_a_column_for_each_format():
    table = documented()
    assert list(table) == [case.name for case in CASES]
    assert all(list(row) == list(FORMATS) for row in table.values())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_each_cell_of_the_table_is_what_becomes_of_the_type(case: Case, tmp_path: Path):
    found = {}
    for name, make in FORMATS.items():
        folder = tmp_path / name
        folder.mkdir()
        made = make(case, folder)
        found[name] = outcome(made, case)
        if isinstance(made, ex.Source):
            made.close()
    assert found == documented()[case.name]


@pytest.mark.parametrize("digits", [["1", "0", "0", "1", "1", "0"], ["01", "1", "1", "01", "1", "01"]])
def test_digits_as_a_target_are_classes_in_every_format(digits: list[str], tmp_path: Path):
    """Few whole numbers are classes, written as text or not; numbers with leading zeros are names."""
    (base,) = [case for case in CASES if case.name == "words"]
    target = Case("digits", TARGET, base.arrow, base.duckdb, TARGET, sqlite="TEXT", arff="string")
    for name, make in FORMATS.items():
        folder = tmp_path / name
        folder.mkdir()
        made = make(target, folder, digits)
        assert made is not None
        assert not made.is_regression, name
        assert sorted(map(str, made.classes)) == sorted(set(digits)), name
        if isinstance(made, ex.Source):
            made.close()
