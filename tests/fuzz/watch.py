"""Runs cases one after another and reports those that break a limit, with what replays them."""

from __future__ import annotations

import contextlib
import multiprocessing
import resource
import signal
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from tests.fuzz.models import run_model_case
from tests.fuzz.pipeline import Reached, run_case


@dataclass(frozen=True)
class Target:
    """What runs a case, and what it may take: processor time, and memory with the interpreter and its libraries."""

    run: Callable[[int, int], Reached]
    most_seconds: float
    most_bytes: int


TARGETS = {"files": Target(run_case, 5.0, 1 << 30), "models": Target(run_model_case, 2.0, 3 << 28)}


class Report:
    """How many cases reached which stage, and the failures as texts."""

    def __init__(self) -> None:
        self.reached: Counter[tuple[str, str]] = Counter()
        self.failures: list[str] = []
        self.slowest = (0.0, -1)
        self.largest = (0, -1)

    def lines(self) -> Iterator[str]:
        """What happened, in a few lines."""
        for (kind, stage), count in sorted(self.reached.items()):
            yield f"{kind:12s} {stage:14s} {count:7,d}"
        yield f"slowest: case {self.slowest[1]}, {self.slowest[0]:.2f} s of processor time"
        yield f"largest: case {self.largest[1]}, {self.largest[0] / 2**20:.0f} MB"
        yield f"{sum(self.reached.values()):,} cases, {len(self.failures)} failures"


def watch(seed: int, cases: Iterable[int], report: Report, target: str = "files") -> Iterator[str]:
    """Run the cases; yields the text of each failure as it happens."""
    for case in cases:
        failure = _failure(seed, case, report, target)
        if failure:
            report.failures.append(failure)
            yield failure


def watched_apart(seed: int, cases: range, target: str = "files") -> Report:
    """The report of some cases, run in a process of their own: what its memory holds is theirs."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as apart:
        return apart.submit(_watched, seed, cases, target).result()


def _watched(seed: int, cases: range, target: str) -> Report:
    report = Report()
    list(watch(seed, cases, report, target))
    return report


def _failure(seed: int, case: int, report: Report, target: str) -> str:
    """What is wrong with a case; empty where nothing is."""
    replay, of = f"python -m tests.fuzz {target} --seed {seed} --case {case}", TARGETS[target]
    forget_peak()
    start = time.process_time()
    try:
        with _stopped_after(2 * of.most_seconds):
            reached = of.run(seed, case)
    except (Exception, RecursionError):  # noqa: BLE001
        return f"{replay}\n{traceback.format_exc()}"
    seconds, peak = time.process_time() - start, peak_bytes()
    _note(report, case, reached, seconds, peak)
    if seconds > of.most_seconds:
        return f"{replay}\n{reached} took {seconds:.1f} s of processor time"
    if peak > of.most_bytes:
        return f"{replay}\n{reached} took {peak / 2**20:.0f} MB"
    return ""


def _note(report: Report, case: int, reached: Reached, seconds: float, peak: int) -> None:
    report.reached[reached.kind, reached.stage] += 1
    report.slowest = max(report.slowest, (seconds, case))
    report.largest = max(report.largest, (peak, case))


@contextlib.contextmanager
def _stopped_after(seconds: float) -> Iterator[None]:
    """Raise `TimeoutError` in a case that goes on for this much processor time."""

    def stop(*_: object) -> None:
        raise TimeoutError(f"more than {seconds} s of processor time")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def forget_peak() -> None:
    """Let Linux measure the largest memory from now on."""
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5", "ascii")


def peak_bytes() -> int:
    """The largest memory since `forget_peak`; elsewhere than on Linux since the process began."""
    with contextlib.suppress(OSError, StopIteration):
        lines = Path("/proc/self/status").read_text("ascii").splitlines()
        return int(next(line for line in lines if line.startswith("VmHWM")).split()[1]) << 10
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10
