"""Models that the libraries wrote, beside what the libraries predicted; `make_foreign_models.py` has the commands."""

import json

import pandas as pd
import pytest

from tests.folders import ROOT

FOLDER = ROOT / "tests/reference/foreign"


def cases_of(library):
    """Every case of every version of a library, with the version."""
    return [
        pytest.param(case, id=f"{path.stem.removeprefix(f'{library}-')} {case['name']}")
        for path in sorted(FOLDER.glob(f"{library}-*.json"))
        for case in json.loads(path.read_text("utf-8"))
    ]


XGBOOST = cases_of("xgboost")


def rows_of(case, read):
    """The rows of a case as the model reads them: before version 3.1 a file of XGBoost has the codes alone."""
    rows = pd.DataFrame(case["rows"])
    if "city" in rows and read.features[-1].kind == "numeric":
        rows["city"] = [None if city is None else "abcdef".index(city) for city in rows["city"]]
    return rows


def predicted(read, rows, expected):
    """What the ensemble predicts, in the form of XGBoost's numbers: values, shares, shares of class 1, or labels."""
    if read.is_regression:
        return read.predict(rows)
    shares = read.predict_proba(rows)
    if expected.ndim == 2:
        return shares
    return shares[:, 1] if len(read.classes) == 2 else shares.argmax(axis=1)
