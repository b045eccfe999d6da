"""A tree in other forms: indented text, DOT, plain lists and values."""

from explorer.export.dot import to_dot
from explorer.export.text import to_text

__all__ = ["to_dot", "to_text"]
