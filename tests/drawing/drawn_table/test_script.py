"""The joined script of the drawn table: one scope, valid, and every module in it."""

import re
import shutil
import subprocess
from collections import Counter

import pytest

from explorer.drawing import drawn_table, joined_modules


def test_no_name_is_declared_twice():
    names = re.findall(r"^(?:function|class|const|let) (\w+)", drawn_table.script(), re.MULTILINE)
    names += [
        name.strip()
        for group in re.findall(r"^(?:const|let) \[([\w, ]+)\] =", drawn_table.script(), re.MULTILINE)
        for name in group.split(",")
    ]
    assert len(names) > 50
    assert [name for name, times in Counter(names).items() if times > 1] == []


def test_the_script_is_valid(tmp_path):
    if shutil.which("node") is None:
        pytest.skip("Node is not installed")
    file = tmp_path / "drawn_table.mjs"
    file.write_text(drawn_table.script(), "utf-8")
    subprocess.run(["node", "--check", file], check=True, timeout=60)


def test_every_module_is_joined():
    files = {file.resolve() for file in drawn_table.FOLDER.rglob("*.js")}
    assert files <= set(joined_modules.modules(drawn_table.FOLDER / "view.js"))
    assert "Undo (Ctrl+Z)" in drawn_table.templates()
