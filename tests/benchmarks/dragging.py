"""One drag of the α slider with a real mouse in a real browser, and the figures of several."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import numpy as np
from playwright.sync_api import Locator, Page, WebSocket

WATCH = (Path(__file__).parent / "watch.js").read_text("utf-8")
TAKE = """() => {
    const { frames, script, released, settled, follows, view } = globalThis.dragWatch;
    return { frames, script, follows, mount_ms: view.mountMs, release_ms: settled - released };
}"""
HALF_A_THUMB = 8
LEAST_MOVES, MOST_MOVES, MOVES_PER_POSITION = 240, 600, 6
SLOW_FRAME, WORST_FRAME, MOST_SLOW = 20.0, 100.0, 0.03
"""Milliseconds of a frame that is late and of one that no drag may have; the share that may be late."""
ENOUGH_POSITIONS = 100
PATIENCE = 60_000


class Traffic:
    """Counts the websocket frames of a page, in both directions; made before the page is opened."""

    def __init__(self, page: Page) -> None:
        self.frames = 0
        page.on("websocket", self._listen)

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framesent", self._count)
        socket.on("framereceived", self._count)

    def _count(self, _payload: object) -> None:
        self.frames += 1


@dataclass(frozen=True)
class Drag:
    """What was seen of one drag: per frame the ms since the last one, the slider's position and the open leaves.

    `script` holds ms of script per drawn frame, `messages` counts websocket frames while the mouse was down,
    `release_ms` runs from the release until Python has confirmed the position; `follows` tells whether the view then
    stood where the slider did. `work_ms` is the processor time of the page's main thread per frame: script, layout and
    painting, also what the browser does after the script; it hardly depends on what else the machine does.
    """

    frames: Sequence[tuple[float, int, int]]
    script: Sequence[float]
    messages: int
    release_ms: float
    mount_ms: float
    follows: bool = True
    work_ms: float = 0.0

    @property
    def slow_share(self) -> float:
        """Share of the frames that came later than 20 ms after the one before."""
        return sum(gap > SLOW_FRAME for gap, _, _ in self.frames) / max(1, len(self.frames))

    @property
    def slowest_ms(self) -> float:
        """The longest time between two frames."""
        return max((gap for gap, _, _ in self.frames), default=0.0)

    @property
    def seen(self) -> int:
        """Different positions of the slider."""
        return len({position for _, position, _ in self.frames})

    @property
    def leaf_counts(self) -> int:
        """Different numbers of open leaves."""
        return len({leaves for _, _, leaves in self.frames})


def drag(page: Page, slider: Locator, traffic: Traffic, to_the_right: bool) -> Drag:
    """Drag the slider across its whole range with the mouse, and wait until Python has confirmed where it ends."""
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    assert box is not None, "the slider is not on the page"
    moves = min(MOST_MOVES, max(LEAST_MOVES, MOVES_PER_POSITION * positions_of(slider)))
    ends = (box["x"] + HALF_A_THUMB, box["x"] + box["width"] - HALF_A_THUMB)
    stops = np.linspace(*(ends if to_the_right else ends[::-1]), moves + 1).tolist()
    height = box["y"] + box["height"] / 2
    slider.evaluate(WATCH)
    work = Work(page)
    before = traffic.frames
    page.mouse.move(stops[0], height)
    page.mouse.down()
    for stop in stops[1:]:
        page.mouse.move(stop, height)
    page.evaluate("() => new Promise(requestAnimationFrame)")  # lets the events of the last move arrive
    messages, worked = traffic.frames - before, work.ms()
    page.mouse.up()
    page.wait_for_function("() => globalThis.dragWatch.settled > 0", timeout=PATIENCE)
    found = page.evaluate(TAKE)
    frames = [(float(gap), int(position), int(leaves)) for gap, position, leaves in found.pop("frames")]
    return Drag(frames=frames, messages=messages, work_ms=worked / max(1, len(frames)), **found)


class Work:
    """The processor time of a page's main thread since it was made."""

    def __init__(self, page: Page) -> None:
        self._session = page.context.new_cdp_session(page)
        self._session.send("Performance.enable", {"timeDomain": "threadTicks"})
        self._begun = self._total()

    def _total(self) -> float:
        metrics = self._session.send("Performance.getMetrics")["metrics"]
        return float(next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration"))

    def ms(self) -> float:
        """Milliseconds; the measurement ends with it."""
        worked = 1000 * (self._total() - self._begun)
        self._session.detach()
        return worked


def positions_of(slider: Locator) -> int:
    """How many positions a range input has."""
    return int(slider.evaluate("(input) => Number(input.max) - Number(input.min) + 1"))


@dataclass(frozen=True)
class Figures:
    """A tree's line in the table: medians over its drags; of `messages` the sum, of `slowest_ms` the largest.

    With `must_be_smooth` late frames are faults.
    """

    nodes: int
    rows: int
    positions: int
    frames: int
    slow_share: float
    slowest_ms: float
    seen: int
    leaf_counts: int
    script_p95: float
    work_ms: float
    mount_ms: float
    release_ms: float
    messages: int
    follows: bool
    must_be_smooth: bool = False

    @property
    def faults(self) -> list[str]:
        """What must not be."""
        wanted = min(ENOUGH_POSITIONS, self.positions)
        checks = {
            f"{self.messages} websocket frames in mid-drag": self.messages > 0,
            f"{self.seen} positions seen, {wanted} wanted": self.seen < wanted,
            "the leaves never changed": self.leaf_counts < 2,
            "the view was left behind by the slider": not self.follows,
            f"{self.slow_share:.1%} of the frames are late, {MOST_SLOW:.0%} may be": self._is_late(
                self.slow_share, MOST_SLOW
            ),
            f"a frame took {self.slowest_ms:.0f} ms, {WORST_FRAME:.0f} may be": self._is_late(
                self.slowest_ms, WORST_FRAME
            ),
        }
        return [fault for fault, holds in checks.items() if holds]

    def _is_late(self, found: float, most: float) -> bool:
        return self.must_be_smooth and found > most


def figures(nodes: int, rows: int, positions: int, drags: Sequence[Drag], must_be_smooth: bool = False) -> Figures:
    """The line of one tree."""
    return Figures(
        nodes=nodes,
        rows=rows,
        positions=positions,
        frames=round(median(len(one.frames) for one in drags)),
        slow_share=median(one.slow_share for one in drags),
        slowest_ms=max(one.slowest_ms for one in drags),
        seen=round(median(one.seen for one in drags)),
        leaf_counts=round(median(one.leaf_counts for one in drags)),
        script_p95=median(float(np.percentile(one.script, 95)) if len(one.script) else 0.0 for one in drags),
        work_ms=median(one.work_ms for one in drags),
        mount_ms=drags[0].mount_ms,
        release_ms=median(one.release_ms for one in drags),
        messages=sum(one.messages for one in drags),
        follows=all(one.follows for one in drags),
        must_be_smooth=must_be_smooth,
    )
