"""The rows of a table in the branches of its candidate splits, as records of the picture of row groups."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

import explorer as ex
from explorer.drawing.pictures.row_groups import Division, RowGroup
from explorer.formatting import class_counts, relation, value_text
from explorer.messages import message

Worder = Callable[[str], str]
"""What a name of the table is called in a picture, such as with its meaning in brackets."""


def rows_in_branches(data: ex.Dataset, candidate: ex.Candidate) -> list[tuple[int, ...]]:
    """The positions of the rows with a known value, by the branch they go down."""
    condition, values = candidate.condition, data.frame[candidate.feature]
    if condition.threshold is not None:
        is_low = values.to_numpy(dtype=np.float64) <= condition.threshold
        sides: list[tuple[int, ...]] = [tuple(np.flatnonzero(side).tolist()) for side in (is_low, ~is_low)]
        return sides
    return [
        tuple(row for row, value in enumerate(values) if not _is_missing(value) and value in group)
        for group in condition.branches
    ]


def rows_without(data: ex.Dataset, feature: str) -> tuple[int, ...]:
    """The positions of the rows whose value is missing."""
    return tuple(row for row, value in enumerate(data.frame[feature]) if _is_missing(value))


def _is_missing(value: object) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value))


def details(data: ex.Dataset, names: Worder = str) -> tuple[str, ...]:
    """Every row's cells in one line, its class last."""
    features = [feature.name for feature in data.features]
    frame = data.frame
    lines = []
    for row in range(data.n_rows):
        cells = [frame[feature].iloc[row] for feature in features]
        texts = [value_text(None if _is_missing(cell) else cell) for cell in cells]
        lines.append(" · ".join([*map(names, texts), f"→ {names(str(data.classes[int(data.y[row])]))}"]))
    return tuple(lines)


def counts_text(data: ex.Dataset, rows: Sequence[int], names: Worder = str) -> str:
    """How many of some rows are of which class."""
    counts = np.bincount(data.y[list(rows)], minlength=len(data.classes)).astype(np.float64)
    return class_counts(counts, [names(str(value)) for value in data.classes])


def together(data: ex.Dataset, name: str, lines: tuple[str, ...] = (), names: Worder = str) -> Division:
    """All rows in one group."""
    rows = tuple(range(data.n_rows))
    return Division(name, (RowGroup(name, rows, (counts_text(data, rows, names), *lines)),))


def divided(data: ex.Dataset, candidate: ex.Candidate, result: str = "", names: Worder = str) -> Division:
    """The branches of a candidate, each with its counts; with a `result` also with its entropy."""
    groups = []
    for branch, rows in enumerate(rows_in_branches(data, candidate)):
        lines = [counts_text(data, rows, names)]
        if result:
            lines.append(message("entropy {value}", value=f"{candidate.impurities[branch]:.3f}"))
        groups.append(RowGroup(_branch_name(candidate, branch, names), rows, tuple(lines)))
    return Division(names(candidate.feature), tuple(groups), result)


def _branch_name(candidate: ex.Candidate, branch: int, names: Worder) -> str:
    condition = candidate.condition
    if condition.threshold is None and len(condition.branches[branch]) == 1:
        return names(value_text(condition.branches[branch][0]))
    return condition.branch_word(branch)


def gain_text(candidate: ex.Candidate, entropy: float) -> str:
    """Entropy before less entropy after, as a line."""
    before, after, gain = (f"{value:.3f}" for value in (entropy, entropy - candidate.gain, candidate.gain))
    sign = relation(float(before) - float(after), gain)
    return message("gain = {before} − {after} {sign} {gain} bits", before=before, after=after, sign=sign, gain=gain)
