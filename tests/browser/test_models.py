"""From the file of a model to what competed at its nodes on one's own rows, in a few clicks."""

import base64
import json
import re
from collections.abc import Callable
from typing import Any

import pandas as pd
import pytest
from playwright.sync_api import FilePayload, Page, expect

import explorer as ex
from tests.browser.steps import at_page, opened, settled, summary
from tests.folders import ROOT

FOLDER = ROOT / "tests/reference/foreign"


def case_of(library: str, name: str) -> dict[str, Any]:
    """What a library wrote, with rows and its predictions for them."""
    text = (FOLDER / f"{library}.json").read_text("utf-8")
    return next(case for case in json.loads(text) if case["name"] == name)


def shop(model: bytes, rows: pd.DataFrame) -> list[FilePayload]:
    """A model, and a table with its columns and a target."""
    table = rows.assign(bought=["yes", "no"] * (len(rows) // 2)).to_csv(index=False).encode()
    return [
        {"name": "model", "mimeType": "application/octet-stream", "buffer": model},
        {"name": "shop.csv", "mimeType": "text/csv", "buffer": table},
    ]


def of_lightgbm() -> list[FilePayload]:
    case = case_of("lightgbm-4.7.0", "binary")
    return shop(case["text"].encode(), pd.DataFrame(case["rows"]))


def of_onnx() -> list[FilePayload]:
    """A forest whose features have no names."""
    case = case_of("onnxruntime-1.32.0", "forest, two classes")
    rows = pd.DataFrame(dict(zip(("width", "length", "rooms"), case["rows"], strict=True)))
    return shop(base64.b64decode(case["model"]), rows)


@pytest.mark.parametrize("files", [pytest.param(of_lightgbm, marks=pytest.mark.journey), of_onnx])
def test_a_model_tells_what_competed_after_two_clicks(
    page: Page, address: str, files: Callable[[], list[FilePayload]]
) -> None:
    opened(page, address)
    page.locator('.st-key-uploader input[type="file"]').set_input_files(files())  # 1: both dropped at once
    at_page(page, "Ensembles")
    settled(page)
    expect(page.get_by_text("click a card to open it")).to_be_visible()
    page.locator(".ev-members-scroller").click(position={"x": 80, "y": 60})  # 2: the first tree
    expect(page.get_by_text("Tree 1 of")).to_be_visible()
    expect(page.get_by_role("tab", name="Candidates")).to_have_attribute("aria-selected", "true")
    expect(page.get_by_text("Your rows: 140 rows")).to_be_visible()
    expect(page.get_by_text(re.compile("^Splits on "))).to_be_visible()
    page.get_by_text("C4.5", exact=True).click()  # 3: by gain ratio
    settled(page)
    expect(page.get_by_test_id("stDataFrame").first).to_be_visible()
    expect(page.get_by_text("gain ratio").first).to_be_visible()


def test_a_saved_tree_dropped_on_its_table_opens_on_grow(page: Page, address: str) -> None:
    data = ex.Dataset.from_frame(ex.load_sample("golf").frame, "class")
    text = json.dumps(ex.grow(data, ex.CART.replace(max_depth=1)).to_dict()).encode()
    opened(page, address, "data?data=golf")
    file: FilePayload = {"name": "tree.json", "mimeType": "application/json", "buffer": text}
    page.locator('.st-key-uploader input[type="file"]').set_input_files(file)
    at_page(page, "Grow")
    settled(page)
    expect(summary(page)).to_contain_text("tree.json")
    page.get_by_role("tab", name="First difference").click()
    expect(page.get_by_text("The trees are identical.")).to_be_visible()
    page.get_by_role("button", name="Close tree.json").click()
    settled(page)
    expect(summary(page)).not_to_contain_text("tree.json")
