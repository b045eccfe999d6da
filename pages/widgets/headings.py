"""The headings of tables in the reader's language; a column that is not listed, such as a class, keeps its name."""

from __future__ import annotations

import pandas as pd

from explorer.messages import message
from pages.settings.labels import Names

HEADINGS = Names(
    lambda: {
        "feature": message("feature"),
        "split": message("split"),
        "verdict": message("verdict"),
        "branch": message("branch"),
        "branches": message("branches"),
        "rows": message("rows"),
        "mean": message("mean"),
        "gain": message("gain"),
        "gain ratio": message("gain ratio"),
        "split information": message("split information"),
        "score": message("score"),
        "cost": message("cost"),
        "share of known rows": message("share of known rows"),
        "surrogate split": message("surrogate split"),
        "agreement": message("agreement"),
        "adjusted agreement": message("adjusted agreement"),
        "class": message("class"),
        "weight": message("weight"),
        "tree": message("tree"),
        "method": message("method"),
        "leaves": message("leaves"),
        "depth": message("depth"),
        "training": message("training"),
        "validation": message("validation"),
        "in the book": message("in the book"),
        "cost per row": message("cost per row"),
        "time": message("time"),
    }
)


def heading(name: object) -> str:
    """What a column is headed by."""
    return HEADINGS.get(str(name), str(name))


def with_headings(frame: pd.DataFrame) -> pd.DataFrame:
    """The table with its headings, for a file."""
    return frame.rename(columns=heading)
