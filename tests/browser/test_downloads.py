"""Files taken from a page, and its link copied and opened by somebody else."""

from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.steps import algorithm, opened, settled, uploaded, view_value, visit
from tests.folders import SAMPLES_FOLDER
from tests.oracles.examples import slow

PATH = "prune?data=titanic&recipe=C4.5&alpha=0.005&node=1"


def offered(page: Page) -> None:
    """Open the menu at its downloads."""
    page.get_by_role("button", name="⋯", exact=True).click()
    expect(page.get_by_role("tab", name="Download", exact=True)).to_have_attribute("aria-selected", "true")
    settled(page)


@pytest.mark.journey
def test_a_report_and_a_page_are_made_on_request(page: Page, address: str, tmp_path: Path) -> None:
    opened(page, address, PATH)
    offered(page)
    with page.expect_download() as report:
        page.get_by_role("button", name="Report", exact=True).click()
    report.value.save_as(tmp_path / "report.html")
    with page.expect_download() as tree:
        page.get_by_role("button", name="Web page").click()
    tree.value.save_as(tmp_path / "tree.html")
    other = page.context.new_page()
    other.goto((tmp_path / "report.html").as_uri())
    expect(other.get_by_role("heading", name="Decision tree for survived")).to_be_visible()
    assert other.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    other.goto((tmp_path / "tree.html").as_uri())
    expect(other.get_by_role("heading", name="Decision tree for survived")).to_be_visible()
    shown = "[view.position(), view.leafCount(), view.sequence.sig]"
    assert view_value(other, "page", shown) == view_value(page, "prune", shown)
    assert view_value(other, "page", "view.position()") > 0
    expect(other.get_by_text("Validation").first).to_be_visible()
    other.get_by_role("slider").first.press("Home")
    other.wait_for_timeout(400)
    assert view_value(other, "page", "view.leafCount()") > view_value(page, "prune", "view.leafCount()")


@pytest.mark.parametrize("more", ["method=mdl", slow("method=pessimistic&raising=yes")])
def test_the_page_of_a_method_shows_its_tree_at_the_end_of_its_steps(
    page: Page, address: str, tmp_path: Path, more: str
) -> None:
    opened(page, address, f"prune?data=titanic&recipe=CART&pruning=methods&{more}")
    offered(page)
    with page.expect_download() as tree:
        page.get_by_role("button", name="Web page").click()
    tree.value.save_as(tmp_path / "tree.html")
    name, shown = more.split("&")[0].replace("method=", "methods."), "[view.position(), view.leafCount()]"
    here = view_value(page, name, shown)
    other = page.context.new_page()
    other.goto((tmp_path / "tree.html").as_uri())
    assert view_value(other, "page", shown) == here
    other.get_by_role("slider").first.press("Home")
    other.wait_for_timeout(400)
    position, leaves = view_value(other, "page", shown)
    assert position == 0
    assert leaves > here[1]


@pytest.mark.parametrize("safe", [True, slow(False)], ids=["clipboard", "older command"])
def test_a_copied_link_opens_the_same_view(page: Page, address: str, safe: bool) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    if not safe:
        page.add_init_script("navigator.clipboard.writeText = () => Promise.reject(new Error('not here'))")
    opened(page, address, PATH)
    page.get_by_role("button", name="Share", exact=True).click()
    page.get_by_role("button", name="Copy the link").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    link = page.evaluate("navigator.clipboard.readText()")
    assert link.startswith(f"{address}/prune?")
    assert parse_qs(urlsplit(link).query) == parse_qs(urlsplit(PATH).query)
    page.goto(link)
    page.wait_for_selector("h1", state="attached")
    settled(page)
    assert view_value(page, "prune", "view.state.selected") == 1


@pytest.mark.slow
def test_the_link_of_a_file_asks_for_it_and_knows_it_under_another_name(
    page: Page, browser: Browser, address: str
) -> None:
    opened(page, address)
    uploaded(page, "golf.csv")
    visit(page, "Grow")
    algorithm(page, "C4.5")
    link = page.url
    content = (SAMPLES_FOLDER / "golf.csv").read_bytes()
    other = browser.new_page()  # somebody else's browser, which holds no key to the file
    opened(other, address, f"grow?{urlsplit(link).query}")
    expect(other.get_by_text("This view needs an uploaded file")).to_be_visible()
    visit(other, "Data")
    uploaded(other, "golf (1).csv", content)
    expect(other.get_by_text("is the file of this view")).to_be_visible()
    visit(other, "Grow")
    expect(other.get_by_role("radio", name="C4.5", exact=True)).to_be_checked()
