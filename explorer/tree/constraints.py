"""What a person decides about a tree: splits asked for, leaves, features forbidden (DEFINITIONS section 5).

A *place* is a node named by the way to it from the root, so that it outlives renumbering. A *choice* is one decision at
a place; *choices* are all of them in the order they were made, where of two that contradict each other the later holds.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from explorer.data.values import Value
from explorer.errors import InputError
from explorer.recipe.condition import Condition, SplitRequest

FORCE, LOCK, FORBID = OPERATIONS = ("force", "lock", "forbid")
_LONGEST_WORD = 80


def branch_text(condition: Condition, branch: int) -> str:
    """A branch as places remember it: the same words for the same rows, whichever kind of test parted them.

    >>> branch_text(Condition("sky", "one_vs_rest", None, (("sun", "rain"), ("fog",))), 0)
    'sky ∈ {sun, rain}'
    """
    plain = replace(condition, kind="subset") if condition.kind == "one_vs_rest" else condition
    word = plain.word(branch)
    if len(word) <= _LONGEST_WORD:
        return word
    return f"{word[: _LONGEST_WORD - 10]}… {hashlib.blake2b(word.encode(), digest_size=4).hexdigest()}"


@dataclass(frozen=True)
class NodePath:
    """A node by its branch positions from the root, and the words of those branches (`Tree.place`).

    Without `way` the place is taken at its word: whatever node stands there.
    """

    path: tuple[int, ...] = ()
    way: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        """Refuse what names no node."""
        if not all(isinstance(step, int) and not isinstance(step, bool) and step >= 0 for step in self.path):
            raise InputError(f"A path is a row of branch positions from 0 on, not {self.path!r:.60}.")
        if self.way is not None and len(self.way) != len(self.path):
            raise InputError(f"A path of {len(self.path)} branches has {len(self.way)} words: give one for each.")

    def fits(self, way: Sequence[str]) -> bool:
        """Whether these words of the branches above are the ones remembered."""
        return self.way is None or tuple(way) == self.way

    def is_above(self, other: NodePath) -> bool:
        """Whether the other place is further down the same path."""
        return len(self.path) < len(other.path) and other.path[: len(self.path)] == self.path

    @property
    def words(self) -> str:
        """The place in the words of the path."""
        if not self.path:
            return "the root"
        return " and ".join(self.way) if self.way else "branch " + " → ".join(str(step + 1) for step in self.path)


@dataclass(frozen=True)
class Choice:
    """One decision: force a question, lock the node as a leaf, or forbid the feature of a question there and below."""

    op: str
    place: NodePath
    question: SplitRequest | None = None

    def __post_init__(self) -> None:
        """Refuse what is no decision."""
        if self.op not in OPERATIONS:
            raise InputError(f"There is no choice called '{self.op}': choose one of {', '.join(OPERATIONS)}.")
        if (self.op == LOCK) != (self.question is None):
            raise InputError(f"The choice '{self.op}' {'names no feature' if self.op != LOCK else 'needs no feature'}.")

    @property
    def text(self) -> str:
        """What was decided, in words."""
        if self.question is None:
            return "made a leaf"
        if self.op == FORBID:
            return f"does not use {self.question.feature}, nor does any node below"
        return f"split by {self.question.text}"


@dataclass(frozen=True)
class Choices:
    """The history of what a person decided, never changed: every method gives a new one.

    `at` is a path such as (0, 1), or the place of a tree's node. A path means the node that stood there when the choice
    was made; where it cannot be carried out, growing raises InputError. A place from a tree was possible once: where
    the tests above it have changed, or its test can no longer be asked, the choice rests and growing says so.

    >>> choices = Choices().force((), "Wind").lock((1,))
    >>> len(choices), len(choices.undo()), Choices.from_plain(choices.to_plain()) == choices
    (2, 1, True)
    """

    history: tuple[Choice, ...] = ()

    def __len__(self) -> int:
        """How many choices were made."""
        return len(self.history)

    def __iter__(self) -> Iterator[Choice]:
        """The choices in order."""
        return iter(self.history)

    def with_choice(self, choice: Choice) -> Choices:
        """One more choice."""
        return Choices((*self.history, choice))

    def force(
        self,
        at: NodePath | Sequence[int],
        wanted: str | Condition | SplitRequest,
        *,
        threshold: float | None = None,
        categories: Sequence[Value | None] | None = None,
        test: str = "best",
    ) -> Choices:
        """Split a node by a feature: at a threshold, by a grouping of categories, or by its best test (of a kind)."""
        if isinstance(wanted, Condition):
            wanted = SplitRequest.of(wanted)
        elif isinstance(wanted, str):
            wanted = _question(wanted, threshold, categories, test)
        return self.with_choice(Choice(FORCE, _place(at), wanted))

    def lock(self, at: NodePath | Sequence[int]) -> Choices:
        """Keep a node a leaf."""
        return self.with_choice(Choice(LOCK, _place(at)))

    def forbid(self, at: NodePath | Sequence[int], feature: str) -> Choices:
        """Keep a feature out of a node and of all nodes below it."""
        return self.with_choice(Choice(FORBID, _place(at), SplitRequest(feature)))

    def undo(self) -> Choices:
        """Without the last choice."""
        return Choices(self.history[:-1])

    def without(self, which: int) -> Choices:
        """Without the choice at a position of the history."""
        if not 0 <= which < len(self):
            raise InputError(f"There are {len(self)} choices, so there is none at position {which}.")
        return Choices(self.history[:which] + self.history[which + 1 :])

    def to_plain(self) -> list[dict[str, Any]]:
        """Plain lists and values that JSON can hold; `from_plain` reads them back."""
        return [_to_plain(choice) for choice in self.history]

    @classmethod
    def from_plain(cls, content: object) -> Choices:
        """The choices that `to_plain` wrote; InputError for anything else."""
        if not isinstance(content, list):
            raise InputError("These are no saved choices: a list of choices was expected.")
        return cls(tuple(_numbered(which, one) for which, one in enumerate(content, 1)))

    def to_json(self) -> str:
        """The same as a text to save; `from_json` reads it back."""
        return json.dumps(self.to_plain(), ensure_ascii=False, indent=1)

    @classmethod
    def from_json(cls, content: str | bytes) -> Choices:
        """The choices that `to_json` wrote; InputError for anything else.

        >>> Choices.from_json(Choices().lock((0,)).to_json()) == Choices().lock((0,))
        True
        """
        try:
            found = json.loads(content)
        except (ValueError, RecursionError) as error:
            where = f" (line {error.lineno}, column {error.colno})" if isinstance(error, json.JSONDecodeError) else ""
            raise InputError(f"These are no saved choices: they are not JSON{where}.") from error
        return cls.from_plain(found)

    def to_code(self) -> str:
        """Lines of Python that make the same choices.

        >>> print(Choices().lock((0,)).to_code())
        choices = ex.Choices()
        choices = choices.lock(ex.NodePath((0,)))
        """
        return "\n".join(["choices = ex.Choices()", *(f"choices = choices.{_call(choice)}" for choice in self.history)])


def _question(
    feature: str, threshold: float | None, categories: Sequence[Value | None] | None, test: str
) -> SplitRequest:
    if threshold is not None:
        return SplitRequest(feature, "threshold", float(threshold))
    if categories is not None:
        return SplitRequest(feature, "grouping", categories=tuple(dict.fromkeys(categories)))
    return SplitRequest(feature, test)


def _place(at: NodePath | Sequence[int]) -> NodePath:
    return at if isinstance(at, NodePath) else NodePath(tuple(at))


def _to_plain(choice: Choice) -> dict[str, Any]:
    plain: dict[str, Any] = {"op": choice.op, "path": list(choice.place.path)}
    if choice.place.way is not None:
        plain["way"] = list(choice.place.way)
    if choice.question is not None:
        plain["feature"] = choice.question.feature
        if choice.op == FORCE:
            plain["test"] = choice.question.test
    if choice.question is not None and choice.question.threshold is not None:
        plain["threshold"] = choice.question.threshold
    if choice.question is not None and choice.question.categories:
        plain["categories"] = list(choice.question.categories)
    return plain


def _numbered(which: int, one: object) -> Choice:
    """A choice read back; what is wrong with it is said with its number."""
    try:
        return _from_plain(one)
    except InputError as error:
        raise InputError(f"Choice {which}: {error}") from error


def _from_plain(one: object) -> Choice:
    known = {"op", "path", "way", "feature", "test", "threshold", "categories"}
    if not isinstance(one, Mapping) or not {"op", "path"} <= set(one) <= known:
        raise InputError(f"This is no saved choice: {one!r:.80}. It needs 'op' and 'path', and nothing unknown to it.")
    lists = [one.get(name, []) for name in ("path", "way", "categories")]
    threshold = one.get("threshold")
    simple = all(isinstance(found, list) for found in lists) and isinstance(one.get("feature", ""), str)
    plain = (str, int, float, bool, type(None))
    if (
        not simple
        or not all(isinstance(word, str) for word in lists[1])
        or not all(isinstance(value, plain) for value in lists[2])
        or not isinstance(threshold, (int, float, type(None)))
        or isinstance(threshold, bool)
    ):
        raise InputError(f"This is no saved choice: {one!r:.80}.")
    place = NodePath(tuple(lists[0]), tuple(lists[1]) if "way" in one else None)
    if "feature" not in one:
        return Choice(one["op"], place)
    question = SplitRequest(one["feature"], one.get("test", "best"), _finite(threshold), tuple(lists[2]))
    return Choice(one["op"], place, question)


def _finite(threshold: float | None) -> float | None:
    """A whole number too large for a float is as good as infinite, which a question refuses."""
    try:
        return None if threshold is None else float(threshold)
    except OverflowError:
        return math.inf


def _call(choice: Choice) -> str:
    """A choice as a call of the method that makes it."""
    way = "" if choice.place.way is None else f", {choice.place.way!r}"
    arguments = [f"ex.NodePath({choice.place.path!r}{way})"]
    question = choice.question
    if question is not None:
        arguments.append(repr(question.feature))
        if question.threshold is not None:
            arguments.append(f"threshold={question.threshold!r}")
        elif question.categories:
            arguments.append(f"categories={question.categories!r}")
        elif choice.op == FORCE and question.test != "best":
            arguments.append(f"test={question.test!r}")
    return f"{choice.op}({', '.join(arguments)})"
