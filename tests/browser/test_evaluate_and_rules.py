"""Judging a tree and reading its rules in a real browser: a cell leads to rows, a rule to its leaf."""

import re

from playwright.sync_api import Page, expect

from tests.browser.steps import chosen, click_cell, opened, settled, view_value, visit


def test_a_cell_of_the_confusion_matrix_chooses_rows_and_a_row_its_path(page: Page, address: str) -> None:
    opened(page, address, "evaluate?data=titanic&alpha=0.003")
    matrix = page.locator(".st-key-confusion").get_by_test_id("stDataFrame")
    click_cell(page, matrix, 1, 1, [130, 90, 90])
    assert "e.cell=1-0" in page.url
    expect(page.get_by_role("combobox", name="Rows shown")).to_have_value(re.compile(r"1, answered 0 \(\d+\)"))
    click_cell(page, page.locator(".st-key-answered").get_by_test_id("stDataFrame"), 0, 0, [36])
    assert "e.row=" in page.url
    way = page.get_by_text(re.compile(r"The way of row \d+.*→ 0 \(node \d+\)"))
    expect(way).to_be_visible()
    node = int(re.findall(r"node (\d+)", way.inner_text())[0])
    page.get_by_role("link", name=f"Open node {node} on the Grow page").click()
    expect(page.get_by_role("heading", name="Grow", exact=True, level=1)).to_be_visible()
    assert view_value(page, "grow", "view.state.selected") == node


def test_a_dot_of_the_calibration_chooses_its_leaf(page: Page, address: str) -> None:
    opened(page, address, "evaluate?data=titanic&alpha=0.003")
    for picture in ("calibration", "sizes"):
        marks = page.locator(f"[class*='st-key-{picture}'] .points path")
        marks.first.scroll_into_view_if_needed()
        marks.last.click(force=True)
        page.wait_for_url(re.compile(r"node=[1-9]"))
        settled(page)
        node = re.findall(r"node=(\d+)", page.url)[0]
        expect(page.get_by_role("combobox", name="Leaf")).to_have_value(re.compile(f"node {node}:"))
        expect(page.get_by_role("link", name="Open it on the Grow page")).to_be_visible()
        chosen(page, "Leaf", "none")
        expect(page.get_by_role("link", name="Open it on the Grow page")).to_have_count(0)


def test_a_rule_chosen_lights_its_leaf_in_the_tree(page: Page, address: str) -> None:
    opened(page, address, "rules")
    click_cell(page, page.locator(".st-key-rule_list").get_by_test_id("stDataFrame"), 0, 2, [36])
    assert view_value(page, "rules", "view.state.selected") == 2
    expect(page.get_by_text("if Outlook = Overcast then Yes (4 of 4, 100 %)")).to_be_visible()
    expect(page.locator(".tv-panel")).to_be_hidden()  # one form of the tree has nothing to slide over
    assert view_value(page, "rules", "view.stage.scene.isTrimmed"), "nothing there brings pruned branches back"
    visit(page, "Prune")
    assert view_value(page, "prune", "view.stage.scene.isTrimmed"), "pruned branches come with the drag"
    visit(page, "Rules")
    assert view_value(page, "rules", "view.state.selected") == 2
