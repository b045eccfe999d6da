"""The tree view in a real browser: drag, release, click, keyboard, theme, other pages, reload, names that attack."""

import json
import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import (
    answered,
    awaited,
    leaves_shown,
    opened,
    settled,
    tab_opened,
    uploaded,
    view_value,
    visit,
)
from tests.oracles.examples import slow

TITANIC = "prune?data=titanic&recipe=CART"


def click_node(page: Page, name: str, node: int) -> None:
    page.locator(".tv-canvas").first.scroll_into_view_if_needed()
    page.wait_for_timeout(300)
    place = view_value(page, name, f"view.nodeCentre({node})")
    page.mouse.click(place["x"], place["y"])
    answered(page)


def drag_alpha(page: Page, share: float) -> list[int]:
    """Drag the slider to a share of its length by mouse; the positions that the view went through."""
    slider = page.locator(".tv-root input[type=range]")
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    middle = box["y"] + box["height"] / 2
    start = view_value(page, "prune", "view.position() / Math.max(view.sequence.size - 1, 1)")
    page.mouse.move(box["x"] + 10 + start * (box["width"] - 20), middle)
    page.mouse.down()
    seen = []
    for step in range(1, 31):
        page.mouse.move(box["x"] + 10 + (start + (share - start) * step / 30) * (box["width"] - 20), middle)
        page.wait_for_timeout(20)
        seen.append(view_value(page, "prune", "view.position()"))
    page.mouse.up()
    return seen


@pytest.mark.journey
def test_dragging_moves_the_tree_at_once_and_sends_nothing_until_released(page: Page, address: str) -> None:
    opened(page, address, TITANIC)
    sent = frames_of(page)
    before = view_value(page, "prune", "view.leafCount()")
    sent.clear()
    slider = page.locator(".tv-root input[type=range]")
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    page.mouse.move(box["x"] + 10, box["y"] + box["height"] / 2)
    page.mouse.down()
    leaves = []
    for step in range(1, 21):
        page.mouse.move(box["x"] + 10 + step * (box["width"] - 20) / 20, box["y"] + box["height"] / 2)
        page.wait_for_timeout(30)
        leaves.append(view_value(page, "prune", "view.leafCount()"))
        told = page.locator(".st-key-summary em").get_attribute("data-moved") or ""
        size, score = told.split(" · ")
        assert re.match(rf"{leaves[-1]} lea(f|ves)$", size), "the line above the tree keeps up"
        assert score == page.locator(".tv-note").inner_text()
    assert sent == []
    assert leaves == sorted(leaves, reverse=True)
    assert len(set(leaves)) > 8
    page.mouse.up()
    answered(page)
    assert before > leaves[-1] == 1 == leaves_shown(page)
    expect(page.locator(".st-key-summary em[data-moved]")).to_have_count(0)
    assert "alpha=" in page.url
    assert len(sent) >= 1


def test_pruned_branches_stay_while_alpha_is_dragged_and_the_kept_tree_is_laid_out_when_it_is_released(
    page: Page, address: str
) -> None:
    opened(page, address, TITANIC)
    shown = "view.stage.scene.layout.count"
    whole = view_value(page, "prune", "view.tree.n")
    assert view_value(page, "prune", shown) == whole
    slider = page.locator(".tv-root input[type=range]")
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 10, middle)
    page.mouse.down()
    page.mouse.move(box["x"] + 0.7 * box["width"], middle, steps=10)
    page.wait_for_timeout(100)
    assert view_value(page, "prune", "view.leafCount()") < 60
    assert view_value(page, "prune", shown) == whole
    page.mouse.up()
    answered(page)
    leaves = view_value(page, "prune", "view.leafCount()")
    assert view_value(page, "prune", shown) == 2 * leaves - 1  # CART splits in two
    page.get_by_role("button", name="Show pruned branches").click()
    assert view_value(page, "prune", shown) == whole
    page.get_by_role("button", name=re.compile("Best")).click()
    answered(page)
    assert view_value(page, "prune", shown) == whole
    page.get_by_role("button", name="Show pruned branches").click()
    assert view_value(page, "prune", shown) == 2 * view_value(page, "prune", "view.leafCount()") - 1


def test_the_tools_fit_one_row_and_graphviz_says_why_it_draws_no_large_tree(page: Page, address: str) -> None:
    opened(page, address, TITANIC)
    assert view_value(page, "prune", "view.stage.host.clientWidth") >= 640
    assert page.locator(".tv-toolbar").bounding_box()["height"] <= 40
    graphviz = page.locator('.tv-tool[data-mode="graphviz"]')
    expect(graphviz).to_have_attribute("aria-disabled", "true")
    graphviz.click(force=True)
    expect(page.locator(".tv-notice")).to_have_text(re.compile(r"Graphviz draws up to 200 nodes; this tree has \d+\."))
    page.get_by_role("button", name=re.compile("Best")).click()
    answered(page)
    expect(graphviz).to_have_attribute("aria-disabled", "false")
    graphviz.click()
    expect(page.locator(".tv-frame")).to_be_hidden()
    nodes = page.locator(".st-key-graphviz svg .node")
    expect(nodes).to_have_count(2 * view_value(page, "prune", "view.leafCount()") - 1)
    page.get_by_role("button", name="Top-down").click()
    expect(page.locator(".tv-frame")).to_be_visible()
    assert view_value(page, "prune", "view.stage.scene.frame.width") > 600


def test_graphviz_is_no_layout_where_the_page_does_not_draw_it(page: Page, address: str) -> None:
    opened(page, address, "prune?pruning=methods&method=pessimistic")
    expect(page.locator('.tv-tool[data-mode="icicle"]')).to_be_visible()
    expect(page.locator('.tv-tool[data-mode="graphviz"]')).to_be_hidden()


def test_enter_folds_a_node_and_says_how_many_it_hides_but_never_the_whole_tree(page: Page, address: str) -> None:
    opened(page, address, "grow?recipe=CART")
    page.get_by_role("tree").first.focus()
    page.keyboard.press("Home")
    page.keyboard.press("Enter")
    expect(page.locator(".tv-notice")).to_contain_text("The root stays open")
    whole = view_value(page, "grow", "view.stage.scene.layout.count")
    assert whole == view_value(page, "grow", "view.tree.n")
    node = view_value(page, "grow", "[...view.tree.feature].findIndex((feature, t) => t > 0 && feature >= 0)")
    page.evaluate(f"decisionTreeViews.get('grow').stage.choose({node})")
    answered(page)
    page.get_by_role("tree").first.focus()
    page.keyboard.press("Enter")
    hidden = whole - view_value(page, "grow", "view.stage.scene.layout.count")
    assert hidden > 0
    expect(page.locator(".tv-notice")).to_have_text(f"+{hidden} nodes hidden; Enter shows them.")


def frames_of(page: Page) -> list[int]:
    """The sizes of the websocket frames from now on, either way (small ones only keep the line open)."""
    sizes: list[int] = []
    client = page.context.new_cdp_session(page)
    client.send("Network.enable")
    for event in ("Network.webSocketFrameReceived", "Network.webSocketFrameSent"):
        client.on(event, lambda event: sizes.append(len(event["response"]["payloadData"])))
    return sizes


def test_a_click_on_a_node_sends_little_and_reaches_every_page(page: Page, address: str) -> None:
    opened(page, address, "prune?data=titanic&recipe=CART&max_depth=3")
    sent = frames_of(page)
    click_node(page, "prune", 4)
    assert "node=4" in page.url
    assert 0 < sum(sent) < 20_000 * 4 / 3  # frames come in base64
    expect(page.locator(".tv-rule")).to_contain_text("and")
    visit(page, "Grow")
    assert view_value(page, "grow", "view.state.selected") == 4
    expect(page.get_by_role("heading", name=re.compile(r"^Node 4\b"))).to_be_visible()
    visit(page, "Compare")  # it opens at its own first difference, and the node stays that of the others
    visit(page, "Prune")
    assert view_value(page, "prune", "view.state.selected") == 4


def test_alpha_selection_and_zoom_outlive_theme_and_pages_and_a_reload(page: Page, address: str) -> None:
    opened(page, address, TITANIC)
    click_node(page, "prune", 1)
    drag_alpha(page, 0.5)
    answered(page)
    page.get_by_role("button", name=re.compile("zoom in", re.IGNORECASE)).click()
    page.wait_for_timeout(300)
    expression = "[view.state.selected, view.position(), JSON.stringify(view.stage.scene.camera)]"
    before = view_value(page, "prune", expression)
    assert before[1] > 5
    page.emulate_media(color_scheme="dark")
    settled(page)
    assert view_value(page, "prune", expression) == before
    assert view_value(page, "prune", "view.stage.scene.theme.dark") is True
    visit(page, "Data")
    visit(page, "Prune")
    assert view_value(page, "prune", expression) == before
    page.reload()
    page.wait_for_selector("h1", state="attached")
    settled(page)
    assert view_value(page, "prune", "[view.state.selected, view.position()]") == before[:2]


def test_the_keyboard_alone_walks_the_tree_and_moves_alpha(page: Page, address: str) -> None:
    opened(page, address, "prune?recipe=CART")
    tree = page.get_by_role("tree").first
    tree.focus()
    page.keyboard.press("ArrowDown")
    answered(page)
    assert view_value(page, "prune", "view.state.selected") == 1
    item = page.locator("[role=treeitem]").first
    assert re.search(r"rows", item.get_attribute("aria-label"))
    page.keyboard.press("ArrowRight")
    answered(page)
    assert view_value(page, "prune", "view.state.selected") == 2
    slider = page.locator(".tv-root input[type=range]")
    slider.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_timeout(400)
    answered(page)
    assert view_value(page, "prune", "view.leafCount()") == 3
    assert "3 leaves" in slider.get_attribute("aria-valuetext")
    page.keyboard.press("End")
    page.wait_for_timeout(400)
    answered(page)
    assert view_value(page, "prune", "view.leafCount()") == 1


def test_a_size_or_an_alpha_can_be_typed(page: Page, address: str) -> None:
    opened(page, address, "prune?recipe=CART&alpha=0.06")
    for typed, leaves in {"3 leaves": 3, "1": 1, "0.06": 3, "α 0.2": 1, "full": 7, "root": 1}.items():
        field = page.get_by_label("Go to")
        field.fill(typed)
        field.press("Enter")
        answered(page)
        assert view_value(page, "prune", "view.leafCount()") == leaves, typed
        if typed != "full":
            assert "alpha=" in page.url, typed


def test_pruning_by_hand_moves_the_score_and_can_be_undone(page: Page, address: str) -> None:
    opened(page, address, "prune?data=titanic&recipe=CART&max_depth=3")
    whole = view_value(page, "prune", "view.leafCount()")
    page.get_by_role("button", name="Manual pruning").click()
    click_node(page, "prune", 2)
    assert "hand=-2" in page.url
    assert view_value(page, "prune", "view.leafCount()") < whole
    tab_opened(page, "Why this size")
    told = page.locator(".st-key-inspector").get_by_role("tabpanel")
    expect(told).to_contain_text("by hand")
    shown = page.locator(".tv-root").get_by_text(re.compile(r"By hand: 1 change")).inner_text().replace("\u00a0", " ")
    assert re.search(r"validation ([\d.]+ %)", shown)[1] in told.inner_text().replace("\u00a0", " ")
    page.get_by_role("button", name="Undo").click()
    answered(page)
    assert view_value(page, "prune", "view.leafCount()") == whole
    assert "hand=" not in page.url


def test_cross_validation_is_drawn_and_survives_a_page_switch(page: Page, address: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    opened(page, address, "prune?data=iris&recipe=CART")
    expect(page.get_by_role("button", name="Cross-validate")).to_be_in_viewport(ratio=1)
    page.get_by_role("button", name="Cross-validate").click()
    visit(page, "Data")
    visit(page, "Prune")
    awaited(page, "globalThis.decisionTreeViews?.get('prune')?.sequence?.mean")
    page.get_by_role("tab", name="Why this size").click()
    expect(page.get_by_text("10-fold cross-validation").first).to_be_visible()
    page.get_by_role("button", name=re.compile("1-SE")).click()
    answered(page)
    few, best = view_value(
        page, "prune", "[view.sequence.leaves[view.position()], view.sequence.leaves[view.sequence.best]]"
    )
    assert few <= best


ATTACKS = ['"><img src=x onerror=alert(1)>', "a\\n\\l{}|<b>", "長い名前" * 80, "two\nlines", "🌧️ wet $x$ **b**"]


@pytest.mark.parametrize("page", ["light", slow("dark")], indirect=True)
def test_names_from_a_file_never_run_and_break_nothing(page: Page, address: str) -> None:
    alarms: list[str] = []
    page.on("dialog", lambda dialog: (alarms.append(dialog.message), dialog.dismiss()))
    page.on("pageerror", lambda error: alarms.append(str(error)))
    rows = [
        {name: f"{'<script>alert(2)</script>' * (i % 2)}{'v' * 1000}{(i >> k) % 2}" for k, name in enumerate(ATTACKS)}
        for i in range(64)
    ]
    for i, row in enumerate(rows):
        row["<b>y</b>"] = "<i>yes</i>" if (i % 2) ^ (i >> 1) % 2 else "no"
    quoted = [
        '"' + text.replace('"', '""') + '"'
        for row in [dict.fromkeys(rows[0]), *rows]
        for text in ([*row] if None in row.values() else row.values())
    ]
    width = len(rows[0])
    table = "\n".join(",".join(quoted[i : i + width]) for i in range(0, len(quoted), width))
    opened(page, address)
    uploaded(page, "attack.csv", table.encode())
    for title, name in [("Grow", "grow"), ("Prune", "prune"), ("Compare", "right")]:
        visit(page, title)
        assert view_value(page, name, "view.tree.n") > 1
        page.wait_for_timeout(300)
    visit(page, "Grow")
    place = view_value(page, "grow", "view.nodeCentre(0)")
    page.mouse.move(place["x"], place["y"])
    page.wait_for_timeout(300)
    assert page.locator(".tv-root img, .tv-root script, .tv-root b b").count() == 0
    assert alarms == []
    assert json.dumps(view_value(page, "grow", "view.tree.features.map((f) => f.name)"))
