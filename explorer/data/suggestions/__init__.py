"""Repairs of untidy tables: found and worded here, never applied unless asked."""

from explorer.data.suggestions.apply import BaseTable, apply_repairs
from explorer.data.suggestions.repair import Repair
from explorer.data.suggestions.suggest import Suggestion, suggestions_of

__all__ = ["BaseTable", "Repair", "Suggestion", "apply_repairs", "suggestions_of"]
