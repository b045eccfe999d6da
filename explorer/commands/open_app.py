"""The command `decision-tree-explorer`: open the app in a browser, on a table if one is named."""

from __future__ import annotations

import argparse
import importlib.util
import os
import runpy
import sys
from collections.abc import Sequence
from pathlib import Path

INSTALLED_AS = "decision_tree_explorer"
"""The package that holds app.py and pages/ where they are installed; in a clone they lie beside `explorer`."""
NOT_INSTALLED = (
    "error: the app is not installed, only the library. Install both: pip install 'decision-tree-explorer[app]'\n"
)


def parser() -> argparse.ArgumentParser:
    """The arguments of the command."""
    given = argparse.ArgumentParser("decision-tree-explorer", description="Open the Decision Tree Explorer.")
    given.add_argument("table", nargs="?", help="a file to begin with (default: choose one in the app)")
    given.add_argument("--target", help="the column to predict")
    given.add_argument("--port", type=int, default=8501, metavar="N", help="default: 8501")
    given.add_argument("--no-browser", action="store_true", help="print the address, and open no browser")
    return given


def app_file() -> Path | None:
    """Where app.py lies; None where the library is installed alone."""
    found = importlib.util.find_spec(INSTALLED_AS)
    places = [*(found.submodule_search_locations or () if found else ()), Path(__file__).parent.parent.parent]
    files = (Path(place) / "app.py" for place in places)
    return next((file for file in files if file.exists()), None)


def command(app: Path, asked: argparse.Namespace) -> list[str]:
    """Streamlit's arguments for a server that only this machine reaches."""
    options = {
        "server.address": "localhost",
        "server.port": asked.port,
        "server.headless": str(asked.no_browser).lower(),
    }
    return ["streamlit", "run", str(app), *(f"--{name}={value}" for name, value in options.items())]


def problem(asked: argparse.Namespace) -> str:
    """What is wrong with the table asked for, in one sentence; "" where nothing is."""
    from explorer.data.read import read_table
    from explorer.errors import ExplorerError

    if asked.table is None:
        return "--target names a column of a table: name the table too." if asked.target else ""
    if not Path(asked.table).is_file():
        return f"There is no file '{asked.table}'."
    try:
        names = [str(name) for name in read_table(Path(asked.table)).frame.columns] if asked.target else []
    except ExplorerError as error:
        return str(error)
    if asked.target and asked.target not in names:
        return f"'{asked.table}' has no column '{asked.target}'. Its columns are {', '.join(names)}."
    return ""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the server until it is stopped; 2 after an error, which is printed in one line."""
    asked = parser().parse_args(arguments)
    app = app_file()
    if app is None or importlib.util.find_spec("streamlit") is None:
        sys.stderr.write(NOT_INSTALLED)
        return 2
    wrong = problem(asked)
    if wrong:
        sys.stderr.write(f"error: {wrong}\n")
        return 2
    if asked.table:
        os.environ |= {"EXPLORER_OPEN": str(Path(asked.table).resolve()), "EXPLORER_TARGET": asked.target or ""}
    sys.argv = command(app, asked)
    runpy.run_module("streamlit", run_name="__main__", alter_sys=True)  # in this process: who ends it ends the server
    return 0
