"""Undo and redo in a real browser: ten kinds of steps over pages and tables, by keys, with the link at every stage."""

from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import (
    ROLE,
    TYPE,
    algorithm,
    answered,
    cell_set,
    chosen,
    opened,
    settled,
    until,
    uploaded,
    visit,
)
from tests.folders import SAMPLES_FOLDER


def link(page: Page) -> dict[str, list[str]]:
    """The choices that the address holds, but for the node selected."""
    return {key: texts for key, texts in parse_qs(urlsplit(page.url).query).items() if key != "node"}


def pressed(page: Page, *keys: str) -> None:
    """Press keys where no text has the focus."""
    page.evaluate("document.activeElement.blur()")
    for each in keys:
        page.keyboard.press(each)
    settled(page)


def typed(page: Page, label: str, text: str) -> None:
    box = page.get_by_role("spinbutton", name=label).first
    box.fill(text)
    box.press("Enter")
    settled(page)


def slid(page: Page, key: str) -> None:
    page.locator(".tv-root input[type=range]").focus()
    page.keyboard.press(key)
    page.wait_for_timeout(400)
    answered(page)


def kept(page: Page) -> None:
    page.get_by_role("button", name="⋯", exact=True).click()
    page.get_by_role("tab", name="Project").click()
    page.get_by_role("button", name="Keep", exact=True).click()
    settled(page)
    page.keyboard.press("Escape")
    settled(page)


def pruned_by_hand(page: Page) -> None:
    page.evaluate("decisionTreeViews.get('prune').change({ hand: [['collapse', 1]] })")
    answered(page)


def third_added(page: Page) -> None:
    visit(page, "Compare")
    page.get_by_role("button", name="Add a third tree").click()
    settled(page)


def opened_sample(page: Page) -> None:
    visit(page, "Data")
    page.locator(".st-key-open-golf button").click()
    settled(page)


STEPS = {
    "file": lambda page: uploaded(page, "iris.csv", SAMPLES_FOLDER.joinpath("iris.csv").read_bytes()),
    "role": lambda page: cell_set(page, 2, ROLE, "not used"),
    "type": lambda page: cell_set(page, 1, TYPE, "categorical"),
    "algorithm": lambda page: (visit(page, "Grow"), algorithm(page, "C4.5")),
    "depth": lambda page: typed(page, "Max. depth", "4"),
    "size": lambda page: (visit(page, "Prune"), slid(page, "End")),
    "full size": lambda page: slid(page, "Home"),
    "by hand": pruned_by_hand,
    "kept": kept,
    "risk": lambda page: chosen(page, "Risk R(t) of a node", "Misclassification"),
    "third": third_added,
    "filter": lambda page: (visit(page, "Rules"), typed(page, "Rows, at least", "7")),
    "table": opened_sample,
    "target": lambda page: chosen(page, "Target", "humidity"),
}


@pytest.mark.journey
def test_all_steps_are_undone_and_redone_in_order(page: Page, address: str) -> None:
    opened(page, address, "?data=titanic")
    links = [link(page)]
    for step in STEPS.values():
        step(page)
        until(page, lambda: link(page) != links[-1])
        links.append(link(page))
    n_steps = len(links) - 1
    for keys, stages in (("Control+z", links[-2::-1]), ("Control+y", links[1:]), ("Control+z", links[-2::-1])):
        for expected in stages:
            pressed(page, keys)
            until(page, lambda expected=expected: link(page) == expected)  # type: ignore[misc]
    pressed(page, "Control+z")
    said, below = page.get_by_text("There is nothing to undo."), page.locator(".st-key-summary, .st-key-page").first
    expect(said).to_be_visible()
    place, title = said.bounding_box(), below.bounding_box()
    assert place is not None
    assert title is not None
    assert place["y"] + place["height"] <= title["y"], "over the bar, beside all that it is about"
    pressed(page, *["Control+Shift+z"] * n_steps)
    until(page, lambda: link(page) == links[-1])


def test_a_text_keeps_the_undo_of_the_browser_and_a_closed_list_does_not(page: Page, address: str) -> None:
    opened(page, address, "grow?data=iris&recipe=CART")
    algorithm(page, "C4.5")
    box = page.get_by_role("spinbutton", name="Max. depth")
    box.click()
    box.press_sequentially("12")
    box.press("Control+z")
    settled(page)
    assert link(page)["recipe"] == ["C4.5"]
    assert box.input_value() != "12"
    visit(page, "Data")
    chosen(page, "Target", "petalwidth")
    page.keyboard.press("Control+z")
    settled(page)
    assert "target" not in link(page)


def test_back_and_undo_agree(page: Page, address: str) -> None:
    opened(page, address, "grow?data=iris")
    before = link(page)
    algorithm(page, "CART")
    after = link(page)
    pressed(page, "Control+z")
    until(page, lambda: link(page) == before)
    page.go_back()
    until(page, lambda: link(page) == after)
    settled(page)
    pressed(page, "Control+z")
    until(page, lambda: link(page) == before)


@pytest.mark.parametrize("page", ["light", "dark"], indirect=True)
def test_the_menu_says_what_would_be_undone(page: Page, address: str) -> None:
    opened(page, address, "grow?data=iris")
    algorithm(page, "CART")
    page.get_by_role("button", name="⋯", exact=True).click()
    page.get_by_role("button", name="Undo last change").hover()
    expect(page.get_by_role("tooltip")).to_contain_text("Algorithm CART → ID3")
    page.get_by_role("button", name="Undo last change").click()
    expect(page.get_by_text("Undone: Algorithm CART → ID3.")).to_be_visible()
    expect(page.get_by_role("button", name="Redo")).to_be_visible()
