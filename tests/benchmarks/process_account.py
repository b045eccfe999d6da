"""Linux's account of this process and its children: processor seconds, wall time, peak of resident memory."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")


@dataclass
class Spent:
    """Seconds of processor over all threads and living children, and of wall time."""

    processor: float = 0.0
    wall: float = 0.0


@dataclass
class Account:
    """What the steps of a run took, by name."""

    steps: dict[str, Spent] = field(default_factory=dict)

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Add what the block takes, also where it ends with an error."""
        spent = self.steps.setdefault(name, Spent())
        processor, wall = processor_seconds(), time.perf_counter()
        try:
            yield
        finally:
            spent.processor += processor_seconds() - processor
            spent.wall += time.perf_counter() - wall


def processor_seconds() -> float:
    """User and system time so far; that of ended threads counts too."""
    ticks = [int(tick) for child in _children() for tick in _fields_of(child)[11:15]]
    return time.process_time() + sum(ticks) / TICKS


def processor_seconds_of(process: int) -> float:
    """The same of another process and those below it."""
    return sum(int(tick) for member in (process, *_children(process)) for tick in _fields_of(member)[11:15]) / TICKS


def peak_megabytes() -> float:
    """The greatest resident memory so far, summed over this process and its living children."""
    return sum(_peak_kilobytes(process) for process in (os.getpid(), *_children())) / 1024


def _peak_kilobytes(process: int) -> int:
    status = Path(f"/proc/{process}/status").read_text("utf-8", "replace").splitlines()
    return next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))


def _children(process: int | None = None) -> list[int]:
    """The living processes below a process, if not given below this one."""
    numbers = [int(folder.name) for folder in Path("/proc").iterdir() if folder.name.isdigit()]
    parents = {number: int((_fields_of(number) or ["", "0"])[1]) for number in numbers}
    members = [os.getpid() if process is None else process]
    for member in members:
        members += [number for number, parent in parents.items() if parent == member]
    return members[1:]


def _fields_of(process: int) -> list[str]:
    """Fields of /proc/N/stat after the name: state, parent, …; empty where the process is gone."""
    try:
        text = Path(f"/proc/{process}/stat").read_text("utf-8", "replace")
    except OSError:
        return []
    return text[text.rindex(")") + 2 :].split()
