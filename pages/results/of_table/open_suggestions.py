"""The suggestions for the table in use that the reader has not taken yet."""

from __future__ import annotations

import explorer as ex
from explorer.data.suggestions.repair import BY_HAND, KINDS
from explorer.messages import message, plural
from pages.results import trees
from pages.settings.settings import Settings


def found(settings: Settings) -> tuple[ex.Suggestion, ...]:
    """The open suggestions; none for the samples, which are tidy: what is odd in them belongs to them."""
    is_looked_at = any(KINDS[repair.kind] not in BY_HAND for repair in settings.repairs)
    return trees.source(settings).table.suggestions if settings.upload or is_looked_at else ()


def words(suggestions: tuple[ex.Suggestion, ...]) -> str:
    """How much there is to look at."""
    columns = len({suggestion.column for suggestion in suggestions if suggestion.column})
    if columns:
        return plural(columns, "{n:,} column needs a look", "{n:,} columns need a look")
    return message("The rows need a look")
