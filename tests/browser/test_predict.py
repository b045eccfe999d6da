"""Predicting in a real browser: a missing value, a counterfactual, and a whole file of new rows."""

import csv
import io
import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import (
    SAMPLES,
    answered,
    chosen,
    click_cell,
    opened,
    settled,
    until,
    uploaded,
    view_value,
    visit,
)
from tests.oracles.examples import slow

TARGETS = {"titanic": "survived", "vote": "party", "auto_mpg": "mpg"}
LIT = "[...view.stage.scene.rowPath.keys()].length"
ENDS = "[...view.stage.scene.rowPath.keys()].filter((t) => view.shape[t] === 2).length"


def prediction(page: Page) -> str:
    """The prediction in large type."""
    return page.get_by_test_id("stMetricValue").first.inner_text()


def tab(page: Page, name: str) -> None:
    """Open a tab of the inspector."""
    page.get_by_role("tab", name=name, exact=True).click()
    settled(page)


def new_rows(name: str, without: str, column: str) -> bytes:
    """Twenty rows of a sample without one column, with a value of another that nobody has seen."""
    head, *lines = csv.reader((SAMPLES / f"{name}.csv").read_text("utf-8").splitlines())
    rows = lines[:20]
    rows[1][head.index(column)] = "brand new"
    content = io.StringIO()
    kept = [place for place, title in enumerate(head) if title != without]
    csv.writer(content).writerows([[row[place] for place in kept] for row in [head, *rows]])
    return content.getvalue().encode()


@pytest.mark.parametrize(
    ("name", "recipe", "missing", "new"),
    [
        ("titanic", "CART", "parch", "sex"),
        slow("vote", "C4.5", "crime", "physician-fee-freeze"),
        slow("auto_mpg", "CART", "weight", "origin"),
    ],
)
def test_a_row_its_counterfactual_and_a_file(
    page: Page, address: str, name: str, recipe: str, missing: str, new: str
) -> None:
    opened(page, address, f"predict?data={name}&recipe={recipe}")
    before = prediction(page)
    assert view_value(page, "predict", ENDS) == 1
    tab(page, "Counterfactual")
    page.get_by_role("button", name="Apply").first.click()
    settled(page)
    assert prediction(page) != before
    assert "ask.cells=" in page.url
    opened(page, page.url.split("/predict")[0], f"predict{page.url.split('/predict')[1]}")
    assert prediction(page) != before  # the link opens the same form
    tab(page, "Predict a file")
    page.locator('input[type="file"]').set_input_files(
        {"name": "new.csv", "mimeType": "text/csv", "buffer": new_rows(name, missing, new)}
    )
    settled(page)
    expect(page.get_by_text(f"There is no column '{missing}'")).to_be_visible()
    told = f"Column '{new}' has 1 cell with a value not seen in training"
    expect(page.get_by_text(told)).to_contain_text("'brand new' (row 2)")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download predictions").click()
    lines = download.value.path().read_text("utf-8").splitlines()
    assert len(lines) == 21
    assert lines[0].split(",")[-1] == "leaf"
    assert TARGETS[name] in lines[0]


def test_a_missing_number_lights_several_paths(page: Page, address: str) -> None:
    opened(page, address, "predict?data=iris&recipe=C4.5")
    assert view_value(page, "predict", ENDS) == 1
    field = page.get_by_role("spinbutton", name="petallength")
    field.fill("")
    field.press("Enter")
    settled(page)
    assert view_value(page, "predict", ENDS) > 1
    tab(page, "Decision path")
    expect(page.get_by_text(re.compile("with probability .*, the average of .* leaves"))).to_be_visible()
    tree = page.get_by_role("tree").first
    tree.focus()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowDown")
    answered(page)
    assert "% of the row comes here" in (tree.get_by_role("treeitem").first.get_attribute("aria-label") or "")


def test_a_click_into_a_number_replaces_it_and_an_emptied_field_takes_the_typing(page: Page, address: str) -> None:
    opened(page, address, "predict?data=titanic&recipe=CART")
    field = page.get_by_role("spinbutton", name="age")
    field.click()
    page.keyboard.type("60")
    expect(field).to_have_value("60")
    field.press("Tab")  # and the next number is typed while the server predicts with this one
    page.keyboard.type("1")
    settled(page)
    expect(page.get_by_role("spinbutton", name="pclass")).to_have_value("1")
    field.locator("..").get_by_role("button", name="Clear value").click()
    page.keyboard.type("4960")
    page.keyboard.press("Enter")
    settled(page)
    expect(field).to_have_value("4960")
    expect(page.get_by_text("Outside the training range 0.42 to 80")).to_be_visible()
    field.click()  # within a field that one types into, a click moves the cursor
    page.keyboard.press("End")
    page.keyboard.type("1")
    expect(field).to_have_value("49601")


def test_the_tree_is_the_one_that_pruning_left(page: Page, address: str) -> None:
    opened(page, address, "prune?data=titanic&recipe=CART")
    page.get_by_role("button", name=re.compile("Best")).click()
    answered(page)
    left = view_value(page, "prune", "view.leafCount()")
    visit(page, "Predict")
    assert view_value(page, "predict", "view.leafCount()") == left
    expect(page.get_by_text(re.compile(rf"From the Prune page: the tree of {left} leaves at α"))).to_be_visible()
    chosen(page, "sex", "female")
    assert "ask.cells=" in page.url
    page.get_by_text("Full tree", exact=True).click()
    settled(page)
    assert view_value(page, "predict", "view.leafCount()") > left
    assert view_value(page, "predict", LIT) > 1


def test_a_row_picked_by_its_number_fills_the_form(page: Page, address: str) -> None:
    opened(page, address, "predict?data=vote&recipe=CART")
    field = page.get_by_role("spinbutton", name="Start from row")
    field.fill("12")
    field.press("Enter")
    settled(page)
    assert "ask.row=11" in page.url
    expect(page.get_by_text(re.compile(r"Row 12 \(\w+ set\) is \w+ in the table"))).to_be_visible()
    page.get_by_role("button", name="Choose a row").click()
    settled(page)
    page.get_by_role("link", name="Evaluate", exact=True).click()  # with the list of rows open
    expect(page.get_by_role("tab", name="Scores")).to_be_visible()
    settled(page)
    visit(page, "Predict")
    page.get_by_role("button", name="Reset to typical").click()
    settled(page)
    assert "ask.row" not in page.url


def test_a_row_picked_in_the_list_fills_the_form(page: Page, address: str) -> None:
    opened(page, address, "predict?data=play_tennis")
    page.get_by_role("button", name="Choose a row").click()
    settled(page)
    click_cell(page, page.get_by_test_id("stPopoverBody").get_by_test_id("stDataFrame"), 0, 2, [30])
    assert "ask.row=2" in page.url
    expect(page.get_by_text("Row 3 (training set) is Yes in the table. Predicted correctly.")).to_be_visible()


def test_an_alternative_is_lit_on_the_tree_and_a_small_leaf_says_so(page: Page, address: str) -> None:
    opened(page, address, "predict?data=titanic&recipe=CART")
    before, shown = view_value(page, "predict", LIT), "[...view.stage.scene.rowPath.keys()].at(-1)"
    tab(page, "Counterfactual")
    expect(page.get_by_text("Small leaf").first).to_be_visible()
    text = page.get_by_text(re.compile(r"with probability")).first.inner_text()
    node = re.search(r"node (\d+), \d+ rows?", text)
    assert node is not None
    page.get_by_role("button", name="Show on the tree").first.click()
    answered(page)
    assert view_value(page, "predict", shown) == int(node[1])
    tab(page, "Row")
    assert view_value(page, "predict", LIT) == before


@pytest.mark.parametrize(("width", "height"), [(1400, 900), slow(1280, 720)])
def test_the_tree_is_the_page(page: Page, address: str, width: int, height: int) -> None:
    page.set_viewport_size({"width": width, "height": height})
    opened(page, address, "predict?data=titanic&recipe=CART")
    assert share_of_window(page) >= 0.4
    for name in ("Row", "Decision path", "Counterfactual", "Predict a file"):
        tab(page, name)
        assert page.evaluate("""() => {
            const main = document.querySelector('[data-testid="stMain"]');
            return [main.scrollHeight - main.clientHeight, main.scrollWidth - main.clientWidth];
        }""") == [0, 0]
    tab(page, "Row")  # a file has half of the window
    page.get_by_test_id("stSidebarHeader").hover()
    page.get_by_test_id("stSidebarCollapseButton").get_by_role("button").click()
    until(page, lambda: share_of_window(page) >= 0.48)


def test_a_narrow_window_shows_prediction_and_form_below_the_tree(page: Page, address: str) -> None:
    page.set_viewport_size({"width": 800, "height": 900})
    opened(page, address, "predict?data=titanic&recipe=CART")
    expect(page.get_by_test_id("stMetricValue").first).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("spinbutton", name="age")).to_be_in_viewport(ratio=1)
    frame = page.locator(".tv-frame").bounding_box()
    assert frame is not None
    assert frame["height"] >= 240


def share_of_window(page: Page) -> float:
    """The share of the window that the stage takes."""
    box = page.locator(".st-key-stage").bounding_box()
    window = page.viewport_size
    assert box is not None
    assert window is not None
    return box["width"] * box["height"] / (window["width"] * window["height"])


def test_names_of_a_file_are_read_out_as_they_are(page: Page, address: str) -> None:
    opened(page, address)
    lines = [f"{value},{size},{'yes' if value == 'u' else 'no'}" for value, size in [("u", 1.5), ("v", 2.5)] * 6]
    uploaded(
        page, "odd.csv", "\n".join(["**bold** ![x](http://foreign.invalid/x.png),a_b-c (d),goal", *lines]).encode()
    )
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    visit(page, "Predict")
    labels = page.locator(".st-key-form [aria-label]").evaluate_all("each => each.map((e) => e.ariaLabel)")
    assert any("∗∗bold∗∗ !［x］(http" in label for label in labels)
    assert "a_b-c (d)" in labels
    assert not [label for label in labels if "\\" in label]
    expect(page.locator(".st-key-form strong:visible")).to_have_count(0)
    expect(page.locator(".st-key-form").get_by_text("**bold** ![x]")).to_be_visible()
    assert not [url for url in requests if "foreign" in url]
