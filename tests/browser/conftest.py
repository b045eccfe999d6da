"""One server and one headless Chromium per run, a fresh context per test."""

import os
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser.hand import Hand
from tests.browser.server import ARGUMENTS, chromium, running_app
from tests.browser.steps import RUNS, foreign

PATIENCE = 40_000


def _chromium() -> str:
    """Where Chromium is; without it the tests are skipped on a desk and fail in continuous integration."""
    found = chromium()
    if found is None and os.environ.get("CI") == "true":
        pytest.fail("Chromium is not installed: apt-get install chromium")
    if found is None:
        pytest.skip("Chromium is not installed; get it with: apt-get install chromium")
    return found


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The one browser of the run."""
    path = _chromium()
    expect.set_options(timeout=PATIENCE)  # of all tests of this process, with whatever page
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """The address of the one server of the run."""
    with running_app() as address:
        yield address


@pytest.fixture(params=["light"])
def page(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Page]:
    """A fresh page at lecture width; parametrise indirectly for the dark theme.

    It may ask no foreign host: the app works without the internet, and nobody else learns what is opened in it.
    """
    context = browser.new_context(color_scheme=request.param, viewport={"width": 1400, "height": 1000})
    context.add_init_script(RUNS)
    context.set_default_timeout(PATIENCE)
    page, asked = context.new_page(), []
    context.on("request", lambda request: asked.append(request.url))
    page.on("websocket", lambda socket: asked.append(socket.url))
    yield page
    context.close()
    assert foreign(asked) == []


@pytest.fixture
def hand(page: Page, address: str) -> Hand:
    """A hand on a page of the size of a small laptop."""
    page.set_viewport_size({"width": 1400, "height": 900})
    return Hand(page, address)
