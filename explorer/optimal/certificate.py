"""The proof that a tree is optimal, as plain values that JSON keeps; `check_certificate` reads it (section 27)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from explorer.optimal.answers import Bound, Claim, Entry
from explorer.optimal.problem import Problem

FORMAT = 1


def as_plain(problem: Problem, claims: Sequence[Claim], root: int, **told: Any) -> dict[str, Any]:
    """The claims that the root's rests on, numbered anew, with what else is told, and a digest of all of it.

    A claim is [depth, leaves, whether without minimum sizes, bound, entries], an entry [column, test, bounds, bounds
    with minimum sizes or None], where bounds hold [bound, claim] by branch and budget of leaves.
    """
    kept = {root: 0} if root >= 0 else {}
    waiting = list(kept)
    while waiting:
        for entry in claims[waiting.pop()].entries:
            for _, claim in _bounds_of(entry):
                if claim >= 0 and claim not in kept:
                    kept[claim] = len(kept)
                    waiting.append(claim)
    plain = {
        "format": FORMAT,
        "columns": [column.encoding.name for column in problem.columns],
        "rows": problem.n_rows,
        **told,
        "claims": [_plain(claims[claim], kept) for claim in kept],
    }
    return {**plain, "digest": digest_of(plain)}


def digest_of(plain: Mapping[str, Any]) -> str:
    """A fingerprint of all but the fingerprint itself."""
    content = {name: value for name, value in plain.items() if name != "digest"}
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def _bounds_of(entry: Entry) -> list[Bound]:
    return [bound for branches in (entry.relaxed, entry.limited or []) for branch in branches for bound in branch]


def _plain(claim: Claim, kept: Mapping[int, int]) -> list[Any]:
    def numbered(branches: list[list[Bound]] | None) -> list[list[list[float]]] | None:
        if branches is None:
            return None
        return [[[bound, kept.get(number, -1)] for bound, number in branch] for branch in branches]

    entries = [[*entry.test, numbered(entry.relaxed), numbered(entry.limited)] for entry in claim.entries]
    return [claim.depth, claim.leaves, claim.is_relaxed, claim.bound, entries]
