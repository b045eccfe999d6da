"""Drag the α slider of the Prune page with a real mouse, and print how smoothly trees of many sizes follow it.

Run `python -m tests.benchmarks.drag [--growing] [--full] [--nodes N ...] [--json FILE]`; it ends with exit code 1 when
a drag sent or received anything, skipped positions, or left the tree as it was. With `--growing` the slider is that of
the growing steps on the Grow page, and frames that come too late are a fault too.
"""

import sys

import numpy as np
import pandas as pd
from playwright.sync_api import Browser, Page, expect

import explorer as ex
from tests.benchmarks.browsing import fresh_page, grown_on_all_rows, keep, parsed, sized_parser, started
from tests.benchmarks.dragging import Figures, Traffic, drag, figures, positions_of
from tests.browser.steps import opened, settled, uploaded, visit

SIZES = (15, 101, 501, 2_001, 20_000)
GROWING_SIZES = (2_001,)
FULL_SIZES = (100_000,)
DRAGS = 5
OPEN_LEAVES = "() => [...(globalThis.decisionTreeViews?.values() ?? [])].at(-1)?.leafCount() ?? 0"
MOST_ROWS_PER_NODE = 3
PATIENCE = 300_000
ABOUT = f"""CART trees on noise, grown on all rows of an uploaded file; {DRAGS} drags of the slider from end to end.
A real mouse, Chromium {{version}}, {{cores}} cores shared by server and browser. Medians of the drags.
"""
HEADS = (
    f"{'nodes':>8} {'rows':>8} {'frames':>7} {'over 20 ms':>11} {'slowest':>8} {'positions seen':>15} "
    f"{'leaf counts':>12} {'script p95 ms':>14} {'work ms':>8} {'mount ms':>9} {'release→page ms':>16} {'messages':>9}"
)


def noise(rows: int, seed: int = 0) -> pd.DataFrame:
    """Four numbers and a class that has nothing to do with them; fewer rows are the beginning of more."""
    rng = np.random.default_rng(seed)
    values = rng.random((rows, 5)).round(6)
    return pd.DataFrame(values[:, :4], columns=list("abcd")).assign(y=np.where(values[:, 4] < 0.5, "no", "yes"))


def nodes_grown(table: pd.DataFrame) -> int:
    """How many nodes CART grows on all rows."""
    return ex.grow(ex.Dataset.from_frame(table, "y"), ex.CART).n_nodes


def table_for(nodes: int) -> pd.DataFrame:
    """Noise on which CART grows about so many nodes: the number of rows is found by halving."""
    everything = noise(MOST_ROWS_PER_NODE * nodes)
    low, high = nodes // MOST_ROWS_PER_NODE + 2, len(everything)
    best, grown = everything, nodes_grown(everything)
    while low < high and grown != nodes:
        middle = (low + high) // 2
        table = everything.head(middle)
        now = nodes_grown(table)
        if abs(now - nodes) < abs(grown - nodes):
            best, grown = table, now
        low, high = (middle + 1, high) if now < nodes else (low, middle)
    return best


def open_page(page: Page, address: str, table: pd.DataFrame, title: str) -> int:
    """Upload the table, grow on all its rows by CART, and go to Prune or Grow; gives the tree's leaves as shown."""
    opened(page, address, "?recipe=CART")
    uploaded(page, "noise.csv", table.to_csv(index=False).encode())
    expect(page.get_by_role("heading", name="noise.csv")).to_be_visible()
    grown_on_all_rows(page)
    visit(page, title)
    page.wait_for_function(OPEN_LEAVES)
    page.locator('input[type="range"]').first.wait_for()
    settled(page)
    return int(page.evaluate(OPEN_LEAVES))


def measure(browser: Browser, address: str, nodes: int, is_growing: bool) -> Figures:
    """Drag through one tree, from end to end and back in turn, in a fresh context."""
    table = table_for(nodes)
    with fresh_page(browser, PATIENCE) as page:
        traffic = Traffic(page)
        leaves = open_page(page, address, table, "Grow" if is_growing else "Prune")
        slider = page.locator('input[type="range"]').first
        drags = []
        for number in range(DRAGS):
            drags.append(drag(page, slider, traffic, to_the_right=(number % 2 == 0) != is_growing))
            settled(page)
        return figures(2 * leaves - 1, len(table), positions_of(slider), drags, is_growing)  # CART splits in two


def line(row: Figures) -> str:
    """One line of the table."""
    seen = f"{row.seen:,} of {row.positions:,}"
    return (
        f"{row.nodes:>8,} {row.rows:>8,} {row.frames:>7,} {row.slow_share:>11.1%} {row.slowest_ms:>8.0f} {seen:>15} "
        f"{row.leaf_counts:>12,} {row.script_p95:>14.2f} {row.work_ms:>8.2f} {row.mount_ms:>9.1f} "
        f"{row.release_ms:>16.0f} {row.messages:>9}"
    )


def main() -> int:
    """Measure every size, print the table, and give the exit code."""
    parser = sized_parser("tests.benchmarks.drag", __doc__, "nodes", "also a tree of 100,000 nodes")
    parser.add_argument("--growing", action="store_true", help="the slider of the growing steps")
    options = parsed(parser)
    sizes = GROWING_SIZES if options.growing else SIZES
    found = []
    with started(ABOUT, HEADS, PATIENCE) as (browser, address):
        for nodes in options.sizes or (sizes + FULL_SIZES if options.full else sizes):
            found.append(measure(browser, address, nodes, options.growing))
            print(line(found[-1]), *(f"  FAULT: {fault}" for fault in found[-1].faults), sep="\n", flush=True)
    keep(found, options.json)
    return 1 if any(row.faults for row in found) else 0


if __name__ == "__main__":
    sys.exit(main())
