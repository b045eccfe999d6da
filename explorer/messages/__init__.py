"""Every sentence that readers see: written in English where it is used, shown in the language that is chosen.

A *message* is an English template with named fields; it is also its own key in the catalogue of another language (the
way of GNU gettext). Fields come last, so that a translator can put them where the language wants them:

>>> message("Column '{column}' has {count:,} empty cells.", column="fare", count=1200)
"Column 'fare' has 1,200 empty cells."

What depends on a number has two templates, and the number is the field `n`:

>>> plural(1, "{n:,} row", "{n:,} rows"), plural(14, "{n:,} row", "{n:,} rows")
('1 row', '14 rows')

A record or table that is made once, and read in many languages, holds functions: fields of type `Worded`, `WordedTable`
and `WordedList` call them each time a text is read.

Text from a user's file goes into fields, never into a template. Without a chosen language the package speaks English.
"""

from __future__ import annotations

from explorer.messages.language import (
    ENGLISH,
    Catalogue,
    current_catalogue,
    message,
    plural,
    spoken_in,
    use_catalogue,
)
from explorer.messages.worded import Worded, WordedList, WordedTable, Words, worded

__all__ = [
    "ENGLISH",
    "Catalogue",
    "Worded",
    "WordedList",
    "WordedTable",
    "Words",
    "current_catalogue",
    "message",
    "plural",
    "spoken_in",
    "use_catalogue",
    "worded",
]
