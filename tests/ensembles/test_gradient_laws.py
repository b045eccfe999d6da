"""Laws of gradient boosting: prefixes, samples of rows, early stopping, leaf values as the best constants, its ends."""

import pickle
import threading
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
import pytest

import explorer as ex
from explorer.ensembles.boosting.losses import LOSSES, Problem, loss_for
from explorer.ensembles.boosting.node_values import NodeRows, quantile, quantiles_by_node, sums_by_node
from explorer.ensembles.regrown import regrown


def numbers(n: int = 80, seed: int = 0) -> ex.Dataset:
    """Random rows with a numeric target, a category and a few missing cells."""
    draw = np.random.default_rng(seed)
    frame = pd.DataFrame(draw.normal(size=(n, 3)).round(2), columns=list("abc"))
    frame["kind"] = draw.choice(["p", "q", "r"], n)
    frame["y"] = 2 * frame["a"] + (frame["kind"] == "q") + draw.normal(size=n)
    frame.loc[draw.random(n) < 0.15, "a"] = np.nan
    return ex.Dataset.from_frame(frame, "y")


def classes(n: int = 90, count: int = 2, seed: int = 0) -> ex.Dataset:
    """Random rows of some classes."""
    draw = np.random.default_rng(seed)
    frame = pd.DataFrame(draw.normal(size=(n, 3)).round(2), columns=list("abc"))
    frame["y"] = pd.qcut(frame["a"] - frame["c"] + draw.normal(size=n), count, labels=False)
    return ex.Dataset.from_frame(frame, "y", classes=list(range(count)))


def boosted_of(data: ex.Dataset, n: int = 5, **options: Any) -> ex.Ensemble:
    """A few rounds of depth 2."""
    return ex.gradient_boost(data, ex.CART.replace(max_depth=2), n_estimators=n, learning_rate=0.3, **options)


TABLES = [
    *((name, numbers()) for name, loss in LOSSES.items() if loss.needs == "numbers"),
    ("log_loss", classes()),
    ("log_loss", classes(count=3)),
    ("exponential", classes()),
]
every_loss = pytest.mark.parametrize(("loss", "data"), TABLES, ids=[f"{n}, {len(d.classes)}" for n, d in TABLES])


@every_loss
def test_a_shorter_run_is_the_start_of_a_longer_one(loss: str, data: ex.Dataset) -> None:
    short, long = (boosted_of(data, n, loss=loss, subsample=0.7, seed=4) for n in (3, 6))
    assert [m.tree.to_dict() for m in short.members] == [m.tree.to_dict() for m in long.members[: len(short.members)]]
    assert np.array_equal(short.raw(data), long.raw(data, stage=3))


@every_loss
def test_the_loss_of_the_training_rows_falls(loss: str, data: ex.Dataset) -> None:
    boosted = boosted_of(data, 12, loss=loss, delta=1.0)
    losses = [m.facts["loss"] for m in boosted.members if m.of_class in (None, 0)]
    assert all(after <= before + 1e-12 for before, after in pairwise(losses))


@every_loss
def test_the_scores_are_the_start_and_the_steps_of_all_members(loss: str, data: ex.Dataset) -> None:
    boosted = boosted_of(data, 4, loss=loss)
    raw = np.tile(boosted.start, (data.n_rows, 1))
    for member in boosted.members:
        raw[:, member.of_class or 0] += 0.3 * member.tree.predict_encoded(data)
    assert boosted.raw(data) == pytest.approx(raw, abs=1e-12)
    parts = boosted.contributions(data.take([0]))
    assert parts.total == pytest.approx(raw[0], abs=1e-12)


@every_loss
def test_a_member_opens_as_the_tree_that_grow_makes_on_its_gradients(loss: str, data: ex.Dataset) -> None:
    boosted = boosted_of(data, 3, loss=loss, subsample=0.6)
    for member in boosted.members:
        plain = ex.grow(member.data(data), boosted.recipe)
        for name in ("feature", "threshold", "stats", "impurity"):
            assert np.array_equal(getattr(member.tree, name), getattr(plain, name), equal_nan=True)
        decision = ex.decide(member.tree, member.data(data), 0)
        assert decision.chosen.feature == plain.condition(0).feature


@every_loss
def test_same_seed_same_ensemble_from_another_thread(loss: str, data: ex.Dataset) -> None:
    made = []
    thread = threading.Thread(target=lambda: made.append(boosted_of(data, 3, loss=loss, subsample=0.5, seed=7)))
    thread.start()
    thread.join()
    here = boosted_of(data, 3, loss=loss, subsample=0.5, seed=7)
    assert [m.tree.to_dict() for m in made[0].members] == [m.tree.to_dict() for m in here.members]
    other = boosted_of(data, 3, loss=loss, subsample=0.5, seed=8)
    assert [m.tree.to_dict() for m in other.members] != [m.tree.to_dict() for m in here.members]


@every_loss
def test_weight_2_is_the_row_twice(loss: str, data: ex.Dataset) -> None:
    n = data.n_rows
    weights = 1.0 + (np.arange(n) % 3 == 0)
    weighted = boosted_of(data.with_weights(weights), 3, loss=loss)
    repeated = boosted_of(data.take(np.repeat(np.arange(n), weights.astype(int))), 3, loss=loss)
    assert weighted.start == pytest.approx(repeated.start, abs=1e-9)
    assert weighted.raw(data) == pytest.approx(repeated.raw(data), abs=1e-7)


def test_the_sample_of_a_round_is_a_share_of_the_rows_without_repetition() -> None:
    data = numbers()
    for member in boosted_of(data, 6, subsample=0.5, seed=3).members:
        assert member.weights is not None
        assert sorted(set(member.weights.tolist())) == [0.0, 1.0]
        assert member.weights.sum() == 40
        assert "oob_improvement" in member.facts
    assert "oob_improvement" not in boosted_of(data, 1).members[0].facts


def test_the_oob_improvement_is_what_the_rows_left_out_gain() -> None:
    data = numbers()
    boosted = boosted_of(data, 4, subsample=0.5)
    for member in boosted.members:
        assert member.weights is not None
        out = member.weights == 0
        before, after = (0.5 * (data.y - boosted.predict(data, s))[out] ** 2 for s in (member.stage - 1, member.stage))
        assert member.facts["oob_improvement"] == pytest.approx(before.mean() - after.mean(), abs=1e-12)


@pytest.mark.parametrize(("loss", "share"), [("absolute_error", 0.5), ("quantile", 0.8)])
def test_leaf_values_by_quantiles_are_the_best_constants(loss: str, share: float) -> None:
    """No other residual of the leaf, added to all its rows, gives less loss."""
    data = numbers(60)
    boosted = ex.gradient_boost(data, ex.CART.replace(max_depth=2), loss, 2, 1.0, alpha=0.8)
    for member in boosted.members:
        rest = data.y - boosted.predict(data, member.stage - 1)
        ends = member.tree.apply(data)
        for leaf in member.tree.leaves():
            rows = rest[ends == leaf]

            def total(step: float, rows: Any = rows) -> float:
                return float(np.where(rows >= step, share * (rows - step), (1 - share) * (step - rows)).sum())

            assert total(member.tree.values[leaf]) <= min(map(total, rows)) + 1e-9


def test_huber_with_a_large_threshold_is_the_squared_error_step_from_the_median() -> None:
    """δ above every residual: the leaf is med + mean(r − med) = mean r."""
    data = numbers()
    huber, squared = (
        ex.gradient_boost(data, ex.CART.replace(max_depth=2), loss, 3, 1.0, delta=1e6, base_score=0.0)
        for loss in ("huber", "squared_error")
    )
    assert huber.predict(data) == pytest.approx(squared.predict(data), abs=1e-9)


def test_every_gradient_is_the_slope_of_its_loss() -> None:
    draw = np.random.default_rng(1)
    for name, data in TABLES:
        loss = loss_for(name, data)
        problem = Problem(np.asarray(data.y, float), data.weight_of_rows(), len(data.classes), 0.7, 0.9)
        raw, step = draw.normal(size=(data.n_rows, len(loss.start(problem)))), 1e-6
        for column in range(raw.shape[1]):
            ahead, behind = raw.copy(), raw.copy()
            ahead[:, column] += step
            behind[:, column] -= step
            slope = (loss.of_rows(problem, ahead) - loss.of_rows(problem, behind)) / (2 * step)
            assert loss.negative_gradient(problem, raw)[:, column] == pytest.approx(-slope, abs=1e-4)


def test_every_start_is_the_constant_of_least_loss() -> None:
    for name, data in TABLES:
        loss = loss_for(name, data)
        problem = Problem(np.asarray(data.y, float), data.weight_of_rows(), len(data.classes), 0.7, 1e6)
        if name == "huber":
            continue  # starts at the median, one step before its M-estimate
        start = loss.start(problem)
        at_start = loss.mean(problem, np.tile(start, (data.n_rows, 1)))
        for column in range(len(start)):
            for step in (-0.05, 0.05):
                beside = np.tile(start, (data.n_rows, 1))
                beside[:, column] += step
                assert loss.mean(problem, beside) >= at_start - 1e-12


@pytest.mark.parametrize("rule", ["midpoint", "lower"])
def test_weighted_quantiles_as_scikit_learn(rule: str) -> None:
    from sklearn.utils.stats import _weighted_percentile

    draw = np.random.default_rng(2)
    for n in range(1, 40):
        values, weights = draw.normal(size=n), draw.integers(1, 4, size=n).astype(float)
        for share in (0.1, 0.25, 0.5, 0.9):
            expected = _weighted_percentile(values, weights, 100 * share, average=rule == "midpoint")
            assert quantile(values, weights, share, rule) == pytest.approx(float(expected), abs=1e-12)


def test_sums_and_quantiles_of_nodes_are_those_of_the_rows_in_them() -> None:
    data = numbers()
    tree = ex.grow(data, ex.CART.replace(max_depth=3, missing="most_common"))
    ends = NodeRows.of(tree, data)
    values, weights = np.asarray(data.y), np.arange(1.0, data.n_rows + 1)
    sums = sums_by_node(ends, values)
    medians = quantiles_by_node(ends, values, weights, 0.5, "midpoint")
    for node in range(tree.n_nodes_grown):
        rows = tree.rows_at(data, node)
        assert sums[node] == pytest.approx(values[rows].sum())
        assert medians[node] == pytest.approx(quantile(values[rows], weights[rows], 0.5))


def test_rows_with_several_ends_are_divided_among_them() -> None:
    """A missing cell follows every branch in part (fractional): leaf sums add up to the whole all the same."""
    data = numbers()
    recipe = ex.CART.replace(max_depth=2, missing="fractional")
    for loss in ("squared_error", "absolute_error", "huber"):
        boosted = ex.gradient_boost(data, recipe, loss, 3, 0.5)
        ends = NodeRows.of(boosted.members[0].tree, data)
        assert len(ends.rows) > data.n_rows
        assert sums_by_node(ends, np.ones(data.n_rows))[0] == pytest.approx(data.n_rows)
        expected = boosted.start[0] + sum(0.5 * m.tree.predict_encoded(data) for m in boosted.members)
        assert boosted.predict(data) == pytest.approx(expected)


def test_early_stopping_looks_at_the_validation_rows() -> None:
    train, valid = numbers(120).split(0.6)
    boosted = ex.gradient_boost(train, n_estimators=200, learning_rate=0.5, validation=valid, n_iter_no_change=5)
    losses = [m.facts["validation_loss"] for m in boosted.members]
    assert losses == pytest.approx(
        [float(np.mean(0.5 * (valid.y - boosted.predict(valid, s)) ** 2)) for s in range(1, boosted.n_stages + 1)]
    )
    assert 5 < boosted.n_stages < 200
    assert min(losses[-5:]) > min(losses[:-5]) - 1e-4
    assert boosted.ended is not None
    assert boosted.ended.text == (
        f"Ended after round {boosted.n_stages}: the loss of the validation rows has not fallen for 5 rounds."
    )


def test_a_changed_member_of_an_ensemble_stopped_early_is_followed_by_as_many_rounds() -> None:
    train, valid = numbers(120).split(0.6)
    boosted = ex.gradient_boost(train, n_estimators=50, learning_rate=0.5, validation=valid, n_iter_no_change=3)
    assert boosted.n_stages < 50
    changed = regrown(boosted, 1, ex.Choices().lock(boosted.members[1].tree.place(0)))
    assert changed.n_stages == boosted.n_stages
    assert [member.tree.n_leaves == 1 for member in changed.members[:3]] == [False, True, False]


def test_members_draw_features_of_their_own() -> None:
    data = classes(200)
    recipe = ex.CART.replace(max_depth=1, max_features=1)
    for boosted in (
        ex.gradient_boost(data, recipe, n_estimators=30, seed=2),
        ex.adaboost(data, recipe, n_estimators=30, vote="half_log"),
        ex.c50(data, ex.C45.replace(max_depth=1, max_features=1), trials=8),
    ):
        seeds = [member.tree.recipe.feature_seed for member in boosted.members]
        assert len(set(seeds)) == len(seeds) > 1
    other = ex.gradient_boost(data, recipe, n_estimators=30, seed=3)
    again = ex.gradient_boost(data, recipe, n_estimators=30, seed=2)
    drawn, same, different = (
        [m.tree.feature[0] for m in e.members]
        for e in (ex.gradient_boost(data, recipe, n_estimators=30, seed=2), again, other)
    )
    assert drawn == same != different


def test_nothing_left_to_fit_is_said() -> None:
    data = ex.Dataset.from_frame(
        pd.DataFrame({"x": [1, 2, 3, 4], "y": [1.0, 1.0, 4.5, 4.5]}), "y", kinds={"y": "numeric"}
    )
    boosted = ex.gradient_boost(data, n_estimators=9, learning_rate=1.0)
    assert boosted.n_stages == 1
    assert boosted.ended is not None
    assert boosted.ended.text == "After 1 round every negative gradient is 0: nothing is left to fit."


@pytest.mark.parametrize("loss", ["squared_error", "absolute_error", "huber", "quantile"])
@pytest.mark.parametrize("scale", [2.0**-100, 2.0**-50, 2.0**47])
def test_boosting_follows_the_scale_of_the_target(loss: str, scale: float) -> None:
    """A power of two scales every sum exactly, so rounds and predictions scale with it."""
    frame = pd.DataFrame({"x": range(1, 9), "y": [1.0, 2, 1, 2, 9, 8, 9, 8]})
    boosted, scaled = (
        ex.gradient_boost(
            ex.Dataset.from_frame(table, "y", kinds={"y": "numeric"}), loss=loss, n_estimators=30, learning_rate=0.5
        )
        for table in (frame, frame.assign(y=frame["y"] * scale))
    )
    assert (scaled.n_stages, scaled.predict(frame).tolist()) == (
        boosted.n_stages,
        (boosted.predict(frame) * scale).tolist(),
    )
    assert boosted.n_stages > 10


@pytest.mark.parametrize("boost", [ex.gradient_boost, ex.newton_boost])
def test_boosting_fits_a_step_of_a_few_last_places(boost: Callable[..., ex.Ensemble]) -> None:
    """Numbers of 10^15 are 1/8 apart: the step of 1 between them is fitted to that."""
    frame = pd.DataFrame({"x": range(1, 7), "y": [1e15 + step for step in (0, 0, 0, 1, 1, 1)]})
    boosted = boost(ex.Dataset.from_frame(frame, "y", kinds={"y": "numeric"}), n_estimators=20, learning_rate=0.5)
    assert np.abs(boosted.predict(frame) - frame["y"]).max() <= 0.125


def test_one_row_and_one_value_are_said() -> None:
    data = ex.Dataset.from_frame(pd.DataFrame({"x": [1, 2, 3], "y": [1.0, 1.0, 4.5]}), "y", kinds={"y": "numeric"})
    for rows, words in (([0], "one row"), ([0, 1], "same value of the target")):
        boosted = ex.gradient_boost(data.take(rows))
        assert boosted.members == ()
        assert boosted.ended is not None
        assert words in boosted.ended.text
        assert boosted.predict(data).tolist() == [1.0] * 3
    one_class = ex.gradient_boost(classes().take(classes().y == 0))
    assert one_class.ended is not None
    assert "Every row is of class 0" in one_class.ended.text


def test_stopping_keeps_the_members_so_far() -> None:
    def stop_at_three(done: int, rounds: int) -> None:
        if done == 3:
            raise ex.Stopped

    stopped = boosted_of(classes(count=3), 9, progress=stop_at_three)
    assert (stopped.n_stages, len(stopped.members)) == (3, 9)
    assert stopped.ended is not None
    assert stopped.ended.text == "Stopped after 3 of 9 rounds."
    assert np.array_equal(stopped.raw(classes(count=3)), boosted_of(classes(count=3), 3).raw(classes(count=3)))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"loss": "hinge"}, "no loss 'hinge': choose one of squared_error"),
        ({"loss": "log_loss"}, "numeric, but loss 'log_loss' needs classes"),
        ({"learning_rate": -1.0}, "learning_rate is -1.0: give a number above 0"),
        ({"subsample": 1.5}, "subsample is 1.5: give a number above 0, up to 1"),
        ({"alpha": 1.0}, "alpha is 1.0: give a number above 0 and below 1"),
        ({"delta": 0.0}, "delta is 0.0"),
        ({"quantiles": "upper"}, "choose one of 'midpoint', 'lower'"),
        ({"base_score": float("nan")}, "base_score is nan"),
        ({"n_iter_no_change": 3}, "give them as validation="),
        ({"n_estimators": 1.5}, "n_estimators is 1.5"),
        ({"seed": -1}, "seed is -1"),
        ({"validation": classes()}, "do not have the target of the training rows"),
    ],
)
def test_arguments_out_of_range_are_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(ex.InputError, match=words):
        ex.gradient_boost(numbers(), **options)


def test_losses_of_other_targets_are_refused() -> None:
    with pytest.raises(ex.InputError, match="has classes, but loss 'huber' needs numbers"):
        ex.gradient_boost(classes(), loss="huber")
    with pytest.raises(ex.InputError, match="3 classes, but loss 'exponential' needs two"):
        ex.gradient_boost(classes(count=3), loss="exponential")
    with pytest.raises(ex.InputError, match="each with a score of its own"):
        ex.gradient_boost(classes(count=3), base_score=0.0)
    with pytest.raises(ex.InputError, match="needs classes"):
        ex.gradient_boost(classes(), ex.C45)


@every_loss
def test_members_keep_a_byte_per_row_and_survive_pickling(loss: str, data: ex.Dataset) -> None:
    """The targets are worked out again: exactly those that the tree was grown on, in any order of asking."""
    boosted = boosted_of(data, 4, loss=loss)
    again = pickle.loads(pickle.dumps(boosted))
    for member, copy in reversed(list(zip(boosted.members, again.members, strict=True))):
        assert copy.target is not None
        assert np.array_equal(member.target, copy.target)
        root = ex.grow(data.with_target(copy.target), boosted.recipe).stats[0]
        assert np.array_equal(root, member.tree.stats[0])
        step = boosted.members[0].__dict__["_target"].replay.steps[0]
        assert all(part.ends is not None and part.ends.nbytes == data.n_rows for part in step.steps)


def test_recipes_that_members_cannot_follow_are_refused() -> None:
    with pytest.raises(ex.InputError, match="so class_weights has no effect: remove it, and give row weights"):
        ex.gradient_boost(classes(), ex.CART.replace(class_weights={0: 3.0}))
    with pytest.raises(ex.InputError, match="so costs has no effect"):
        ex.gradient_boost(classes(), ex.CART.replace(costs={0: {1: 3.0}}))
    for build in (ex.gradient_boost, ex.adaboost, ex.c50):
        with pytest.raises(ex.InputError, match="which trees of an ensemble do not have: turn it off"):
            build(classes(), ex.CART.replace(prepruning=True))
