"""A lecture given with the keys alone: the growing of a textbook tree is stepped through, guessed, and played."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import answered, awaited, opened, settled, until, view_value, visit

TENNIS = "grow?data=play_tennis&recipe=ID3"
GAINS = {"Outlook": "0.247", "Humidity": "0.152", "Wind": "0.048", "Temperature": "0.029"}
"""The gains of the root (Mitchell 1997, section 3.4.2: 0.246, 0.151, 0.048, 0.029, cut off instead of rounded)."""
FOCUSED = """() => {
  let found = document.activeElement;
  while (found?.shadowRoot?.activeElement) found = found.shadowRoot.activeElement;
  return [found?.getAttribute("aria-label"), found?.innerText?.trim()];
}"""
ROOM = [(1280, 720), (1400, 900)]


def pressed(page: Page, key: str) -> None:
    """Press a key and wait for what follows from it."""
    page.keyboard.press(key)
    page.wait_for_timeout(500)
    answered(page)


def tabbed_to(page: Page, name: str) -> None:
    """Press the tab key until the focus is at the control of that name."""
    for _ in range(80):
        if name in page.evaluate(FOCUSED):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{name} was not reached by the tab key")


def presented(page: Page, address: str, path: str = TENNIS) -> None:
    """Open a page and switch to the presenter mode."""
    opened(page, address, path)
    view_value(page, "grow", "view.leafCount()")
    pressed(page, "p")
    page.wait_for_url(re.compile("presenter=yes"))
    settled(page)


def shown(page: Page) -> list[int]:
    """The step, the nodes on the stage, and the node chosen."""
    found: list[int] = view_value(page, "grow", "[view.position(), view.stage.scene.layout.count, view.state.selected]")
    return found


def candidates(page: Page) -> dict[str | None, str]:
    """Feature and gain of the table in the inspector, to three digits."""
    rows = page.locator(".st-key-candidates tbody tr")
    found = {}
    for row in [row.locator("td").all_text_contents() for row in rows.all()]:
        feature = next((cell for cell in row if cell in GAINS), None)
        gain = next((cell for cell in row if re.fullmatch(r"-?\d\.\d+", cell)), "nan")
        found[feature] = f"{float(gain):.3f}"
    return found


@pytest.mark.parametrize(("width", "height"), ROOM)
def test_p_leaves_the_tree_and_its_inspector_alone_and_p_brings_the_rest_back(
    page: Page, address: str, width: int, height: int
) -> None:
    page.set_viewport_size({"width": width, "height": height})
    opened(page, address, TENNIS)
    bar, rail = page.get_by_test_id("stHeader"), page.get_by_test_id("stSidebar")
    expect(rail).to_be_visible()
    plain, height = size_of_type(page), table_height(page)
    presented(page, address)
    expect(rail).to_be_hidden()
    assert bar.evaluate("(bar) => bar.getBoundingClientRect().height") <= 30, "the pages stay, in a thin line"
    cells = page.locator(".numbers td, .class-bar div")
    assert cells.evaluate_all("(all) => all.every((cell) => parseFloat(getComputedStyle(cell).fontSize) >= 19)")
    for name in ("Prune", "Grow"):
        visit(page, name)
        expect(rail).to_be_hidden()
    assert all(now >= 1.49 * before for now, before in zip(size_of_type(page), plain, strict=True))
    strip = page.locator(".tv-strip")
    assert strip.evaluate("(strip) => strip.scrollWidth <= strip.clientWidth")
    note = page.locator(".tv-note")
    assert note.evaluate("(note) => note.scrollHeight <= note.clientHeight + 1"), "the sentence is whole"
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollHeight <= innerHeight + 1")
    pressed(page, "P")
    awaited(page, "!location.search.includes('presenter')")
    settled(page)
    expect(rail).to_be_visible()
    assert size_of_type(page) == plain
    assert table_height(page) == height, "its canvas takes the letters of the page as they are again"


def test_p_just_after_the_choice_of_a_node_has_the_whole_page_presented(page: Page, address: str) -> None:
    opened(page, address, TENNIS)
    view_value(page, "grow", "view.leafCount()")
    p = "document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'p', bubbles: true, cancelable: true }))"
    view_value(page, "grow", f"(view.change({{ selected: 1 }}), {p})")  # in one turn of the browser
    page.wait_for_url(re.compile("presenter=yes"))
    settled(page)
    expect(page.get_by_test_id("stSidebar")).to_be_hidden()
    expect(page.locator("h1.unseen")).to_have_css("position", "absolute")
    toast = page.get_by_test_id("stToast")
    expect(toast).to_contain_text("Escape")
    place, window = toast.bounding_box(), page.viewport_size
    assert place is not None
    assert window is not None
    assert place["y"] + place["height"] == pytest.approx(window["height"], abs=8), "over neither bar nor summary"
    assert place["height"] < 40, "nor over the node's title"
    assert view_value(page, "grow", "view.state.selected") == 1


def test_a_step_tells_a_screen_reader_the_split_that_it_makes(page: Page, address: str) -> None:
    opened(page, address, TENNIS)
    page.get_by_role("button", name="Only the root").click()
    answered(page)
    item = page.get_by_role("treeitem").first
    for feature in ("Outlook", "Humidity", "Wind"):
        page.get_by_role("button", name="One step forward").click()
        answered(page)
        expect(item).to_have_attribute("aria-label", re.compile(f"^splits on {feature}"))


def table_height(page: Page) -> float:
    """Pixels of the table of candidates, whose rows are as high as its letters ask for."""
    table = page.locator(".st-key-candidates").get_by_test_id("stDataFrame")
    return float(table.evaluate("(table) => table.getBoundingClientRect().height"))


def test_sentences_are_whole_in_presenter_mode(page: Page, address: str) -> None:
    opened(page, address, "grow?data=titanic&recipe=CART&presenter=yes")
    page.mouse.click(900, 60)  # beside all that takes the focus
    pressed(page, "Home")
    frame = "getComputedStyle(document.querySelector('[data-testid=stMain]'), '::before').boxShadow"
    assert page.evaluate(frame) == "none"
    pressed(page, "ArrowRight")
    note, sides = page.locator(".tv-note"), page.locator(".st-key-sides p")
    expect(note).to_contain_text("wins with")
    assert note.evaluate("(note) => note.scrollHeight <= note.clientHeight + 1")
    opened(page, address, "compare?data=titanic&presenter=yes")
    expect(sides.filter(has_text="leaves")).to_have_count(2)
    assert sides.evaluate_all("(texts) => texts.every((text) => text.scrollWidth <= text.clientWidth)")
    page.get_by_role("radio", name="Shortest tree").click(force=True)
    page.wait_for_url(re.compile("comparison=shortest"))


def size_of_type(page: Page) -> list[float]:
    """Pixels of the letters of summary, sentence and inspector."""
    places = (".st-key-summary p", ".tv-note", ".st-key-inspector p")
    size = "(element) => parseFloat(getComputedStyle(element).fontSize)"
    return [page.locator(place).first.evaluate(size) for place in places]


def test_the_arrows_step_through_the_growing_with_the_numbers_of_the_book(page: Page, address: str) -> None:
    presented(page, address)
    sentence, inspector = page.locator(".tv-note"), page.locator(".st-key-inspector")
    pressed(page, "Home")
    assert shown(page) == [0, 1, 0]
    expect(sentence).to_contain_text("14 rows")
    expect(inspector).to_contain_text("entropy 0.940")
    pressed(page, "ArrowRight")
    assert shown(page) == [1, 4, 0]
    for feature, gain in GAINS.items():
        expect(sentence).to_contain_text(re.compile(rf"{feature}\D*{gain}"))
    expect(inspector.get_by_role("heading", name="Node 0 · all rows")).to_be_visible()
    until(page, lambda: candidates(page) == GAINS)
    pressed(page, "ArrowRight")
    assert shown(page) == [2, 6, 1]
    expect(sentence).to_contain_text(
        re.compile(r"Outlook = Sunny, 5 rows, entropy 0\.971.*Humidity wins with gain 0\.971")
    )
    expect(inspector.get_by_role("heading", name="Node 1 · Outlook = Sunny")).to_be_visible()
    until(page, lambda: candidates(page) == {"Humidity": "0.971", "Temperature": "0.571", "Wind": "0.020"})
    pressed(page, "ArrowRight")
    assert shown(page) == [3, 8, 3]
    expect(sentence).to_contain_text(re.compile(r"Outlook = Rain, 5 rows, entropy 0\.971.*Wind wins with gain 0\.971"))
    until(page, lambda: candidates(page) == {"Wind": "0.971", "Temperature": "0.020", "Humidity": "0.020"})
    pressed(page, "ArrowLeft")
    assert shown(page) == [2, 6, 1]
    assert "step=2" in page.url


def test_space_plays_and_pauses_and_end_goes_to_the_end(page: Page, address: str) -> None:
    presented(page, address)
    pressed(page, "Home")
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    awaited(page, "decisionTreeViews.get('grow').position() >= 1")
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Play the sequence")).to_be_visible()
    answered(page)
    paused = shown(page)
    page.wait_for_timeout(2500)
    assert shown(page) == paused
    pressed(page, "End")
    assert shown(page)[:2] == [3, 8]


def test_a_split_is_guessed_with_the_keys(page: Page, address: str) -> None:
    presented(page, address)
    tabbed_to(page, "Ask me first")
    pressed(page, "Enter")
    assert shown(page) == [1, 1, 0]
    expect(page.locator(".tv-note")).to_have_text("Which feature splits node 0?")
    place, slider = page.locator(".tv-place"), page.locator(".tv-range")
    expect(place).to_have_text("Asked: step 1 of 3")
    expect(slider).to_have_value("1")
    expect(page.locator(".st-key-candidates")).to_have_count(0)
    pressed(page, "1")
    expect(place).to_have_text("Growing: step 1 of 3")
    expect(page.get_by_test_id("stAlert")).to_contain_text("Right: Outlook wins with gain 0.247.")
    assert shown(page) == [1, 4, 0]
    tabbed_to(page, "Next step")
    pressed(page, "Enter")
    tabbed_to(page, "3 Wind")
    pressed(page, "Enter")
    expect(page.get_by_test_id("stAlert")).to_contain_text("No: Humidity wins with gain 0.971; Wind has 0.02.")
    expect(page.get_by_text("1 of 2 right")).to_be_visible()


def test_at_the_desk_and_on_a_telephone_an_answer_is_followed_by_the_next_step(page: Page, address: str) -> None:
    opened(page, address, TENNIS)
    tabbed_to(page, "Ask me first")
    pressed(page, "Enter")
    pressed(page, "2")  # the focus is still at the button
    expect(page.get_by_test_id("stAlert")).to_contain_text("No: Outlook wins with gain 0.247; Temperature has 0.0292.")
    note = page.locator(".tv-note")
    expect(note).to_contain_text("Temperature 0.029")
    assert note.evaluate("(note) => note.scrollHeight <= note.clientHeight + 1"), "the sentence is whole"
    pressed(page, "f")
    assert page.evaluate("document.fullscreenElement !== null")
    assert page.evaluate(FOCUSED)[0] == page.get_by_role("tree").first.get_attribute("aria-label")
    pressed(page, "ArrowRight")  # on the tree, the next step too, as the verdict says
    assert shown(page)[0] == 2
    pressed(page, "f")
    assert page.evaluate("document.fullscreenElement === null")
    expect(page.get_by_text("Which feature splits node 1?").first).to_be_visible()
    page.set_viewport_size({"width": 390, "height": 844})
    settled(page)
    answer = page.locator(".tv-answer")
    for name, rows in {"Temperature": "2", "Humidity": "3", "Wind": "2"}.items():  # No if Sunny and Hot, High, Weak
        card = answer.filter(has_text=name)
        expect(card).to_be_in_viewport(ratio=0.9)
        expect(card.locator(".tv-branch-bar span").first).to_have_text(rows)
    expect(page.locator(".st-key-question")).to_be_hidden()
    answer.filter(has_text="Humidity").click()
    answered(page)
    expect(page.locator(".tv-verdict")).to_have_text("Right: Humidity wins with gain 0.971.")
    following = page.locator(".tv-next")
    expect(following).to_be_in_viewport(ratio=0.9)
    following.click()
    answered(page)
    assert shown(page)[0] == 3


@pytest.mark.parametrize("path", [TENNIS, f"{TENNIS}&presenter=yes"], ids=["at the desk", "presented"])
def test_arrows_on_the_tree_move_between_nodes(page: Page, address: str, path: str) -> None:
    opened(page, address, path)
    page.get_by_role("tree").first.focus()
    keys = [("ArrowDown", 1), ("ArrowUp", 0)]
    if "presenter" not in path:  # there, left and right are the remote control's
        keys = [("ArrowDown", 1), ("ArrowRight", 2), ("ArrowLeft", 1)]
    for key, node in keys:
        pressed(page, key)
        assert shown(page)[2] == node


def test_the_inspector_is_read_from_the_last_row_and_its_table_is_in_view(page: Page, address: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    presented(page, address, "grow?data=titanic&recipe=CART")
    text = page.locator(".st-key-inspector .st-key-node_head p, .st-key-inspector p").first
    size = "(element) => parseFloat(getComputedStyle(element).fontSize)"
    letters = page.locator(".st-key-inspector [role=tab] p").evaluate_all(f"(tabs) => tabs.map({size})")
    assert len(letters) == 6
    assert min(letters) >= 0.9 * text.evaluate(size), "names of tabs grow as all else does"
    for tab in page.locator(".st-key-inspector [role=tab]").all():
        box = tab.bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= 1280
    second = page.locator(".st-key-candidates tbody tr").nth(1).bounding_box()
    assert second is not None
    assert second["y"] + second["height"] <= 720, "the best two candidates can be compared"
    share = page.get_by_role("button", name="Share")
    expect(share.get_by_text("Share")).to_be_visible()
    places = [box for box in (share.bounding_box(), page.locator("#MainMenu button").bounding_box()) if box]
    assert len(places) == 2
    assert places[1]["x"] + places[1]["width"] <= places[0]["x"], "nothing covers it"
