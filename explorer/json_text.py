"""JSON from anybody: what its values would take in memory is estimated before they are made."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from explorer.errors import InputError
from explorer.messages import message

MOST_BYTES, BYTES_A_CHARACTER = 350_000_000, 7
"""What the values may take: the first, or so much for every character of a long text."""
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_SURROGATE_BYTES = re.compile(rb"\\\0*u\0*[dD]\0*[89a-fA-F]")


def bytes_of_values(text: str | bytes) -> int:
    """About how many bytes of memory the values of a JSON text take, seldom less.

    A number of a list takes 32 bytes, an empty list or record 56 or 64, a record of one entry 184; names of entries
    are kept once.

    >>> bytes_of_values("[1.5, 2.5]"), bytes_of_values(b'{"a": {}}')
    (104, 376)
    """
    signs = ",[{:" + '"'
    counted = [text.count(sign) for sign in signs] if isinstance(text, str) else [text.count(ord(s)) for s in signs]
    commas, lists, records, names, quotes = counted
    return 32 * commas + 72 * lists + 170 * records + 36 * names + 56 * max(quotes // 2 - names, 0)


def parsed(text: str | bytes, refusal: Callable[[], InputError]) -> Any:
    """The values of a JSON text; `refusal` where it is none, an InputError where they would take too much memory."""
    needed = bytes_of_values(text)
    if needed > max(MOST_BYTES, BYTES_A_CHARACTER * len(text)):
        raise InputError(
            message(
                "The file's values would take about {needed:,} MB of memory, more than a model of {size:,.1f} MB "
                "needs: write it again.",
                needed=needed // 1_000_000,
                size=len(text) / 1e6,
            )
        )
    try:
        values = json.loads(text)
        if _SURROGATE.search(text) if isinstance(text, str) else _SURROGATE_BYTES.search(text):
            json.dumps(values, ensure_ascii=False).encode()  # fails for one without its pair, which is no text
        return values
    except (ValueError, RecursionError):  # also bytes that are no text, and numbers of thousands of digits
        raise refusal() from None
