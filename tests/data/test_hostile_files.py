"""Hostile files of every format give the expected table or the expected error, in a process with little memory."""

import json
import subprocess
import sys

import pytest

from tests.data.hostile_files import CASES, chosen
from tests.folders import ROOT
from tests.oracles.examples import slow


@pytest.mark.parametrize("others", [slow(True), False])
def test_every_hostile_file_gives_what_is_expected(others):
    options = ["--json", "--every", "8", *["--others"] * others]
    run = subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.data.hostile_files", *options],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    results = [json.loads(line) for line in run.stdout.splitlines()]
    assert {result["name"]: result["found"] for result in results if result["found"]} == {}, run.stderr[-2000:]
    assert [result["name"] for result in results] == [case.name for case in chosen(8, others)], run.stderr[-2000:]


def test_there_are_at_least_eighty_and_each_has_a_name_of_its_own():
    assert len({case.name for case in CASES}) == len(CASES) >= 80
    assert all(bool(case.said) != bool(case.cell) for case in CASES)
