"""Bytes as letters that a web address may hold, compressed; read within bounds, since anybody may write them."""

from __future__ import annotations

import base64
import binascii
import zlib

_RAW = -zlib.MAX_WBITS
"""Deflate without the header and the checksum of zlib."""


def packed(content: bytes) -> str:
    """The bytes as letters.

    >>> packed(14 * b"sunny,no\\n"), unpacked(packed(b"ab"), 2)
    ('Ky7Ny6vUycvnKh4IBgA', b'ab')
    """
    press = zlib.compressobj(9, zlib.DEFLATED, _RAW)
    return base64.urlsafe_b64encode(press.compress(content) + press.flush()).decode().rstrip("=")


def unpacked(letters: str, most: int) -> bytes:
    """The bytes behind letters, at most so many; ValueError for letters that hold none, or more."""
    try:
        pressed = base64.b64decode(letters + "=" * (-len(letters) % 4), altchars=b"-_", validate=True)
        press = zlib.decompressobj(_RAW)
        content = press.decompress(pressed, most)
    except (binascii.Error, zlib.error) as error:
        raise ValueError(str(error)) from error
    if not press.eof or press.unused_data:
        raise ValueError("cut, or followed by more")
    return content
