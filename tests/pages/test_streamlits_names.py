"""Streamlit's own elements, by the names that the look and the scripts of the app rely on, are still called so."""

import re
from pathlib import Path

import streamlit

from tests.folders import ROOT

NAME = re.compile(r'data-testid="?(st\w+)|\.(st[A-Z]\w+)|aria-label="([^"]+)"|#(MainMenu)')
"""A name for tests up to a hyphen, a class, a label that Streamlit always writes in English, or an id."""
SERVED = re.compile(r"""\bst[A-Z]\w+|(?<=["'`])[A-Z][A-Za-z ]+(?=["'`])""")
SCRIPTS = Path(streamlit.__file__).parent / "static"


def names() -> dict[str, set[str]]:
    """Every name, with the files that use it."""
    used: dict[str, set[str]] = {}
    for file in (file for folder in ("pages", "explorer") for file in (ROOT / folder).rglob("*")):
        if file.suffix in (".css", ".js", ".py"):
            for found in NAME.findall(file.read_text("utf-8")):
                used.setdefault("".join(found), set()).add(file.relative_to(ROOT).as_posix())
    return used


def test_streamlit_has_every_element_that_styles_and_scripts_name():
    served = {name for file in SCRIPTS.rglob("*.js") for name in SERVED.findall(file.read_text("utf-8"))}
    assert {name: sorted(files) for name, files in names().items() if name not in served} == {}
    assert "stDecorations" not in served


def test_streamlit_keeps_a_chosen_theme_under_the_path_of_the_page():
    scripts = [file.read_text("utf-8") for file in SCRIPTS.rglob("*.js")]
    assert any("stActiveTheme-${window.location.pathname}" in script for script in scripts)
