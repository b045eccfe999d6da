"""No page asks any other host: the app works without the internet, and nobody else learns what is opened in it."""

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import FloatRect, Page, expect

from tests.browser.steps import settled, until

PATHS = ["", "grow", "prune", "evaluate", "rules", "predict", "compare", "ensembles", "learn"]


@pytest.mark.parametrize("path", PATHS)
def test_a_page_asks_its_own_server_only(page: Page, address: str, path: str) -> None:
    asked: list[str] = []
    page.context.on("request", lambda request: asked.append(request.url))
    page.on("websocket", lambda socket: asked.append(socket.url))
    page.goto(f"{address}/{path}?data=golf")
    page.wait_for_selector('[data-testid="stTopNavLink"]', state="attached")
    settled(page)
    page.wait_for_timeout(1000)
    own = urlsplit(address).netloc
    foreign = [url for url in asked if urlsplit(url).scheme not in ("data", "blob") and urlsplit(url).netloc != own]
    assert foreign == []
    assert any(url.startswith("ws") for url in asked), "the page has spoken with its server"


def test_the_icon_of_the_tab_comes_with_the_page(page: Page, address: str) -> None:
    page.goto(address)
    settled(page)
    icon = page.locator("link[rel*=icon]").first.get_attribute("href")
    assert icon is not None
    assert icon.startswith("data:image/svg+xml;base64,")


@pytest.mark.parametrize("page", ["light", "dark"], indirect=True)
def test_the_mark_is_at_the_start_of_the_bar(page: Page, address: str) -> None:
    page.goto(address)
    settled(page)
    logo = page.get_by_test_id("stHeaderLogo")
    expect(logo).to_be_visible()
    wide = logo.bounding_box()
    assert wide is not None
    assert wide["x"] < 40
    assert wide["width"] > 4 * wide["height"], "mark and name"
    page.set_viewport_size({"width": 390, "height": 800})
    until(page, lambda: is_square(logo.bounding_box()))  # the mark alone


def is_square(box: FloatRect | None) -> bool:
    return box is not None and box["width"] == pytest.approx(box["height"], abs=1)
