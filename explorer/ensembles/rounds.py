"""The loop that makes an ensemble: one round after the other, until a round says that it was the last."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from explorer.ensembles.base_ensemble import Member
from explorer.errors import InputError, Stopped
from explorer.messages import message
from explorer.recipe.remarks import Remark
from explorer.tree.constraints import Choices

State = TypeVar("State")
Progress = Callable[[int, int], None]
ChoicesOfMembers = Mapping[int, Choices]
"""Choices made by hand, by the position of the member that is grown with them."""


@dataclass(frozen=True)
class Round(Generic[State]):
    """What one round made: its members (none where it failed), the state for the next, and why there is no next."""

    members: tuple[Member, ...]
    state: State
    ended: Remark | None = None


@dataclass(frozen=True)
class Rounds:
    """The members of all rounds, how many rounds have members, and why there are fewer than asked for."""

    members: tuple[Member, ...]
    n_stages: int
    ended: Remark | None = None


def run_rounds(
    step: Callable[[int, State, Progress], Round[State]],
    state: State,
    n_rounds: int,
    progress: Progress | None = None,
) -> Rounds:
    """Run up to `n_rounds` rounds: `step(stage, state, report)` makes the members of stage 1, 2, ….

    `progress(rounds done, rounds in all)` is called before every round and at the end. `report` is what `step` gives to
    `grow` as its progress: it calls `progress` too. When either raises `Stopped`, the members so far are kept.
    """
    members: list[Member] = []
    done = 0

    def report(*_: int) -> None:
        if progress is not None:
            progress(done, n_rounds)

    try:
        for stage in range(1, n_rounds + 1):
            report()
            made = step(stage, state, report)
            members += made.members
            done, state = done + bool(made.members), made.state
            if made.ended is not None:
                return Rounds(tuple(members), done, made.ended)
        report()
    except Stopped:
        if done < n_rounds:
            return Rounds(tuple(members), done, Remark("rounds_stopped", (done, n_rounds)))
    return Rounds(tuple(members), done)


def checked_count(name: str, value: object, least: int = 1, most: int = 100_000) -> int:
    """A number of members or rounds; InputError unless it is a whole number in this range."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise InputError(
            message(
                "{name} is {value!r}: give a whole number from {least} to {most:,}.",
                name=name,
                value=value,
                least=least,
                most=most,
            )
        )
    return value
