"""Folders that Spark ML wrote predict what Spark predicted, or are refused for the true reason.

`make_spark_models.py` has the commands.
"""

import base64
import io
import json
import warnings
import zipfile

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import explorer as ex
from tests.folders import ROOT
from tests.fuzz.mutations import mutated_bytes

CASES = {
    case["name"]: case
    for path in sorted((ROOT / "tests/reference/foreign").glob("spark-*.json"))
    for case in json.loads(path.read_text("utf-8"))
}
REFUSED = {
    "thresholds": "divides probabilities by thresholds, which is not done here: save it after model.clear",
    "scaled": "has the stage StandardScalerModel before its trees, which cannot be read. Readable: StringIndexer",
    "another model": "holds PipelineModel with 0 models of trees: save one of DecisionTreeClassificationModel",
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


def numbers_of(read, rows):
    return read.predict(rows) if read.is_regression else read.predict_proba(rows)


@pytest.mark.parametrize("name", READ)
def test_spark_s_own_predictions(name):
    case = CASES[name]
    rows, expected, read = (
        pd.DataFrame(case["rows"]),
        np.array(case["predictions"]),
        ex.open_model(zipped(files_of(name))),
    )
    assert len(rows) == 240
    assert np.ptp(expected, axis=0).max() > 0.1
    for one in (read, type(read).from_dict(json.loads(json.dumps(read.to_dict())))):
        assert numbers_of(one, rows) == pytest.approx(expected, rel=1e-12, abs=1e-12)


def test_rows_have_missing_unseen_and_threshold_values():
    rows = pd.DataFrame(CASES["forest"]["rows"])
    assert rows.isna().any(axis=None)
    assert {"zzz", 77.0, 99.0} <= set(rows.to_numpy().ravel())
    tree = ex.open_model(zipped(files_of("forest"))).members[0].tree
    thresholds = tree.threshold[tree.feature == 0]
    assert rows["width"].isin(thresholds).any()
    assert rows["width"].isin(np.nextafter(thresholds, 9)).any()


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_what_cannot_be_read_is_refused_by_name(name):
    with pytest.raises(ex.InputError, match=REFUSED[name]):
        ex.open_model(zipped(files_of(name)))


def test_a_folder_opens_as_its_zip_does(tmp_path):
    for path, data in files_of("tree").items():
        (tmp_path / "saved" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "saved" / path).write_bytes(data)
    assert ex.open_model(tmp_path / "saved").to_dict() == ex.open_model(zipped(files_of("tree"))).to_dict()


def test_names_classes_counts_and_notes_come_from_the_stages():
    tree = ex.open_model(zipped(files_of("tree")))
    assert (tree.target, tree.classes) == ("label", ("may be", "no", "yes"))
    assert [feature.name for feature in tree.features] == ["width", "city", "rooms", "floor"]
    assert set(tree.features[1].labels) == {*"abcdef", "é <b>"}
    assert tree.counts_rows
    assert tree.weight[0] == 120
    assert tree.notes[0].startswith("Opened from a file of Spark 4.3.0, whose tests read x ≤ threshold")
    assert tree.notes[1].startswith("Spark has joined leaves below a node that predict the same class")
    assert len(ex.open_model(zipped(files_of("tree, not pruned"))).notes) == 1
    assert not ex.open_model(zipped(files_of("tree, weights"))).counts_rows
    assert (
        "answers no row whose value of these columns is missing or unseen: width, city"
        in (ex.open_model(zipped(files_of("errors"))).notes[2])
    )
    boosted = ex.open_model(zipped(files_of("boosting")))
    assert (boosted.source, boosted.classes) == ("Spark 4.3.0", ("may be", "yes"))
    plain = ex.open_model(zipped(files_of("without its pipeline")))
    assert (plain.classes, [each.name for each in plain.features]) == ((0, 1, 2), ["x0", "x1", "x2", "x3"])


def test_where_spark_answers_no_row_the_row_stays_at_its_node():
    tree = ex.open_model(zipped(files_of("errors")))
    name = tree.features[int(tree.feature[0])].name
    assert tree.predict_proba(pd.DataFrame(CASES["errors"]["rows"]).head(1).assign(**{name: None})) == pytest.approx(
        tree.shares[:1]
    )


def test_a_label_kept_by_its_indexer_has_a_class_of_its_own():
    assert ex.open_model(zipped(files_of("label kept"))).classes == ("may be", "no", "yes", "__unknown")


def test_labels_of_numbers_are_numbers():
    tree = ex.open_model(zipped(files_of("numbers as texts")))
    assert set(tree.features[2].labels) == {-2.5, 0, 1, 3, 7}
    assert set(tree.features[3].labels) == {-1, 2, 3, 10}


def with_nodes(name, change):
    """The zip of a tree after a change of its table of nodes."""
    files = files_of(name)
    place = next(path for path in files if "Tree" in path and "/data/" in path)
    table, stream = pq.read_table(io.BytesIO(files[place])), io.BytesIO()
    pq.write_table(change(table), stream)
    return zipped(files | {place: stream.getvalue()})


def test_many_nodes_in_a_small_file_are_refused():
    with pytest.raises(ex.InputError, match="more than 1,200,000 nodes"):
        ex.open_model(
            with_nodes("tree", lambda table: pa.concat_tables([table.slice(0, 1)] * 1_300_000).combine_chunks())
        )


def test_long_lists_in_a_small_file_are_refused():
    def longer(table):
        lists = pa.array([[0.0] * 21_000_000] * len(table.slice(0, 1)))
        return table.slice(0, 1).set_column(3, "impurityStats", lists)

    with pytest.raises(ex.InputError, match="more than 1,200,000 nodes"):
        ex.open_model(with_nodes("tree", longer))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda table: table.drop_columns(["split"]), "a file of numbers is damaged"),
        (lambda table: table.slice(1), "the children of a tree do not form a tree"),
        (lambda table: table.set_column(6, "leftChild", pa.array([0] * len(table))), "do not form a tree"),
        (lambda table: table.set_column(0, "id", pa.array([None] * len(table), pa.int32())), "numbers is damaged"),
        (lambda table: table.set_column(3, "impurityStats", pa.array([[1.0, 2.0]] * len(table))), "fit its classes"),
        (lambda table: table.set_column(3, "impurityStats", pa.array([[np.nan] * 3] * len(table))), "no finite number"),
        (lambda table: table.set_column(3, "impurityStats", pa.array([[0.0] * 3] * len(table))), "are not shares"),
    ],
)
def test_damaged_nodes_are_refused_with_the_reason(change, reason):
    with pytest.raises(ex.InputError, match=reason):
        ex.open_model(with_nodes("tree", change))


def test_pipelines_within_themselves_end():
    metadata = {"class": "org.apache.spark.ml.PipelineModel", "uid": "a", "paramMap": {"stageUids": ["a"] * 500}}
    files = {}
    for depth in range(12):
        files["stages/000_a/" * depth + "metadata/part-00000"] = json.dumps(metadata).encode()
    with pytest.raises(ex.InputError, match="more than 1,000 stages"):
        ex.open_model(zipped(files))


def test_paths_of_a_zip_that_lead_nowhere():
    files = files_of("tree")
    odd = {"": b"x", ".": b"x", "/": b"x", "../../a": b"x", "__MACOSX/._m": b"x"}
    for path in ("__MACOSX/m/._part", *odd):
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w") as archive:
            for name, data in (files | {path: b"x"}).items():
                archive.writestr(zipfile.ZipInfo(name), data)
        assert ex.open_model(stream.getvalue()).classes == ("may be", "no", "yes")


def damaged(rng, files):
    """The files with one of them gone, cut, changed or in the place of another."""
    path = list(files)[int(rng.integers(0, len(files)))]
    way = int(rng.integers(0, 5))
    if way == 0:
        return {name: data for name, data in files.items() if name != path}
    if way == 1:
        return files | {path: files[list(files)[int(rng.integers(0, len(files)))]]}
    if way == 2 and path.endswith("txt"):
        words = files[path].split(b",")
        words[int(rng.integers(0, len(words)))] = rng.choice([b'"a":1e999', b'"uid":[]', b"", b'"numClasses":-1'])
        return files | {path: b",".join(words)}
    if way == 3 and path.endswith("parquet"):
        return files | {path: rewritten(rng, files[path])}
    return files | {path: mutated_bytes(rng, files[path])}


def rewritten(rng, data):
    """A table with another number somewhere."""
    rows = pq.read_table(io.BytesIO(data))
    plain, holder, key = rows.to_pylist(), None, None
    value = plain
    while isinstance(value, (dict, list)) and value:
        holder = value
        key = (
            list(value)[int(rng.integers(0, len(value)))]
            if isinstance(value, dict)
            else int(rng.integers(0, len(value)))
        )
        value = holder[key]
    if type(value) not in (int, float):
        return data
    holder[key] = type(value)(rng.choice([-1, 0, 1, 7, 2**31 - 1]))
    stream = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(plain, schema=rows.schema), stream)
    return stream.getvalue()


def test_damaged_files_are_refused_or_predict_finite_numbers():
    rng, n_read = np.random.default_rng(1), 0
    names = ("tree", "forest", "boosting of numbers", "indexed numbers")
    for number in range(300):
        data = zipped(damaged(rng, files_of(names[number % 4])))
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            try:
                read = ex.open_model(data)
                rows = pd.DataFrame(CASES["tree"]["rows"]).head(8)
                numbers = numbers_of(read, rows.reindex(columns=[each.name for each in read.features]))
            except ex.InputError:
                continue
        assert np.isfinite(numbers).all()
        n_read += 1
    assert n_read >= 30, "some damage leaves a model"
