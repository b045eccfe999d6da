"""What pages need of Python is loaded once the loops are there, so that no first reader of a page waits for it."""

from __future__ import annotations

import importlib
import pkgutil
from pathlib import Path

import explorer as ex
from explorer.drawing import ensemble_view

PAGES = Path(__file__).parent.parent


def load() -> None:
    """Import what pages import, and read the scripts that they send. Pages themselves run; they are not imported."""
    for name in ex.__all__:
        getattr(ex, name)
    for module in pkgutil.walk_packages([str(PAGES)], "pages."):
        last = module.name.rpartition(".")[2]
        if last != "page" and not last.startswith("_"):
            importlib.import_module(module.name)
    ensemble_view.templates()
