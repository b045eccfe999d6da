"""An ensemble: trees in order, each with its vote, and how their answers add up stage by stage (section 16)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from explorer.data.dataset import Dataset
from explorer.ensembles.base_ensemble import BaseEnsemble, Floats, Member
from explorer.ensembles.combination import COMBINATIONS
from explorer.ensembles.out_of_bag import (
    OutOfBag,
    OutOfBagImportance,
    Strength,
    has_out_of_bag,
    out_of_bag,
    permutation_importance,
    proximity,
    strength,
)
from explorer.ensembles.saved import ensemble_to_dict, fields_from_dict
from explorer.ensembles.scores import margins, staged_scores, targets_for
from explorer.foreign.record import ReadEnsemble
from explorer.recipe.recipe import Recipe
from explorer.recipe.remarks import Remark


class Ensemble(BaseEnsemble):
    """Members in order with their scores, and the ways to read and save them: see `BaseEnsemble` for the fields."""

    def staged_scores(self, rows: Dataset, metric: str | None = None) -> Floats:
        """The score at stages 0 … `n_stages`: accuracy, or the mean squared error, unless another is named.

        "accuracy", "error", "log_loss" (nats) and "expected_cost" for classes; "mse" and "absolute_error" for numbers.
        """
        return staged_scores(self, rows, metric)

    def margin(self, rows: Dataset, stage: int | None = None) -> Floats:
        """The share of the right class less the largest share of a wrong one for every row, [n], from −1 to 1."""
        codes = np.asarray(targets_for(self, rows).values, dtype=np.intp)
        return margins(self.predict_proba(rows, stage), codes)

    @property
    def has_oob(self) -> bool:
        """Whether there are out-of-bag scores: members of a forest, or of bagging, left training rows out."""
        return has_out_of_bag(self)

    def oob_scores(self, metric: str | None = None) -> OutOfBag:
        """Every row answered by the members that did not draw it (forest, bagging); InputError for other methods."""
        return out_of_bag(self, metric)

    def permutation_importance(
        self, seed: int = 0, progress: Callable[[int, int], None] | None = None
    ) -> dict[str, OutOfBagImportance]:
        """The importance of every feature by permuting it among each member's out-of-bag rows (Breiman 2001)."""
        return permutation_importance(self, seed, progress)

    def strength(self) -> Strength:
        """Strength and correlation of a forest of classes (Breiman 2001)."""
        return strength(self)

    def proximity(self, rows: Dataset, oob: bool = False) -> Floats:
        """The share of members in which two rows share a leaf, [n, n]; with `oob` of those that drew neither."""
        return proximity(self, rows, oob)

    def to_dict(self, with_rows: bool = True) -> dict[str, Any]:
        """Plain lists and values that JSON can hold, without the training set; `from_dict` reads them back.

        Without rows, what each member saw of the training set (its weights and targets) is left out too.
        """
        return ensemble_to_dict(self, with_rows)

    @classmethod
    def from_dict(cls, content: dict[str, Any]) -> Ensemble:
        """The ensemble that `to_dict` wrote; InputError for anything else."""
        fields, members = fields_from_dict(content)
        return cls(**fields, members=tuple(Member(**member) for member in members))

    @classmethod
    def from_sklearn(cls, fitted: Any, target: str = "target") -> Ensemble:
        """The same ensemble as a fitted forest, gradient boosting or AdaBoost of scikit-learn: the same predictions.

        `target` names what it predicts. Raises InputError for any other estimator, or one that is not fitted.

        >>> import pandas as pd
        >>> from sklearn.ensemble import RandomForestRegressor
        >>> fitted = RandomForestRegressor(n_estimators=5, random_state=0).fit([[1.0], [2.0], [4.0]], [1.0, 2.0, 9.0])
        >>> read = Ensemble.from_sklearn(fitted)
        >>> ours, peers = read.predict(pd.DataFrame({"x0": [4.0]}))[0], fitted.predict([[4.0]])[0]
        >>> read.method, round(float(ours - peers), 12)
        ('forest', 0.0)
        """
        from explorer.foreign.scikit_learn import ensemble_from_sklearn

        return ensemble_from_read(ensemble_from_sklearn(fitted, target))

    @classmethod
    def from_sklearn_json(cls, text: str | bytes | dict[str, Any], target: str = "target") -> Ensemble:
        """The same from the JSON text that `sklearn_ensemble_snippet()` writes, or its values, from anybody."""
        from explorer.foreign.scikit_learn_json import ensemble_from_sklearn_json

        return ensemble_from_read(ensemble_from_sklearn_json(text, target))

    @classmethod
    def from_xgboost_json(
        cls,
        text: str | bytes | Sequence[str] | Mapping[str, Any],
        target: str = "target",
        objective: str | None = None,
        base_score: float | Sequence[float] | None = None,
        n_classes: int | None = None,
        num_parallel_tree: int | None = None,
        best_only: bool = False,
    ) -> Ensemble:
        """The same ensemble as a model of XGBoost that `save_model("model.json")` wrote; XGBoost is not needed.

        A dump (`get_dump(dump_format="json")`, or its list) holds no base score, objective, number of classes and
        `num_parallel_tree`: give them. Nor does it hold the weights of the trees after dropout (DART, `rate_drop`).
        Features are numeric. Classes are numbered from 0. With `best_only`, an ensemble whose training was stopped
        early ends with its best round, as `XGBRegressor.predict` does; without, `ended` names that round. The text may
        come from anybody: the result is an ensemble with the library's predictions, but for its rounding to 32 bits,
        or an InputError.

        >>> import pandas as pd
        >>> Ensemble.from_xgboost_json('[{"nodeid": 0, "leaf": 1.5}]', base_score=0.5).predict(pd.DataFrame([{}]))
        array([2.])
        """
        from explorer.foreign.xgboost_json import ensemble_from_xgboost

        read = ensemble_from_xgboost(text, target, objective, base_score, n_classes, num_parallel_tree)
        return ensemble_from_read(read).with_best_rounds() if best_only else ensemble_from_read(read)


def ensemble_from_read(read: ReadEnsemble) -> Ensemble:
    """The ensemble that a reader has found."""
    combination = COMBINATIONS[read.combination]
    return Ensemble(
        method=read.method,
        members=tuple(Member(m.tree, m.stage, m.vote, of_class=m.of_class, facts=m.facts) for m in read.members),
        n_stages=read.members[-1].stage,
        start=read.start,
        constant=combination.link(read.start[None])[0] if read.constant is None else read.constant,
        combination=combination,
        recipe=read.members[0].tree.recipe,
        options={},
        target=read.target,
        classes=read.classes,
        features=read.features,
        ended=read.ended,
        origin=read.origin,
        version=read.version,
    )


def ensemble_of(
    data: Dataset,
    recipe: Recipe,
    method: str,
    combination: str,
    members: tuple[Member, ...],
    n_stages: int,
    options: Mapping[str, object],
    start: Floats | None = None,
    ended: Remark | None = None,
) -> Ensemble:
    """The ensemble of these members on this data; `start` None is 0 for every class (or for the number)."""
    constant = constant_of(data)
    return Ensemble(
        method=method,
        members=members,
        n_stages=n_stages,
        start=np.zeros_like(constant) if start is None else start,
        constant=constant,
        combination=COMBINATIONS[combination],
        recipe=recipe,
        options=options,
        target=data.target.name,
        classes=data.classes,
        features=members[0].tree.features if members else (),
        ended=ended,
        train=data,
    )


def constant_of(data: Dataset) -> Floats:
    """The mean of a numeric target, [1], or the share of every class, [K]."""
    weights = data.weight_of_rows()
    if data.is_regression:
        return np.array([np.average(data.y, weights=weights)])
    counts = np.bincount(data.y, weights=weights, minlength=len(data.classes))
    return np.asarray(counts / counts.sum())
