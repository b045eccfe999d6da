"""What every picture has: a kind, by which the browser draws it, and a sentence for those who cannot see it."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, ClassVar


@dataclass(frozen=True, kw_only=True)
class Picture:
    """A picture as numbers and texts; `says` is what it shows, in words, for a screen reader."""

    kind: ClassVar[str]
    says: str

    def plain(self) -> dict[str, Any]:
        """The picture as a dictionary that JSON can hold."""
        return {"kind": self.kind, **dataclasses.asdict(self)}
