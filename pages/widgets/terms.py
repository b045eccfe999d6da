"""Words and signs that explain themselves: a link to the glossary whose meaning shows when the mouse rests on it."""

from __future__ import annotations

from urllib.parse import urlencode

from explorer.messages import WordedTable, message
from pages.settings import language
from pages.text import escape_markdown

MARGIN, NEAR_TIE, CHI2, LOG_WORTH = "margin", "≈", "χ²", "LogWorth"
OF_TESTS = (CHI2, LOG_WORTH)
"""The terms that head columns of a table of candidates with significance tests."""

MEANINGS = WordedTable(
    {
        MARGIN: lambda: message("How far the best score is above the best score of any other feature."),
        NEAR_TIE: lambda: message(
            "Another feature is behind by less than 1 % of the score, or leaving out one row would let it win."
        ),
        CHI2: lambda: message(
            "A measure of how far the branches differ in their classes; p is how often chance alone gives as much."
        ),
        LOG_WORTH: lambda: message("−log₁₀ of the adjusted p: 2 stands for p = 0.01, and more is stronger evidence."),
    }
)


def explained(term: str, word: str = "") -> str:
    """The term, or a word for it, as Markdown: a link to its place in the glossary with its meaning."""
    query = urlencode({"learn": "glossary", "find": term} | {key: text for key, (text,) in language.in_query().items()})
    return f'[{escape_markdown(word or term)}](learn?{query} "{MEANINGS[term]}")'
