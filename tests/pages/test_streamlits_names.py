"""Streamlit's own elements, by the names that the look and the scripts of the app rely on, are still called so."""

import re
from pathlib import Path

import pytest
import streamlit

from tests.folders import ROOT

NAME = re.compile(r'data-testid(?:="?(st\w+)|\^="?(st\w+))')
"""A whole name up to a hyphen, as Streamlit puts `stBaseButton-primary` together from two texts; or a beginning."""
SCRIPTS = Path(streamlit.__file__).parent / "static"


def names() -> dict[tuple[str, str], set[str]]:
    """Every name or beginning, with the files that use it."""
    used: dict[tuple[str, str], set[str]] = {}
    for file in (file for folder in ("pages", "explorer") for file in (ROOT / folder).rglob("*")):
        if file.suffix in (".css", ".js", ".py"):
            for name in NAME.findall(file.read_text("utf-8")):
                used.setdefault(name, set()).add(file.relative_to(ROOT).as_posix())
    return used


@pytest.fixture(scope="module")
def of_streamlit() -> set[str]:
    """The names in the scripts that Streamlit serves."""
    return {name for file in SCRIPTS.rglob("*.js") for name in re.findall(r"\bst[A-Z]\w+", file.read_text("utf-8"))}


def test_streamlit_has_every_element_that_styles_and_scripts_name(of_streamlit):
    def is_known(whole: str, beginning: str) -> bool:
        return whole in of_streamlit or any(name.startswith(beginning) for name in of_streamlit if beginning)

    assert {name: sorted(files) for name, files in names().items() if not is_known(*name)} == {}
    assert not is_known("stDecorations", "")
