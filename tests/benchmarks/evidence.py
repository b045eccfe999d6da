"""Click nodes of the tree on the Grow page, and print how long it takes until the inspector shows each of them.

Run `python -m tests.benchmarks.evidence [--full] [--rows N ...] [--json FILE]`; it ends with exit code 1 when a click
brought nothing. Every node is clicked for the first time, so that nothing of it is in a cache. The last line is the
time from the navigation to the Grow page until its tree is drawn, on a server that has grown it before.
"""

import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, Page, expect
from playwright.sync_api import TimeoutError as NothingHappened

from tests.benchmarks.browsing import fresh_page, grown_on_all_rows, keep, parsed, sized_parser, started
from tests.benchmarks.data import TARGET, two_classes
from tests.browser.steps import opened, settled, view_value, visit

SIZES = (1_000, 10_000, 100_000)
FULL_SIZES = (1_000_000,)
NODES = (1, 2, 3, 4, 5)
QUERY = "?recipe=CART&max_depth=6"
PATIENCE = 600_000
ABOUT = """CART, depth 6, ten numbers, two classes, grown on all rows of an uploaded file. From the mouse button on a
node to the head of the inspector with its split, and to the end of the run, when candidates and all the rest are there;
Chromium {version}, {cores} cores shared by server and browser.
"""
HEADS = f"{'rows':>10} {'clicks':>7} {'median ms':>10} {'slowest ms':>11} {'all there, median ms':>21}"
FIRST_PICTURE = "grow?data=titanic&recipe=CART"
VISITS = 5
TARGET_ROWS, MOST_CLICK_MS, MOST_PICTURE_MS = 10_000, 300, 2_000
WATCH = """(node) => {
  const watch = (globalThis.evidenceWatch = { pressed: 0, there: 0, complete: 0 });
  addEventListener("pointerdown", () => (watch.pressed = performance.now()), { once: true, capture: true });
  const look = () => {
    const head = document.querySelector(".st-key-inspector h3")?.textContent ?? "";
    const app = document.querySelector('[data-testid="stApp"]');
    const table = document.querySelector(".st-key-candidates");
    const isThere = watch.pressed && head.includes(`Node ${node} `);
    if (isThere && !watch.there) watch.there = performance.now();
    if (isThere && table && app.dataset.testScriptState === "notRunning") watch.complete = performance.now();
    else requestAnimationFrame(look);
  };
  look();
}"""
FIRST_PICTURE_WATCH = """(() => {
  const look = () => {
    const view = globalThis.decisionTreeViews?.get("grow");
    if (view?.tree && view.mountMs !== null && view.leafCount() > 1) globalThis.pictureThere = performance.now();
    else requestAnimationFrame(look);
  };
  look();
})()"""


@dataclass(frozen=True)
class Figures:
    """A table's line: milliseconds of its clicks to the inspector's head and to its end, infinite without an answer."""

    rows: int
    clicks: tuple[float, ...]
    complete: tuple[float, ...]

    @property
    def line(self) -> str:
        """One line of the table."""
        times = f"{median(self.clicks):>10.0f} {max(self.clicks):>11.0f} {median(self.complete):>21.0f}"
        return f"{self.rows:>10,} {len(self.clicks):>7} {times}{self._target}"

    @property
    def _target(self) -> str:
        return f"  (target: {MOST_CLICK_MS})" if self.rows == TARGET_ROWS else ""


def open_grow_page(page: Page, address: str, rows: int) -> None:
    """Upload a table of so many rows and grow on all of it."""
    opened(page, address, QUERY)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "table.csv"
        table = two_classes(rows).frame
        table.assign(**{TARGET: table[TARGET].map({0: "no", 1: "yes"})}).to_csv(file, index=False)
        page.locator('.st-key-uploader input[type="file"]').set_input_files(file)
        expect(page.get_by_role("heading", name="table.csv")).to_be_visible()
        settled(page)
    grown_on_all_rows(page)
    visit(page, "Grow")
    page.locator(".st-key-candidates").wait_for()
    settled(page)


def click(page: Page, node: int) -> tuple[float, float]:
    """Milliseconds from the click on a node to the inspector's head, and to the end of the run."""
    page.wait_for_timeout(300)
    place = view_value(page, "grow", f"view.nodeCentre({node})")
    page.evaluate(WATCH, node)
    page.mouse.click(place["x"], place["y"])
    try:
        page.wait_for_function("() => globalThis.evidenceWatch.complete > 0")
    except NothingHappened:
        return float("inf"), float("inf")
    times = page.evaluate("() => [evidenceWatch.there, evidenceWatch.complete].map((at) => at - evidenceWatch.pressed)")
    settled(page)
    return float(times[0]), float(times[1])


def measure(browser: Browser, address: str, rows: int) -> Figures:
    """Click some nodes of one table's tree, in a fresh context."""
    with fresh_page(browser, PATIENCE) as page:
        open_grow_page(page, address, rows)
        times = [click(page, node) for node in NODES]
        return Figures(rows, tuple(there for there, _ in times), tuple(complete for _, complete in times))


def first_picture(browser: Browser, address: str) -> list[float]:
    """Milliseconds from the navigation to the Grow page until its tree is drawn; the first visit does not count."""
    times = []
    for _ in range(1 + VISITS):
        with fresh_page(browser, PATIENCE) as page:
            page.add_init_script(FIRST_PICTURE_WATCH)
            page.goto(f"{address}/{FIRST_PICTURE}")
            page.wait_for_function("() => globalThis.pictureThere > 0")
            times.append(float(page.evaluate("() => globalThis.pictureThere")))
            settled(page)
    return times[1:]


def main() -> int:
    """Measure every size, print the table, and give the exit code."""
    options = parsed(sized_parser("tests.benchmarks.evidence", __doc__, "rows", "also a million rows"))
    found = []
    with started(ABOUT, HEADS, PATIENCE) as (browser, address):
        for rows in options.sizes or (SIZES + FULL_SIZES if options.full else SIZES):
            found.append(measure(browser, address, rows))
            print(found[-1].line, flush=True)
        pictures = first_picture(browser, address)
    print(
        f"\nGrow's first picture (titanic, warm): median {median(pictures):.0f} ms, slowest {max(pictures):.0f} ms of "
        f"{len(pictures)} visits  (target: {MOST_PICTURE_MS})"
    )
    keep(found, options.json)
    return 1 if any(float("inf") in row.clicks for row in found) else 0


if __name__ == "__main__":
    sys.exit(main())
