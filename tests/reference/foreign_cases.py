"""Models that the libraries wrote, beside what the libraries predicted; `make_foreign_models.py` has the commands."""

import json

import pandas as pd
import pytest

import explorer as ex
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


def opened_case(case):
    """The model of a case; None for one that its reader refuses."""
    text = case["text"] if "text" in case else json.dumps(case["content"])
    try:
        return ex.open_model(text.encode())
    except ex.InputError:
        return None


OF_LIBRARIES = [
    case
    for library, version in (("lightgbm", "4.7.0"), ("catboost", "1.2.10"), ("xgboost", "3.4.1"))
    for case in cases_of(library)
    if case.id.startswith(version) and case.values[0]["rows"] and opened_case(case.values[0]) is not None
]
"""The cases of LightGBM, CatBoost and XGBoost, each in its newest version, that have rows and are read."""
