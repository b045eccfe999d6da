"""What a reader does in the app, as steps for the tests."""

import re
from collections.abc import Callable, Iterable
from itertools import count
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from playwright.sync_api import FloatRect, Locator, Page, expect

from tests.folders import SAMPLES_FOLDER as SAMPLES

GROUNDS = {"light": "rgb(255, 255, 255)", "dark": "rgb(20, 23, 28)"}
"""The themes, and what is behind a page in each."""
LINE = 35
"""Height of a line of a table that is drawn on a canvas, in pixels."""
LOW_LINE = 28
"""The same of the table of columns, but for its heading."""
ROLE, TYPE = 246, 400
"""Where the table of columns can be edited, in a window of 1400 pixels."""
READY = '[data-testid="stApp"][data-test-script-state="notRunning"]'
FIRST_PAGE = 120_000
"""Milliseconds for the first page of a server just started, which loads the whole program for it."""
RUNS = Path(__file__).with_name("runs.js").read_text("utf-8")
"""The script by which a page knows whether the server has done what it was asked for; a fixture's page has it."""
DONE = f"() => document.querySelector(`{READY}`) && (globalThis.isServerDone?.() ?? true)"

_WAITS = count()
"""The number of each wait."""


def foreign(addresses: Iterable[str]) -> list[str]:
    """Those of them that ask another machine than this one."""
    parts = map(urlsplit, addresses)
    return [part.geturl() for part in parts if part.hostname not in (None, "127.0.0.1")]


def awaited(page: Page, script: str, arg: Any = None) -> None:
    """Wait for a frame, and then until a script in the page gives what is true.

    A page that is asked in every frame, as Playwright does by default, has to make them all.
    """
    wait = next(_WAITS)
    asked = f"""(arg) => {{
      if (globalThis.drawnFor !== {wait}) {{
        requestAnimationFrame(() => {{ globalThis.drawnFor = {wait}; }});
        return false;
      }}
      const value = ({script});
      return value instanceof Function ? value(arg) : value;
    }}"""
    page.wait_for_function(asked, arg=arg, polling=50)


def settled(page: Page) -> None:
    """Wait until the server has done what the page has asked for and the page shows it, and look for a crash."""
    for to_ask_or_to_draw in (250, 150):
        page.wait_for_timeout(to_ask_or_to_draw)
        awaited(page, DONE)
    crashes = page.get_by_test_id("stException").all_inner_texts()
    assert not crashes, crashes


def in_theme(page: Page, theme: Literal["light", "dark"]) -> None:
    """Have the page in this theme, as when the reader's system turns to it."""
    page.emulate_media(color_scheme=theme)
    expect(page.get_by_test_id("stApp")).to_have_css("background-color", GROUNDS[theme])
    settled(page)


def until(page: Page, holds: Callable[[], bool]) -> None:
    """Wait until something holds that the page moves to."""
    for _ in range(400):
        if holds():
            return
        page.wait_for_timeout(100)
    raise AssertionError("It never came true.")


def opened(page: Page, address: str, path: str = "") -> None:
    """Open a page of the app by its own address."""
    page.goto(f"{address}/{path}")
    page.wait_for_selector("h1", state="attached", timeout=FIRST_PAGE)
    settled(page)


def at_page(page: Page, title: str) -> None:
    """Look for the page's title, which screen readers hear; the navigation shows it to all others."""
    expect(page.get_by_role("heading", name=title, exact=True, level=1)).to_be_attached()


def visit(page: Page, title: str) -> None:
    """Follow the navigation to another page."""
    page.get_by_role("link", name=title, exact=True).first.click()
    at_page(page, title)
    settled(page)


def tab_opened(page: Page, name: str) -> None:
    """Open a tab of the inspector."""
    page.get_by_role("tab", name=name, exact=True).click()
    settled(page)


def summary(page: Page) -> Locator:
    """The line above the tree."""
    return page.locator(".st-key-summary")


def uploaded(page: Page, name: str, content: bytes | None = None) -> None:
    """Give the app a file of one's own."""
    content = (SAMPLES / name).read_bytes() if content is None else content
    page.locator('.st-key-uploader input[type="file"]').set_input_files(
        {"name": name, "mimeType": "text/csv", "buffer": content}
    )
    settled(page)


def chosen(page: Page, label: str, option: str) -> None:
    """Choose an option of a selectbox by its beginning, with the keyboard."""
    box = page.get_by_role("combobox", name=label)
    box.click()
    box.fill(option)
    expect(page.locator("[role=option][data-focused=true]")).to_contain_text(option)
    box.press("Enter")
    settled(page)


def view_value(page: Page, name: str, expression: str) -> Any:
    """What an expression gives of the tree view of that name, once it has a tree."""
    awaited(page, f"globalThis.decisionTreeViews?.get('{name}')?.tree")
    return page.evaluate(f"(() => {{ const view = decisionTreeViews.get('{name}'); return {expression}; }})()")


def leaves_shown(page: Page) -> int:
    """The number of leaves in the summary line."""
    leaves = re.compile(r"([\d,]+) lea(?:f|ves)\b")
    expect(summary(page)).to_contain_text(leaves)
    found = leaves.search(summary(page).inner_text())
    assert found is not None
    return int(found[1].replace(",", ""))


def answered(page: Page) -> None:
    """Wait until Python has answered the last report of every tree view."""
    awaited(
        page,
        """() => [...(globalThis.decisionTreeViews ?? new Map()).values()].every(
            (view) => view.root.dataset.echo === String(view.memory.sent) && !view.isDragging)""",
    )
    settled(page)


def algorithm(page: Page, name: str) -> None:
    """Pick ID3, C4.5 or CART in the rail of the Grow page."""
    picker = page.get_by_test_id("stSidebar").get_by_role("radio", name=name, exact=True)
    picker.click()
    settled(page)
    expect(picker).to_be_checked()


def table_at_rest(page: Page, table: Locator) -> FloatRect:
    """Where a table is, once it can be clicked: it is drawn anew after each run."""
    table.locator("[role=gridcell]").first.wait_for(state="attached")
    page.wait_for_timeout(1000)  # nobody clicks within its first frames
    boxes: list[FloatRect | None] = []

    def rests() -> bool:
        table.evaluate("(table) => table.scrollIntoViewIfNeeded()")
        boxes.append(table.bounding_box())
        return boxes[-1] is not None and boxes[-2:-1] == boxes[-1:]

    until(page, rests)
    box = boxes[-1]
    assert box is not None
    return box


def click_cell(page: Page, table: Locator, column: int, row: int, widths: list[int]) -> None:
    """Click into a table drawn on a canvas; lines are 35 pixels high, the first is the heading."""
    box = table_at_rest(page, table)
    _hand_clicks(page, box["x"] + sum(widths[:column]) + widths[column] / 2, box["y"] + LINE * (row + 1) + 17)
    settled(page)


def _hand_clicks(page: Page, x: float, y: float) -> None:
    """Click there as a hand does: it comes from beside, and a table takes a click only where it felt a pointer come."""
    for beside in (-20, 0):
        page.mouse.move(x + beside, y)
        page.wait_for_timeout(100)
    page.mouse.click(x, y)


def columns_table(page: Page) -> Locator:
    """The table of columns on the Data page."""
    return page.locator(".st-key-columns [data-testid=stDataFrame]")


def cell_set(page: Page, line: int, x: float, option: str) -> None:
    """Choose an option in a cell of the table of columns; the first column is line 1."""
    place = table_at_rest(page, columns_table(page))
    for cell in (20, x):  # by way of the name: a click into the cell chosen last would open it, and Enter close it
        _hand_clicks(page, place["x"] + cell, place["y"] + LINE + LOW_LINE * (line - 1) + 14)
    page.wait_for_timeout(300)
    page.keyboard.press("Enter")
    page.get_by_role("option").first.wait_for()
    page.keyboard.type(option)
    page.get_by_role("option", name=option, exact=True).click()
    settled(page)
