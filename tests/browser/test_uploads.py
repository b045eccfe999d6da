"""Uploads in a browser: what a reload, another tab, another browser, a cut in the network and a dead server leave."""

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.server import Server, running_server
from tests.browser.steps import (
    FIRST_PAGE,
    SAMPLES,
    algorithm,
    at_page,
    chosen,
    opened,
    settled,
    summary,
    uploaded,
    visit,
)

COOKIE = "decision-tree-explorer"
DIGITS = re.compile(r"file=[0-9a-f]{16}")


def shows(page: Page, name: str) -> None:
    """The table in use has this name."""
    expect(page.get_by_role("heading", name=name, exact=True)).to_be_visible()


def asks_for_file(page: Page) -> None:
    expect(page.get_by_text("This view needs an uploaded file").first).to_be_visible()
    expect(page.get_by_text("golf.csv")).to_have_count(0)


def large_table(n_rows: int, n_columns: int = 20) -> bytes:
    """Numbers with a class that depends on them."""
    numbers = np.random.default_rng(0).integers(0, 1000, size=(n_rows, n_columns))
    frame = pd.DataFrame(numbers, columns=[f"x{column}" for column in range(n_columns)])
    frame["y"] = np.where(numbers[:, 0] + numbers[:, 1] > 1000, "high", "low")
    return frame.to_csv(index=False).encode()


@pytest.mark.journey
def test_a_reload_keeps_file_and_page_and_the_address_has_no_key(page: Page, address: str) -> None:
    opened(page, address)
    uploaded(page, "golf.csv")
    shows(page, "golf.csv")
    page.wait_for_url(DIGITS)
    visit(page, "Grow")
    algorithm(page, "CART")
    said = summary(page).inner_text()
    page.reload()
    at_page(page, "Grow")
    expect(summary(page)).to_have_text(re.compile(re.escape(said.split("\n")[0])))
    expect(page.get_by_test_id("stSidebar").get_by_role("radio", name="CART", exact=True)).to_be_checked()
    (held,) = [cookie for cookie in page.context.cookies() if cookie["name"] == COOKIE]
    assert (held["sameSite"], held["path"]) == ("Strict", "/")
    assert held["value"] not in page.url


def test_several_files_dropped_at_once_are_one_table_and_stacked_by_one_choice(page: Page, address: str) -> None:
    opened(page, address)
    rows = {"jan.csv": b"x,y\n1,a\n2,b\n3,a\n", "feb.csv": b"x,y\n4,a\n5,b\n"}
    given = [{"name": name, "mimeType": "text/csv", "buffer": content} for name, content in rows.items()]
    page.locator('.st-key-uploader input[type="file"]').set_input_files(given)  # type: ignore[arg-type]
    settled(page)
    shows(page, "feb.csv +1.zip")
    expect(page.get_by_text("2 files were given at once and are kept as one")).to_be_visible()
    chosen(page, "Sheet or table", "All with the same columns")
    expect(page.get_by_text("5 rows × 3 columns")).to_be_visible()
    page.reload()
    settled(page)
    expect(page.get_by_text("5 rows × 3 columns")).to_be_visible()


def test_two_browsers_and_guessed_keys(page: Page, browser: Browser, address: str) -> None:
    opened(page, address)
    uploaded(page, "golf.csv")
    page.wait_for_url(DIGITS)
    link = page.url
    for key in (None, "A" * 43, "../" * 20, link[-16:]):
        other = browser.new_context()
        if key:
            other.add_cookies([{"name": COOKIE, "value": key, "url": address}])
        stranger = other.new_page()
        stranger.goto(link)
        settled(stranger)
        asks_for_file(stranger)
        other.close()


def test_two_tabs_share_the_file_until_one_forgets_it(page: Page, address: str) -> None:
    opened(page, address)
    uploaded(page, "golf.csv")
    page.wait_for_url(DIGITS)
    link = page.url
    tab = page.context.new_page()
    opened(tab, address)
    tab.get_by_role("button", name=re.compile("^golf.csv")).click()
    settled(tab)
    shows(tab, "golf.csv")
    expect(tab.get_by_text("kept on this server’s disk until")).to_be_visible()
    tab.get_by_role("button", name="Forget my file").click()
    settled(tab)
    expect(tab.get_by_text("'golf.csv' was removed from the server.")).to_be_visible()
    expect(tab.get_by_text("golf.csv")).to_have_count(1)
    page.goto(link)
    settled(page)
    asks_for_file(page)


def starts_reading(page: Page, file: Path) -> None:
    """Upload a table that takes seconds to read, and wait until the page says that it is being read."""
    names, _, rows = large_table(100_000).partition(b"\n")
    file.write_bytes(names + b"\n" + 20 * rows)
    page.locator('.st-key-uploader input[type="file"]').set_input_files(file)
    expect(page.get_by_text(f"Reading “{file.name}”")).to_be_visible()


def test_a_second_upload_during_the_first_wins(page: Page, address: str, tmp_path: Path) -> None:
    opened(page, address)
    starts_reading(page, tmp_path / "first.csv")
    settled(page)  # the uploader is a new one then
    uploaded(page, "golf.csv")
    shows(page, "golf.csv")
    expect(page.get_by_text("Reading “first.csv”")).to_have_count(0)
    expect(page.get_by_text("first.csv")).to_have_count(0)


@pytest.mark.slow
def test_a_cut_in_the_network_loses_nothing(page: Page, address: str) -> None:
    opened(page, address)
    uploaded(page, "golf.csv")
    page.wait_for_url(DIGITS)
    visit(page, "Grow")
    algorithm(page, "CART")
    said = summary(page).inner_text()
    page.context.set_offline(True)
    page.wait_for_timeout(10_000)
    page.context.set_offline(False)
    page.wait_for_timeout(3_000)
    settled(page)
    expect(summary(page)).to_have_text(said, use_inner_text=True)
    algorithm(page, "ID3")
    expect(summary(page)).to_contain_text("ID3")
    visit(page, "Data")
    shows(page, "golf.csv")


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A server of this test's own, to be killed."""
    with running_server(environment={"EXPLORER_UPLOADS": str(tmp_path / "uploads")}) as server:
        yield server


def killed_and_started(server: Server, page: Page) -> None:
    """The server dies and starts again, and the reader reloads the page."""
    server.kill()
    server.start()
    page.reload()
    page.wait_for_selector("h1", state="attached")
    settled(page)


@pytest.mark.slow
def test_a_server_killed_during_an_upload_loses_only_that_upload(page: Page, server: Server, tmp_path: Path) -> None:
    opened(page, server.address)
    uploaded(page, "golf.csv")
    page.wait_for_url(DIGITS)
    starts_reading(page, tmp_path / "large.csv")
    killed_and_started(server, page)
    shows(page, "golf.csv")
    visit(page, "Grow")
    expect(summary(page)).to_contain_text("golf.csv")


@pytest.mark.slow
def test_a_server_killed_while_growing_grows_again_after_a_reload(page: Page, server: Server) -> None:
    opened(page, server.address)
    page.locator('.st-key-uploader input[type="file"]').set_input_files(
        {"name": "large.csv", "mimeType": "text/csv", "buffer": large_table(150_000)}
    )
    shows(page, "large.csv")
    page.wait_for_url(DIGITS)
    visit(page, "Grow")
    killed_and_started(server, page)
    at_page(page, "Grow")
    expect(summary(page)).to_contain_text("large.csv", timeout=120_000)
    assert DIGITS.search(page.url)


@pytest.mark.slow
def test_a_server_killed_during_cross_validation_keeps_file_and_settings(page: Page, server: Server) -> None:
    opened(page, server.address)
    uploaded(page, "titanic.csv")
    page.wait_for_url(DIGITS)
    visit(page, "Prune")
    link = page.url
    page.get_by_role("button", name="Cross-validate").click()
    killed_and_started(server, page)
    at_page(page, "Prune")
    expect(summary(page)).to_contain_text("titanic.csv")
    assert set(link.split("?")[1].split("&")) <= set(page.url.split("?")[1].split("&"))
    expect(page.get_by_role("button", name="Cross-validate")).to_be_enabled(timeout=FIRST_PAGE)  # it loads the loops


def test_two_tabs_that_upload_at_once_have_each_its_own_table_and_both_files(page: Page, address: str) -> None:
    tab = page.context.new_page()
    own = {page: "golf.csv", tab: "iris.csv"}
    for one in own:
        opened(one, address)
    for one, name in own.items():  # neither waits for the other
        one.locator('.st-key-uploader input[type="file"]').set_input_files(SAMPLES / name)
    for one, name in own.items():
        shows(one, name)
        settled(one)
        visit(one, "Grow")
        one.reload()
        settled(one)
        visit(one, "Data")
        shows(one, name)
        for kept in own.values():
            expect(one.get_by_role("button", name=re.compile(f"^{kept}"))).to_be_visible()
