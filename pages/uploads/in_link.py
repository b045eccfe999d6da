"""A small table within a link: the whole file with its name, compressed, as letters that an address may hold.

What a link holds was written by anybody: it is read within bounds, as an upload would be.
"""

from __future__ import annotations

import base64
import binascii
import zlib

import explorer as ex
from explorer.messages import message
from pages.settings.settings import MOST_ROWS_TEXT

MOST_PACKED, MOST_UNPACKED = MOST_ROWS_TEXT // 4 * 3, 1 << 18
"""Bytes of a file in a link, compressed and as they were."""
_MOST_LETTERS = 200
"""Letters of its name."""
_RAW = -zlib.MAX_WBITS
"""Deflate without the header and the checksum of zlib: the address has a hash of the content."""


def packed(name: str, content: bytes) -> str | None:
    """The file as letters; None where it is too large for a link.

    >>> len(packed("golf.csv", b"Outlook,Play\\n" + 14 * b"sunny,no\\n"))
    46
    >>> packed("random.csv", bytes(range(256)) * 1_100) is None
    True
    """
    if len(content) > MOST_UNPACKED:
        return None
    press = zlib.compressobj(9, zlib.DEFLATED, _RAW)
    letters = press.compress(name[:_MOST_LETTERS].encode() + b"\0" + content) + press.flush()
    return None if len(letters) > MOST_PACKED else base64.urlsafe_b64encode(letters).decode().rstrip("=")


def unpacked(rows: str) -> tuple[str, bytes]:
    """Name and content of the file in a link; InputError for letters that hold none.

    >>> unpacked(packed("golf.csv", b"a,b"))
    ('golf.csv', b'a,b')
    """
    try:
        letters = base64.b64decode(rows + "=" * (-len(rows) % 4), altchars=b"-_", validate=True)
        press = zlib.decompressobj(_RAW)
        plain = press.decompress(letters, MOST_UNPACKED + 4 * _MOST_LETTERS)
        name, _, content = plain.partition(b"\0")
        if press.eof and not press.unused_data and content and 0 < len(name.decode()) <= _MOST_LETTERS:
            return name.decode(), content
    except (binascii.Error, zlib.error, UnicodeDecodeError):
        pass
    raise ex.InputError(message("The rows in this link cannot be read: the link was cut or changed on its way."))
