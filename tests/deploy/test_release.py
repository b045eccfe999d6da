"""What is released: the lock file, the wheel with library and app, and the reference."""

import importlib.util
import json
import os
import re
import subprocess
import sys
import zipfile
from email.parser import Parser

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

import explorer as ex
from tests.folders import ROOT

REQUIREMENTS = ROOT / "requirements"
COMMENT = re.compile(r"#.*")
NAMES = ("library", "app", "duckdb", "statistics", "r")


def lines(name):
    texts = (COMMENT.sub("", line).strip() for line in (REQUIREMENTS / f"{name}.txt").read_text("utf-8").splitlines())
    return [Requirement(text) for text in texts if text]


def test_the_lock_file_names_one_version_of_all_that_is_needed():
    locked = {line.name.lower(): line.specifier for line in lines("lock")}
    assert all(re.fullmatch(r"==[\w.]+", str(specifier)) for specifier in locked.values())
    for needed in (needed for name in NAMES for needed in lines(name)):
        version = str(locked[needed.name.lower()]).removeprefix("==")
        assert needed.specifier.contains(version), f"{needed} is locked at {version}"


def test_the_oldest_version_of_every_range_is_named_for_the_tests_that_run_with_it():
    named = {line.name.lower(): line.specifier for line in lines("oldest")}
    ranges = {needed.name.lower(): needed.specifier for name in ("library", "app", "duckdb") for needed in lines(name)}
    assert named.keys() == ranges.keys()
    for name, specifier in ranges.items():
        (least,) = (Version(each.version) for each in specifier if each.operator == ">=")
        (version,) = ((each.operator, Version(each.version)) for each in named[name])
        assert version == ("==", least), f"the oldest {name} is {least}"


def test_every_dependency_has_its_reason():
    for name in NAMES:
        above = ""
        for line in (REQUIREMENTS / f"{name}.txt").read_text("utf-8").splitlines():
            assert line.startswith("#") or above.startswith("#"), f"{line} of {name}.txt has no reason above it"
            above = line


def test_every_public_name_stands_in_the_reference():
    spec = importlib.util.spec_from_file_location("reference", ROOT / "docs" / "reference.py")
    reference = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(reference)
    page = reference.page()
    assert [name for name in ex.__all__ if f'id="{name}"' not in page] == []
    assert "A random forest: trees on rows drawn with replacement" in page
    assert not re.findall(r'<(?:script|link|img)[^>]+(?:src|href)="https?:', page), "it loads nothing from elsewhere"


@pytest.mark.slow
def test_the_wheel_holds_library_and_app_and_needs_streamlit_only_for_the_app(tmp_path):
    build = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(tmp_path), str(ROOT)]
    subprocess.run(build, check=True, stdin=subprocess.DEVNULL)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as opened:
        names = opened.namelist()
        metadata = Parser().parsestr(opened.read(next(n for n in names if n.endswith("METADATA"))).decode("utf-8"))
        opened.extractall(tmp_path / "installed")
    tops = {name.split("/")[0] for name in names if ".dist-info/" not in name}
    assert tops == {"explorer", "decision_tree_explorer"}
    assert {f"decision_tree_explorer/{path}" for path in ("app.py", "pages/text.py", ".streamlit/config.toml")} <= {
        *names
    }
    assert "explorer/py.typed" in names
    scenes = {path.relative_to(ROOT) for path in (ROOT / "pages" / "learn" / "scenes").rglob("*.md")}
    assert scenes, "the lessons are found"
    assert {f"decision_tree_explorer/{path.as_posix()}" for path in scenes} <= {*names}
    needed = [Requirement(text) for text in metadata.get_all("Requires-Dist")]
    assert {str(line.marker) for line in needed if line.name == "streamlit"} == {'extra == "app"'}
    assert {line.name for line in needed if line.marker is None} == {line.name for line in lines("library")}
    code = "import sys; sys.modules['streamlit'] = None; from explorer.commands.grow import main; main(['golf'])"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path / "installed",
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},  # what would be compiled there is the same code
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith("14 rows, target 'class', CART: ")


@pytest.mark.slow
def test_the_list_of_parts_has_every_version_of_the_lock_file(tmp_path):
    (command,) = re.findall(r"^python3 -m venv sbom .*$", (ROOT / "CONTRIBUTING.md").read_text("utf-8"), re.MULTILINE)
    (tmp_path / "requirements").symlink_to(REQUIREMENTS)
    subprocess.run(command, shell=True, cwd=tmp_path, check=True, stdin=subprocess.DEVNULL)
    parts = json.loads((tmp_path / "sbom.json").read_text("utf-8"))
    listed = {(part["name"], part["version"]) for part in parts["components"]}
    assert parts["bomFormat"] == "CycloneDX"
    assert listed == {(line.name, str(line.specifier).removeprefix("==")) for line in lines("lock")}
