"""A table as read from a file, with what a person would repair in it."""

from __future__ import annotations

from functools import cached_property

from explorer.data.suggestions import BaseTable, Suggestion, suggestions_of


class Table(BaseTable):
    """A table as read: see `BaseTable` for its fields."""

    @cached_property
    def suggestions(self) -> tuple[Suggestion, ...]:
        """What a person would repair, in the whole table first, then by column; nothing is changed by itself."""
        return suggestions_of(self)
