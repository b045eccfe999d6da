"""Upload large files one after another, grow a tree on each, leave, and print what memory the server keeps.

Run `python -m tests.benchmarks.memory [--megabytes N] [--uploads N] [--sessions] [--json FILE]`; it ends with exit code
1 where the server stays more than 20 % above where it was. The memory is that of the server's process, from /proc;
"where it was" is after a first reader has come and gone, so that all modules are loaded and all loops compiled.
"""

import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Page, TimeoutError, expect, sync_playwright

from tests.benchmarks.browsing import fresh_page, keep, parsed, parser_of
from tests.benchmarks.large_upload import ROWS, write_table
from tests.browser.server import ARGUMENTS, chromium, running_server
from tests.browser.steps import opened, settled, visit

MEGABYTES, UPLOADS, MOST = 109, 4, 1.2
PATIENCE = 180_000
LONGEST_WAIT = 200
"""Seconds until a session that is gone must have given back its memory."""


@dataclass(frozen=True)
class Line:
    """The memory of the server in bytes after a step."""

    step: str
    rss: int


def rss_of(process: int) -> int:
    """The resident memory of a process."""
    return int(Path(f"/proc/{process}/statm").read_text("ascii").split()[1]) * 4096


def at_rest(process: int, wanted: float = 0.0, longest: float = 60.0) -> int:
    """The memory once it is below what is wanted or, without such a wish, has not changed for two seconds."""
    last, since, end = rss_of(process), time.monotonic(), time.monotonic() + longest
    while time.monotonic() < end:
        time.sleep(0.5)
        now = rss_of(process)
        if now <= wanted:
            return now
        if abs(now - last) > 1 << 20:
            last, since = now, time.monotonic()
        if not wanted and time.monotonic() - since > 2:
            return now
    return rss_of(process)


def first_reader(browser: Browser, address: str) -> None:
    """Open a sample's tree, and leave."""
    with fresh_page(browser, PATIENCE) as page:
        opened(page, address, "?data=titanic")
        visit(page, "Grow")
        page.locator(".st-key-candidates").wait_for()
        settled(page)


def upload_all(browser: Browser, address: str, files: list[Path], process: int) -> list[Line]:
    """Upload one file after another in one session, and grow a tree on each."""
    lines = []
    with fresh_page(browser, PATIENCE) as page:
        opened(page, address)
        for file in files:
            try:
                _upload(page, file)
            except (TimeoutError, AssertionError):
                print(f"{file.name} stands still at {page.url}:\n{page.locator('body').inner_text()}", flush=True)
                raise
            lines.append(Line(f"{file.name} uploaded, its tree on the page", at_rest(process)))
            print_line(lines[-1])
            visit(page, "Data")
            settled(page)
    return lines


def _upload(page: Page, file: Path) -> None:
    """Upload a file and go on to its tree."""
    page.locator('.st-key-uploader input[type="file"]').set_input_files(file)
    expect(page.get_by_role("heading", name=file.name)).to_be_visible()
    settled(page)
    visit(page, "Grow")
    page.locator(".st-key-candidates").wait_for()
    settled(page)


def print_line(line: Line) -> None:
    """A step and its memory."""
    print(f"{line.step:<50} {line.rss / 1e6:>8,.0f} MB", flush=True)


def main() -> int:
    """Measure, print, and give the exit code."""
    parser = parser_of("tests.benchmarks.memory", __doc__)
    parser.add_argument("--megabytes", type=int, default=MEGABYTES, metavar="N", help="size of each file")
    parser.add_argument("--uploads", type=int, default=UPLOADS, metavar="N", help="how many files")
    parser.add_argument("--sessions", action="store_true", help="each file by another reader, who leaves then")
    options = parsed(parser)
    expect.set_options(timeout=PATIENCE)
    with tempfile.TemporaryDirectory() as folder, running_server() as server, sync_playwright() as starter:
        files = [Path(folder) / f"table {number}.csv" for number in range(1, options.uploads + 1)]
        for seed, file in enumerate(files):
            write_table(file, ROWS * options.megabytes // MEGABYTES, seed)
        browser = starter.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        first_reader(browser, server.address)
        lines = [Line("a first reader has come and gone", at_rest(server.pid))]
        print_line(lines[0])
        for own in [[file] for file in files] if options.sessions else [files]:
            lines += upload_all(browser, server.address, own, server.pid)
        start = time.monotonic()
        lines.append(Line("the reader has left", at_rest(server.pid, lines[0].rss * MOST, LONGEST_WAIT)))
        print_line(lines[-1])
        browser.close()
    ratio = lines[-1].rss / lines[0].rss
    print(f"{ratio:.2f} of where it was, {time.monotonic() - start:.0f} s after the reader left (at most {MOST})")
    keep(lines, options.json)
    return int(ratio > MOST)


if __name__ == "__main__":
    sys.exit(main())
