"""Compile ahead of use, in processes beside this one: their code reaches it by way of the disk.

numba compiles one function at a time and holds the interpreter lock meanwhile: compiling here would use one core and
make pages wait. The processes share their work through the compile cache, which has a file for each function.
"""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager, suppress
from itertools import chain
from pathlib import Path
from queue import SimpleQueue

MOST_PROCESSES = 4
"""Processes that compile at once, at most: each takes up to 0.5 GB for a few seconds."""
_PROGRAM = "from explorer.compile_ahead import compile_named_tasks; compile_named_tasks()"


def warm_up(processes: int | None = None, first: Callable[[], object] = lambda: None) -> None:
    """Compile everything that pages show, or load it from disk: a minute on the first start, a second later.

    `processes` is how many compile at once: by default one for each core, and 0 compiles here. What pages need comes
    first, unless a table waits for something else. Meanwhile small tables are grown by the readable layer, in Python,
    so that the first tree does not wait. `first` is called before anything is compiled here or loaded, and may wait for
    what is more urgent.
    """
    from explorer.as_written import run_as_written
    from explorer.compiling import IN_ORDER_OF_NEED, NEEDED_BY_PAGES, compiling
    from explorer.jit import ALL_COMPILED, LINKS_PARTS, PAGES_COMPILED, is_all_compiled, mark

    is_beside = processes != 0 and LINKS_PARTS and not is_all_compiled()  # several processes mix up numba's own files
    count = (processes or min(os.cpu_count() or 1, MOST_PROCESSES)) if is_beside else 0
    left = list(IN_ORDER_OF_NEED)
    with compiling(is_beside), run_as_written(), _compiled_by_processes(left, count) as compiled:
        first()
        for name in chain(compiled, IN_ORDER_OF_NEED):  # the second what no process has compiled
            if name in left:
                _load(name)
                left.remove(name)
                if name in NEEDED_BY_PAGES and not set(NEEDED_BY_PAGES) & set(left):
                    mark(PAGES_COMPILED)
    mark(ALL_COMPILED)


def _load(task: str) -> None:
    """Have what a task needs in this process, from disk or compiled here, and let those go on who wait for it."""
    from explorer.as_written import loading
    from explorer.compile_tasks import TASKS  # loads the whole package
    from explorer.compiling import PLAIN_PARTS, let_grow
    from explorer.threads import working_alone

    if task != PLAIN_PARTS:  # which are in what `PLAIN` loads
        with loading(), working_alone():  # other threads may all be waiting for what is loaded here
            TASKS[task]()
    let_grow(task)


def compile_named_tasks() -> None:
    """Compile the tasks that standard input names, one a line, and say after each that it is done."""
    if hasattr(os, "nice"):
        os.nice(10)  # answering pages goes first
    gc.disable()  # a tenth of the time, and the process ends soon
    from explorer.compile_tasks import TASKS
    from explorer.compiling import compiling

    names: SimpleQueue[str] = SimpleQueue()
    threading.Thread(target=_read_names, args=(names,), daemon=True).start()
    while True:
        name = names.get()
        with compiling():
            TASKS[name]()
        sys.stdout.write(f"{name}\n")
        sys.stdout.flush()


def _read_names(names: SimpleQueue[str]) -> None:
    """Read names from standard input; when it ends, so has the process that wants them, and this one ends at once."""
    for line in sys.stdin:
        names.put(line.strip())
    os._exit(0)


@contextmanager
def _compiled_by_processes(names: list[str], processes: int) -> Iterator[Iterator[str]]:
    """Have tasks compiled by several processes; gives the names of those that are done, as they are.

    What is asked for meanwhile comes first. What a process that fails was to do is left out.
    """
    from explorer.compiling import take_next

    workers: SimpleQueue[subprocess.Popen[str]] = SimpleQueue()
    waiting = list(names)

    def compiled() -> str:
        worker, name = workers.get(), take_next(waiting)
        try:
            assert worker.stdin is not None
            assert worker.stdout is not None
            worker.stdin.write(f"{name}\n")
            worker.stdin.flush()
            return worker.stdout.readline().strip()
        except OSError:  # the process has ended: what it was to compile is compiled here
            return ""
        finally:
            workers.put(worker)

    # Processes end before threads, which wait for what they compile.
    with ThreadPoolExecutor(max(processes, 1)) as pool, _started(min(processes, len(names))) as running:
        for worker in running:
            workers.put(worker)
        futures = [pool.submit(compiled) for _ in names] if running else []
        try:
            yield (name for future in as_completed(futures) if (name := future.result()))
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


@contextmanager
def _started(count: int) -> Iterator[list[subprocess.Popen[str]]]:
    """Processes that wait for the names of tasks; they end with the block, and with this process."""
    path = os.pathsep.join(filter(None, (str(Path(__file__).parent.parent), os.environ.get("PYTHONPATH"))))
    environment, pipe = {**os.environ, "PYTHONPATH": path}, subprocess.PIPE
    command = [sys.executable, "-c", _PROGRAM]
    started: list[subprocess.Popen[str]] = []
    try:
        with suppress(OSError):  # where no more processes are allowed, those that run do it, or this one
            for _ in range(count):
                worker = subprocess.Popen(command, env=environment, stdin=pipe, stdout=pipe, text=True)
                started.append(worker)
        yield started
    finally:
        for worker in started:
            worker.kill()
            worker.communicate()
