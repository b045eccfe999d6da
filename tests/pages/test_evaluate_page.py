"""The Evaluate page: its numbers are the package's, cells lead to rows, choices live in the address."""

import json

import numpy as np
import pandas as pd
import pytest

import explorer as ex
from explorer.evaluation.evaluation import row_predictions
from explorer.evaluation.folds import one_left_out
from explorer.evaluation.out_of_fold import out_of_fold
from explorer.formatting import percent
from pages.evaluate import feature_importance, learning_curve
from pages.results import evaluation, jobs, prediction, trees
from pages.results.cache import results
from pages.settings import url
from pages.settings.page_settings import EvaluateSettings
from pages.settings.settings import Settings, changed
from pages.text import number
from tests.pages.app import fine, opened, summary, texts, uploaded, views, went

TITANIC = {"data": "titanic", "split": "two"}
ID3 = {"recipe": "ID3", "min_rows_leaf": "1"}
"""Grown fully, whatever a large table begins with."""
PATIENCE, SESSION = 60, "test session id"


@pytest.fixture(scope="module")
def titanic():
    sample, frame = ex.SAMPLES["titanic"], ex.load_sample("titanic").frame
    data = ex.Dataset.from_frame(frame, sample.target, features=sample.features, kinds=sample.kinds)
    train, valid = data.split(0.7, seed=0)
    return ex.cost_complexity_path(ex.grow(train, ex.ID3)), train, valid


def frames(app, title):
    """The tables that have a column with this heading."""
    return [frame.value for frame in app.dataframe if title in frame.value]


def share(value):
    return f"{value:.1%}".replace("%", "\xa0%")


SCORES, MATRIX, CURVES = "Scores", "Confusion matrix", "ROC and lift"
ERRORS, LEAVES, IMPORTANCE, LEARNING = "Largest errors", "Leaves", "Importance", "Learning curve"


def evaluated(tab=SCORES, **query):
    """The page with one of its tabs open."""
    app = opened(**query)
    app.session_state["evaluate.tab"] = tab
    return went(app, "Evaluate")


def scores(app):
    """What stands in the table of scores: by score the tree's and the baseline's, and the improvement."""
    table = next((table.value for table in app.table if "baseline" in table.value), None)
    return {} if table is None else {str(line[0]).strip("*"): line[1:] for line in table.itertuples(name=None)}


def value_of(app, name):
    return scores(app)[name][0].strip("*")


def ringed(app):
    """The nodes with a ring on the tree."""
    return {mark["node"] for mark in views(app)["evaluate"]["marks"] if mark["kind"] == "ring"}


def test_the_pruned_tree_is_scored_beside_its_baselines(titanic):
    path, _, valid = titanic
    evaluation = ex.evaluate(path.subtree(alpha=0.003), valid)
    app = fine(evaluated(alpha="0.003", **TITANIC, **ID3))
    accuracy = evaluation.scores["accuracy"]
    points = f"+{100 * (accuracy.value - accuracy.baseline):.1f} points"
    assert scores(app)["Accuracy"] == (f"**{share(accuracy.value)}**", share(accuracy.baseline), points)
    assert value_of(app, "AUC") == number(evaluation.scores["auc"].value, 3)
    assert f"the tree of {path.subtree(alpha=0.003).n_leaves} leaves" in texts(app.caption)
    assert "If they chose its size, this score is optimistic; use a test set for an unbiased one." in texts(app.caption)
    table = frames(app, "precision")[0]
    for name in ("precision", "recall", "f1"):
        of_classes = [getattr(of_class, name) for of_class in evaluation.classes]
        assert table[name.replace("f1", "F1")].tolist() == of_classes
    assert table["AUC"].tolist() == pytest.approx([evaluation.scores["auc"].value] * 2), (
        "of two classes both have one AUC"
    )


def test_a_score_that_is_no_better_than_its_baseline_is_red_and_says_so():
    app = fine(evaluated(alpha="0.3"))  # the root goes at 0.235: of any thirteen days most are Yes
    assert scores(app)["Accuracy"] == ("**64.3\xa0%**", "64.3\xa0%", ":red[no better than the baseline]")
    app = fine(evaluated())
    value, _, why = scores(app)["Log loss"]
    assert why.startswith(":red[worse than the baseline] :small[(3 rows with probability 0: 34.5 each)")
    assert value == f"**{3 * 15 * np.log(10) / 14:.3f}**", "all other leaves are pure and right"
    assert ":red" not in scores(app)["Accuracy"][2]


def test_the_first_picture_works_out_nothing_of_the_other_tabs(monkeypatch):
    def refuse(*_, **__):
        raise AssertionError("worked out ahead")

    for function in ("class_curves", "permutation_importance", "leaf_calibration", "importance", "learning_curve"):
        monkeypatch.setattr(ex, function, refuse)
    results().clear()
    assert value_of(fine(evaluated(**TITANIC)), "Accuracy")


def test_a_cell_of_the_matrix_leads_to_its_rows_and_a_row_to_its_path(titanic):
    path, _, valid = titanic
    tree = path.subtree(alpha=0.003)
    cell_rows = row_predictions(tree, valid).rows(1, 0)
    row = int(valid.row_numbers[cell_rows[0]])
    app = fine(opened("Evaluate", alpha="0.003", **TITANIC, **ID3, **{"e.cell": "1-0", "e.row": str(row)}))
    confusion = frames(app, "true ↓   predicted →")[0][["died", "survived"]]
    assert confusion.to_numpy().tolist() == ex.evaluate(tree, valid).confusion.tolist()
    rows = frames(app, "true class")[0]
    assert rows["row"].tolist() == (valid.row_numbers[cell_rows] + 1).tolist()
    assert set(rows["true class"]) == {"survived"}
    assert set(rows["predicted"]) == {"died"}
    truth = ex.load_sample("titanic").frame["survived"].iloc[rows["row"] - 1]
    assert set(truth.astype(str)) == {"1"}
    node = int(tree.apply(valid.take(cell_rows[:1]))[0])
    assert f"Decision path of row {row + 1}" in texts(app.markdown)
    assert f"(node {node})" in texts(app.markdown)
    assert [node for node, _ in views(app)["evaluate"]["row_path"]] == [*(step for step, _ in tree.path_to(node)), node]
    assert ringed(app) == set(), "a row lights its path alone"
    app = fine(app.selectbox("cell").set_value("0-1").run())
    assert app.query_params["e.cell"] == "0-1"
    assert "e.row" not in app.query_params
    assert views(app)["evaluate"]["row_path"] == []
    assert ringed(app) == set(tree.apply(valid.take(row_predictions(tree, valid).rows(0, 1))).tolist())
    app.session_state["evaluate.tab"] = SCORES
    assert ringed(fine(app.run())) == set(), "another tab lights something else"


def test_a_threshold_rings_the_leaves_that_predict_the_class_there(titanic):
    path, _, valid = titanic
    tree = path.subtree(alpha=0.003)
    curves = ex.class_curves(tree, valid, tree.classes[1])
    app = fine(evaluated(CURVES, alpha="0.003", **TITANIC, **ID3))
    assert ringed(app) == set()
    app = fine(app.select_slider("ranking.threshold").set_value(3).run())
    assert app.query_params["e.threshold"] == "3"
    reached = {int(node) for node in tree.apply(valid) if tree.shares[node, 1] >= curves.thresholds[3] - 1e-9}
    assert ringed(app) == reached
    assert f"recall {percent(curves.recall[3])}, false positive rate {percent(curves.false_alarms[3])}" in texts(
        app.caption
    )
    app = fine(app.selectbox("ranking.class").set_value(0).run())
    assert "e.threshold" not in app.query_params
    assert ringed(app) == set()


def test_training_rows_can_be_chosen_and_are_said_to_be_known(titanic):
    path, train, _ = titanic
    app = fine(evaluated(**TITANIC, **ID3))
    app = fine(app.radio("evaluated.rows").set_value("train").run())
    assert value_of(app, "Accuracy") == share(ex.evaluate(path.tree, train).scores["accuracy"].value)
    assert app.query_params["e.rows"] == "train"
    assert "The tree was grown on these rows" in texts(app.caption)


def test_a_small_table_is_left_out_row_by_row():
    tennis = ex.Dataset.from_frame(ex.load_sample("play_tennis").frame, "PlayTennis")
    known = ex.cross_validate_path(tennis, ex.ID3, folds=np.arange(14))
    app = fine(evaluated())
    assert value_of(app, "Accuracy") == share(known.mean[0])
    assert "AUC" not in scores(app)
    assert "Held-out rows are predicted by many trees" in texts(fine(evaluated(LEAVES)).markdown)
    app = fine(evaluated(MATRIX, **{"e.cell": "0-1"}))
    assert ringed(app) == set(), "the rows end in other trees"


def test_a_tree_decided_by_hand_is_evaluated_with_its_choices():
    tennis = ex.Dataset.from_frame(ex.load_sample("play_tennis").frame, "PlayTennis")
    choices = ex.Choices().force(ex.grow(tennis, ex.ID3).place(0), "Temperature")
    known = ex.cross_validate_path(tennis, ex.ID3, folds=np.arange(14), choices=choices)
    assert known.mean[0] != ex.cross_validate_path(tennis, ex.ID3, folds=np.arange(14)).mean[0]
    app = fine(evaluated(**Settings(choices=choices).to_query()))
    assert value_of(app, "Accuracy") == share(known.mean[0])
    optimistic = "They were chosen with all rows in view, so the score is optimistic."
    assert optimistic in texts(app.caption)
    assert optimistic in texts(fine(evaluated(LEARNING, **Settings(choices=choices).to_query())).caption)
    app = fine(evaluated(**Settings(choices=choices, evaluate=EvaluateSettings("train")).to_query()))
    assert f"the unpruned tree of {ex.grow(tennis, ex.ID3, choices=choices).n_leaves} leaves" in texts(app.caption)
    assert optimistic not in texts(app.caption)


def test_what_is_kept_of_one_tree_is_not_taken_for_another_decided_by_hand():
    plain, decided = Settings(), Settings(choices=ex.Choices().lock(()))
    for key in (evaluation.tree_key, evaluation.left_out_key, learning_curve.key, prediction.tree_key):
        assert key(plain) != key(decided)


def ended(key):
    """Wait for this reader's job under its key."""
    pool = jobs.pool()
    with pool.changed:
        assert pool.changed.wait_for(lambda: not pool.look(SESSION, key).is_active, PATIENCE)


def test_held_out_folds_of_a_larger_table_are_predicted_on_demand():
    settings = Settings(sample="iris", split="all", folds=5, evaluate=EvaluateSettings("held_out"))
    data = trees.parts(settings).train
    app = fine(evaluated(MATRIX, data="iris", split="all", folds="5", **{"e.rows": "held_out"}))
    assert frames(app, "true class") == []
    app = app.button("held_out.run").click().run()
    ended(evaluation.left_out_key(settings))
    app = fine(app.run())
    known = ex.cross_validate_path(data, trees.recipe(settings), folds=5)
    assert frames(app, "true class")[0].shape[0] == round((1 - known.mean[0]) * data.n_rows)
    app.session_state["evaluate.tab"] = SCORES
    app = fine(app.run())
    assert value_of(app, "Accuracy") == share(known.mean[0])
    assert f"cross-validated accuracy {known.mean[0]:.1%}".replace("%", " %") in summary(app)
    assert "training accuracy" not in summary(app), "no praise of what the tree has learnt by heart"


def test_training_rows_are_cross_validated_beside_validation_rows_too():
    query = {"data": "iris", "split": "two", "train": "60", "recipe": "CART", "min_rows_leaf": "1"}
    app = fine(evaluated(**query))
    assert list(app.radio("evaluated.rows").options) == ["Validation rows", "Leave-one-out", "Training rows"]
    app = fine(app.radio("evaluated.rows").set_value("held_out").run())
    train = trees.parts(url.settings_from_query({name: [text] for name, text in query.items()})[0]).train
    left_out = out_of_fold(train, ex.CART, 0, one_left_out(train)).evaluation
    assert value_of(app, "Accuracy") == share(left_out.scores["accuracy"].value)
    assert "the validation rows take no part" in texts(app.caption)


def test_the_learning_curve_is_drawn_on_demand():
    app = fine(evaluated(LEARNING, folds="5"))
    assert len(app.get("plotly_chart")) == 0
    app = app.button("learning.run").click().run()
    ended(learning_curve.key(Settings(folds=5)))
    app = fine(app.run())
    assert len(app.get("plotly_chart")) == 1


def test_columns_of_many_rows_are_shuffled_on_demand(monkeypatch):
    shuffled = "column is shuffled among the validation rows"
    assert shuffled in texts(fine(evaluated(IMPORTANCE, **TITANIC)).caption)
    monkeypatch.setattr(feature_importance, "QUICK", 100)
    app = fine(evaluated(IMPORTANCE, **TITANIC))
    assert "Impurity importance (MDI)" in texts(app.caption)
    assert "Permutation importance" not in texts(app.caption)
    app = app.button("shuffled.run").click().run()
    ended(feature_importance.key(Settings(sample="titanic", split="two")))
    app = fine(app.run())
    assert shuffled in texts(app.caption)


def test_the_dependence_on_a_feature_is_drawn_step_by_step(titanic):
    path, _, valid = titanic
    tree = path.subtree(alpha=0.003)
    app = fine(evaluated(IMPORTANCE, alpha="0.003", **TITANIC, **ID3))
    app = fine(app.selectbox("dependence.feature").set_value("sex").run())
    figure = json.loads(app.get("plotly_chart")[-1].proto.spec)
    found = ex.partial_dependence(tree, "sex", valid)
    assert figure["layout"]["xaxis"]["ticktext"] == list(found.values)
    assert figure["data"][0]["y"] == pytest.approx(found.means[:, 1].tolist())


def test_the_gains_of_the_leaves_are_listed_in_the_order_of_the_training_rows(titanic):
    path, _, valid = titanic
    app = fine(evaluated(LEAVES, alpha="0.003", **TITANIC, **ID3))
    (table,) = frames(app, "captured")
    gains = ex.gains(path.subtree(alpha=0.003), valid, code=1, by_training=True)
    assert table["leaf"].tolist() == gains["leaf"].map(str).tolist()
    assert table["captured"].tolist() == gains["cumulative share of responses"].map(percent).tolist()


def test_a_leaf_chosen_shows_its_rule_and_its_rows(titanic):
    path, _, valid = titanic
    tree = path.subtree(alpha=0.003)
    leaf = int(np.bincount(tree.apply(valid)).argmax())
    app = fine(evaluated(LEAVES, alpha="0.003", **TITANIC, **ID3))
    assert frames(app, "true class") == [], "no leaf is chosen to begin with"
    assert ringed(app) == set()
    app = fine(app.selectbox("leaf").set_value(leaf).run())
    assert app.query_params["node"] == str(leaf)
    leaf_rows = tree.rows_at(valid, leaf)
    assert frames(app, "true class")[0]["row"].tolist() == (valid.row_numbers[leaf_rows] + 1).tolist()
    assert f"{len(leaf_rows)} of the {valid.n_rows} validation rows end here" in texts(app.caption)
    assert ringed(app) == {leaf}
    app = fine(app.selectbox("leaf").set_value(-1).run())
    assert frames(app, "true class") == []
    assert ringed(app) == set()


def test_a_leaf_of_a_pruned_tree_opens_on_the_page_that_draws_the_pruned_tree(titanic):
    path, _, valid = titanic
    leaf = int(np.bincount(path.subtree(alpha=0.003).apply(valid)).argmax())
    query = {**TITANIC, **ID3, "node": str(leaf)}
    app = fine(evaluated(LEAVES, alpha="0.003", pruning="methods", **query))
    app = fine(app.button("open_pruned").click().run())
    assert list(views(app)) == ["prune"]
    assert f"{path.subtree(alpha=0.003).n_leaves} leaves" in summary(app)
    assert app.query_params["node"] == str(leaf)
    app = fine(evaluated(LEAVES, **query))  # an unpruned tree is that of the Grow page
    assert "open_pruned" not in [button.key for button in app.button]


def test_a_node_where_rows_stop_can_be_chosen_like_a_leaf():
    sample, frame = ex.SAMPLES["credit_g"], ex.load_sample("credit_g").frame
    data = ex.Dataset.from_frame(frame, sample.target, features=sample.features, kinds=sample.kinds)
    train, valid = data.split(0.7, seed=0)
    tree = ex.grow(train, ex.CART)
    stopping, ends, _ = tree.routes(valid)
    inner = [int(node) for node in np.unique(ends) if node and not tree.is_leaf[node]]
    assert inner, "some validation rows have categories that are absent at a node"
    app = fine(evaluated(LEAVES, data="credit_g", split="two", **{**ID3, "recipe": "CART"}, node=str(inner[0])))
    assert app.selectbox("leaf").value == inner[0]
    node_rows = stopping[ends == inner[0]]
    assert frames(app, "true class")[0]["row"].tolist() == (valid.row_numbers[node_rows] + 1).tolist()


def test_the_root_can_be_chosen_where_rows_stop_at_it():
    # twelve rows have a value of their own: those among the validation rows stop at the root
    rows = [("a", "p"), ("b", "q")] * 12 + [(f"rare{k}", "p") for k in range(12)]
    content = pd.DataFrame(rows, columns=["kind", "goal"]).to_csv(index=False).encode()
    app = uploaded(opened(), "kinds.csv", content)
    app.session_state["settings"] = changed(app.session_state["settings"], split="two", features=("kind",))
    app.session_state["evaluate.tab"] = LEAVES
    app = fine(app.switch_page("pages/evaluate/page.py").run())
    settings = app.session_state["settings"]
    assert (settings.node, app.selectbox("leaf").value) == (0, -1), "node 0 alone is no choice"
    app.session_state["settings"] = changed(settings, evaluate=EvaluateSettings(at_root=True))
    app = fine(app.run())
    assert app.selectbox("leaf").value == 0
    assert app.query_params["e.leaf"] == "root"
    assert "**Node 0**" in texts(app.markdown)
    app = fine(app.selectbox("leaf").set_value(-1).run())
    assert not app.session_state["settings"].evaluate.at_root
    assert "**Node 0**" not in texts(app.markdown)


def test_the_class_that_is_drawn_is_kept_in_the_address():
    app = fine(evaluated(CURVES, data="iris", split="two"))
    app = fine(app.selectbox("ranking.class").set_value(0).run())
    assert app.query_params["e.class"] == "0"
    assert "of these rows have class Iris-setosa" in texts(app.caption)


def test_numbers_are_scored_and_their_largest_errors_listed():
    sample, frame = ex.SAMPLES["auto_mpg"], ex.load_sample("auto_mpg").frame
    data = ex.Dataset.from_frame(frame, sample.target, features=sample.features, kinds=sample.kinds)
    train, valid = data.split(0.7, seed=0)
    tree = ex.grow(train, ex.CART)
    app = fine(evaluated(data="auto_mpg", split="two", recipe="CART"))
    result = ex.evaluate(tree, valid).scores
    assert value_of(app, "R²") == number(result["r2"].value, 3)
    assert value_of(app, "Mean absolute error (MAE)") == number(result["mae"].value, 3)
    app.session_state["evaluate.tab"] = ERRORS
    app = fine(app.run())
    errors = (frames(app, "error")[0]["true value"] - frames(app, "error")[0]["predicted"]).abs()
    assert errors.is_monotonic_decreasing
    assert errors.iloc[0] == pytest.approx(np.abs(valid.y - tree.predict(valid.frame)).max())


def test_what_errors_cost_is_shown_where_costs_are_given():
    costs = {"costs": '[["No",[["Yes",5.0]]]]'}
    app = evaluated(**costs, **{"e.rows": "train"})
    assert not app.exception
    assert value_of(app, "Expected cost") == "0", "the tree of play tennis is right about every training row"


def test_an_opened_test_set_is_reported_here_too():
    app = fine(evaluated(data="iris", split="three"))
    app = fine(app.button("open_test").click().run())
    assert "Test set used for a tree of" in texts(app.warning)


def test_address_and_settings_are_each_other_s_inverse():
    settings = Settings(evaluate=EvaluateSettings("train", (0, 2), 17, 1, at_root=True, threshold=4))
    assert url.settings_from_query(settings.to_query()) == (settings, [])


@pytest.mark.parametrize(
    "query",
    [{"e.cell": "a-b"}, {"e.leaf": "7"}, {"e.rows": "test"}, {"e.row": "-1"}, {"e.class": "x"}, {"e.threshold": "-1"}],
)
def test_a_bad_address_is_reported(query):
    settings, problems = url.settings_from_query({key: [text] for key, text in query.items()})
    assert settings == Settings()
    assert len(problems) == 1


def test_cells_rows_and_classes_that_the_table_has_not_are_cleared():
    unknown = {"e.cell": "7-9", "e.row": "99999", "e.class": "12", "e.threshold": "5000"}
    for tab in (SCORES, MATRIX, CURVES, LEAVES):
        fine(evaluated(tab, **TITANIC, **unknown))


def test_another_tree_clears_what_was_selected_among_its_predictions():
    settings = Settings(evaluate=EvaluateSettings("train", (0, 1), 3, 1, at_root=True, threshold=2))
    assert changed(settings, alpha=0.5).evaluate == EvaluateSettings("train", of_class=1)
    assert changed(settings, choices=ex.Choices().lock(())).evaluate == EvaluateSettings("train", of_class=1)
    assert changed(settings, target="y").evaluate == EvaluateSettings("train")
    assert changed(settings, node=3).evaluate == settings.evaluate


def test_names_like_code_and_thirty_classes_are_shown_as_text():
    rng = np.random.default_rng(4)
    names = [f"**b** <i>$x$ :smile: {k} {'long ' * 20}" for k in range(30)]
    frame = pd.DataFrame({f"=cmd()|<b>{j}": rng.integers(0, 4, 300) * 1.0 for j in range(6)})
    frame["true class"] = rng.integers(0, 3, 300)
    frame["row"] = rng.choice(names, 300)
    app = uploaded(opened(), "odd.csv", frame.to_csv(index=False).encode())
    app.session_state["evaluate.tab"] = MATRIX
    app = fine(app.switch_page("pages/evaluate/page.py").run())
    matrix = next(frame.value for frame in app.dataframe if "true ↓   predicted →" in frame.value)
    assert matrix.shape == (30, 31)
    assert "true class (feature)" in frames(app, "predicted")[0]
    for tab in (CURVES, LEAVES, IMPORTANCE):
        app.session_state["evaluate.tab"] = tab
        app = fine(app.run())
        figures = app.get("plotly_chart")
        assert figures
        assert all("<i>" not in figure.proto.spec for figure in figures)


@pytest.mark.parametrize("copies", [1, 9])
def test_validation_rows_that_repeat_training_rows_are_counted_beside_their_score(copies):
    draw = np.random.default_rng(3)
    rows = pd.DataFrame({"x": draw.normal(size=40).round(6), "z": draw.integers(0, 3, 40), "y": ["a", "b"] * 20})
    frame = pd.concat([rows] * copies)
    app = fine(uploaded(opened(), "copies.csv", frame.to_csv(index=False).encode()))
    train, valid = (part.frame for part in ex.Dataset.from_frame(frame, "y").split(0.7, seed=0))
    known = set(map(tuple, train.to_numpy().tolist()))
    repeated = sum(tuple(row) in known for row in valid.to_numpy().tolist())
    assert repeated >= (copies > 1) * len(valid) / 2
    sentence = f"{repeated:,} of {len(valid):,} validation rows equal a training row in all features"
    for page in ("Evaluate", "Prune"):
        assert (sentence in texts(fine(went(app, page)).caption)) == (copies > 1)


def test_one_click_keeps_one_of_each_repeated_row_on_data_and_beside_the_score():
    draw = np.random.default_rng(3)
    rows = pd.DataFrame({"x": draw.normal(size=40).round(6), "z": draw.integers(0, 3, 40), "y": ["a", "b"] * 20})
    content = pd.concat([rows] * 9).to_csv(index=False).encode()
    app = fine(uploaded(opened(), "copies.csv", content))
    assert "320 of 360 rows repeat an earlier row in every column. Were cases entered twice?" in texts(app.markdown)
    app = fine(app.button("repeated_rows.keep").click().run())
    assert "repeated_rows.keep" not in [button.key for button in app.button]
    assert "One of each repeated row kept" in texts(app.markdown), "it can be undone"
    assert "repair" in app.query_params
    app = fine(went(fine(uploaded(opened(), "copies.csv", content)), "Evaluate"))
    app = fine(app.button("repeated_rows.keep").click().run())
    assert "equal a training row" not in texts(app.caption)
    assert "40 training rows" in texts(app.markdown), "each once"
    numbered = pd.concat([rows] * 9).assign(id=[f"case {n}" for n in range(360)]).to_csv(index=False).encode()
    app = fine(uploaded(opened(), "cases.csv", numbered))
    assert "repeated_rows.keep" not in [button.key for button in app.button], "their ids tell them apart"
    assert "equal a training row" not in texts(fine(went(app, "Evaluate")).caption)


def test_only_rows_that_are_equal_in_columns_not_used_too_are_taken_out():
    draw = np.random.default_rng(3)
    rows = pd.DataFrame({"x": draw.integers(0, 4, 90), "z": draw.normal(size=90).round(0), "y": ["a", "b"] * 45})
    frame = rows.assign(case_id=np.append(np.arange(85), np.arange(5)))
    frame.iloc[85:] = frame.iloc[:5].to_numpy()
    expected = int(frame.duplicated().sum())
    assert expected == 5 < int(rows.duplicated().sum())
    app = fine(uploaded(opened(), "cases.csv", frame.to_csv(index=False).encode()))
    assert "5 of 90 rows repeat an earlier row in every column. Were cases entered twice?" in texts(app.markdown)
    app = fine(app.button("repeated_rows.keep").click().run())
    assert "85 rows × 4 columns" in texts(app.caption)
