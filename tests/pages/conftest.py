"""What every test of the pages finds: loops that are there, and no work that an earlier test has left."""

import threading
from collections.abc import Iterator
from functools import cache

import pytest
from streamlit.components.v2 import manifest_scanner
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.testing.v1 import app_test, local_script_runner

from pages.results import jobs
from tests.pages.app import all_jobs_ended, opened


@pytest.fixture(scope="session")
def _read_once() -> Iterator[None]:
    """Keep what a server keeps for all its readers, and every `AppTest` would read and compile anew.

    These are the metadata of all installed packages, in search of components, which take a third of its time, and the
    code of the scripts, which takes a fifth of what is left.
    """
    scripts = cache(ScriptCache)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", cache(manifest_scanner.scan_component_manifests))
        for module in (app_test, local_script_runner):
            patch.setattr(module, "ScriptCache", scripts)
        yield


@pytest.fixture(scope="session", autouse=True)
def _compiled(_read_once: None) -> None:
    """Begin when the server has compiled: until then small tables are grown by definition, alike but for rounding.

    The thread that compiles would go on in the tests after the first one, which replace and count what it calls.
    """
    opened()
    for thread in threading.enumerate():
        if thread.name == "warm-up":
            thread.join()


@pytest.fixture(autouse=True)
def _no_jobs_left(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Stop the jobs that a test has left, and wait for their end while what it has replaced is still in place."""
    yield
    pool = jobs.pool()
    for session in {each for entry in list(pool._entries.values()) for each in entry.sessions | entry.left}:
        pool.leave(session)
    all_jobs_ended()
