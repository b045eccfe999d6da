"""Which column of a table is probably the target, where neither file nor reader says so (DEFINITIONS section 1)."""

from __future__ import annotations

import re
from collections.abc import Collection
from itertools import islice

import pandas as pd

from explorer.data.codes.counts import count_column
from explorer.data.codes.repeated_ids import most_rows_of

MOST_CLASSES = 50
"""Values of text that a likely target has at most; more classes are warned of."""
_NAMES = (
    re.compile(r"target|label|y|outcome|survived|response|目标|标签|结果|因变量", re.IGNORECASE),
    re.compile(r"status|diagnosis|churn(ed)?|class|klasse|species|default(ed)?|类别|状态|分类", re.IGNORECASE),
    re.compile(
        r"event|death|dead|died|cens(or(s|ed|ing)?)?|arrest(ed)?|vote[ds]?|admit(ted)?|approved|purchased|bought"
        r"|fraud|spam|readmitted|relapsed?|recidivism|failed|failure|win|won",
        re.IGNORECASE,
    ),
    re.compile(r"type|result|price|类型|价格", re.IGNORECASE),
)
"""Names of targets, the surest first."""
_SELDOM = re.compile(r"(.*[\W_])?(weights?|wt|wgt|wght|date|year|time|id)|权重|日期|年份", re.IGNORECASE)
_OF_PEOPLE = re.compile(r"sex|gender|geschlecht|race|name|group|date|time|性别|姓名|日期", re.IGNORECASE)


def likely_targets(frame: pd.DataFrame, beside: Collection[str] = ()) -> list[str]:
    """The columns of a table, the likeliest target first; `beside` are known to be something else, such as weights.

    First come columns with the name of a target, of equally sure names the last one first; then the only column of text
    with few values; then the last column, unless it is text with many values or named like a weight or a date. Counts
    of cases are the last resort.

    >>> counts = pd.DataFrame({"ill": ["no", "yes"] * 2, "sex": ["f", "f", "m", "m"], "n": [20, 3, 18, 0]})
    >>> likely_targets(counts), likely_targets(counts.rename(columns={"ill": "status"}))[0]
    (['sex', 'ill', 'n'], 'status')
    """
    counts, names = count_column(frame), [str(name) for name in frame.columns if name not in beside][::-1]
    text = list(islice((name for name in names if _is_text(frame[name]) and _may_be_classes(frame[name])), 2))
    only = text[0] if len(text) == 1 and not _OF_PEOPLE.fullmatch(text[0]) else None
    named = {name: _rank_of(name) for name in names}
    if "z" in map(str.lower, names):  # y is a place in space then
        named |= dict.fromkeys((name for name in names if name.lower() == "y"), len(_NAMES))
    no_target = [name for name in names if named[name] < len(_NAMES) and not _may_be_target(frame[name])]
    named |= dict.fromkeys(no_target, len(_NAMES))
    likely = sorted(names, key=lambda name: (name == counts, named[name], name != only, bool(_SELDOM.fullmatch(name))))
    first = next((name for name in likely if name != counts and not _differs_by_row(frame[name])), None)
    return sorted(likely, key=lambda name: name != first)


def _rank_of(name: str) -> int:
    """How sure a name makes its column the target, 0 the surest."""
    return next((place for place, known in enumerate(_NAMES) if known.fullmatch(name.strip())), len(_NAMES))


def _may_be_target(column: pd.Series) -> bool:
    """Whether a column has two values or more, and few of each unless it is numeric."""
    return _may_be_classes(column) if _is_text(column) else column.nunique() > 1


def _differs_by_row(column: pd.Series) -> bool:
    """Whether a column is text with more values than classes have, or another one in every row."""
    n_values = column.astype(str).nunique() if _is_text(column) else 0
    return n_values > MOST_CLASSES or n_values == len(column) > 1


def _may_be_classes(column: pd.Series) -> bool:
    """Whether a column of text has few values, each of them twice on average."""
    try:
        n_values = column.nunique()
    except TypeError:  # cells that cannot be compared, such as lists
        return False
    return 2 <= n_values <= min(MOST_CLASSES, len(column) / 2) and not most_rows_of(str(column.name))


def _is_text(column: pd.Series) -> bool:
    return isinstance(column.dtype, pd.StringDtype | pd.CategoricalDtype) or column.dtype.kind in "Ob"
