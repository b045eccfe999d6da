"""Trees as estimators of scikit-learn predict what the tree predicts, or are refused for the true reason."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

import explorer as ex
from tests.oracles.golden_walk import dataset_of


def numeric_table(seed, kind):
    """Numbers that 32 bits hold, a column with gaps that go one way, and a target."""
    draw = np.random.default_rng(seed)
    frame = pd.DataFrame(draw.integers(-20, 20, (120, 3)) / 4, columns=["a", "b", "c"])
    score = frame["a"] - frame["b"] * frame["c"] + draw.normal(size=120)
    frame["y"] = pd.cut(score, 3, labels=["low", "mid", "high"]).astype(str) if kind == "classes" else score
    return frame


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("kind", ["classes", "numbers"])
@pytest.mark.parametrize("gaps", [0.0, 0.2])
def test_predictions_are_the_tree_s(seed, kind, gaps):
    frame = numeric_table(seed, kind)
    frame.loc[np.random.default_rng(seed).random(120) < gaps, "b"] = np.nan
    missing = "default_direction" if gaps else "surrogate"
    tree = ex.grow(ex.Dataset.from_frame(frame, "y"), ex.CART.replace(missing=missing, max_depth=5))
    pruned = tree.with_pruned(tree.depth == 3)
    rows = frame.drop(columns="y")
    for each in (tree, pruned):
        fitted = ex.to_sklearn(each)
        assert fitted.get_n_leaves() == each.n_leaves
        assert fitted.get_depth() == each.max_depth
        assert fitted.predict(rows).tolist() == each.predict(rows).tolist()
        if kind == "classes":
            order = [each.classes.index(name) for name in fitted.classes_]
            assert fitted.predict_proba(rows) == pytest.approx(each.predict_proba(rows)[:, order], abs=1e-12)


def test_it_works_in_a_pipeline_and_can_be_cloned():
    frame = numeric_table(1, "classes")
    fitted = ex.to_sklearn(ex.grow(ex.Dataset.from_frame(frame, "y"), ex.CART))
    rows = frame.drop(columns="y")
    assert make_pipeline(FunctionTransformer(), fitted).predict(rows).tolist() == fitted.predict(rows).tolist()
    assert fitted.feature_importances_.sum() == pytest.approx(1.0)
    assert clone(fitted).fit(rows, frame["y"]).get_depth() > 1


def test_a_single_leaf():
    frame = pd.DataFrame({"x": [1.0, 2.0], "y": ["a", "b"]})
    fitted = ex.to_sklearn(ex.grow(ex.Dataset.from_frame(frame, "y"), ex.CART.replace(max_depth=0)))
    assert fitted.predict(frame[["x"]]).tolist() == ["a", "a"]


TENNIS = dataset_of("play_tennis")
NUMBERS = ex.Dataset.from_frame(numeric_table(2, "classes"), "y")


@pytest.mark.parametrize(
    ("tree", "words"),
    [
        (lambda: ex.grow(TENNIS, ex.CART), "it tests categories of 'Outlook'"),
        (lambda: ex.grow(NUMBERS, ex.CART.replace(costs={"low": {"mid": 5}})), "costs"),
        (lambda: ex.grow(NUMBERS, ex.CART).with_smoothing("laplace"), "smoothed"),
    ],
)
def test_what_scikit_learn_cannot_mean_is_refused(tree, words):
    with pytest.raises(ex.InputError, match=f"cannot be an estimator of scikit-learn: .*{words}"):
        ex.to_sklearn(tree())
