"""A table of the server connected in a browser: chosen, grown, looked into, pruned, its SQL read, changed behind it."""

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import Page, expect

from tests.browser.server import running_server
from tests.browser.steps import READY, answered, settled, summary, tab_opened, visit

N_ROWS = 200_000
PATIENCE = 120_000
"""Milliseconds for a server just started, which may have to compile."""


def write(path: Path, seed: int, n_rows: int = N_ROWS) -> None:
    """Write customers, of whom the older ones leave more often."""
    draw = np.random.default_rng(seed)
    age, visits = draw.integers(18, 90, n_rows), draw.poisson(3, n_rows)
    frame = pd.DataFrame({"customer": np.arange(n_rows), "age": age, "visits": visits})
    frame["income"] = draw.normal(30, 5, n_rows)
    frame["churn"] = np.where((age > 50) ^ (draw.random(n_rows) < 0.2), "yes", "no")
    frame.to_parquet(path, index=False)


@pytest.fixture
def shared(tmp_path: Path) -> Path:
    """The folder that the server's owner allows."""
    folder = tmp_path / "shared"
    folder.mkdir()
    write(folder / "customers.parquet", seed=0)
    return folder


@pytest.fixture
def connecting(shared: Path) -> Iterator[str]:
    """The address of a server whose owner allows the folder."""
    with running_server(environment={"EXPLORER_TABLES": str(shared)}) as server:
        yield server.address


def test_connect_grow_look_prune_and_connect_again(page: Page, connecting: str, shared: Path) -> None:
    page.set_default_timeout(PATIENCE)
    page.goto(connecting)
    page.wait_for_selector(READY)
    page.get_by_role("button", name="Connect a table").click()
    page.get_by_role("button", name="Connect", exact=True).click()
    settled(page)
    expect(page.get_by_role("heading", name="shared/customers.parquet")).to_be_visible()
    expect(page.get_by_text("200,000 rows × 5 columns", exact=True)).to_be_visible()
    expect(page.get_by_text(re.compile(r"about \d+ (s|min), .* of temporary space"))).to_be_visible(timeout=PATIENCE)
    assert str(shared) not in page.url

    page.get_by_role("button", name="Grow the tree").click()
    expect(summary(page)).to_contain_text(re.compile(r"training \+ [\d,]+ validation rows"), timeout=PATIENCE)
    settled(page)
    page.evaluate("decisionTreeViews.get('grow').stage.choose(1)")
    answered(page)
    expect(page.get_by_role("heading", name=re.compile("Node 1"))).to_be_visible()
    tab_opened(page, "Candidates")
    expect(page.get_by_role("button", name="Candidates as CSV")).to_be_visible()
    tab_opened(page, "SQL")
    page.get_by_text(re.compile(r"Count bins and categories")).first.click()
    expect(page.get_by_test_id("stCode").first).to_contain_text("SELECT")

    visit(page, "Prune")
    expect(summary(page)).to_contain_text("validation accuracy", timeout=PATIENCE)
    before = summary(page).inner_text()
    page.get_by_role("button", name=re.compile("Best")).first.click()
    answered(page)
    expect(summary(page)).not_to_have_text(before)

    write(shared / "customers.parquet", seed=1, n_rows=50_000)
    visit(page, "Grow")
    page.evaluate("decisionTreeViews.get('grow').stage.choose(2)")
    answered(page)
    expect(page.get_by_text("has changed since it was connected").first).to_be_visible()
    expect(summary(page)).to_contain_text("leaves")
    page.get_by_role("button", name="Connect and grow again").click()
    expect(summary(page)).to_contain_text(re.compile(r"3\d,\d{3} training"), timeout=PATIENCE)
