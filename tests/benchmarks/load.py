"""Let a class of readers use the app at once, and print how long each waits and what each costs the server.

Run `python -m tests.benchmarks.load [--sessions N] [--think S] [--seconds S] [--same-link] [--changes algorithm …]
[--processes N] [--proxy] [--cold] [--leave] [--compressed] [--browsers N] [--json FILE]`.

The readers are websocket clients in a process of their own that speak Streamlit's protocol. They come once the server
has loaded its loops, or with `--cold` at once; each opens the Grow page of a table of 8,124 rows with a seed of its own
(with `--same-link` all have the same), and then makes one change after another. With `--browsers` some more work in
Chromium beside them and wait until the page shows what they asked for.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import os
import platform
import random
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from multiprocessing.connection import Connection
from pathlib import Path

import numpy as np
from playwright.sync_api import sync_playwright

from pages.results.memory.sessions import ENDED_AFTER, LEFT_AFTER
from tests.benchmarks.reader import ALGORITHMS, Answer, Reader
from tests.browser.server import ARGUMENTS, Server, chromium, proxy, running_server

TABLE = "mushroom"
CHANGES = {
    "algorithm": ("grow", Reader.change_algorithm, "another algorithm"),
    "node": ("grow", Reader.select_node, "another node"),
    "alpha": ("prune", Reader.release_slider, "α released"),
}
TO_ASK_ALL, TO_WARM_UP = 3, 20
"""Seconds until the proxy has asked all processes for their health, and until a server has loaded its loops."""
HEADS = (
    f"{'':<22} {'answers':>8} {'p50 s':>8} {'p95 s':>8} {'slowest':>8} {'processor s':>12} {'KB':>7} {'busy':>6}\n"
    f"{'':<22} {'':>8} {'':>8} {'':>8} {'':>8} {'each':>12} {'each':>7} {'cores':>6}"
)


@dataclass(frozen=True)
class Figures:
    """One kind of request: how long the answers took, and per answer the server's processor time and the bytes."""

    name: str
    answers: int
    median: float | None
    p95: float | None
    slowest: float | None
    processor: float | None
    received: float | None
    busy: float

    @classmethod
    def of(cls, name: str, answers: Sequence[Answer], used: float, passed: float) -> Figures:
        """The figures of answers that took `used` seconds of processor time while `passed` seconds went by.

        >>> print(Figures.of("α released", [], 0.5, 2.0))
        α released                    0        –        –        –            –       –   0.25
        """
        if not answers:
            return cls(name, 0, None, None, None, None, None, used / passed)
        seconds = np.array([answer.seconds for answer in answers])
        median, p95 = np.quantile(seconds, [0.5, 0.95])
        received = sum(answer.received for answer in answers) / len(answers)
        each = used / len(answers)
        return cls(name, len(answers), float(median), float(p95), float(seconds.max()), each, received, used / passed)

    @property
    def waits(self) -> str:
        """The line without what the server spent."""
        times = " ".join(_cell(value, 8, 2) for value in (self.median, self.p95, self.slowest))
        return f"{self.name:<22} {self.answers:>8} {times}"

    def __str__(self) -> str:
        kilobytes = None if self.received is None else self.received / 1000
        return f"{self.waits} {_cell(self.processor, 12, 3)} {_cell(kilobytes, 7, 0)} {self.busy:>6.2f}"


def _cell(value: float | None, width: int, digits: int) -> str:
    """A figure at the right of its column; a dash where there is none."""
    return f"{'–' if value is None else format(value, f'.{digits}f'):>{width}}"


def options() -> argparse.Namespace:
    """What to measure."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.load", description=__doc__)
    parser.add_argument("--sessions", type=int, default=50, help="readers at once (50)")
    parser.add_argument("--think", type=float, default=10.0, help="mean seconds between an answer and the next (10)")
    parser.add_argument("--seconds", type=float, default=120.0, help="how long each kind of change is made (120)")
    parser.add_argument("--same-link", action="store_true", help="all readers have the same table and seed")
    parser.add_argument("--changes", nargs="+", choices=[*CHANGES], default=[*CHANGES], help="which changes (all)")
    parser.add_argument("--processes", type=int, default=1, help="server processes; a reader stays with its own (1)")
    parser.add_argument("--proxy", action="store_true", help="readers come through the proxy of deploy/")
    parser.add_argument("--cold", action="store_true", help="readers come before the server has loaded its loops")
    parser.add_argument("--leave", action="store_true", help="print the memory before all came and after they left")
    parser.add_argument("--compressed", action="store_true", help="compress messages")
    parser.add_argument("--browsers", type=int, default=0, help="so many more readers in Chromium (0)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to a file")
    return parser.parse_args()


def processor_seconds(servers: Sequence[Server]) -> float:
    """The processor time that the servers have used, in all their threads."""
    ticks = 0
    for server in servers:
        fields = Path(f"/proc/{server.pid}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def megabytes(servers: Sequence[Server]) -> float:
    """The memory that the servers hold now."""
    texts = [Path(f"/proc/{server.pid}/status").read_text("utf-8") for server in servers]
    return sum(int(text.split("VmRSS:")[1].split()[0]) for text in texts) / 1024


@contextmanager
def readers(addresses: Sequence[str], chosen: argparse.Namespace) -> Iterator[Connection]:
    """The process with the websocket clients; what is sent to it is a kind of request, what it sends are answers."""
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=_be_readers, args=(there, addresses, chosen), daemon=True)
    process.start()
    yield here
    here.send(None)
    process.join(timeout=60)


def _be_readers(pipe: Connection, addresses: Sequence[str], chosen: argparse.Namespace) -> None:
    asyncio.run(_serve_requests(pipe, addresses, chosen))


async def _serve_requests(pipe: Connection, addresses: Sequence[str], chosen: argparse.Namespace) -> None:
    several = []
    for number in range(chosen.sessions):
        query = f"data={TABLE}" if chosen.same_link else f"data={TABLE}&seed={number + 1}"
        several.append(Reader(addresses[number % len(addresses)], query, number, chosen.compressed))
    while (request := await asyncio.to_thread(pipe.recv)) is not None:
        if request == "open":
            answers = await asyncio.gather(*(reader.open("grow") for reader in several))
        elif request in ("grow", "prune"):
            answers = await asyncio.gather(*(reader.visit(request) for reader in several))
        else:
            end = time.perf_counter() + chosen.seconds
            works = [_work(reader, request, chosen.think, end) for reader in several]
            answers = [answer for made in await asyncio.gather(*works) for answer in made]
        pipe.send(list(answers))
    await asyncio.gather(*(reader.close() for reader in several))


async def _work(reader: Reader, change: str, think: float, end: float) -> list[Answer]:
    """Think, change, wait for the answer; the pauses vary by a half, and the first one is any part of a pause."""
    pauses, answers = random.Random(reader.seed), []
    await asyncio.sleep(pauses.uniform(0, think))
    while time.perf_counter() < end:
        answers.append(await CHANGES[change][1](reader))
        await asyncio.sleep(pauses.uniform(think / 2, think * 1.5))
    return answers


def measured(pipe: Connection, servers: Sequence[Server], request: str, name: str) -> Figures:
    """Have the readers make requests of a kind, and take what they cost."""
    before, start = processor_seconds(servers), time.perf_counter()
    pipe.send(request)
    while not pipe.poll(1.0):
        pass
    answers: list[Answer] = pipe.recv()
    used, passed = processor_seconds(servers) - before, time.perf_counter() - start
    return Figures.of(name, answers, used, passed)


def watch(pipe: Connection, address: str, chosen: argparse.Namespace, number: int) -> None:
    """One reader in Chromium, who changes the algorithm; sends the seconds until the page named it in its summary."""
    pauses, current, answers = random.Random(1000 + number), "CART", []
    seed = "" if chosen.same_link else f"&seed={chosen.sessions + number + 1}"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        page = browser.new_page(viewport={"width": 1400, "height": 900})
        page.set_default_timeout(300_000)
        page.goto(f"{address}/grow?data={TABLE}{seed}")
        page.locator(".st-key-summary").wait_for()
        pipe.send("ready")
        pipe.recv()
        end = time.perf_counter() + chosen.seconds
        while time.perf_counter() < end:
            page.wait_for_timeout(1000 * pauses.uniform(chosen.think / 2, chosen.think * 1.5))
            current = pauses.choice([name for name in ALGORITHMS if name != current])
            start = time.perf_counter()
            page.get_by_role("radio", name=current, exact=True).click()
            page.locator(".st-key-summary", has_text=f"· {current} ·").wait_for()
            answers.append(Answer(time.perf_counter() - start, 0))
        browser.close()
    pipe.send(answers)


@contextmanager
def watched(server: Server, chosen: argparse.Namespace) -> Iterator[list[Connection]]:
    """Readers in browsers, each in a process of its own, which begin to work when they are sent anything."""
    context, pipes, processes = multiprocessing.get_context("spawn"), [], []
    for number in range(chosen.browsers):
        here, there = context.Pipe()
        process = context.Process(target=watch, args=(there, server.address, chosen, number), daemon=True)
        process.start()
        pipes.append(here)
        processes.append(process)
    for pipe in pipes:
        pipe.recv()
    yield pipes
    for process in processes:
        process.join(timeout=60)


def work(chosen: argparse.Namespace) -> list[Figures]:
    """Start the servers and the readers, and print what each kind of request takes."""
    figures: list[Figures] = []

    def note(row: Figures) -> None:
        figures.append(row)
        print(row, flush=True)

    with ExitStack() as stack:
        servers = [stack.enter_context(running_server()) for _ in range(chosen.processes)]
        addresses = [server.address for server in servers]
        if chosen.proxy:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            addresses = [stack.enter_context(proxy(folder, servers))]
            time.sleep(TO_ASK_ALL)
        if not chosen.cold:
            time.sleep(TO_WARM_UP)
        before, end = megabytes(servers), ExitStack()
        pipe = end.enter_context(readers(addresses, chosen))
        stack.push(end.__exit__)
        page = "grow"
        note(measured(pipe, servers, "open", "first opening"))
        for change in chosen.changes:
            wanted, _, name = CHANGES[change]
            if wanted != page:
                note(measured(pipe, servers, wanted, f"to the page {wanted}"))
                page = wanted
            if change == "algorithm" and chosen.browsers:
                with watched(servers[0], chosen) as pipes:
                    for browser in pipes:
                        browser.send("go")
                    note(measured(pipe, servers, change, name))
                    seen = [answer for browser in pipes for answer in browser.recv()]
                    print(Figures.of("  in Chromium", seen, 0.0, 1.0).waits)
            else:
                note(measured(pipe, servers, change, name))
        if chosen.leave:
            most = megabytes(servers)
            end.close()
            time.sleep(ENDED_AFTER + LEFT_AFTER + TO_WARM_UP)
            print(f"{before:.0f} MB before all came, {most:.0f} with them, {megabytes(servers):.0f} after they left")
    return figures


def main() -> None:
    """Print one line for each kind of request."""
    chosen = options()
    sharing = "one link" if chosen.same_link else "a seed each"
    print(
        f"{chosen.sessions} sessions, {sharing}, {chosen.think:g} s between an answer and the next change, "
        f"{chosen.processes} server process(es), {os.cpu_count()} cores, Python {platform.python_version()}\n\n{HEADS}"
    )
    figures = work(chosen)
    if chosen.json is not None:
        chosen.json.write_text(json.dumps([asdict(row) for row in figures], indent=1), "utf-8")


if __name__ == "__main__":
    main()
