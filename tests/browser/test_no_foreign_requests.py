"""No page asks any other host: the app works without the internet, and nobody else learns what is opened in it."""

import pytest
from playwright.sync_api import FloatRect, Page, expect

from tests.browser.steps import foreign, settled, until


def test_requests_to_other_hosts_are_foreign() -> None:
    """The fixture `page` looks for them in every test."""
    own = [
        "http://127.0.0.1:8501/grow",
        "ws://127.0.0.1:8501/_stcore/stream",
        "data:image/png;base64,AA",
        "blob:null/1",
    ]
    assert foreign([*own, "https://fonts.example.org/a.woff2"]) == ["https://fonts.example.org/a.woff2"]


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
