"""The strip below the tree and the parts elsewhere on the page, in a real browser but without the app."""

import re

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import Page, expect

import explorer as ex
from explorer.drawing.tree_view.payload import growth_payload, signature, step_sequence_payload, tree_payload
from tests.browser.bare_view import BareView
from tests.oracles.golden_walk import dataset_of

TENNIS = ex.grow(dataset_of("play_tennis"), ex.CART.replace(categorical="one_vs_rest"))
DEPTH_FIRST = [0, 1, 3, 6, 4, 8]
TREE = tree_payload(TENNIS)
CAPTIONS = ["Short.", f"A caption that goes on{' and on' * 60}.", "The end."]


def alpha_view(page: Page) -> BareView:
    return BareView(page, [TREE, ex.to_slider(ex.cost_complexity_path(TENNIS), dataset_of("play_tennis"))])


def growing_view(page: Page) -> BareView:
    return BareView(page, [TREE, growth_payload(TENNIS, signature(TREE), DEPTH_FIRST)])


@pytest.mark.journey
def test_the_strip_is_thin_and_never_changes_its_height(page: Page) -> None:
    steps = step_sequence_payload(TENNIS, signature(TREE), np.where(TENNIS.feature >= 0, 1, 0), CAPTIONS, [-1, 0, 0])
    strip = page.locator(".tv-strip")
    for view in (alpha_view, growing_view, lambda page: BareView(page, [TREE, steps])):
        bare = view(page)
        heights = set()
        for position in range(3):
            for hand in ([], [["collapse", 1]]):
                bare.mount({"position": position, "hand": hand})
                heights.add(strip.evaluate("(strip) => strip.getBoundingClientRect().height"))
        assert len(heights) == 1
        assert heights.pop() <= 64
        assert strip.evaluate("(strip) => strip.scrollWidth <= strip.clientWidth")
    assert page.locator(".tv-readout").get_attribute("title").count("and on") == 0
    bare.mount({"position": 1})
    assert page.locator(".tv-readout").get_attribute("title").count("and on") == 60


def test_a_narrow_strip_wraps_within_its_width(page: Page) -> None:
    page.set_viewport_size({"width": 360, "height": 900})
    bare = alpha_view(page)
    page.evaluate("document.getElementById('side').remove(); document.getElementById('stage').style.width = '320px'")
    bare.mount({})
    assert page.locator(".tv-strip").evaluate("(strip) => strip.scrollWidth <= strip.clientWidth")
    for width in (320, 520, 900):
        page.evaluate(f"document.getElementById('stage').style.width = '{width}px'")
        for position in range(3):
            bare.mount({"position": position})
            assert page.locator(".tv-note").evaluate("(note) => note.scrollHeight <= note.clientHeight"), "whole"
    page.evaluate("document.getElementById('stage').style.width = '320px'")
    slider = page.get_by_role("slider").bounding_box()
    assert slider is not None
    assert slider["width"] > 300


@pytest.mark.parametrize("is_part_first", [True, False])
def test_a_part_is_driven_wherever_it_stands_and_whoever_comes_first(page: Page, is_part_first: bool) -> None:
    bare = alpha_view(page)
    side = page.locator("#side")
    if is_part_first:
        bare.mount_part("scores")
        bare.mount({})
    else:
        bare.mount({})
        assert page.locator(".tv-curve").count() == 0
        bare.mount_part("scores")
    expect(side.locator(".tv-curve-now")).to_contain_text("7 leaves: training accuracy 100 %")
    box = side.locator(".tv-curve-box canvas").first.bounding_box()
    assert box is not None
    assert 360 <= box["width"] <= 380
    assert 260 <= box["height"] <= 320
    page.mouse.click(box["x"] + box["width"] - 30, box["y"] + 100)
    bare.frames()
    assert bare.value("view.position()") == 2
    assert bare.reports()[-1]["position"] == 2
    page.locator(".tv-strip").press("Home")
    bare.frames()
    expect(side.locator(".tv-curve-now")).to_contain_text("7 leaves")


def test_the_rows_of_a_split_travel_into_its_branches_and_delay_no_click(page: Page) -> None:
    bare = growing_view(page)
    bare.mount({"position": 0})
    strip, dots = page.locator(".tv-strip"), "view.stage.surface.rows.dots.length"
    strip.press(" ")
    page.wait_for_function("decisionTreeViews.get('tree').stage.surface.rows.dots.length === 14")
    strip.press(" ")
    assert bare.value(dots) == 14  # they stop with the timeline
    branch = bare.value("view.nodeCentre(1)")
    page.mouse.click(branch["x"], branch["y"])
    bare.frames()
    assert bare.reports()[-1]["selected"] == 1
    assert bare.value(dots) == 14
    strip.press("ArrowRight")
    bare.frames()
    assert bare.value(dots) == TENNIS.weight[DEPTH_FIRST[1]]
    page.wait_for_function("decisionTreeViews.get('tree').stage.surface.rows.dots.length === 0")
    page.emulate_media(reduced_motion="reduce")
    strip.press("ArrowRight")
    bare.frames()
    assert (bare.value("view.position()"), bare.value(dots)) == (3, 0)


def test_parts_come_and_go_with_their_places_and_views(page: Page) -> None:
    bare = alpha_view(page)
    bare.mount({"position": 1})
    for part in ("scores", "sequence", "weakest"):
        bare.mount_part(part)
    classes = [".tv-curve", ".tv-table", ".tv-link"]
    assert [page.locator(name).count() for name in classes] == [1, 1, 1]
    bare.unmount("sequence")
    assert [page.locator(name).count() for name in classes] == [1, 0, 1]
    bare.mount_part("sequence")
    expect(page.locator(".tv-row[aria-selected=true]")).to_contain_text("0.0571")
    bare.unmount("tree")
    assert [page.locator(name).count() for name in classes] == [0, 0, 0]
    bare.mount({"position": 2})
    assert [page.locator(name).count() for name in classes] == [1, 1, 1]
    expect(page.locator(".tv-link-next")).to_have_text("Only the root is left.")


def test_the_steps_of_growing_leave_the_places_of_pruning_empty(page: Page) -> None:
    bare = growing_view(page)
    bare.mount_part("scores")
    bare.mount({})
    assert page.locator(".tv-curve").count() == 0


def test_a_part_in_a_hidden_tab_is_drawn_when_the_tab_opens(page: Page) -> None:
    bare = alpha_view(page)
    page.evaluate("document.getElementById('side').style.display = 'none'")
    for part in ("scores", "sequence"):
        bare.mount_part(part)
    bare.mount({"position": 2})
    page.evaluate("document.getElementById('side').style.display = ''")
    bare.frames()
    page.wait_for_timeout(100)
    pixels = """(canvas) => new Set(new Uint32Array(
        canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.buffer)).size"""
    assert [page.locator(".tv-curve-box canvas").nth(k).evaluate(pixels) > 5 for k in (0, 1)] == [True, True]
    expect(page.locator(".tv-row[aria-selected=true]")).to_be_visible()


def test_a_step_of_growing_selects_the_node_that_it_splits_and_draws_no_node_below_the_others(page: Page) -> None:
    bare = growing_view(page)
    bare.mount({"selected": 0}, order="depth_first")
    assert bare.value("view.leafCount()") == 1
    page.locator(".tv-strip").focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(250)
    report = bare.reports()[-1]
    assert (report["position"], report["selected"]) == (3, DEPTH_FIRST[2])
    assert bare.value("[view.leafCount(), view.stage.scene.layout.count]") == [4, 7]
    assert bare.value("[view.stage.scene.selected, view.stage.scene.focusMark]") == [DEPTH_FIRST[2], -1]
    expect(page.locator(".tv-place")).to_have_text("Growing: step 3 of 6")
    expect(page.locator(".tv-note")).to_contain_text("Node 3 splits on Outlook")
    page.keyboard.press("End")
    page.wait_for_timeout(250)
    assert bare.value("view.leafCount()") == 7


def test_a_step_that_is_asked_for_is_shown_once_python_has_the_answer(page: Page) -> None:
    bare = growing_view(page)
    ask = {"on": True, "answered": [1]}
    bare.mount({"position": 2, "selected": 1}, ask=ask)
    expect(page.locator(".tv-note")).to_have_text("Which feature splits node 1?")
    assert bare.value("[view.leafCount(), view.stage.scene.focusMark]") == [2, 1]
    bare.mount(
        {"position": 2, "selected": 1}, ask={**ask, "answered": [1, 2]}, sentence="Node 1 splits.", sentence_of=2
    )
    assert bare.value("view.leafCount()") == 3
    expect(page.locator(".tv-note")).to_have_text("Node 1 splits.")


def test_in_full_screen_a_question_has_its_answers_and_a_digit_gives_one_of_them_once(page: Page) -> None:
    bare = growing_view(page)
    ask = {"on": True, "answered": [], "of": 1, "options": ["Outlook", "Wind"], "verdict": ""}
    ask["branches"] = [[["= Sunny", [3, 2]]], [["= Weak", [2, 6]], ["= Strong", [3, 3]]]]
    bare.mount({"position": 1, "selected": 0}, ask=ask)
    answer, on = page.get_by_role("button", name="2 Wind"), page.get_by_role("button", name="Next step")
    expect(answer).to_be_hidden()
    place = page.locator(".tv-place")
    expect(place).to_have_text(re.compile("Asked: step 1 of"))  # its split is not made before it is answered
    page.get_by_role("button", name="Full screen").click()
    expect(answer).to_be_visible()
    assert answer.locator(".tv-branch-bar span").all_inner_texts() == ["2", "6", "3", "3"]
    expect(on).to_be_hidden()
    assert bare.value("['3', '2', '2'].map((key) => view.answerKey(key))") == [False, True, False]
    report = bare.reports()[-1]
    assert report["commands"] == [[report["number"], "guess", "Wind"]]
    told = {"answered": [1], "options": [], "branches": [], "verdict": "No: Outlook wins."}
    bare.mount({"position": 1, "selected": 0}, echo=report["number"], ask=ask | told)
    expect(page.get_by_text("No: Outlook wins.")).to_be_visible()
    expect(place).to_have_text(re.compile("Growing: step 1 of"))
    on.hover()
    assert on.evaluate("(button) => getComputedStyle(button).color") == "rgb(255, 255, 255)"
    on.click()
    bare.frames()
    assert bare.value("view.position()") == 2
    expect(page.get_by_text("No: Outlook wins.")).to_be_hidden()


def test_playing_stops_at_the_first_step_that_is_not_answered(page: Page) -> None:
    bare = growing_view(page)
    bare.mount({"position": 0}, ask={"on": True, "answered": [1]})
    page.get_by_role("button", name="Play the sequence").click()
    page.wait_for_function("decisionTreeViews.get('tree').position() === 2")
    page.get_by_role("button", name="Play the sequence").wait_for()
    assert bare.value("view.position()") == 2
    assert {report["position"] for report in bare.reports()} >= {2}


def test_what_is_chosen_is_a_command_and_a_drag_before_it_is_settled_first(page: Page) -> None:
    bare = growing_view(page)
    bare.mount({"selected": 0}, order="depth_first", ask={"on": False, "answered": []})
    split = page.get_by_role("button", name="Split this node")
    expect(split).to_have_attribute("aria-disabled", "false")
    split.click()
    report = bare.reports()[-1]
    assert report["commands"] == [[report["number"], "split", 0]]
    page.get_by_role("button", name="Ask me first").click()
    page.get_by_role("combobox", name="Order of the splits").select_option("best_first")
    report = bare.reports()[-1]
    assert [command[1:] for command in report["commands"]] == [["split", 0], ["ask", True], ["order", "best_first"]]
    bare.mount(
        {"position": 0, "selected": 2}, echo=report["number"], order="best_first", ask={"on": True, "answered": []}
    )
    expect(split).to_have_attribute("aria-disabled", "true")  # a leaf of the full tree
    bare.value("view.panel.moveTo(2)")
    bare.frames()
    bare.reports()
    bare.value("view.command('ask', false)")
    settled, told = bare.reports()
    assert (settled["position"], settled["commands"]) == (2, [])
    assert [command[1:] for command in told["commands"]] == [["ask", False]]


def test_a_step_counts_once_its_question_is_answered(page: Page) -> None:
    bare, place = growing_view(page), page.locator(".tv-place")
    bare.mount({"position": 3}, order="depth_first", ask={"on": True, "answered": [1, 2]})
    expect(place).to_have_text("Asked: step 3 of 6")
    bare.mount({"position": 3}, order="depth_first", ask={"on": True, "answered": [1, 2, 3]})
    expect(place).to_have_text("Growing: step 3 of 6")


def test_the_strip_has_keys_of_its_own_and_its_buttons_keep_theirs(page: Page) -> None:
    bare = alpha_view(page)
    bare.mount({})
    page.locator(".tv-strip").focus()
    for key, position in [("ArrowRight", 1), ("End", 2), ("ArrowLeft", 1), ("Home", 0)]:
        page.keyboard.press(key)
        page.wait_for_timeout(250)
        assert bare.value("view.position()") == position
    page.keyboard.press("Space")
    page.get_by_role("button", name="Pause").wait_for()
    page.keyboard.press("Space")
    page.get_by_role("button", name="Play the sequence").wait_for()
    page.get_by_role("slider").press("Space")
    page.get_by_role("button", name="Pause").wait_for()
    assert bare.value("[view.timelineKey('Escape'), view.timelineKey('Escape'), view.timelineKey('x')]") == [
        True,
        False,
        False,
    ]
    page.get_by_role("button", name="End of the sequence").focus()
    page.keyboard.press("Space")
    bare.frames()
    assert bare.value("[view.position(), view.panel.player.isOn()]") == [2, False]
    page.get_by_role("button", name="Full tree").click()
    page.get_by_role("tree").focus()
    page.keyboard.press("ArrowDown")
    bare.frames()
    assert bare.value("[view.state.selected, view.position()]") == [1, 0]


def test_a_score_no_better_than_the_baseline_is_red_and_says_so(page: Page) -> None:
    bare = alpha_view(page)
    note = page.locator(".tv-note")
    bare.mount({"position": 1})
    expect(note).to_have_text("training accuracy: 85.7\u00a0%, +21.4 points over the majority (64.3\u00a0%)")
    plain = note.evaluate("(note) => getComputedStyle(note).color")
    bare.mount({"position": 2})
    expect(note).to_have_text("training accuracy: 64.3\u00a0%, no better than the majority baseline (64.3\u00a0%)")
    assert note.evaluate("(note) => getComputedStyle(note).color") != plain


def test_classes_without_room_are_counted_in_a_button_that_lists_all(page: Page) -> None:
    names = ["brachycephalic", "dolichocephalic", "mesocephalic", "undetermined"]
    frame = pd.DataFrame({"x": np.arange(8.0), "y": np.repeat(names, 2)})
    bare = BareView(page, [tree_payload(ex.grow(ex.Dataset.from_frame(frame, "y"), ex.CART))], 4)
    bare.mount({})
    more, entries = page.locator(".tv-all-classes"), page.locator(".tv-classes .tv-class-entry")
    widths = "(all) => [all.clientWidth + 1 >= all.scrollWidth, all.textContent]"
    for width, hidden in ((640, False), (280, True)):
        page.evaluate("(width) => { document.getElementById('stage').style.width = `${width}px`; }", width)
        bare.frames()
        is_whole, _ = page.locator(".tv-classes").evaluate(widths)
        assert is_whole
        assert more.is_visible() is hidden
    left_out = sum(not entry.is_visible() for entry in entries.all())
    assert 1 <= left_out < 4
    expect(more).to_have_text(f"+{left_out} more")
    more.click()
    expect(page.locator(".tv-class-list .tv-class-entry")).to_have_text(names)
