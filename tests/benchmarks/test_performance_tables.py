"""docs/performance.md is what its figures make it, and new runs are taken in."""

import json
import sys

import pytest

from tests.benchmarks import performance_tables
from tests.benchmarks.performance_tables import DOCUMENT, TABLES, figures, written


def test_the_document_is_made_from_the_figures():
    document = DOCUMENT.read_text("utf-8")
    assert written(document) == document, "run python -m tests.benchmarks.performance_tables"
    assert all(f"<!-- figures of {name} -->" in document for name in TABLES)


@pytest.mark.parametrize("name", TABLES)
def test_every_table_names_its_date_and_machine(name):
    assert set(figures(name)) == {"date", "machine", "runs"}


def test_new_runs_take_the_place_of_old_ones(tmp_path, monkeypatch):
    row = {"nodes": 15, "slow_share": 0.014, "script_p95": 0.44, "release_ms": 201.6}
    (tmp_path / "run.json").write_text(json.dumps([row]), "utf-8")
    (tmp_path / "document.md").write_text("<!-- figures of drag -->\nold\n<!-- end of figures -->\n", "utf-8")
    monkeypatch.setattr(performance_tables, "FOLDER", tmp_path)
    monkeypatch.setattr(performance_tables, "DOCUMENT", tmp_path / "document.md")
    command = [
        "performance_tables",
        "drag",
        str(tmp_path / "run.json"),
        "--date",
        "2026-11-29",
        "--machine",
        "two cores",
    ]
    monkeypatch.setattr(sys, "argv", command)
    performance_tables.main()
    lines = (tmp_path / "document.md").read_text("utf-8").splitlines()
    assert lines[3:] == ["| 15 | 1.4 % | 0.4 ms | 202 ms |", "<!-- end of figures -->"]
