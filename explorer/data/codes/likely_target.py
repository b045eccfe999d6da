"""Which column of a table is probably the target, where neither file nor reader says so (DEFINITIONS section 1)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

import pandas as pd

from explorer.data.codes.counts import count_column, row_numbers
from explorer.data.codes.repeated_ids import most_rows_of
from explorer.data.codes.target_names import (
    POSSIBLE,
    SUREST,
    are_sets,
    first_word,
    is_beside,
    is_censoring,
    is_time_to,
    names_rows,
    points_of,
    titled,
)
from explorer.data.codes.transformed import made_of_others

MOST_CLASSES = 50
"""Values of text that a likely target has at most; more classes are warned of."""
_MOST_ROWS = 5000
_LAST, _FIRST, _SECOND, _THIRD, _ONLY_TEXT = 5, 4, 2, 1, 2
_TWO_VALUES, _TWO_ANSWERS, _TEXT, _MANY_TEXTS, _FEW_NUMBERS = 2, 2, -2, -3, -1
_NUMBERED, _FAMILY, _BESIDE, _SPARSE, _NO_TARGET = -1, -4, -5, -12, -100
"""Points of a column for its place and for what it holds, in halves of a natural logarithm of odds."""
SURE_LEAD = 4
"""Points that the likeliest target leads by where the table is taken to tell it."""
_MANY_OF_TWO = 6
"""Of so many columns of numbers with two values, two values speak for none."""
_SPACE = frozenset("xyz")
"""Names of a place in space, where all three are there."""
_ON_EARTH = frozenset(["lat", "latitude", "lattitude", "lon", "long", "lng", "longitude", "longtitude"])
_MANY = 8
"""Values of text of which more make a target less likely, and numbers of which fewer do."""
_MOST_MISSING = 0.5
"""Share of missing cells above which a column makes an unlikely target."""
_FAMILY_SIZE = 4
"""Of so many columns whose names begin with the same word, each is one of their kind."""
_ANSWERS = frozenset(["yes", "no", "y", "n", "true", "false"])
_CODED = re.compile(r"(?![dty])[a-z]{1,2}\d{1,3}[a-z]?", re.IGNORECASE)
"""Names of questions of a survey, such as V5 and S7; d1, t1 and y1 are deaths, times and targets."""
_DIGITS = re.compile(r"[\W_]*\d+$")


def likely_targets(
    frame: pd.DataFrame, beside: Collection[str] = (), described: Iterable[tuple[str, str]] = (), title: str = ""
) -> list[str]:
    """The columns of a table, the likeliest target first; `beside` are known to be something else, such as weights.

    Names speak for a column, as do the title of the table (the name of its file), labels (`described`, in pairs with
    names), the first and last places, and two values; names of usual features, ids, dates, several names that begin
    alike, counts of cases, text with many values, mostly missing cells, and that it is made of another column, as a
    logarithm is, speak against it.

    >>> counts = pd.DataFrame({"ill": ["no", "yes"] * 2, "sex": ["f", "f", "m", "m"], "n": [20, 3, 18, 0]})
    >>> likely_targets(counts), likely_targets(counts.rename(columns={"ill": "b", "sex": "status"}))[0]
    (['ill', 'sex', 'n'], 'status')
    """
    points = _points(frame, beside, dict(described), title)
    return sorted(points, key=lambda name: (-points[name], -points_of(name)))


def is_told(
    frame: pd.DataFrame, beside: Collection[str] = (), described: Iterable[tuple[str, str]] = (), title: str = ""
) -> bool:
    """Whether the likeliest target of a table leads clearly, so that nobody need be asked for it.

    A sign of censoring beside a time is asked about: where an event was not observed, it may have come later.

    >>> is_told(pd.DataFrame({"a": [1.5, 2.5, 4.5], "y": [1, 2, 1]})), is_told(pd.DataFrame({"a": [1, 4], "b": [2, 5]}))
    (True, False)
    """
    labels = dict(described)
    points = _points(frame, beside, labels, title)
    first, second, *_ = *sorted(points.values(), reverse=True), _NO_TARGET, _NO_TARGET
    if first - second < SURE_LEAD:
        return False
    name = max(points, key=points.__getitem__)
    if is_censoring(name) and any(is_time_to(other, name) for other in points if not _is_text(frame[other])):
        return False
    if _is_text(frame[name]) and frame[name].nunique() > _MANY:
        return False
    is_named = points_of(name) > 0 or titled(title, name) > 0 or points_of(labels.get(name, "")) > 0
    is_at_end = name in (str(frame.columns[0]), str(frame.columns[-1]))
    return is_named or len(points) == 1 or (is_at_end and (_is_text(frame[name]) or frame[name].nunique() == 2))


def _points(frame: pd.DataFrame, beside: Collection[str], described: Mapping[str, str], title: str) -> dict[str, int]:
    """What speaks for each column, the only column of text first, then the last one."""
    names = [str(name) for name in frame.columns if name not in beside]
    rows = frame.iloc[:: max(1, len(frame) // _MOST_ROWS)]
    counts = count_column(frame)
    made = made_of_others(frame)
    columns = {
        name: _of_cells(rows[name]) for name in names if name != counts and name not in made and not names_rows(name)
    }
    of_two = [name for name, of_cells in columns.items() if of_cells == _TWO_VALUES]
    if len(of_two) >= _MANY_OF_TWO:
        columns |= dict.fromkeys(of_two, 0)
    if _numbers_rows(frame.iloc[:, 0]) or row_numbers(frame):
        columns[str(frame.columns[0])] = None
    left = {name: of_cells for name, of_cells in columns.items() if of_cells is not None}
    text = [name for name in left if _is_text(rows[name]) and not is_beside(name)]
    only = text if len(text) == 1 else []
    places = _of_places(list(left)) + Counter(dict.fromkeys(only, _ONLY_TEXT))
    points = {name: _NO_TARGET - (name == counts or name in made) for name in (*only, *reversed(names))}
    for name, of_cells in left.items():
        of_name = _of_name(name, names, described.get(name, "")) + titled(title, name)
        is_sparse = rows[name].isna().mean() > _MOST_MISSING  # rows without a target are left out
        points[name] = of_name + of_cells + places[name] + _SPARSE * bool(is_sparse)
    return points


def _of_places(names: Sequence[str]) -> Counter[str]:
    """The points for the first and last places of columns that may be targets."""
    points = Counter(dict(zip(names, (_FIRST, _SECOND, _THIRD), strict=False)))
    points |= Counter(dict.fromkeys(names[-1:], _LAST))
    points.update([name for name in names if not is_beside(name)][:1])
    return points


def _of_name(name: str, names: Sequence[str], label: str) -> int:
    """The points for the name of a column and its label, fewer for one of several that differ in a number."""
    if name.lower() in _SPACE and _SPACE.issubset(map(str.lower, names)):
        return _BESIDE
    if name.lower() in _ON_EARTH:
        return 2 * _BESIDE
    points = points_of(name)
    if points < POSSIBLE:
        points = max(points, points_of(_DIGITS.sub("", label)) if label else 0)
    alike = sum(_DIGITS.sub("", other) == _DIGITS.sub("", name) for other in names)
    family = first_word(name)
    coded = sum(_CODED.fullmatch(other) is not None for other in names) if _CODED.fullmatch(name) else 0
    is_of_family = family and sum(first_word(other) == family for other in names) >= _FAMILY_SIZE
    against = 2 * _FAMILY if coded > _MANY else _FAMILY if is_of_family else _NUMBERED * (alike > 2)
    return points + _BESIDE * (points < SUREST and is_beside(name)) + against


def _of_cells(column: pd.Series) -> int | None:
    """The points for what a column holds; None where it is no target: one value, dates, sets, text of many or an id."""
    if pd.api.types.is_datetime64_any_dtype(column.dtype):
        return None
    try:
        n_values = column.nunique()
    except TypeError:  # cells that cannot be compared, such as lists
        return None
    is_text = _is_text(column)
    if n_values < 2 or (is_text and (n_values > min(MOST_CLASSES, len(column) / 2) or most_rows_of(str(column.name)))):
        return None
    if is_text and are_sets(column.dropna().unique()):
        return None
    if n_values == 2:
        is_answer = is_text and _ANSWERS.issuperset(str(value).strip().lower() for value in column.dropna().unique())
        return _TEXT * is_text + _TWO_VALUES + _TWO_ANSWERS * is_answer
    if is_text:
        return _TEXT + _MANY_TEXTS * (n_values > _MANY)
    return _FEW_NUMBERS * (n_values <= _MANY)


def _numbers_rows(column: pd.Series) -> bool:
    """Whether a column holds whole numbers, each one more than the one before."""
    return column.dtype.kind in "iu" and len(column) > 2 and bool((column.diff().iloc[1:] == 1).all())


def _is_text(column: pd.Series) -> bool:
    return isinstance(column.dtype, pd.StringDtype | pd.CategoricalDtype) or column.dtype.kind in "Ob"
