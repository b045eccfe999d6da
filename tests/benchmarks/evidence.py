"""Click nodes of the tree on the Grow page, and print how long it takes until the evidence of each stands there.

Run `python -m tests.benchmarks.evidence [--full] [--rows N ...] [--json FILE]`; it ends with exit code 1 when a click
brought nothing. Every node is clicked for the first time, so that nothing of it is in a cache.
"""

import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, Page, expect
from playwright.sync_api import TimeoutError as NothingHappened

from tests.benchmarks.browsing import fresh_page, keep, parsed, sized_parser, started
from tests.benchmarks.data import TARGET, two_classes
from tests.browser.steps import chosen, opened, settled, view_value, visit

SIZES = (1_000, 10_000, 100_000)
FULL_SIZES = (1_000_000,)
NODES = (1, 2, 3, 4, 5)
QUERY = "?recipe=CART&max_depth=6"
PATIENCE = 600_000
ABOUT = """CART, depth 6, ten numbers, two classes, grown on all rows of an uploaded file. From the mouse button on a
node to its table and formula on the page, Chromium {version}, {cores} cores shared by server and browser.
"""
HEADS = f"{'rows':>10} {'clicks':>7} {'median ms':>10} {'slowest ms':>11}"
WATCH = """(node) => {
  const watch = (globalThis.evidenceWatch = { pressed: 0, there: 0 });
  addEventListener("pointerdown", () => (watch.pressed = performance.now()), { once: true, capture: true });
  const look = () => {
    const legend = document.querySelector(".st-key-formula-candidate")?.textContent ?? "";
    if (watch.pressed && legend.includes(`the rows of node ${node} `)) watch.there = performance.now();
    else requestAnimationFrame(look);
  };
  look();
}"""


@dataclass(frozen=True)
class Figures:
    """A table's line: milliseconds of its clicks, infinite where nothing happened."""

    rows: int
    clicks: tuple[float, ...]

    @property
    def line(self) -> str:
        """One line of the table."""
        return f"{self.rows:>10,} {len(self.clicks):>7} {median(self.clicks):>10.0f} {max(self.clicks):>11.0f}"


def open_grow_page(page: Page, address: str, rows: int) -> None:
    """Upload a table of so many rows and grow on all of it."""
    opened(page, address, QUERY)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "table.csv"
        table = two_classes(rows).frame
        table.assign(**{TARGET: table[TARGET].map({0: "no", 1: "yes"})}).to_csv(file, index=False)
        page.get_by_role("tab", name="Your own file").click()
        page.locator('input[type="file"]').set_input_files(file)
        expect(page.get_by_role("heading", name="table.csv")).to_be_visible()
        settled(page)
    chosen(page, "Rows for growing", "All rows")
    visit(page, "Grow")
    page.locator(".st-key-formula-candidate").wait_for()
    settled(page)


def click(page: Page, node: int) -> float:
    """Milliseconds from the click on a node to its formula."""
    page.locator(".tv-canvas").first.scroll_into_view_if_needed()
    page.wait_for_timeout(300)
    place = view_value(page, "grow", f"view.nodeCentre({node})")
    page.evaluate(WATCH, node)
    page.mouse.click(place["x"], place["y"])
    try:
        page.wait_for_function("() => globalThis.evidenceWatch.there > 0")
    except NothingHappened:
        return float("inf")
    took: float = page.evaluate("() => evidenceWatch.there - evidenceWatch.pressed")
    settled(page)
    return took


def measure(browser: Browser, address: str, rows: int) -> Figures:
    """Click some nodes of one table's tree, in a fresh context."""
    with fresh_page(browser, PATIENCE) as page:
        open_grow_page(page, address, rows)
        return Figures(rows, tuple(click(page, node) for node in NODES))


def main() -> int:
    """Measure every size, print the table, and give the exit code."""
    options = parsed(sized_parser("tests.benchmarks.evidence", __doc__, "rows", "also a million rows"))
    found = []
    with started(ABOUT, HEADS, PATIENCE) as (browser, address):
        for rows in options.sizes or (SIZES + FULL_SIZES if options.full else SIZES):
            found.append(measure(browser, address, rows))
            print(found[-1].line, flush=True)
    keep(found, options.json)
    return 1 if any(float("inf") in row.clicks for row in found) else 0


if __name__ == "__main__":
    sys.exit(main())
