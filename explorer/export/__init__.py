"""The tree in other forms: text, Mitchell's listing, DOT, Python, SQL, and a report with a script that repeats it."""

from explorer.export.dot import to_dot
from explorer.export.python import to_python
from explorer.export.sql import to_sql
from explorer.export.text import to_listing, to_text

__all__ = ["to_dot", "to_listing", "to_python", "to_sql", "to_text"]
