"""Compiling in processes beside this one: who does which task, and what happens when a process fails."""

import subprocess
import sys

import pytest

from explorer import as_written, compile_ahead, compile_tasks, jit
from explorer.compiling import is_compiling
from tests.folders import ROOT

NAMES = ["one", "two", "three"]
ECHO = "import sys\nfor line in sys.stdin: print(line, end='', flush=True)"


@pytest.mark.parametrize("processes", [1, 2, 5])
def test_every_task_is_done_by_one_process(monkeypatch, processes):
    monkeypatch.setattr(compile_ahead, "_PROGRAM", ECHO)
    assert sorted(compile_ahead._compiled_by_processes(NAMES, processes)) == sorted(NAMES)


@pytest.mark.parametrize("program", ["pass", "raise SystemExit(3)", "input()"])
def test_tasks_of_a_process_that_ends_are_left_to_the_caller(monkeypatch, program):
    monkeypatch.setattr(compile_ahead, "_PROGRAM", program)
    assert list(compile_ahead._compiled_by_processes(NAMES, 2)) == []


def test_without_processes_all_tasks_are_left_to_the_caller(monkeypatch):
    def refuse(*args, **options):
        raise BlockingIOError("no more processes")

    monkeypatch.setattr(compile_ahead.subprocess, "Popen", refuse)
    assert list(compile_ahead._compiled_by_processes(NAMES, 2)) == []


def test_a_process_ends_with_the_one_that_wants_its_work():
    command = [sys.executable, "-c", compile_ahead._PROGRAM]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as worker:
        assert worker.stdin is not None
        worker.stdin.close()
        assert worker.wait(timeout=300) == 0


def test_what_comes_first_is_not_kept_waiting(monkeypatch):
    steps = []
    monkeypatch.setattr(compile_tasks, "TASKS", {"task": lambda: steps.append("task")})
    monkeypatch.setattr(jit, "is_all_compiled", lambda: True)
    monkeypatch.setattr(jit, "mark_all_compiled", lambda: steps.append(is_compiling()))
    compile_ahead.warm_up(first=lambda: steps.append((is_compiling(), as_written._is_on.is_set())))
    assert steps == [(True, True), "task", False]
    assert not as_written._is_on.is_set()
