"""The scenes on several trees: against the definitions, and what a reader can change in them."""

from itertools import combinations, product
from math import exp, isclose, log, sqrt

import pytest

from pages.learn.path import scene_of
from pages.results.lessons import bagging, boosting, many_trees, trees


def steps_of(scene, **chosen):
    return {step.name: step for step in scene_of(scene).steps(chosen)}


def test_watermelons_keep_their_root_for_15_of_17_rows():
    numbers = steps_of("stability", table="watermelon_2_0")["another table"].numbers
    assert (numbers["root 纹理"], numbers["root 脐部"]) == (15, 2)


def test_a_pair_is_parted_where_only_one_of_two_features_is_equal():
    frame = trees.rows("play_tennis").frame
    same = {name: [a == b for a, b in combinations(frame[name], 2)] for name in ("Outlook", "Humidity")}
    expected = [one != other for one, other in zip(same["Outlook"], same["Humidity"], strict=True)]
    assert list(many_trees.pairs_parted("play_tennis", "Outlook", "Humidity")) == expected


def test_every_tree_of_depth_two_is_there_once_and_one_is_framed():
    small, framed = many_trees.trees_of_depth("play_tennis", 2)
    shapes = {tuple((node.parent, node.test or node.label, node.branch) for node in tree.nodes) for tree in small}
    assert len(shapes) == len(small) == 113
    assert framed == 1


def test_after_a_round_wrong_points_weigh_half_and_weights_follow_e_to_the_alpha():
    for stage, stump in enumerate(boosting.member_stumps(), start=1):
        alpha = log((1 - stump.error) / stump.error) / 2
        before, after = boosting.weights_before(stage), boosting.weights_before(stage + 1)
        wrong = [
            code != (stump.left if x <= stump.threshold else stump.right)
            for x, code in zip(range(10), boosting.points().y.tolist(), strict=True)
        ]
        assert isclose(sum(w for w, is_wrong in zip(after, wrong, strict=True) if is_wrong), 0.5)
        z = 2 * sqrt(stump.error * (1 - stump.error))
        assert after == pytest.approx(
            [w * exp(alpha if is_wrong else -alpha) / z for w, is_wrong in zip(before, wrong, strict=True)]
        )


def test_the_stump_of_a_round_has_the_least_error_of_all():
    for stage, stump in enumerate(boosting.member_stumps(), start=1):
        assert isclose(stump.error, min(other.error for other in boosting.stumps_of(stage)))


@pytest.mark.parametrize("rate", ["0.1", "0.3", "0.5", "1"])
def test_a_smaller_learning_rate_leaves_more_and_fits_follow_the_residuals(rate):
    losses, fits = boosting.squared_losses(float(rate)), boosting.fits(float(rate))
    y = trees.rows("lihang_8_2_regression").y
    assert losses == pytest.approx([sum((a - b) ** 2 for a, b in zip(y, fit, strict=True)) for fit in fits])
    assert list(losses) == sorted(losses, reverse=True)
    assert losses[6] >= boosting.squared_losses()[6]
    assert steps_of("residuals", rate=rate)["learning rate"].numbers["loss 6"] == pytest.approx(losses[6])


def test_the_best_line_leaves_what_the_sums_of_squares_say():
    """Σ(y − ȳ)² − (Σ(x − x̄)(y − ȳ))²/Σ(x − x̄)²."""
    x, y = range(1, 11), trees.rows("lihang_8_2_regression").y.tolist()
    mean = sum(y) / 10
    products = sum((a - 5.5) * (b - mean) for a, b in zip(x, y, strict=True))
    left = sum((b - mean) ** 2 for b in y) - products**2 / 82.5
    step = steps_of("residuals")["six stages"]
    assert step.numbers["loss of the line"] == pytest.approx(left)
    assert f"leaves {left:.2f}" in step.text


def best_stump(xs, ys):
    """The fit at x = 1 … 4 of the stump of least squared error on these points, the lower threshold first."""
    fits = []
    for cut in sorted(set(xs))[:-1]:
        sides = [[y for x, y in zip(xs, ys, strict=True) if (x <= cut) == is_left] for is_left in (True, False)]
        means = [sum(side) / len(side) for side in sides]
        loss = sum((y - mean) ** 2 for side, mean in zip(sides, means, strict=True) for y in side)
        threshold = (cut + min(x for x in xs if x > cut)) / 2
        fits.append((round(loss, 9), threshold, means))
    if not fits:
        return [sum(ys) / len(ys)] * 4
    _, threshold, means = min(fits)
    return [means[0] if x <= threshold else means[1] for x in (1, 2, 3, 4)]


def test_the_bagged_stump_is_the_mean_of_the_stumps_on_all_256_bootstrap_samples():
    for sample in (0, 5, 11):
        y = [value + (1 if sample >> i & 1 else -1) for i, value in enumerate(bagging.TRUTH)]
        fits = [best_stump([i + 1 for i in drawn], [y[i] for i in drawn]) for drawn in product(range(4), repeat=4)]
        mean = [sum(column) / 256 for column in zip(*fits, strict=True)]
        assert [float(value) for value in bagging.bagged(1).fits[sample]] == pytest.approx(mean)


def test_bagging_helps_a_stump_and_harms_a_tree_of_depth_three():
    numbers = steps_of("bagging")["helps"].numbers | steps_of("bagging")["harms"].numbers
    assert numbers["bagged total 1"] < numbers["total 1"]
    assert numbers["bagged total 3"] > numbers["total 3"] == 1


def test_days_out_of_bag_are_those_not_drawn():
    for drawn in bagging.BOOTSTRAPS:
        counts = bagging.counts_of(drawn)
        assert sum(counts) == bagging.DAYS == len(drawn)
        assert {day + 1 for day, count in enumerate(counts) if not count} == set(range(1, 15)) - set(drawn)
