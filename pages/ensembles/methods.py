"""What each method does, in one sentence for a reader who sees it for the first time."""

from __future__ import annotations

from explorer.messages import message
from pages.settings.labels import Names

SENTENCES = Names(
    lambda: {
        "forest": message("Each tree grows on rows drawn by chance and a few features at each node; all trees vote."),
        "bagging": message("Each tree grows on rows drawn by chance; all trees vote."),
        "extra_trees": message("Each tree grows by thresholds drawn by chance; all trees vote."),
        "gradient_boosting": message("Each tree is fitted to the errors of all trees before it; their answers add up."),
        "adaboost": message(
            "Each tree gives more weight to the rows that the one before got wrong; good trees count more."
        ),
        "c50": message("Each round gives more weight to the rows that the one before got wrong; all trees vote."),
        "newton_boosting": message(
            "Each tree is one Newton step on the loss of all trees before it; their answers add up."
        ),
    }
)


def sentence(method: str) -> str:
    """What a method does."""
    return SENTENCES[method]
