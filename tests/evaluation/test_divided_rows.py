"""Groups, times and columns of sets: parts and folds beside scikit-learn's, and no group on two sides of any method."""

import datetime

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.model_selection import GroupKFold, StratifiedGroupKFold, TimeSeriesSplit

import explorer as ex
from explorer.ensembles.left_out import cross_validated_score
from explorer.ensembles.out_of_bag import out_of_bag
from explorer.evaluation import learning_curve, paired_scores, subset_trees
from explorer.evaluation.folds import folds_for, folds_of, one_left_out
from explorer.evaluation.out_of_fold import out_of_fold
from explorer.growing.grow_many import Presorted


def table(n_rows, n_groups, seed, numeric=False):
    """Rows of groups of different sizes whose classes go with the group, and a date that repeats."""
    random = np.random.default_rng(seed)
    group = random.integers(n_groups, size=n_rows) * random.integers(1, 3, size=n_rows) // 2
    y = random.random(n_rows) < 0.2 + 0.6 * (group % 3 == 0)
    days = pd.Timestamp("2020-01-01") + pd.to_timedelta(random.integers(n_rows // 2 + 4, size=n_rows), "D")
    columns = {"x": random.integers(5, size=n_rows), "z": random.random(n_rows).round(2), "id": group, "day": days}
    return pd.DataFrame({**columns, "y": random.random(n_rows) if numeric else np.where(y, "yes", "no")})


def dataset(frame, **division):
    return ex.Dataset.from_frame(frame, "y", ["x", "z"], **division)


class TestFoldsByGroup:
    @pytest.mark.parametrize("seed", range(12))
    @pytest.mark.parametrize("folds", [2, 3, 7])
    def test_classes_are_dealt_out_as_by_stratified_group_k_fold(self, seed, folds):
        frame = table(150, 20, seed)
        splitter = StratifiedGroupKFold(folds, shuffle=True, random_state=seed)
        expected = np.empty(len(frame), dtype=int)
        for number, (_, held_out) in enumerate(splitter.split(frame, frame["y"], frame["id"])):
            expected[held_out] = number
        assert folds_of(dataset(frame, groups="id"), folds, seed).tolist() == expected.tolist()

    @pytest.mark.parametrize("seed", range(6))
    def test_folds_of_numbers_have_the_sizes_of_group_k_fold(self, seed):
        frame = table(150, 20, seed, numeric=True)
        expected = [len(held_out) for _, held_out in GroupKFold(5).split(frame, groups=frame["id"])]
        counts = np.bincount(folds_of(dataset(frame, groups="id"), 5, seed))
        assert sorted(counts) == sorted(expected)

    def test_more_folds_than_groups_are_refused(self):
        with pytest.raises(ex.InputError, match="'id' has 3 values in these rows, and 4 are needed"):
            folds_of(dataset(table(30, 3, 0), groups="id"), 4)

    def test_given_folds_that_tear_a_group_are_refused(self):
        data = dataset(table(30, 3, 0), groups="id")
        with pytest.raises(ex.InputError, match="A group of 'id' has rows in two parts"):
            folds_for(data, np.arange(30), 0)
        assert folds_for(data, one_left_out(data), 0).names.size == 3


class TestFoldsByTime:
    @pytest.mark.parametrize("n_rows", [11, 40, 101])
    @pytest.mark.parametrize("folds", [2, 5])
    def test_they_are_those_of_time_series_split(self, n_rows, folds):
        frame = table(n_rows, 4, n_rows)
        frame["day"] = pd.Timestamp("2020-01-01") + pd.to_timedelta(
            np.random.default_rng(1).permutation(n_rows), "D"
        )  # every day once
        order = np.argsort(frame["day"].to_numpy())
        made = list(folds_for(dataset(frame, time="day"), folds, 0).subsets())
        expected = list(TimeSeriesSplit(folds).split(order))
        assert len(made) == len(expected)
        for (train, held_out), (train_places, held_out_places) in zip(made, expected, strict=True):
            assert np.flatnonzero(train).tolist() == sorted(order[train_places].tolist())
            assert np.flatnonzero(held_out).tolist() == sorted(order[held_out_places].tolist())

    @pytest.mark.parametrize("window", [{"gap": 3}, {"max_train_size": 7}, {"max_train_size": 9, "gap": 5}])
    def test_windows_are_those_of_time_series_split(self, window):
        frame = table(40, 4, 2)
        frame["day"] = np.random.default_rng(2).permutation(40)
        order = np.argsort(frame["day"].to_numpy())
        made = list(folds_for(dataset(frame).with_time("day", **window), 4, 0).subsets())
        for (train, held_out), places in zip(made, TimeSeriesSplit(4, **window).split(order), strict=True):
            assert np.flatnonzero(train).tolist() == sorted(order[places[0]].tolist())
            assert np.flatnonzero(held_out).tolist() == sorted(order[places[1]].tolist())

    @pytest.mark.parametrize(("gap", "most"), [(0, None), (4, None), (0, 9), (3, 8)])
    def test_a_window_has_all_rows_of_a_time_or_none(self, gap, most):
        frame = table(60, 4, 5)
        frame["day"] = np.random.default_rng(5).integers(0, 15, 60)
        data = dataset(frame).with_time("day", gap=gap, max_train_size=most)
        for train, held_out in folds_for(data, 3, 0).subsets():
            before = frame["day"] < frame["day"][held_out].min()
            days = frame["day"].value_counts()
            ends = [day for day in days.index if days[days.index <= day].sum() <= before.sum() - gap]
            last = max(ends)
            size = {day: days[(days.index >= day) & (days.index <= last)].sum() for day in days.index if day <= last}
            first = min(day for day, rows in size.items() if most is None or rows <= most)
            assert train.tolist() == frame["day"].between(first, last).tolist()

    def test_a_window_without_rows_is_refused_and_one_that_is_no_number(self):
        data = dataset(table(12, 4, 0).assign(day=range(12)))
        with pytest.raises(ex.InputError, match="No row of 'day' is left to grow on"):
            list(folds_for(data.with_time("day", gap=10), 3, 0).subsets())
        with pytest.raises(ValueError, match="Too many splits"):
            list(TimeSeriesSplit(3, gap=10).split(np.arange(12)))
        for window in ({"gap": -1}, {"gap": 1.5}, {"max_train_size": 0}):
            with pytest.raises(ex.InputError, match="whole numbers of rows"):
                data.with_time("day", **window)

    def test_given_folds_out_of_order_are_refused(self):
        data = dataset(table(6, 2, 0).assign(day=[1, 2, 3, 4, 5, 6]), time="day")
        assert folds_for(data, [0, 0, 1, 1, 2, 2], 0).of_row.tolist() == [-1, -1, 0, 0, 1, 1]
        with pytest.raises(ex.InputError, match="do not follow each other in the time of 'day'"):
            folds_for(data, [0, 1, 0, 1, 2, 2], 0)


class TestSets:
    @pytest.mark.parametrize("seed", range(8))
    def test_halves_and_thirds_are_stratified_group_folds(self, seed):
        frame = table(120, 15, seed)
        for shares in ([0.5], [1 / 3, 1 / 3]):
            parts = dataset(frame, groups="id").split(*shares, seed=seed)
            splitter = StratifiedGroupKFold(len(shares) + 1, shuffle=True, random_state=seed)
            folds = splitter.split(frame, frame["y"], frame["id"])
            assert [part.row_numbers.tolist() for part in parts] == [held_out.tolist() for _, held_out in folds]

    def test_many_groups_keep_to_the_shares_of_rows_and_classes(self):
        frame = table(3000, 600, 0)
        train, valid, test = dataset(frame, groups="id").split(0.6, 0.2)
        share_of_yes = (frame["y"] == "yes").mean()
        for part, share in ((train, 0.6), (valid, 0.2), (test, 0.2)):
            assert part.n_rows / 3000 == pytest.approx(share, abs=0.005)
            assert (part.y == part.classes.index("yes")).mean() == pytest.approx(share_of_yes, abs=0.01)

    def test_each_set_has_a_group_though_one_has_most_rows(self):
        frame = pd.DataFrame({"x": [1, 2] * 10, "z": 1.5, "id": [0] * 18 + [1, 2], "y": ["yes", "no"] * 10})
        assert all(part.n_rows for part in ex.Dataset.from_frame(frame, "y", ["x"], groups="id").split(0.8, 0.1))
        with pytest.raises(ex.InputError, match="'id' has 1 value in these rows, and 2 are needed"):
            ex.Dataset.from_frame(frame.assign(id=7), "y", ["x"], groups="id").split(0.5)

    def test_by_time_as_pandas_sorts(self):
        frame = table(200, 4, 3)
        train, valid, test = dataset(frame, time="day").split(0.5, 0.25)
        assert train.frame["day"].max() < valid.frame["day"].min()
        assert valid.frame["day"].max() < test.frame["day"].min()
        most = frame["day"].value_counts().max()
        assert abs(train.n_rows - 100) <= most
        assert abs(valid.n_rows - 50) <= 2 * most

    @pytest.mark.parametrize("moment", ["2020-02-10", datetime.date(2020, 2, 10), pd.Timestamp("2020-02-10")])
    def test_before_and_from_a_date_on(self, moment):
        frame = table(200, 4, 3)
        before, after = dataset(frame, time="day").split_at(moment)
        is_before = frame["day"] < "2020-02-10"
        assert before.row_numbers.tolist() == np.flatnonzero(is_before).tolist()
        assert after.row_numbers.tolist() == np.flatnonzero(~is_before).tolist()

    def test_text_of_dates_is_in_the_order_of_the_dates(self):
        frame = table(60, 4, 3)
        text = frame["day"].dt.strftime("%Y-%m-%dT%H:%M+02:00")
        as_dates, as_text = dataset(frame, time="day"), dataset(frame.assign(day=text), time="day")
        assert as_text.division.codes.tolist() == as_dates.division.codes.tolist()
        before = as_text.split_at("2020-01-20T00:00+02:00")[0]
        assert before.row_numbers.tolist() == np.flatnonzero(frame["day"] < "2020-01-20").tolist()

    def test_dates_that_leave_a_set_empty_or_are_none(self):
        data = dataset(table(50, 4, 3), time="day")
        for times, words in (
            (["1999-01-01"], "No row of 'day' is in set 1 of 2"),
            (["soon"], "'soon' is no date"),
            (["2020-01-09", "2020-01-05"], "do not ascend"),
            ([], "not at 0"),
        ):
            with pytest.raises(ex.InputError, match=words):
                data.split_at(*times)

    def test_by_a_column_as_pandas_groups(self):
        frame = table(90, 4, 1)
        frame["set"] = np.random.default_rng(0).choice(["test", "train", "valid"], 90)
        parts = ex.Dataset.from_frame(frame, "y").split_by("set", ["train", "valid", "test"])
        counts = frame["set"].value_counts()
        assert [part.n_rows for part in parts] == [counts["train"], counts["valid"], counts["test"]]
        assert all(
            (part.frame["set"] == name).all() for part, name in zip(parts, ["train", "valid", "test"], strict=True)
        )
        assert all("set" not in [feature.name for feature in part.features] for part in parts)
        assert [part.n_rows for part in dataset(frame).split_by("set")] == counts.sort_index().tolist()

    def test_columns_that_name_no_sets(self):
        frame = table(40, 4, 1).assign(set=["a", "b"] * 20)
        with pytest.raises(ex.InputError, match="has two or three"):
            dataset(frame).split_by("z")
        with pytest.raises(ex.InputError, match="no value in 1 row"):
            dataset(frame.assign(set=[None, *["a", "b"] * 19, "a"])).split_by("set")
        with pytest.raises(ex.InputError, match="A group of 'id' has rows in two parts"):
            dataset(frame, groups="id").split_by("set")

    def test_rows_without_a_group_are_one_group(self):
        frame = table(60, 9, 5)
        frame["id"] = frame["id"].where(frame["id"] != 2)
        parts = dataset(frame, groups="id").split(0.5)
        assert sum(part.frame["id"].isna().any() for part in parts) == 1

    def test_text_has_no_time_and_each_row_needs_one(self):
        frame = table(40, 4, 1)
        with pytest.raises(ex.InputError, match="neither dates nor numbers"):
            dataset(frame.assign(day="spring"), time="day")
        with pytest.raises(ex.InputError, match="no value in 1 row"):
            dataset(frame.assign(day=frame["day"].where(frame.index > 0)), time="day")
        with pytest.raises(ex.InputError, match="not by both"):
            dataset(frame, time="day", groups="id")


def test_groups_as_values_are_groups_by_column():
    frame = table(80, 9, 2)
    frame.loc[3, "y"] = None  # left out
    by_name, by_value = dataset(frame, groups="id"), dataset(frame, groups=frame["id"].to_numpy())
    assert by_name.n_rows == 79
    for one, other in zip(by_name.split(0.6, seed=4), by_value.split(0.6, seed=4), strict=True):
        assert one.row_numbers.tolist() == other.row_numbers.tolist()
    assert by_name.fingerprint == by_value.fingerprint != dataset(frame).fingerprint


def test_a_dividing_column_is_no_feature_unless_chosen():
    frame = table(40, 4, 1)
    for division, role in (({"groups": "id"}, "groups"), ({"time": "day"}, "time")):
        (column,) = division.values()
        data = ex.Dataset.from_frame(frame, "y", **division)
        assert column not in [feature.name for feature in data.features]
        assert {about.name: about.role for about in data.columns}[column] == role
        chosen = ex.Dataset.from_frame(frame, "y", ["x", column], **division)
        assert [feature.name for feature in chosen.features] == ["x", column]


def test_several_targets_are_divided_like_the_first():
    frame = table(80, 9, 2).assign(second=np.arange(80.0), set=["a", "b"] * 40)
    frame.loc[3, "second"] = None  # left out
    kept = frame.drop(index=3)
    for division, split in (
        ({"groups": "id"}, lambda data: data.split(0.5, 0.25, seed=3)),
        ({"time": "day"}, lambda data: data.split(0.5)),
        ({"time": "day"}, lambda data: data.split_at("2020-01-20")),
        ({}, lambda data: data.split_by("set", ["b", "a"])),
    ):
        parts = split(ex.MultiOutputData.from_frame(frame, ["y", "second"], ["x", "z", "set"], **division))
        alone = split(ex.Dataset.from_frame(kept, "y", ["x", "z"], **division))
        for part, one in zip(parts, alone, strict=True):
            numbers = kept.index[one.row_numbers].tolist()
            assert all(of_target.row_numbers.tolist() == numbers for of_target in part.outputs)
            assert all(("set" in str(of_target.features)) == bool(division) for of_target in part.outputs)
    with pytest.raises(ex.InputError, match="is the target, so it cannot divide"):
        ex.MultiOutputData.from_frame(frame, ["y", "id"], groups="id")


def torn(groups, *sides):
    """The groups that have rows on two of these sides."""
    sets = [set(groups[side].tolist()) for side in sides]
    return set.union(*(a & b for i, a in enumerate(sets) for b in sets[i + 1 :])) if len(sets) > 1 else set()


@pytest.mark.law
@given(st.integers(0, 10_000), st.integers(3, 12), st.booleans())
@settings(deadline=None)
def test_no_group_stands_in_two_parts_of_any_method(seed, n_groups, numeric):
    """What methods grow on and hold out is watched where trees are grown, or read from their results."""
    frame = table(60, n_groups, seed, numeric)
    if frame["y"].nunique() < 2 or frame["id"].nunique() < 3:
        return
    data = dataset(frame, groups="id")
    groups = frame["id"].to_numpy()

    parts = data.split(0.5, 0.25, seed=seed)
    assert not torn(groups, *(part.row_numbers for part in parts))
    assert sum(part.n_rows for part in parts) == 60

    made = ex.stability(data, ex.CART, 4, seed=seed)
    subsample = ex.stability(data, ex.CART, 4, method="subsample", seed=seed)
    left_out = ex.stability(data, ex.CART, "leave-1-out")
    assert left_out.n_resamples == frame["id"].nunique()
    for resampled in (made, subsample, left_out):
        for index in range(resampled.n_resamples):
            times = pd.Series(resampled.resampling.times(index)).groupby(groups)
            assert (times.nunique() == 1).all()  # a group is drawn as a whole

    forest = ex.forest(data, n_estimators=5, seed=seed)
    boosted = ex.gradient_boost(data, n_estimators=3, subsample=0.5, seed=seed)
    for member in (*forest.members, *boosted.members):
        if member.weights is not None:
            assert not torn(groups, member.weights > 0, member.weights == 0)
    if any((member.weights == 0).any() for member in forest.members):
        answered = out_of_bag(forest).counts
        expected = sum((member.weights == 0).astype(int) for member in forest.members)
        assert answered.tolist() == expected.tolist()


@pytest.mark.law
@given(st.integers(0, 10_000), st.sampled_from(["groups", "time"]), st.integers(30, 90), st.booleans())
@settings(deadline=None)
def test_methods_with_folds_grow_on_no_row_of_a_held_out_group_and_on_no_later_one(seed, kind, n_rows, numeric):
    """Cross-validated pruning, predictions, learning curve, paired differences, costs of limits, ensembles in folds."""
    frame = table(n_rows, 8, seed, numeric)
    if frame["y"].nunique() < 2 or frame["id"].nunique() < 3:
        return
    data, seen = dataset(frame, **{kind: "id" if kind == "groups" else "day"}), []
    divided = folds_for(data, 3, seed)

    def check(train, held_out):
        seen.append(len(held_out.row_numbers))
        if kind == "groups":
            assert not set(train.frame["id"]) & set(held_out.frame["id"])
        else:
            assert train.frame["day"].max() < held_out.frame["day"].min()

    def watched(data, recipe, subsets, *rest, **more):
        kept = list(subsets)
        for train, held_out in kept:
            check(data.take(train), data.take(held_out))
        return with_each_tree(data, recipe, kept, *rest, **more)

    grown, with_each_tree, grow = [], subset_trees.with_each_tree, ex.grow

    def noted(train, recipe, *rest, **more):
        grown.append(train)
        return grow(train, recipe, *rest, **more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(learning_curve, "with_each_tree", watched)
        patch.setattr("explorer.evaluation.cross_validation.with_each_tree", watched)
        patch.setattr(paired_scores, "grow", noted)

        folded = ex.cross_validate_path(data, ex.CART, 3, seed)
        n_held_out = sum(seen)
        assert folded.n_folds == len(seen) == 3
        assert n_held_out == (n_rows if kind == "groups" else np.count_nonzero(divided.held_out))
        metric = "mse" if numeric else "accuracy"
        predicted = out_of_fold(data, ex.CART, 0, 3, seed)
        assert len(predicted.rows) == n_held_out
        assert folded.mean[0] == pytest.approx(predicted.evaluation.scores[metric].value)

        seen.clear()
        ex.learning_curve(data, ex.CART, [0.5, 1.0], 3, seed)
        assert len(seen) == 6

        paired = paired_scores.paired_scores(data, [ex.CART, ex.CART.replace(max_depth=1)], 3, seed)
        assert paired.losses.shape == (2, n_held_out)
        assert paired.loss(0)[0] == pytest.approx(folded.mean[0] if numeric else 1 - folded.mean[0])
        for fold, (train, held_out) in enumerate(divided.subsets()):
            assert grown[2 * fold].row_numbers.tolist() == np.flatnonzero(train).tolist()
            check(grown[2 * fold + 1], data.take(held_out))

    members = []
    cross_validated_score(
        data, lambda rows: members.append(rows) or ex.bagging(rows, n_estimators=2, seed=seed), 3, seed
    )
    for rows, (_, held_out) in zip(members, divided.subsets(), strict=True):
        check(rows, data.take(held_out))


def test_presorted_columns_grow_on_the_rows_of_a_fold():
    """`with_each_tree` takes masks as the folds give them."""
    data = dataset(table(40, 6, 0), groups="id")
    train, _ = next(iter(folds_for(data, 3, 0).subsets()))
    assert Presorted(data, ex.CART).grow_rows(train).weight[0] == train.sum()
