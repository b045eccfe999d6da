"""Links and the history in a real browser: what one sends, another opens; Back goes step by step."""

import json
import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import PATIENCE
from tests.browser.server import running_server
from tests.browser.steps import (
    RUNS,
    SAMPLES,
    algorithm,
    answered,
    at_page,
    opened,
    settled,
    summary,
    tab_opened,
    uploaded,
    visit,
)

CARS = "weight,gears,slow\n" + "".join(
    f"{w},{g},{'yes' if w > 1500 and g < 5 else 'no'}\n" for w in range(900, 2100, 100) for g in (4, 5)
)


def copied(page: Page) -> str:
    """The link that the page offers to copy, as a path of the server."""
    page.get_by_role("button", name="Share").click()
    settled(page)
    panel = page.get_by_test_id("stPopoverBody").last
    box = panel.locator("label").filter(has_text="Put the rows into the link")
    if box.count():
        if not box.locator("input").is_checked():
            box.click()
            settled(page)
        expect(panel.get_by_text("the rows leave this server")).to_be_visible()
    parts = urlsplit(panel.locator("code").inner_text())
    page.keyboard.press("Escape")
    return f"{parts.path.lstrip('/')}?{parts.query}"


def saved_project(page: Page, has_rows: bool = True) -> bytes:
    """The project, after the tree was kept as "one"."""
    page.get_by_role("button", name="⋯", exact=True).click()
    page.get_by_role("tab", name="Project").click()
    page.get_by_label("Keep this tree as").fill("one")
    page.get_by_role("button", name="Keep", exact=True).click()
    settled(page)
    expect(page.get_by_role("button", name="one", exact=True)).to_be_disabled()
    box = page.get_by_test_id("stPopoverBody").last.locator("label").filter(has_text="Put the rows into the project")
    if has_rows:
        box.click()
        expect(page.get_by_text("all rows of your file")).to_be_visible()
    with page.expect_download() as project:
        page.get_by_role("button", name="Save the project").click()
    page.keyboard.press("Escape")
    return Path(project.value.path()).read_bytes()


def every_number(page: Page) -> tuple[dict[str, object], str]:
    """The grown tree with all digits, and the scores of the pruned one as the report has them."""
    page.get_by_role("button", name="⋯", exact=True).click()
    page.get_by_role("tab", name="Download").click()
    files = []
    for name in ("JSON", "Markdown"):
        with page.expect_download() as download:
            page.get_by_role("button", name=name, exact=True).click()
        files.append(Path(download.value.path()).read_text("utf-8"))
    page.keyboard.press("Escape")
    settled(page)
    tree, report = files
    return json.loads(tree), re.sub(r"\(\S+\?\S+\)|http\S+|\d{4}-\d\d-\d\d[T ]?[\d:]*", "", report)


def fresh(browser: Browser) -> Page:
    """A browser of somebody else's."""
    context = browser.new_context(viewport={"width": 1400, "height": 1000})
    context.add_init_script(RUNS)
    context.set_default_timeout(PATIENCE)
    return context.new_page()


@pytest.mark.parametrize("has_rows", [True, False])
def test_a_project_opens_on_another_server_with_the_same_numbers_to_the_last_digit(
    page: Page, browser: Browser, address: str, tmp_path: Path, has_rows: bool
) -> None:
    opened(page, address)
    uploaded(page, "titanic.csv")
    visit(page, "Grow")
    algorithm(page, "C4.5")
    visit(page, "Prune")
    page.locator(".tv-root input[type=range]").focus()
    page.keyboard.press("ArrowLeft")
    page.wait_for_timeout(400)
    answered(page)
    line, numbers = summary(page).inner_text(), every_number(page)
    project = saved_project(page, has_rows)
    other = fresh(browser)
    with running_server(environment={"EXPLORER_UPLOADS": str(tmp_path / "uploads")}) as server:
        opened(other, server.address)
        uploaded(other, "titanic.project.json", project)
        if not has_rows:
            expect(other.get_by_text("Upload the same file")).to_be_visible()
            other.locator('input[type="file"]').first.set_input_files(SAMPLES / "titanic.csv")
            settled(other)
        visit(other, "Prune")
        expect(summary(other)).to_have_text(line, use_inner_text=True)
        assert every_number(other) == numbers
        assert saved_project(other, has_rows) == project
        other.context.close()


@pytest.mark.journey
def test_a_small_file_a_scene_and_a_drawn_table_travel_in_links_and_a_project(
    page: Page, browser: Browser, address: str
) -> None:
    opened(page, address)
    uploaded(page, "cars.csv", CARS.encode())
    visit(page, "Grow")
    algorithm(page, "CART")
    line, link = summary(page).inner_text(), copied(page)
    project = saved_project(page)
    other = fresh(browser)
    opened(other, address, link)
    assert summary(other).inner_text() == line
    assert "cars.csv" in line
    other.context.close()

    other = fresh(browser)
    opened(other, address)
    uploaded(other, "cars.project.json", project)
    visit(other, "Grow")
    assert summary(other).inner_text() == line
    assert saved_project(other) == project

    visit(page, "Learn")
    page.get_by_test_id("stSidebar").get_by_role("button", name="Gini").first.click()
    settled(page)
    link = copied(page)
    assert "file=" not in link
    opened(other, address, link)
    expect(other.get_by_text("Upload the same file")).to_have_count(0)
    assert re.findall(r"scene=(\w+)", other.url) == re.findall(r"scene=(\w+)", page.url)

    page.get_by_test_id("stSidebar").get_by_role("button", name="Draw a table").click()
    settled(page)
    page.get_by_role("button", name="Grow this table").click()
    at_page(page, "Grow")
    settled(page)
    line, link = summary(page).inner_text(), copied(page)
    opened(other, address, link)
    assert summary(other).inner_text() == line
    other.context.close()


def entries(page: Page) -> int:
    n_entries: int = page.evaluate("history.length")
    return n_entries


@pytest.mark.journey
def test_back_goes_by_pages_and_steps_and_restores_what_was_there(page: Page, address: str) -> None:
    opened(page, address, "grow")
    first = entries(page)
    algorithm(page, "CART")
    assert entries(page) == first + 1
    for depth in ("2", "3"):
        box = page.get_by_role("spinbutton", name="Max. depth")
        box.fill(depth)
        box.press("Enter")
        settled(page)
    grown = summary(page).inner_text()
    visit(page, "Prune")
    assert entries(page) == first + 2, "a depth is no step"
    page.locator(".tv-root input[type=range]").focus()
    for key in ("End", "ArrowLeft"):
        page.keyboard.press(key)
        page.wait_for_timeout(400)
        answered(page)
    assert "alpha=" in page.url
    pruned = summary(page).inner_text()
    assert pruned != grown
    visit(page, "Data")
    page.get_by_role("button", name="Golf").first.click()
    settled(page)
    assert entries(page) == first + 4

    page.go_back()
    settled(page)
    page.go_back()
    at_page(page, "Prune")
    settled(page)
    assert summary(page).inner_text() == pruned
    page.go_back()
    at_page(page, "Grow")
    settled(page)
    assert summary(page).inner_text() == grown
    expect(page.get_by_role("spinbutton", name="Max. depth")).to_have_value("3")
    page.go_back()
    settled(page)
    assert "ID3" in summary(page).inner_text()
    for _ in range(3):
        page.go_forward()
        settled(page)
    at_page(page, "Data")
    page.go_forward()
    settled(page)
    assert "data=golf" in page.url
    assert entries(page) == first + 4
    assert "back=" not in page.url


@pytest.mark.slow
def test_back_from_a_page_that_a_button_opened_is_one_press(page: Page, address: str) -> None:
    opened(page, address, "learn?learn=draw")
    expect(page.locator(".dt-canvas")).to_be_visible()
    place = page.locator(".dt-canvas").bounding_box()
    assert place is not None
    page.mouse.click(place["x"] + 80, place["y"] + 80)
    settled(page)
    drawn, first = page.url, entries(page)
    page.get_by_role("button", name="Grow this table").click()
    at_page(page, "Grow")
    settled(page)
    assert entries(page) == first + 1
    page.go_back()
    at_page(page, "Learn")
    settled(page)
    assert page.url == drawn
    visit(page, "Data")
    before = entries(page)
    page.get_by_role("button", name="Show me").click()
    at_page(page, "Learn")
    settled(page)
    assert entries(page) == before + 1


def test_a_link_opens_the_tab_of_its_sender_and_a_tab_is_no_step_of_the_history(
    page: Page, browser: Browser, address: str
) -> None:
    opened(page, address, "compare?data=golf")
    entries = page.evaluate("history.length")
    tab_opened(page, "Cross-validation")
    tab_opened(page, "Settings")
    tab_opened(page, "Cross-validation")
    assert page.evaluate("history.length") == entries
    other = fresh(browser)
    opened(other, address, copied(page) + "&lang=zh")
    expect(other.get_by_role("tab", name="交叉验证")).to_have_attribute("aria-selected", "true")
    visit(page, "Prune")
    page.go_back()
    at_page(page, "Compare")
    expect(page.get_by_role("tab", name="Cross-validation")).to_have_attribute("aria-selected", "true")
    other.context.close()


def test_several_backs_in_a_row_keep_every_entry(page: Page, address: str) -> None:
    """Python answers the first of them when the browser is at another entry."""
    opened(page, address, "grow")
    first = entries(page)
    for name in ("CART", "C4.5"):
        algorithm(page, name)
    visit(page, "Prune")
    visit(page, "Evaluate")
    assert entries(page) == first + 4
    for _ in range(3):
        page.go_back()
        page.wait_for_timeout(250)
    page.wait_for_timeout(1500)
    settled(page)
    assert "recipe=CART" in page.url
    expect(summary(page)).to_contain_text("CART")
    assert entries(page) == first + 4, "no answer is an entry"
    page.go_forward()
    page.wait_for_timeout(1000)
    settled(page)
    assert "recipe=C4.5" in page.url
    expect(summary(page)).to_contain_text("C4.5")
    page.go_forward()
    at_page(page, "Prune")


def test_back_undoes_the_choice_of_a_procedure(page: Page, address: str) -> None:
    opened(page, address, "prune?data=play_tennis")
    first, way = entries(page), page.get_by_role("radio", name="All methods side by side")
    page.get_by_text("All methods side by side").click()
    settled(page)
    expect(way).to_be_checked()
    assert entries(page) == first + 1
    page.go_back()
    settled(page)
    expect(page.get_by_role("radio", name="Cost-complexity: drag α")).to_be_checked()
