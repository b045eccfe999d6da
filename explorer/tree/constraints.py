"""What a person decides about a tree: forced splits, leaves, forbidden features (DEFINITIONS section 5).

A *node path* names a node by the branches that lead to it from the root, so it stays valid when nodes are renumbered. A
*choice* is one decision at a node path. *Choices* are all of them in the order they were made; of two that contradict
each other the later one holds.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from explorer.data.codes.scale import NUMBERS, Scale
from explorer.errors import InputError
from explorer.messages import ENGLISH, listing, message, spoken_in
from explorer.recipe.condition import Condition, SplitRequest
from explorer.values import Value

FORCE, LOCK, FORBID = OPERATIONS = ("force", "lock", "forbid")
_LONGEST_TEXT = 80


def branch_text(condition: Condition, branch: int) -> str:
    """A branch as node paths hold it: the same text for the same rows, whatever test split them, in any language.

    >>> branch_text(Condition("sky", "one_vs_rest", None, (("sun", "rain"), ("fog",))), 0)
    'sky ∈ {sun, rain}'
    """
    plain = replace(condition, kind="subset") if condition.kind == "one_vs_rest" else condition
    with spoken_in(ENGLISH):
        text = plain.word(branch)
    if len(text) <= _LONGEST_TEXT:
        return text
    return f"{text[: _LONGEST_TEXT - 10]}… {hashlib.blake2b(text.encode(), digest_size=4).hexdigest()}"


@dataclass(frozen=True)
class NodePath:
    """A node by its branch positions from the root, and the texts of those branches (`Tree.place`).

    Without `branch_texts` it means whatever node is at the end of these branches.
    """

    path: tuple[int, ...] = ()
    branch_texts: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        """Refuse what names no node."""
        if not all(isinstance(step, int) and not isinstance(step, bool) and step >= 0 for step in self.path):
            raise InputError(
                message(
                    "A path is a sequence of branch positions from 0 on, not {path:.60}: correct it.",
                    path=repr(self.path),
                )
            )
        if self.branch_texts is not None and len(self.branch_texts) != len(self.path):
            raise InputError(
                message(
                    "A path has {branches} branches but {texts} texts: give one text for each branch.",
                    branches=len(self.path),
                    texts=len(self.branch_texts),
                )
            )

    def fits(self, branch_texts: Sequence[str]) -> bool:
        """Whether the branches above a node have the texts of this path."""
        return self.branch_texts is None or tuple(branch_texts) == self.branch_texts

    def is_above(self, other: NodePath) -> bool:
        """Whether the other node is further down the same path."""
        return len(self.path) < len(other.path) and other.path[: len(self.path)] == self.path

    @property
    def words(self) -> str:
        """The path as text: its branches."""
        if not self.path:
            return message("the root")
        if self.branch_texts:
            return message(" and ").join(self.branch_texts)
        return message("branch {steps}", steps=" → ".join(str(step + 1) for step in self.path))


@dataclass(frozen=True)
class Choice:
    """One decision: force a split, lock the node as a leaf, or forbid a feature at the node and below."""

    op: str
    place: NodePath
    request: SplitRequest | None = None

    def __post_init__(self) -> None:
        """Refuse what is no decision."""
        if self.op not in OPERATIONS:
            raise InputError(
                message(
                    "There is no choice called '{choice}': choose one of {choices}.",
                    choice=self.op,
                    choices=listing(OPERATIONS),
                )
            )
        if self.op == LOCK and self.request is not None:
            raise InputError(message("The choice 'lock' makes a leaf and needs no feature: remove the feature."))
        if self.op != LOCK and self.request is None:
            raise InputError(message("The choice '{choice}' names no feature: name one.", choice=self.op))

    @property
    def text(self) -> str:
        """What was decided, in words, a threshold as a number."""
        return self.words(NUMBERS)

    def words(self, scale: Scale) -> str:
        """What was decided, in words; `scale` is what the numbers of its feature stand for."""
        if self.request is None:
            return message("made a leaf")
        if self.op == FORBID:
            return message("does not split on {feature}, nor does any node below", feature=self.request.feature)
        return message("split on {split}", split=self.request.words(scale))


@dataclass(frozen=True)
class Choices:
    """The history of what a person decided, never changed: every method gives a new one.

    `at` is a path such as (0, 1), or the node path of a tree's node. A path means the node at its end when the choice
    was made; where the choice cannot be carried out, growing raises InputError. A node path from a tree was possible
    once: where the tests above it have changed, or its test is no longer possible, the choice is not in force.

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
        split: str | Condition | SplitRequest,
        *,
        threshold: float | None = None,
        categories: Sequence[Value | None] | None = None,
        test: str = "best",
    ) -> Choices:
        """Split a node by a feature: at a threshold, by a grouping of categories, or by its best test (of a kind)."""
        if isinstance(split, Condition):
            split = SplitRequest.of(split)
        elif isinstance(split, str):
            split = _split_request(split, threshold, categories, test)
        return self.with_choice(Choice(FORCE, _node_path(at), split))

    def lock(self, at: NodePath | Sequence[int]) -> Choices:
        """Keep a node a leaf."""
        return self.with_choice(Choice(LOCK, _node_path(at)))

    def forbid(self, at: NodePath | Sequence[int], feature: str) -> Choices:
        """Keep a feature out of a node and of all nodes below it."""
        return self.with_choice(Choice(FORBID, _node_path(at), SplitRequest(feature)))

    def undo(self) -> Choices:
        """Without the last choice."""
        return Choices(self.history[:-1])

    def without(self, which: int) -> Choices:
        """Without the choice at a position of the history."""
        if not 0 <= which < len(self):
            raise InputError(
                message(
                    "There is no choice at position {position}: there are {choices}.",
                    position=which,
                    choices=len(self),
                )
            )
        return Choices(self.history[:which] + self.history[which + 1 :])

    def to_plain(self) -> list[dict[str, Any]]:
        """Plain lists and values that JSON can hold; `from_plain` reads them back."""
        return [_to_plain(choice) for choice in self.history]

    @classmethod
    def from_plain(cls, content: object) -> Choices:
        """The choices that `to_plain` wrote; InputError for anything else."""
        if not isinstance(content, list):
            raise InputError(message("These are not saved choices: a list of choices was expected."))
        return cls(tuple(_numbered_choice(number, plain) for number, plain in enumerate(content, 1)))

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
            plain = json.loads(content)
        except (ValueError, RecursionError) as error:
            if not isinstance(error, json.JSONDecodeError):
                raise InputError(message("These are not saved choices: they are not JSON.")) from error
            raise InputError(
                message(
                    "These are not saved choices: they are not JSON (line {line}, column {column}).",
                    line=error.lineno,
                    column=error.colno,
                )
            ) from error
        return cls.from_plain(plain)

    def to_code(self) -> str:
        """Lines of Python that make the same choices.

        >>> print(Choices().lock((0,)).to_code())
        choices = ex.Choices()
        choices = choices.lock(ex.NodePath((0,)))
        """
        return "\n".join(["choices = ex.Choices()", *(f"choices = choices.{_call(choice)}" for choice in self.history)])


def _split_request(
    feature: str, threshold: float | None, categories: Sequence[Value | None] | None, test: str
) -> SplitRequest:
    if threshold is not None:
        return SplitRequest(feature, "threshold", float(threshold))
    if categories is not None:
        return SplitRequest(feature, "grouping", categories=tuple(dict.fromkeys(categories)))
    return SplitRequest(feature, test)


def _node_path(at: NodePath | Sequence[int]) -> NodePath:
    return at if isinstance(at, NodePath) else NodePath(tuple(at))


def _to_plain(choice: Choice) -> dict[str, Any]:
    plain: dict[str, Any] = {"op": choice.op, "path": list(choice.place.path)}
    if choice.place.branch_texts is not None:
        plain["way"] = list(choice.place.branch_texts)
    if choice.request is not None:
        plain["feature"] = choice.request.feature
        if choice.op == FORCE:
            plain["test"] = choice.request.test
    if choice.request is not None and choice.request.threshold is not None:
        plain["threshold"] = choice.request.threshold
    if choice.request is not None and choice.request.categories:
        plain["categories"] = list(choice.request.categories)
    return plain


def _numbered_choice(number: int, plain: object) -> Choice:
    """A choice read back; errors name its number."""
    try:
        return _from_plain(plain)
    except InputError as error:
        raise InputError(message("Choice {number}: {error}", number=number, error=error)) from error


def _from_plain(plain: object) -> Choice:
    known = {"op", "path", "way", "feature", "test", "threshold", "categories"}
    if not isinstance(plain, Mapping) or not {"op", "path"} <= set(plain) <= known:
        raise InputError(
            message(
                "This is not a saved choice: {value:.80}. It needs 'op' and 'path', and no unknown key.",
                value=repr(plain),
            )
        )
    lists = [plain.get(name, []) for name in ("path", "way", "categories")]
    threshold = plain.get("threshold")
    has_types = all(isinstance(items, list) for items in lists) and isinstance(plain.get("feature", ""), str)
    value_types = (str, int, float, bool, type(None))
    if (
        not has_types
        or not all(isinstance(text, str) for text in lists[1])
        or not all(isinstance(value, value_types) for value in lists[2])
        or not isinstance(threshold, (int, float, type(None)))
        or isinstance(threshold, bool)
    ):
        raise InputError(message("This is not a saved choice: {value:.80}.", value=repr(plain)))
    node_path = NodePath(tuple(lists[0]), tuple(lists[1]) if "way" in plain else None)
    if "feature" not in plain:
        return Choice(plain["op"], node_path)
    request = SplitRequest(plain["feature"], plain.get("test", "best"), _as_float(threshold), tuple(lists[2]))
    return Choice(plain["op"], node_path, request)


def _as_float(threshold: float | None) -> float | None:
    """A whole number too large for a float counts as infinite, which `SplitRequest` refuses."""
    try:
        return None if threshold is None else float(threshold)
    except OverflowError:
        return math.inf


def _call(choice: Choice) -> str:
    """A choice as a call of the method that makes it."""
    branch_texts = "" if choice.place.branch_texts is None else f", {choice.place.branch_texts!r}"
    arguments = [f"ex.NodePath({choice.place.path!r}{branch_texts})"]
    request = choice.request
    if request is not None:
        arguments.append(repr(request.feature))
        if request.threshold is not None:
            arguments.append(f"threshold={request.threshold!r}")
        elif request.categories:
            arguments.append(f"categories={request.categories!r}")
        elif choice.op == FORCE and request.test != "best":
            arguments.append(f"test={request.test!r}")
    return f"{choice.op}({', '.join(arguments)})"
