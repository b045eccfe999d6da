"""The type of a single value of a table."""

from __future__ import annotations

import re

LEADING_ZERO = re.compile(r"[+-]?0\d+(?:\.\d*)?")
"""A number of several digits that begins with 0: digits that are a name, such as a zip code."""
POINT_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(?:\.\d{3})+")
"""A number whose points may separate thousands."""

Value = str | int | float | bool
"""A class or a category, in its own type."""
