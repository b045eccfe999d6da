"""Modules joined into one script: each keeps its own names, and has those that it imports."""

import json
import re
import shutil
import subprocess

import pytest

from explorer.drawing import drawn_table, ensemble_view, pictures, tree_view
from explorer.drawing.joined_modules import joined, modules
from explorer.messages import Catalogue, spoken_in

NODE = pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed")


def written(folder, **texts):
    for name, text in texts.items():
        (folder / f"{name}.js").write_text(text, "utf-8")
    return folder / f"{next(reversed(texts))}.js"


def run(script):
    result = subprocess.run(["node", "--input-type=module", "-e", script], capture_output=True, text=True, check=True)
    return json.loads(result.stdout)


@NODE
def test_two_modules_may_have_the_same_names(tmp_path):
    entry = written(
        tmp_path,
        first="const SIZE = 1;\nexport function size() {\n  return SIZE;\n}\nexport const [LOW, HIGH] = [3, 4];\n",
        second='import { size as inner } from "./first.js";\n'
        "const SIZE = 10;\nexport const sum = () => SIZE + inner();\n",
        view='import { HIGH, LOW } from "./first.js";\nimport { sum } from "./second.js";\n'
        "const SIZE = 100;\nconsole.log(JSON.stringify([SIZE, sum(), LOW, HIGH]));\n",
    )
    assert [file.stem for file in modules(entry)] == ["first", "second", "view"]
    assert run(joined(entry)) == [100, 11, 3, 4]


VIEWS = [tree_view, ensemble_view, pictures, drawn_table]
a_view = pytest.mark.parametrize("view", VIEWS, ids=lambda view: view.__name__)


@NODE
@a_view
def test_the_scripts_of_the_views_are_sound(view, tmp_path):
    script = tmp_path / "view.mjs"
    script.write_text(view.FILES.script, "utf-8")
    subprocess.run(["node", "--check", str(script)], check=True, capture_output=True)
    assert not re.search(r"^import ", view.FILES.script, re.MULTILINE)


@a_view
def test_every_module_and_style_sheet_of_a_view_is_used(view):
    assert set(view.FOLDER.rglob("*.js")) <= set(modules(view.FILES.entry))
    assert {sheet for sheet in view.FILES.styles if view.FOLDER in sheet.parents} == set(view.FOLDER.rglob("*.css"))
    assert all(sheet.read_text("utf-8") in view.FILES.style for sheet in view.FILES.styles)


def test_every_module_of_the_charts_is_used_by_some_view():
    charts = tree_view.FOLDER.parent / "charts"
    assert set(charts.rglob("*.js")) <= {file for view in VIEWS for file in modules(view.FILES.entry)}


def test_each_loader_waits_for_its_own_library():
    libraries = [view.FILES.library for view in VIEWS]
    assert len(set(libraries)) == len(libraries)
    for view in VIEWS:
        assert [library for library in libraries if f"globalThis.{library}" in view.FILES.loader] == [
            view.FILES.library
        ]
        assert f'loader: "{view.FILES.library}"' in view.FILES.script


def test_texts_of_a_view_are_translated():
    assert "Undo (Ctrl+Z)" in drawn_table.FILES.templates
    assert "stage {stage} of {last}" in ensemble_view.FILES.templates
    with spoken_in(Catalogue("de", {"No tree": "Kein Baum"})):
        assert ensemble_view.FILES.translations() == {"No tree": "Kein Baum"}
