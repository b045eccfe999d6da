"""Methods side by side in a browser: a row picked shows its tree, and its steps can be gone through."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import GROUNDS, answered, chosen, click_cell, in_theme, opened, settled, summary, view_value

REDUCED, UNPRUNED = re.compile("· Reduced error$"), re.compile("· Unpruned$")
METHODS = "prune?data=titanic&recipe=CART&pruning=methods"
LEAVES_AND_STEP = "[view.leafCount(), view.position(), view.sequence.size]"


def row_clicked(page: Page, row: int) -> None:
    """Tick the box before a row of the first table."""
    click_cell(page, page.get_by_test_id("stDataFrame").first, 0, row, [28])


def test_a_row_picked_shows_the_tree_of_its_method_and_its_steps(page: Page, address: str) -> None:
    opened(page, address, METHODS)
    whole = view_value(page, "methods.unpruned", "view.leafCount()")
    row_clicked(page, 2)
    expect(summary(page)).to_contain_text(REDUCED)
    assert "method=reduced_error" in page.url
    pruned, position, size = view_value(page, "methods.reduced_error", LEAVES_AND_STEP)
    assert pruned < whole
    assert position == size - 1
    slider = page.locator(".tv-root input[type=range]")
    slider.focus()
    page.keyboard.press("Home")
    page.wait_for_timeout(400)
    answered(page)
    assert view_value(page, "methods.reduced_error", LEAVES_AND_STEP)[:2] == [whole, 0]
    page.keyboard.press("ArrowRight")
    page.wait_for_timeout(400)
    answered(page)
    assert view_value(page, "methods.reduced_error", "view.position()") == 1
    chosen(page, "Tree shown", "MDL (description length)")
    settled(page)
    assert view_value(page, "methods.mdl", "view.leafCount()") < pruned
    assert "method=mdl" in page.url


def test_a_row_unticked_shows_the_unpruned_tree_whose_row_stays_ticked(page: Page, address: str) -> None:
    opened(page, address, f"{METHODS}&method=reduced_error")
    row_clicked(page, 2)
    expect(summary(page)).to_contain_text(UNPRUNED)
    assert "method=" not in page.url
    row_clicked(page, 0)
    expect(summary(page)).to_contain_text(UNPRUNED)
    row_clicked(page, 2)
    expect(summary(page)).to_contain_text(REDUCED)


@pytest.mark.parametrize(("width", "page"), [(1400, "light"), (800, "dark")], indirect=["page"])
def test_the_book_s_watermelons_are_seen_in_both_themes_and_widths(
    page: Page, address: str, width: int, tmp_path: Path
) -> None:
    page.set_viewport_size({"width": width, "height": 1300})
    opened(page, address, "prune?pruning=methods")
    if width <= 900:  # the rail is closed there
        page.get_by_test_id("stExpandSidebarButton").click()
        page.wait_for_timeout(600)
    page.get_by_role("button", name="Example: Zhou’s watermelons").click()
    settled(page)
    assert "book=zhou" in page.url
    assert view_value(page, "book.zhou", "view.leafCount()") == 7
    chosen(page, "Tree shown", "Pre-pruned")
    assert view_value(page, "book.pre", "view.leafCount()") == 3
    for theme in GROUNDS:
        in_theme(page, theme)
        page.screenshot(path=tmp_path / "page.png", full_page=True)
        assert not page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
