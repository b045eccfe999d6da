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

Text from a user's file goes into fields, never into a template. Without a chosen language the package speaks English;
`LANGUAGES` are those it can speak:

>>> with spoken_in(chinese()):
...     plural(14, "{n:,} row", "{n:,} rows")
'14 行'
"""

from __future__ import annotations

from explorer.messages.language import (
    ENGLISH,
    Catalogue,
    ask_for_catalogue,
    current_catalogue,
    in_this_language,
    message,
    plural,
    spoken_in,
    use_catalogue,
)
from explorer.messages.languages import LANGUAGES, catalogue_of, chinese, language_for
from explorer.messages.sentences import clauses, listing, listing_with_more, paragraph, sentence
from explorer.messages.worded import Worded, WordedList, WordedTable, Words, worded

__all__ = [
    "ENGLISH",
    "LANGUAGES",
    "Catalogue",
    "Worded",
    "WordedList",
    "WordedTable",
    "Words",
    "ask_for_catalogue",
    "catalogue_of",
    "chinese",
    "clauses",
    "current_catalogue",
    "in_this_language",
    "language_for",
    "listing",
    "listing_with_more",
    "message",
    "paragraph",
    "plural",
    "sentence",
    "spoken_in",
    "use_catalogue",
    "worded",
]
