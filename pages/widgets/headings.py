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
        "Gini decrease": message("Gini decrease"),
        "error decrease": message("error decrease"),
        "variance decrease": message("variance decrease"),
        "split information": message("split information"),
        "score": message("score"),
        "cost": message("cost"),
        "ways of cutting": message("ways of cutting"),
        "adjusted p": message("adjusted p"),
        "LogWorth": message("LogWorth"),
        "share of known rows": message("share of known rows"),
        "surrogate split": message("surrogate split"),
        "agreement": message("agreement"),
        "adjusted agreement": message("adjusted agreement"),
        "class": message("class"),
        "weight": message("weight"),
        "method": message("method"),
        "tree": message("tree"),
        "leaves": message("leaves"),
        "depth": message("depth"),
        "training": message("training"),
        "validation": message("validation"),
        "cost per row": message("cost per row"),
        "time": message("time"),
        "in the book": message("in the book"),
    }
)


def heading(name: object) -> str:
    """What a column is headed by."""
    return HEADINGS.get(str(name), str(name))


def with_headings(frame: pd.DataFrame) -> pd.DataFrame:
    """The table with its headings, for a file."""
    return frame.rename(columns=heading)
