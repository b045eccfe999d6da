"""A page that runs once more of itself, and a click that comes a moment before."""

import os
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser.server import running_server
from tests.browser.steps import at_page
from tests.folders import ROOT

pytestmark = pytest.mark.slow

SCRIPT = """
import time
import streamlit as st
from pages.widgets.again import run_again

def first():
    st.title("First")
    time.sleep(2)
    run_again()

def second():
    st.title("Second")

st.navigation([st.Page(first, title="First"), st.Page(second, title="Second")]).run()
"""


def test_a_click_before_a_page_runs_again_is_answered(page: Page, tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT, "utf-8")
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    with running_server(environment={"PYTHONPATH": path}, script=str(script)) as server:
        page.goto(server.address)
        at_page(page, "First")
        page.get_by_role("link", name="Second", exact=True).first.click()
        at_page(page, "Second")
