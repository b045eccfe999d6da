"""How choices act while a tree grows, which are in force, and what a node may test (DEFINITIONS section 5)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches

import numpy as np
from numpy.typing import NDArray

from explorer.data.codes.scale import NUMBERS, Scale
from explorer.data.dataset import Dataset
from explorer.errors import InputError
from explorer.messages import ENGLISH, listing, message, spoken_in
from explorer.recipe.columns import USED_UP, TrainingColumn
from explorer.recipe.condition import SplitRequest
from explorer.recipe.feature_constraints import not_beside, sets_of_features
from explorer.recipe.remarks import Remark
from explorer.tree.constraints import FORBID, FORCE, Choice, Choices, NodePath, branch_text
from explorer.tree.tree import Tree


@dataclass(frozen=True)
class GrowPosition:
    """A node while the tree grows: its path from the root, and the columns forbidden there with the deciding choice.

    `tested` are the columns of the tests above it.
    """

    path: tuple[int, ...] = ()
    branch_texts: tuple[str, ...] = ()
    forbidden: Mapping[int, int] = field(default_factory=dict)
    tested: tuple[int, ...] = ()

    def below(self, branch: int, text: str, tested: int) -> GrowPosition:
        """The position one branch further down, below a test of this column."""
        return GrowPosition((*self.path, branch), (*self.branch_texts, text), self.forbidden, (*self.tested, tested))


@dataclass(frozen=True)
class NodeConstraints:
    """The choices about a node: the index of the deciding choice, and whether none is about the node or those below."""

    position: GrowPosition
    deciding: int | None = None
    is_quiet: bool = True


class ConstraintTracker:
    """The choices of one run of growing, and why some cannot be carried out."""

    def __init__(self, choices: Choices, data: Dataset, columns: Sequence[TrainingColumn]) -> None:
        """Raises InputError for a feature that the data do not have."""
        self.choices = choices
        self.column_indices = {column.encoding.name: index for index, column in enumerate(columns)}
        self.overruled: dict[int, Remark] = {}
        self.impossible: dict[int, Remark] = {}
        names = [feature.name for feature in data.features]
        for choice in choices:
            if choice.request is not None and choice.request.feature not in names:
                raise InputError(_unknown(choice.request.feature, names))

    def __getitem__(self, which: int) -> Choice:
        """The choice at a position of the history."""
        return self.choices.history[which]

    def request(self, which: int) -> SplitRequest | None:
        """The split that a choice requests; None where it locks the node."""
        choice = self[which]
        return choice.request if choice.op == FORCE else None

    def at(self, position: GrowPosition) -> NodeConstraints:
        """The choices that hold at a node: of two that contradict each other, the later one."""
        indices = [i for i, choice in enumerate(self.choices) if self._is_at(choice.place, position)]
        forbids = {i: self[i].request for i in indices if self[i].op == FORBID}
        newly_forbidden = {
            self.column_indices[request.feature]: i
            for i, request in forbids.items()
            if request is not None and request.feature in self.column_indices
        }
        position = replace(position, forbidden={**position.forbidden, **newly_forbidden})
        decisions = [i for i in indices if self[i].op != FORBID]
        for earlier in decisions[:-1]:
            self.overruled[earlier] = Remark("decided_later")
        deciding = decisions[-1] if decisions and self._is_possible(decisions[-1], position) else None
        return NodeConstraints(
            position, deciding, deciding is None and not any(self._is_below(c.place, position) for c in self.choices)
        )

    def refuse(self, which: int, reason: Remark) -> None:
        """Note that a choice cannot be carried out at its node."""
        self.impossible[which] = reason

    def _is_possible(self, which: int, position: GrowPosition) -> bool:
        """Whether the feature of a choice is used at all, and not forbidden by a later one."""
        request = self.request(which)
        if request is None:
            return True
        column_index = self.column_indices.get(request.feature)
        if column_index is None:
            self.refuse(which, Remark("feature_left_out", (request.feature,)))
        elif position.forbidden.get(column_index, -1) > which:
            self.overruled[which] = Remark("forbidden_later", (request.feature,))
            return False
        return column_index is not None

    @staticmethod
    def _is_at(node_path: NodePath, position: GrowPosition) -> bool:
        return node_path.path == position.path and node_path.fits(position.branch_texts)

    @staticmethod
    def _is_below(node_path: NodePath, position: GrowPosition) -> bool:
        depth = len(position.path)
        has_texts = node_path.branch_texts is None or node_path.branch_texts[:depth] == position.branch_texts
        return len(node_path.path) > depth and node_path.path[:depth] == position.path and has_texts


def _unknown(feature: str, names: Sequence[str]) -> str:
    close = get_close_matches(feature, names, n=1)
    if close:
        return message(
            "A choice names the feature '{feature}', which the data do not have: did you mean '{close}'?",
            feature=feature,
            close=close[0],
        )
    return message(
        "A choice names the feature '{feature}', which the data do not have: the data have {features}.",
        feature=feature,
        features=listing(names[:8]),
    )


def node_at(tree: Tree, node_path: NodePath) -> tuple[int, Remark | None]:
    """The grown node that a path leads to and None, or −1 and why there is none."""
    node = 0
    for step, branch in enumerate(node_path.path):
        condition = tree.condition(node)
        if condition is None:
            return -1, Remark("path_ends_at_leaf", (int(tree.stop[node]),))
        if branch >= condition.n_branches:
            return -1, Remark("no_such_branch", (condition.feature, branch + 1))
        texts = node_path.branch_texts
        if texts is not None and branch_text(condition, branch) != texts[step]:
            with spoken_in(ENGLISH):
                return -1, Remark("splits_otherwise", (condition.text,))
        node = tree.children_of(node)[branch]
    return node, None


def forced_nodes(tree: Tree, tracker: ConstraintTracker) -> NDArray[np.bool_]:
    """The nodes whose split a person chose, [n]."""
    forced = np.zeros(tree.n_nodes_grown, dtype=bool)
    for i, choice in enumerate(tracker.choices):
        node = node_at(tree, choice.place)[0]
        if choice.op == FORCE and node >= 0 and i not in tracker.impossible and i not in tracker.overruled:
            forced[node] = True
    return forced


def with_reasons(tree: Tree, choices: Choices, tracker: ConstraintTracker) -> Tree:
    """The tree with its `choices` (as given) and why some are not in force; InputError where a choice is impossible."""
    reasons = []
    for i, choice in enumerate(tracker.choices):
        reason = tracker.overruled.get(i) or tracker.impossible.get(i) or node_at(tree, choice.place)[1]
        if reason and i not in tracker.overruled and choice.place.branch_texts is None:
            raise InputError(
                message(
                    "Choice {number} ({node}: {choice}) is not possible: {reason}.",
                    number=i + 1,
                    node=choice.place.words,
                    choice=choice.text,
                    reason=reason.text.rstrip("."),
                )
            )
        reasons.append(reason)
    n_not_in_force = sum(reason is not None for reason in reasons)
    note = (Remark("choices_not_in_force", (n_not_in_force, len(choices))),) if n_not_in_force else ()
    return replace(tree, choices=choices, refusals=tuple(reasons), remarks=tree.remarks + note)


def with_remembered_paths(choices: Choices, grown_with: Callable[[Choices], Tree]) -> Choices:
    """The choices, each path that a later choice above it might redirect with the texts of its branches.

    These are the branches of the tree that was grown by the choices up to this one.
    """
    history = list(choices)
    for i, choice in enumerate(history):
        if choice.place.branch_texts is None and any(later.place.is_above(choice.place) for later in history[i + 1 :]):
            tree = grown_with(Choices(tuple(history[: i + 1])))
            history[i] = replace(choice, place=tree.place(node_at(tree, choice.place)[0]))
    return Choices(tuple(history))


@dataclass(frozen=True)
class ConstraintStatus:
    """A choice, the node that it is about, and why it is not in force; no node, or no reason, where there is none.

    `scale` is what the numbers of its feature stand for.
    """

    choice: Choice
    node: int | None
    refusal: Remark | None
    scale: Scale = NUMBERS

    @property
    def text(self) -> str:
        """What was decided, in the language in force."""
        return self.choice.words(self.scale)

    @property
    def reason(self) -> str:
        """Why it is not in force, in the language in force; empty where it is."""
        return "" if self.refusal is None else self.refusal.text

    @property
    def is_in_force(self) -> bool:
        """Whether the tree was grown by it."""
        return self.refusal is None


def constraint_statuses(tree: Tree) -> tuple[ConstraintStatus, ...]:
    """Whether each choice that the tree was grown by is in force, in the order they were made.

    >>> from explorer import ID3, Choices, Dataset, grow, load_sample
    >>> data = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> plain = grow(data, ID3)
    >>> choices = Choices().lock(plain.place(1)).force((), "Wind")    # node 1: Outlook = Sunny
    >>> [status.reason for status in constraint_statuses(grow(data, ID3, choices=choices))]
    ['above it, the tree now splits on Wind', '']
    """
    statuses, scales = [], {encoding.name: encoding.scale for encoding in tree.features}
    for choice, reason in zip(tree.choices or (), tree.refusals, strict=True):
        node = node_at(tree, choice.place)[0]
        scale = scales.get(choice.request.feature, NUMBERS) if choice.request else NUMBERS
        statuses.append(ConstraintStatus(choice, node if node >= 0 else None, reason, scale))
    return tuple(statuses)


def remembered(tree: Tree) -> Choices:
    """The choices in force, their paths with the texts of the branches: trees on other rows can be grown by them."""
    in_force = ((status.choice, status.node) for status in constraint_statuses(tree) if status.is_in_force)
    return Choices(tuple(replace(choice, place=tree.place(node)) for choice, node in in_force if node is not None))


def forbidden_features(tree: Tree, node: int) -> set[str]:
    """Names of the features that choices in force keep out of a node."""
    in_force = [
        status.choice for status in constraint_statuses(tree) if status.is_in_force and status.choice.op == FORBID
    ]
    if not in_force:
        return set()  # to word the branches above takes time where they are long
    path = tree.place(node).path if tree.origin is None else ()  # raised branches no longer have their path
    return {c.request.feature for c in in_force if c.request and c.place.path == path[: len(c.place.path)]}


def used_up_features(tree: Tree, node: int) -> set[int]:
    """The features that a test above a node has used up by a branch for each value."""
    tests = [(int(tree.feature[step]), tree.condition(step)) for step, _ in tree.path_to(node)]
    return {feature for feature, test in tests if test is not None and test.kind in USED_UP}


def excluded_beside(names: Sequence[str], tested: Sequence[int]) -> Remark:
    """Why a feature is in no set of interactions with these, which are tested above."""
    return Remark("not_beside", tuple(names[each] for each in tested))


def excluded_features(tree: Tree, node: int, below: int | None = None) -> dict[int, Remark]:
    """The features that a node may not test and why: used up above, in no set with those tested above, or forbidden.

    With a feature `below`, what may not be tested beside it either.
    """
    forbidden = forbidden_features(tree, node)
    excluded: dict[int, Remark] = dict.fromkeys(used_up_features(tree, node), Remark("used_up"))
    if tree.recipe.feature_sets:
        names = [usage.name for usage in tree.features]
        tested = [int(tree.feature[step]) for step, _ in tree.path_to(node)]
        tested += [] if below is None else [below]
        kept_out = not_beside(sets_of_features(tree.recipe.feature_sets, names), tested)
        excluded = {f: excluded_beside(names, above) for f, above in kept_out.items()} | excluded
    return excluded | {f: Remark("forbidden") for f, usage in enumerate(tree.features) if usage.name in forbidden}
