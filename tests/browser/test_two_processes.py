"""Two processes behind the proxy of `deploy/`: a browser stays with one, and finds its file at the other."""

import re
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from pages.settings.settings import MOST_ROWS_TEXT
from tests.browser.server import Server, proxy, running_server
from tests.browser.steps import at_page, opened, summary, until, uploaded, visit

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("haproxy") is None, reason="HAProxy is missing: apt install haproxy"),
]


def test_a_browser_stays_with_its_process_and_moves_when_that_dies(page: Page, tmp_path: Path) -> None:
    shared = {"EXPLORER_UPLOADS": str(tmp_path / "uploads"), "STREAMLIT_SERVER_COOKIE_SECRET": "one for both"}
    with (
        running_server(environment=shared) as one,
        running_server(environment=shared) as two,
        proxy(tmp_path, [one, two]) as address,
    ):
        page.wait_for_timeout(3000)  # until the proxy has asked both for their health
        assert page.request.get(f"{address}/grow?rows={'A' * MOST_ROWS_TEXT}").ok, "the longest rows of a link pass"
        opened(page, address)
        uploaded(page, "titanic.csv")
        visit(page, "Grow")
        said = summary(page).inner_text()
        until(page, lambda: min(_connections(one), _connections(two)) == 0)  # but for a look at its health
        max(one, two, key=_connections).kill()
        page.wait_for_timeout(3000)  # until the proxy has seen it
        page.reload()
        at_page(page, "Grow")
        expect(summary(page)).to_have_text(re.compile(re.escape(said.split("\n")[0])))


def _connections(server: Server) -> int:
    """How many open websockets a process has."""
    port = int(server.address.rsplit(":", 1)[1])
    listing = Path("/proc/net/tcp").read_text("ascii")
    return len(re.findall(rf"0100007F:{port:04X} 0100007F:[0-9A-F]{{4}} 01 ", listing))
