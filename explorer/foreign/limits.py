"""What a file with an ensemble may ask for; checked before any tree is built, as the file may come from anybody."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NoReturn

from explorer.errors import InputError
from explorer.messages import listing, message

MOST_TREES = 10_000
MOST_NODES, MOST_NODES_IN_ALL = 200_000, 1_200_000
"""The most nodes of a single tree, and of all trees of a file."""
MOST_CLASSES = 1_000
MOST_FEATURES = 100_000
MOST_FEATURES_OF_MEMBERS = 20_000_000
"""Members times features: importances and pictures have a number for each."""
MOST_PAIRS = 20_000_000
"""Categories with a branch of all nodes together."""


def refusing(no_model: Callable[[str], InputError]) -> Callable[[str], NoReturn]:
    """What raises a format's error of a file that is none of its models, for a culprit."""

    def refuse(culprit: str) -> NoReturn:
        raise no_model(culprit)

    return refuse


def check_pairs(n_pairs: int) -> None:
    """InputError where the nodes of a tree list too many categories."""
    if n_pairs > MOST_PAIRS:
        raise InputError(
            message(
                "The splits of a tree have {n:,} categories together, and up to {most:,} can be read: fit smaller "
                "trees, or on columns of fewer categories.",
                n=n_pairs,
                most=MOST_PAIRS,
            )
        )


def check_members_and_features(n_members: int, n_features: int) -> None:
    """InputError where members and features together are too many."""
    if n_members * n_features > MOST_FEATURES_OF_MEMBERS:
        raise InputError(
            message(
                "The ensemble has {trees:,} trees on {features:,} features, together more than {most:,}: fit fewer "
                "trees, or leave out features that no tree tests.",
                trees=n_members,
                features=n_features,
                most=MOST_FEATURES_OF_MEMBERS,
            )
        )


def unknown_objective(objective: str, readable: Iterable[str]) -> InputError:
    """The error of a model that was fitted for an objective of which it is not known how its trees add up."""
    return InputError(
        message(
            "The model's objective is '{objective}', which cannot be read. Readable: {objectives}.",
            objective=objective[:40],
            objectives=listing(readable),
        )
    )
