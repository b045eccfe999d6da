"""Measure every page with a tree in windows of several sizes, and print how much of the window the tree has.

Run `python -m tests.benchmarks.layout [--quick] [--pages NAME ...] [--pictures FOLDER] [--json FILE]`; it ends with
exit code 1 when a page misses a target: the stage begins within 130 pixels of the top, the tree has its share of the
window, nothing but the inspector scrolls, and a click on a node moves nothing.
"""

import argparse
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
from playwright.sync_api import Browser, Page, expect

from tests.benchmarks.browsing import fresh_page, keep, parsed, parser_of, started
from tests.benchmarks.drag import table_for
from tests.browser.steps import answered, opened, settled, uploaded, visit

PAGES = ("Grow", "Prune", "Evaluate", "Rules", "Predict", "Compare")
VIEWS = {"Compare": ("left", "right")}
"""Names of a page's views, where they are not the page's."""
WIDE = ((1400, 900), (1280, 720), (1920, 1080))
NARROW = ((800, 900), (390, 844))
CART = "recipe=CART&a.recipe=CART&b.recipe=C4.5"
TABLES = {
    "play_tennis": "data=play_tennis&a.recipe=ID3&b.recipe=CART",
    "titanic": f"data=titanic&{CART}",
    "2,000 nodes": f"split=all&{CART}",
}
NODES = 2_001
"""Of the tree of an uploaded file of noise; the other tables are samples."""

LATEST_TOP = 130
SHARES_AT = (1400, 900)
SHARES = {
    "Grow": (0.40, 0.48),
    "Prune": (0.40, 0.48),
    "Predict": (0.40, 0.48),
    "Evaluate": (0.20, 0.20),
    "Rules": (0.20, 0.20),
    "Compare": (0.20, 0.20),
}
"""Of the window's area, with the rail open and closed, the least that the trees take, with their tools."""
LEAST_IN_FIRST_SCREEN = 160
"""Pixels of the stage that a narrow window shows before anything is scrolled."""
PATIENCE = 300_000
ABOUT = """Boxes on the page in Chromium {version}. The tree's share of the window is that of its tools and its picture.
"""
HEADS = f"{'page':<9} {'table':<12} {'window':>9} {'rail':<6} {'top':>4} {'tree':>5}  misses"

BOXES = """(names) => {
  const box = (element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    return [left, top, right, bottom].map((side) => Math.round(side * 10) / 10);
  };
  const one = (selector) => document.querySelector(selector);
  const boxOf = (selector) => (one(selector) ? box(one(selector)) : null);
  const sideways = (element) =>
    getComputedStyle(element).overflowX === "hidden" ? 0 : element.scrollWidth - element.clientWidth;
  const views = names.map((name) => decisionTreeViews.get(name));
  const main = one('[data-testid="stMain"]');
  const head = one(".st-key-inspector :is([data-testid=stHeading], [role=tablist], [data-testid=stMarkdown])");
  const strip = views[0].root.querySelector(".tv-strip");
  return {
    still: {
      rail: boxOf('[data-testid="stSidebar"]'), "rail's content": boxOf(".st-key-rail"),
      summary: boxOf(".st-key-summary"),
      sides: boxOf(".st-key-sides"), difference: boxOf(".st-key-difference"), stage: boxOf(".st-key-stage"),
      inspector: boxOf(".st-key-inspector"), strip: strip && box(strip), views: views.map((view) => box(view.root)),
      trees: views.map((view) => box(view.stage.surface.canvas)),
      scroll: [main.scrollTop, one(".st-key-workbench").scrollTop],
    },
    hosts: views.map((view) => box(view.root.querySelector(".tv-stage-host"))),
    head: head && box(head),
    window: [innerWidth, innerHeight],
    scrolls: main.scrollHeight - main.clientHeight,
    sideways: Math.max(...[document.documentElement, main, one(".st-key-workbench")].map(sideways)),
    selected: views.map((view) => view.state.selected),
    drawn: views.map((view) => view.leafCount()),
  };
}"""
INNER_NODES = """(name) => {
  const view = decisionTreeViews.get(name), area = view.stage.surface.canvas.getBoundingClientRect();
  const inside = ({ x, y }) => x > area.left && x < area.right && y > area.top && y < area.bottom;
  return [1, 2, 0].filter((node) => node !== view.state.selected && inside(view.nodeCentre(node) ?? {}));
}"""


@dataclass(frozen=True)
class Figures:
    """One page in one window: y of the stage's top, the trees' share of the window, and what misses its target."""

    page: str
    table: str
    window: tuple[int, int]
    rail: str
    top: float
    share: float
    misses: tuple[str, ...]

    @property
    def line(self) -> str:
        """One line of the table."""
        size = f"{self.window[0]}×{self.window[1]}"
        misses = "; ".join(self.misses) or "–"
        return f"{self.page:<9} {self.table:<12} {size:>9} {self.rail:<6} {self.top:>4.0f} {self.share:>5.0%}  {misses}"


def names_of(title: str) -> tuple[str, ...]:
    """The names of a page's views."""
    return VIEWS.get(title, (title.lower(),))


def share_of(boxes: Mapping[str, Any]) -> float:
    """The share of the window that the trees and their tools take."""
    width, height = boxes["window"]
    area = sum((right - left) * (bottom - top) for left, top, right, bottom in boxes["hosts"])
    return float(area / (width * height))


def misses_of(title: str, boxes: Mapping[str, Any], is_rail_open: bool) -> Iterator[str]:
    """The targets that a wide window misses."""
    top = boxes["still"]["stage"][1]
    if top > LATEST_TOP:
        yield f"stage begins at {top:.0f}"
    wanted = SHARES[title][0 if is_rail_open else 1]
    if tuple(boxes["window"]) == SHARES_AT and share_of(boxes) < wanted:
        yield f"tree has {share_of(boxes):.1%}, {wanted:.0%} wanted"
    places = {"stage": boxes["still"]["stage"], "strip": boxes["still"]["strip"], "inspector's head": boxes["head"]}
    places |= {f"tree {number}": box for number, box in enumerate(boxes["still"]["views"], 1)}
    for name, box in places.items():
        if box is not None and not is_inside(box, boxes["window"]):
            yield f"{name} is outside the window: {box}"
    if boxes["head"] is None:
        yield "the inspector has no head"
    if boxes["scrolls"] > 0:
        yield f"page scrolls by {boxes['scrolls']}"
    if boxes["sideways"] > 0:
        yield f"page scrolls sideways by {boxes['sideways']}"


def is_inside(box: tuple[float, float, float, float], window: tuple[int, int]) -> bool:
    """Whether a box is in the window as a whole, give or take half a pixel."""
    left, top, right, bottom = box
    return left >= -0.5 and top >= -0.5 and right <= window[0] + 0.5 and bottom <= window[1] + 0.5


def narrow_misses(boxes: Mapping[str, Any]) -> Iterator[str]:
    """The targets that a narrow window misses."""
    if boxes["sideways"] > 0:
        yield f"page scrolls sideways by {boxes['sideways']}"
    top = boxes["still"]["stage"][1]
    if top > boxes["window"][1] - LEAST_IN_FIRST_SCREEN:
        yield f"stage begins at {top:.0f}, below the first screen"


def click_misses(page: Page, title: str) -> Iterator[str]:
    """Click a node that is not selected: what moves, though only the inspector's content may change."""
    names = names_of(title)
    candidates = page.evaluate(INNER_NODES, names[0])
    if not candidates:
        yield "no node to click"
        return
    before, node = page.evaluate(BOXES, names), candidates[0]
    place = page.evaluate("([name, node]) => decisionTreeViews.get(name).nodeCentre(node)", [names[0], node])
    page.mouse.click(place["x"], place["y"])
    page.mouse.move(5, 5)
    answered(page)
    after = page.evaluate(BOXES, names)
    if after["selected"][0] != node:
        yield f"a click on node {node} selected {after['selected'][0]}"
    for name, box in before["still"].items():
        if after["still"][name] != box:
            yield f"a click moves {name}: {box} → {after['still'][name]}"


def set_rail(page: Page, is_open: bool) -> None:
    """Open or close the rail, if it is not so yet."""
    rail = page.get_by_test_id("stSidebar")
    box = rail.bounding_box()
    if (box is not None and box["width"] > 100 and box["x"] > -50) != is_open:
        if is_open:
            page.get_by_test_id("stExpandSidebarButton").click()
        else:
            rail.hover()
            page.locator('[data-testid="stSidebarCollapseButton"] button').click()
        page.wait_for_timeout(600)  # it slides


def resized(page: Page, window: tuple[int, int], names: tuple[str, ...]) -> Mapping[str, Any]:
    """The boxes once they stand still in a window of another size."""
    page.set_viewport_size({"width": window[0], "height": window[1]})
    before: Mapping[str, Any] = {}
    while True:
        page.wait_for_timeout(300)
        boxes: Mapping[str, Any] = page.evaluate(BOXES, names)
        if boxes == before:
            return boxes
        before = boxes


def open_table(page: Page, address: str, table: str) -> None:
    """Open the Data page with a sample, or upload the file that grows the large tree on all its rows."""
    opened(page, address, f"?{TABLES[table]}")
    if table == "2,000 nodes":
        noise: pd.DataFrame = table_for(NODES)
        uploaded(page, "noise.csv", noise.to_csv(index=False).encode())
        expect(page.get_by_role("heading", name="noise.csv")).to_be_visible()


def measured(page: Page, title: str, table: str, options: argparse.Namespace) -> Iterator[Figures]:
    """One page with one table in every window."""
    names = names_of(title)
    page.set_viewport_size({"width": SHARES_AT[0], "height": SHARES_AT[1]})
    visit(page, title)
    for name in names:
        page.wait_for_function(f"globalThis.decisionTreeViews?.get('{name}')?.tree")
    settled(page)
    has_rail = page.locator(".st-key-rail").count() > 0
    for is_rail_open in (True, False) if has_rail else (False,):
        if has_rail:
            set_rail(page, is_rail_open)
        for window in WIDE[: 1 if options.quick else None]:
            boxes = resized(page, window, names)
            misses = (*misses_of(title, boxes, is_rail_open), *click_misses(page, title))
            yield figures(page, title, table, rail_word(has_rail, is_rail_open), boxes, misses, options.pictures)
    for window in NARROW[: 1 if options.quick else None]:
        boxes = resized(page, window, names)
        yield figures(
            page, title, table, rail_word(has_rail, False), boxes, tuple(narrow_misses(boxes)), options.pictures
        )
    page.set_viewport_size({"width": SHARES_AT[0], "height": SHARES_AT[1]})
    page.wait_for_timeout(300)
    if has_rail:
        set_rail(page, is_open=True)


def rail_word(has_rail: bool, is_open: bool) -> str:
    """How the table calls the rail's state."""
    if not has_rail:
        return "none"
    return "open" if is_open else "closed"


def figures(
    page: Page,
    title: str,
    table: str,
    rail: str,
    boxes: Mapping[str, Any],
    misses: tuple[str, ...],
    pictures: Path | None,
) -> Figures:
    """The line of one window, and a picture of it if they are wanted."""
    width, height = boxes["window"]
    if pictures is not None:
        name = re.sub(r"\W", "_", f"{title}_{table}_{width}_{rail}")
        page.screenshot(path=pictures / f"{name}.png")
    return Figures(title, table, (width, height), rail, boxes["still"]["stage"][1], share_of(boxes), misses)


def measure(browser: Browser, address: str, options: argparse.Namespace) -> Iterator[Figures]:
    """All pages with all tables, a fresh context for each table."""
    for table in TABLES:
        with fresh_page(browser, PATIENCE) as page:
            open_table(page, address, table)
            for title in options.pages:
                yield from measured(page, title, table, options)


def options_of() -> argparse.Namespace:
    """The options of this program."""
    parser = parser_of("tests.benchmarks.layout", __doc__)
    parser.add_argument("--quick", action="store_true", help="one wide window and one narrow one only")
    parser.add_argument("--pages", nargs="+", default=PAGES, choices=PAGES, help="these pages only")
    parser.add_argument("--pictures", type=Path, metavar="FOLDER", help="save a picture of every window")
    return parsed(parser)


def main() -> int:
    """Measure, print the table and the misses, and give the exit code."""
    options, found = options_of(), []
    with started(ABOUT, HEADS, PATIENCE) as (browser, address):
        for row in measure(browser, address, options):
            found.append(row)
            print(row.line, flush=True)
    keep(found, options.json)
    missed = [row for row in found if row.misses]
    if missed:
        print(f"\n{len(missed)} of {len(found)} windows miss a target:", *(row.line for row in missed), sep="\n")
    else:
        print("\nall targets met")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
