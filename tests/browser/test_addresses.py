"""Pages opened by their own address, on a fresh server too; every page in both themes and at two widths."""

from itertools import cycle

import pytest
from playwright.sync_api import Page, expect

from tests.browser.server import running_app
from tests.browser.steps import DONE, GROUNDS, algorithm, at_page, awaited, in_theme, opened, visit

PAGES = ["", "grow", "prune", "compare", "ensembles"]


def test_a_link_opens_the_same_view(page: Page, address: str) -> None:
    opened(page, address, "grow?data=iris&recipe=CART&max_depth=2")
    expect(page.get_by_role("radio", name="CART", exact=True)).to_be_checked()
    expect(page.get_by_role("spinbutton", name="Max. depth")).to_have_value("2")


NOTE_DIALOGS = """
window.dialogs = [];
new MutationObserver(() => {
  const dialog = document.querySelector("[role=dialog]");
  if (dialog) window.dialogs.push(dialog.innerText);
}).observe(document, {subtree: true, childList: true, characterData: true});
"""


@pytest.mark.parametrize("name", ["grow", "data"])
def test_a_link_opens_its_page_on_a_server_that_nobody_has_visited(page: Page, name: str) -> None:
    page.add_init_script(NOTE_DIALOGS)
    with running_app() as address:
        opened(page, address, f"{name}?data=golf&feature=outlook&feature=windy")
        at_page(page, name.capitalize())
        assert "data=golf" in page.url
        assert page.url.count("feature=") == 2
        assert page.evaluate("window.dialogs") == []


def test_settings_and_address_outlive_the_navigation(page: Page, address: str) -> None:
    opened(page, address, "grow?data=golf")
    algorithm(page, "C4.5")
    visit(page, "Prune")
    assert "data=golf" in page.url
    assert "recipe=C4.5" in page.url
    visit(page, "Grow")
    expect(page.get_by_role("radio", name="C4.5", exact=True)).to_be_checked()


def test_a_bad_address_says_what_it_did_instead(page: Page, address: str) -> None:
    opened(page, address, "grow?data=nowhere&max_depth=many")
    expect(page.get_by_test_id("stAlert").filter(has_text="nowhere")).to_be_visible()
    expect(page.get_by_test_id("stAlert").filter(has_text="many")).to_be_visible()
    at_page(page, "Grow")


@pytest.mark.parametrize(("name", "page"), [*zip(PAGES, cycle(GROUNDS))], indirect=["page"])
def test_every_page_in_both_themes_fits_its_width(page: Page, address: str, name: str) -> None:
    opened(page, address, f"{name}?data=titanic")
    for theme in GROUNDS:
        in_theme(page, theme)
        for width in (1400, 800):
            page.set_viewport_size({"width": width, "height": 900})
            awaited(page, DONE)
            too_wide = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
            assert not page.evaluate(too_wide)
