"""Cross-validation by hand on small folds, and against a plain loop that grows, prunes and predicts fold by fold."""

import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

import explorer as ex
from explorer.data.samples import load_sample
from explorer.evaluation.folds import folds_of
from explorer.evaluation.out_of_fold import out_of_fold
from explorer.pruning import RISKS
from tests.oracles.examples import examples
from tests.oracles.recipes import FOUR_RECIPES
from tests.oracles.tables import noisy_table


@pytest.fixture
def tennis():
    return ex.Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")


def lihang():
    return ex.Dataset.from_frame(load_sample("lihang_8_2_regression").frame, "y")


def left_out(data, recipe, **options):
    return ex.cross_validate_path(data, recipe, np.arange(data.n_rows), **options)


def of_classes(*sizes):
    """A table with so many rows of class a, b, c and so on."""
    goal = np.repeat(list("abcde")[: len(sizes)], sizes)
    return ex.Dataset.from_frame(pd.DataFrame({"x": np.arange(goal.size, dtype=float), "y": goal}), "y", ["x"])


class TestFolds:
    def test_every_fold_has_the_shares_of_the_classes(self):
        data = of_classes(60, 30)
        folds = folds_of(data, 10, seed=3)
        assert [np.bincount(data.y[folds == k]).tolist() for k in range(10)] == [[6, 3]] * 10

    def test_a_seed_means_the_same_folds(self):
        data = of_classes(60, 30)
        assert (folds_of(data, 5, seed=1) == folds_of(data, 5, seed=1)).all()
        assert (folds_of(data, 5, seed=1) != folds_of(data, 5, seed=2)).any()

    def test_numbers_are_assigned_to_folds_evenly_and_at_random(self):
        folds = folds_of(lihang(), 3, seed=0)
        assert sorted(np.bincount(folds)) == [3, 3, 4]
        assert list(folds) != sorted(folds)

    @pytest.mark.parametrize("sizes", [(40, 3), (9, 5), (2, 2, 2, 2, 2)])
    def test_rare_classes_warn_nobody_and_fill_every_fold(self, sizes):
        data = of_classes(*sizes)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            folds = folds_of(data, 10, seed=0)
        counts = np.array([np.bincount(data.y[folds == k], minlength=len(sizes)) for k in range(10)])
        assert (counts.sum(axis=1) >= 1).all()
        assert (np.ptp(counts, axis=0) <= 1).all(), "no class crowds into a fold"

    @pytest.mark.parametrize("folds", [1, 0, -3, 15, 2.5, True, "10"])
    def test_odd_numbers_of_folds_are_refused(self, tennis, folds):
        with pytest.raises(ex.InputError, match=r"number of folds is .* 14 rows: give a whole number from 2 to 14"):
            ex.cross_validate_path(tennis, ex.CART, folds)

    @pytest.mark.parametrize("seed", [-1, 2**32, 0.5, None])
    def test_odd_seeds_are_refused(self, tennis, seed):
        with pytest.raises(ex.InputError, match=r"The seed is .*: give a whole number from 0"):
            folds_of(tennis, 2, seed)

    @pytest.mark.parametrize(
        ("folds", "fact"),
        [
            (np.zeros(14, dtype=int), "All rows are in one fold"),
            (np.arange(13), "13 values of type int64 for 14 rows"),
            (np.linspace(0, 1, 14), "float64"),
        ],
    )
    def test_odd_folds_by_row_are_refused(self, tennis, folds, fact):
        with pytest.raises(ex.InputError, match=fact):
            ex.cross_validate_path(tennis, ex.CART, folds)


def four_rows(targets, weights=None):
    frame = pd.DataFrame({"x": [0, 0, 1, 1], "y": targets}, dtype=float)
    return ex.Dataset.from_frame(frame, "y", weights=weights)


def test_two_folds_by_hand():
    # held out are rows 0 and 2 (targets 0, 10), then rows 1 and 3 (targets 6, 10)
    # two leaves: grown on rows 1 and 3 they say 6, 10: losses 36, 0; grown on rows 0 and 2 0, 10: losses 36, 0
    # one leaf:   it says 8: losses 64, 4; it says 5: losses 1, 25
    found = ex.cross_validate_path(four_rows([0, 6, 10, 10]), ex.CART, np.array([7, 2, 7, 2]))
    assert list(found.n_leaves) == [2, 1]
    assert found.alphas == pytest.approx([0, 67 / 4 - 9 / 2])
    assert found.mean == pytest.approx([18, 23.5])
    assert found.standard_error == pytest.approx([18 / 2, np.std([64, 4, 1, 25]) / 2])
    assert (found.best, found.one_se) == (0, 1), "23.5 ≤ 18 + 9"
    assert (found.metric, found.n_folds, found.fold_of_row.tolist()) == ("mse", 2, [7, 2, 7, 2])


def test_a_best_tree_without_doubt_keeps_its_size():
    # all four losses of two leaves are 2² = 4, so there is no spread; one leaf loses 49, 9, 9, 49
    found = ex.cross_validate_path(four_rows([0, 2, 10, 12]), ex.CART, np.array([0, 1, 0, 1]))
    assert found.mean == pytest.approx([4, 29])
    assert found.standard_error == pytest.approx([0, 20 / 2], abs=1e-7)
    assert (found.best, found.one_se) == (0, 0)


def test_a_weight_counts_like_repeated_rows():
    single = four_rows([0, 6, 10, 10], weights=[1.0, 2.0, 3.0, 1.0])
    rows = [0, 1, 1, 2, 2, 2, 3]
    many = four_rows([0, 6, 10, 10]).take(rows)
    folds = np.array([0, 1, 0, 1])
    one, other = (ex.cross_validate_path(data, ex.CART, f) for data, f in ((single, folds), (many, folds[rows])))
    assert one.mean == pytest.approx(other.mean)
    assert one.standard_error == pytest.approx(other.standard_error)


def test_a_class_that_a_fold_never_met_counts_as_wrong():
    # values 0 to 6, classes a a a b b b c: row 3 lies on the threshold between 2 and 4 and falls to a; 6 is the only c
    data = of_classes(3, 3, 1)
    assert left_out(data, ex.CART).mean[0] == pytest.approx(5 / 7)
    assert left_out(data, ex.CART, metric="log_loss").mean[0] == pytest.approx(-2 * np.log(1e-15) / 7)


def rows_lost(tree, out, metric):
    """The score of each row by plain prediction."""
    truth = out.frame["goal"].to_numpy()
    if metric == "mse":
        return (tree.predict(out.frame) - truth) ** 2
    if metric == "log_loss":
        shares = tree.predict_proba(out.frame)[np.arange(truth.size), [tree.classes.index(name) for name in truth]]
        return -np.log(np.clip(shares, 1e-15, 1 - 1e-15))
    right = tree.predict(out.frame) == truth
    return right if metric == "accuracy" else ~right


def area(tree, out):
    """AUC by scikit-learn, the mean over the classes."""
    shares, truth, weights = tree.predict_proba(out.frame), out.frame["goal"].to_numpy(), out.weight_of_rows()
    present = [k for k, name in enumerate(tree.classes) if 0 < (truth == name).sum() < truth.size]
    areas = [roc_auc_score(truth == tree.classes[k], shares[:, k], sample_weight=weights) for k in present]
    return np.mean(areas)


def pruned_for(path, own, k, risk):
    """The tree of a fold that stands for entry k of the path of all rows."""
    if k == 0:
        return own
    last = k == len(path) - 1
    price = np.inf if last else np.sqrt(path.alphas[k] * path.alphas[k + 1])
    if risk == "unnormalised":
        price *= own.weight[0] / path.tree.weight[0]
    # with losses per node the sequence is not what pruning at a fixed α gives
    return (
        ex.cost_complexity_path(own, risk).subtree(price) if risk == "per_node" else ex.prune_at_alpha(own, price, risk)
    )


def plain_loop(data, recipe, folds, risk, metric):
    """Mean and standard error of every entry, by growing, pruning and predicting."""
    path = ex.cost_complexity_path(ex.grow(data, recipe), risk)
    by_rows, areas = np.zeros((len(path), data.n_rows)), np.zeros((len(path), len(set(folds))))
    for place, fold in enumerate(sorted(set(folds))):
        own, out = ex.grow(data.take(folds != fold), recipe), data.take(folds == fold)
        for k in range(len(path)):
            tree = pruned_for(path, own, k, risk)
            if metric == "auc":
                areas[k, place] = area(tree, out)
            else:
                by_rows[k, folds == fold] = rows_lost(tree, out, metric)
    if metric == "auc":
        return areas.mean(axis=1), areas.std(axis=1) / np.sqrt(areas.shape[1])
    weights = data.weight_of_rows()
    mean = np.average(by_rows, axis=1, weights=weights)
    variance = np.average((by_rows - mean[:, None]) ** 2, axis=1, weights=weights)
    return mean, np.sqrt(variance / weights.sum())


def agree(data, recipe, folds, risk, metric):
    found = ex.cross_validate_path(data, recipe, folds, risk=risk, metric=metric)
    mean, error = plain_loop(data, recipe, folds, risk, metric)
    assert found.mean == pytest.approx(mean, rel=1e-10, abs=1e-12)
    assert found.standard_error == pytest.approx(error, rel=1e-6, abs=1e-7)
    losses = -mean if metric in ("accuracy", "auc") else mean
    assert losses[found.best] == pytest.approx(losses.min(), abs=1e-12)
    within = losses <= losses[found.best] + error[found.best] + 1e-9
    assert found.n_leaves[found.one_se] <= found.n_leaves[found.best]
    assert found.n_leaves[found.one_se] >= found.n_leaves[within].min()


@pytest.mark.parametrize("metric", ["accuracy", "error", "log_loss", "auc"])
@examples(12)
@given(
    seed=st.integers(0, 9_999), recipe=st.sampled_from(FOUR_RECIPES), risk=st.sampled_from(RISKS), k=st.integers(2, 6)
)
def test_classes_by_a_plain_loop(metric, seed, recipe, risk, k):
    data = noisy_table(seed, rows=60)
    agree(data, recipe, folds_of(data, k, seed), risk, metric)


@examples(25)
@given(seed=st.integers(0, 9_999), risk=st.sampled_from(["impurity", "unnormalised", "per_node"]), k=st.integers(2, 6))
def test_numbers_by_a_plain_loop(seed, risk, k):
    data = noisy_table(seed, regression=True, rows=60)
    agree(data, ex.CART, folds_of(data, k, seed), risk, "mse")


def test_a_number_of_folds_means_the_drawn_folds():
    data = noisy_table(5)
    drawn = ex.cross_validate_path(data, ex.CART, 4, seed=9)
    given_folds = ex.cross_validate_path(data, ex.CART, folds_of(data, 4, 9))
    assert (drawn.fold_of_row == given_folds.fold_of_row).all()
    assert (drawn.mean == given_folds.mean).all()


def test_progress_is_reported_after_every_fold(tennis):
    seen = []
    ex.cross_validate_path(tennis, ex.CART, 4, progress=lambda done, total: seen.append((done, total)))
    assert list(dict.fromkeys(seen)) == [(0, 4), (1, 4), (2, 4), (3, 4), (4, 4)], "and asked while the trees grow"


def test_progress_may_stop(tennis):
    def stop(done, total):
        raise ex.Stopped(f"after {done} of {total}")

    with pytest.raises(ex.Stopped, match="after 0 of 4"):
        ex.cross_validate_path(tennis, ex.CART, 4, progress=stop)


def test_auc_needs_two_classes_in_every_fold(tennis):
    with pytest.raises(ex.InputError, match="fold 0 has one class only: use fewer folds"):
        left_out(tennis, ex.CART, metric="auc")


def test_metric_and_risk_must_suit(tennis):
    with pytest.raises(ex.InputError, match="does not suit"):
        left_out(tennis, ex.CART, metric="mse")
    with pytest.raises(ex.InputError, match="no risk called"):
        left_out(tennis, ex.CART, risk="gini")


class TestLeavingOneOut:
    def test_the_full_tree_is_its_plain_definition(self, tennis):
        rows = np.arange(tennis.n_rows)
        right = [
            ex.grow(tennis.take(rows[rows != row]), ex.ID3).predict(tennis.take([row]))[0]
            == tennis.classes[tennis.y[row]]
            for row in rows
        ]
        assert left_out(tennis, ex.ID3).mean[0] == pytest.approx(np.mean(right))

    def test_it_ends_with_the_majority_of_the_other_rows(self, tennis):
        found = left_out(tennis, ex.CART)
        assert found.mean[-1] == pytest.approx(9 / 14)
        assert found.standard_error[-1] == pytest.approx(np.sqrt(9 / 14 * 5 / 14 / 14))

    def test_it_has_one_score_per_step_of_the_full_path(self, tennis):
        path = ex.cost_complexity_path(ex.grow(tennis, ex.CART))
        found = left_out(tennis, ex.CART)
        assert found.mean.size == found.standard_error.size == len(path)
        assert (found.alphas == path.alphas).all()

    def test_the_price_of_unnormalised_risk_is_scaled(self):
        per_row, summed = (left_out(lihang(), ex.CART, risk=risk) for risk in ("impurity", "unnormalised"))
        assert summed.mean == pytest.approx(per_row.mean, rel=1e-12)

    def test_the_root_alone_errs_by_the_other_rows_mean(self):
        data = lihang()
        total, n = data.y.sum(), data.n_rows
        expected = np.mean([(y - (total - y) / (n - 1)) ** 2 for y in data.y])
        assert left_out(data, ex.CART).mean[-1] == pytest.approx(expected)


def test_with_prepruning_the_validation_rows_judge_every_fold_s_tree_and_are_in_no_fold():
    data, valid = noisy_table(3, rows=150).split(0.6, seed=0)
    recipe, folds = ex.CART.replace(prepruning=True), folds_of(data, 4, 0)
    found = ex.cross_validate_path(data, recipe, folds, validation=valid)
    assert found.path.n_leaves[0] == ex.grow(data, recipe, valid).n_leaves < ex.grow(data, ex.CART).n_leaves
    right = 0.0
    for fold in range(4):
        out = data.take(folds == fold)
        is_right = ex.grow(data.take(folds != fold), recipe, valid).predict_encoded(out) == out.y
        right += out.weight_of_rows()[is_right].sum()
    assert found.fold_of_row.size == data.n_rows
    assert found.mean[0] == pytest.approx(right / data.weight_of_rows().sum())
    with pytest.raises(ex.InputError, match="give it as grow"):
        ex.cross_validate_path(data, recipe, folds)


@pytest.mark.parametrize("recipe", [ex.CART, ex.C45], ids=lambda recipe: recipe.name)
def test_folds_of_large_tables_are_worked_on_side_by_side_to_the_same_numbers(monkeypatch, recipe):
    data = noisy_table(6)
    found, seen = [], []
    for cells in (0, 10**9):
        monkeypatch.setattr("explorer.evaluation.subset_trees.WORTH_A_THREAD", cells)
        folded = ex.cross_validate_path(data, recipe, 4, metric="log_loss")
        curve = ex.learning_curve(data, recipe, [0.4, 1.0], 3)
        held_out = out_of_fold(data, recipe, 1, 4, progress=lambda done, total: seen.append((done, total)))
        found.append(
            [
                folded.mean,
                folded.standard_error,
                curve.train,
                curve.valid,
                curve.n_leaves,
                held_out.predictions.predictions,
            ]
        )
    assert [list(each) for each in found[0]] == [list(each) for each in found[1]]
    assert list(dict.fromkeys(seen)) == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_work_on_a_large_table_can_be_stopped(monkeypatch):
    monkeypatch.setattr("explorer.evaluation.subset_trees.WORTH_A_THREAD", 0)

    def stop(done: int, total: int) -> None:
        raise ex.Stopped("enough")

    with pytest.raises(ex.Stopped):
        ex.cross_validate_path(noisy_table(6), ex.CART, 40, progress=stop)
