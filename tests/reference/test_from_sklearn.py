"""Trees taken over from scikit-learn: the same prediction for every row, and the same critical α."""

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from sklearn import datasets
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor, ExtraTreeRegressor

import explorer as ex
from explorer.drawing.tree_view.payload import Scores, sequence_payload, signature, tree_payload
from explorer.tree.from_sklearn import thresholds_before_rounding
from tests.oracles.sklearn_walk import merged

TABLES = {
    "iris": datasets.load_iris(return_X_y=True),
    "wine": datasets.load_wine(return_X_y=True),
    "digits": datasets.load_digits(return_X_y=True),
    "breast_cancer": datasets.load_breast_cancer(return_X_y=True),
    "diabetes": datasets.load_diabetes(return_X_y=True),
}


def framed(X):
    return pd.DataFrame(X, columns=[f"x{i}" for i in range(X.shape[1])])


def fitted_on(name, **options):
    X, y = TABLES[name]
    kind = DecisionTreeRegressor if name == "diabetes" else DecisionTreeClassifier
    return kind(random_state=0, **options).fit(X, y), X, y


def around(X, theirs):
    """The rows, and copies of each with every feature moved to a threshold of the tree or just beside it."""
    rng, rows = np.random.default_rng(1), [X]
    inner = np.flatnonzero(theirs.tree_.children_left >= 0)
    for node in inner[:60]:
        copy = X[rng.integers(len(X), size=40)].copy()
        cut = theirs.tree_.threshold[node]
        low, high = sorted(np.float64([np.float32(cut), np.nextafter(np.float32(cut), np.float32(np.inf))]))
        near = [cut, low, high, low / 2 + high / 2, *np.nextafter([cut, low / 2 + high / 2], np.inf),
                *np.nextafter([cut, low / 2 + high / 2], -np.inf)]  # fmt: skip
        copy[:, theirs.tree_.feature[node]] = rng.choice(near, size=len(copy))
        rows.append(copy)
    return np.concatenate(rows)


def assert_same_answers(tree, theirs, X):
    frame = framed(X)
    if tree.is_regression:
        np.testing.assert_array_equal(tree.predict(frame), theirs.predict(X))
        return
    assert list(tree.predict(frame)) == list(theirs.predict(X))
    np.testing.assert_allclose(tree.predict_proba(frame), theirs.predict_proba(X), rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("options", [{}, {"max_depth": 4}, {"min_samples_leaf": 7, "ccp_alpha": 0.003}], ids=str)
@pytest.mark.parametrize("name", TABLES)
def test_every_row_gets_the_same_prediction_even_beside_a_threshold(name, options):
    theirs, X, _ = fitted_on(name, **options)
    tree = ex.Tree.from_sklearn(theirs)
    assert (tree.n_leaves, tree.max_depth) == (theirs.get_n_leaves(), theirs.get_depth())
    assert_same_answers(tree, theirs, around(X, theirs))


def test_rounding_to_32_bits_decides_at_the_half_way():
    # between 1 and its upper neighbour 1 + 2⁻²³ a number is rounded down up to the half, 1 being even ...
    up = float(np.nextafter(np.float32(1.0), np.float32(2.0)))
    assert thresholds_before_rounding(np.array([1.0])) == [1.0 + 2.0**-24]
    # ... and from the odd neighbour on only below the half
    assert thresholds_before_rounding(np.array([up])) == [np.nextafter(up + 2.0**-24, 0.0)]
    # a threshold between the two sends left what is rounded to 1
    assert thresholds_before_rounding(np.array([1.0 + 2.0**-25])) == [1.0 + 2.0**-24]
    assert thresholds_before_rounding(np.array([-up]))[0] > -up


@pytest.mark.parametrize("name", TABLES)
def test_rows_without_a_value_go_where_scikit_learn_sends_them(name):
    rng = np.random.default_rng(0)
    X, y = TABLES[name]
    with_gaps = np.where(rng.random(X.shape) < 0.2, np.nan, X)
    kind = DecisionTreeRegressor if name == "diabetes" else DecisionTreeClassifier
    for training in (with_gaps, X):
        theirs = kind(min_samples_leaf=3, random_state=0).fit(training, y)
        assert_same_answers(ex.Tree.from_sklearn(theirs), theirs, with_gaps)


def test_a_split_of_the_missing_from_the_known():
    theirs = DecisionTreeClassifier().fit([[1.0], [1.0], [np.nan], [np.nan]], ["a", "a", "b", "b"])
    tree = ex.Tree.from_sklearn(theirs)
    assert list(tree.predict(pd.DataFrame({"x0": [-1e300, 1e300, np.nan]}))) == ["a", "a", "b"]
    assert ex.Tree.from_dict(tree.to_dict()).n_leaves == 2


def test_an_infinite_threshold_is_worded_as_a_test_for_missing_cells():
    fitted = DecisionTreeClassifier(random_state=0).fit([[1.0], [2.0], [3.0], [np.nan], [np.nan]], [0, 0, 0, 1, 1])
    assert np.isinf(fitted.tree_.threshold[0])
    tree = ex.Tree.from_sklearn(fitted)
    assert [rule.words for rule in ex.rules(tree)] == ["x0 is known", "x0 is missing"]
    assert ex.to_text(tree).split("\n")[1].strip().startswith("x0 is known: 0")


def test_the_value_of_an_imported_leaf_is_not_called_a_mean():
    fitted = DecisionTreeRegressor(max_depth=1).fit([[1.0], [2.0], [5.0]], [0.0, 1.0, 7.0])
    sentence = ex.row_path(ex.Tree.from_sklearn(fitted), pd.DataFrame({"x0": [1.0]}), 0).sentence
    assert sentence.endswith("This is the node’s value in its model, which need not be the mean of its training rows.")


@pytest.mark.parametrize("options", [{}, {"min_samples_leaf": 5}, {"criterion": "entropy"}], ids=str)
@pytest.mark.parametrize("name", ["iris", "wine", "breast_cancer", "diabetes"])
def test_the_path_has_scikit_learns_alphas_and_subtrees(name, options):
    if name == "diabetes" and "criterion" in options:
        options = {"min_samples_leaf": 3}
    theirs, X, y = fitted_on(name, **options)
    path = ex.cost_complexity_path(ex.Tree.from_sklearn(theirs))
    peers = theirs.cost_complexity_pruning_path(X, y)
    alphas, impurities = merged(peers.ccp_alphas, peers.impurities)
    np.testing.assert_allclose(path.alphas, alphas, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(path.risks, impurities, rtol=1e-9, atol=1e-12)
    for position in np.unique(np.linspace(1, len(path) - 2, 8).astype(int)):
        low, high = list(pairwise(path.alphas))[position]
        refit = fitted_on(name, **options, ccp_alpha=np.sqrt(low * high))[0]
        assert path.n_leaves[position] == refit.get_n_leaves()
        assert_same_answers(path.subtree(position=int(position)), refit, X)


def test_names_classes_and_weights_are_kept():
    frame = pd.DataFrame({"width": [1.0, 2.0, 3.0, 4.0], "a <b>": [0.0, 0.0, 1.0, 1.0]})
    goal = ["no", "yes", "no", "no"]
    theirs = DecisionTreeClassifier(class_weight={"yes": 3}, random_state=0).fit(frame, goal, [1, 1, 2, 1])
    tree = ex.Tree.from_sklearn(theirs, target="bought")
    assert ([usage.name for usage in tree.features], tree.classes) == (["width", "a <b>"], ("no", "yes"))
    assert tree.node(0).stats.tolist() == [4.0, 3.0], "one yes of weight 3, noes of weight 1 + 2 + 1"
    assert list(tree.predict(frame)) == goal
    assert tree.target == "bought"


def test_leaves_say_why_they_stopped_where_their_numbers_show_it():
    tree = ex.Tree.from_sklearn(fitted_on("iris", max_depth=2)[0])
    reasons = {tree.node(int(leaf)).stop_reason for leaf in tree.leaves()}
    assert reasons == {"pure: all rows agree", "maximum depth reached"}


@pytest.mark.parametrize("name", ["iris", "diabetes"])
def test_it_is_a_tree_like_any_other(name):
    tree = ex.Tree.from_sklearn(fitted_on(name, max_depth=5)[0])
    path = ex.cost_complexity_path(tree)
    again = ex.Tree.from_dict(tree.to_dict())
    assert ex.to_text(again) == ex.to_text(tree)
    assert ex.to_dot(again) == ex.to_dot(tree)
    assert ex.to_svg(tree).startswith("<svg")
    sent = tree_payload(tree)
    scores = Scores(train=np.zeros(len(path)), baseline=0.0)
    assert signature(sequence_payload(path, scores, signature(sent))) != signature(sent)
    assert ex.prune_at_alpha(tree, float(path.alphas[3])).n_leaves == path.n_leaves[3]


def test_extra_trees_serve_too():
    X, y = TABLES["diabetes"]
    theirs = ExtraTreeRegressor(random_state=0, max_depth=6).fit(X, y)
    assert_same_answers(ex.Tree.from_sklearn(theirs), theirs, around(X, theirs))


X2, Y2 = [[0.0], [1.0], [2.0]], [0.0, 1.0, 4.0]
REFUSED = {
    "is not fitted: call its fit": DecisionTreeClassifier(),
    "RandomForestClassifier is not a decision tree": RandomForestClassifier(n_estimators=2).fit(X2, [0, 1, 1]),
    "predicts 2 targets at once: fit one tree": DecisionTreeRegressor().fit(X2, np.column_stack([Y2, Y2])),
    "uses criterion 'absolute_error', which cannot be imported": DecisionTreeRegressor(criterion="absolute_error").fit(
        X2, Y2
    ),
}


@pytest.mark.parametrize("fact", REFUSED)
def test_what_is_no_such_tree_is_refused(fact):
    with pytest.raises(ex.InputError, match=fact):
        ex.Tree.from_sklearn(REFUSED[fact])
