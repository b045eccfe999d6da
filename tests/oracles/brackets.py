"""A language in which every text stands between brackets: what has none was not translated."""

from explorer.messages import Catalogue


class Bracketed(Catalogue):
    """Says every template in brackets."""

    def template(self, english: str) -> str:
        """The English template between brackets."""
        return f"⟦{english}⟧"


def is_bracketed(text: str) -> bool:
    """Whether a whole text was translated."""
    return text.startswith("⟦") and text.endswith("⟧")
