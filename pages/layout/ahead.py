"""What the server does before its first reader: load all that pages need of Python, then compile or load the loops."""

from __future__ import annotations

import asyncio
import gc
import importlib
import pkgutil
import threading
import time
from collections import deque
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
LONG, LOOKS_EVERY = 0.3, 0.1
"""Seconds after which a run no longer keeps others waiting, and between looks at the clock."""


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
    for files in (tree_view.FILES, ensemble_view.FILES):
        _ = files.script, files.style, files.templates


def _warm_up() -> None:
    """Compile and load, and leave what stays for good, such as modules, out of every later collection of garbage."""
    ex.warm_up(first=page_runs.wait_until_over)
    gc.collect()
    gc.freeze()


class PageRuns:
    """The runs of whole pages: one at a time, the others in line, so that a class is served one after another.

    Fifty at once would all end together, as late as the last one does in line; and the thread that sends answers would
    stand behind fifty. Already two cost a quarter more than one after another, as they take turns within Python. A run
    that takes long holds up nobody: after `LONG` seconds the next one begins. Fragments, such as a click on a node, do
    not stand in line.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: deque[threading.Event] = deque()
        self._begun: dict[threading.Event, float] = {}

    @contextmanager
    def one(self) -> Iterator[None]:
        """The block is the run of a page; it begins when it is its turn."""
        turn = threading.Event()
        with self._lock:
            self._waiting.append(turn)
        while not self._begins(turn):
            turn.wait(LOOKS_EVERY if self._waiting[0] is turn else None)
            turn.clear()
        try:
            yield
        finally:
            with self._lock:
                del self._begun[turn]
                self._call_next()

    def wait_until_over(self) -> None:
        """Return at once if no page runs; else some time after the end of all, so that browsers have them."""
        end, is_first = time.monotonic() + MOST_SECONDS, True
        while (self._begun or self._waiting) and time.monotonic() < end:
            time.sleep(LOOKS_EVERY)
            is_first = False
        if not is_first:
            time.sleep(TO_DRAW)

    def _begins(self, turn: threading.Event) -> bool:
        """Whether it is the turn of a run, which then has begun."""
        with self._lock:
            now = time.monotonic()
            if self._waiting[0] is not turn or any(now - begun < LONG for begun in self._begun.values()):
                return False
            self._waiting.popleft()
            self._begun[turn] = now
            self._call_next()
            return True

    def _call_next(self) -> None:
        if self._waiting:
            self._waiting[0].set()


page_runs = PageRuns()
