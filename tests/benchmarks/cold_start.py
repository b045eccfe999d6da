"""From a fresh clone to the first tree in Chromium, until all loops are compiled, and the first visit of every page.

Run it with `python -m tests.benchmarks.cold_start [--here] [--pages NAME…]`. It clones the last commit into a folder of
its own, so that nothing is compiled there, and uses this Python with its packages. With `--here` it takes this folder.
"""

import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from explorer.jit import ALL_COMPILED, PAGES_COMPILED
from tests.benchmarks.browsing import fresh_page, keep, parsed, parser_of
from tests.benchmarks.process_account import processor_seconds_of
from tests.browser import server as app_server
from tests.browser.server import ARGUMENTS, Server, chromium
from tests.browser.steps import READY
from tests.folders import ROOT

PATIENCE = 600_000
"""Milliseconds that a step may take."""
PAGES = ("data", "grow", "prune", "evaluate", "rules", "predict", "compare", "ensembles", "learn")
HAS_TREE = "[...(globalThis.decisionTreeViews ?? new Map()).values()].some((view) => view.tree)"
IMPORT = "import time; start = time.perf_counter(); import explorer; print(time.perf_counter() - start)"
WARM_UP = IMPORT.replace("import explorer;", "import explorer; explorer.warm_up();")


@dataclass(frozen=True)
class Figure:
    """What was measured: seconds on the clock, and of the processor where they were counted."""

    what: str
    seconds: float
    processor: float | None = None


def main() -> None:
    """Measure and print."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # a reader's Python keeps the modules that it has read
    parser = parser_of("tests.benchmarks.cold_start", __doc__)
    parser.add_argument("--here", action="store_true", help="no clone: with what is compiled in this folder")
    parser.add_argument("--pages", nargs="+", choices=PAGES, default=PAGES, help="whose first visit is timed (all)")
    options = parsed(parser)
    print(f"{os.cpu_count()} cores, Python {platform.python_version()}, load {os.getloadavg()[0]:.1f}\n", flush=True)
    with tempfile.TemporaryDirectory(prefix="cold-start-") as folder, sync_playwright() as playwright:
        clone = ROOT if options.here else Path(folder, "clone")
        if not options.here:
            subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True)
        browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        figures = []
        for figure in measured(clone, browser, options.pages):
            of_processor = "" if figure.processor is None else f"   processor {figure.processor:6.1f} s"
            print(f"{figure.what:48}{figure.seconds:8.2f} s{of_processor}", flush=True)
            figures.append(figure)
        browser.close()
    keep(figures, options.json)


def measured(clone: Path, browser: Browser, pages: Sequence[str]) -> Iterator[Figure]:
    """All figures, in the order in which they come about."""
    yield Figure("import explorer, never imported before", seconds_of(IMPORT, clone))
    yield Figure("import explorer, best of 5", min(seconds_of(IMPORT, clone) for _ in range(5)))
    with server_in(clone) as server:
        answered = time.perf_counter()
        yield Figure("server answers → first tree (Grow)", first_tree(browser, server))
        for what, mark in (("what pages need", PAGES_COMPILED), ("everything", ALL_COMPILED)):
            wait_for(lambda: any(clone.rglob(f"{mark}-*")))  # noqa: B023 - called here
            seconds = time.perf_counter() - answered
            yield Figure(f"server answers → {what} is compiled", seconds, processor_seconds_of(server.pid))
    yield Figure("later starts: load what was compiled", seconds_of(WARM_UP, clone))
    with server_in(clone) as server:
        yield Figure("restarted server answers → first tree (Grow)", first_tree(browser, server))
        time.sleep(5)  # its warm-up ends
        for name in pages:
            yield Figure(f"first visit of {name}", visit(browser, server, name))


def seconds_of(program: str, folder: Path) -> float:
    """What a program prints that measures itself."""
    result = subprocess.run([sys.executable, "-c", program], cwd=folder, check=True, capture_output=True, text=True)
    return float(result.stdout)


@contextmanager
def server_in(folder: Path) -> Iterator[Server]:
    """A server of the clone, ended with the block."""
    app_server.ROOT, here = folder, app_server.ROOT
    server = Server()
    try:
        yield server
    finally:
        server.stop()
        app_server.ROOT = here


def first_tree(browser: Browser, server: Server) -> float:
    """Seconds until a new reader sees the tree of the Grow page."""
    with fresh_page(browser, PATIENCE) as page:
        start = time.perf_counter()
        page.goto(f"{server.address}/grow")
        page.wait_for_function(HAS_TREE)
        return time.perf_counter() - start


def visit(browser: Browser, server: Server, name: str) -> float:
    """Seconds until a page that a new reader opens has nothing left to do."""
    with fresh_page(browser, PATIENCE) as page:
        start = time.perf_counter()
        page.goto(f"{server.address}/{name}")
        page.wait_for_selector("h1", state="attached")
        page.wait_for_selector(READY)
        return time.perf_counter() - start


def wait_for(is_there: Callable[[], bool]) -> None:
    """Look every tenth of a second."""
    end = time.perf_counter() + PATIENCE / 1000
    while not is_there():
        if time.perf_counter() > end:
            raise RuntimeError("the loops were not compiled in time")
        time.sleep(0.1)


if __name__ == "__main__":
    main()
