"""Pruned trees evaluated by another score than accuracy: the page shows what the package works out."""

import json

import numpy as np
import pytest

import explorer as ex
from explorer.evaluation.evaluation import score_by
from pages.results import cross_validation, jobs, pruning, trees
from pages.settings import url
from pages.settings.page_settings import GrowSettings
from pages.settings.settings import Settings
from tests.pages.app import fine, opened, texts, wait_for_folds, went

TITANIC = {"data": "titanic", "split": "two", "recipe": "ID3", "min_rows_leaf": "1"}
"""Grown fully by ID3, whatever a large table begins with."""
COSTS = ((0, ((1, 1.0),)), (1, ((0, 5.0),)))


def by_the_package(metric, recipe=ex.ID3):
    """The sequence of the page's tree, its validation rows, and the curve, by three lines of the package."""
    sample = ex.SAMPLES["titanic"]
    whole = ex.Dataset.from_frame(
        ex.load_sample("titanic").frame, sample.target, features=sample.features, kinds=sample.kinds
    )
    train, valid = whole.split(0.7, seed=0)
    path = ex.cost_complexity_path(ex.grow(train, recipe))
    return path, valid, path.curve(valid, metric)


def settings_of(**query):
    settings, problems = url.settings_from_query({key: [text] for key, text in query.items()})
    assert problems == []
    return settings


def reasons(**query):
    """The Prune page with its last tab open, which says in words why the tree has its size."""
    app = opened(**query)
    app.session_state["prune.tab"] = "Why this size"
    return went(app, "Prune")


def code(app):
    return " ".join(element.value for element in app.code)


@pytest.mark.parametrize(("metric", "called"), [("auc", "169 leaves, AUC "), ("log_loss", "169 leaves, log loss ")])
def test_the_best_tree_is_that_of_the_score_chosen(metric, called):
    path, _, curve = by_the_package(metric)
    best = int(curve.argmax() if metric == "auc" else (-curve).argmax())
    best = int(np.flatnonzero(np.isclose(curve, curve[best], rtol=1e-12, atol=0))[-1])
    leaves = int(path.n_leaves[best])
    app = fine(reasons(metric=metric, **TITANIC))
    assert called in code(app)
    assert f"the best of the sequence has {leaves} leaves and {curve[best]:.4g}" in code(app)
    result = trees.curves(settings_of(metric=metric, **TITANIC))
    assert result.valid == pytest.approx(curve, rel=1e-12)
    assert result.best == best


def test_the_control_changes_the_score_and_the_address():
    app = fine(reasons(**TITANIC))
    assert "leaves, accuracy " in code(app)
    app = fine(app.selectbox("metric").set_value("auc").run())
    assert "leaves, AUC " in code(app)
    assert app.query_params["metric"] == "auc"
    app = fine(went(went(app, "Data"), "Prune"))
    assert app.selectbox("metric").value == "auc"


def test_expected_cost_is_offered_where_errors_have_costs():
    app = fine(reasons(**TITANIC))
    assert "Expected cost" not in app.selectbox("metric").options
    text = fine(reasons(metric="expected_cost", **TITANIC))
    assert "The tree has no misclassification costs" in texts(text.caption)
    assert "leaves, accuracy " in code(text)
    recipe = ex.ID3.replace(costs={0: {1: 1.0}, 1: {0: 5.0}})
    path, _, curve = by_the_package("expected_cost", recipe)
    for query in ({"metric": "expected_cost"}, {}):  # Breiman et al., section 4.4: costs are what a tree is chosen by
        app = fine(reasons(**query, costs=json.dumps(COSTS), **TITANIC))
        assert app.selectbox("metric").value == "expected_cost"
        assert f"{path.n_leaves[0]} leaves, expected cost {curve[0]:.4g} on" in code(app)
    app = fine(app.selectbox("metric").set_value("accuracy").run())
    assert "leaves, accuracy " in code(app)


def test_numbers_have_one_score_and_no_control():
    app = fine(reasons(data="auto_mpg", metric="auc"))
    assert "metric" not in [box.key for box in app.selectbox]
    assert "leaves, mean squared error " in code(app)


def test_auc_cannot_be_had_by_leaving_out_one_row():
    app = fine(reasons(metric="auc"))
    assert "leave-one-out has no AUC" in texts(app.caption)
    assert "No rows are held out to evaluate it." in texts(app.markdown)


def test_methods_are_scored_by_the_same_score():
    settings = settings_of(metric="log_loss", **TITANIC)
    path, valid, curve = by_the_package("log_loss")
    cut = pruning.result(settings, "cost_complexity")
    assert cut.validation == pytest.approx(curve.min(), rel=1e-9)
    pruned = ex.pessimistic_prune(path.tree)
    assert pruning.result(settings, "pessimistic").validation == score_by(pruned, valid, "log_loss").value
    app = fine(opened("Prune", metric="log_loss", pruning="methods", **TITANIC))
    assert "Metric: log loss." in texts(app.caption)


def test_cross_validation_goes_by_the_same_score():
    settings = Settings(
        sample="titanic", split="two", metric="auc", folds=5, grow=GrowSettings("CART", (("max_depth", 3),))
    )
    app = opened("Prune", metric="auc", folds="5", data="titanic", split="two", recipe="CART", max_depth="3")
    fine(fine(app).button("cross_validate").click().run())
    wait_for_folds(settings)
    result = jobs.pool().look("test session id", cross_validation.folds_key(settings)).result
    train = trees.parts(settings).train
    plain = ex.cross_validate_path(train, ex.CART.replace(max_depth=3), folds=5, metric="auc")
    assert result.metric == "auc"
    assert result.mean == pytest.approx(plain.mean)


def test_a_tree_pruned_by_hand_has_the_same_score():
    path, valid, _ = by_the_package("auc")
    node = path.tree.children_of(0)[0]
    pruned = ex.prune_by_hand(path.tree, [("collapse", node)])
    app = fine(reasons(metric="auc", hand=f"-{node}", **TITANIC))
    assert f"leaves, AUC {score_by(pruned, valid, 'auc').value:.4g}" in code(app)


def test_one_class_has_no_auc():
    tennis = ex.Dataset.from_frame(ex.load_sample("play_tennis").frame, "PlayTennis")
    tree = ex.grow(tennis, ex.ID3)
    with pytest.raises(ex.InputError, match="all rows have one class"):
        score_by(tree, tennis.take([2, 3]), "auc")
