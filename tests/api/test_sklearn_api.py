"""The estimators by scikit-learn's own checks, and as what they are: the package's trees."""

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import make_column_transformer
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from sklearn.utils.estimator_checks import check_estimator, estimator_checks_generator

import explorer as ex
from explorer.data.samples import load_sample
from tests.oracles.examples import slow
from tests.oracles.sklearn_walk import table_of

CHECKED = {
    "cart": ex.TreeClassifier(),
    "c45": ex.TreeClassifier("c45"),
    "id3": ex.TreeClassifier("id3"),
    "own branch, pruned": ex.TreeClassifier(ex.CART.replace(missing="own_branch"), ccp_alpha=0.01, risk="error"),
    "numbers": ex.TreeRegressor(),
    "numbers, pruned": ex.TreeRegressor(ccp_alpha=0.01),
}
PEERS = [(ex.TreeClassifier(), DecisionTreeClassifier()), (ex.TreeRegressor(), DecisionTreeRegressor())]
NOT_OFFERED = {
    "check_class_weight_classifiers": "the parameter is called class_weights",
    "check_classifier_multioutput": "one target",
    "check_regressor_multioutput": "one target",
    "check_sample_weight_equivalence_on_sparse_data": "no sparse matrices",
}


@pytest.fixture
def _arrays_of_any_library(monkeypatch):
    """One check is skipped without this variable."""
    monkeypatch.setenv("SCIPY_ARRAY_API", "1")


@pytest.mark.usefixtures("_arrays_of_any_library")
@pytest.mark.parametrize("case", [name if name in ("cart", "numbers") else slow(name) for name in CHECKED])
def test_scikit_learns_checks_pass(case):
    found = check_estimator(CHECKED[case], on_fail=None)
    assert [(one["check_name"], one["status"], one["exception"]) for one in found if one["status"] != "passed"] == []
    assert not any(one["expected_to_fail"] for one in found)
    print(f"{case}: {len(found)} checks of scikit-learn passed")
    assert len(found) >= 58


@pytest.mark.parametrize(("ours", "theirs"), PEERS, ids=["classes", "numbers"])
def test_no_tag_keeps_a_check_away_that_scikit_learns_own_tree_has(ours, theirs):
    own, peers = (
        {getattr(check, "func", check).__name__ for _, check in estimator_checks_generator(one)}
        for one in (ours, theirs)
    )
    missing = {name for name in peers - own if "multilabel" not in name}
    assert missing <= set(NOT_OFFERED)


class _OfNumbers:
    """Without the tag of categories, for which the checks round all numbers."""

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = False
        return tags


class ClassifierOfNumbers(_OfNumbers, ex.TreeClassifier):
    pass


class RegressorOfNumbers(_OfNumbers, ex.TreeRegressor):
    pass


@pytest.mark.usefixtures("_arrays_of_any_library")
@pytest.mark.parametrize("estimator", [ClassifierOfNumbers(), RegressorOfNumbers()], ids=["classes", "numbers"])
def test_the_checks_pass_on_numbers_that_are_not_rounded(estimator):
    found = check_estimator(estimator, on_fail=None)
    assert [(one["check_name"], one["exception"]) for one in found if one["status"] != "passed"] == []


def sample(name, target):
    frame = load_sample(name).frame
    return frame.drop(columns=target), frame[target]


@pytest.mark.parametrize(("algorithm", "recipe"), [("cart", ex.CART), ("c45", ex.C45), ("id3", ex.ID3)])
@pytest.mark.parametrize(("name", "target"), [("play_tennis", "PlayTennis"), ("iris", "class"), ("vote", "party")])
def test_it_grows_the_tree_of_the_recipe(algorithm, recipe, name, target):
    X, y = sample(name, target)
    found = ex.TreeClassifier(algorithm).fit(X, y)
    data = ex.Dataset.from_frame(load_sample(name).frame, target, list(X.columns), classes=sorted(set(y)))
    tree = ex.grow(data, recipe)
    assert ex.to_text(found.tree_) == ex.to_text(tree)
    assert found.tree_.target == target
    assert list(found.predict(X)) == list(tree.predict(data))
    np.testing.assert_array_equal(found.predict_proba(X), tree.predict_proba(data))
    assert found.feature_importances_ == pytest.approx(list(ex.importance(tree).values()))
    assert (found.get_n_leaves(), found.get_depth()) == (tree.n_leaves, tree.max_depth)
    assert found.apply(X).tolist() == tree.apply(data).tolist()
    assert list(found.feature_names_in_) == list(X.columns)


def test_parameters_are_fields_of_the_recipe():
    estimator = ex.TreeClassifier("c45", max_depth=2, min_rows_leaf=3, missing="most_common", costs={"a": {"b": 2}})
    assert estimator.recipe == ex.C45.replace(
        max_depth=2, min_rows_leaf=3, missing="most_common", costs={"a": {"b": 2}}
    )
    assert ex.TreeRegressor(ex.CART.replace(min_score=0.5), max_depth=1).recipe == ex.CART.replace(
        min_score=0.5, max_depth=1
    )


def test_alpha_prunes_as_scikit_learn_does():
    table = table_of("generated/1000/two")
    theirs = DecisionTreeClassifier(random_state=0, min_samples_leaf=25, min_samples_split=100)
    ours = ex.TreeClassifier(min_rows_leaf=25, min_rows_split=100)
    path, peers = (one.cost_complexity_pruning_path(table.X, table.y) for one in (ours, theirs))
    assert path.ccp_alphas == pytest.approx(peers.ccp_alphas)
    assert path.impurities == pytest.approx(peers.impurities)
    for alpha in [0.0, *np.sqrt(peers.ccp_alphas[:-1] * peers.ccp_alphas[1:])]:
        ours.set_params(ccp_alpha=alpha).fit(table.X, table.y)
        theirs.set_params(ccp_alpha=alpha).fit(table.X, table.y)
        assert ours.get_n_leaves() == theirs.get_n_leaves()
        assert list(ours.predict(table.X)) == list(theirs.predict(table.X))
        assert ours.feature_importances_ == pytest.approx(theirs.feature_importances_)


def test_the_path_leaves_the_estimator_as_it_was():
    X, y = sample("iris", "class")
    estimator = ex.TreeClassifier(ccp_alpha=0.02)
    assert estimator.cost_complexity_pruning_path(X, y).ccp_alphas[0] == 0
    assert estimator.ccp_alpha == 0.02
    assert not hasattr(estimator, "tree_")


def test_weights_of_rows_count():
    X, y = np.array([[0.0], [0.0], [1.0]]), ["a", "b", "b"]
    assert ex.TreeClassifier().fit(X, y, [3, 1, 1]).predict_proba([[0.0]]).tolist() == [[0.75, 0.25]]
    assert ex.TreeRegressor().fit(X, [0.0, 4.0, 9.0], [3, 1, 1]).predict([[0.0]]).tolist() == [1.0]


def test_a_class_whose_rows_weigh_nothing_keeps_its_place():
    found = ex.TreeClassifier().fit([[0.0], [1.0], [2.0]], ["a", "b", "c"], [1, 0, 1])
    assert found.classes_.tolist() == ["a", "b", "c"]
    assert found.predict_proba([[0.0], [2.0]]).tolist() == [[1, 0, 0], [0, 0, 1]]


def test_odd_class_names_stay_what_they_are():
    # "?" and "NA" stand for missing cells in files, but here they are classes like any other
    y = np.array(["?", "NA", " x "])
    found = ex.TreeClassifier().fit([[0.0], [1.0], [2.0]], y)
    assert found.predict([[0.0], [1.0], [2.0]]).tolist() == ["?", "NA", " x "]
    assert found.tree_.classes == (" x ", "?", "NA")
    costs = {" x ": {"?": 9.0}}
    assert ex.TreeClassifier(costs=costs).fit([[0.0], [0.0], [2.0]], ["?", " x ", "NA"]).predict([[0.0]]) == [" x "]


def test_kinds_say_what_types_do_not():
    X = np.array([[1.0], [2.0], [3.0], [4.0]])
    found = ex.TreeClassifier("c45", kinds={"x0": "categorical"}).fit(X, ["a", "b", "a", "b"])
    assert found.tree_.node(0).condition.kind == "each_value"
    frame = pd.DataFrame({"size": ["10", "9", "10", "9"], "flag": [True, False, True, True]})
    by_type = ex.TreeClassifier().fit(frame, ["a", "b", "a", "b"])
    assert by_type.tree_.node(0).condition.branches == (("10",), ("9",)), "text is a category, digits or not"
    named = ex.TreeClassifier(kinds={"size": "numeric"}).fit(frame, ["a", "b", "a", "b"])
    assert named.tree_.node(0).condition.threshold == 9.5


def test_missing_cells_and_unknown_categories_are_predicted():
    frame = pd.DataFrame({"x": [1.0, None, 3.0, 4.0], "k": ["p", "p", None, "q"]})
    found = ex.TreeClassifier("c45").fit(frame, [0, 0, 1, 1])
    assert found.predict(pd.DataFrame({"x": [None, 2.0], "k": [None, "new"]})).dtype.kind == "i"


def test_columns_without_names_of_text_are_numbered():
    frame = pd.DataFrame(np.arange(8.0).reshape(4, 2), columns=[7, 8])
    found = ex.TreeClassifier().fit(frame, list("aabb"))
    assert not hasattr(found, "feature_names_in_")
    assert found.tree_.node(0).condition.text == "x0 ≤ 3"
    assert found.predict(frame.to_numpy()).tolist() == list("aabb")


def test_a_feature_may_have_the_name_of_the_target():
    frame = pd.DataFrame({"target": [0.0, 1.0], "target_": [5.0, 5.0]})
    assert ex.TreeClassifier().fit(frame, ["a", "b"]).tree_.target == "target__"


def test_it_works_in_pipelines_searches_and_cross_validation():
    X, y = sample("penguins", "species")
    numbers = X.select_dtypes("number").columns
    pipeline = make_pipeline(
        make_column_transformer(
            (StandardScaler(), numbers), remainder="passthrough", verbose_feature_names_out=False
        ).set_output(transform="pandas"),
        ex.TreeClassifier(),
    )
    alphas = ex.TreeClassifier().cost_complexity_pruning_path(X, y).ccp_alphas
    search = GridSearchCV(pipeline, {"treeclassifier__ccp_alpha": alphas, "treeclassifier__algorithm": ["cart", "c45"]})
    search.fit(X, y)
    assert search.best_score_ > 0.9
    assert search.best_estimator_[-1].tree_.n_leaves > 2
    assert cross_val_score(ex.TreeClassifier("id3"), X, y).mean() > 0.8


def test_cross_validation_is_that_of_the_package():
    X, y = sample("auto_mpg", "mpg")
    data = ex.Dataset.from_frame(load_sample("auto_mpg").frame, "mpg", list(X.columns))
    folds = np.arange(data.n_rows) % 5
    splits = [(np.flatnonzero(folds != k), np.flatnonzero(folds == k)) for k in range(5)]
    kinds = {feature.name: feature.kind for feature in data.features}
    predictions = cross_val_predict(ex.TreeRegressor(kinds=kinds), X, y, cv=splits)
    expected = ex.cross_validate_path(data, ex.CART, folds).mean[0]
    assert np.mean((predictions - y) ** 2) == pytest.approx(expected)


def test_numbers_are_those_of_scikit_learn():
    rng = np.random.default_rng(0)
    X = np.round(rng.normal(size=(200, 3)) * 2**10) / 2**10
    y = X[:, 0] + rng.normal(size=200)
    ours = ex.TreeRegressor(min_rows_leaf=10).fit(X, y)
    theirs = DecisionTreeRegressor(min_samples_leaf=10, random_state=0).fit(X, y)
    assert ours.predict(X) == pytest.approx(theirs.predict(X))
    assert ours.score(X, y) == pytest.approx(theirs.score(X, y))


@pytest.mark.parametrize(
    ("estimator", "y", "fact"),
    [
        (ex.TreeClassifier("c5"), "ab", "no algorithm 'c5': choose one of 'cart', 'c45', 'id3', or give a Recipe"),
        (
            ex.TreeClassifier(kinds={"x9": "numeric"}),
            "ab",
            "'kinds' names 'x9', which is not a feature",
        ),
        (ex.TreeClassifier(), "aa", "The target has 1 class only"),
        (ex.TreeClassifier(ccp_alpha=-1.0), "ab", "cannot be -1.0"),
        (ex.TreeClassifier(risk="none", ccp_alpha=1.0), "ab", "no risk called 'none'"),
        (ex.TreeRegressor("id3"), [0.0, 1.0], "uses impurity 'entropy', which needs classes"),
    ],
)
def test_what_means_nothing_is_refused(estimator, y, fact):
    with pytest.raises(ex.InputError, match=fact):
        estimator.fit([[0.0], [1.0]], list(y))
