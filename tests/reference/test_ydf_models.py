"""Folders that YDF wrote predict what YDF predicted, or are refused for the true reason.

`make_ydf_models.py` has the commands.
"""

import base64
import io
import json
import warnings
import zipfile

import numpy as np
import pandas as pd
import pytest

import explorer as ex
from tests.folders import ROOT
from tests.fuzz.mutations import mutated_bytes

CASES = {
    case["name"]: case
    for path in sorted((ROOT / "tests/reference/foreign").glob("ydf-*.json"))
    for case in json.loads(path.read_text("utf-8"))
}
REFUSED = {
    "oblique": "has splits on sums of several columns, which cannot be read: fit it with split_axis='AXIS_ALIGNED'",
    "words": "'words' of the model of YDF is of type 'categorical set', which cannot be read: fit on numbers",
    "isolation": "holds no random forest, CART or gradient boosted trees: save one of these",
}
READ = sorted(set(CASES) - set(REFUSED))


def files_of(name):
    return {path: base64.b64decode(data) for path, data in CASES[name]["files"].items()}


def zipped(files, top="model/"):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in files.items():
            archive.writestr(top + path, data)
    return stream.getvalue()


def opened(name):
    return ex.open_model(zipped(files_of(name)))


def numbers_of(read, rows):
    return read.predict(rows) if read.is_regression else read.predict_proba(rows)


@pytest.mark.parametrize("name", READ)
def test_ydf_s_own_predictions(name):
    case, read = CASES[name], opened(name)
    rows, expected = pd.DataFrame(case["rows"]), np.array(case["predictions"])
    assert len(rows) == 240
    assert np.ptp(expected, axis=0).max() > 0.05
    for one in (read, type(read).from_dict(json.loads(json.dumps(read.to_dict())))):
        assert numbers_of(one, rows) == pytest.approx(expected, rel=1e-6, abs=1e-6)


def test_rows_have_missing_unseen_and_threshold_values():
    rows = pd.DataFrame(CASES["CART"]["rows"])
    assert (rows["city"] == "zzz").any()
    assert rows[["width", "city"]].isna().any().all()
    tree = opened("CART")
    splits = tree.threshold[tree.feature == 0]
    # the largest number on the first side, and the next one, are among the rows
    assert (rows["width"].to_numpy()[:, None] - splits == 0).any() or (
        abs(rows["width"].to_numpy()[:, None] - splits) < 1e-7
    ).any()


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_what_cannot_be_read_is_refused_by_name(name):
    with pytest.raises(ex.InputError, match=REFUSED[name]):
        opened(name)


def test_a_folder_opens_as_its_zip_does_and_with_a_prefix(tmp_path):
    for path, data in files_of("CART").items():
        (tmp_path / f"p_{path}").write_bytes(data)
    (tmp_path / "saved_model.pb").write_bytes(b"of TensorFlow Decision Forests")
    assert ex.open_model(tmp_path).to_dict() == opened("CART").to_dict()


def test_names_classes_counts_and_notes():
    tree = opened("CART")
    assert isinstance(tree, ex.Tree)
    assert (tree.target, tree.classes) == ("label", ("may be", "no", "yes"))
    assert [feature.name for feature in tree.features] == ["width", "city", "is_new", "rooms"]
    assert tree.features[2].labels == (False, True)
    assert tree.counts_rows
    assert tree.notes[0].startswith("Opened from a file of YDF, whose tests read x < threshold")
    assert not opened("forest, weights").members[0].tree.counts_rows
    assert opened("boosting, two classes").classes == (0, 1)
    assert opened("forest, votes").combination.name == "votes"
    assert set(opened("numbers as categories").features[3].labels) == set(range(-2, 5))
    assert opened("boosting, three classes").source == "YDF"


def test_cases_hold_what_they_are_about():
    tree = opened("is missing")
    assert (np.abs(tree.threshold) == np.finfo(np.float64).max).any()
    assert len({len(member.tree.depth) for member in opened("forest, votes").members}) > 1


def changed(name, path, change):
    files = files_of(name)
    return zipped(files | {path: change(files[path])})


@pytest.mark.parametrize(
    ("path", "change", "reason"),
    [
        ("nodes-00000-of-00001", lambda data: data[:-1], "a file of numbers is damaged"),
        ("nodes-00000-of-00001", lambda data: data[:4] + b"\1" + data[5:], "are compressed, which cannot be read"),
        ("nodes-00000-of-00001", lambda data: data[:8], "the children of a tree do not form a tree"),
        ("nodes-00000-of-00001", lambda data: data + data[8:], "it has 2 trees"),
        ("header.pb", lambda data: data.replace(b"\x10\x01", b"\x10\x07", 1), "'survival analysis', which cannot be"),
        ("random_forest_header.pb", lambda data: b"", "a file of numbers is missing"),
        ("data_spec.pb", lambda data: data + b"\x0b", "a file of numbers is damaged"),
        ("data_spec.pb", lambda data: data + b"\x10\x00" * 1_000_000, "a file of numbers is damaged"),
    ],
)
def test_damaged_files_are_refused_with_the_reason(path, change, reason):
    with pytest.raises(ex.InputError, match=reason):
        ex.open_model(changed("CART", path, change))


def damaged(rng, files):
    """The files with one of them gone, cut, changed or in the place of another."""
    path = list(files)[int(rng.integers(0, len(files)))]
    way = int(rng.integers(0, 8))
    if way == 0:
        return {name: data for name, data in files.items() if name != path}
    if way == 1:
        return files | {path: files[list(files)[int(rng.integers(0, len(files)))]]}
    if way < 4:
        return files | {path: mutated_bytes(rng, files[path])}
    path, data = "nodes-00000-of-00001", bytearray(files["nodes-00000-of-00001"])
    for _ in range(int(rng.integers(1, 4))):
        data[int(rng.integers(8, len(data)))] = int(rng.integers(0, 256))
    return files | {path: bytes(data)}


def test_damaged_files_are_refused_or_predict_finite_numbers():
    rng, n_read = np.random.default_rng(1), 0
    names = ("CART", "forest of numbers", "boosting, three classes", "bins")
    rows = pd.DataFrame(CASES["CART"]["rows"]).head(8)
    for number in range(300):
        data = zipped(damaged(rng, files_of(names[number % 4])))
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            try:
                read = ex.open_model(data)
                numbers = numbers_of(read, rows.reindex(columns=[each.name for each in read.features]))
            except ex.InputError:
                continue
        assert np.isfinite(numbers).all()
        n_read += 1
    assert n_read >= 30, "some damage leaves a model"
