"""Numeric columns that count days: which date each of them counts from, and the dates themselves."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd

from explorer.data.codes.dates import date_text, with_times
from explorer.data.codes.feature import Feature
from explorer.data.codes.scale import Dates
from explorer.errors import InputError
from explorer.messages import message


def with_days_since(features: Iterable[Feature], days_since: Mapping[str, str]) -> tuple[Feature, ...]:
    """The features; numeric ones of these names know the date that they count days from.

    Raises InputError for a text that is no date.

    >>> (feature,) = with_days_since([Feature("since", "numeric", np.array([0.0, 1.5]))], {"since": "2023-01-01"})
    >>> feature.scale.since
    '2023-01-01 00:00'
    """
    return tuple(
        replace(feature, scale=_origin(feature, days_since[feature.name]))
        if feature.kind == "numeric" and feature.name in days_since
        else feature
        for feature in features
    )


def dated(frame: pd.DataFrame, days_since: Mapping[str, str]) -> pd.DataFrame:
    """The frame as people read it: columns that count days since a date have the texts of dates.

    >>> dated(pd.DataFrame({"since": [0.0, None, 31.0]}), {"since": "2023-01-01"})["since"].tolist()
    ['2023-01-01', nan, '2023-02-01']
    """
    texts = {}
    for name, date in days_since.items():
        if list(frame.columns).count(name) == 1 and frame[name].dtype.kind in "iuf":
            known = frame[name].dropna()
            written = partial(date_text, days_since=with_times(date, bool((known == np.floor(known)).all())))
            texts[name] = known.map(written).reindex(frame.index)
    return frame.assign(**texts) if texts else frame


def _origin(feature: Feature, date: str) -> Dates:
    try:
        origin = datetime.date.fromisoformat(date).isoformat()
    except (TypeError, ValueError):
        raise InputError(
            message("Column '{column}' counts days since {date!r}: give a date.", column=feature.name, date=date)
        ) from None
    numbers = feature.values
    return Dates(with_times(origin, bool((numbers == np.floor(numbers)).all())))
