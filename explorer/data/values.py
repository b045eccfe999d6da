"""The type of a single value of a table."""

from __future__ import annotations

Value = str | int | float | bool
"""A class or a category, in its own type."""
