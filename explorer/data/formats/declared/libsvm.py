"""libsvm's sparse text, as scikit-learn, XGBoost and LightGBM write it: a label, then index:value for what is not 0."""

from __future__ import annotations

import re
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import repeat

import numpy as np
import pandas as pd

from explorer.data.reading import Reading
from explorer.data.source import Source
from explorer.data.text.encoding import encoding_of, open_text
from explorer.errors import InputError
from explorer.messages import message
from explorer.values import EXACT_WHOLE

_NUMBER = rb"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|[+-]?(?:nan|inf)"
_ROW = re.compile(
    rb"(?:" + _NUMBER + rb")(?:[ \t]+qid:\d+)?((?:[ \t]+\d{1,9}:(?:" + _NUMBER + rb"))*)[ \t]*(?:#.*)?", re.IGNORECASE
)
_FROM_ZERO = re.compile(r"#.*\bzero-based\b", re.IGNORECASE)
_GROUP, _NO_GROUP = "qid", -1
_PROBED = 20


@dataclass
class _Entries:
    """Labels and groups of the rows, and the values that are written: their row, their index."""

    labels: array[float] = field(default_factory=lambda: array("d"))
    groups: array[int] = field(default_factory=lambda: array("q"))
    rows: array[int] = field(default_factory=lambda: array("q"))
    indices: array[int] = field(default_factory=lambda: array("q"))
    values: array[float] = field(default_factory=lambda: array("d"))
    from_zero: bool = False


def is_libsvm(head: bytes) -> bool:
    """Return whether the first line of a text is a row of libsvm with a value, and so are most of those below.

    >>> is_libsvm(b"+1 1:0.5 3:2\\n-1 2:1\\n"), is_libsvm(b"10:30 1:2\\n"), is_libsvm(b"1\\n2\\n")
    (True, False, False)
    """
    begin = head[: 1 << 16].removeprefix(b"\xef\xbb\xbf")
    if len(begin) < len(head):
        begin = begin[: max(begin.rfind(b"\n"), begin.rfind(b" ") if b"\n" not in begin else 0)]  # not a part of a line
    lines = begin.splitlines()
    kept = [line.strip() for line in lines if line.strip() and not line.lstrip().startswith(b"#")][:_PROBED]
    matches = [_ROW.fullmatch(line) for line in kept]
    return 2 * sum(map(bool, matches)) > len(kept) and all(match and match.group(1) for match in matches[:1])


def read_libsvm(source: Source, reading: Reading) -> pd.DataFrame:
    """Return labels, groups and values as columns, 0 where a row leaves one out; `InputError` names a wrong line."""
    with reading.stage(0, 0.1):
        encoding, _ = encoding_of(source, reading)
    found, width = _Entries(), 0
    with reading.stage(0.1, 1), open_text(source, encoding, reading) as text:
        for line, written in enumerate(text, start=1):
            cells, _, comment = written.partition("#")
            if comment and not found.labels:
                found.from_zero |= bool(_FROM_ZERO.match(f"#{comment}"))
            if not cells.strip():
                continue
            parts = cells.split()
            reading.check(len(found.labels) + 1, len(parts))
            width = max(width, _add(parts, line, found, reading) + 1)
            reading.check(len(found.labels), width + 1)
    first = 0 if found.from_zero or 0 in found.indices else 1
    _note(first, reading)
    return _frame(found, first, width)


def _add(cells: Sequence[str], line: int, found: _Entries, reading: Reading) -> int:
    """Add a row; returns its largest index, −1 without one."""
    try:
        label, row, last = float(cells[0]), len(found.labels), -1
        for cell in cells[1:]:
            index, _, value = cell.partition(":")
            if index == _GROUP:
                found.groups.extend([*repeat(_NO_GROUP, row - len(found.groups)), int(value)])
                continue
            place = int(index) if index.isdecimal() and len(index) < 10 else -1
            if place <= last:
                raise ValueError(cell)
            found.rows.append(row)
            found.indices.append(place)
            found.values.append(float(value))
            last = place
    except (ValueError, OverflowError):
        raise InputError(
            message(
                "Line {line} of '{file}' is no row of libsvm ('{text}'): write a label, then index:value in rising "
                "order of the indices.",
                line=line,
                file=reading.name,
                text=" ".join(cells)[:60],
            )
        ) from None
    found.labels.append(label)
    return last


def _note(first: int, reading: Reading) -> None:
    reading.target_column = "label"
    reading.remarks.append(
        lambda: message(
            "Read as libsvm: what a row leaves out is 0, not missing, and column x{first} is the first.", first=first
        )
    )


def _frame(found: _Entries, first: int, width: int) -> pd.DataFrame:
    n = len(found.labels)
    dense = np.zeros((n, max(width - first, 0)), order="F")
    dense[found.rows, np.asarray(found.indices, dtype=np.intp) - first] = found.values
    frame = pd.DataFrame(dense, columns=[f"x{i}" for i in range(first, first + dense.shape[1])])
    labels = np.asarray(found.labels)
    are_whole = bool((np.abs(labels) <= EXACT_WHOLE).all() and (labels == np.floor(labels)).all())
    if found.groups:
        groups = pd.Series([*found.groups, *repeat(_NO_GROUP, n - len(found.groups))])
        frame.insert(0, _GROUP, groups if groups.min() > _NO_GROUP else groups.where(groups > _NO_GROUP))
    frame.insert(0, "label", labels.astype(np.int64) if are_whole else labels)
    return frame
