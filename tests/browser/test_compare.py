"""Comparing in a browser: trees that follow each other, a cell of the matrix, its rows, and their decision paths."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import answered, click_cell, in_theme, opened, settled, until, view_value

TITANIC = "compare?data=titanic&a.recipe=ID3&b.recipe=CART"
LINES_CUT = """[...document.querySelectorAll('.st-key-counterparts > div')].map((place) => {
  const bottom = place.getBoundingClientRect().bottom;
  const line = parseFloat(getComputedStyle(place.querySelector('td')).lineHeight);
  const lines = [...place.querySelectorAll('p, tr')].map((row) => row.getBoundingClientRect());
  const atEnd = lines.filter((row) => row.top < bottom - 1 && row.bottom > bottom + 1);
  return atEnd.filter((row) => (bottom - row.top + 1) % line > 2).length; // one that wraps may end after a whole line
})"""
"""How many lines are cut at the end of each list of candidates, in order of the trees."""
CAMERA = "JSON.stringify([view.stage.scene.camera, view.stage.scene.isFitted])"


def click_node(page: Page, name: str, node: int) -> None:
    place = view_value(page, name, f"view.nodeCentre({node})")
    page.mouse.click(place["x"], place["y"])
    answered(page)


def open_tab(page: Page, name: str) -> None:
    page.get_by_role("tab", name=name).click()
    settled(page)


def zoom_in(page: Page) -> None:
    """Zoom into the left tree; its stage is narrow, so the tool is in the menu."""
    tool = page.get_by_role("button", name="Zoom in (+)")
    if not tool.first.is_visible():
        page.get_by_role("button", name="More tools").first.click()
    tool.first.click()


def chosen_nodes(page: Page, *names: str) -> list[int]:
    return [view_value(page, name, "view.state.selected") for name in names]


def test_a_node_chosen_in_one_tree_is_chosen_in_the_other_where_it_has_the_same_path(page: Page, address: str) -> None:
    opened(page, address, TITANIC)
    assert chosen_nodes(page, "left", "right") == [1, 1]
    click_node(page, "left", 2)  # sex = female in both
    assert chosen_nodes(page, "left", "right") == [2, 2]
    assert "b.node=2" in page.url
    expect(page.get_by_text("B: candidates at node 2")).to_be_visible()
    click_node(page, "left", 1)
    click_node(page, "right", 3)  # age ≤ 13 is asked in the right tree only
    assert chosen_nodes(page, "left", "right") == [1, 3]


@pytest.mark.slow
def test_trees_are_zoomed_together_until_they_are_let_go(page: Page, address: str) -> None:
    opened(page, address, TITANIC)
    before = view_value(page, "right", CAMERA)
    zoom_in(page)
    page.wait_for_timeout(300)
    together = view_value(page, "right", CAMERA)
    assert together != before
    page.get_by_role("button", name="Show the whole tree (0)").last.click()
    page.wait_for_timeout(300)
    assert view_value(page, "left", "view.stage.scene.isFitted") is True
    open_tab(page, "Settings")
    page.get_by_text("Pan and zoom the trees together").click()
    settled(page)
    assert "together=no" in page.url
    fitted = view_value(page, "right", CAMERA)
    zoom_in(page)
    page.wait_for_timeout(300)
    assert view_value(page, "right", CAMERA) == fitted


def test_a_cell_chooses_rows_and_a_row_lights_its_path_in_both_trees(page: Page, address: str) -> None:
    opened(page, address, TITANIC)
    open_tab(page, "Predictions")
    matrix = page.locator(".st-key-matrix").get_by_test_id("stDataFrame")
    click_cell(page, matrix, 2, 0, [75, 55, 55])
    assert "cell=0-1" in page.url
    expect(page.get_by_role("combobox", name="Rows shown")).to_have_value(
        re.compile(r"A predicts died, B predicts survived \(\d+\)")
    )
    click_cell(page, page.locator(".st-key-differ").get_by_test_id("stDataFrame"), 0, 0, [36])
    assert "row=" in page.url
    expect(page.get_by_text(re.compile(r"Decision paths of row \d+"))).to_be_visible()
    for name, letter in (("left", "A"), ("right", "B")):
        node = chosen_nodes(page, name)[0]
        assert view_value(page, name, f"view.tree.firstChild[{node}]") == -1
        expect(page.get_by_text(re.compile(rf"^{letter}, .* → .*\(node {node}\)"))).to_be_visible()
        assert view_value(page, name, f"view.tree.prediction({node})") == {"left": "died", "right": "survived"}[name]
    click_node(page, "left", 0)
    assert "row=" not in page.url
    expect(page.get_by_text("Select a row to see its decision path")).to_be_visible()


def test_the_first_difference_is_shown_in_both_trees(page: Page, address: str) -> None:
    opened(page, address, TITANIC)
    expect(page.get_by_text("Node 1 (sex = male): ID3 splits on fare")).to_be_visible()
    assert chosen_nodes(page, "left", "right") == [1, 1]
    click_node(page, "left", 0)
    assert chosen_nodes(page, "left", "right") == [0, 0]
    expect(page.get_by_text("B: candidates at the root")).to_be_visible()
    page.get_by_role("button", name="Show that node").click()
    answered(page)
    assert chosen_nodes(page, "left", "right") == [1, 1]


def test_sides_sentence_and_trees_fit_the_window_and_a_click_moves_none_of_them(page: Page, address: str) -> None:
    for width, height in ((1400, 900), (1280, 720)):
        page.set_viewport_size({"width": width, "height": height})
        opened(page, address, TITANIC)
        boxes = [view_value(page, name, "view.root.getBoundingClientRect().toJSON()") for name in ("left", "right")]
        assert max(box["top"] for box in boxes) <= 130
        assert max(box["bottom"] for box in boxes) <= height
        assert sum(box["width"] * box["height"] for box in boxes) >= 0.2 * width * height
        main = "document.querySelector('[data-testid=stMain]')"
        assert page.evaluate(f"{main}.scrollHeight - {main}.clientHeight") == 0, "the page does not scroll"
        click_node(page, "left", 2)
        after = [view_value(page, name, "view.root.getBoundingClientRect().toJSON()") for name in ("left", "right")]
        assert after == boxes


@pytest.mark.slow
def test_a_telephone_shows_the_trees_one_above_the_other_without_scrolling_sideways(page: Page, address: str) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    opened(page, address, TITANIC)
    boxes = [view_value(page, name, "view.root.getBoundingClientRect().toJSON()") for name in ("left", "right")]
    assert boxes[1]["top"] >= boxes[0]["bottom"]
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.slow
def test_a_third_setting_comes_and_goes(page: Page, address: str) -> None:
    opened(page, address, "compare")
    page.get_by_role("button", name="Add a third tree").click()
    settled(page)
    assert view_value(page, "third", "view.tree.n") == view_value(page, "left", "view.tree.n")
    click_node(page, "left", 3)
    assert chosen_nodes(page, "left", "third") == [3, 3]
    page.get_by_role("button", name="Remove C").click()
    settled(page)
    expect(page.locator(".tv-canvas")).to_have_count(2)


def test_candidates_end_in_a_whole_line_and_cut_no_name(page: Page, address: str) -> None:
    for path in (TITANIC, "compare?data=play_tennis&third=yes", f"{TITANIC}&third=yes&presenter=yes"):
        opened(page, address, path)
        until(page, lambda: min(page.evaluate(LINES_CUT), default=-1) == max(page.evaluate(LINES_CUT), default=-1) == 0)
        cells = page.locator(".st-key-counterparts td")
        assert not cells.evaluate_all("(all) => all.some((cell) => cell.scrollWidth > cell.clientWidth)"), path


@pytest.mark.slow
def test_paired_folds_run_in_the_background(page: Page, address: str) -> None:
    opened(page, address, "compare?data=iris&split=all")
    open_tab(page, "Cross-validation")
    page.get_by_role("button", name="Cross-validate").click()
    expect(page.get_by_text(re.compile("(standard error|have the same accuracy)"))).to_be_visible()


def pictures(page: Page) -> list[dict[str, float]]:
    """The places of the decision regions."""
    return page.locator(".js-plotly-plot").evaluate_all(
        "(all) => all.map((one) => one.getBoundingClientRect().toJSON())"
    )


@pytest.mark.parametrize("data", ["play_tennis", "titanic", "auto_mpg"])
def test_the_scores_of_two_sides_have_room_in_a_small_window(page: Page, address: str, data: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    opened(page, address, f"compare?data={data}")
    expect(page.locator(".st-key-sides p").filter(has_text="leaves")).to_have_count(2)
    assert page.get_by_test_id("stMain").evaluate("(main) => main.scrollWidth <= main.clientWidth")


def test_decision_regions_stand_side_by_side_and_follow_the_theme_at_once(page: Page, address: str) -> None:
    for width, height in ((1280, 720), (1400, 900), (800, 900)):
        page.set_viewport_size({"width": width, "height": height})
        opened(page, address, f"{TITANIC}&alpha=0.01")
        open_tab(page, "Regions")
        expect(page.locator(".js-plotly-plot .heatmaplayer image")).to_have_count(2)
        first, second = pictures(page)
        assert first["right"] <= second["left"]
        assert first["top"] == second["top"]
        assert min(first["height"], first["width"]) >= 200
        if width > 800:
            assert second["bottom"] <= height, "both are in view"
    in_theme(page, "dark")
    ground = page.locator(".js-plotly-plot .heatmaplayer image").first
    dark = ground.get_attribute("href")
    in_theme(page, "light")
    expect(ground).not_to_have_attribute("href", dark or "")
