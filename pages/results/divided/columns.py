"""The columns that can divide the rows, and what a set holds of the one that does."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd

import explorer as ex
from explorer.data.codes.feature import Feature
from explorer.data.codes.repeated_ids import most_rows_of, repeated_ids
from explorer.data.codes.scale import Dates
from explorer.data.division import MOST_PARTS, Division, names_sets
from explorer.formatting import number

_DATE = re.compile(r"\d{4}-\d\d")
_TIME = re.compile(r"date|time|day|week|month|quarter|year|日期|时间|年|月", re.IGNORECASE)


def candidates(kind: str, overview: ex.Dataset) -> list[str]:
    """The columns of a table that can be its groups, its time, or name its sets, the likeliest first.

    `overview` has every column encoded but the target.
    """
    complete = {
        feature.name: feature
        for feature, codes in zip(*overview.encoded, strict=True)
        if feature.n_values > 1 and (kind == "groups" or (codes < feature.n_values).all())
    }
    if kind == "groups":
        ids = [repeated.column for repeated in repeated_ids(*overview.encoded)]
        repeats = [name for name, feature in complete.items() if feature.n_values < overview.n_rows]
        repeats.sort(key=lambda name: (not most_rows_of(name), complete[name].n_values >= overview.n_rows / 2))
        return list(dict.fromkeys([*ids, *repeats]))
    if kind == "time":
        named = [name for name, feature in complete.items() if feature.kind == "numeric" or _are_dates(feature)]
        numbers = {name for name in named if complete[name].kind == "numeric" and name not in dates(overview)}
        return sorted(named, key=lambda name: (name in numbers, _TIME.search(name) is None))
    few = [name for name, feature in complete.items() if feature.n_values <= MOST_PARTS]
    return sorted(few, key=lambda name: not names_sets(complete[name].categories or (0,)))


def _are_dates(feature: Feature) -> bool:
    return isinstance(feature.categories[0], str) and bool(_DATE.match(feature.categories[0]))


def dates(overview: ex.Dataset) -> list[str]:
    """The columns of a table that count days and have a date in every row."""
    return [
        feature.name
        for feature, codes in zip(*overview.encoded, strict=True)
        if isinstance(feature.scale, Dates) and feature.n_values > 1 and (codes < feature.n_values).all()
    ]


def times_of(division: Division) -> tuple[str, str]:
    """The first and the last time of some rows, as a reader writes them."""
    first, last = division.times[np.array([division.units.min(), division.units.max()])]
    return _time(first, division.are_dates), _time(last, division.are_dates)


def _time(value: float, is_date: bool) -> str:
    if not is_date:
        return number(float(value), 10)
    moment = pd.Timestamp(0) + pd.Timedelta(days=float(value))
    return moment.isoformat(timespec="minutes") if moment.time().isoformat() != "00:00:00" else str(moment.date())
