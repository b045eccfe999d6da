"""Predicting in a real browser: a missing value, a counterfactual, and a whole file of new rows."""

import csv
import io
import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import SAMPLES, answered, chosen, opened, settled, view_value, visit
from tests.oracles.examples import slow

TARGETS = {"titanic": "survived", "vote": "party", "auto_mpg": "mpg"}
LIT = "[...view.stage.scene.rowPath.keys()].length"
ENDS = "[...view.stage.scene.rowPath.keys()].filter((t) => view.shape[t] === 2).length"


def prediction(page: Page) -> str:
    """The prediction in large type."""
    return page.get_by_test_id("stMetricValue").first.inner_text()


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
    page.get_by_role("button", name="Put it into the form").click()
    settled(page)
    assert prediction(page) != before
    assert "ask.cells=" in page.url
    opened(page, page.url.split("/predict")[0], f"predict{page.url.split('/predict')[1]}")
    assert prediction(page) != before  # the link opens the same form
    page.locator('input[type="file"]').set_input_files(
        {"name": "new.csv", "mimeType": "text/csv", "buffer": new_rows(name, missing, new)}
    )
    settled(page)
    expect(page.get_by_text(f"There is no column '{missing}'")).to_be_visible()
    told = f"Column '{new}' has 1 cell with a value not seen in training"
    expect(page.get_by_text(told)).to_contain_text("'brand new' (row 2)")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download all answers").click()
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
    expect(page.get_by_text(re.compile("with probability .*, the average of .* leaves"))).to_be_visible()
    tree = page.get_by_role("tree").first
    tree.focus()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowDown")
    answered(page)
    assert "% of the row comes here" in (tree.get_by_role("treeitem").first.get_attribute("aria-label") or "")


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
    page.get_by_role("radio", name="Full tree").click()
    settled(page)
    assert view_value(page, "predict", "view.leafCount()") > left
    assert view_value(page, "predict", LIT) > 1


def test_a_row_picked_in_the_table_fills_the_form(page: Page, address: str) -> None:
    opened(page, address, "predict?data=vote&recipe=CART")
    page.get_by_text("Begin with a row of the table").click()
    field = page.get_by_role("spinbutton", name="Row number")
    field.fill("12")
    field.press("Enter")
    settled(page)
    assert "ask.row=11" in page.url
    expect(page.get_by_text(re.compile(r"Row 12, a \w+ row, has the true answer"))).to_be_visible()
