"""The addresses of the pages, which the layout and the navigation both know."""

import re

from pages.layout.shell import PAGE_PATHS
from tests.folders import ROOT


def test_the_paths_of_the_pages_are_those_of_the_navigation():
    named = re.findall(r'url_path="(\w+)"', ROOT.joinpath("app.py").read_text("utf-8"))
    assert len(named) == len(set(named)) > 1
    assert set(PAGE_PATHS) == set(named)
