"""Results of functions of the settings, remembered as long as one page run lasts: a page asks many times for the same.

The results belong to the thread of the run and end with it. What is to outlast a run, or serve other sessions, is
cached in `pages/results/`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from pages.settings import session
from pages.settings.session import Upload
from pages.settings.settings import Settings

P = ParamSpec("P")
R = TypeVar("R")

MOST_SETTINGS = 4
"""A run asks for the settings before and after a change, and for few others that it tries; the oldest are forgotten."""


class _Results(threading.local):
    """By the settings in question, newest last: the reader's file of that moment, and the results."""

    def __init__(self) -> None:
        self.of_settings: list[tuple[Settings, Upload | None, dict[Hashable, Any]]] = []
        self.is_off = False


_RESULTS = _Results()


@contextmanager
def nothing_remembered() -> Iterator[None]:
    """Remember nothing within the block: for a worker, whose thread outlives its jobs."""
    before, _RESULTS.is_off = _RESULTS.is_off, True
    try:
        yield
    finally:
        _RESULTS.is_off = before


def remembered(function: Callable[Concatenate[Settings, P], R]) -> Callable[Concatenate[Settings, P], R]:
    """Compute a result once per run for the same settings (the same object, so that looking up costs nothing).

    The function may depend on its hashable arguments and on the reader's file, and on nothing else that changes.
    """

    @wraps(function)
    def look_up(settings: Settings, /, *args: P.args, **kwargs: P.kwargs) -> R:
        if _RESULTS.is_off:
            return function(settings, *args, **kwargs)
        results = _results_of(settings)
        key = (function, args, *kwargs.items())
        if key not in results:
            results[key] = function(settings, *args, **kwargs)
        result: R = results[key]
        return result

    return look_up


def _results_of(settings: Settings) -> dict[Hashable, Any]:
    """What is remembered of these settings; a table of one's own is asked for anew, a sample never changes."""
    upload = session.upload() if settings.upload else None
    for known, file, results in _RESULTS.of_settings:
        if known is settings and file is upload:
            return results
    _RESULTS.of_settings = [*_RESULTS.of_settings, (settings, upload, {})][-MOST_SETTINGS:]
    return _RESULTS.of_settings[-1][2]
