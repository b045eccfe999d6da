"""The table in the files, and what these declare of it."""

import datetime as dt
from pathlib import Path

FOLDER = Path(__file__).parent
SURVEY = {
    "id": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0],
    "trust": [3.0, 2.0, 98.0, 99.0, 1.0, None],
    "sex": [2.0, 1.0, 2.0, 1.0, 9.0, 2.0],
    "income": [1200.5, 0.0, 31000.25, 5e5, 8.0, None],
    "city": ["Ulm", "Köln", "", "Ulm", "n/a", "Köln"],
    "word": ["b", "a", None, "z", "b", "a"],
    "day": [dt.date(2024, 1, 2), None, *[dt.date(1969, 12, 31)] * 4],
}
VALUE_LABELS = {
    "trust": {1: "low", 2: "mid", 3: "high", 98: "refused", 99: "not asked"},
    "sex": {1: "male", 2: "female"},
    "income": {0: "none"},
}
MISSING = {"trust": [{"lo": 98, "hi": 99}], "city": ["n/a"]}
MEASURES = {"trust": "ordinal", "sex": "nominal", "income": "scale"}
STATA_CODES = [2, 1, "a", "b", 1, None]
"""Stata's own missing codes: .a, which has a label, .b, which has none, and the missing cell without a letter."""
