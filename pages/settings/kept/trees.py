"""Trees that the reader keeps by name: what makes each of them, its size and its scores.

A kept tree is the part of a link that makes it, so that whatever a link can open can be kept.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

import explorer as ex
from explorer.messages import message
from pages.settings.kept import letters as text

MOST_TREES, MOST_LETTERS, LONGEST_NAME = 20, 8192, 80
"""Trees that are kept, letters that they take in a link, and letters of a name."""
_MOST_BYTES = 1 << 18
ROWS = ("training", "validation", "leave_one_out", "leave_groups_out", "leave_time_out")
"""The rows that a kept score may be of."""
METRICS = ("accuracy", "mse")


@dataclass(frozen=True)
class KeptTree:
    """A tree by name: its leaves, its scores by rows in a metric, and the parameters of a link that make it."""

    name: str
    leaves: int
    metric: str
    scores: tuple[tuple[str, float], ...]
    settings: tuple[tuple[str, tuple[str, ...]], ...]

    @property
    def query(self) -> dict[str, list[str]]:
        """Its settings as the parameters of a link."""
        return {key: list(texts) for key, texts in self.settings}

    def to_plain(self) -> dict[str, object]:
        """The tree as values of JSON."""
        return {
            "name": self.name,
            "leaves": self.leaves,
            "metric": self.metric,
            "scores": dict(self.scores),
            "settings": self.query,
        }

    @classmethod
    def from_plain(cls, plain: object) -> KeptTree:
        """The tree behind values of JSON; InputError for any others."""
        match plain:
            case {"name": str(name), "leaves": int(leaves), "metric": str(metric), "scores": scores, **rest} if (
                set(rest) == {"settings"} and 0 < len(name) <= LONGEST_NAME and leaves >= 1 and metric in METRICS
            ):
                return cls(name, leaves, metric, _scores(scores), frozen(rest["settings"]))
        raise _damaged()


def _scores(plain: object) -> tuple[tuple[str, float], ...]:
    if not isinstance(plain, dict) or not set(plain) <= set(ROWS):
        raise _damaged()
    if not all(type(value) in (int, float) and math.isfinite(value) for value in plain.values()):
        raise _damaged()
    return tuple((rows, float(value)) for rows, value in plain.items())


def frozen(query: object) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Parameters of a link that are values of JSON, checked; InputError where they are none."""
    if not isinstance(query, Mapping):
        raise _damaged()
    for texts in query.values():
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            raise _damaged()
    return tuple((str(key), tuple(texts)) for key, texts in query.items())


def _damaged() -> ex.InputError:
    return ex.InputError(message("A kept tree has fields that no kept tree has: they were changed by hand."))


def from_plain(plain: object) -> tuple[KeptTree, ...]:
    """Kept trees, each name once; InputError for values that are none, and for too many."""
    if not isinstance(plain, list) or len(plain) > MOST_TREES:
        raise _damaged()
    kept = tuple(map(KeptTree.from_plain, plain))
    if len({tree.name for tree in kept}) < len(kept):
        raise _damaged()
    return kept


def to_letters(kept: tuple[KeptTree, ...]) -> str:
    """Kept trees as a link holds them."""
    plain = [tree.to_plain() for tree in kept]
    return text.packed(json.dumps(plain, ensure_ascii=False, separators=(",", ":")).encode())


def from_letters(letters: str) -> tuple[KeptTree, ...] | None:
    """Kept trees of a link; None where its letters hold none."""
    if not letters:
        return ()
    if len(letters) > MOST_LETTERS:
        return None
    try:
        return from_plain(json.loads(text.unpacked(letters, _MOST_BYTES)))
    except (ValueError, RecursionError, ex.InputError):
        return None


def with_tree(kept: tuple[KeptTree, ...], new: KeptTree) -> tuple[KeptTree, ...]:
    """The kept trees with a new one at the end, in place of one of its name; InputError where they are too many."""
    trees = (*without(kept, new.name), new)
    if len(trees) > MOST_TREES or len(to_letters(trees)) > MOST_LETTERS:
        raise ex.InputError(message("So many trees fit in no link. Remove one that you need no longer."))
    return trees


def without(kept: tuple[KeptTree, ...], name: str) -> tuple[KeptTree, ...]:
    """The kept trees without one."""
    return tuple(tree for tree in kept if tree.name != name)


def merged(kept: tuple[KeptTree, ...], others: tuple[KeptTree, ...]) -> tuple[KeptTree, ...]:
    """Kept trees, and those of others that have other names, as many as may be kept."""
    for tree in others:
        if all(own.name != tree.name for own in kept):
            with suppress(ex.InputError):
                kept = with_tree(kept, tree)
    return kept
