"""A table of numbers as HTML, for a lecture hall: its letters grow with the page, and its texts wrap."""

from __future__ import annotations

import html
from collections.abc import Sequence

import numpy as np
import pandas as pd

from explorer.formatting import visible


def number_table(
    frame: pd.DataFrame,
    headings: Sequence[str],
    cells: Sequence[Sequence[str]],
    looks: Sequence[str],
    bar: str = "",
    right: Sequence[str] = (),
) -> str:
    """The `cells` of a frame, a style for each row; below numbers of the column `bar` a line shows their size.

    Numbers, and texts of the columns `right`, end at the right.

    >>> frame = pd.DataFrame({"feature": ["a<b"], "gain": [0.5]})
    >>> shown = number_table(frame, ["feature", "gain"], [["a<b", "0.500"]], [""], "gain")
    >>> "<td>a&lt;b</td>" in shown, '<td class="number" style="--share: 1.0000">0.500' in shown
    (True, True)
    """
    kinds = [' class="number"' if name in right or _is_number(frame[name]) else "" for name in frame]
    heads = [f"<th{kind}>{_text(heading)}</th>" for kind, heading in zip(kinds, headings, strict=True)]
    bars = [[""] * len(frame) if name != bar else _bars(frame[name]) for name in frame]
    lines = [
        f'<tr style="{looks[row]}">'
        + "".join(f"<td{kinds[at]}{bars[at][row]}>{_text(cell)}</td>" for at, cell in enumerate(line))
        + "</tr>"
        for row, line in enumerate(cells)
    ]
    return f'<table class="numbers"><thead><tr>{"".join(heads)}</tr></thead><tbody>{"".join(lines)}</tbody></table>'


def _is_number(column: pd.Series) -> bool:
    return pd.api.types.is_numeric_dtype(column)


def _text(text: str) -> str:
    return html.escape(visible(text))


def _bars(values: pd.Series) -> list[str]:
    """Each value as a share of the largest, as a style."""
    numbers = np.nan_to_num(values.to_numpy(dtype=np.float64, na_value=0.0))
    most = float(numbers.max(initial=0.0))
    return [f' style="--share: {share:.4f}"' for share in np.clip(numbers / (most if most > 0 else 1.0), 0.0, 1.0)]
