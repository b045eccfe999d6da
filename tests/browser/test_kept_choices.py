"""What a reader chose stays chosen, in whatever order pages and tables are left and come back."""

import re
from itertools import pairwise
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import ROLE, TYPE, algorithm, awaited, cell_set, chosen, opened, settled, uploaded, visit
from tests.folders import SAMPLES_FOLDER
from tests.oracles.examples import slow

PAGES = ("Data", "Grow", "Prune", "Evaluate", "Rules", "Predict", "Compare", "Ensembles", "Learn")


def every_page_after_every_other() -> list[str]:
    """A walk from the first page along each ordered pair of pages once, back to the first (Hierholzer 1873)."""
    ahead = {page: [other for other in PAGES if other != page] for page in PAGES}
    path, walk = [PAGES[0]], []
    while path:
        if ahead[path[-1]]:
            path.append(ahead[path[-1]].pop())
        else:
            walk.append(path.pop())
    return walk[::-1]


WALKS = [
    pytest.param(["Data", "Grow", "Data", *PAGES[2:], "Data"], id="each-page"),
    slow(every_page_after_every_other(), id="each-page-after-each"),
]


def choices(page: Page) -> dict[str, list[str]]:
    """What the address says was chosen."""
    return parse_qs(urlsplit(page.url).query)


def test_the_long_walk_has_each_ordered_pair_of_pages_once() -> None:
    walk = every_page_after_every_other()
    pairs = set(pairwise(walk))
    assert len(pairs) == len(walk) - 1 == len(PAGES) * (len(PAGES) - 1)


@pytest.mark.parametrize("walk", WALKS)
def test_choices_stay_in_every_order_of_pages(page: Page, address: str, walk: list[str]) -> None:
    """Roles once went back to the table's own when the reader came back from the Grow page."""
    opened(page, address, "?data=credit_g")
    cell_set(page, 1, ROLE, "not used")
    cell_set(page, 2, TYPE, "categorical")
    visit(page, "Grow")
    algorithm(page, "C4.5")
    chosen_so_far = choices(page)
    assert len(chosen_so_far["feature"]) == 19
    assert "checking_status" not in chosen_so_far["feature"]
    assert chosen_so_far["kind"] == ["duration:categorical"]
    for name in walk:
        visit(page, name)
        assert choices(page) == chosen_so_far, name
    cell_set(page, 3, ROLE, "not used")
    awaited(page, "() => location.search.split('feature=').length === 19")
    assert set(choices(page)["feature"]) < set(chosen_so_far["feature"])


def test_a_table_comes_back_as_it_was_left_and_changes_are_undone(page: Page, address: str) -> None:
    opened(page, address, "?data=iris")
    cell_set(page, 2, ROLE, "not used")
    cell_set(page, 1, TYPE, "categorical")
    chosen(page, "Target", "petalwidth")
    left = choices(page)
    assert left["target"] == ["petalwidth"]
    assert left["feature"] == ["sepallength", "petallength", "class"], "the role of sepalwidth is kept"
    uploaded(page, "golf.csv", SAMPLES_FOLDER.joinpath("golf.csv").read_bytes())
    assert "feature" not in choices(page)
    page.locator(".st-key-open-iris button").click()
    settled(page)
    assert choices(page) == left
    undo = page.get_by_role("button", name="Undo last change")
    undo.click()  # the table opened again
    settled(page)
    assert "feature" not in choices(page)
    undo.click()  # the file
    settled(page)
    assert choices(page) == left
    for dropped in ("target", "kind", "feature"):
        assert dropped in choices(page)
        undo.click()
        settled(page)
        assert dropped not in choices(page)
    expect(undo).to_have_count(0)


def test_a_theme_chosen_on_one_page_is_that_of_all_pages(page: Page, address: str) -> None:
    """Streamlit keeps it for the page that was loaded first alone."""
    opened(page, address)
    page.get_by_test_id("stMainMenuButton").click()
    page.locator("[data-testid=stMainMenuPopover], [role=menu]").first.get_by_text("Dark").click()
    in_dark = re.compile("dark")
    expect(page.locator(".stApp")).to_have_css("color-scheme", in_dark)
    page.keyboard.press("Escape")
    visit(page, "Grow")
    page.reload()
    settled(page)
    expect(page.locator(".stApp")).to_have_css("color-scheme", in_dark)
    page.goto(f"{address}/rules")
    settled(page)
    expect(page.locator(".stApp")).to_have_css("color-scheme", in_dark)
