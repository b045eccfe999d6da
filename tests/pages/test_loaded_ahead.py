"""What the server does before its first reader: it loads all that pages import, and answers only then."""

import asyncio
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

import explorer as ex
from pages.layout import ahead
from tests.folders import ROOT

PROGRAM = """
import ast, importlib, pathlib, re, sys
from pages.layout import ahead
ahead.load()
from pages.results import cache, jobs
has_made = jobs.pool.cache_info().currsize, cache.results.cache_info().currsize
before = set(sys.modules)
import pages.ensembles.member_view, pages.learn.moves, pages.compare.sides
functions = (
    node
    for path in pathlib.Path("explorer").rglob("*.py")
    if re.search(r"(?m)^ +(from|import) (sklearn|scipy|openpyxl)", text := path.read_text("utf-8"))
    for node in ast.walk(ast.parse(text))
    if isinstance(node, ast.FunctionDef)
)
late = {inner.module for node in functions for inner in ast.walk(node) if isinstance(inner, ast.ImportFrom)}
for name in late:
    is_for_estimators = name == "sklearn.tree"  # which a notebook has, and no page
    if name and name.startswith(("sklearn", "scipy", "openpyxl")) and not is_for_estimators:
        importlib.import_module(name)
print(sorted(set(sys.modules) - before), len(late) > 10, "pages.grow.page" in sys.modules, has_made)
"""

SERVER = """
import streamlit as st
import app
print(isinstance(app.app, st.App), app.app.script_path == __import__("pathlib").Path(app.__file__))
"""


def printed(program):
    run = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stderr
    return run.stdout.strip()


def test_modules_are_there_and_no_page_has_run():
    assert printed(PROGRAM) == "[] True False (1, 1)"


def test_the_file_that_pages_run_is_the_server_where_it_is_imported():
    assert printed(SERVER) == "True True"


def test_the_server_answers_once_all_is_loaded_and_compiles_after_that(monkeypatch):
    steps, has_warmed_up = [], threading.Event()
    monkeypatch.setattr(ahead, "load", lambda: steps.append("load"))
    monkeypatch.setattr(ex, "warm_up", lambda first: (first(), has_warmed_up.wait(10), steps.append("warm up")))
    monkeypatch.setattr(ahead.gc, "freeze", lambda: steps.append("freeze"))

    async def serve():
        async with ahead.lifespan(None):
            steps.append("answers")
            (thread,) = [thread for thread in threading.enumerate() if thread.name == "warm-up"]
            has_warmed_up.set()
            await asyncio.to_thread(thread.join)

    with ThreadPoolExecutor(1) as own_thread:  # this one may have a loop, of a browser's tests
        own_thread.submit(lambda: asyncio.run(serve())).result()
    assert steps == ["load", "answers", "warm up", "freeze"]


def test_loops_wait_for_the_pages_that_run(monkeypatch):
    monkeypatch.setattr(ahead, "TO_DRAW", 0)
    monkeypatch.setattr(ahead, "LOOKS_EVERY", 0.01)
    runs, is_over = ahead.PageRuns(), threading.Event()
    runs.wait_until_over()  # no page runs
    waiting = threading.Thread(target=lambda: (runs.wait_until_over(), is_over.set()))
    with runs.one():
        with runs.one():
            waiting.start()
        assert not is_over.wait(0.05)
    assert is_over.wait(10)
    waiting.join()


class Run(threading.Thread):
    """A run of a page that goes on until it is told to end."""

    def __init__(self, runs):
        super().__init__()
        self.runs, self.has_begun, self.may_end = runs, threading.Event(), threading.Event()
        self.start()

    def run(self):
        with self.runs.one():
            self.has_begun.set()
            self.may_end.wait(10)


def test_pages_run_in_line_and_a_long_run_holds_up_nobody(monkeypatch):
    monkeypatch.setattr(ahead, "LONG", 1000.0)
    runs, several = ahead.PageRuns(), []
    for number in range(4):
        several.append(Run(runs))
        while len(runs._waiting) + len(runs._begun) <= number:
            time.sleep(0.001)
    first, second, third, fourth = several
    assert first.has_begun.wait(10)
    assert not second.has_begun.wait(0.05), "one at a time"
    first.may_end.set()
    assert second.has_begun.wait(10)
    assert not third.has_begun.is_set(), "in the order in which they came"
    monkeypatch.setattr(ahead, "LONG", 0.0)
    assert third.has_begun.wait(10)
    assert fourth.has_begun.wait(10)
    for run in several:
        run.may_end.set()
        run.join()


def test_a_run_that_fails_gives_its_turn_on():
    runs = ahead.PageRuns()
    for _ in range(2):
        with pytest.raises(ZeroDivisionError), runs.one():
            raise ZeroDivisionError
    assert not runs._begun
