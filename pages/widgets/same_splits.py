"""What is said of two trees whose splits are the same: whether rows and leaves are, too."""

from __future__ import annotations

from explorer.evaluation.comparison.first_difference import Walk
from explorer.messages import message, plural


def text(walk: Walk) -> str:
    """The same splits in words; "identical" only where all rows go the same way, and all leaves predict the same."""
    if walk.shared_otherwise:
        return plural(
            walk.shared_otherwise,
            "**The splits are the same.** {n:,} row with a missing cell is shared out differently.",
            "**The splits are the same.** {n:,} rows with a missing cell are shared out differently.",
        )
    if walk.leaves_otherwise:
        return plural(
            walk.leaves_otherwise,
            "**The splits are the same.** {n:,} leaf has another prediction or other probabilities.",
            "**The splits are the same.** {n:,} leaves have another prediction or other probabilities.",
        )
    same = message("**The trees are identical.**")
    if not walk.alike:
        return message("{same} Both are a single leaf.", same=same)
    return plural(
        len(walk.alike),
        "{same} Both have the same split, which sends the same rows to the same branches.",
        "{same} All {n:,} splits of both send the same rows to the same branches.",
        same=same,
    )
