"""Drag the stage slider of the Ensembles page with a real mouse, and print how smoothly the pictures follow it.

Run `python -m tests.benchmarks.drag_stages [--json FILE]`; it ends with exit code 1 when a drag sent or received
anything, skipped stages, left the picture as it was, or came too late in more than 1 % of its frames.
"""

import sys
from dataclasses import dataclass

from playwright.sync_api import Browser

from tests.benchmarks.browsing import fresh_page, keep, parsed, parser_of, started
from tests.benchmarks.dragging import Figures, Traffic, drag, figures, positions_of
from tests.browser.steps import opened, settled

BOOSTED = "en.method=gradient_boosting&en.members=100&en.depth=3&en.rate=0.1"
DRAGS = 5
MOST_LATE = 0.01
PATIENCE = 300_000
PICTURES = {
    "fit, 100 boosted trees of depth 3": f"data=lihang_8_2_regression&{BOOSTED}",
    "row weights, 100 boosted trees": "data=titanic&en.method=adaboost&en.members=100&en.depth=3&en.picture=rows",
    "members, 100 boosted trees": f"data=auto_mpg&{BOOSTED}&en.picture=members",
    "members, a forest of 500": "data=iris&en.method=forest&en.members=500&en.picture=members",
}
ABOUT = f"""The Ensembles page; {DRAGS} drags of the stage slider from end to end.
A real mouse, Chromium {{version}}, {{cores}} cores shared by server and browser. Medians of the drags.
"""
HEADS = (
    f"{'picture':<36} {'members':>8} {'frames':>7} {'over 20 ms':>11} {'slowest':>8} {'stages seen':>12} "
    f"{'script p95 ms':>14} {'work ms':>8} {'mount ms':>9} {'release→page ms':>16} {'messages':>9}"
)
READY = "() => [...(globalThis.ensembleViews?.values() ?? [])].some((view) => view.picture)"


@dataclass(frozen=True)
class Line:
    """The figures of one picture."""

    picture: str
    figures: Figures

    @property
    def faults(self) -> list[str]:
        """What must not be: the slider over α may be late a little more often."""
        late = f"{self.figures.slow_share:.1%} of the frames are late, {MOST_LATE:.0%} may be"
        return self.figures.faults + ([late] if self.figures.slow_share > MOST_LATE else [])

    def __str__(self) -> str:
        """One line of the table."""
        row = self.figures
        return (
            f"{self.picture:<36} {row.nodes:>8,} {row.frames:>7,} {row.slow_share:>11.1%} {row.slowest_ms:>8.0f} "
            f"{row.seen:>5} of {row.positions:>3} {row.script_p95:>14.2f} {row.work_ms:>8.2f} {row.mount_ms:>9.1f} "
            f"{row.release_ms:>16.0f} {row.messages:>9}"
        )


def measure(browser: Browser, address: str, picture: str, query: str) -> Line:
    """Drag through one ensemble, from end to end and back in turn, in a fresh context."""
    with fresh_page(browser, PATIENCE) as page:
        traffic = Traffic(page)
        opened(page, address, f"ensembles?{query}&en.stage=0")
        page.wait_for_function(READY)
        settled(page)
        slider = page.locator('.ev-root input[type="range"]').first
        drags = []
        for number in range(DRAGS):
            drags.append(drag(page, slider, traffic, to_the_right=number % 2 == 0))
            settled(page)
        members = page.evaluate("() => [...ensembleViews.values()].at(-1).picture.members.n")
        return Line(picture, figures(members, 0, positions_of(slider), drags))


def main() -> int:
    """Measure every picture, print the table, and give the exit code."""
    options = parsed(parser_of("tests.benchmarks.drag_stages", __doc__))
    found = []
    with started(ABOUT, HEADS, PATIENCE) as (browser, address):
        for picture, query in PICTURES.items():
            found.append(measure(browser, address, picture, query))
            print(found[-1], *(f"  FAULT: {fault}" for fault in found[-1].faults), sep="\n", flush=True)
    keep([line.figures for line in found], options.json)
    return 1 if any(line.faults for line in found) else 0


if __name__ == "__main__":
    sys.exit(main())
