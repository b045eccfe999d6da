"""A table that one draws: by mouse and by keys, undone, downloaded, and taken to the Grow page."""

import re
from typing import Any

import pandas as pd
import pytest
from playwright.sync_api import Locator, Page, expect

import explorer as ex
from tests.browser.steps import GROUNDS, at_page, awaited, in_theme, leaves_shown, opened, settled

VIEW = "drawnTableViews.get('learn.drawn')"
FOUR = "5kdw00" + "68go00" + "g08c01" + "gobo01"
"""A at (2, 5) and (2.24, 6), B at (5.76, 3) and (6, 4.2)."""


def value(page: Page, expression: str) -> Any:
    """What an expression gives of the view once Python has answered."""
    awaited(page, f"globalThis.drawnTableViews?.get('learn.drawn')?.exchange.isIdle && {VIEW}.data.number >= 0")
    awaited(page, f"{VIEW}.exchange.isIdle")
    return page.evaluate(f"(() => {{ const view = {VIEW}; return {expression}; }})()")


def at_canvas(page: Page, address: str, points: str = FOUR, more: str = "") -> Locator:
    """Open a drawing by its link; gives the canvas."""
    opened(page, address, f"learn?learn=draw&points={points}{more}")
    canvas = page.locator(".dt-canvas")
    expect(canvas).to_be_visible()
    assert value(page, "view.drawing.points.length") == len(points) // 6
    return canvas


def place(page: Page, x: float, y: float) -> tuple[float, float]:
    """The pixel of a place on the canvas."""
    box = page.locator(".dt-canvas").bounding_box()
    assert box is not None
    plot = page.evaluate(f"{VIEW}.plot.frame.plot")
    return box["x"] + plot["x"] + x / 10 * plot["width"], box["y"] + plot["y"] + (1 - y / 10) * plot["height"]


def drag(page: Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    """Drag with the mouse, in a dozen moves."""
    page.mouse.move(*place(page, *start))
    page.mouse.down()
    page.mouse.move(*place(page, *end), steps=12)
    page.mouse.up()


@pytest.mark.journey
def test_a_point_is_added_dragged_and_undone(page: Page, address: str) -> None:
    at_canvas(page, address)
    assert value(page, "view.answer.tree.feature") == [0, -1, -1]
    page.mouse.click(*place(page, 8, 8))
    assert value(page, "view.answer.tree.weight[0]") == 5
    drag(page, (8, 8), (4.5, 9))
    point = value(page, "view.drawing.points[4]")
    assert point["x"] == pytest.approx(450, abs=5)
    assert point["y"] == pytest.approx(900, abs=5)
    assert value(page, "view.answer.tree.counts[0]") == [3, 2, 0]
    page.get_by_role("button", name="Undo (Ctrl+Z)").click()
    assert value(page, "view.drawing.points[4].x") == pytest.approx(800, abs=5), "a drag is undone as one"
    page.keyboard.press("Control+z")
    assert value(page, "view.drawing.points.length") == 4
    page.keyboard.press("Control+y")
    assert value(page, "view.answer.tree.weight[0]") == 5


def test_the_split_that_tips_is_ringed_and_told(page: Page, address: str) -> None:
    at_canvas(page, address)
    drag(page, (6, 4.2), (1, 4))
    sentence = page.get_by_role("status").filter(has_text=re.compile("overtook"))
    expect(sentence).to_contain_text(
        re.compile(r"Root: y ≤ 4\.\d+ \(Gini decrease 0\.500\) overtook x ≤ [\d.]+ \(0\.\d+\)")
    )
    assert value(page, "view.ringed") == [""]
    expect(page.locator(".dt-rings line")).to_have_count(1)
    expect(page.locator(".dt-lead .dt-number")).to_contain_text("Leads x ≤")


def test_everything_is_drawn_by_keys(page: Page, address: str) -> None:
    canvas = at_canvas(page, address)
    canvas.focus()
    for key in ("2", "Shift+ArrowRight", "ArrowUp", "Enter"):
        page.keyboard.press(key)
    assert value(page, "view.drawing.points[4]") == {"x": 600, "y": 510, "mark": 1}
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Point 5: x 6.00, y 5.10, class B")).to_be_focused()
    for key in ("ArrowLeft", "Shift+ArrowDown", "1"):
        page.keyboard.press(key)
    assert value(page, "view.drawing.points[4]") == {"x": 590, "y": 410, "mark": 0}
    expect(page.get_by_role("button", name="Point 5: x 5.90, y 4.10, class A")).to_be_focused()
    page.keyboard.press("Delete")
    assert value(page, "view.answer.tree.weight[0]") == 4
    page.keyboard.press("n")
    expect(page.get_by_role("button", name=re.compile("^Point 1:"))).to_be_focused()
    page.keyboard.press("Escape")
    expect(canvas).to_be_focused()


def test_a_node_is_chosen_in_the_tree(page: Page, address: str) -> None:
    at_canvas(page, address, FOUR + "go2s00")  # one of A at (6, 1), below the two of B
    node = page.get_by_role("button", name=re.compile(r"^Node 2: splits on y ≤ .* 1 A, 2 B"))
    node.click()
    assert value(page, "view.answer.selected") == 2
    expect(page.locator(".dt-head")).to_have_text("Node 2: 3 points")
    expect(page.locator(".dt-selection")).to_be_visible()
    node.press("ArrowUp")
    assert value(page, "view.answer.selected") == 0


def test_other_targets_and_an_empty_canvas(page: Page, address: str) -> None:
    at_canvas(page, address)
    page.get_by_role("combobox", name="Target").select_option("number")
    assert value(page, "view.answer.candidates.measure") == "variance decrease"
    expect(page.get_by_role("combobox", name="Algorithm")).to_be_disabled()
    page.get_by_role("combobox", name="Start from").select_option("three")
    awaited(page, f"{VIEW}.drawing.target === '3'")
    assert value(page, "view.answer.tree.counts[0]") == [18, 18, 18]
    page.get_by_role("button", name="Remove all points").click()
    expect(page.locator(".dt-sentence")).to_have_text("There are no points: draw some on the canvas.")
    expect(page.locator(".dt-points path")).to_have_count(0)


def test_the_table_is_downloaded_and_taken_to_the_other_pages(page: Page, address: str) -> None:
    at_canvas(page, address, more="&drawn_depth=0")
    drag(page, (6, 4.2), (1, 4))
    shown = value(page, "view.answer.tree.first")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download CSV").click()
    frame = pd.read_csv(download.value.path())
    assert len(frame) == 4
    grown = ex.grow(ex.Dataset.from_frame(frame, "class"), ex.CART)
    assert shown == grown.first_child.tolist()
    page.get_by_role("button", name="Grow this table").click()
    at_page(page, "Grow")
    settled(page)
    assert leaves_shown(page) == grown.n_leaves
    page.get_by_role("link", name="Learn", exact=True).first.click()
    at_page(page, "Learn")
    page.locator(".dt-canvas").wait_for()
    assert value(page, "view.drawing.points[3].x") == pytest.approx(100, abs=5), "the drawing is still there"
    assert "points=" in page.url


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("presenter", ["no", "yes"])
def test_the_canvas_fits_the_window(page: Page, address: str, language: str, presenter: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    at_canvas(page, address, more=f"&lang={language}&presenter={presenter}")
    for theme in GROUNDS:
        in_theme(page, theme)
        assert page.evaluate(
            """() => {
              const main = document.querySelector('[data-testid="stMain"]');
              return [main.scrollHeight - main.clientHeight, main.scrollWidth - main.clientWidth];
            }"""
        ) == [0, 0]
        side = page.locator(".dt-side")
        assert side.evaluate("(element) => element.scrollHeight - element.clientHeight") <= 1
        for part in (".dt-toolbar", ".dt-plot", ".dt-side"):
            expect(page.locator(part)).to_be_in_viewport(ratio=0.99)


def test_a_narrow_window_stacks_canvas_and_tree(page: Page, address: str) -> None:
    page.set_viewport_size({"width": 760, "height": 900})
    canvas = at_canvas(page, address)
    tree = page.locator(".dt-tree")
    above, below = canvas.bounding_box(), tree.bounding_box()
    assert above is not None
    assert below is not None
    assert below["y"] >= above["y"] + above["height"] - 1
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 760
    tree.scroll_into_view_if_needed()
    expect(tree).to_be_in_viewport(ratio=0.9)
