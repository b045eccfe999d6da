"""The first difference of two trees, worked by hand; agreement and paired scores against plain loops."""

import math
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

import explorer as ex
from explorer.evaluation.comparison.first_difference import counterpart, walk_together
from explorer.evaluation.folds import folds_of
from explorer.evaluation.paired_scores import paired_scores
from tests.oracles.golden_walk import GOLDEN


def sample(name, **options):
    found = ex.SAMPLES[name]
    kinds = {**found.kinds, **options.pop("kinds", {})}
    return ex.Dataset.from_frame(ex.load_sample(name).frame, found.target, kinds=kinds, **options)


def entropy(*counts):
    return -sum(n / sum(counts) * math.log2(n / sum(counts)) for n in counts if n)


def parted(data, first, second):
    """The first difference of the trees of two recipes, and the two trees."""
    return ex.first_difference(ex.grow(data, first), ex.grow(data, second), data)


@pytest.fixture(scope="module")
def tennis():
    return sample("play_tennis")


class TestFirstDifference:
    def test_watermelons_with_their_number_let_in(self):
        # 17 rows, 8 good and 9 bad: H = 0.998, each number its own branch, split information log2 17
        frame = ex.load_sample("watermelon_2_0").frame
        features = [column for column in frame.columns if column != "好瓜"]
        data = sample("watermelon_2_0", features=features, kinds={"编号": "categorical"})
        found = parted(data, ex.ID3, ex.C45)
        assert (found.node_a, found.node_b) == (0, 0)
        assert found.sentence == (
            "ID3 splits on 编号: 17 branches, gain 0.998; C4.5 divides that by the split information, 4.087 bits, "
            "which leaves 0.244, and splits on 纹理 with 0.263. 编号 is id-like and was included by choice."
        )
        told = GOLDEN["watermelon_2_0"]["编号 as a feature"]
        assert found.decision_a.chosen.gain == pytest.approx(told["gain"]) == pytest.approx(entropy(8, 9))
        assert (
            found.decision_b.best["编号"].split_info
            == pytest.approx(told["split_info"])
            == pytest.approx(math.log2(17))
        )
        assert found.decision_b.best["编号"].gain_ratio == pytest.approx(told["gain_ratio"])
        assert parted(data, ex.C45, ex.ID3).sentence == found.sentence

    def test_trees_that_are_the_same_have_no_first_difference(self, tennis):
        found = walk_together(ex.grow(tennis, ex.ID3), ex.grow(tennis, ex.C45), tennis)
        assert found.difference is None
        assert found.alike == ((0, 0), (1, 1), (3, 3))  # Outlook; Humidity and Wind below it
        assert found.remarks == ()

    def test_the_same_feature_in_another_form(self, tennis):
        # Gini of (9, 5) is 90/196; 10 rows (5, 5) and 4 pure ones leave 10/14 · 1/2
        decrease = 90 / 196 - 5 / 14
        found = parted(tennis, ex.ID3, ex.CART)
        assert found.sentence == (
            "Both split on Outlook: ID3 by a branch for each of 3 values, gain 0.247; CART by {Sunny, Rain} against "
            f"the rest, Gini decrease {decrease:.3f}."
        )

    def test_one_of_them_stops(self, tennis):
        # CART's root sends 10 rows left; among them (5, 5), Humidity leaves 5 rows (4, 1) on either side
        found = parted(tennis, ex.CART, ex.CART.replace(max_depth=1))
        assert (found.node_a, found.node_b) == (1, 1)
        assert found.sentence == (
            "B stops here (maximum depth reached: 1); A splits on Humidity: “High” against the rest, Gini "
            f"decrease {1 / 2 - 2 * 4 / 25:.3f}."
        )

    def test_the_mean_gain_keeps_a_feature_out(self):
        # temperature ≤ 84 cuts off one row of class Don't Play: (9, 4) stay
        data = sample("golf")
        gain = entropy(9, 5) - 13 / 14 * entropy(9, 4)
        ratio = gain / entropy(1, 13)
        outlook = entropy(9, 5) - 10 / 14 * entropy(2, 3)
        found = parted(data, ex.C45, ex.C45.replace(mean_gain_filter="off"))
        assert found.decision_a.best["temperature"].gain == pytest.approx(gain)
        assert gain < found.decision_a.mean_gain
        assert found.sentence == (
            f"In A temperature may not compete: gain below the mean gain {found.decision_a.mean_gain:.4g} (its own: "
            f"gain ratio {ratio:.3f}); A splits on outlook: 3 branches, gain ratio {outlook / entropy(5, 4, 5):.3f}; B "
            f"splits on temperature: the threshold 84, gain ratio {ratio:.3f}."
        )

    def test_what_a_feature_costs(self, tennis):
        # Tan and Schlimmer: 0.2467²/10 against 0.1518²/1
        costly = ex.ID3.replace(score="tan_schlimmer", feature_costs={"Outlook": 10}, name="costly")
        assert parted(tennis, ex.ID3, costly).sentence == (
            "costly counts the cost of features: Outlook costs 10, score 0.00609; Humidity costs 1, score 0.0231, and "
            "wins; ID3 splits on Outlook: 3 branches, gain 0.247."
        )

    def test_a_tie(self):
        # both split the rows alike under CART; each value of b a branch of its own is worth more than the two of a
        frame = pd.DataFrame({"a": list("uuvvvv"), "b": list("uuvvww"), "y": list("ppqqrr")})
        data = ex.Dataset.from_frame(frame, "y")
        decrease = 2 / 3 - 4 / 6 * 1 / 2
        assert parted(data, ex.ID3, ex.CART).sentence == (
            f"In CART a and b tie with Gini decrease {decrease:.3f}, and the earlier column wins; ID3 splits on b: 3 "
            f"branches, gain {math.log2(3):.3f}."
        )

    def test_intervals_against_thresholds(self):
        # four intervals of two rows each; the threshold 2.5 parts the classes alone
        frame = pd.DataFrame({"x": [1.0, 2, 3, 4, 5, 6, 7, 8], "y": list("ppqqqqqq")})
        found = parted(ex.Dataset.from_frame(frame, "y", features=["x"]), ex.ID3, ex.C45)
        gain = entropy(2, 6)
        assert found.sentence == (
            "Both split on x: ID3 by a branch for each of 4 intervals, gain "
            f"{gain:.3f}; C4.5 by the threshold 2.5, gain ratio 1. x is id-like and was included by choice."
        )

    def test_rows_left_out_for_a_missing_cell(self):
        # b tells the four complete rows apart as a does and comes first; its two missing cells mix the classes
        frame = pd.DataFrame({"b": ["s", "s", "t", "t", None, None], "a": list("uuvvuv"), "y": list("ppqqpq")})
        data = ex.Dataset.from_frame(frame, "y")
        assert parted(data, ex.ID3.replace(missing="drop"), ex.ID3.replace(missing="own_branch")).sentence == (
            "The rows here differ (4 rows and 6 rows) because some lack a value: A leaves such rows out; B has a "
            "branch for missing values; A splits on b: 2 branches, gain 1; B splits on a: 2 branches, gain 1."
        )

    def test_weights_of_classes(self, tennis):
        # 9·f + 5·20·f = 14: f = 14/109 = 0.128
        heavy = ex.ID3.replace(class_weights={"No": 20}, name="heavy")
        found = parted(tennis, ex.ID3.replace(score="decrease", categorical="one_vs_rest"), heavy)
        assert found.sentence.startswith(
            "Class weights or costs change how much a row counts: a row of class Yes counts 1 in ID3 and 0.128 in "
            "heavy; "
        )

    def test_thresholds_that_send_the_same_rows_to_the_same_branch_are_described(self):
        data = sample("golf")
        first, second = (ex.grow(data, ex.CART.replace(threshold_at=place)) for place in ("midpoint", "observed"))
        found = walk_together(first, second, data)
        assert found.difference is None
        told = "Node 1 splits on temperature by the threshold 77.5 in A and by the threshold 75 in B"
        assert f"{told}: the same rows go to the same branches." in found.remarks

    def test_two_groups_and_two_values_are_the_same_test(self):
        data = sample("mammals")
        found = walk_together(ex.grow(data, ex.ID3), ex.grow(data, ex.CART), data)
        assert found.difference is None
        assert "by a branch for each of 2 values in ID3 and by “是” against the rest in CART" in found.remarks[0]

    @pytest.mark.parametrize(
        ("first", "second", "rows"),
        [
            ("most_common", "fractional", 2),  # all of both to u, the value of 3 rows, or 3/5 to u and 2/5 to v
            ("most_common", "own_branch", 2),  # u, or a branch of their own
            ("drop", "most_common", 2),  # not in the tree, or u
            ("drop", "own_branch", 2),
            ("fractional", "fractional", 0),
            ("drop", "drop", 0),
        ],
    )
    def test_rows_with_a_missing_cell_that_go_otherwise_are_counted(self, first, second, rows):
        # five rows tell the classes apart by a; two have no a: the same splits under every policy
        frame = pd.DataFrame({"a": ["u", "u", "u", "v", "v", None, None], "y": list("pppqqpq")})
        data = ex.Dataset.from_frame(frame, "y")
        grown = [ex.grow(data, ex.ID3.replace(missing=missing, max_depth=1)) for missing in (first, second)]
        walk = walk_together(*grown, data)
        assert walk.difference is None
        assert walk.alike == ((0, 0),)
        assert walk.shared_otherwise == rows

    def test_leaves_of_the_same_rows_that_predict_otherwise_are_counted(self):
        # u holds 3 p and 1 q, v 2 q: with q counted ten times u predicts q, and v is all q in both
        frame = pd.DataFrame({"a": list("uuuuvv"), "y": list("pppqqq")})
        data = ex.Dataset.from_frame(frame, "y")
        plain, heavy = (ex.grow(data, ex.ID3.replace(class_weights=weights)) for weights in ({}, {"q": 10}))
        walk = walk_together(plain, heavy, data)
        assert (walk.difference, walk.shared_otherwise, walk.leaves_otherwise) == (None, 0, 1)
        assert walk_together(plain, plain, data).leaves_otherwise == 0

    @pytest.mark.parametrize("name", ["titanic", "vote", "penguins", "golf_missing", "auto_mpg", "car"])
    def test_down_to_the_first_difference_both_hold_the_same_complete_rows(self, name):
        found = ex.SAMPLES[name]
        data = sample(name, features=found.features)
        complete = data.take((data.codes < np.array([[f.n_values] for f in data.features])).all(axis=0))
        recipes = [ex.CART, ex.CART.replace(max_depth=3)] if data.is_regression else [ex.ID3, ex.C45, ex.CART]
        trees = [ex.grow(data, recipe) for recipe in recipes]
        for tree, other in pairwise(trees):
            walk = walk_together(tree, other, data)
            end = walk.difference
            for a, b in [*walk.alike, *([(end.node_a, end.node_b)] if end else [])]:
                assert np.array_equal(tree.rows_at(complete, a), other.rows_at(complete, b))
            if end is not None:
                own, theirs = tree.node(end.node_a), other.node(end.node_b)
                assert own.condition != theirs.condition

    def test_very_long_names_are_cut_and_line_breaks_shown(self):
        frame = pd.DataFrame({"long\n" * 100: list("uuvvww"), "y": list("ppqqrr")})
        told = parted(ex.Dataset.from_frame(frame, "y"), ex.ID3, ex.CART).sentence
        assert len(told) < 250
        assert told.startswith("Both split on long␊long␊")

    def test_a_pruned_node_is_the_first_difference_of_a_tree_and_its_pruned_form(self, tennis):
        tree = ex.grow(tennis, ex.ID3)
        pruned = ex.prune_by_hand(tree, [("collapse", 3)])
        found = ex.first_difference(tree, pruned, tennis)
        assert (found.node_a, found.node_b) == (3, 3)
        # five rows (3, 2), and Wind tells them apart
        assert found.sentence == f"B stops here (pruned); A splits on Wind: 2 branches, gain {entropy(3, 2):.3f}."

    def test_rows_that_the_trees_were_not_grown_on_are_refused(self, tennis):
        with pytest.raises(ex.InputError, match="not grown on these rows"):
            ex.first_difference(ex.grow(tennis, ex.ID3), ex.grow(tennis, ex.CART), tennis.take(np.arange(10)))

    def test_raised_subtrees_are_refused(self):
        data = sample("vote").take(np.arange(200))
        tree = ex.grow(data, ex.C45.replace(missing="most_common"))
        raised = ex.pessimistic_prune(tree, raising=True, train=data)
        assert raised.origin is not None
        with pytest.raises(ex.InputError, match="as they were grown"):
            ex.first_difference(tree, raised, data)

    def test_trees_of_two_targets_are_refused(self, tennis):
        with pytest.raises(ex.InputError, match="compare trees with the same target"):
            ex.first_difference(ex.grow(tennis, ex.ID3), ex.grow(sample("golf"), ex.ID3), tennis)


class TestCounterparts:
    def test_a_path_of_the_same_words_leads_to_the_same_rows(self, tennis):
        id3, cart = ex.grow(tennis, ex.ID3), ex.grow(tennis, ex.CART)
        assert [counterpart(id3, node, id3) for node in range(id3.n_nodes_grown)] == list(range(id3.n_nodes_grown))
        # Outlook = Overcast is a branch of both; the others of ID3 are one group in CART
        assert [counterpart(id3, node, cart) for node in (0, 1, 2, 3)] == [0, None, 2, None]
        assert counterpart(cart, 2, id3) == 2


class TestAgreement:
    @pytest.mark.parametrize("name", ["titanic", "car", "iris"])
    def test_the_matrix_against_a_plain_count(self, name):
        train, valid = sample(name, features=ex.SAMPLES[name].features).split(0.7)
        first, second = ex.grow(train, ex.ID3), ex.grow(train, ex.CART.replace(max_depth=3))
        found = ex.agreement(first, second, valid)
        predictions = list(zip(first.predict(valid), second.predict(valid), strict=True))
        for i, own in enumerate(found.classes):
            for j, theirs in enumerate(found.classes):
                here = [row for row, prediction in enumerate(predictions) if prediction == (own, theirs)]
                assert found.counts[i, j] == len(here)
                assert found.rows(i, j).tolist() == here
        assert found.differ.tolist() == [row for row, (own, theirs) in enumerate(predictions) if own != theirs]
        assert found.share == pytest.approx(1 - len(found.differ) / valid.n_rows)
        assert [found.classes[code] for code in found.truth] == valid.frame[valid.target.name].tolist()

    def test_rows_count_by_their_weight(self):
        frame = pd.DataFrame({"a": list("uuvv"), "y": list("pqqq"), "w": [3.0, 1.0, 2.0, 4.0]})
        data = ex.Dataset.from_frame(frame, "y", weights="w")
        found = ex.agreement(ex.grow(data, ex.ID3), ex.grow(data, ex.ID3.replace(max_depth=0)), data)
        assert found.counts.tolist() == [[0, 4], [0, 6]]  # the tree answers p for both u, the root q for all
        assert found.share == 0.6

    def test_numbers_are_compared_by_their_differences(self):
        data = sample("auto_mpg")
        first, second = ex.grow(data, ex.CART.replace(max_depth=2)), ex.grow(data, ex.CART.replace(max_depth=4))
        found = ex.agreement(first, second, data)
        differences = second.predict(data) - first.predict(data)
        assert found.quantiles == pytest.approx(np.quantile(differences, [0, 0.1, 0.25, 0.5, 0.75, 0.9, 1]))
        largest = np.abs(differences)[found.differ]
        assert largest[0] == np.abs(differences).max()
        assert (np.diff(largest) <= 0).all()
        assert found.share == pytest.approx(np.mean(differences == 0))
        assert (found.typical, found.far) == pytest.approx(tuple(np.quantile(np.abs(differences), [0.5, 0.9])))


class TestPairedScores:
    @pytest.mark.parametrize("name", ["play_tennis", "auto_mpg"])
    def test_against_a_plain_loop(self, name):
        data = sample(name)
        recipes = [ex.CART, ex.CART.replace(max_depth=2)]
        found = paired_scores(data, recipes, folds=5, seed=3)
        fold_of_row = folds_of(data, 5, 3)
        losses = {0: {}, 1: {}}
        for fold in range(5):
            rest, out = np.flatnonzero(fold_of_row != fold), np.flatnonzero(fold_of_row == fold)
            for which, recipe in enumerate(recipes):
                tree = ex.grow(data.take(rest), recipe)
                for row, prediction in zip(out, tree.predict(data.take(out)), strict=True):
                    true = data.frame[data.target.name].iloc[row]
                    losses[which][row] = (true - prediction) ** 2 if data.is_regression else float(true != prediction)
        differences = [losses[0][row] - losses[1][row] for row in range(data.n_rows)]
        mean = sum(differences) / data.n_rows
        error = math.sqrt(sum((d - mean) ** 2 for d in differences)) / data.n_rows
        assert found.difference(0, 1) == pytest.approx((mean, error))
        assert found.difference(1, 0) == pytest.approx((-mean, error))
        assert found.loss(0)[0] - found.loss(1)[0] == pytest.approx(mean)

    def test_pruned_trees_are_those_of_each_fold_at_the_same_alpha(self):
        data = sample("iris")
        paths = [ex.cost_complexity_path(ex.grow(data, recipe)) for recipe in (ex.CART, ex.C45)]
        last = len(paths[0]) - 2  # the smallest but the root alone
        pruned = [(paths[0], last), (paths[1], 0)]
        found = paired_scores(data, [ex.CART, ex.C45], folds=5, seed=3, pruned=pruned)
        alpha = math.sqrt(paths[0].alphas[last] * paths[0].alphas[last + 1])  # Breiman et al., section 3.4.2
        fold_of_row = folds_of(data, 5, 3)
        wrong = np.zeros((2, data.n_rows))
        for fold in range(5):
            rest, out = np.flatnonzero(fold_of_row != fold), np.flatnonzero(fold_of_row == fold)
            trees = ex.grow(data.take(rest), ex.CART), ex.grow(data.take(rest), ex.C45)
            trees = ex.prune_at_alpha(trees[0], alpha), trees[1]
            for which, tree in enumerate(trees):
                wrong[which, out] = tree.predict_encoded(data.take(out)) != data.y[out]
        assert found.losses.tolist() == wrong.tolist()
        assert (found.losses != paired_scores(data, [ex.CART, ex.C45], folds=5, seed=3).losses).any()

    def test_a_weight_of_two_is_the_row_twice_in_the_mean(self):
        rng = np.random.default_rng(5)
        frame = pd.DataFrame({"a": rng.integers(0, 9, 40) * 1.0, "y": rng.choice(list("pq"), 40), "w": [1.0, 3.0] * 20})
        found = paired_scores(ex.Dataset.from_frame(frame, "y", weights="w"), [ex.CART, ex.C45], folds=4)
        d = found.losses[0] - found.losses[1]
        w = frame["w"].to_numpy()
        mean = (w * d).sum() / w.sum()
        assert found.difference(0, 1) == pytest.approx((mean, math.sqrt((w * (d - mean) ** 2).sum()) / w.sum()))

    def test_a_recipe_against_itself_differs_by_nothing(self, tennis):
        assert paired_scores(tennis, [ex.ID3, ex.ID3], folds=7).difference(0, 1) == (0.0, 0.0)

    def test_progress_counts_trees_and_may_stop(self, tennis):
        seen = []
        paired_scores(tennis, [ex.ID3, ex.C45], folds=2, progress=lambda done, total: seen.append((done, total)))
        assert list(dict.fromkeys(seen)) == [(0, 4), (1, 4), (2, 4), (3, 4), (4, 4)]

    def test_one_recipe_is_refused(self, tennis):
        with pytest.raises(ex.InputError, match="at least two"):
            paired_scores(tennis, [ex.ID3])
