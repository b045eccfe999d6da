"""Polars and Arrow tables are taken wherever a pandas frame is, with the same result."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import explorer as ex
from explorer.data.arrow_frame import as_pandas
from explorer.explaining.predict_table import predict_table
from tests.oracles import bridge

GOLF = ex.load_sample("golf").frame
TARGET = "class"
DATA = ex.Dataset.from_frame(GOLF, TARGET)
CONVERSIONS: dict[str, Callable[[pd.DataFrame], Any]] = {
    "polars": pl.from_pandas,
    "polars categories": lambda frame: pl.from_pandas(frame).with_columns(pl.col(pl.String).cast(pl.Categorical)),
    "arrow": lambda frame: pa.Table.from_pandas(frame, preserve_index=False),
}
converted = pytest.mark.parametrize("convert", CONVERSIONS.values(), ids=CONVERSIONS)


@converted
@pytest.mark.parametrize("recipe", [ex.ID3, ex.C45, ex.CART], ids=lambda recipe: recipe.name)
def test_rows_of_another_library_are_explained_and_predicted_alike(convert, recipe):
    tree, foreign = ex.grow(DATA, recipe), convert(GOLF)
    assert list(tree.predict(foreign)) == list(tree.predict(GOLF))
    assert list(ex.rules(tree).predict(foreign)) == list(ex.rules(tree).predict(GOLF))
    for position in range(len(GOLF)):
        assert ex.row_path(tree, foreign, position) == ex.row_path(tree, GOLF, position)
    assert ex.flips(tree, DATA, convert(GOLF.iloc[[2]])) == ex.flips(tree, DATA, GOLF.iloc[[2]])
    ours, theirs = predict_table(tree, DATA, GOLF), predict_table(tree, DATA, foreign)
    for name in ours.added:
        assert theirs.frame[name].tolist() == ours.frame[name].tolist()
    assert (theirs.score, [note.text for note in theirs.notes]) == (ours.score, [note.text for note in ours.notes])


def test_a_column_of_categories_without_rows_is_an_empty_column():
    empty = pl.DataFrame({"word": pl.Series([], dtype=pl.Categorical), "x": pl.Series([], dtype=pl.Float64)})
    assert as_pandas(empty).shape == as_pandas(empty.to_arrow()).shape == (0, 2)


@converted
def test_a_row_that_is_not_there_is_named_for_every_library(convert):
    with pytest.raises(ex.InputError, match=f"0 to {len(GOLF) - 1}"):
        ex.row_path(ex.grow(DATA, ex.CART), convert(GOLF), len(GOLF))


@converted
@pytest.mark.parametrize("algorithm", ["id3", "c45", "cart"])
def test_the_classifier_takes_them_in_fit_and_predict(convert, algorithm):
    X, y = GOLF.drop(columns=TARGET), GOLF[TARGET]
    ours = ex.TreeClassifier(algorithm).fit(X, y)
    target = convert(GOLF[[TARGET]])[TARGET]
    theirs = ex.TreeClassifier(algorithm).fit(convert(X), np.asarray(target))
    assert list(theirs.feature_names_in_) == list(X.columns)
    bridge.assert_same_tree(theirs.tree_, ours.tree_)
    for rows in (X, convert(X)):
        assert list(theirs.predict(rows)) == list(ours.predict(X))
        assert theirs.predict_proba(rows) == pytest.approx(ours.predict_proba(X))
        assert list(theirs.apply(rows)) == list(ours.apply(X))


def test_the_target_and_the_weights_may_be_a_series_of_polars():
    X, y = pl.from_pandas(GOLF.drop(columns=TARGET)), pl.from_pandas(GOLF)[TARGET]
    weights = pl.Series(np.arange(1.0, len(GOLF) + 1))
    theirs = ex.TreeClassifier("cart").fit(X, y, weights)
    ours = ex.TreeClassifier("cart").fit(X.to_pandas(), y.to_pandas(), weights.to_numpy())
    assert theirs.tree_.target == ours.tree_.target == TARGET
    assert theirs.tree_.weight == pytest.approx(ours.tree_.weight)


@converted
def test_the_regressor_takes_them(convert):
    rng = np.random.default_rng(3)
    X = pd.DataFrame({"x": rng.integers(0, 9, 60) / 2, "w": rng.choice(["u", "v"], 60)})
    y = X["x"] + (X["w"] == "u")
    ours, theirs = ex.TreeRegressor().fit(X, y), ex.TreeRegressor().fit(convert(X), y)
    assert list(theirs.predict(convert(X))) == list(ours.predict(X))


@converted
def test_columns_in_another_order_are_refused_as_in_pandas(convert):
    X, y = GOLF.drop(columns=TARGET), GOLF[TARGET]
    tree = ex.TreeClassifier().fit(convert(X), y)
    for other in (X.iloc[:, ::-1], convert(X.iloc[:, ::-1])):
        with pytest.raises(ValueError, match="same order"):
            tree.predict(other)
