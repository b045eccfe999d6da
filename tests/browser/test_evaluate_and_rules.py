"""Judging a tree and reading its rules in a real browser: a cell leads to rows, a rule to its leaf."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import chosen, click_cell, opened, settled, summary, view_value, visit

TITANIC = "evaluate?data=titanic&recipe=ID3&min_rows_leaf=1&alpha=0.003"
WHOLE = "(all) => all.map((text) => text.scrollWidth <= text.clientWidth + 1)"
RINGED = "view.data.marks.filter((mark) => mark.kind === 'ring').map((mark) => mark.node)"

LINES = """(cells) => cells.map((cell) => {
  const range = document.createRange();
  range.selectNodeContents(cell);
  return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
})"""
"""Of cells, in how many lines their text stands."""


def open_tab(page: Page, name: str) -> None:
    page.get_by_role("tab", name=name).click()
    settled(page)


def ringed(page: Page) -> set[int]:
    """The nodes with a ring on the tree of the Evaluate page."""
    return set(view_value(page, "evaluate", RINGED))


@pytest.mark.journey
def test_a_cell_of_the_confusion_matrix_chooses_rows_and_a_row_its_path(page: Page, address: str) -> None:
    opened(page, address, TITANIC)
    open_tab(page, "Confusion matrix")
    matrix = page.locator(".st-key-confusion").get_by_test_id("stDataFrame")
    click_cell(page, matrix, 1, 1, [130, 90, 90])
    page.wait_for_url(re.compile("e.cell=1-0"))
    expect(page.get_by_role("combobox", name="Rows shown")).to_have_value(
        re.compile(r"survived, predicted as died \(\d+\)")
    )
    lit = ringed(page)
    assert lit
    click_cell(page, page.locator(".st-key-misclassified").get_by_test_id("stDataFrame"), 0, 0, [36])
    page.wait_for_url(re.compile("e.row="))
    path = page.get_by_text(re.compile(r"Decision path of row \d+.*→ died \(node \d+\)"))
    expect(path).to_be_visible()
    node = int(re.findall(r"node (\d+)", path.inner_text())[0])
    assert node in lit, "the row ends at one of the cell's leaves"
    page.get_by_role("button", name=f"Open node {node} on the Prune page").click()
    page.wait_for_url(re.compile("/prune"))
    assert view_value(page, "prune", "view.state.selected") == node


def test_a_dot_of_the_calibration_chooses_its_leaf(page: Page, address: str) -> None:
    opened(page, address, TITANIC)
    open_tab(page, "Leaves")
    for picture in ("calibration", "sizes"):
        marks = page.locator(f"[class*='st-key-{picture}'] .points path")
        mark = (
            marks.last if picture == "calibration" else marks.first
        )  # of many leaves, small ones have bars of 5 pixels
        mark.scroll_into_view_if_needed()
        mark.click(force=True)
        page.wait_for_url(re.compile(r"node=[1-9]"))
        settled(page)
        node = re.findall(r"node=(\d+)", page.url)[0]
        expect(page.get_by_role("combobox", name="Leaf")).to_have_value(re.compile(f"node {node}:"))
        expect(page.get_by_role("button", name=re.compile("Open node .* on the Prune page"))).to_be_visible()
        assert ringed(page) == {int(node)}
        chosen(page, "Leaf", "none")
        expect(page.get_by_role("button", name=re.compile("Open node .* on the Prune page"))).to_have_count(0)


def test_the_line_above_the_tree_and_the_rail_follow_a_threshold_at_once(page: Page, address: str) -> None:
    opened(page, address, "evaluate?data=titanic&recipe=CART&max_depth=2&e.threshold=1")
    before = summary(page).text_content()
    assert before
    open_tab(page, "ROC and lift")
    page.get_by_text("Predict by this threshold").click()
    expect(page.get_by_role("button", name="Predict the likelier class")).to_be_visible()
    expect(summary(page)).not_to_have_text(before)
    page.get_by_role("button", name="Predict the likelier class").click()
    expect(summary(page)).to_have_text(before)


@pytest.mark.parametrize("name", ["evaluate", "rules"])
def test_the_tree_stands_beside_its_inspector_in_one_window(page: Page, address: str, name: str) -> None:
    opened(page, address, f"{name}?data=titanic")
    for width, height in ((1400, 900), (1280, 720), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(500)
        tabs = page.locator(".st-key-inspector").get_by_role("tablist").bounding_box()
        assert tabs is not None
        assert tabs["height"] < 50, "one line of tabs"
        stage = page.locator(".st-key-stage").bounding_box()
        inspector = page.locator(".st-key-inspector").bounding_box()
        assert stage is not None
        assert inspector is not None
        assert stage["y"] <= 130
        assert stage["width"] * stage["height"] >= 0.2 * width * height
        for box in (stage, inspector):
            assert box["y"] + box["height"] <= height
        assert inspector["x"] >= stage["x"] + stage["width"]
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")


def test_a_rule_chosen_lights_its_leaf_in_the_tree(page: Page, address: str) -> None:
    opened(page, address, "rules")
    page.get_by_role("button", name="Outlook = Overcast").press("Enter")
    page.wait_for_url(re.compile("node=2"))
    assert view_value(page, "rules", "view.state.selected") == 2
    assert view_value(page, "rules", RINGED) == [2]
    expect(page.get_by_text("if Outlook = Overcast then Yes (4 of 4, 100 %)")).to_be_visible()
    expect(page.locator(".tv-panel")).to_be_hidden()  # one form of the tree has nothing to slide over
    assert view_value(page, "rules", "view.stage.scene.isTrimmed"), "nothing there brings pruned branches back"
    columns = page.locator(".st-key-rule_list th")
    headings = ["if", "then", "training rows", "lower bound"]
    for data in ("play_tennis", "titanic"):
        if data == "titanic":
            opened(page, address, "rules?data=titanic&r.list=pruned")
            headings = ["if", "then", "validation rows", "lower bound", "decides", "#"]
        for width, height in ((1280, 720), (1400, 900), (800, 900), (390, 844)):
            page.set_viewport_size({"width": width, "height": height})
            expect(columns).to_have_text(headings)
            page.wait_for_timeout(300)
            assert page.locator(".st-key-rule_list .frame").evaluate(
                "(frame) => frame.scrollWidth <= frame.clientWidth"
            )
            assert all(page.locator(".st-key-rule_list :is(th, td.amount)").evaluate_all(WHOLE)), "no figure is cut"
            first = page.get_by_role("tab", name="List").bounding_box()
            assert first is not None
            assert first["y"] < 0.6 * height, "the list begins in the first screen"
    opened(page, address, "rules?data=iris")
    for width in (1280, 1400):
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_timeout(300)
        lines = page.locator(".st-key-rule_list td", has_text="Iris-versi").evaluate_all(LINES)
        assert lines, "classes of two words, Iris-versicolor"
        assert max(lines) <= 2, "a line ends after the hyphen, not within a word"
    page.set_viewport_size({"width": 1400, "height": 900})
    opened(page, address, "rules?node=2")
    visit(page, "Prune")
    assert view_value(page, "prune", "view.stage.scene.isTrimmed"), "pruned branches come with the drag"
    visit(page, "Rules")
    assert view_value(page, "rules", "view.state.selected") == 2
