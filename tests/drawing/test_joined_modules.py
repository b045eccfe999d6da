"""Modules joined into one script: each keeps its own names, and has those that it imports."""

import json
import shutil
import subprocess

import pytest

from explorer.drawing import drawn_table, ensemble_view, pictures, tree_view
from explorer.drawing.joined_modules import joined, modules

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


@NODE
@pytest.mark.parametrize("view", [tree_view, ensemble_view, pictures, drawn_table], ids=lambda view: view.__name__)
def test_the_scripts_of_the_views_are_sound(view, tmp_path):
    script = tmp_path / "view.mjs"
    script.write_text(joined(view.FOLDER / "view.js"), "utf-8")
    subprocess.run(["node", "--check", str(script)], check=True, capture_output=True)
