"""All scores of an ensemble on some rows, and what a shuffled column costs, against scikit-learn and plain loops."""

import numpy as np
import pytest
from sklearn import metrics
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

import explorer as ex
from explorer.ensembles.scores import evaluation_of, shares_of_splits, shuffled_importance

IRIS = ex.load_sample("iris").frame
X, Y = IRIS.drop(columns="class"), IRIS["class"]
TRAIN, VALID = np.arange(0, 150, 2), np.arange(1, 150, 2)


@pytest.fixture(scope="module")
def forest():
    return RandomForestClassifier(7, max_depth=2, random_state=0).fit(X.iloc[TRAIN], Y.iloc[TRAIN])


def rows(part):
    return ex.Dataset.from_frame(IRIS.iloc[part], "class")


def test_the_scores_are_those_of_scikit_learn(forest):
    found, predictions = evaluation_of(ex.Ensemble.from_sklearn(forest, "class"), rows(VALID), rows(TRAIN))
    truth, predicted, shares = Y.iloc[VALID], forest.predict(X.iloc[VALID]), forest.predict_proba(X.iloc[VALID])
    assert found.scores["accuracy"].value == pytest.approx(metrics.accuracy_score(truth, predicted))
    assert found.scores["log_loss"].value == pytest.approx(metrics.log_loss(truth, shares))
    assert found.confusion.tolist() == metrics.confusion_matrix(truth, predicted, labels=found.labels).tolist()
    recall = metrics.recall_score(truth, predicted, labels=found.labels, average=None)
    assert [score.recall for score in found.classes] == pytest.approx(recall)
    most = Y.iloc[TRAIN].value_counts()
    baseline = max((truth == name).mean() for name in most.index[most == most.max()])
    assert found.scores["accuracy"].baseline == pytest.approx(baseline)
    assert len(predictions.worst) == (truth != predicted).sum()


def test_the_scores_of_numbers_are_those_of_scikit_learn():
    frame = X.rename(columns={X.columns[0]: "number"})
    features, numbers = frame.drop(columns="number"), frame["number"]
    fitted = RandomForestRegressor(5, max_depth=2, random_state=0).fit(features.iloc[TRAIN], numbers.iloc[TRAIN])
    train, valid = (ex.Dataset.from_frame(frame.iloc[part], "number") for part in (TRAIN, VALID))
    found, _ = evaluation_of(ex.Ensemble.from_sklearn(fitted, "number"), valid, train)
    truth, predicted = numbers.iloc[VALID], fitted.predict(features.iloc[VALID])
    assert found.scores["mae"].value == pytest.approx(metrics.mean_absolute_error(truth, predicted))
    assert found.scores["r2"].value == pytest.approx(metrics.r2_score(truth, predicted))
    assert found.scores["mse"].baseline == pytest.approx(((truth - numbers.iloc[TRAIN].mean()) ** 2).mean())


def test_a_shuffled_column_of_one_tree_costs_what_it_costs_the_tree():
    fitted = RandomForestClassifier(1, max_depth=2, random_state=0).fit(X, Y)
    made = ex.Ensemble.from_sklearn(fitted, "class")
    tree, data = made.members[0].tree, rows(np.arange(150))
    expected = ex.permutation_importance(tree, data, 3)
    found = shuffled_importance(made, data, 3)
    assert list(found) == list(expected)
    for name, loss in expected.items():
        assert found[name].losses == pytest.approx(loss.losses)


def test_a_shuffled_column_of_a_forest_costs_what_scikit_learn_predicts_of_it(forest):
    made, data = ex.Ensemble.from_sklearn(forest, "class"), rows(VALID)
    found, generator = shuffled_importance(made, data, 2, seed=3), np.random.default_rng(3)
    frame, truth = X.iloc[VALID], Y.iloc[VALID].to_numpy()
    base = (forest.predict(frame) != truth).mean()
    for position in made.tested_features():
        name = made.features[position].name
        for loss in found[name].losses:
            order = generator.permutation(len(frame))
            shuffled = frame.assign(**{name: frame[name].to_numpy()[order]})
            assert loss == pytest.approx((forest.predict(shuffled) != truth).mean() - base)


def test_the_shares_of_splits_count_every_split(forest):
    found = shares_of_splits(ex.Ensemble.from_sklearn(forest, "class"))
    split_on = np.concatenate([tree.tree_.feature[tree.tree_.feature >= 0] for tree in forest.estimators_])
    assert found == {name: pytest.approx((split_on == at).mean()) for at, name in enumerate(X.columns)}
