"""Stability in the browser: trees of resamples are grown, the tab shows the shares, and the tree carries them."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

import explorer as ex
from tests.browser.steps import answered, opened, settled, tab_opened, view_value


def grow_trees(page: Page, address: str, query: str = "") -> None:
    """The tab with its result."""
    opened(page, address, f"grow{query}")
    tab_opened(page, "Stability")
    page.locator(".st-key-stability-run button").click()
    expect(page.locator(".share-bars").first).to_be_visible()
    settled(page)


@pytest.mark.parametrize("page", ["light", "dark"], indirect=True)
def test_the_tab_and_the_tree_show_how_stable_play_tennis_is(page: Page, address: str) -> None:
    grow_trees(page, address)
    expect(page.locator(".share-bars").first).to_contain_text("11 of 14 (78.6 %)")
    share = view_value(page, "grow", "view.stage.scene.stability.share[0]")
    assert share == pytest.approx(11 / 14)
    assert view_value(page, "grow", "view.stage.scene.showsStability") is True
    expect(page.locator(".tv-stability-key")).to_have_text("Outline: share of 14 resamples alike")


def test_in_a_small_window_the_legend_has_every_class_beside_what_the_outlines_mean(page: Page, address: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    grow_trees(page, address, "?data=titanic&recipe=CART&max_depth=4&st.count=20")
    expect(page.locator(".tv-stability-key")).to_be_visible()
    expect(page.locator(".tv-all-classes")).to_be_hidden()
    for key in page.locator(".tv-class-entry:visible, .tv-sign-key, .tv-stability-key").all():
        is_whole = "(key) => key.scrollWidth <= key.clientWidth && key.scrollHeight <= key.clientHeight + 1"
        assert key.evaluate(is_whole), key.inner_text()


def test_the_tools_of_the_tree_hide_the_layer_and_the_link_keeps_it(page: Page, address: str) -> None:
    grow_trees(page, address)
    page.get_by_role("button", name="More tools").click()
    page.get_by_role("button", name="Show how stable the nodes are").click()
    answered(page)
    assert view_value(page, "grow", "view.stage.scene.showsStability") is False
    expect(page.locator(".tv-stability-key")).to_be_hidden()
    assert "st.layer=no" in page.url
    toggle = page.get_by_role("switch", name="On the tree")
    expect(toggle).not_to_be_checked()


def test_a_picture_of_a_resample_s_tree_opens_it(page: Page, address: str) -> None:
    grow_trees(page, address)
    pictures = page.locator(".st-key-stability_trees button:visible")
    expect(pictures).to_have_count(4)
    pictures.filter(has_text="×1").click()
    settled(page)
    expect(page.get_by_text("First difference, node 0: Humidity instead of Outlook.")).to_be_visible()


def test_an_exported_page_keeps_the_layer_and_can_hide_it(page: Page, tmp_path: Path) -> None:
    iris = ex.Dataset.from_frame(ex.load_sample("iris").frame, "class")
    made = ex.stability(iris, ex.CART, 20)
    file = tmp_path / "tree.html"
    file.write_text(ex.to_html(made.tree, stability=made.layer), "utf-8")
    page.goto(file.as_uri())
    expect(page.locator(".tv-stability-key")).to_have_text("Outline: share of 20 resamples alike; box: thresholds")
    shown = "globalThis.decisionTreeViews.get('page').stage.scene"
    assert page.evaluate(f"{shown}.stability.spreads.get(0).median") == made.thresholds[0].quartiles[1]
    for is_shown in (False, True):
        page.get_by_role("button", name="More tools").click()
        page.get_by_role("button", name="Show how stable the nodes are").click()
        page.keyboard.press("Escape")
        expect(page.locator(".tv-stability-key")).to_be_visible(visible=is_shown)
        assert page.evaluate(f"{shown}.showsStability") is is_shown
