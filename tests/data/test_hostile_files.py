"""Hostile files of every format give the expected table or the expected error, in a process with little memory."""

import json
import subprocess
import sys

from tests.data.hostile_files import CASES
from tests.folders import ROOT


def test_every_hostile_file_gives_what_is_expected():
    run = subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.data.hostile_files", "--json"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    results = [json.loads(line) for line in run.stdout.splitlines()]
    assert {result["name"]: result["found"] for result in results if result["found"]} == {}, run.stderr[-2000:]
    assert [result["name"] for result in results] == [case.name for case in CASES], run.stderr[-2000:]


def test_there_are_at_least_eighty_and_each_has_a_name_of_its_own():
    assert len({case.name for case in CASES}) == len(CASES) >= 80
    assert all(bool(case.said) != bool(case.cell) for case in CASES)
