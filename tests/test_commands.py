"""Every command of this repository that its documents name runs to its end, in a small form."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec

import pytest

from tests.browser.server import chromium
from tests.folders import ROOT

SMALL = {
    "tests.benchmarks.cold_start": "--here --pages grow",
    "tests.benchmarks.deciding": "--rows 3000 --repeats 1",
    "tests.benchmarks.drag": "--nodes 15",
    "tests.benchmarks.ensembles": "--only extra --rows 10000 --repeats 1",
    "tests.benchmarks.evaluation": "--rows 1000 --repeats 1",
    "tests.benchmarks.evidence": "--rows 1000",
    "tests.benchmarks.grow": "--most 1000",
    "tests.benchmarks.large_upload": "--rows 1000",
    "tests.benchmarks.load": "--sessions 2 --think 0.2 --seconds 1 --cold",
    "tests.benchmarks.memory": "--megabytes 1 --uploads 2",
    "tests.benchmarks.peers": "--rows 1000",
    "tests.benchmarks.performance_tables": "",
    "tests.benchmarks.prune": "--rows 1000",
    "tests.benchmarks.same_trees": "--tables 4 --against .",
    "tests.benchmarks.scale": "--rows 3000 --kinds continuous",
    "tests.benchmarks.spark": "--rows 100 --rounds 1 --columns 5 --depth 2",
    "tests.benchmarks.stages": "--most 1000",
    "tests.benchmarks.view": "--nodes 101 --layouts icicle --actions pan α",
    "tests.data.hostile_files": "--every 40",
    "tests.fuzz": "--hours 0.001",
}
"""The arguments with which each takes seconds."""
IN_A_BROWSER = {f"tests.benchmarks.{name}" for name in ("cold_start", "drag", "evidence", "memory", "view")}
MAY_MISS = {"tests.benchmarks.memory", "tests.benchmarks.view"}
"""These end with 1 where a figure misses its bound, as it may while other tests run."""
COMMAND = re.compile(r"-m (tests\.[\w.]+)((?: --?[\w-]+(?: (?!-)[\w.]+)*)*)|`(tests\.[\w.]+)`")
SOURCES = {path.relative_to(ROOT).as_posix() for path in (ROOT / "tests").rglob("*.py")}


def named() -> dict[str, set[str]]:
    """Modules that documents tell a reader to run, with the options they name."""
    found: dict[str, set[str]] = {}
    for document in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")):
        for module, options, alone in COMMAND.findall(document.read_text("utf-8")):
            if module or f"{alone.replace('.', '/')}.py" in SOURCES:
                found.setdefault(module or alone, set()).update(re.findall(r"--[\w-]+", options))
    return found


def test_every_command_of_the_documents_has_a_small_form():
    assert set(named()) == set(SMALL)


@pytest.mark.slow
@pytest.mark.parametrize("module", SMALL)
def test_a_command_runs_to_its_end(module):
    if module in IN_A_BROWSER and chromium() is None and os.environ.get("CI") != "true":
        pytest.skip("Chromium is not installed")
    if module == "tests.benchmarks.spark" and not (shutil.which("java") and find_spec("pyspark")):
        pytest.skip("Spark or its Java is not installed")
    command = [sys.executable, "-m", module, *shlex.split(SMALL[module])]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    has_missed = module in MAY_MISS and done.returncode == 1 and "Traceback" not in done.stderr
    assert done.returncode == 0 or has_missed, f"{done.stdout[-2000:]}\n{done.stderr[-2000:]}"


@pytest.mark.slow
@pytest.mark.parametrize(("module", "options"), [item for item in named().items() if item[1]])
def test_a_command_has_the_options_that_documents_name(module, options, capsys, monkeypatch):
    monkeypatch.setattr(sys, "argv", [module, "--help"])
    folder = ROOT / module.replace(".", "/")
    with pytest.raises(SystemExit, match="0"):
        import_module(f"{module}.__main__" if folder.is_dir() else module).main()
    listed = capsys.readouterr().out
    assert {option for option in options if option not in listed} == set()
