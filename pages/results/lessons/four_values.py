"""A table of twelve rows on which one value against the rest and subsets of values give different trees."""

from __future__ import annotations

import pandas as pd

import explorer as ex
from pages.results.cache import kept

_CITIES = {"p": "yes", "q": "yes", "r": "no", "s": "no"}
_ROWS_EACH = 3


@kept()
def rows() -> ex.Dataset:
    """Three rows of each of four cities; two cities are of one class, two of the other."""
    cities = [city for city in _CITIES for _ in range(_ROWS_EACH)]
    frame = pd.DataFrame({"city": cities, "y": [_CITIES[city] for city in cities]})
    return ex.Dataset.from_frame(frame, "y", features=["city"])
