"""What the benchmarks in a real browser share: options, the app with a browser beside it, pages, a file of figures."""

import argparse
import json
import os
import platform
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser.server import ARGUMENTS, chromium, running_app
from tests.browser.steps import chosen, settled


def parser_of(name: str, about: str | None) -> argparse.ArgumentParser:
    """A parser with the option `json`."""
    parser = argparse.ArgumentParser(prog=f"python -m {name}", description=about)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to a file")
    return parser


def parsed(parser: argparse.ArgumentParser) -> argparse.Namespace:
    """The options given; ends the program without Chromium."""
    options = parser.parse_args()
    if chromium() is None:
        parser.error("Chromium is not installed; get it with: apt-get install chromium")
    return options


def sized_parser(name: str, about: str | None, unit: str, full: str) -> argparse.ArgumentParser:
    """A parser with the options `full`, `sizes` (numbers of that unit, or None) and `json`."""
    parser = parser_of(name, about)
    parser.add_argument("--full", action="store_true", help=full)
    parser.add_argument(f"--{unit}", type=int, nargs="+", metavar="N", dest="sizes", help="these sizes instead")
    return parser


@contextmanager
def started(about: str, heads: str, patience: int) -> Iterator[tuple[Browser, str]]:
    """A browser and the address of the app, after printing what is measured and on what; `patience` in ms."""
    expect.set_options(timeout=patience)
    with running_app() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        print(about.format(version=browser.version, cores=os.cpu_count()))
        print(f"Python {platform.python_version()}\n\n{heads}", flush=True)
        yield browser, address
        browser.close()


@contextmanager
def fresh_page(browser: Browser, patience: int) -> Iterator[Page]:
    """A page of a context that has seen nothing yet; `patience` in ms."""
    context = browser.new_context(viewport={"width": 1400, "height": 1000})
    page = context.new_page()
    page.set_default_timeout(patience)
    yield page
    context.close()


def grown_on_all_rows(page: Page) -> None:
    """On the Data page: grow on all rows of the table, whatever is usual for its size."""
    popover = page.locator(".st-key-split button").first
    popover.click()
    chosen(page, "Split", "All rows")
    popover.click()
    settled(page)


def keep(figures: Sequence[Any], file: Path | None) -> None:
    """Write dataclasses to a file, if there is one to write to."""
    if file is not None:
        file.write_text(json.dumps([asdict(row) for row in figures], indent=1), "utf-8")
