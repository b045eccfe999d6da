"""The score of ensembles on held-out rows: of one whole tree it is that of the tree, and weights count as rows."""

import numpy as np
import pandas as pd
import pytest

import explorer as ex
from explorer.ensembles.left_out import cross_validated_score
from explorer.evaluation.out_of_fold import out_of_fold


def one_tree(data):
    return ex.bagging(data, ex.CART, n_estimators=1, bootstrap=False)


@pytest.mark.parametrize(("sample", "score"), [("iris", "accuracy"), ("auto_mpg", "mse")])
def test_an_ensemble_of_one_whole_tree_scores_as_the_tree(sample, score):
    table, known = ex.load_sample(sample), ex.SAMPLES[sample]
    data = ex.Dataset.from_frame(table.frame, known.target, known.features, dict(known.kinds))
    folds = np.arange(data.n_rows) % 7
    single = out_of_fold(data, ex.CART, folds=folds).evaluation.scores[score].value
    assert cross_validated_score(data, one_tree, folds) == pytest.approx(single, rel=1e-12)


def test_a_row_of_weight_two_counts_twice():
    draw = np.random.default_rng(3)
    frame = pd.DataFrame({"x": draw.integers(0, 9, 40), "y": draw.choice(["a", "b"], 40)})
    twice, folds = draw.integers(1, 3, 40), np.arange(40) % 4
    weighted = ex.Dataset.from_frame(frame, "y", ["x"], {"x": "numeric"}, weights=twice)
    repeated = ex.Dataset.from_frame(frame.loc[np.repeat(np.arange(40), twice)], "y", ["x"], {"x": "numeric"})
    scores = [cross_validated_score(weighted, one_tree, folds)]
    scores.append(cross_validated_score(repeated, one_tree, np.repeat(folds, twice)))
    assert scores[0] == pytest.approx(scores[1], rel=1e-12)
