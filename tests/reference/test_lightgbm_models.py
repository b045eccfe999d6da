"""Files that LightGBM wrote predict what LightGBM predicted, or are refused for the true reason.

`make_lightgbm_models.py` has the commands.
"""

import json
import warnings

import numpy as np
import pandas as pd
import pytest

import explorer as ex
from tests.folders import ROOT
from tests.fuzz.models import damaged

CASES = {
    case["name"]: case
    for path in sorted((ROOT / "tests/reference/foreign").glob("lightgbm-*.json"))
    for case in json.loads(path.read_text("utf-8"))
}
REFUSED = {
    "multiclassova": "objective is 'multiclassova num_class:3 sigmoid:1', which cannot be read. Readable: regression",
    "cross_entropy_lambda": "objective is 'cross_entropy_lambda', which cannot be read",
    "sqrt": "objective is 'regression sqrt', which cannot be read",
    "linear": "leaves hold linear functions, which cannot be read: fit it with linear_tree=False",
    "ordered": "had 2 columns of categories, and the model splits 1 features by category",
}
READ = sorted(set(CASES) - set(REFUSED))
FORMS = ("text", "dump")


def opened(case, form):
    content = case[form]
    return ex.open_model((content if isinstance(content, str) else json.dumps(content)).encode())


def predicted(read, rows, expected):
    if read.is_regression:
        return read.predict(rows)
    shares = read.predict_proba(rows)
    return shares if expected.ndim == 2 else shares[:, 1]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", READ)
def test_lightgbm_s_own_predictions(name, form):
    case = CASES[name]
    rows, expected, read = pd.DataFrame(case["rows"]), np.array(case["predictions"]), opened(case, form)
    if name == "missing zero":  # what its remark says: 0 is missing there, so an empty cell is told as such
        rows["rooms"], rows["width"], rows["length"] = (
            rows[column].replace(0.0, np.nan) for column in ("rooms", "width", "length")
        )
    assert len(rows) == 200
    again = ex.Ensemble.from_dict(json.loads(json.dumps(read.to_dict())))
    for one in (read, again):
        assert predicted(one, rows, expected) == pytest.approx(expected, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", sorted(REFUSED))
def test_what_cannot_be_read_is_refused_by_name(name, form):
    with pytest.raises(ex.InputError, match=REFUSED[name]):
        opened(CASES[name], form)


def test_categories_have_the_names_of_the_data_frame():
    kinds = {one.name: one.labels for one in opened(CASES["regression"], "text").features if one.kind == "categorical"}
    assert kinds == {"kind": ("d", "b", "c", "a", "é <b>"), "size": (9, 7, 5)}


def test_leaves_tell_their_training_rows():
    tree = opened(CASES["regression"], "text").members[0].tree
    assert tree.counts_rows
    assert tree.weight[0] == 60
    assert tree.notes == (
        "Opened from a file of LightGBM, whose tests read x ≤ threshold; rows with a missing value take the branch "
        "that the library sends them to.",
    )


def test_zero_as_missing_is_said():
    read = opened(CASES["missing zero"], "text")
    (note,) = read.members[0].tree.notes
    assert "fitted with zero_as_missing=True: at" in note
    assert read.source.startswith("LightGBM")
    rows = pd.DataFrame(CASES["missing zero"]["rows"])
    wrong = ~np.isclose(read.predict(rows), CASES["missing zero"]["predictions"])
    assert wrong.any()
    assert (rows.loc[wrong, ["width", "length", "rooms"]] == 0).any(axis=1).all()
    assert "zero_as_missing" not in opened(CASES["regression"], "text").members[0].tree.notes[0]


def damaged_text(rng, text):
    """The model text after some damage to its lines, or to its characters."""
    lines = text.split("\n")
    for _ in range(int(rng.integers(1, 4))):
        place = int(rng.integers(0, len(lines)))
        name, sign, value = lines[place].partition("=")
        words = value.split(" ")
        at, way = int(rng.integers(0, len(words))), int(rng.integers(0, 7))
        junk = ["", "nan", "inf", "-1", "-99999", "1e400", "9" * 5000, "x", "2.5", "٣", "1_0", "4294967295", "\0"]
        if way == 0:
            del lines[place]
        elif way == 1:
            lines.insert(place, lines[int(rng.integers(0, len(lines)))])
        elif way == 2:
            lines = lines[: place + 1]
        elif way == 3:
            lines[place] = lines[place][: int(rng.integers(0, len(lines[place]) + 1))]
        else:
            words[at : at + int(way > 4)] = [junk[int(rng.integers(0, len(junk)))]]
            lines[place] = name + sign + " ".join(words)
    damaged = bytearray("\n".join(lines or [""]).encode())
    if damaged and rng.random() < 0.2:
        damaged[int(rng.integers(0, len(damaged)))] = int(rng.integers(0, 256))
    return bytes(damaged)


@pytest.mark.parametrize("form", FORMS)
def test_damaged_files_are_refused_or_predict_finite_numbers(form):
    rng, n_read = np.random.default_rng(1), 0
    cases = [CASES[name] for name in ("regression", "binary, sigmoid 2", "codes")]
    frame = pd.DataFrame(cases[0]["rows"]).head(8)
    for number in range(150):
        whole = cases[number % 3][form]
        data = damaged_text(rng, whole) if form == "text" else damaged(rng, json.dumps(whole)).encode()
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            try:
                read = ex.open_model(data)
                rows = frame.reindex(columns=[each.name for each in read.features])
                if any(each.kind == "numeric" for each in read.features if each.name in ("kind", "size")):
                    rows = rows.assign(kind=1.0, size=31.0)
                predictions = read.predict(rows)
            except ex.InputError:
                continue
        assert np.isfinite(predictions).all()
        n_read += 1
    assert n_read >= 15, "some damage leaves a model"
