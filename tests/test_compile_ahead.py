"""Compiling in processes beside this one: who does which task, and what happens when a process fails."""

import pickle
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from explorer import as_written, compile_ahead, compile_tasks, jit
from explorer.compiling import IN_ORDER_OF_NEED, PAGES, PLAIN, PLAIN_PARTS, compiling, is_compiling, wait_for_loops
from explorer.errors import Stopped
from explorer.growing.plain.partition import assign_branches
from explorer.growing.plain.search import search_values
from explorer.growing.plain.subtree import divide, write_children
from tests.folders import ROOT

NAMES = ["one", "two", "three"]
ECHO = "import sys\nfor line in sys.stdin: print(line, end='', flush=True)"


def compiled_by(processes: int) -> list[str]:
    with compile_ahead._compiled_by_processes(NAMES, processes) as compiled:
        return list(compiled)


@pytest.mark.parametrize("processes", [1, 2, 5])
def test_every_task_is_done_by_one_process(monkeypatch, processes):
    monkeypatch.setattr(compile_ahead, "_PROGRAM", ECHO)
    assert sorted(compiled_by(processes)) == sorted(NAMES)


def test_what_a_table_waits_for_is_compiled_next_unless_it_was_stopped(monkeypatch):
    monkeypatch.setattr(compile_ahead, "_PROGRAM", ECHO)
    orders = []

    def compile_and_stop(done: int, total: int) -> None:
        orders.append(compiled_by(1))
        raise Stopped

    with compiling(beside=True):
        with pytest.raises(Stopped):
            wait_for_loops(("three",), 1, compile_and_stop)
        orders.append(compiled_by(1))
    assert orders == [["three", "one", "two"], NAMES]


@pytest.mark.parametrize("program", ["pass", "raise SystemExit(3)", "input()"])
def test_tasks_of_a_process_that_ends_are_left_to_the_caller(monkeypatch, program):
    monkeypatch.setattr(compile_ahead, "_PROGRAM", program)
    assert compiled_by(2) == []


def test_processes_are_ended_where_the_caller_fails(monkeypatch):
    monkeypatch.setattr(compile_ahead, "_PROGRAM", "import time\ninput()\ntime.sleep(20)")
    started, start = [], subprocess.Popen
    monkeypatch.setattr(
        subprocess, "Popen", lambda *given, **options: started.append(start(*given, **options)) or started[-1]
    )
    with pytest.raises(Stopped), compile_ahead._compiled_by_processes(NAMES, 2):
        raise Stopped
    assert len(started) == 2
    assert 0 not in [process.returncode for process in started]  # which those have that ended by themselves


def test_without_processes_all_tasks_are_left_to_the_caller(monkeypatch):
    def refuse(*args, **options):
        raise BlockingIOError("no more processes")

    monkeypatch.setattr(compile_ahead.subprocess, "Popen", refuse)
    assert compiled_by(2) == []


def test_a_process_ends_with_the_one_that_wants_its_work():
    command = [sys.executable, "-c", compile_ahead._PROGRAM]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as worker:
        assert worker.stdin is not None
        worker.stdin.close()
        assert worker.wait(timeout=300) == 0


def test_what_comes_first_is_not_kept_waiting(monkeypatch):
    steps = []
    monkeypatch.setattr(compile_tasks, "TASKS", {name: partial(steps.append, name) for name in IN_ORDER_OF_NEED})
    monkeypatch.setattr(jit, "is_all_compiled", lambda: True)
    monkeypatch.setattr(jit, "mark", lambda what: steps.append((what, is_compiling())))
    compile_ahead.warm_up(first=lambda: steps.append((is_compiling(), as_written._is_on.is_set())))
    pages, others = (PLAIN, PAGES), IN_ORDER_OF_NEED[3:]
    expected = [(True, True), *pages, (jit.PAGES_COMPILED, True), *others, (jit.ALL_COMPILED, False)]
    assert steps == expected
    assert not as_written._is_on.is_set()


def test_every_task_has_a_place_in_the_order_of_need():
    assert sorted(compile_tasks.TASKS) == sorted(IN_ORDER_OF_NEED)


@pytest.mark.parametrize("loop", [search_values, assign_branches, write_children, divide])
def test_parts_compiled_for_another_process_have_the_types_that_it_wants(loop):
    compile_tasks.TASKS[PLAIN]()  # which compiles them too, unless all of it is on disk
    compile_tasks.TASKS[PLAIN_PARTS]()
    kept = Path(loop.part.stats.cache_path).glob(
        f"*.{loop.py_func.__name__}-part-{loop.py_func.__code__.co_firstlineno}.*"
    )
    own = [path for path in kept if path.name.startswith(loop.py_func.__module__.rpartition(".")[2])]
    types = [pickle.loads(path.read_bytes())[0] for path in own]
    assert len([text for text in types if ", none, " in text]) == 1  # another is for rows that have weights
