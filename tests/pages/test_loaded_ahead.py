"""What is loaded once the loops are there: all that pages import, so that no first visit waits for it."""

import subprocess
import sys

from tests.folders import ROOT

PROGRAM = """
import sys
from pages.layout import ahead
ahead.load()
before = set(sys.modules)
import pages.ensembles.member_view, pages.learn.moves, pages.compare.sides
print(sorted(set(sys.modules) - before), "pages.grow.page" in sys.modules)
"""


def test_modules_are_there_and_no_page_has_run():
    run = subprocess.run([sys.executable, "-c", PROGRAM], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert (run.returncode, run.stdout.strip()) == (0, "[] False"), run.stderr
