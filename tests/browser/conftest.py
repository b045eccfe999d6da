"""One server and one headless Chromium per run, a page per test that finds nothing of the one before."""

import os
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, Request, expect, sync_playwright

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
def playwright() -> Iterator[Playwright]:
    """What drives the browsers of the run."""
    expect.set_options(timeout=PATIENCE)  # of all tests of this process, with whatever page
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """A browser whose contexts share nothing, for tests that need several readers or one without a network."""
    browser = playwright.chromium.launch(executable_path=_chromium(), args=ARGUMENTS)
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def profile(playwright: Playwright, tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrowserContext]:
    """The browser of all other tests: it compiles Streamlit's script once, not for every test."""
    folder = tmp_path_factory.mktemp("profile")
    context = playwright.chromium.launch_persistent_context(folder, executable_path=_chromium(), args=ARGUMENTS)
    context.add_init_script(RUNS)
    context.set_default_timeout(PATIENCE)
    yield context
    context.close()


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """The address of the one server of the run."""
    with running_app() as address:
        yield address


@pytest.fixture(params=["light"])
def page(request: pytest.FixtureRequest, profile: BrowserContext, address: str) -> Iterator[Page]:
    """A page at lecture width in a browser that remembers nothing; parametrise indirectly for the dark theme.

    It may ask no foreign host: the app works without the internet, and nobody else learns what is opened in it.
    """
    first, asked = profile.pages[0], []
    profile.clear_cookies()
    profile.clear_permissions()
    forgetting = profile.new_cdp_session(first)
    forgetting.send("Storage.clearDataForOrigin", {"origin": address, "storageTypes": "local_storage,indexeddb"})
    forgetting.detach()

    def note(request: Request) -> None:
        asked.append(request.url)

    profile.on("request", note)
    page = profile.new_page()
    page.on("websocket", lambda socket: asked.append(socket.url))
    page.emulate_media(color_scheme=request.param)
    page.set_viewport_size({"width": 1400, "height": 1000})
    yield page
    profile.remove_listener("request", note)
    profile.set_offline(False)
    for opened in profile.pages[1:]:
        opened.close()
    assert foreign(asked) == []


@pytest.fixture
def laptop(page: Page) -> Page:
    """A page in the window of a small laptop, without motion."""
    page.set_viewport_size({"width": 1280, "height": 720})
    page.emulate_media(reduced_motion="reduce")
    return page


@pytest.fixture
def hand(page: Page, address: str) -> Hand:
    """A hand on a page of the size of a small laptop."""
    page.set_viewport_size({"width": 1400, "height": 900})
    return Hand(page, address)
