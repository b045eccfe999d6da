"""The shortest tree beside ID3's in a browser: both on one screen, the order, equally short trees, the sample."""

from playwright.sync_api import Page, expect

from tests.browser.steps import opened, settled, tab_opened, view_value


def n_nodes(page: Page, name: str) -> int:
    return int(view_value(page, name, "view.tree.n"))


def test_id3_and_the_shortest_tree_stand_side_by_side(page: Page, address: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    opened(page, address, "compare?data=mammals")
    page.get_by_role("radio", name="Shortest tree").click()
    settled(page)
    expect(page.get_by_text("No tree is consistent").first).to_be_visible()
    page.get_by_role("button", name="The 6-row table where ID3 is not shortest").click()
    settled(page)
    assert "comparison=shortest" in page.url
    expect(page.get_by_text("ID3 splits on A (gain 0.0441)")).to_be_visible()
    for name in ("greedy", "shortest"):
        box = page.locator(f".st-key-tree_{name}").bounding_box()
        assert box is not None
        assert box["y"] < 160
        assert box["y"] + box["height"] <= 720
        assert view_value(page, name, "view.state.selected") == 0
    page.get_by_role("button", name="Next shortest tree").or_(
        page.locator(".st-key-shortest-to-next button")
    ).first.click()
    settled(page)
    expect(page.get_by_text("2 of 3")).to_be_visible()
    tab_opened(page, "All trees")
    expect(page.locator("img.small-tree")).to_have_count(65)
    expect(page.locator("img.small-tree.consistent")).to_have_count(3)
    shown = page.locator("img.small-tree.consistent").first.evaluate("image => image.naturalWidth > 0")
    assert shown
