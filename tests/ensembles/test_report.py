"""A report on an ensemble, the script that grows it again, its predictions, and its trees read from JSON."""

import contextlib
import io

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.ensemble import (
    AdaBoostClassifier,
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)

import explorer as ex
from explorer.ensembles.picture import picture_of
from explorer.ensembles.report import EnsembleProvenance, ensemble_report, ensemble_script, predictions_frame
from explorer.foreign.scikit_learn_json import sklearn_ensemble_snippet

STUMP = ex.CART.replace(max_depth=1)


def about(key, build, forced=()):
    sample, table = ex.SAMPLES[key], ex.load_sample(key)
    data = ex.Dataset.from_frame(table.frame, sample.target, features=sample.features, kinds=sample.kinds)
    made = build(data)
    for member, choices in forced:
        made = ex.regrown(made, member, choices)
    of_tree = ex.Provenance(table, data, ex.grow(data, ex.CART), (data,), sample=key, kinds=dict(sample.kinds))
    return EnsembleProvenance(of_tree, made, picture_of(made), "training", {"tree": 0.5}, tuple(forced)), data


BUILDS = {
    "forest": ("play_tennis", lambda data: ex.forest(data, ex.CART, n_estimators=4, max_features=2, seed=5)),
    "adaboost": ("lihang_8_1", lambda data: ex.adaboost(data, STUMP, n_estimators=3, vote="half_log")),
    "c50": ("play_tennis_noise15", lambda data: ex.c50(data, trials=3)),
    "gradient": ("lihang_8_2_regression", lambda data: ex.gradient_boost(data, STUMP, loss="huber", n_estimators=4)),
    "newton": ("lihang_8_2_regression", lambda data: ex.newton_boost(data, n_estimators=3, max_depth=2)),
}


@pytest.mark.parametrize("name", BUILDS)
def test_the_script_grows_the_same_ensemble_again(name):
    provenance, data = about(*BUILDS[name])
    names = {}
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(ensemble_script(provenance), names)
    assert np.array_equal(names["ensemble"].predict(data), provenance.ensemble.predict(data))
    assert f"{len(provenance.ensemble.members)} members" in printed.getvalue()


def test_the_script_forces_the_same_split():
    tree = about("lihang_8_2_regression", BUILDS["gradient"][1])[0].ensemble.members[1].tree
    choices = ex.Choices().force(tree.place(0), ex.SplitRequest("x", "threshold", 8.5))
    provenance, data = about("lihang_8_2_regression", BUILDS["gradient"][1], [(1, choices)])
    names = {}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(ensemble_script(provenance), names)
    assert names["ensemble"].members[1].tree.threshold[0] == 8.5
    assert np.array_equal(names["ensemble"].predict(data), provenance.ensemble.predict(data))


@pytest.mark.parametrize("form", ["html", "markdown"])
def test_the_report_has_the_rounds_and_the_script(form):
    text = ensemble_report(about(*BUILDS["adaboost"])[0], form)
    assert "0.42365" in text or "0.4236" in text
    assert "ex.adaboost(" in text.replace("\\", "")


@pytest.mark.parametrize("name", BUILDS)
def test_the_report_names_the_settings_of_the_trees(name):
    provenance, _ = about(*BUILDS[name])
    text = ensemble_report(provenance, "markdown").replace("\\", "")
    method = text.split("## Method")[1].split("\n## ")[0]
    depth = provenance.ensemble.recipe.max_depth
    assert (f"| max_depth | {depth} |" in method) == (depth is not None)
    assert f"| trees | {provenance.ensemble.recipe.name} |" in method


def test_the_table_of_predictions_has_every_row_once_with_its_set():
    sample = ex.SAMPLES["iris"]
    data = ex.Dataset.from_frame(ex.load_sample("iris").frame, sample.target)
    train, valid = data.split(0.7, seed=0)
    made = ex.forest(train, ex.CART, n_estimators=3)
    frame = predictions_frame(made, {"training": train, "validation": valid, "test": None})
    assert frame["row"].tolist() == list(range(1, 151))
    assert frame["set"].value_counts().to_dict() == {"training": train.n_rows, "validation": valid.n_rows}
    shares = frame.filter(like="P(").to_numpy()
    assert np.allclose(shares.sum(axis=1), 1.0)
    of_class = np.array([str(name) for name in made.classes])[shares.argmax(axis=1)]
    assert (of_class == frame["predicted"]).all()


X, Y = load_iris(return_X_y=True, as_frame=True)
TWO = (Y == 1).map({True: "v", False: "o"})
FITTED = {
    "forest": (RandomForestClassifier(6, random_state=0), Y),
    "forest of numbers": (RandomForestRegressor(5, random_state=0), X.iloc[:, 0]),
    "extra trees": (ExtraTreesClassifier(5, random_state=0), TWO),
    "boosting, three classes": (GradientBoostingClassifier(n_estimators=5), Y),
    "boosting, exponential": (GradientBoostingClassifier(n_estimators=5, loss="exponential"), TWO),
    "boosting of numbers": (GradientBoostingRegressor(n_estimators=5), X.iloc[:, 0]),
    "adaboost": (AdaBoostClassifier(n_estimators=5, random_state=0), Y),
}


@pytest.mark.parametrize("name", FITTED)
def test_the_snippet_writes_what_predicts_as_scikit_learn_does(name, tmp_path, monkeypatch):
    clf, target = FITTED[name]
    clf.fit(X, target)
    monkeypatch.chdir(tmp_path)
    exec(sklearn_ensemble_snippet(), {"clf": clf})
    read = ex.Ensemble.from_sklearn_json((tmp_path / "ensemble.json").read_text("utf-8"))
    if read.is_regression:
        assert np.allclose(read.predict(X), clf.predict(X), rtol=1e-12)
    else:
        assert (read.predict(X) == clf.predict(X)).all()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"ensemble": "SVC"}',
        '{"ensemble": "RandomForestClassifier"}',
        '{"ensemble": "RandomForestClassifier", "rounds": []}',
        '{"ensemble": "RandomForestClassifier", "rounds": [[1]]}',
        '{"ensemble": "GradientBoostingRegressor", "rounds": [[{}]], "start": "x", "learning_rate": null}',
        "[" * 5000,
    ],
)
def test_anything_else_is_refused_by_name(text):
    with pytest.raises(ex.InputError):
        ex.Ensemble.from_sklearn_json(text)
