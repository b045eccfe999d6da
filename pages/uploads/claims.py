"""Files that several readings hold at once: one that is stopped or fails takes none away from the others."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from pages.uploads.store import Store


@dataclass
class _Claim:
    """The readings of one browser's file now, whether it was new to the first, and whether any of them has read it."""

    is_new: bool
    readings: int = 0
    is_read: bool = False


class Claims:
    """Who reads which file of which browser."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._claims: dict[tuple[str, str], _Claim] = {}

    @contextmanager
    def reading(self, store: Store | None, key: str, fingerprint: str) -> Iterator[None]:
        """Keep and read a file within the block; a new one that no reading could read is removed after the last."""
        if store is None:
            yield
            return
        place = key, fingerprint
        with self._lock:
            claim = self._claims.get(place) or _Claim(store.find(key, fingerprint) is None)
            self._claims[place] = claim
            claim.readings += 1
        is_read = False
        try:
            yield
            is_read = True
        finally:
            with self._lock:
                claim.readings -= 1
                claim.is_read = claim.is_read or is_read
                if not claim.readings:
                    del self._claims[place]
                    if claim.is_new and not claim.is_read:
                        store.forget(key, fingerprint)
