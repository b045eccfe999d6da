"""Move a large tree on an exported page by mouse, wheel and keys, in every layout, and print how smoothly it follows.

Run `python -m tests.benchmarks.view [--nodes N ...] [--layouts down right icicle] [--actions pan wheel keys α] [--dark]
[--json FILE]`; it ends with exit code 1 when more frames are late than may be. The page needs no server:
only the browser is measured.
"""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Literal

import numpy as np
from playwright.sync_api import Browser, Page, sync_playwright

import explorer as ex
from explorer.drawing.tree_view import html
from explorer.drawing.tree_view.pruning_slider import to_slider
from tests.benchmarks.browsing import keep, parsed, sized_parser
from tests.benchmarks.drag import table_for
from tests.benchmarks.dragging import SLOW_FRAME, Traffic, Work, drag
from tests.browser.server import ARGUMENTS, chromium

SIZES, FULL_SIZES = (20_000,), (100_000,)
LAYOUTS = ("icicle", "down", "right")
REPEATS, STEPS = 3, 120
MOST_LATE = {20_000: 0.03, 100_000: 0.10}
"""The share of late frames that trees of up to so many nodes may have."""
HEADS = (
    f"{'nodes':>8} {'layout':<7} {'action':<7} {'frames':>7} {'over 20 ms':>11} {'slowest':>8} "
    f"{'script p95 ms':>14} {'work ms':>8}"
)
WATCH = """() => {
    const view = decisionTreeViews.get("page");
    view.frameTimes.length = 0;
    const watch = (globalThis.moveWatch = { gaps: [], isOver: false });
    let last = performance.now();
    const look = (now) => {
        watch.gaps.push(now - last);
        last = now;
        if (!watch.isOver) requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
}"""
TAKE = """() => {
    moveWatch.isOver = true;
    return [moveWatch.gaps.slice(1), decisionTreeViews.get("page").frameTimes];
}"""


@dataclass(frozen=True)
class Line:
    """One action in one layout: medians over its repeats, and the slowest frame of all."""

    nodes: int
    layout: str
    action: str
    frames: int
    late: float
    slowest: float
    script_p95: float
    work_ms: float

    @property
    def is_late(self) -> bool:
        """Whether more frames are late than may be."""
        return self.late > next((most for size, most in MOST_LATE.items() if self.nodes <= size), 1.0)

    def __str__(self) -> str:
        return (
            f"{self.nodes:>8,} {self.layout:<7} {self.action:<7} {self.frames:>7} {self.late:>11.1%} "
            f"{self.slowest:>8.0f} {self.script_p95:>14.2f} {self.work_ms:>8.2f}{'  LATE' if self.is_late else ''}"
        )


def page_of(nodes: int) -> tuple[str, int]:
    """A page with CART's tree of about so many nodes and its slider, and how many they are."""
    data = ex.Dataset.from_frame(table_for(nodes), "y")
    tree = ex.grow(data, ex.CART)
    return html.to_html(tree, to_slider(ex.cost_complexity_path(tree), data)), tree.n_nodes


def middle(page: Page) -> tuple[float, float]:
    """The middle of the canvas."""
    box = page.locator(".tv-view").bounding_box()
    assert box is not None, "the tree is not on the page"
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def pan(page: Page) -> None:
    """Drag the tree there and back."""
    x, y = middle(page)
    page.mouse.move(x, y)
    page.mouse.down()
    for step in range(STEPS):
        page.mouse.move(x + 200 * np.sin(step / 10), y + 60 * np.sin(step / 7))
    page.mouse.up()


def wheel(page: Page) -> None:
    """Zoom in and out again by the wheel, beside the middle."""
    x, y = middle(page)
    page.mouse.move(x - 90, y)
    for step in range(STEPS):
        page.mouse.wheel(0, -80 if step < STEPS / 2 else 80)


def keys(page: Page) -> None:
    """Walk down the tree and along its levels by arrow keys."""
    down, along = ("ArrowRight", "ArrowDown") if layout_of(page) == "right" else ("ArrowDown", "ArrowRight")
    for step in range(STEPS):
        page.keyboard.press(down if step % 10 == 0 else along)


def layout_of(page: Page) -> str:
    """The layout that is shown."""
    return str(page.evaluate("decisionTreeViews.get('page').stage.choices.mode"))


ACTIONS: dict[str, Callable[[Page], None]] = {"pan": pan, "wheel": wheel, "keys": keys}


def watched(page: Page, act: Callable[[Page], None]) -> tuple[list[float], list[float], float]:
    """Frames, ms of script in each that was drawn, and ms of the main thread per frame, while something is done."""
    page.evaluate(WATCH)
    work = Work(page)
    act(page)
    page.evaluate("() => new Promise(requestAnimationFrame)")
    worked = work.ms()
    gaps, script = page.evaluate(TAKE)
    return gaps, script, worked / max(1, len(gaps))


def slider(page: Page, traffic: Traffic, number: int) -> tuple[list[float], list[float], float]:
    """The same of a drag of α, there or back."""
    found = drag(page, page.locator('input[type="range"]').first, traffic, to_the_right=number % 2 == 0)
    return [gap for gap, _, _ in found.frames], list(found.script), found.work_ms


def line_of(nodes: int, layout: str, action: str, seen: list[tuple[list[float], list[float], float]]) -> Line:
    """The line of several repeats."""
    return Line(
        nodes,
        layout,
        action,
        round(median(len(gaps) for gaps, _, _ in seen)),
        median(float(np.mean(np.array(gaps) > SLOW_FRAME)) for gaps, _, _ in seen),
        max(max(gaps) for gaps, _, _ in seen),
        median(float(np.percentile(script, 95)) if script else 0.0 for _, script, _ in seen),
        median(work for _, _, work in seen),
    )


def measure(
    browser: Browser, content: str, nodes: int, layout: str, actions: Sequence[str], scheme: Literal["light", "dark"]
) -> list[Line]:
    """These actions in one layout."""
    context = browser.new_context(viewport={"width": 1400, "height": 1000}, color_scheme=scheme)
    page = context.new_page()
    page.set_content(content)
    traffic = Traffic(page)
    page.locator('input[type="range"]').first.wait_for()
    page.evaluate("(layout) => decisionTreeViews.get('page').stage.chooseLayout(layout)", layout)
    page.wait_for_timeout(500)
    found: list[Line] = []
    page.locator(".tv-view").focus()
    for action, act in ((action, ACTIONS[action]) for action in actions if action in ACTIONS):
        page.evaluate("decisionTreeViews.get('page').stage.moves.fit()")
        page.wait_for_timeout(500)
        seen = [watched(page, act) for _ in range(REPEATS + 1)]
        found.append(line_of(nodes, layout, action, seen[1:]))  # in the first, much of the script is compiled
    if "α" in actions:
        found.append(line_of(nodes, layout, "α", [slider(page, traffic, number) for number in range(2)]))
    context.close()
    return found


def main() -> int:
    """Measure every size and layout, print the table, and give the exit code."""
    parser = sized_parser("tests.benchmarks.view", __doc__, "nodes", "also a tree of 100,000 nodes")
    parser.add_argument("--layouts", nargs="+", choices=LAYOUTS, default=LAYOUTS)
    parser.add_argument("--actions", nargs="+", choices=[*ACTIONS, "α"], default=[*ACTIONS, "α"])
    parser.add_argument("--dark", action="store_true", help="the dark theme")
    options = parsed(parser)
    found: list[Line] = []
    pages = [page_of(nodes) for nodes in options.sizes or (SIZES + FULL_SIZES if options.full else SIZES)]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        print(f"Chromium {browser.version} without graphics hardware; medians of {REPEATS}\n\n{HEADS}", flush=True)
        for content, nodes in pages:
            for layout in options.layouts:
                lines = measure(browser, content, nodes, layout, options.actions, "dark" if options.dark else "light")
                print(*lines, sep="\n", flush=True)
                found += lines
        browser.close()
    keep(found, options.json)
    return 1 if any(line.is_late for line in found) else 0


if __name__ == "__main__":
    sys.exit(main())
