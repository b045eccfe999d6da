"""The main job in a real browser, with files of one's own: load, grow, open a node, slide α, compare."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.steps import (
    algorithm,
    answered,
    chosen,
    leaves_shown,
    opened,
    settled,
    summary,
    tab_opened,
    uploaded,
    view_value,
    visit,
)
from tests.oracles.examples import slow

CLASSIFICATION = ["ID3", "C4.5", "CART"]


def open_a_node(page: Page) -> None:
    """Go to the root's first branch with the keyboard alone."""
    page.get_by_role("tree").first.focus()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowDown")
    answered(page)
    expect(page.get_by_role("heading", name=re.compile(r"^Node 1\b"))).to_be_visible()


def slide_alpha(page: Page) -> None:
    """Move α by the keyboard to its end: the root alone is left."""
    before = view_value(page, "prune", "view.leafCount()")
    page.locator(".tv-root input[type=range]").focus()
    page.keyboard.press("End")
    page.wait_for_timeout(400)
    answered(page)
    assert view_value(page, "prune", "view.leafCount()") == 1 < before
    page.get_by_role("button", name=re.compile("Best")).click()
    answered(page)
    assert 1 <= view_value(page, "prune", "view.leafCount()") <= before


@pytest.mark.parametrize(
    ("name", "algorithms"),
    [("car.csv", CLASSIFICATION), slow("titanic.csv", CLASSIFICATION)],
)
def test_a_classification_file(page: Page, address: str, name: str, algorithms: list[str]) -> None:
    opened(page, address)
    uploaded(page, name)
    expect(page.get_by_role("heading", name=name)).to_be_visible()
    if name == "titanic.csv":
        chosen(page, "Target", "survived")
        expect(page.get_by_text("'name' is id-like")).to_be_attached()
        expect(page.get_by_text("'ticket' is id-like")).to_be_attached()
        expect(page.get_by_text("'cabin' is id-like")).to_be_attached()
    visit(page, "Grow")
    for each in algorithms:
        algorithm(page, each)
        assert leaves_shown(page) > 5
        assert view_value(page, "grow", "view.leafCount()") == leaves_shown(page)
        open_a_node(page)
    visit(page, "Prune")
    slide_alpha(page)
    visit(page, "Compare")
    expect(page.locator(".tv-canvas")).to_have_count(2)
    expect(page.get_by_text("Time to grow")).to_have_count(1)  # one row for both trees


def test_a_regression_file(page: Page, address: str) -> None:
    opened(page, address)
    uploaded(page, "auto_mpg.csv")
    chosen(page, "Target", "mpg")
    visit(page, "Grow")
    assert leaves_shown(page) > 5
    open_a_node(page)
    page.get_by_test_id("stSidebar").get_by_role("radio", name="ID3", exact=True).click()
    settled(page)
    expect(page.get_by_test_id("stAlert").filter(has_text="ID3")).to_be_visible()
    assert leaves_shown(page) > 5
    visit(page, "Prune")
    slide_alpha(page)
    visit(page, "Compare")
    expect(page.locator(".tv-canvas")).to_have_count(2)


def test_a_broken_file_leaves_the_table_before(page: Page, address: str) -> None:
    opened(page, address)
    uploaded(page, "broken.csv", b"a,b\n1,2\n1,2,3,4\n")
    expect(page.get_by_test_id("stAlert").filter(has_text="broken.csv")).to_be_visible()
    expect(page.get_by_role("heading", name="Play tennis?").first).to_be_visible()


def test_names_from_a_file_are_shown_literally(page: Page, address: str) -> None:
    rows = "".join(f"{value},{prediction}\n" for value, prediction in [("u", "*p*"), ("v", "_q_")] * 6)
    opened(page, address)
    uploaded(page, "odd.csv", f"**b** $x$ :red[r] <i>i</i> :smile:,y\n{rows}".encode())
    visit(page, "Grow")
    inspector = page.locator(".st-key-inspector")
    split = inspector.locator("p", has_text="Splits on").inner_text().replace("\u2060", "")
    assert "**b** $x$ :red[r] <i>i</i> :smile:" in split
    assert "predicts *p*" in inspector.locator("p", has_text="predicts").inner_text().replace("\u2060", "")


def test_sessions_do_not_see_each_other(page: Page, browser: Browser, address: str) -> None:
    opened(page, address)
    uploaded(page, "car.csv")
    other = browser.new_page()
    opened(other, address)
    expect(other.get_by_role("heading", name="Play tennis?")).to_be_visible()
    other.close()
    visit(page, "Grow")
    expect(summary(page)).to_contain_text("car.csv")


def test_a_feature_is_unfolded_into_its_thresholds(page: Page, address: str) -> None:
    opened(page, address, "grow?data=golf&recipe=C4.5")
    tab_opened(page, "Thresholds")
    chosen(page, "Feature", "humidity")
    expect(page.get_by_text("threshold of humidity")).to_be_visible()
    expect(page.get_by_text("Branches of its best split")).to_be_visible()
