"""After `warm_up` no page waits for a loop to be compiled: Evaluate, Rules and Predict find all of them ready."""

import subprocess
import sys

from tests.folders import ROOT


def test_pages_find_every_loop_ready_after_warming_up():
    program = [sys.executable, "-m", "tests.oracles.compiled_ahead"]
    result = subprocess.run(program, cwd=ROOT, capture_output=True, text=True, timeout=600, check=True)
    assert result.stdout.splitlines() == []
