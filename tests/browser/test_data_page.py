"""The Data page in a browser: cards, the table of columns with its errors right above it, and the next step in view."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.steps import (
    LINE,
    LOW_LINE,
    ROLE,
    TYPE,
    cell_set,
    chosen,
    columns_table,
    opened,
    settled,
    uploaded,
    visit,
)

ONE_CLASS = b"x,one,y\n" + b"".join(b"%d,same,%s\n" % (i, b"ab"[i % 2 : i % 2 + 1]) for i in range(8))


def box(element: Locator) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of an element in the window."""
    expect(element).to_be_visible()
    found = element.bounding_box()
    assert found is not None
    return found["x"], found["y"], found["x"] + found["width"], found["y"] + found["height"]


def test_a_card_opens_its_table(page: Page, address: str) -> None:
    opened(page, address)
    card = page.get_by_role("button", name=re.compile("Golf, with numbers"))
    left, top, right, bottom = box(card)
    page.mouse.click(right - 12, bottom - 8)  # a corner: the whole card is the button
    settled(page)
    expect(page.get_by_role("heading", name="Golf, with numbers")).to_be_visible()
    assert "data=golf" in page.url
    assert (right - left, bottom - top) > (150, 60)


@pytest.mark.parametrize(("width", "height"), [(1400, 900), (1280, 720), (800, 900), (390, 844)])
def test_the_next_step_and_the_table_are_in_view(page: Page, address: str, width: int, height: int) -> None:
    page.set_viewport_size({"width": width, "height": height})
    opened(page, address, "?data=titanic")
    _, top, right, bottom = box(page.get_by_role("button", name="Grow the tree"))
    assert 0 < top < bottom <= height
    assert right <= width
    assert not page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
    assert not page.locator(".st-key-page").evaluate("(page) => page.scrollWidth > page.clientWidth")
    if width > 900:
        columns_top = box(columns_table(page))[1]
        assert columns_top < top - 4 * LINE, "some lines of the table are seen without scrolling"
    page.get_by_role("button", name="Grow the tree").click()
    page.wait_for_url(re.compile("/grow"))


@pytest.mark.parametrize("page", ["light", "dark"], indirect=True)
def test_five_columns_of_one_s_own_table_are_above_the_fold_of_a_laptop_whatever_is_said_of_it(
    page: Page, address: str
) -> None:
    """Doors, samples and two lines for each suggestion once left no row of the table in view."""
    page.set_viewport_size({"width": 1280, "height": 720})
    prices = [100 + 7 * n + (n * n) % 13 for n in range(60)]
    bins = ["low", "mid", "high"]
    lines = [f"{n % 7},{9 * n},{p},{1.19 * p:.4f},{p + n % 2},{bins[n // 20]},{n % 5} %" for n, p in enumerate(prices)]
    table = "rooms,lot,price,tax,near,class of price,rate\n" + "\n".join(lines) + "\n"
    opened(page, address)
    uploaded(page, "a name of a file that is quite long.csv", table.encode())
    chosen(page, "Target", "price")
    expect(page.get_by_text("Each value of 'class of price' has an interval")).to_be_visible()
    expect(page.get_by_text("“low”")).to_have_count(0)
    expect(page.get_by_text("cells separated by commas")).to_be_in_viewport()
    _, columns_top, _, _ = box(columns_table(page))
    _, next_top, _, _ = box(page.locator(".st-key-next"))
    assert next_top - columns_top >= LINE + 5 * LOW_LINE, "the heading and five columns"
    card, name = page.locator(".st-key-open-file button"), page.locator(".st-key-open-file strong")
    assert box(card)[3] - box(card)[1] < 50, "a line"
    assert box(name)[3] - box(name)[1] < 20, "its name is on one"


def test_an_error_about_a_column_stands_at_the_table(page: Page, address: str) -> None:
    """It once stood at the page's top, 700 pixels above the table."""
    opened(page, address)
    uploaded(page, "one.csv", ONE_CLASS)
    for attempt in (lambda: chosen(page, "Target", "one"), lambda: cell_set(page, 2, ROLE, "target")):
        attempt()
        alert = page.get_by_test_id("stAlert").filter(has_text="'one'")
        _, top, _, bottom = box(alert)
        columns_top = box(columns_table(page))[1]
        assert 0 <= columns_top - bottom < 40
        assert 0 < top < 1000, "and in view"
        chosen(page, "Target", "x")
        expect(alert).to_have_count(0)
        chosen(page, "Target", "y")


def test_roles_and_types_are_edited_in_the_table(page: Page, address: str) -> None:
    opened(page, address, "?data=iris")
    cell_set(page, 2, ROLE, "not used")
    page.wait_for_url(lambda url: re.findall(r"feature=(\w+)", url) == ["sepallength", "petallength", "petalwidth"])
    cell_set(page, 1, TYPE, "categorical")
    page.wait_for_url(lambda url: "kind=sepallength%3Acategorical" in url)
    cell_set(page, 3, ROLE, "target")
    page.wait_for_url(lambda url: "target=petallength" in url)
    expect(page.get_by_role("combobox", name="Target")).to_have_value("petallength")
    cell_set(page, 3, ROLE, "feature")
    expect(page.get_by_test_id("stAlert").filter(has_text="needs one target")).to_be_visible()
    assert "target=petallength" in page.url


def test_the_page_has_no_empty_rail(page: Page, address: str) -> None:
    opened(page, address)
    expect(page.get_by_test_id("stSidebar")).to_have_count(0)
    visit(page, "Grow")
    expect(page.get_by_test_id("stSidebar")).to_be_visible()


def test_the_panel_of_a_pasted_table_closes_over_the_opened_table(page: Page, address: str) -> None:
    opened(page, address)
    page.get_by_role("button", name="Paste a table").click()
    field = page.locator(".st-key-pasted textarea")
    field.fill("a\tb\n1\tx\n2\ty\n3\tx\n")
    page.get_by_role("button", name="Open the table").click()
    settled(page)
    expect(page.get_by_role("heading", name="pasted table")).to_be_visible()
    expect(field).to_be_hidden()
    page.get_by_role("button", name="Paste a table").click()
    expect(field).to_have_value("")


@pytest.mark.parametrize("page", ["light", "dark"], indirect=True)
def test_the_head_of_a_table_and_a_long_link_leave_all_in_view(page: Page, address: str) -> None:
    lines = [f"{n} %,{'Yes' if n % 3 else 'yes '},{'no' if n % 2 else 'No'},x{n % 2}" for n in range(1, 40)]
    opened(page, address)
    uploaded(page, "spellings.csv", ("rate,first,second,class\n" + "\n".join(lines) + "\n").encode())
    page.get_by_role("button", name=re.compile("^Apply all")).click()
    settled(page)
    _, _, _, name = box(page.get_by_role("heading", name="spellings.csv"))
    _, top, _, size = box(page.locator(".st-key-table_title").get_by_text(re.compile("rows × ")))
    assert top < name, "on one line"
    assert abs(size - name) < 12
    _, top, _, bottom = box(page.locator(".st-key-kept").get_by_text(re.compile("kept on this server")))
    _, its_top, _, its_bottom = box(page.get_by_role("button", name="Forget my file"))
    assert abs(top + bottom - its_top - its_bottom) < 6
    page.get_by_role("button", name="Share").click()
    _, first, _, before = box(page.get_by_text(re.compile("A link holds no rows")))
    _, button, _, _ = box(page.get_by_role("button", name="Copy the link"))
    _, top, right, bottom = box(page.locator("[data-testid=stPopoverBody] [data-testid=stCode]"))
    assert button < first < before <= top
    assert bottom - top < 80, "a line that scrolls"
    assert max(right, bottom) <= 1400


def test_a_tab_leaves_the_page_where_it_is(page: Page, address: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    opened(page, address, "data?data=credit_g")
    frame = page.locator(".st-key-page")
    tab = page.get_by_role("tab", name="Target")
    tab.evaluate("(element) => element.scrollIntoView({ block: 'center' })")
    scrolled = frame.evaluate("(element) => element.scrollTop")
    assert scrolled > 0
    tab.click()
    settled(page)
    assert frame.evaluate("(element) => element.scrollTop") == scrolled
