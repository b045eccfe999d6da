"""What a file with an ensemble may ask for; checked before any tree is built, as the file may come from anybody."""

from __future__ import annotations

from explorer.errors import InputError
from explorer.messages import message

MOST_TREES = 10_000
MOST_FEATURES_OF_MEMBERS = 20_000_000
"""Members times features: importances and pictures have a number for each."""
MOST_PAIRS = 20_000_000
"""Categories with a branch of all nodes together."""


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
