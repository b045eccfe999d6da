"""Every page passes the checks of axe for levels A and AA of the Web Content Accessibility Guidelines."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.steps import answered, awaited, opened, settled
from tests.oracles.examples import journey

LEVELS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
PATHS = [
    "?data=titanic",
    journey("grow?data=titanic"),
    "prune?data=titanic",
    "evaluate?data=titanic",
    "rules?data=titanic",
    "predict?data=titanic",
    "compare?data=titanic",
    "ensembles?data=iris",
    "learn",
    "learn?learn=scene&scene=which_attribute",
    "learn?learn=scene&scene=mixed&scene_step=1",
    "learn?learn=scene&scene=cost_complexity&scene_step=2",
    "learn?learn=exercises",
    "learn?learn=glossary",
    "learn?learn=draw",
]
CODE_IS_COMPLETE = """() => [...document.querySelectorAll('pre')].every(
  (each) => each.scrollWidth <= each.clientWidth || each.closest('[data-testid=stCode]')?.querySelector('button'))"""
"""Streamlit loads what shows code when the first code is shown; until then it stands there plain."""
STREAMLIT: dict[str, str] = {}
"""Rules that Streamlit's own elements break, with the element; none at present."""


def violations(page: Page) -> list[str]:
    """What axe finds: the rule, the element, and what is wrong with it."""
    options = {"runOnly": LEVELS, "resultTypes": ["violations"]}
    found = Axe().run(page, options=options).response["violations"]
    return [
        f"{rule['id']}: {node['target']} {node['failureSummary']}"
        for rule in found
        if rule["id"] not in STREAMLIT
        for node in rule["nodes"]
    ]


@pytest.mark.parametrize("path", PATHS)
def test_a_page_has_no_violation_in_either_theme(page: Page, address: str, path: str) -> None:
    opened(page, address, path)
    answered(page)
    assert violations(page) == []
    page.emulate_media(color_scheme="dark")
    expect(page.locator(".stApp")).to_have_css("color-scheme", "dark")
    found = violations(page)
    for _ in range(20):  # colours pass slowly from one theme into the other, and on a busy machine set out late
        if not found:
            break
        page.wait_for_timeout(500)
        found = violations(page)
    assert found == []


def test_the_menus_have_none_either(page: Page, address: str) -> None:
    opened(page, address, "grow?data=titanic")
    for name in ("⋯", "Share"):
        page.get_by_role("button", name=name).first.click()
        settled(page)
        page.wait_for_timeout(700)
        if name == "Share":
            page.locator("pre").first.wait_for()  # the link, which may come after all else
        awaited(page, CODE_IS_COMPLETE)
        assert violations(page) == []
        page.keyboard.press("Escape")


def test_the_check_finds_what_is_wrong(page: Page, address: str) -> None:
    opened(page, address, "grow?data=titanic")
    page.evaluate("document.body.insertAdjacentHTML('beforeend', '<button></button>')")
    assert any(found.startswith("button-name") for found in violations(page))
