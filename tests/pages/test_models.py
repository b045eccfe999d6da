"""Each box for a model of another program opens what the file holds, on the page that shows it."""

import contextlib
import json

import pytest
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import accuracy_score
from sklearn.tree import DecisionTreeClassifier

import explorer as ex
from explorer.foreign.scikit_learn_json import sklearn_ensemble_snippet
from explorer.formatting import percent
from tests.pages.app import editor, fine, metrics, opened, summary, texts, typed, views, went

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
    """Give a file to the box for models on the page."""
    place = app.main if any(getattr(e, "key", "") == "sklearn_body" for e in app.main) else app.sidebar
    return place.get_by_key("sklearn_body").file_uploader[0].upload("m.json", content, "application/json").run()


@pytest.mark.parametrize("holds", ["forest", "xgboost"])
def test_the_box_of_trees_opens_an_ensemble_on_its_page(files, holds):
    app = fine(given(opened(), files[holds]))
    assert list(views(app)) == ["opened_ensemble"]
    assert "'m.json' holds an ensemble, which opens on the Ensembles page." in texts(app.info)


def test_the_box_of_ensembles_opens_a_tree_on_the_data_page(files):
    app = fine(given(opened("Ensembles"), files["tree"]))
    assert list(views(app)) == ["sklearn"]
    assert "'m.json' holds a single tree, which opens on the Data page." in texts(app.info)


def test_each_box_still_opens_its_own_where_it_is(files):
    assert list(views(fine(given(opened(), files["tree"])))) == ["sklearn"]
    app = fine(given(opened("Ensembles"), files["xgboost"]))
    assert list(views(app)) == ["opened_ensemble"]
    assert not texts(app.info).startswith("'m.json'")


@pytest.mark.parametrize("page", ["Grow", "Rules", "Predict"])
def test_pages_that_show_the_tree_of_the_table_say_so_while_another_one_is_open(files, page):
    app = fine(went(fine(given(opened(data="golf"), files["tree"])), page))
    assert "Golf, with numbers, not the opened m.json" in summary(app)
    assert [link.proto.label for link in app.get("page_link") if "m.json" in link.proto.label] == ["Show m.json"]
    app = fine(went(fine(went(app, "Data").button("sklearn.close").click().run()), page))
    assert "m.json" not in summary(app)


@pytest.mark.parametrize("holds", ["tree", "forest"])
def test_an_opened_model_scores_a_file_as_scikit_learn_does(files, holds):
    rows, species = load_iris(return_X_y=True, as_frame=True)
    fitted = {"tree": DecisionTreeClassifier(max_depth=2), "forest": RandomForestClassifier(2, max_depth=2)}[holds]
    fitted.set_params(random_state=0).fit(rows, species)
    folder = files[f"{holds} folder"]
    snippet = ex.sklearn_snippet() if holds == "tree" else sklearn_ensemble_snippet()
    app = fine(given(opened("Data" if holds == "tree" else "Ensembles"), by_snippet(fitted, snippet, folder)))
    app.session_state["sklearn.tabs" if holds == "tree" else "en.opened_tab"] = "Predict a file"
    app = fine(app.run())
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
