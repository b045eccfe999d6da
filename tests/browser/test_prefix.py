"""The app behind a prefix, as a proxy shows it: every address and every request stays below the prefix."""

from urllib.parse import urlsplit

from playwright.sync_api import Page

from tests.browser.server import running_app
from tests.browser.steps import at_page, opened, uploaded, view_value, visit


def test_pages_links_and_uploads_stay_below_the_prefix(page: Page) -> None:
    outside: list[str] = []
    page.on("request", lambda request: outside.append(request.url) if not _is_below(request.url) else None)
    with running_app(prefix="course/trees") as address:
        opened(page, address, "grow?data=golf")
        at_page(page, "Grow")
        assert view_value(page, "grow", "view.tree.testText(0)") == "outlook"
        visit(page, "Data")
        uploaded(page, "play_tennis.csv")
        visit(page, "Prune")
        assert urlsplit(page.url).path == "/course/trees/prune"
        assert "file=" in page.url
    assert outside == []


def _is_below(address: str) -> bool:
    parts = urlsplit(address)
    return parts.scheme in ("blob", "data") or parts.path.startswith("/course/trees/")
