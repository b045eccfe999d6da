"""All pruning methods side by side."""

import numpy as np
import pytest

import explorer as ex


def test_every_method_with_its_size_and_scores():
    train, valid = ex.Dataset.from_frame(ex.load_sample("credit_g").frame, "class").split(0.7)
    tree = ex.grow(train, ex.C45)
    rows = {row.name: row for row in ex.prune_methods(tree, train, valid)}
    assert list(rows) == [
        "unpruned",
        "cost-complexity, best α",
        "reduced error, best first",
        "reduced error, bottom-up",
        "reduced error, only if better",
        "pessimistic",
        "pessimistic, raising",
        "description length",
    ]
    for row in rows.values():
        assert row.n_leaves == row.tree.n_leaves <= tree.n_leaves
        for part, score in ((train, row.training_score), (valid, row.validation_score)):
            assert score == pytest.approx(np.mean(row.tree.predict(part) == part.frame["class"].to_numpy()))
    assert rows["reduced error, bottom-up"].validation_score == max(row.validation_score for row in rows.values())
    assert rows["pessimistic, raising"].tree.origin is not None


def test_numbers_have_mean_squared_errors_and_fewer_methods():
    train, valid = ex.Dataset.from_frame(ex.load_sample("auto_mpg").frame, "mpg").split(0.7)
    rows = ex.prune_methods(ex.grow(train, ex.CART), train, valid)
    assert [row.name.split(",")[0] for row in rows] == ["unpruned", "cost-complexity"] + 3 * ["reduced error"]
    for row in rows:
        for part, score in ((train, row.training_score), (valid, row.validation_score)):
            assert score == pytest.approx(np.mean((row.tree.predict(part) - part.y) ** 2))
    assert rows[3].validation_score == min(row.validation_score for row in rows)
