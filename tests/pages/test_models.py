"""A model given where tables are given opens on the page that shows it, with the settings it was saved by."""

import base64
import contextlib
import dataclasses
import json
import re

import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import accuracy_score
from sklearn.tree import DecisionTreeClassifier

import explorer as ex
from explorer.ensembles.open_model import FORMATS, is_model
from explorer.foreign.scikit_learn_json import sklearn_ensemble_snippet
from explorer.foreign.snippets import snippets
from explorer.formatting import percent
from pages.results import ensembles, trees
from pages.settings.ensemble_settings import EnsembleSettings
from pages.settings.settings import Settings, changed
from tests.folders import ROOT
from tests.pages.app import (
    editor,
    fine,
    metrics,
    opened,
    picked,
    score_of,
    summary,
    texts,
    typed,
    uploaded,
    views,
    went,
)

TREE = {
    "left_children": [1, -1, -1],
    "right_children": [2, -1, -1],
    "split_indices": [0, 0, 0],
    "split_conditions": [2.5, -1.0, 1.0],
    "default_left": [1, 0, 0],
    "sum_hessian": [8.0, 3.0, 5.0],
}
XGBOOST = {
    "learner": {
        "feature_names": [],
        "feature_types": [],
        "learner_model_param": {"base_score": "0E0", "num_class": "0", "num_feature": "1"},
        "objective": {"name": "reg:squarederror"},
        "gradient_booster": {
            "name": "gbtree",
            "model": {
                "gbtree_model_param": {"num_parallel_tree": "1", "num_trees": "1"},
                "tree_info": [0],
                "trees": [TREE],
            },
        },
    },
    "version": [3, 2, 0],
}
"""What `save_model` of XGBoost writes of one tree, as far as it is read."""


def by_snippet(fitted, snippet, folder):
    """What a snippet writes of a fitted model."""
    with contextlib.chdir(folder):
        exec(snippet, {"clf": fitted})
    (file,) = folder.iterdir()
    return file.read_bytes()


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    rows = load_iris(return_X_y=True, as_frame=True)
    tree = DecisionTreeClassifier(max_depth=2).fit(*rows)
    forest = RandomForestClassifier(2, max_depth=2).fit(*rows)
    return {
        "tree folder": tmp_path_factory.mktemp("own tree"),
        "forest folder": tmp_path_factory.mktemp("own forest"),
        "tree": by_snippet(tree, ex.sklearn_snippet(), tmp_path_factory.mktemp("tree")),
        "forest": by_snippet(forest, sklearn_ensemble_snippet(), tmp_path_factory.mktemp("forest")),
        "xgboost": json.dumps(XGBOOST).encode(),
    }


def given(app, content):
    """Give a file where tables are given, on the Data page."""
    return uploaded(app, "m.json", content)


@pytest.mark.parametrize(("holds", "view"), [("forest", "opened_ensemble"), ("xgboost", "opened_member")])
def test_an_ensemble_given_as_a_table_opens_on_its_page(files, holds, view):
    app = fine(given(opened(), files[holds]))
    assert list(views(app)) == [view]
    assert "'m.json' holds an ensemble, which opens on the Ensembles page." in texts(app.info)


def test_every_library_has_its_lines_one_click_away():
    app = opened()
    shown = texts(app.main.get_by_key("model_snippets").markdown)
    libraries = {known.name.partition(" (")[0] for known in FORMATS}
    assert [library for library in libraries if library not in shown] == []
    assert len(app.main.get_by_key("model_snippets").code) == len(snippets())


@pytest.mark.parametrize(
    "text", ['{"learner": ["a"], "ensemble": ["b"]}', '[{"children_left": 1}, {"children_left": 2}]']
)
def test_a_table_in_json_is_no_model_whatever_its_columns_are_called(text):
    assert not is_model(text.encode())


def test_a_table_and_a_model_given_at_once_both_open(files):
    rows = load_iris(as_frame=True).frame.to_csv(index=False).encode()
    app = opened()
    box = app.file_uploader[0].upload("m.json", files["tree"], "text/csv")
    app = fine(box.upload("iris.csv", rows, "text/csv").run())
    assert list(views(app)) == ["opened_tree"]
    assert {"iris.csv", "m.json"} <= {word for word in ("iris.csv", "m.json") if word in summary(app)}


SAVED = ex.C45.replace(max_depth=2, min_rows_leaf=3)


def test_a_saved_tree_opens_with_its_settings_target_and_features():
    golf = ex.load_sample("golf")
    data = ex.Dataset.from_frame(golf.frame, "class", ["temperature", "outlook"])
    tree = ex.grow(data, SAVED).with_smoothing("laplace")
    app = fine(given(opened(data="golf"), json.dumps(tree.to_dict()).encode()))
    assert list(views(app)) == ["opened_tree"]
    assert "The Grow page has its settings, and its target and features." in texts(app.info)
    settings = app.session_state["settings"]
    assert trees.recipe(settings) == SAVED
    assert settings.features == ("temperature", "outlook")
    assert settings.smoothing == "laplace"


def test_a_saved_tree_of_another_table_leaves_the_columns_alone():
    golf = ex.load_sample("golf")
    tree = ex.grow(ex.Dataset.from_frame(golf.frame, "class"), SAVED.replace(class_weights={"Play": 2}))
    app = fine(given(opened(data="titanic"), json.dumps(tree.to_dict()).encode()))
    assert "The Grow page has its settings." in texts(app.info)
    settings = app.session_state["settings"]
    assert settings.target == ""
    assert trees.recipe(settings) == SAVED


ASKED = [
    EnsembleSettings("forest", members=7, depth=3, draws="2", bootstrap=False, seed=5),
    EnsembleSettings("bagging", members=4, criterion="entropy", leaf=3),
    EnsembleSettings("gradient_boosting", members=6, depth=2, rate=0.5, subsample=0.5, seed=2),
    EnsembleSettings("adaboost", members=3, criterion="error", vote="half_log", rate=0.5),
    EnsembleSettings("c50", members=3, leaf=2, update="c50"),
    EnsembleSettings("newton_boosting", members=5, depth=4, rate=0.2, reg_lambda=2.0, gamma=0.5, min_child_weight=0.1),
]


@pytest.mark.parametrize("asked", ASKED, ids=lambda asked: asked.method)
def test_the_settings_of_a_saved_ensemble_make_it_again(asked):
    settings = changed(Settings(sample="golf"), ensembles=asked)
    made = ensembles.ensemble(settings)
    saved = json.loads(json.dumps(made.to_dict(with_rows=False)))
    again = changed(Settings(sample="golf"), ensembles=ensembles.settings_of(ex.Ensemble.from_dict(saved)))
    assert ensembles.ensemble(again).to_dict(with_rows=False) == made.to_dict(with_rows=False)


def test_a_saved_ensemble_opens_with_its_settings():
    made = ensembles.ensemble(changed(Settings(sample="golf"), ensembles=ASKED[0]))
    app = fine(given(opened(data="golf"), json.dumps(made.to_dict()).encode()))
    assert list(views(app)) == ["opened_ensemble"]
    app = fine(app.button("en.close").click().run())
    assert (app.session_state["settings"].ensembles.members, list(views(app))) == (7, ["ensembles"])


IRIS = ex.load_sample("iris").frame
X, Y = IRIS.drop(columns="class"), IRIS["class"]


@pytest.fixture(scope="module")
def of_iris(tmp_path_factory):
    """Models fitted to the sample."""
    tree, forest = DecisionTreeClassifier(max_depth=2), RandomForestClassifier(2, max_depth=2, random_state=0)
    return {
        "tree": by_snippet(tree.fit(X, Y), ex.sklearn_snippet(), tmp_path_factory.mktemp("iris tree")),
        "forest": by_snippet(forest.fit(X, Y), sklearn_ensemble_snippet(), tmp_path_factory.mktemp("iris forest")),
    }


def on_iris(content):
    """A model opened on the table that it was fitted to."""
    return fine(given(opened(data="iris"), content))


def test_what_competed_at_a_node_of_an_opened_tree_is_in_its_tab(of_iris):
    app = on_iris(of_iris["tree"])
    shown = next(frame.value for frame in app.dataframe if "verdict" in frame.value)
    assert shown["verdict"].iloc[0].startswith("✓ of the file")
    assert "m.json (scikit-learn" in summary(app)
    counts = texts(app.markdown)
    n_train = trees.parts(app.session_state["settings"]).train.n_rows
    assert f"**Your rows**: {n_train} rows" in counts
    assert "**In the file**: 150 rows" in counts
    by = {}
    for algorithm in ("ID3", "CART", "C4.5"):
        app = fine(picked(app, "grow", algorithm))
        (frame,) = (frame.value for frame in app.dataframe if "verdict" in frame.value)
        by[algorithm] = tuple(frame.columns)
    assert len(set(by.values())) == 3, "by gain, by gain ratio and by Gini"


def test_an_rpart_tree_dropped_with_its_table_says_what_competed_and_keeps_its_surrogates():
    text = (ROOT / "tests/reference/foreign/rpart-4.1.19.json").read_text("utf-8")
    (case,) = (each for each in json.loads(text) if each["name"] == ["numbers only"])
    rows = pd.DataFrame(case["rows"]).assign(score=case["predictions"]).to_csv(index=False).encode()
    box = opened().file_uploader[0].upload("m.json", json.dumps(case["content"]).encode(), "text/csv")
    app = fine(box.upload("shop.csv", rows, "text/csv").run())
    assert "The table has the target and the features of the file." in texts(app.info)
    settings = app.session_state["settings"]
    assert (settings.target, settings.features) == ("score", ("width", "length"))
    (shown,) = (frame.value for frame in app.dataframe if "verdict" in frame.value)
    assert shown["verdict"].iloc[0].startswith("✓ of the file")
    assert "surrogate" in texts(app.markdown).lower()


@pytest.mark.parametrize("page", ["Prune", "Evaluate", "Rules", "Predict"])
def test_an_opened_tree_stands_on_the_pages_like_one_grown_here(of_iris, page):
    app = fine(went(on_iris(of_iris["tree"]), page))
    assert "m.json (scikit-learn" in summary(app)
    assert len(views(app)) == 1
    app = fine(went(app, "Grow").button("opened.close").click().run())
    assert "m.json" not in summary(fine(went(app, page)))


def test_an_opened_tree_is_scored_as_scikit_learn_scores_it(of_iris):
    app = fine(went(on_iris(of_iris["tree"]), "Evaluate"))
    app = fine(app.radio("evaluated.rows").set_value("train").run())
    rows = trees.parts(app.session_state["settings"]).train
    fitted = DecisionTreeClassifier(max_depth=2).fit(X, Y)
    right = accuracy_score(rows.frame["class"], fitted.predict(rows.frame[list(X)]))
    assert score_of(app, "Accuracy") == percent(right)
    assert "Whether the tree was fitted to these rows its file does not say" in texts(app.caption)


def test_validation_rows_prune_an_opened_tree_for_all_pages(of_iris):
    fitted = DecisionTreeClassifier(random_state=0).fit(X, Y)
    text = json.dumps(ex.Tree.from_sklearn(fitted, "class").to_dict()).encode()
    app = fine(went(on_iris(text), "Prune"))
    settings = app.session_state["settings"]
    tree, valid = ex.open_model(text), trees.parts(settings).valid
    app = fine(app.toggle("opened.pruned").set_value(True).run())
    pruned = ex.reduced_error_prune(tree, valid)
    assert f"**Pruned**: {pruned.n_leaves} leaves" in texts(app.markdown)
    assert f"{pruned.n_leaves} leaves" in summary(fine(went(app, "Evaluate")))


def by_weakest_links(content, table=None):
    """A tree opened on iris, with the slider over α on Prune."""
    app = on_iris(content) if table is None else fine(given(fine(uploaded(opened(), "t.csv", table)), content))
    return fine(fine(went(app, "Prune")).radio("opened.method").set_value("weakest").run())


def test_the_weakest_links_of_an_opened_tree_rest_on_the_rows_of_its_file_and_prune_it_on_all_pages():
    fitted = DecisionTreeClassifier(random_state=0).fit(X, Y)
    app = by_weakest_links(json.dumps(ex.Tree.from_sklearn(fitted, "class").to_dict()).encode())
    assert "the rows that the file counts: 150 rows" in texts(app.caption)
    alpha = 0.015  # between two of scikit-learn's
    refit = DecisionTreeClassifier(random_state=0, ccp_alpha=alpha).fit(X, Y)
    app.session_state["opened tree"] = dataclasses.replace(app.session_state["opened tree"], alpha=alpha)
    app = fine(fine(app.run()).toggle("opened.pruned").set_value(True).run())
    assert f"**Pruned**: {refit.get_n_leaves()} leaves" in texts(app.markdown)
    app = fine(went(app, "Evaluate"))
    assert f"{refit.get_n_leaves()} leaves" in summary(app)
    valid = trees.parts(app.session_state["settings"]).valid
    right = accuracy_score(valid.frame["class"], refit.predict(valid.frame[list(X)]))
    assert score_of(app, "Accuracy") == percent(right)


def test_without_rows_in_the_file_the_weakest_links_rest_on_the_training_rows():
    content, rows = given_onnx("forest, two classes")
    tree = dataclasses.replace(ex.open_model(content).members[0].tree, target="bought", classes=("no", "yes"))
    app = by_weakest_links(json.dumps(tree.to_dict()).encode(), rows.to_csv(index=False).encode())
    (n_train,) = re.findall(r"(\d+) training", summary(app))
    assert f"your training rows, not on the file: {n_train} rows" in texts(app.caption)


def test_weakest_links_on_a_table_without_the_columns_are_refused_with_the_reason(of_iris):
    other = IRIS.rename(columns=lambda name: name if name == "class" else f"my {name}").to_csv(index=False).encode()
    app = fine(given(fine(uploaded(opened(), "other.csv", other)), of_iris["tree"]))
    app = went(app, "Prune").radio("opened.method").set_value("weakest").run()
    assert "which is no feature of these rows" in texts(app.error)
    assert list(views(app)) == ["opened_pruned"], "without a slider"


def test_a_saved_tree_is_the_tree_grown_here_with_its_settings():
    data = ex.Dataset.from_frame(ex.load_sample("golf").frame, "class")
    app = fine(given(opened(data="golf"), json.dumps(ex.grow(data, SAVED).to_dict()).encode()))
    app.session_state["opened.tab"] = "First difference"
    assert "**The trees are identical.**" in texts(fine(app.run()).markdown)
    app = fine(picked(app, "grow", "CART"))
    app.session_state["opened.tab"] = "First difference"
    assert "**First difference.** Node 0: m.json splits on" in texts(fine(app.run()).markdown)


def test_an_opened_tree_beside_an_ensemble_has_its_own_leaves_and_score():
    app = opened(data="titanic")
    subsets = trees.parts(app.session_state["settings"])
    stump = ex.grow(subsets.train, ex.CART.replace(max_depth=1))
    app = fine(went(fine(given(app, json.dumps(stump.to_dict()).encode())), "Ensembles"))
    right = accuracy_score(subsets.valid.frame[stump.target], stump.predict(subsets.valid))
    assert f"| your tree :small[(Grow: m.json)] | 2 | {percent(right)} |" in texts(app.markdown)
    assert f"m.json {percent(right)}" in texts(app.markdown).replace("\\", "").replace("\xa0", " "), (
        "not the tree grown here"
    )


def test_a_member_of_an_opened_ensemble_says_what_competed_there(of_iris):
    app = on_iris(of_iris["forest"])
    subsets = trees.parts(app.session_state["settings"])
    rows = subsets.train if subsets.valid is None else subsets.valid
    forest = RandomForestClassifier(2, max_depth=2, random_state=0).fit(X, Y)
    right = accuracy_score(rows.frame["class"], forest.predict(rows.frame[list(X)]))
    assert f"accuracy {percent(right)}, " in texts(app.markdown).replace("\xa0", " ")
    state = app.session_state["opened ensemble.state"]
    app.session_state["opened ensemble.state"] = dataclasses.replace(state, member=1)
    app = fine(app.run())
    assert any("verdict" in frame.value for frame in app.dataframe)
    assert "**Your rows**:" in texts(app.markdown)


def test_columns_are_read_as_the_tree_reads_them():
    cases = json.loads((ROOT / "tests/reference/foreign/lightgbm-4.7.0.json").read_text("utf-8"))
    case = next(case for case in cases if case["name"] == "binary")
    rows = pd.DataFrame(case["rows"]).assign(bought=[share > 0.5 for share in case["predictions"]])
    app = fine(uploaded(opened(), "shop.csv", rows.to_csv(index=False).encode()))
    app = fine(given(app, case["text"].encode()))
    state = app.session_state["opened ensemble.state"]
    app.session_state["opened ensemble.state"] = dataclasses.replace(state, member=0)
    app = fine(app.run())
    assert "Read as the tree reads them: size." in texts(app.caption), "its numbers are categories in the model"
    assert "**Your rows**: 140 rows" in texts(app.markdown)
    assert dict(app.session_state["settings"].kinds).get("size") is None, "the table stays as it is"


@pytest.mark.parametrize("holds", ["tree", "forest"])
def test_an_opened_model_scores_a_file_as_scikit_learn_does(files, holds):
    rows, species = load_iris(return_X_y=True, as_frame=True)
    fitted = {"tree": DecisionTreeClassifier(max_depth=2), "forest": RandomForestClassifier(2, max_depth=2)}[holds]
    fitted.set_params(random_state=0).fit(rows, species)
    folder = files[f"{holds} folder"]
    snippet = ex.sklearn_snippet() if holds == "tree" else sklearn_ensemble_snippet()
    app = fine(given(opened(), by_snippet(fitted, snippet, folder)))
    app.session_state["predict.tab" if holds == "tree" else "en.opened_tab"] = "Predict a file"
    app = fine(went(app, "Predict") if holds == "tree" else app.run())
    some = rows[::3].rename(columns=lambda name: name.upper().replace(" ", "_")).assign(species=species[::3])
    (box,) = (box for box in app.file_uploader if "columns of the table" in box.label)
    app = fine(box.upload("some.csv", some.to_csv(index=False).encode(), "text/csv").run())
    assert "Accuracy" not in metrics(app), "which column is the target is not known yet"
    columns = editor(app, "file", "tree")
    line = columns.value["tree"].tolist().index("target")
    app = fine(typed(app, columns, **{f"_{line}": {"file": "species"}}))
    (shown,) = (frame.value for frame in app.dataframe if "prediction" in frame.value)
    assert shown["prediction"].tolist() == fitted.predict(rows[::3]).tolist()
    assert ("leaf" in shown) is (holds == "tree")
    right = accuracy_score(species[::3], fitted.predict(rows[::3]))
    assert (metrics(app)["Accuracy"], metrics(app)["Majority of these rows"]) == (percent(right), "34.0 %")


def given_onnx(name):
    """A case of ONNX: the file, and the rows with a target."""
    cases = json.loads((ROOT / "tests/reference/foreign/onnxruntime-1.32.0.json").read_text("utf-8"))
    case = next(case for case in cases if case["name"] == name)
    rows = pd.DataFrame(dict(zip(("width", "length", "rooms"), case["rows"], strict=True)))
    return base64.b64decode(case["model"]), rows.assign(bought=["yes", "no"] * (len(rows) // 2))


def test_a_class_has_one_colour_in_the_file_and_on_the_rows(of_iris):
    """The table names its classes in another order than the file does."""
    turned = IRIS.iloc[::-1]
    assert list(turned["class"].unique()) == sorted(set(Y), reverse=True)
    app = fine(uploaded(opened(), "turned.csv", turned.to_csv(index=False).encode()))
    app = fine(given(app, of_iris["tree"]))
    bars = [html.proto.body for html in app.get("html") if 'class="class-bar"' in html.proto.body]
    of_file, of_rows = (dict(re.findall(r'background:(#\w+);.*?title="([^:]+):', bar)) for bar in bars)
    assert len(of_file) == 3
    assert of_file == of_rows


def test_features_without_names_are_the_columns_of_the_table_in_order():
    content, rows = given_onnx("forest, two classes")
    app = fine(uploaded(opened(), "shop.csv", rows.to_csv(index=False).encode()))
    app = fine(given(app, content))
    state = app.session_state["opened ensemble.state"]
    app.session_state["opened ensemble.state"] = dataclasses.replace(state, member=0)
    app = fine(app.run())
    assert "The file names no columns: they are those of the table, in order." in texts(app.caption)
    (frame,) = (frame.value for frame in app.dataframe if "verdict" in frame.value)
    assert set(frame["feature"]) <= {"width", "length", "rooms", "the split of the file"}
    assert "no numbers of rows, so this node's class shares are not known" in texts(app.markdown)
    (_,) = [html for html in app.get("html") if 'class="class-bar"' in html.proto.body]  # that of the rows alone


def test_a_file_is_predicted_by_place_too_where_a_model_names_no_columns():
    content, rows = given_onnx("forest, two classes")
    app = fine(uploaded(opened(), "shop.csv", rows.to_csv(index=False).encode()))
    app = fine(given(app, content))
    app.session_state["en.opened_tab"] = "Predict a file"
    app = fine(app.run())
    (box,) = (box for box in app.file_uploader if "columns of the table" in box.label)
    app = fine(box.upload("some.csv", rows.to_csv(index=False).encode(), "text/csv").run())
    (shown,) = (frame.value for frame in app.dataframe if "prediction" in frame.value)
    expected = ex.open_model(content).predict(rows.set_axis(["x0", "x1", "x2", "bought"], axis=1))
    assert shown["prediction"].astype(str).tolist() == [str(value) for value in expected]


def test_a_tree_that_predicts_another_target_has_no_score():
    tree = DecisionTreeClassifier(max_depth=2).fit(X, Y.str.upper())
    app = on_iris(json.dumps(ex.Tree.from_sklearn(tree, "kind").to_dict()).encode())
    assert "no score on this table" in summary(app)
    app = went(app, "Evaluate")
    assert "which the target 'class' does not have" in texts(app.error)


def test_an_opened_tree_predicts_from_the_probability_on_that_the_reader_chose():
    frame = ex.load_sample("golf").frame
    data = ex.Dataset.from_frame(frame, "class")
    tree = ex.grow(data, ex.CART.replace(max_depth=1))
    app = fine(given(opened(data="golf", decide="0:0.9"), json.dumps(tree.to_dict()).encode()))
    assert app.session_state["settings"].decide == (), "which was chosen for another tree"
    for decide, expected in (((), tree), ((0, 0.9), tree.with_threshold(tree.classes[0], 0.9))):
        app.session_state["settings"] = dataclasses.replace(app.session_state["settings"], decide=decide)
        app = fine(went(app, "Evaluate"))
        right = accuracy_score(frame["class"], expected.predict(data))
        assert score_of(app, "Accuracy") == percent(right)
