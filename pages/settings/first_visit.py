"""Readers who open a page by its own address on a server that nobody has visited yet.

Until `st.navigation` has run once in a server, Streamlit knows only its older kind of pages: the files directly in the
folder `pages/`, by their names without leading underscores. Without a file it says "Page not found" on top of the right
page. So each address has a small file, such as `pages/_grow.py`, which runs `app.py`; its navigation then shows the
page of the address.
"""

from __future__ import annotations

import runpy
from pathlib import Path

_APP = Path(__file__).parents[2] / "app.py"


def run_app() -> None:
    """Run `app.py` in place of the script that calls this."""
    runpy.run_path(str(_APP), run_name="__main__")
