"""The same trees as estimators of scikit-learn: for pipelines, cross-validation and searches over α.

>>> import explorer as ex
>>> from sklearn.model_selection import GridSearchCV, cross_val_score
>>> from sklearn.pipeline import make_pipeline
>>> iris = ex.load_sample("iris").frame
>>> X, y = iris.drop(columns="class"), iris["class"]
>>> pipeline = make_pipeline(ex.TreeClassifier("c45", min_rows_leaf=2))
>>> bool(cross_val_score(pipeline, X, y, cv=5).mean() > 0.9)
True
>>> alphas = ex.TreeClassifier().cost_complexity_pruning_path(X, y).ccp_alphas
>>> search = GridSearchCV(ex.TreeClassifier(), {"ccp_alpha": alphas}, cv=5).fit(X, y)
>>> sorted(search.best_params_), bool(search.best_score_ > 0.9)
(['ccp_alpha'], True)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin, clone
from sklearn.utils import Bunch
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_consistent_length, check_is_fitted, validate_data

from explorer.data.arrow_frame import as_pandas
from explorer.data.codes.feature import Feature
from explorer.data.dataset import Dataset
from explorer.data.encode import Kind
from explorer.errors import InputError
from explorer.evaluation.feature_importance import importance
from explorer.growing.grow import grow
from explorer.messages import listing, message, plural
from explorer.pruning.cost_complexity.base_path import checked_alpha
from explorer.pruning.cost_complexity.path import Path, cost_complexity_path
from explorer.recipe.recipe import C45, CART, ID3, Recipe
from explorer.tree.from_sklearn import feature_names
from explorer.tree.tree import Tree
from explorer.values import Value

ALGORITHMS = {"cart": CART, "c45": C45, "id3": ID3}
NOT_IN_A_RECIPE = ("algorithm", "ccp_alpha", "risk", "kinds")


class _TreeEstimator(BaseEstimator):
    """The methods and parameters that both estimators share; `TreeClassifier` describes the parameters."""

    tree_: Tree
    n_features_in_: int

    def __init__(
        self,
        algorithm: str | Recipe = "cart",
        *,
        ccp_alpha: float = 0.0,
        risk: str = "impurity",
        kinds: Mapping[str, Kind] | None = None,
        categorical: str | None = None,
        numeric: str | None = None,
        missing: str | None = None,
        unseen: str | None = None,
        max_depth: int | None = None,
        min_rows_split: float | None = None,
        min_rows_leaf: float | None = None,
        min_impurity_decrease: float | None = None,
    ) -> None:
        self.algorithm = algorithm
        self.ccp_alpha = ccp_alpha
        self.risk = risk
        self.kinds = kinds
        self.categorical = categorical
        self.numeric = numeric
        self.missing = missing
        self.unseen = unseen
        self.max_depth = max_depth
        self.min_rows_split = min_rows_split
        self.min_rows_leaf = min_rows_leaf
        self.min_impurity_decrease = min_impurity_decrease

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.target_tags.required = True
        return tags

    @property
    def recipe(self) -> Recipe:
        """The algorithm with every parameter changed that is not None; InputError for invalid values."""
        given = self.algorithm
        recipe = given if isinstance(given, Recipe) else ALGORITHMS.get(given)
        if recipe is None:
            listed = listing(map(repr, ALGORITHMS))
            raise InputError(
                message(
                    "There is no algorithm {algorithm!r}: choose one of {algorithms}, or give a Recipe.",
                    algorithm=given,
                    algorithms=listed,
                )
            )
        fields = {name: value for name, value in self.get_params(deep=False).items() if name not in NOT_IN_A_RECIPE}
        return recipe.replace(**{name: value for name, value in fields.items() if value is not None})

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """Impurity importance of every feature, [F], as in `explorer.importance`."""
        check_is_fitted(self)
        shares = importance(self.tree_)
        return np.array([shares.get(name, 0.0) for name in feature_names(self)])

    def get_depth(self) -> int:
        """Edges on the longest path of the tree."""
        check_is_fitted(self)
        return self.tree_.max_depth

    def get_n_leaves(self) -> int:
        """How many leaves the tree has."""
        check_is_fitted(self)
        return self.tree_.n_leaves

    def apply(self, X: Any) -> NDArray[np.int32]:
        """The id of the leaf that each row reaches, [n]; for fractional instances, the leaf with the largest weight."""
        check_is_fitted(self)
        return self.tree_.apply(self._frame(X))

    def cost_complexity_pruning_path(self, X: Any, y: Any, sample_weight: ArrayLike | None = None) -> Any:
        """`ccp_alphas` and `impurities` (the risks) of the subtree sequence of the tree grown on these rows."""
        grown = clone(self).set_params(ccp_alpha=0.0).fit(X, y, sample_weight)
        path = grown._path()
        return Bunch(ccp_alphas=path.alphas, impurities=path.risks)

    def _path(self) -> Path:
        return cost_complexity_path(self.tree_, self.risk)

    def _grow(self, data: Dataset) -> None:
        """Grow, and prune by `ccp_alpha`; at 0 the grown tree stays as it is, as in scikit-learn."""
        alpha = checked_alpha(self.ccp_alpha)
        self.tree_ = grow(data, self.recipe)
        if alpha > 0:
            self.tree_ = self._path().subtree(alpha)

    def _frame(self, X: Any, reset: bool = False) -> pd.DataFrame:
        """The rows as a frame with the column names of `fit`: a frame of any library, or an array of numbers."""
        X = as_pandas(X)
        if isinstance(X, pd.DataFrame):
            validate_data(self, X, reset=reset, skip_check_array=True)
            return X.set_axis(feature_names(self), axis=1)
        least = 2 if reset else 1
        numbers = validate_data(
            self, X, reset=reset, dtype=np.float64, ensure_all_finite="allow-nan", ensure_min_samples=least
        )
        return pd.DataFrame(numbers, columns=feature_names(self))

    def _dataset(
        self, frame: pd.DataFrame, y: NDArray[Any], sample_weight: ArrayLike | None, target: str, kind: Kind
    ) -> Dataset:
        """Rows and target as a data set; all columns are features, numeric ones by their type unless `kinds` says."""
        check_consistent_length(frame, y)
        weights = None if sample_weight is None else _check_sample_weight(sample_weight, frame, dtype=np.float64)
        names = list(frame.columns)
        while target in names:
            target += "_"
        unknown = [name for name in self.kinds or () if name not in names]
        if unknown:
            raise InputError(
                message(
                    "'kinds' names {name!r}, which is not a feature: the features are {features}.",
                    name=unknown[0],
                    features=listing(names[:8]),
                )
            )
        kinds: dict[str, Kind] = {n: kind_by_type(dtype) for n, dtype in zip(names, frame.dtypes, strict=True)}
        kinds |= {**(self.kinds or {}), target: kind}
        return Dataset.from_frame(frame.assign(**{target: y}), target, names, kinds, weights)


def kind_by_type(dtype: Any) -> str:
    """Whether a column of this type is taken as numeric or categorical.

    >>> kind_by_type(np.dtype(float)), kind_by_type(np.dtype(bool)), kind_by_type(np.dtype(object))
    ('numeric', 'categorical', 'categorical')
    """
    number = pd.api.types.is_numeric_dtype(dtype) and not pd.api.types.is_bool_dtype(dtype)
    return "numeric" if number or pd.api.types.is_datetime64_any_dtype(dtype) else "categorical"


def _name_of(y: Any) -> str:
    """The name of the target, or "target" where it has none."""
    return str(getattr(y, "name", None) or "target")


class TreeClassifier(ClassifierMixin, _TreeEstimator):
    """A classification tree as a scikit-learn estimator.

    `algorithm` is "cart", "c45", "id3" or any `Recipe`. `ccp_alpha` > 0 prunes by cost complexity under `risk`. `kinds`
    says which columns are "numeric" or "categorical" (or lists categories in order) where their type does not; those of
    an array are numeric. Columns without names of text are called x0, x1, …. Rows may also be a Polars or Arrow table.
    The other parameters are fields of `Recipe`; None leaves a field as the algorithm has it. NaN is a missing cell.
    After fitting: `tree_` (an `explorer.Tree`), `classes_`, `n_features_in_`, `feature_names_in_` (if there were
    names), `feature_importances_`.

    >>> tree = TreeClassifier("id3", numeric="threshold").fit([[40], [48], [60], [72], [80], [90]], list("NNYYYN"))
    >>> tree.tree_.node(0).condition.text, tree.predict([[50], [70]]).tolist()
    ('x0 ≤ 54', ['N', 'Y'])
    """

    classes_: NDArray[Any]

    def __init__(
        self,
        algorithm: str | Recipe = "cart",
        *,
        ccp_alpha: float = 0.0,
        risk: str = "impurity",
        kinds: Mapping[str, Kind] | None = None,
        impurity: str | None = None,
        categorical: str | None = None,
        numeric: str | None = None,
        missing: str | None = None,
        unseen: str | None = None,
        max_depth: int | None = None,
        min_rows_split: float | None = None,
        min_rows_leaf: float | None = None,
        min_impurity_decrease: float | None = None,
        class_weights: Mapping[Value, float] | None = None,
        costs: Mapping[Value, Mapping[Value, float]] | None = None,
    ) -> None:
        super().__init__(
            algorithm,
            ccp_alpha=ccp_alpha,
            risk=risk,
            kinds=kinds,
            categorical=categorical,
            numeric=numeric,
            missing=missing,
            unseen=unseen,
            max_depth=max_depth,
            min_rows_split=min_rows_split,
            min_rows_leaf=min_rows_leaf,
            min_impurity_decrease=min_impurity_decrease,
        )
        self.impurity = impurity
        self.class_weights = class_weights
        self.costs = costs

    def fit(self, X: Any, y: Any, sample_weight: ArrayLike | None = None) -> TreeClassifier:
        """Grow the tree, and prune it where `ccp_alpha` says so; InputError (a ValueError) for unusable rows."""
        name, y = _name_of(y), validate_data(self, y=y)
        check_classification_targets(y)
        frame = self._frame(X, reset=True)
        self.classes_, codes = np.unique(y, return_inverse=True)
        if self.classes_.size < 2:
            raise InputError(
                plural(
                    self.classes_.size,
                    "The target has {n} class only: give rows of two classes or more.",
                    "The target has {n} classes: give rows of two classes or more.",
                )
            )
        data = self._dataset(frame, codes, sample_weight, name, list(range(self.classes_.size)))
        named = Feature(data.target.name, "categorical", categories=tuple(self.classes_.tolist()))
        self._grow(replace(data, target=named))
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """The predicted class of each row, [n]."""
        check_is_fitted(self)
        return self.classes_[self.tree_.predict_encoded(self._frame(X))]

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Predicted probabilities of the classes in the order of `classes_`, [n, K]."""
        check_is_fitted(self)
        return self.tree_.predict_proba(self._frame(X))


class TreeRegressor(RegressorMixin, _TreeEstimator):
    """A regression tree as a scikit-learn estimator; parameters as in `TreeClassifier`.

    >>> tree = TreeRegressor(max_depth=1).fit([[1], [2], [3], [4]], [0.0, 2.0, 7.0, 9.0])
    >>> tree.predict([[0], [9]]).tolist()
    [1.0, 8.0]
    """

    def fit(self, X: Any, y: Any, sample_weight: ArrayLike | None = None) -> TreeRegressor:
        """Grow the tree, and prune it where `ccp_alpha` says so; InputError (a ValueError) for unusable rows."""
        name, y = _name_of(y), validate_data(self, y=y, y_numeric=True)
        self._grow(self._dataset(self._frame(X, reset=True), y.astype(np.float64), sample_weight, name, "numeric"))
        return self

    def predict(self, X: Any) -> NDArray[np.float64]:
        """The predicted mean of each row, [n]."""
        check_is_fitted(self)
        return self.tree_.predict(self._frame(X))
