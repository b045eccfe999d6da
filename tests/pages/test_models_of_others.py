"""A model of other programs on the pages: its classes, the words for it, and files that are no models."""

import dataclasses
import json
import math
import re

import pandas as pd
import pytest
from sklearn.metrics import accuracy_score
from sklearn.tree import DecisionTreeClassifier

import explorer as ex
from explorer.ensembles.picture import picture_of
from explorer.formatting import percent
from pages.results import trees
from pages.widgets import node_text
from tests.folders import ROOT
from tests.pages.app import fine, metrics, opened, score_of, texts, uploaded, went


def of_lightgbm():
    """A model of two classes numbered 0 and 1, and rows whose target has names: yes where its probability is above ½.

    The first row is a yes, so that the table numbers its classes the other way round.
    """
    cases = json.loads((ROOT / "tests/reference/foreign/lightgbm-4.7.0.json").read_text("utf-8"))
    case = next(case for case in cases if case["name"] == "binary")
    bought = ["yes" if share > 0.5 else "no" for share in case["predictions"]]
    rows = pd.DataFrame(case["rows"]).assign(bought=bought)
    return case["text"].encode(), rows.sort_values("bought", ascending=False, kind="stable")


def on_rows(content, rows):
    """A model opened on a table of one's own."""
    return fine(uploaded(fine(uploaded(opened(), "shop.csv", rows.to_csv(index=False).encode())), "m.json", content))


def of_xgboost():
    """A model of XGBoost."""
    (case, *_) = json.loads((ROOT / "tests/reference/foreign/xgboost-3.4.1.json").read_text("utf-8"))
    return json.dumps(case["content"]).encode()


def member_open(app, position):
    """A member of the open ensemble on the stage."""
    state = app.session_state["opened ensemble.state"]
    app.session_state["opened ensemble.state"] = dataclasses.replace(state, member=position)
    return fine(app.run())


def test_a_click_says_which_class_is_which_and_the_link_keeps_it():
    content, rows = of_lightgbm()
    app = on_rows(content, rows)
    assert "say which class is which" in texts(app.caption)
    assert app.button("classes.sorted").label == "0 = no, 1 = yes"
    app = fine(app.button("classes.sorted").click().run())
    assert "accuracy 100 %," in texts(app.markdown).replace("\xa0", " ")
    classes = ex.Dataset.from_frame(rows, "bought").classes
    assert [classes[code] for code in app.session_state["settings"].model_classes] == ["no", "yes"]
    assert app.query_params["classes"] == "-".join(str(classes.index(name)) for name in ("no", "yes"))
    app = fine(app.selectbox("classes.0").set_value(classes.index("yes")).run())
    assert "accuracy 0 %," in texts(app.markdown).replace("\xa0", " "), "the two have changed places"


def test_the_classes_of_a_member_have_the_colours_of_its_ensemble():
    content, rows = of_lightgbm()
    app = fine(on_rows(content, rows).button("classes.sorted").click().run())
    classes = ex.Dataset.from_frame(rows, "bought").classes
    app = member_open(fine(app.selectbox("classes.0").set_value(classes.index("yes")).run()), 0)
    (bar,) = [html.proto.body for html in app.get("html") if 'class="class-bar"' in html.proto.body]
    assert re.findall(r'title="([^:]+):', bar) == ["yes", "no"], "0 and 1 of the model, in its order"


def test_a_tree_of_numbered_classes_is_scored_by_the_names_of_the_table():
    iris = ex.load_sample("iris").frame
    features, species = iris.drop(columns="class"), iris["class"]
    codes = species.map({name: 2 - place for place, name in enumerate(sorted(set(species)))})
    fitted = DecisionTreeClassifier(max_depth=2).fit(features, codes)
    app = fine(
        uploaded(opened(data="iris"), "m.json", json.dumps(ex.Tree.from_sklearn(fitted, "kind").to_dict()).encode())
    )
    names = sorted(set(species), reverse=True)
    for place, name in enumerate(names[:2]):
        code = trees.data(app.session_state["settings"]).classes.index(name)
        app = fine(app.selectbox(f"classes.{place}").set_value(code).run())
    app = fine(went(app, "Evaluate"))
    app = fine(app.radio("evaluated.rows").set_value("train").run())
    rows = trees.parts(app.session_state["settings"]).train
    right = accuracy_score(rows.frame["class"], [names[code] for code in fitted.predict(rows.frame[list(features)])])
    assert score_of(app, "Accuracy") == percent(right)


def links(app):
    """The words of the links to other pages."""
    return [link.proto.label for link in app.get("page_link")]


def test_boosting_of_another_library_is_not_called_that_of_xgboost():
    content, rows = of_lightgbm()
    app = fine(on_rows(content, rows).button("classes.sorted").click().run())
    assert re.search(r"LightGBM[^:]*: Gradient boosting, \d+ trees\. The learning rate is inside", texts(app.caption))
    assert "XGBoost" not in texts(app.caption)
    assert "Whether the ensemble was fitted to these rows its file does not say" in texts(app.caption)
    assert "XGBoost" in texts(fine(uploaded(opened(), "m.json", of_xgboost())).caption)


@pytest.mark.parametrize("page", ["Grow", "Prune", "Evaluate", "Rules", "Predict", "Compare"])
def test_other_pages_say_that_their_tree_is_not_the_open_ensemble(page):
    said = "m.json is open on the Ensembles page; what stands here is grown from the table."
    app = fine(went(on_rows(*of_lightgbm()), page))
    assert [label.replace("\\", "") for label in links(app) if "is open on" in label] == [said]
    app = fine(went(fine(went(app, "Ensembles").button("en.close").click().run()), page))
    assert not [label for label in links(app) if "is open on" in label]


def test_what_competes_in_a_tree_of_j48_is_compared_by_its_gain_ratio():
    (case, *_) = [
        case
        for case in json.loads((ROOT / "tests/reference/foreign/weka-3.9.7.json").read_text("utf-8"))
        if case["name"] == "J48"
    ]
    app = fine(uploaded(opened(), "m.json", case["content"].encode()))
    assert trees.recipe(app.session_state["settings"]) == ex.C45
    assert trees.recipe(fine(uploaded(opened(), "m.json", of_xgboost())).session_state["settings"]) != ex.C45


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("m.pkl", b"\x80\x04K\x01.", "a model by the lines under “Open a model”"),
        ("m.json", of_xgboost()[:-40], "is the JSON of a model, but it breaks off"),
        ("m.json", b'{"name": "hello", "list": [1, 2, 3]}', "nor a model that can be read"),
    ],
)
def test_a_file_that_is_no_table_gets_words_on_models_too(name, content, said):
    app = uploaded(opened(), name, content)
    assert said in texts(app.error)


def opened_tab(app, name):
    """A tab of the open ensemble."""
    app.session_state["en.opened_tab"] = name
    return fine(app.run())


def test_an_open_ensemble_has_all_scores_of_the_rows_and_the_matrix():
    content, rows = of_lightgbm()
    app = fine(on_rows(content, rows).button("classes.sorted").click().run())
    classes = ex.Dataset.from_frame(rows, "bought").classes
    app = fine(app.selectbox("classes.0").set_value(classes.index("yes")).run())  # every prediction is wrong
    app = opened_tab(app, "Scores")
    (matrix,) = [frame.value for frame in app.dataframe if "true ↓   predicted →" in frame.value]
    assert matrix["true ↓   predicted →"].tolist() == ["yes", "no"]
    assert matrix[["yes", "no"]].to_numpy().diagonal().tolist() == [0, 0]
    assert matrix[["yes", "no"]].to_numpy().sum() == 60, "the validation rows"
    (wrong,) = [frame.value for frame in app.dataframe if "true class" in frame.value]
    assert len(wrong) == 60
    (scores,) = [table.value for table in app.table if "ensemble" in table.value]
    assert scores.loc["**Accuracy**", "ensemble"].startswith("**0")


def test_the_importance_of_an_open_ensemble_is_of_its_splits_and_of_shuffled_columns():
    content, rows = of_lightgbm()
    app = opened_tab(fine(on_rows(content, rows).button("classes.sorted").click().run()), "Importance")
    (chart,) = [json.loads(chart.proto.spec) for chart in app.get("plotly_chart")]
    titles = [note["text"] for note in chart["layout"]["annotations"]]
    assert titles[0] == "Share of the splits of all trees"
    assert titles[1].startswith("Permutation importance")
    made = ex.open_model(content)
    counts = {}
    for member in made.members:
        for position in member.tree.feature[member.tree.feature >= 0]:
            name = made.features[position].name
            counts[name] = counts.get(name, 0) + 1
    shares = dict(zip(chart["data"][0]["customdata"], range(len(counts)), strict=False))
    assert set(counts) <= set(shares)
    assert list(shares)[-1] == max(counts, key=counts.get), "the most frequent feature is on top"


def test_a_file_predicted_by_an_open_ensemble_has_its_accuracy_by_the_names_of_the_table():
    content, rows = of_lightgbm()
    app = opened_tab(fine(on_rows(content, rows).button("classes.sorted").click().run()), "Predict a file")
    (box,) = (box for box in app.file_uploader if "columns of the table" in box.label)
    sent = rows.assign(extra="a").to_csv(index=False).encode()
    app = fine(box.upload("some.csv", sent, "text/csv").run())
    assert metrics(app)["Accuracy"] == "100 %"
    assert "The ensemble does not use column 'extra'. It is kept unchanged." in texts(app.markdown)


def test_the_score_by_stage_of_an_open_ensemble_is_drawn():
    content, rows = of_lightgbm()
    made, data = ex.open_model(content), ex.Dataset.from_frame(rows.assign(bought=(rows.bought == "yes") * 1), "bought")
    named = dataclasses.replace(made, target="bought")
    picture = picture_of(named, data)
    (curve,) = picture.curves
    assert (curve.of, curve.values.tolist()) == ("validation", made.staged_scores(data).tolist())
    assert curve.values[-1] == 1.0, "the target is the model's own prediction"
    assert picture_of(named).curves == ()


def test_a_member_of_boosting_says_that_its_round_fitted_gradients_and_has_no_vote():
    content, rows = of_lightgbm()
    app = fine(on_rows(content, rows).button("classes.sorted").click().run())
    assert "Which is which?" not in texts(app.caption), "it is answered"
    app.session_state["en.opened_node_tab"] = "File"
    app = member_open(app, 0)
    assert "This round fitted gradients" in texts(app.caption)
    assert "for bought itself" in texts(app.caption)
    assert "Vote" not in texts(app.markdown)


def of_forest(rows):
    """A forest that was grown here, as it is saved."""
    made = ex.forest(ex.Dataset.from_frame(rows, "bought"), ex.CART.replace(max_depth=2), n_estimators=2)
    return json.dumps(made.to_dict()).encode()


def test_a_forest_of_the_app_is_called_by_its_method_and_has_votes():
    rows = of_lightgbm()[1]
    app = on_rows(of_forest(rows), rows)
    assert [each.value for each in app.caption if each.value.startswith("Random forest, 2 trees.")]
    app.session_state["en.opened_node_tab"] = "File"
    app = member_open(app, 0)
    assert "Vote: 0.500" in texts(app.markdown)
    assert "fitted gradients" not in texts(app.caption)


def own_tree(**table):
    """A tree grown on iris here, as it is saved; `table` is how its table was divided."""
    tree = ex.grow(ex.Dataset.from_frame(ex.load_sample("iris").frame, "class"), ex.CART)
    return json.dumps(dataclasses.replace(tree, table_settings=table or None).to_dict()).encode()


@pytest.mark.parametrize(("table", "is_known"), [({"data": ["iris"]}, True), ({}, False)])
def test_a_tree_whose_split_came_back_knows_which_rows_took_no_part(table, is_known):
    app = fine(went(fine(uploaded(opened(data="iris"), "own.json", own_tree(**table))), "Grow"))
    said = texts(app.caption)
    assert ("took no part in growing it" in said) is is_known
    assert ("its file does not say" in said) is not is_known


def entropy(*counts):
    """Of a node with so many rows of each class."""
    return -sum(n / sum(counts) * math.log2(n / sum(counts)) for n in counts if n)


def test_why_the_smaller_gain_ratio_wins_is_said_beside_a_split_of_a_file():
    values = dict(enumerate("aaaaaababb", 1))
    frame = pd.DataFrame({"x": [*values] * 10}).assign(y=lambda rows: rows["x"].map(values))
    given = frame.assign(y=["a" if x <= 8 else "b" for x in frame["x"]])
    rows, of_file = (ex.Dataset.from_frame(each, "y") for each in (frame, given))
    tree = ex.recount(ex.grow(of_file, ex.CART), rows, ex.C45)
    said = node_text.stop_text(tree.node(0), ex.decide(tree, rows, 0))
    most, own = entropy(7, 3) - 0.4 * entropy(1, 3), entropy(7, 3) - 0.8 * entropy(7, 1)
    ratio, better = most / entropy(6, 4), own / entropy(8, 2)
    assert better > ratio, "the split of the file has the higher ratio"
    assert f"gain ratio {better:.3f}. On these rows “x ≤ 6.5” would win: gain ratio {ratio:.3f}." in said
    assert f"gain competes: “x ≤ 6.5” has {most:.3f}, the split of the file {own:.3f}." in said


def test_compare_names_an_open_tree_and_its_first_difference_from_side_a():
    iris = ex.load_sample("iris").frame
    features, species = iris.drop(columns="class"), iris["class"]
    column = next(name for name in features if "sepal" in name and "width" in name)
    fitted = DecisionTreeClassifier(max_depth=1).fit(features[[column]], species)
    content = json.dumps(ex.Tree.from_sklearn(fitted, "class").to_dict()).encode()
    app = fine(went(fine(uploaded(opened(data="iris"), "m.json", content)), "Compare"))
    said = "m.json is open on the Grow page; what stands here is grown from the table."
    assert said in [label.replace("\\", "") for label in links(app)]
    (line,) = [each.value for each in app.markdown if "m.json beside" in each.value.replace("\\", "")]
    assert "First difference" in line
    assert "Node 0" in line
    assert "sepal" in line
    assert "ID3 splits on sepal" in line, "by the columns of the file"
