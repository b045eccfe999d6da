"""The view of an ensemble on a page of its own, without a network: one slider moves all pictures."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, Page

from explorer.drawing.ensemble_view.html import to_html
from tests.oracles import made_up_ensembles as made_up

VIEW = "globalThis.ensembleViews.get('page')"
STAGES = 100
COUNT = """() => {
  const view = globalThis.ensembleViews.get('page');
  const seen = (globalThis.seen = { stages: [], frames: 0, perFrame: 0, most: 0 });
  const move = view.move.bind(view);
  view.timeline.hooks.onMove = (stage, dragging) => {
    seen.stages.push(stage);
    seen.perFrame += 1;
    move(stage, dragging);
  };
  const look = () => {
    seen.frames += 1;
    seen.most = Math.max(seen.most, seen.perFrame);
    seen.perFrame = 0;
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}"""
PIXELS = """(selector) => {
  const canvas = ensembleViews.get('page').root.querySelector(selector);
  return canvas.toDataURL();
}"""


@pytest.fixture
def opened(browser: Browser, tmp_path: Path) -> Iterator:
    """Opens a picture as a file; everything that the page complains of, or asks a network for, is a fault."""
    context = browser.new_context(offline=True, viewport={"width": 1280, "height": 720})
    page, complaints = context.new_page(), []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda message: complaints.append(message.text))
    page.on("dialog", lambda dialog: complaints.append(dialog.message))
    page.on("request", lambda request: complaints.append(request.url) if request.url.startswith("http") else None)

    def show(picture, row=None, stage: int = 0) -> Page:
        file = tmp_path / "ensemble.html"
        file.write_text(to_html(picture, "Made up", row, stage=stage), "utf-8")
        page.goto(file.as_uri())
        until(page, f"Boolean({VIEW}?.picture)")
        frames(page)
        return page

    yield show
    assert complaints == []
    context.close()


def frames(page: Page, n: int = 3) -> None:
    """Let the view draw."""
    for _ in range(n):
        page.evaluate("() => new Promise(requestAnimationFrame)")


def until(page: Page, condition: str) -> None:
    """Wait for a condition, asked from here: the page's policy forbids text as code."""
    for _ in range(800):
        if page.evaluate(condition):
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"It never came true: {condition}")


MANY_INPUTS = """() => {
  const range = ensembleViews.get('page').root.querySelector('input[type="range"]');
  for (const stage of [10, 20, 30, 40]) {
    range.value = stage;
    range.dispatchEvent(new Event('input'));
  }
}"""


def dragged(page: Page, moves: int, to_the_right: bool = True) -> None:
    """Drag the slider from end to end in so many moves of the mouse."""
    box = page.locator('input[type="range"]').bounding_box()
    assert box is not None
    ends = (box["x"] + 8, box["x"] + box["width"] - 8)
    height = box["y"] + box["height"] / 2
    stops = np.linspace(*(ends if to_the_right else ends[::-1]), moves + 1)
    page.mouse.move(stops[0], height)
    page.mouse.down()
    for stop in stops:
        page.mouse.move(stop, height)
    frames(page)
    page.mouse.up()
    frames(page)


def test_a_drag_over_a_hundred_stages_shows_each_and_draws_at_most_once_a_frame(opened):
    page = opened(made_up.regression(STAGES))
    page.evaluate(COUNT)
    dragged(page, STAGES)
    seen = page.evaluate("seen")
    assert page.evaluate(f"{VIEW}.position()") == STAGES
    assert len(set(seen["stages"])) > 0.9 * STAGES
    assert seen["stages"] == sorted(seen["stages"])
    dragged(page, 10, to_the_right=False)
    assert page.evaluate(f"{VIEW}.position()") == 0
    page.evaluate(MANY_INPUTS)
    frames(page)
    assert page.evaluate(f"{VIEW}.position()") == 40
    assert page.evaluate("seen.most") == 1, "many moves within one frame are one picture"


@pytest.mark.journey
def test_all_parts_follow_the_stage(opened):
    page = opened(made_up.regression(STAGES), made_up.one_row(STAGES), stage=2)
    before = {
        name: page.evaluate(PIXELS, f"{name} canvas:last-of-type")
        for name in (".ev-fit", ".ev-scores-chart", ".ev-waterfall")
    }
    page.locator(".tv-strip").focus()
    page.keyboard.press("ArrowRight")
    until(page, f"{VIEW}.root.dataset.settled === '3'")
    frames(page)
    for name, pixels in before.items():
        assert page.evaluate(PIXELS, f"{name} canvas:last-of-type") != pixels, name
    assert page.locator("tr[aria-current]").inner_text().startswith("3")
    assert page.locator(".tv-place").inner_text() == "stage 3 of 100"
    assert page.locator(".ev-row-part > .ev-now:visible").inner_text().startswith("Start 1, 3 trees add 6: log-odds 7")
    page.keyboard.press("Home")
    until(page, f"{VIEW}.root.dataset.settled === '0'")
    assert "No tree yet" in page.locator(".tv-note").inner_text()


def test_play_goes_to_the_end_and_stops(opened):
    page = opened(made_up.classes())
    page.clock.install()
    page.get_by_role("button", name="Play the sequence").click()
    for _ in range(7):
        page.clock.run_for(1300)
    until(page, f"{VIEW}.root.dataset.settled === '5'")
    assert page.get_by_role("button", name="Play the sequence").is_visible()


def test_tabs_are_chosen_by_mouse_and_keys_and_reported(opened):
    page = opened(made_up.classes(), made_up.one_row())
    names = [tab.inner_text() for tab in page.get_by_role("tab").all()]
    assert names == ["Fit", "Regions", "Row weights", "Trees"]
    page.get_by_role("tab", name="Regions").click()
    page.keyboard.press("ArrowRight")
    assert page.evaluate(f"{VIEW}.state.tab") == "rows"
    assert page.get_by_role("tab", name="Row weights").get_attribute("aria-selected") == "true"


def test_a_click_on_a_member_opens_it_and_enter_does_too(opened):
    page = opened(made_up.classes(), stage=2)
    page.get_by_role("tab", name="Trees").click()
    frames(page)
    place = page.evaluate(
        f"""(() => {{ const cards = {VIEW}.tabs.shown(); const {{ left, top }} = cards.scroller.getBoundingClientRect();
        return [left + cards.grid.gap + cards.grid.width * 1.5 + cards.grid.gap, top + cards.grid.gap + 20]; }})()"""
    )
    page.mouse.click(*place)
    assert page.evaluate(f"{VIEW}.state.member") == 1
    page.keyboard.press("ArrowRight")
    assert page.get_by_role("option").inner_text().startswith("Tree 3:")
    page.keyboard.press("Enter")
    assert page.evaluate(f"{VIEW}.state.member") == 2


def test_a_click_on_a_row_is_reported_by_its_number(opened):
    page = opened(made_up.classes(), stage=1)
    for tab in ("Fit", "Regions", "Row weights"):
        page.get_by_role("tab", name=tab).click()
        frames(page)
        row = page.evaluate(
            f"""(() => {{ const chart = {VIEW}.tabs.shown(); const plot = chart.box.plot();
            const {{ left, top }} = chart.element.getBoundingClientRect(); const i = 7;
            if (plot.grid) return [left + plot.grid.x[i], top + plot.top + plot.grid.y[i]];
            if (plot.laneOf) return [left + plot.frame.toX(chart.line.x[i]), top + plot.laneOf(chart.line.classOf[i])];
            return [left + plot.frame.toX(chart.regions.x[i]), top + plot.frame.toY(chart.regions.y[i])]; }})()"""
        )
        page.mouse.click(*row)
        assert page.evaluate(f"{VIEW}.state.row") == (7 if tab == "Regions" else 107), tab
        page.evaluate(f"{VIEW}.change({{ row: -1 }})")


def test_five_hundred_members_are_painted_only_where_they_are_seen(opened):
    page = opened(made_up.regression(500, 10), stage=1)
    page.get_by_role("tab", name="Trees").click()
    frames(page)
    assert page.evaluate(f"{VIEW}.tabs.shown().bitmaps.size") < 250
    page.get_by_role("button", name="End of the sequence").click()
    frames(page)
    last = page.evaluate(
        f"(() => {{ const s = {VIEW}.tabs.shown().scroller; return s.scrollTop + s.clientHeight - s.scrollHeight; }})()"
    )
    assert abs(last) < 30, "the last member has come into view"


def test_narrow_windows_stack_the_parts_under_the_picture(opened):
    page = opened(made_up.regression(5), made_up.one_row())
    page.set_viewport_size({"width": 800, "height": 900})
    frames(page)
    boxes = [
        page.locator(name).bounding_box()
        for name in (".ev-main", ".tv-strip", ".ev-scores", ".ev-row-part", ".ev-facts")
    ]
    tops = [box["y"] for box in boxes]
    assert tops == sorted(tops)
    assert all(box["width"] <= 800 for box in boxes)
    page = opened(made_up.classes())
    page.set_viewport_size({"width": 390, "height": 800})
    frames(page)
    head = page.locator(".ev-head").bounding_box()
    for name in page.locator(".ev-class").all():
        place = name.bounding_box()
        assert place["x"] >= head["x"]
        assert place["x"] + place["width"] <= head["x"] + head["width"], "every class has its name"
        assert place["y"] + place["height"] <= head["y"] + head["height"]
    assert page.locator(".ev-method").is_hidden(), "whole or not at all"
