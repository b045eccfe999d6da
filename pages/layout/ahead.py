"""What the server does before its first reader: load all that pages need of Python, then compile or load the loops."""

from __future__ import annotations

import asyncio
import gc
import importlib
import pkgutil
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import explorer as ex
from explorer.drawing import ensemble_view, tree_view
from explorer.messages import ENGLISH, use_catalogue
from pages.results import jobs
from pages.results.cache import results

PAGES = Path(__file__).parent.parent
LATE = ("openpyxl", "scipy.cluster.hierarchy", "scipy.special", "sklearn.metrics", "sklearn.model_selection")
"""What functions import when they are first called, so that the package is quick to import in a program."""
MOST_SECONDS, TO_DRAW = 10, 1
"""Seconds that the loops wait for the pages of readers who are there already, at most, and then for their browsers."""


@asynccontextmanager
async def lifespan(_app: object) -> AsyncIterator[None]:
    """The life of a server: it answers once Python is loaded; the loops follow while the first page is read."""
    await asyncio.to_thread(load)
    threading.Thread(target=_warm_up, name="warm-up", daemon=True).start()
    yield


def load() -> None:
    """Import what pages import, and read the scripts that they send. Pages themselves run; they are not imported."""
    use_catalogue(ENGLISH)  # of this thread, which has no session
    results()  # says in the log how much memory results may take
    jobs.pool()  # readers who come together would make one each
    for name in ex.__all__:
        getattr(ex, name)
    for name in LATE:
        importlib.import_module(name)
    for module in pkgutil.walk_packages([str(PAGES)], "pages."):
        last = module.name.rpartition(".")[2]
        if last != "page" and not last.startswith("_"):
            importlib.import_module(module.name)
    tree_view.script()
    tree_view.style()
    ensemble_view.templates()


def _warm_up() -> None:
    """Compile and load, and leave what stays for good, such as modules, out of every later collection of garbage."""
    ex.warm_up(first=page_runs.wait_until_over)
    gc.collect()
    gc.freeze()


class PageRuns:
    """The runs of pages that are going on: what is less urgent waits for their end."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._going_on = 0

    @contextmanager
    def one(self) -> Iterator[None]:
        """The block is the run of a page."""
        with self._changed:
            self._going_on += 1
        try:
            yield
        finally:
            with self._changed:
                self._going_on -= 1
                self._changed.notify_all()

    def wait_until_over(self) -> None:
        """Return at once if no page runs; else some time after the end of all, so that browsers have them."""
        with self._changed:
            if not self._going_on:
                return
            self._changed.wait_for(lambda: not self._going_on, MOST_SECONDS)
        time.sleep(TO_DRAW)


page_runs = PageRuns()
