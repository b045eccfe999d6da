"""At the sizes of a laptop, a projector and a zoomed window nothing is cut, covered or too faint to see."""

import re
from itertools import pairwise

import pytest
from playwright.sync_api import FloatRect, Locator, Page, expect

from explorer.explaining.exercises import EXERCISE_KINDS
from explorer.export.exercise_sheet import exercise_sheet
from tests.browser.steps import GROUNDS, awaited, in_theme, opened, settled, until, visit
from tests.oracles.golden_walk import dataset_of

PLACES = "(links) => links.map((link) => Math.round(link.getBoundingClientRect().x))"
CONTRAST = """(element, part) => {
    const channels = (text) => text.match(/[\\d.]+/g).slice(0, 3).map(Number);
    const light = (colour) => channels(colour).map((c) => c / 255)
        .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
        .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
    let ground = element;
    const isClear = () => /, 0\\)$/.test(getComputedStyle(ground).backgroundColor);
    while (isClear() && ground.parentElement) ground = ground.parentElement;
    const [a, b] = [getComputedStyle(element)[part], getComputedStyle(ground).backgroundColor].map(light);
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}"""
"""The contrast of an element's colour to what is behind it, as WCAG 2.1 defines it."""


def box(element: Locator) -> FloatRect:
    """Where an element is."""
    found = element.bounding_box()
    assert found is not None
    return found


def end(element: Locator) -> float:
    """Its right edge."""
    return box(element)["x"] + box(element)["width"]


def test_on_a_laptop_pages_keep_their_place_in_the_navigation_and_dark_controls_are_seen(
    page: Page, address: str
) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    links = page.get_by_test_id("stTopNavLink")
    opened(page, address, "compare")
    without_rail = links.evaluate_all(PLACES)
    opened(page, address, "prune?data=play_tennis")
    assert links.evaluate_all(PLACES) == without_rail
    tabs = page.locator(".st-key-inspector").get_by_role("tablist").first
    assert box(tabs)["height"] < 50  # one line
    for theme in ("light", "dark"):
        in_theme(page, theme)
        ring = page.locator('[data-testid="stRadioOption"]:not([data-selected="true"]) > div > div:first-child')
        assert ring.first.evaluate(CONTRAST, "borderTopColor") >= 3
        tab = page.get_by_role("tab", selected=True).locator("p")
        assert tab.evaluate(CONTRAST, "color") >= 4.5
    in_theme(page, "light")
    opened(page, address, "data?data=titanic")
    cards = page.locator(".st-key-cards")
    whole = """(cards) => [...cards.children].some((card) =>
      Math.abs(card.getBoundingClientRect().bottom - cards.getBoundingClientRect().bottom) < 5)"""
    awaited(page, f'({whole})(document.querySelector(".st-key-cards"))')  # the last row of cards in view
    stories = cards.locator("p").evaluate_all("(all) => all.map((text) => text.scrollHeight - text.clientHeight)")
    assert len(stories) > 10
    assert max(stories) <= 1, "no story is cut"
    page.get_by_role("button", name="First tree").click()
    assert box(page.locator(".st-key-first_tree_body img"))["width"] > 1100
    page.keyboard.press("Escape")
    page.get_by_test_id("stMainMenuButton").click()
    page.get_by_role("menuitemradio", name="Dark").click()
    expect(page.get_by_test_id("stApp")).to_have_css("background-color", GROUNDS["dark"])
    page.keyboard.press("Escape")
    assert end(page.get_by_test_id("stMainMenuButton")) <= box(page.locator(".st-key-bar"))["x"]
    visit(page, "Grow")
    assert box(tabs)["height"] < 50


def test_in_narrow_windows_the_bar_is_whole_and_pages_keep_their_place(page: Page, address: str) -> None:
    links = page.get_by_test_id("stTopNavLink")
    for width in (800, 933):
        page.set_viewport_size({"width": width, "height": 720})
        opened(page, address, "compare?data=play_tennis")
        without_rail = links.evaluate_all(PLACES)
        opened(page, address, "grow?data=play_tennis")
        until(page, lambda without_rail=without_rail: links.evaluate_all(PLACES) == without_rail)  # type: ignore[misc]
        switch = page.get_by_test_id("stMainMenuButton")
        expect(switch).to_be_visible()
        assert end(switch) <= box(page.locator(".st-key-bar"))["x"]
        assert box(page.locator(".st-key-inspector").get_by_role("tablist").first)["height"] < 50  # one line
    page.get_by_role("button", name="⋯").click()
    menu = page.locator(".st-key-menu_body")
    widths = set()
    for name in ("Download", "Colours and labels", "Presenting"):
        menu.get_by_role("tab", name=name).click()
        settled(page)
        widths.add(box(menu)["width"])
    assert len(widths) == 1


def test_in_a_zoomed_window_the_menu_of_pages_and_the_steps_of_a_scene_have_room(page: Page, address: str) -> None:
    page.set_viewport_size({"width": 933, "height": 600})
    opened(page, address, "learn?learn=scene&scene=cart&scene_step=5")
    expect(page.locator(".strip .next")).to_be_visible()
    assert end(page.locator(".strip .next")) <= box(page.locator(".st-key-inspector"))["x"]
    more = page.get_by_test_id("stTopNav").locator(".rc-overflow-item-rest")
    assert end(more) <= box(page.get_by_test_id("stMainMenuButton"))["x"]


def is_whole(texts: Locator) -> bool:
    """Whether none of these texts is cut."""
    whole: bool = texts.evaluate_all("(all) => all.every((text) => text.scrollWidth <= text.clientWidth + 1)")
    return whole


@pytest.mark.parametrize("query", ["", "&presenter=yes"], ids=["at the desk", "presented"])
def test_the_name_of_the_table_stands_whole_above_two_trees_that_have_most_of_a_laptop(
    page: Page, address: str, query: str
) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    opened(page, address, f"compare?data=titanic{query}")
    name = page.locator(".st-key-switcher p")
    expect(name).to_have_text("Who survived the Titanic?")
    assert is_whole(name)
    assert box(page.locator(".st-key-stages .tv-frame").first)["height"] > 340
    for width in (1000, 1199):
        page.set_viewport_size({"width": width, "height": 720})
        assert end(page.locator(".st-key-sides [class*=st-key-side_]").last) <= width
        assert is_whole(name)


def test_three_trees_on_a_laptop_have_its_whole_width_and_their_scores_one_line(page: Page, address: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    opened(page, address, "compare?data=titanic&a.recipe=ID3&b.recipe=CART&third=yes")
    frames = page.locator(".st-key-stages .tv-frame")
    expect(frames).to_have_count(3)
    assert end(frames.last) > 1200
    assert min(box(frame)["height"] for frame in frames.all()) > 280
    sides = page.locator(".st-key-sides [class*=st-key-side_]")
    assert len({round(box(side)["y"]) for side in sides.all()}) == 1
    assert is_whole(page.locator(".st-key-switcher p, .st-key-sides p, .st-key-counterparts p"))
    expect(page.get_by_role("tab", name="Scores", exact=True)).to_be_in_viewport()


def test_a_projector_shows_three_trees_above_their_candidates_and_the_whole_bar(page: Page, address: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    opened(page, address, "compare?data=play_tennis&third=yes&presenter=yes")
    headings = page.locator(".st-key-counterparts").get_by_text("candidates at the root")
    expect(headings).to_have_count(3)
    frames = page.locator(".st-key-stages .tv-frame")
    for at in range(3):
        frame = box(frames.nth(at))
        assert frame["y"] + frame["height"] <= box(headings.nth(at))["y"]
        assert frame["height"] > 250
        assert end(frames.nth(at)) <= 1280
    assert end(frames.last) > 1200, "the trees have the whole width"
    assert is_whole(page.locator(".st-key-counterparts p, .st-key-sides p, .st-key-difference p"))
    bar = page.locator(".st-key-bar")
    for text in page.locator(".st-key-sides p, .st-key-difference p, .st-key-inspector p").all():
        if text.is_visible():
            assert end(text) <= box(bar)["x"] or box(text)["y"] >= box(bar)["y"] + box(bar)["height"]
    expect(page.get_by_role("tab", name="Scores", exact=True)).to_be_in_viewport()
    page.set_viewport_size({"width": 800, "height": 900})
    opened(page, address, "compare?data=play_tennis&third=yes")
    tools = page.locator(".st-key-stages .tv-toolbar")
    expect(tools).to_have_count(3)
    assert is_whole(tools)
    tools.first.get_by_role("button", name="More tools").click()
    expect(tools.first.get_by_role("button", name="Indented text")).to_be_visible()


@pytest.mark.parametrize("solutions", [False, True])
def test_a_sheet_of_one_exercise_is_one_page_of_a4_and_its_solution_another(page: Page, solutions: bool) -> None:
    data = dataset_of("play_tennis")
    for name in (name for name, kind in EXERCISE_KINDS.items() if kind.suits(data)):
        page.set_content(exercise_sheet(data, 0, 1, [name], solutions))
        printed = page.pdf(prefer_css_page_size=True)
        assert len(re.findall(rb"/Type\s*/Page[^s]", printed)) == 1 + solutions, name


def test_names_in_the_dark_tools_of_tables_predictions_and_a_telephone_s_first_lines_are_seen(
    page: Page, address: str
) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    page.emulate_media(color_scheme="dark")
    opened(page, address, "grow?data=play_tennis")
    name = page.locator(".st-key-switcher").get_by_role("button").first
    for act in (name.hover, name.click):
        act()
        settled(page)
        assert name.locator("p").evaluate(CONTRAST, "color") >= 4.5
    page.keyboard.press("Escape")
    inspector = page.locator(".st-key-inspector")
    inspector.get_by_test_id("stDataFrame").first.hover()
    tools, tabs = inspector.get_by_test_id("stElementToolbar").first, inspector.get_by_role("tablist").first
    assert box(tools)["y"] >= box(tabs)["y"] + box(tabs)["height"]
    opened(page, address, "predict?data=play_tennis")
    page.get_by_role("tab", name="Predict a file").click()
    settled(page)
    rows = b"Outlook,Humidity,Wind\nSunny,High,Weak\nFoggy,Normal,Weak\n"
    page.locator('input[type="file"]').set_input_files({"name": "new.csv", "mimeType": "text/csv", "buffer": rows})
    settled(page)
    predictions, notice = inspector.get_by_test_id("stDataFrame").first, page.get_by_text("not seen in training")
    assert box(predictions)["y"] + box(predictions)["height"] < box(notice.first)["y"]
    assert box(predictions)["y"] + 3 * 35 <= 720, "the head and both rows"
    page.set_viewport_size({"width": 390, "height": 800})
    opened(page, address, "prune?data=titanic")
    assert box(page.locator(".st-key-summary"))["height"] <= 56, "two lines"
    assert end(page.get_by_test_id("stMainMenuButton")) <= 390
    expect(page.get_by_test_id("stMainMenuButton")).to_be_visible()


@pytest.mark.parametrize("path", ["grow", "prune", "evaluate", "predict", "compare"])
def test_names_of_tabs_stand_apart_in_one_line_of_a_small_window(page: Page, address: str, path: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    opened(page, address, f"{path}?data=play_tennis")
    tabs = page.locator(".st-key-inspector").get_by_role("tablist").first.get_by_role("tab")
    expect(tabs.first).to_be_visible()
    places = [box(tab) for tab in tabs.all()]
    assert len({place["y"] for place in places}) == 1
    for first, second in pairwise(places):
        assert second["x"] - first["x"] - first["width"] >= 8
