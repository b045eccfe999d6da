"""Drag a point of a drawn table with a real mouse, and print how soon the tree follows and how smoothly the point does.

Run `python -m tests.benchmarks.drawn_table [--points N ...]`. A round trip is from a question of the browser to the
answer drawn. The server spends so much processor time on an answer, whatever else runs on the machine; "package" is
what growing the tree, comparing it and writing the answer take of the wall time.
"""

import json
import os
import statistics
import sys
import time
from pathlib import Path

import numpy as np
from playwright.sync_api import Browser, Page, sync_playwright

from explorer.drawing.drawn_table.answer import answer
from explorer.drawing.drawn_table.grown import Grown, grow_drawn, recipe_of
from explorer.drawing.drawn_table.points import DrawnTable, points_of
from explorer.drawing.drawn_table.tipping import changes
from tests.benchmarks.browsing import fresh_page, parsed, sized_parser
from tests.benchmarks.process_account import TICKS
from tests.browser.server import ARGUMENTS, Server, chromium, running_server
from tests.browser.steps import opened

SIZES = (60, 200, 500)
PATIENCE = 120_000
MOVES = 120
QUIET_MS = 100
ABOUT = f"""A drawn table of two classes (XOR with noise); {MOVES} moves of one point, 16 ms apart, with a real mouse.
Chromium {{version}}, {{cores}} cores shared by server and browser.
"""
HEADS = (
    f"{'points':>7} {'depth':>6} {'answers':>8} {'round trip ms: median':>22} {'90 %':>6} {'server processor ms':>21} "
    f"{'package ms':>11} "
    f"{'frames':>7} {'median ms':>10} {'over 34 ms':>11}"
)
VIEW = "globalThis.drawnTableViews?.get('learn.drawn')"
MIDDLES = (
    """(all) => all.map((path) => path.getBoundingClientRect()).map((r) => [r.x + r.width / 2, r.y + r.height / 2])"""
)
WATCH = """() => {
  globalThis.drawnFrames = [];
  let last = performance.now();
  const note = (now) => { drawnFrames.push(now - last); last = now; requestAnimationFrame(note); };
  requestAnimationFrame(note);
}"""


def noisy_xor(n: int) -> DrawnTable:
    """Points anywhere, of class B where x and y are on different sides of the middle, a tenth of them otherwise."""
    rng = np.random.default_rng(0)
    x, y = rng.integers(0, 1001, (2, n))
    marks = (((x > 500) ^ (y > 500)) ^ (rng.random(n) < 0.1)).astype(np.int64)
    return DrawnTable(x, y, marks)


def package_ms(table: DrawnTable, depth: int | None) -> float:
    """The median of what an answer takes without browser and server."""
    before: Grown | None = None
    times = []
    for step in range(30):
        moved = DrawnTable(np.append(table.x_steps[1:], 300 + 10 * step), table.y_steps, table.marks)
        text, started_at = moved.text(), time.perf_counter()
        grown = grow_drawn(points_of(text, "2"), recipe_of("CART", depth))
        json.dumps(answer(grown, "", changes(before, grown) if before else ()))
        times.append(1000 * (time.perf_counter() - started_at))
        before = grown
    return statistics.median(times)


def drawn(page: Page, table: DrawnTable, depth: int | None) -> None:
    """Draw a table in the view, and wait for its tree."""
    page.evaluate(
        """([text, depth]) => {
          const view = VIEW;
          const number = (at) => parseInt(text.slice(at, at + 2), 36);
          const point = (_, i) => ({ x: number(6 * i), y: number(6 * i + 2), mark: number(6 * i + 4) });
          view.change({ points: Array.from({ length: text.length / 6 }, point), depth });
        }""".replace("VIEW", VIEW),
        [table.text(), depth],
    )
    page.wait_for_function(f"{VIEW}.exchange.isIdle && {VIEW}.answer?.tree.weight[0] === {table.n_points}")


def dragged(page: Page) -> tuple[list[float], list[float]]:
    """Drag the point nearest to the middle around; the times of all round trips and of all frames."""
    box = page.locator(".dt-canvas").bounding_box()
    assert box is not None
    points = page.locator(".dt-points path").evaluate_all(MIDDLES)
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    x, y = min(points, key=lambda point: abs(point[0] - middle[0]) + abs(point[1] - middle[1]))
    page.evaluate(f"{VIEW}.exchange.roundTrips.splice(0)")
    page.mouse.move(x, y)
    page.mouse.down()
    page.evaluate(WATCH)
    for move in range(MOVES):
        turn = 2 * np.pi * move / MOVES
        page.mouse.move(x + 120 * float(np.sin(turn)), y + 90 * float(np.sin(2 * turn)))
        page.wait_for_timeout(16)
    frames = page.evaluate("drawnFrames")
    page.mouse.up()
    page.wait_for_function(f"{VIEW}.exchange.isIdle")
    return page.evaluate(f"{VIEW}.exchange.roundTrips"), frames


def processor_ms(process: int) -> float:
    """User and system time of a process so far."""
    fields = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()
    return 1000 * (int(fields[11]) + int(fields[12])) / TICKS


def until_quiet(process: int) -> None:
    """Wait until the server has compiled the package's loops, as it does when it starts."""
    before = -QUIET_MS
    while processor_ms(process) - before >= QUIET_MS:
        before = processor_ms(process)
        time.sleep(2)


def measure(browser: Browser, server: Server, n: int, depth: int | None) -> str:
    """One line of the table."""
    table = noisy_xor(n)
    with fresh_page(browser, PATIENCE) as page:
        opened(page, server.address, "learn?learn=draw")
        page.wait_for_function(f"{VIEW}?.answer")
        drawn(page, table, depth)
        until_quiet(server.pid)
        before = processor_ms(server.pid)
        trips, frames = dragged(page)
        spent = (processor_ms(server.pid) - before) / len(trips)
    late, inside = sum(frame > 34 for frame in frames) / len(frames), package_ms(table, depth)
    return (
        f"{n:>7} {depth or 'any':>6} {len(trips):>8} {statistics.median(trips):>22.0f} {np.quantile(trips, 0.9):>6.0f} "
        f"{spent:>21.1f} {inside:>11.1f} {len(frames):>7} {statistics.median(frames):>10.1f} {late:>11.1%}"
    )


def main() -> int:
    """Measure every size, with a small tree and a full one, and print the table."""
    options = parsed(sized_parser("tests.benchmarks.drawn_table", __doc__, "points", "the same sizes"))
    with running_server() as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        print(ABOUT.format(version=browser.version, cores=os.cpu_count()), HEADS, sep="\n", flush=True)
        for n in options.sizes or SIZES:
            for depth in (3, None):
                print(measure(browser, server, n, depth), flush=True)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
