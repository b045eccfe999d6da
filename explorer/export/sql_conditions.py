"""The steps of a rule as SQL: whether a row takes a branch, and which part of it does (DEFINITIONS section 6)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from explorer.export.sql_words import among, cell, literal
from explorer.forks import SPREAD, Fork, Question

Step = tuple[Fork, int]
"""A node and the branch taken there; STAY for a value that has no branch."""


def fulfils(steps: Sequence[Step]) -> str:
    """The condition that a row takes all of these branches as a whole; empty where nothing is asked."""
    return " AND ".join(_all_takings(steps))


def part(step: Step) -> str:
    """The part of a row that goes down a branch."""
    fork, branch = step
    lines = f"WHEN {_taking(fork, branch)} THEN 1e0"
    spread = [_by_no_value(fork.question)] if fork.unseen == SPREAD else []
    spread += [f"{cell(fork.question.usage.name)} IS NULL"] if fork.missing == SPREAD else []
    told = " OR ".join(one for one in spread if one)
    if told and branch >= 0:
        lines += f" WHEN {told} THEN {literal(fork.shares[branch])}"
    return f"(CASE {lines} ELSE 0e0 END)"


def _all_takings(steps: Sequence[Step]) -> list[str]:
    """One condition per step; thresholds of one feature that missing cells pass alike become one interval."""
    found: dict[object, list[Step]] = {}
    for fork, branch in steps:
        plain = fork.question.cut is not None and branch in (0, 1) and not fork.surrogates
        key = (fork.question.feature, fork.missing == branch) if plain else (fork.node,)
        found.setdefault(key, []).append((fork, branch))
    return [_taking(*group[0]) if len(group) == 1 else _interval(group) for group in found.values()]


def _interval(group: Sequence[Step]) -> str:
    """Several thresholds of one feature, as its narrowest bounds."""
    cuts = [[fork.question.cut for fork, branch in group if branch == side] for side in (0, 1)]
    name = cell(group[0][0].question.usage.name)
    ends = [[cut for cut in side if cut is not None] for side in cuts]
    bounds = [f"{name} > {literal(max(ends[1]))}"] if ends[1] else []
    bounds += [f"{name} <= {literal(min(ends[0]))}"] if ends[0] else []
    together = " AND ".join(bounds)
    fork, branch = group[0]
    return f"({together} OR {name} IS NULL)" if fork.missing == branch else together


def _taking(fork: Fork, branch: int) -> str:
    """The condition that a row goes down a branch as a whole; for STAY, that it stops."""
    choices = [_by_value(fork.question, branch)] if branch >= 0 else []
    if branch == fork.unseen and (unseen := _by_no_value(fork.question)):
        choices.append(unseen)
    choices.append(_without_value(fork, branch))
    choices = [choice for choice in choices if choice]
    if not choices:
        return "1 = 0"
    return choices[0] if len(choices) == 1 else "(" + " OR ".join(choices) + ")"


def _without_value(fork: Fork, branch: int) -> str:
    """The condition that a row has no value and goes down a branch, by surrogates or as usual; empty for never."""
    absent = f"{cell(fork.question.usage.name)} IS NULL"
    if not fork.surrogates:
        return absent if fork.missing == branch else ""
    reached = [
        (one, to)
        for one in fork.surrogates
        for to in sorted({*one.sides} if one.cut is not None else {*one.branch_of.values()})
    ]
    if branch not in {fork.missing, *(to for _, to in reached)}:
        return ""
    choices = " ".join(f"WHEN {_by_value(one, to)} THEN {to}" for one, to in reached)
    return f"({absent} AND CASE {choices} ELSE {fork.missing} END = {branch})"


def _by_value(question: Question, branch: int) -> str:
    """The condition that a value has this branch; empty where none has."""
    name = cell(question.usage.name)
    if question.cut is not None:
        if question.sides == (branch, branch):
            return f"{name} IS NOT NULL"
        signs = [sign for sign, side in zip(("<=", ">"), question.sides, strict=True) if side == branch]
        return f"{name} {signs[0]} {literal(question.cut)}" if signs else ""
    codes = [code for code, to in question.branch_of.items() if to == branch]
    if question.usage.test == "bins":
        return _joined([_bin(question, code) for code in codes])
    return among(name, [literal(_label(question, code)) for code in codes])


def _by_no_value(question: Question) -> str:
    """The condition that there is a value, but none that has a branch; empty where all have."""
    name = cell(question.usage.name)
    if question.cut is not None:
        return ""
    if question.usage.test == "bins":
        return _joined(
            [_bin(question, bin_) for bin_ in range(len(question.usage.edges) + 1) if bin_ not in question.branch_of]
        )
    known = ", ".join(literal(_label(question, code)) for code in question.branch_of)
    return f"{name} NOT IN ({known})" if known else f"{name} IS NOT NULL"


def _label(question: Question, code: int) -> str | int | float | bool:
    label = question.usage.labels[code]
    assert label is not None, "missing values are told apart"
    return label


def _bin(question: Question, code: int) -> str:
    """An interval between two edges of the feature's bins."""
    name = cell(question.usage.name)
    bounds = [None, *question.usage.edges, None]
    low, high = list(pairwise(bounds))[code]
    parts = [f"{name} > {literal(low)}"] if low is not None else []
    parts += [f"{name} <= {literal(high)}"] if high is not None else []
    return " AND ".join(parts) or f"{name} IS NOT NULL"


def _joined(conditions: Sequence[str]) -> str:
    if len(conditions) < 2:
        return "".join(conditions)
    return "(" + " OR ".join(f"({condition})" for condition in conditions) + ")"
