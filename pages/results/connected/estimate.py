"""How long connecting a table and growing its tree take, and the disk they need: measured on samples of its rows."""

from __future__ import annotations

import math
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

import explorer as ex
from explorer.sources.counting import Coding
from pages.results.connected.opened import Connected, Wanted

_SIZES = (10_000, 40_000)
"""Rows of the two samples: what does not depend on the rows takes the same time in both."""
_FIRST = 500
_LOOKS = 2.5
"""Counts of a level in counts of the root: bins, fine codes and values of what is left, and of smaller parts."""
_DEEPEST = 12


@dataclass(frozen=True)
class Estimate:
    """Seconds on the clock, and bytes on the disk while the table is connected."""

    seconds: float
    n_bytes: float


@dataclass(frozen=True)
class _Measure:
    """What one sample took: rows, seconds to encode and to count once at the root, bytes of its working table."""

    n_rows: int
    encoding: float
    counting: float
    n_bytes: float


def key(connected: Connected, wanted: Wanted) -> str:
    """A text for everything that the estimate depends on."""
    return f"estimate {connected.key} {wanted.target!r} {wanted.features!r} {wanted.kinds!r} {wanted.weight!r}"


def measured(connected: Connected, wanted: Wanted) -> Estimate:
    """The estimate. Raises InputError where the sample cannot be connected."""
    frame = connected.preview.frame
    _measure(frame.head(_FIRST), wanted)  # on a server just started, this one waits for the compiled loops
    sizes = sorted({min(size, len(frame)) for size in _SIZES})
    found = [_measure(frame.head(size), wanted) for size in sizes]
    return extrapolated(
        [(one.n_rows, one.encoding, one.counting, one.n_bytes) for one in found], connected.preview.n_rows
    )


def extrapolated(found: list[tuple[int, float, float, float]], n_rows: int) -> Estimate:
    """From measures (rows, encoding, one count, bytes) at one or two sizes to a table of so many rows.

    >>> both = [(10_000, 1.0, 0.1, 1e6), (40_000, 1.3, 0.4, 4e6)]
    >>> extrapolated(both, 40_000).n_bytes, round(extrapolated(both, 10_000_000).seconds)
    (4000000.0, 2351)
    """
    levels = min(_DEEPEST, max(2, math.ceil(math.log2(max(n_rows / 20_000, 2)))))
    encoding = _line([(one[0], one[1]) for one in found], n_rows)
    counting = _line([(one[0], one[2]) for one in found], n_rows)
    largest = found[-1]
    return Estimate(encoding + levels * _LOOKS * counting, largest[3] * n_rows / largest[0])


def _line(points: list[tuple[int, float]], n_rows: int) -> float:
    """The line through two points at `n_rows`; with one point, or where it would fall, the last one's share."""
    (first, low), (last, high) = points[0], points[-1]
    if last == first or high <= low:
        return high * max(1.0, n_rows / last)
    return high + (high - low) / (last - first) * (n_rows - last)


def _measure(frame: pd.DataFrame, wanted: Wanted) -> _Measure:
    """Connect these rows as the table will be, and count at its root."""
    with tempfile.TemporaryDirectory(prefix="table-sample-") as folder:
        path = Path(folder) / "sample.parquet"
        frame.to_parquet(path, index=False)
        source = ex.connect(
            str(path),
            target=wanted.target,
            features=wanted.features,
            kinds=dict(wanted.kinds),
            weights=wanted.weight or None,
        )
        try:
            before, began = set(_work_folders()), time.perf_counter()
            working = source.workspace.prepared()
            encoded = time.perf_counter()
            codings = [Coding(column) for column in range(len(working.layout.columns))]
            working.engine.bins(source.routing, [0], codings)
            counted = time.perf_counter()
            n_bytes = sum(_size(folder) for folder in set(_work_folders()) - before)
            return _Measure(len(frame), encoded - began, counted - encoded, n_bytes)
        finally:
            source.close()


def _work_folders() -> list[Path]:
    """The temporary folders of tables that are connected now."""
    return [path for path in Path(tempfile.gettempdir()).glob("decision-tree-explorer-*") if path.is_dir()]


def _size(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
