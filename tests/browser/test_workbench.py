"""The workbench keeps still: a click changes the inspector alone, the rail stays as it was, any window width fits."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.steps import answered, opened, settled, tab_opened, until, view_value, visit

PLACES = (".tv-stage", ".tv-canvas", ".tv-strip", ".st-key-summary", ".st-key-rail", ".st-key-inspector")
STAGES = ["grow", "prune", "evaluate", "rules", "predict", "compare"]
"""Pages with a stage; each shows a tree view of its own name, but for Compare, which shows two."""
WINDOWS = [(1400, 900), (1280, 720)]
FIRST_VIEW = {"compare": "left"}
SCROLLED = """() => [document.scrollingElement,
    ...document.querySelectorAll('[data-testid="stMain"], .st-key-inspector')]
    .map((element) => element.scrollTop)"""
OVERHANG = """() => [document.documentElement.scrollWidth - innerWidth,
    ...[...document.querySelectorAll('[data-testid="stMain"]')].map((main) => main.scrollWidth - main.clientWidth)]"""


def box(element: Locator) -> dict[str, float]:
    """Where an element is in the window."""
    expect(element).to_be_visible()
    found = element.bounding_box()
    assert found is not None
    return dict(found)


def boxes(page: Page) -> dict[str, dict[str, float]]:
    return {place: box(page.locator(place).first) for place in PLACES}


def is_open(page: Page) -> bool:
    """Whether the rail is open."""
    rail = page.locator(".st-key-rail")
    place = rail.bounding_box() if rail.count() else None  # Compare has none
    return place is not None and place["x"] >= 0 and place["width"] > 100


def node_clicked(page: Page, name: str, node: int) -> None:
    page.wait_for_timeout(300)
    place = view_value(page, name, f"view.nodeCentre({node})")
    page.mouse.click(place["x"], place["y"])
    answered(page)


@pytest.mark.parametrize("path", ["grow?data=titanic", "grow?data=play_tennis&recipe=ID3", "prune?data=titanic"])
def test_choosing_a_node_moves_nothing(page: Page, address: str, path: str) -> None:
    opened(page, address, path)
    name = path.split("?")[0]
    heading = page.locator(".st-key-inspector").get_by_role("heading").first
    said = heading.inner_text()
    for width, height in WINDOWS:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(500)
        before = boxes(page)
        for node in (1, 2, 0):
            node_clicked(page, name, node)
            assert view_value(page, name, "view.state.selected") == node
            assert boxes(page) == before
            assert set(page.evaluate(SCROLLED)) == {0}
            if name == "grow":
                expect(heading).to_have_text(re.compile(rf"^Node {node}\b"))
        assert heading.inner_text() == said


def test_a_scrolled_inspector_stays_where_it_is(page: Page, address: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    opened(page, address, "grow?data=credit_g")
    inspector = page.locator(".st-key-inspector")
    inspector.evaluate("(element) => (element.scrollTop = 60)")
    before = boxes(page)
    node_clicked(page, "grow", 1)
    assert boxes(page) == before
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollTop") == 0


@pytest.mark.parametrize("name", STAGES)
def test_nothing_but_the_inspector_scrolls_and_the_tree_begins_near_the_top(
    page: Page, address: str, name: str
) -> None:
    opened(page, address, f"{name}?data=titanic")
    view_value(page, FIRST_VIEW.get(name, name), "view.tree.n")
    for width, height in WINDOWS:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(500)
        main = page.evaluate(
            "(({ scrollHeight, clientHeight }) => [scrollHeight, clientHeight])"
            "(document.querySelector('[data-testid=stMain]'))"
        )
        assert main[0] <= main[1] + 1
        frame = box(page.locator(".tv-frame").first)
        assert frame["y"] <= (180 if name == "compare" else 135)
        assert frame["y"] + frame["height"] <= height
        assert max(page.evaluate(OVERHANG)) <= 0


@pytest.mark.parametrize("path", ["grow?data=credit_g", "prune?data=titanic&alpha=0.003"])
def test_beside_rail_and_inspector_tools_and_timeline_are_thin(page: Page, address: str, path: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    opened(page, address, path)
    assert is_open(page)
    assert box(page.locator(".tv-toolbar"))["height"] <= 32
    assert box(page.locator(".tv-strip"))["height"] <= 64
    for place in (".tv-strip", ".tv-toolbar"):
        assert page.locator(place).evaluate("(element) => element.scrollWidth <= element.clientWidth"), place


def test_a_closed_rail_stays_closed_on_other_pages_and_after_a_reload(page: Page, address: str) -> None:
    opened(page, address, "grow?data=golf")
    assert is_open(page)
    narrow = box(page.locator(".tv-canvas"))["width"]
    page.get_by_test_id("stSidebar").hover()
    page.get_by_test_id("stSidebarCollapseButton").get_by_role("button").click()
    until(page, lambda: not is_open(page))
    until(page, lambda: box(page.locator(".tv-canvas"))["width"] > narrow + 150)
    visit(page, "Prune")
    assert not is_open(page)
    page.reload()
    page.wait_for_selector("h1", state="attached")
    settled(page)
    page.wait_for_timeout(600)
    assert not is_open(page)
    page.get_by_test_id("stExpandSidebarButton").click()
    until(page, lambda: is_open(page))
    page.reload()
    settled(page)
    until(page, lambda: is_open(page))


def test_a_narrow_window_leaves_the_rail_of_a_wide_one_alone(page: Page, address: str) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    opened(page, address, "grow?data=golf")
    assert not is_open(page)
    page.set_viewport_size({"width": 1400, "height": 900})
    page.reload()
    settled(page)
    until(page, lambda: is_open(page))


def test_a_window_that_grows_wide_has_its_rail_again(page: Page, address: str) -> None:
    page.set_viewport_size({"width": 800, "height": 900})
    opened(page, address, "grow?data=golf")
    page.wait_for_timeout(600)
    assert not is_open(page)
    page.set_viewport_size({"width": 1400, "height": 900})
    until(page, lambda: is_open(page))
    visit(page, "Prune")
    until(page, lambda: is_open(page))


def test_the_button_of_the_theme_is_named_by_what_it_does(page: Page, address: str) -> None:
    opened(page, address, "grow?data=golf")
    expect(page.get_by_role("button", name="Light or dark theme")).to_be_visible()
    expect(page.get_by_role("button", name="Main menu")).to_have_count(0)


@pytest.mark.parametrize("name", STAGES)
def test_a_narrow_window_shows_the_tree_first(page: Page, address: str, name: str) -> None:
    page.set_viewport_size({"width": 800, "height": 900})
    opened(page, address, f"{name}?data=titanic")
    view_value(page, FIRST_VIEW.get(name, name), "view.tree.n")
    for width, height in ((800, 900), (390, 800)):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(500)
        assert not is_open(page)
        assert max(page.evaluate(OVERHANG)) <= 0
        frame = box(page.locator(".tv-frame").first)
        assert frame["height"] >= 240
        assert frame["y"] + 240 <= height
        inspector = box(page.locator(".st-key-inspector"))
        assert inspector["y"] >= frame["y"] + frame["height"]
        if height == 900:  # and a part of what is said of it without scrolling
            assert inspector["y"] <= (820 if name == "compare" else 700)


def test_notices_take_their_own_room(page: Page, address: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    opened(page, address, "grow?data=nowhere&max_depth=many&recipe=CART&min_rows_leaf=none")
    notices = page.get_by_test_id("stAlert")
    assert notices.count() >= 2
    places = [box(notice) for notice in notices.all()]
    places += [box(page.locator(".st-key-summary")), box(page.locator(".tv-toolbar")), box(page.locator(".tv-strip"))]
    for i, first in enumerate(places):
        for second in places[i + 1 :]:
            apart = first["y"] + first["height"] <= second["y"] + 1 or second["y"] + second["height"] <= first["y"] + 1
            assert apart, (first, second)
    assert box(page.locator(".tv-strip"))["y"] + box(page.locator(".tv-strip"))["height"] <= 720


def test_the_tabs_of_the_inspector_leave_the_stage_alone(page: Page, address: str) -> None:
    opened(page, address, "grow?data=titanic")
    page.wait_for_timeout(500)
    before = boxes(page)
    for tab in ("Formula", "Thresholds", "Rows", "Split", "Candidates"):
        tab_opened(page, tab)
        assert boxes(page) == before, tab
        assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollTop") == 0


def test_a_narrow_window_names_all_pages_and_closes_the_rail_once(page: Page, address: str) -> None:
    page.set_viewport_size({"width": 800, "height": 900})
    opened(page, address)
    expect(page.locator(".rc-overflow-item-rest")).to_have_css("opacity", "0")
    visit(page, "Grow")
    page.wait_for_timeout(500)
    assert not is_open(page)
    page.get_by_test_id("stExpandSidebarButton").click()
    visit(page, "Prune")
    until(page, lambda: is_open(page))  # as it was left


def test_an_empty_number_has_no_steps(page: Page, address: str) -> None:
    opened(page, address, "grow?data=play_tennis")
    field = page.get_by_test_id("stNumberInput").filter(has_text="Max. depth")
    steps = field.locator('[data-testid^="stNumberInputStep"]')
    expect(steps.first).to_be_hidden()
    field.locator("input").fill("2")
    field.locator("input").press("Enter")
    settled(page)
    expect(steps).to_have_count(2)
    steps.last.click()
    page.wait_for_url(lambda url: "max_depth=3" in url)


def test_the_weakest_link_fits_the_inspector(page: Page, address: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    opened(page, address, "prune?data=credit_g&recipe=CART")
    tab_opened(page, "Weakest link")
    formula = page.locator(".tv-formula")
    expect(formula).to_be_visible()
    assert formula.evaluate("(element) => element.scrollWidth - element.clientWidth") == 0
