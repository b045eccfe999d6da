"""The row of tools above the tree, in a real browser but without the app."""

import pytest
from playwright.sync_api import Page, expect

import explorer as ex
from explorer.drawing import tree_view
from explorer.drawing.tree_view.payload import tree_payload
from tests.browser.bare_view import BareView
from tests.oracles.golden_walk import dataset_of

TENNIS = ex.grow(dataset_of("play_tennis"), ex.CART.replace(categorical="one_vs_rest"))
TOOLS = [
    *("Top-down", "Left to right", "Icicle: bars as long as their rows", "Indented text", "Graphviz"),
    *("Zoom out (−)", "Zoom in (+)", "Show the whole tree (0)", "Filter: dim the other nodes"),
    *("Manual pruning", "Show pruned branches", "Full screen (F)"),
    *("Show node ids", "Save the view as a picture (PNG)"),
]


def pruning_view(page: Page, width: int) -> BareView:
    bare = BareView(
        page,
        [tree_payload(TENNIS), ex.to_slider(ex.cost_complexity_path(TENNIS), dataset_of("play_tennis"))],
    )
    page.evaluate("(width) => (document.getElementById('stage').style.width = `${width}px`)", width)
    page.evaluate("document.getElementById('side').remove()")
    bare.mount({})
    bare.frames()
    return bare


@pytest.mark.parametrize("width", [400, 430, 515, 599, 600, 700])
def test_the_tools_stay_in_one_row_and_none_is_lost(page: Page, width: int) -> None:
    pruning_view(page, width)
    toolbar = page.locator(".tv-toolbar")
    box = toolbar.bounding_box()
    assert box is not None
    assert box["height"] <= 40
    assert toolbar.evaluate("(row) => row.scrollWidth <= row.clientWidth")
    page.get_by_role("button", name="More tools").click()
    for name in TOOLS:
        expect(page.get_by_role("button", name=name, exact=True)).to_be_visible()
    expect(page.get_by_role("combobox", name="Depth", exact=True)).to_be_visible()
    menu = page.locator(".tv-menu").bounding_box()
    assert menu is not None
    assert menu["x"] >= box["x"]
    assert menu["x"] + menu["width"] <= box["x"] + box["width"] + 1


@pytest.mark.journey
def test_a_stage_that_gets_narrow_keeps_its_tools_working(page: Page) -> None:
    bare = pruning_view(page, 700)
    scale = bare.value("view.stage.scene.camera.alongScale")
    page.evaluate("document.getElementById('stage').style.width = '430px'")
    bare.frames()
    expect(page.get_by_role("searchbox")).to_be_hidden()
    page.get_by_role("button", name="More tools").click()
    page.get_by_role("combobox", name="Depth", exact=True).select_option("1")
    assert bare.value("view.stage.scene.depthLimit") == 1
    page.get_by_role("button", name="Zoom in (+)").click()
    assert bare.value("view.stage.scene.isFitted") is False
    page.evaluate("document.getElementById('stage').style.width = '700px'")
    bare.frames()
    expect(page.get_by_role("searchbox")).to_be_visible()
    expect(page.get_by_role("button", name="Find nodes (/)")).to_be_hidden()
    assert bare.value("view.stage.toolbar.depth.value") == "1"
    assert bare.value("view.stage.scene.camera.alongScale") != scale


def test_in_a_narrow_stage_a_slash_opens_the_field_for_finding_over_the_tools(page: Page) -> None:
    bare = pruning_view(page, 430)
    field = page.get_by_role("searchbox")
    button = page.get_by_role("button", name="Find nodes (/)")
    page.get_by_role("tree").first.focus()
    page.keyboard.press("/")
    expect(field).to_be_focused()
    page.keyboard.type("humidity")
    page.keyboard.press("Enter")
    assert bare.reports()[-1]["selected"] > 0
    expect(page.locator(".tv-match-count")).to_be_visible()
    row = page.locator(".tv-toolbar").bounding_box()
    assert row is not None
    assert row["height"] <= 40
    page.get_by_role("tree").first.focus()
    expect(field).to_be_hidden()
    expect(button).to_have_attribute("aria-pressed", "true")
    button.click()
    expect(field).to_have_value("humidity")
    field.fill("")
    page.keyboard.press("Escape")
    expect(field).to_be_hidden()
    expect(button).to_be_focused()


def test_the_hidden_tools_of_presenter_mode_let_clicks_through_but_for_their_upper_edge(page: Page) -> None:
    bare = pruning_view(page, 700)
    bare.mount({}, presenter=True)
    box = page.locator(".tv-toolbar").bounding_box()
    stage = page.locator(".tv-stage").bounding_box()
    assert box is not None
    assert stage is not None
    is_tool = "([x, y]) => bare.host('tree').shadowRoot.elementFromPoint(x, y).closest('.tv-toolbar') !== null"
    middle = [box["x"] + 20, box["y"] + box["height"] / 2]
    page.mouse.move(middle[0], stage["y"] + 200)
    assert page.evaluate(is_tool, middle) is False
    page.mouse.move(middle[0], stage["y"] + 2)
    bare.frames()
    assert page.evaluate(is_tool, middle) is True
    page.mouse.move(*middle)
    bare.frames()
    assert page.evaluate(is_tool, middle) is True
    page.mouse.click(*middle)
    assert bare.value("view.stage.choices.mode") == "down"
    page.mouse.move(middle[0], stage["y"] + 200)
    page.get_by_role("tree").first.focus()
    assert page.evaluate(is_tool, middle) is False


def test_another_language_rewrites_every_text_of_a_mounted_view_and_keeps_its_state(page: Page) -> None:
    bare = pruning_view(page, 700)
    bare.value("view.stage.setMode('right')")
    bare.mount({"selected": 2}, messages={template: f"⟦{template}⟧" for template in tree_view.FILES.templates})
    bare.frames()
    assert page.locator(".tv-root").count() == 1
    assert bare.value("[view.stage.choices.mode, view.state.selected]") == ["right", 2]
    told = page.locator(".tv-root [aria-label], .tv-root [placeholder]").evaluate_all(
        "(all) => all.flatMap((one) => [one.ariaLabel, one.placeholder]).filter((text) => text)"
    )
    assert len(told) > 15
    assert [text for text in told if "⟦" not in text] == []
    bare.mount({"selected": 2})
    bare.frames()
    expect(page.get_by_role("button", name="Top-down", exact=True)).to_be_visible()
