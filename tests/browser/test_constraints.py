"""Constraints in a real browser: a custom split, a leaf, a forbidden feature, and undoing them."""

from playwright.sync_api import Page, expect

from tests.browser.steps import awaited, chosen, opened, settled, tab_opened, view_value

LEAVES = "view.leafCount()"
ROOT = "view.tree.testText(0)"


def becomes(page: Page, expression: str, expected: object) -> None:
    """Wait until the tree on the page is another one: growing may take a moment on a busy machine."""
    found = f"const view = globalThis.decisionTreeViews?.get('grow'); return view?.tree && {expression} === expected;"
    script = f"(expected) => {{ {found} }}"
    awaited(page, script, arg=expected)
    settled(page)


def pressed(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()
    settled(page)


def test_force_lock_forbid_and_undo(page: Page, address: str) -> None:
    opened(page, address, "grow?data=play_tennis")
    becomes(page, ROOT, "Outlook")
    tab_opened(page, "Split")
    chosen(page, "Feature", "Wind")
    pressed(page, "Split here")
    becomes(page, ROOT, "Wind")
    assert view_value(page, "grow", "view.tree.isByHand(0)")
    pressed(page, "Make leaf")
    becomes(page, LEAVES, 1)
    expect(page.get_by_text("a later choice decides about this node")).to_be_visible()
    pressed(page, "Undo")
    becomes(page, ROOT, "Wind")
    chosen(page, "Feature", "Wind")
    pressed(page, "Exclude Wind from here down")
    becomes(page, ROOT, "Outlook")
    page.reload()
    settled(page)
    becomes(page, ROOT, "Outlook")
    assert page.url.count("choice=") == 2
    pressed(page, "Remove all")
    assert "choice=" not in page.url
    becomes(page, LEAVES, 5)


def test_a_subset_in_a_tree_of_each_value_is_worded_as_one(page: Page, address: str) -> None:
    opened(page, address, "grow?data=play_tennis")
    tab_opened(page, "Split")
    page.get_by_role("radio", name="Grouping", exact=True).click()
    settled(page)
    pressed(page, "Split here")
    becomes(page, ROOT, "Outlook = Sunny")
    assert view_value(page, "grow", "view.tree.testText(1)") == "Humidity"


def test_the_numbers_follow_the_slider_and_the_tree_waits(page: Page, address: str) -> None:
    opened(page, address, "grow?data=iris&recipe=CART")
    tab_opened(page, "Split")
    page.get_by_role("radio", name="Threshold", exact=True).click()
    settled(page)
    slider, typed = page.get_by_role("slider", name="Threshold"), page.get_by_role("spinbutton", name="Value")
    asked, before = view_value(page, "grow", ROOT), typed.input_value()
    slider.focus()
    page.keyboard.press("ArrowRight")
    expect(typed).not_to_have_value(before)
    settled(page)
    assert float(typed.input_value()) > float(before)
    expect(page.get_by_text(f"yours: ≤ {float(typed.input_value()):g}")).to_be_visible()
    assert view_value(page, "grow", ROOT) == asked
