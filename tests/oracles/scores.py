"""Scores by their textbook definitions, from predictions alone."""

import numpy as np
from sklearn.metrics import roc_auc_score

import explorer as ex


def textbook_score(tree, valid: ex.Dataset, metric: str) -> float:
    """The textbook score of one tree's predictions."""
    weights, truth = valid.weight_of_rows(), valid.frame["goal"]
    if metric == "mse":
        return float(np.average((tree.predict(valid.frame) - truth) ** 2, weights=weights))
    if metric in ("accuracy", "error"):
        right = float(np.average(tree.predict(valid.frame) == truth, weights=weights))
        return right if metric == "accuracy" else 1 - right
    shares = tree.predict_proba(valid.frame)
    if metric == "log_loss":
        own = shares[np.arange(len(truth)), [tree.classes.index(name) for name in truth]]
        return float(np.average(-np.log(np.clip(own, 1e-15, 1 - 1e-15)), weights=weights))
    present = [k for k, name in enumerate(tree.classes) if 0 < (truth == name).sum() < len(truth)]
    return float(np.mean([
        roc_auc_score(truth == tree.classes[k], shares[:, k], sample_weight=weights) for k in present
    ]))  # fmt: skip
