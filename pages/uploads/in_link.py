"""A small table within a link: the whole file with its name, compressed, as letters that an address may hold.

What a link holds was written by anybody: it is read within bounds, as an upload would be.
"""

from __future__ import annotations

import explorer as ex
from explorer.messages import message
from pages.settings.kept import letters
from pages.settings.settings import MOST_ROWS_TEXT

MOST_UNPACKED = 1 << 18
"""Bytes of a file in a link, as they were."""
_MOST_NAME = 200
"""Letters of its name."""


def packed(name: str, content: bytes, most: int = MOST_UNPACKED, most_letters: int = MOST_ROWS_TEXT) -> str | None:
    """The file as letters; None where it is too large: for a link, unless a project file may hold more.

    >>> len(packed("golf.csv", b"Outlook,Play\\n" + 14 * b"sunny,no\\n"))
    46
    >>> packed("random.csv", bytes(range(256)) * 1_100) is None
    True
    """
    if len(content) > most:
        return None
    text = letters.packed(name[:_MOST_NAME].encode() + b"\0" + content)
    return text if len(text) <= most_letters else None


def unpacked(rows: str, most: int = MOST_UNPACKED) -> tuple[str, bytes]:
    """Name and content of the file in a link; InputError for letters that hold none.

    >>> unpacked(packed("golf.csv", b"a,b"))
    ('golf.csv', b'a,b')
    """
    try:
        name, _, content = letters.unpacked(rows, most + 4 * _MOST_NAME).partition(b"\0")
        if content and 0 < len(name.decode()) <= _MOST_NAME:
            return name.decode(), content
    except ValueError:  # also a name that is no text
        pass
    raise ex.InputError(message("The rows in this link cannot be read: the link was cut or changed on its way."))
