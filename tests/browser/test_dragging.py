"""The drag benchmark's mouse and watch, tried on a page whose figures are known."""

import pytest
from playwright.sync_api import Page

from tests.benchmarks.dragging import Drag, Traffic, drag, figures, positions_of
from tests.browser.steps import opened

POSITIONS = 41
PAGE = """<div id="host"></div><script>
const shadow = document.getElementById("host").attachShadow({ mode: "open" });
const root = document.createElement("div");
const input = document.createElement("input");
root.dataset.settled = "0";
Object.assign(input, { type: "range", min: "0", max: "40", value: "0" });
input.style.width = "600px";
root.append(input);
shadow.append(root);
const alive = ALIVE;
const view = {
  position: () => (alive ? Number(input.value) : 0),
  leafCount: () => (alive ? 41 - Number(input.value) : 41),
  frameTimes: new Float32Array(64),
  mountMs: 3.5,
};
let drawn = 0;
input.addEventListener("input", () => (view.frameTimes[drawn++ % 64] = 2));
input.addEventListener("change", () => setTimeout(() => (root.dataset.settled = input.value), 80));
globalThis.decisionTreeViews = new Map([["old", {}], ["view", view]]);
</script>"""


def dragged(page: Page, alive: bool) -> list[Drag]:
    """Two drags, there and back."""
    traffic = Traffic(page)
    page.set_content(PAGE.replace("ALIVE", "true" if alive else "false"))
    slider = page.locator('input[type="range"]')
    assert positions_of(slider) == POSITIONS
    return [drag(page, slider, traffic, to_the_right) for to_the_right in (True, False)]


def test_every_position_is_seen_there_and_back(page: Page) -> None:
    there, back = drags = dragged(page, alive=True)
    assert there.seen == back.seen == there.leaf_counts == POSITIONS
    assert there.frames[0][1] == 0 == back.frames[-1][1]
    assert there.frames[-1][1] == POSITIONS - 1 == back.frames[0][1]
    assert set(there.script) == {2.0}
    assert there.mount_ms == 3.5
    assert 0 < there.work_ms < 1000
    assert there.release_ms >= 75
    assert figures(81, 0, POSITIONS, drags).faults == []


@pytest.mark.slow
def test_a_view_that_stands_still_is_found_out(page: Page) -> None:
    faults = figures(81, 0, POSITIONS, dragged(page, alive=False)).faults
    assert "the leaves never changed" in faults
    assert "the view was left behind by the slider" in faults


def test_traffic_counts_what_the_app_says(page: Page, address: str) -> None:
    traffic = Traffic(page)
    opened(page, address)
    before = traffic.frames
    assert before > 0
    page.get_by_role("tab", name="First rows", exact=True).click()
    page.get_by_role("link", name="Grow", exact=True).first.click()
    page.wait_for_url("**/grow**")
    page.wait_for_timeout(500)
    assert traffic.frames > before
