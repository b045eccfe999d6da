"""Warnings on features that alone tell the target: exact and near copies in tables of any size, and no false ones."""

import itertools
import math

import numpy as np
import pandas as pd
import pytest
from sklearn.tree import DecisionTreeClassifier

import explorer as ex
from explorer.data.codes import leaks as measures
from explorer.data.codes.class_intervals import told_by_intervals
from tests.oracles.tables import sample_dataset


def leaks(frame: pd.DataFrame, target: str = "y", nearly: bool = False) -> dict[str, str]:
    """The columns that leak, or nearly so, and the sentence on each."""
    features = [name for name in frame.columns if name != target]
    notes = [note for note in ex.Dataset.from_frame(frame, target, features).notes if note.is_leak]
    assert all("known before" in note.text for note in notes)
    return {note.columns[0]: note.text for note in notes if ("fine predictor" in note.text) == nearly}


def classes(rows: int, shares: tuple[float, ...], seed: int = 0) -> np.ndarray:
    counts = np.round(np.array(shares) * rows).astype(int)
    return np.random.default_rng(seed).permutation(np.repeat([f"k{i}" for i in range(len(shares))], counts))


def with_errors(y: np.ndarray, errors: int) -> np.ndarray:
    """A copy of the target with so many cells of another class."""
    names, copy = sorted(set(y)), y.copy()
    for row in range(errors):
        copy[row] = names[(names.index(y[row]) + 1) % len(names)]
    return copy


def test_a_copy_of_the_target_is_found_in_fourteen_rows():
    tennis = ex.load_sample("play_tennis").frame
    frame = tennis.assign(played=tennis["PlayTennis"].map({"Yes": "went", "No": "stayed"}))
    assert list(leaks(frame, "PlayTennis")) == ["played"]


def test_six_rows_are_too_few_to_tell_a_leak_from_chance():
    frame = pd.DataFrame({"x": list("aaabbb"), "y": list("nnnyyy")})
    assert math.comb(6, 3) * 0.05 < 2**2  # of the 20 arrangements of the classes, x describes up to 4
    assert leaks(frame) == {}


@pytest.mark.parametrize(("errors", "share"), [(0, None), (5, "99.5 %"), (9, "99.1 %"), (10, ""), (30, "")])
def test_a_near_copy_is_found_where_more_than_99_per_cent_of_the_rows_are_told(errors, share):
    y = classes(1000, (0.5, 0.5))
    found = leaks(pd.DataFrame({"x": with_errors(y, errors), "y": y}))
    if share is None:
        assert "in every row" in found["x"]
    else:
        assert (f"in {share} of the rows, each by the other rows with its value" in found["x"]) if share else not found


def test_a_share_says_how_it_is_worked_out_and_is_100_per_cent_only_for_all():
    rng, y = np.random.default_rng(3), classes(3000, (0.5, 0.5))
    copy = with_errors(y, 1)
    assert "in > 99.9 % of the rows, each by the other rows" in leaks(pd.DataFrame({"x": copy, "y": y}))["x"]
    number = np.where(copy == "k0", 1.0, 5.0) + rng.random(3000)
    assert "> 99.9 % of the rows, by one threshold, chosen on" in leaks(pd.DataFrame({"x": number, "y": y}))["x"]
    line = rng.random(3000)
    of_three = pd.DataFrame({"x": line, "y": pd.cut(line, 3, labels=["u", "v", "w"]).astype(str)})
    of_three.loc[[5, 50], "y"] = ["u" if name != "u" else "w" for name in of_three.loc[[5, 50], "y"]]
    assert "by one interval for each class, chosen on" in leaks(of_three)["x"]
    number = rng.random(3000)
    near = pd.DataFrame({"x": number, "y": number + 1e-4 * rng.normal(size=3000)})
    assert (
        "explains > 99.9 % of the variance of the target 'y', by a straight line through all rows" in leaks(near)["x"]
    )


def test_an_id_of_several_rows_is_said_to_divide_them_and_is_no_leak():
    couple = np.repeat(np.arange(60), 2)
    delay = np.repeat(np.random.default_rng(1).integers(0, 30, 60), 2)
    frame = pd.DataFrame({"couple_id": [f"B{i:03d}" for i in couple], "age": np.arange(120) % 37, "delay": delay})
    for target in (frame["delay"], frame["delay"].gt(12).map({True: "long", False: "short"})):
        data = ex.Dataset.from_frame(frame.assign(delay=target), "delay", ["couple_id", "age"])
        (note,) = [note for note in data.notes if note.is_leak]
        assert note.text.startswith("Rows with the same 'couple_id' have the same target 'delay', or nearly: divide")
        assert "known before" not in note.brief


def test_a_threshold_tells_too_and_missing_cells_are_a_side_of_their_own():
    y = classes(400, (0.4, 0.6))
    x = np.where(y == "k0", 1.0, 5.0) + np.random.default_rng(1).random(400)
    assert list(leaks(pd.DataFrame({"x": x, "y": y}))) == ["x"]
    x[y == "k0"] = np.where(np.arange((y == "k0").sum()) % 2, np.nan, x[y == "k0"])
    assert list(leaks(pd.DataFrame({"x": x, "y": y}))) == ["x"]
    x[:30] = 9.0 - x[:30]
    assert leaks(pd.DataFrame({"x": x, "y": y})) == {}


@pytest.mark.parametrize(("errors", "share"), [(60, "94.0 %"), (80, "92.0 %"), (84, ""), (200, "")])
def test_one_split_with_at_most_a_sixth_of_the_majoritys_errors_nearly_leaks(errors, share):
    y = classes(1000, (0.5, 0.5))  # the majority class misses 500, a sixth of which is 83.3
    wrong = with_errors(y, errors)
    x = np.where(wrong == "k0", 1.0, 5.0) + np.random.default_rng(1).random(1000)
    for feature in (x, wrong):
        found = leaks(pd.DataFrame({"x": feature, "y": y}), nearly=True)
        assert (f"all rows, tells the target 'y' in {share} of them" in found["x"]) if share else found == {}


def test_one_split_that_is_wrong_for_a_tenth_of_the_rows_is_no_leak_however_balanced_three_classes_are():
    """A threshold parts two classes at most; of several values each may be a class."""
    y = classes(300, (0.34, 0.33, 0.33))
    number = np.array([float(name[1]) for name in y])
    number += np.random.default_rng(3).normal(0, 0.2, 300)
    assert leaks(pd.DataFrame({"x": number, "y": y}), nearly=True) == {}
    assert list(leaks(pd.DataFrame({"x": with_errors(y, 20), "y": y}), nearly=True)) == ["x"]


@pytest.mark.parametrize("made", [np.log, lambda y: -np.sqrt(y), lambda y: np.log(y).round(2)])
def test_a_number_in_the_order_of_a_numeric_target_leaks_it(made):
    draw = np.random.default_rng(8)
    y = np.round(draw.lognormal(3.0, 1.0, 300), 1)
    frame = pd.DataFrame({"copy": made(y), "other": y + draw.normal(0, 9, 300), "y": y})
    frame.loc[draw.random(300) < 0.2, "copy"] = np.nan
    assert list(leaks(frame)) == ["copy"]
    known = np.flatnonzero(frame["copy"].notna())
    low, high = known[y[known].argmin()], known[y[known].argmax()]
    frame.loc[[low, high], "copy"] = frame.loc[[high, low], "copy"].to_numpy()
    assert leaks(frame) == {}, "two rows are out of order"


@pytest.mark.parametrize(
    ("rows", "bins", "is_found"), [(300, 3, True), (900, 7, True), (9_000, 3, True), (9, 3, False)]
)
def test_classes_cut_from_a_number_are_leaked_by_it_and_by_what_rises_with_it(rows, bins, is_found):
    rng = np.random.default_rng(rows)
    y = rng.lognormal(size=rows)
    names = rng.permutation([f"class {i}" for i in range(bins)])
    frame = pd.DataFrame({"price": y, "in euros": np.round(-0.9 * y, 2), "area": y + rng.normal(size=rows)})
    frame["y"] = names[pd.qcut(y, bins, labels=False)]
    frame.loc[rng.choice(rows, rows // 300, replace=False), "price"] = np.nan
    assert list(leaks(frame)) == (["price", "in euros"] if is_found else [])
    wrong = rng.choice(rows, rows // 50, replace=False)
    frame.loc[wrong, ["price", "in euros"]] = frame.loc[rng.permutation(wrong), ["price", "in euros"]].to_numpy()
    assert leaks(frame) == {} or not is_found


def test_the_best_intervals_are_those_of_all_intervals():
    rng = np.random.default_rng(3)
    for _ in range(40):
        n_values, codes, y = 7, rng.integers(0, 7, 30).astype(np.int32), rng.integers(0, 4, 30)
        order = rng.permutation(4)
        most = max(
            sum(y[row] == order[np.searchsorted(cuts, codes[row], side="right")] for row in range(30))
            for cuts in itertools.combinations_with_replacement(range(n_values + 1), 3)
        )
        assert told_by_intervals(codes, y, n_values, order) == most
        assert told_by_intervals(codes, y, n_values, order, is_grouped=True) >= most


@pytest.mark.parametrize("sample", ["iris", "penguins", "titanic", "credit_g"])
def test_good_predictors_of_the_samples_are_no_near_leaks(sample):
    assert not [note for note in sample_dataset(sample).notes if note.is_leak]


@pytest.mark.parametrize("rows", [400, 9_000])
def test_a_near_leak_is_the_best_stump_of_scikit_learn(rows):
    """With many rows the features far from one are cleared by some of them."""
    rng = np.random.default_rng(rows)
    y = rng.integers(0, 2, rows)
    frame = pd.DataFrame(
        {f"x{i}": y + rng.normal(0, spread, rows) for i, spread in enumerate((0.24, 0.3, 0.34, 0.5, 2))}
    )
    expected = {}
    for name in frame:
        stump = DecisionTreeClassifier(max_depth=1).fit(frame[[name]], y)
        wrong = int((stump.predict(frame[[name]]) != y).sum())
        if wrong <= min(0.1 * rows, min(y.sum(), rows - y.sum()) / 6):
            expected[name] = wrong
    found = [note for note in ex.Dataset.from_frame(frame.assign(y=y), "y").notes if note.is_leak]
    assert 0 < len(expected) < 5
    assert [note.columns[0] for note in found] == list(expected)


def test_a_majority_of_99_5_per_cent_makes_no_column_a_leak():
    rng = np.random.default_rng(2)
    y = classes(10_000, (0.995, 0.005))
    frame = pd.DataFrame({"few": rng.choice(list("ab"), 10_000), "many": rng.integers(0, 5000, 10_000).astype(str),
                          "x": rng.random(10_000), "y": y})  # fmt: skip
    assert leaks(frame) == {}
    half_told = np.where((y == "k1") & (np.arange(10_000) % 2 == 0), "rare", "usual")
    assert leaks(frame.assign(half=half_told)) == {}
    assert list(leaks(frame.assign(copy=np.where(y == "k1", "rare", "usual")))) == ["copy"]


@pytest.mark.parametrize("rows", [10, 14, 20, 40, 100, 400])
def test_random_features_are_no_leaks_however_many_values_they_have(rows):
    rng = np.random.default_rng(rows)
    for seed in range(20):
        frame = pd.DataFrame(
            {f"c{values}": rng.integers(0, values, rows).astype(str) for values in (2, 3, rows // 3, rows // 2)}
            | {"numbers": rng.random(rows), "y": classes(rows, (0.5, 0.5), seed)}
        )
        assert leaks(frame) == {}


def test_a_many_valued_copy_is_named_a_leak_rather_than_many_valued():
    y = classes(3000, (0.5, 0.5))
    frame = pd.DataFrame({"x": [f"{name}-{i % 40}" for i, name in enumerate(y)], "y": y})
    assert list(leaks(frame)) == ["x"]


def test_a_numeric_target_is_leaked_by_a_linear_copy_or_its_code():
    rng = np.random.default_rng(3)
    y = np.round(rng.normal(50.0, 10.0, 200), 1)
    group = rng.integers(0, 8, 200)
    frame = pd.DataFrame({"fahrenheit": 1.8 * y + 32.0, "near": y + rng.normal(0, 1.0, 200), "other": rng.random(200)})
    assert list(leaks(frame.assign(y=y))) == ["fahrenheit"]
    by_group = pd.DataFrame({"group": [f"g{g}" for g in group], "noise": rng.random(200), "y": (group**2) + 0.5})
    assert list(leaks(by_group)) == ["group"]


@pytest.mark.parametrize("rows", [40, 400, 9_000])
def test_a_numeric_target_is_nearly_leaked_by_what_explains_nine_tenths_of_its_variance(rows):
    """As NumPy correlates them: the mean of two columns is all but told by either."""
    rng = np.random.default_rng(rows)
    y = rng.normal(50.0, 10.0, rows)
    frame = pd.DataFrame({f"x{i}": y + rng.normal(0, spread, rows) for i, spread in enumerate((1, 2, 3, 3.6, 5, 9))})
    expected = [name for name in frame if np.corrcoef(frame[name], y)[0, 1] ** 2 >= 0.9]
    assert 0 < len(expected) < 6
    assert list(leaks(frame.assign(y=y), nearly=True)) == expected
    assert leaks(frame.assign(y=y)) == {}


@pytest.mark.parametrize(
    ("rows", "bins", "is_found"), [(300, 3, True), (300, 2, True), (10, 3, False), (60, 20, False)]
)
def test_bins_of_a_numeric_target_leak_it(rows, bins, is_found):
    y = np.random.default_rng(rows).lognormal(size=rows)
    frame = pd.DataFrame({"bin": pd.qcut(y, bins).astype(str), "y": y})
    assert list(leaks(frame)) == (["bin"] if is_found else [])
    swapped = frame["bin"].to_numpy(copy=True)
    low, high = np.argmin(y), np.argmax(y)
    swapped[[low, high]] = swapped[[high, low]]
    assert leaks(frame.assign(bin=swapped)) == {}, "one row is in the wrong interval"


def test_the_mean_of_a_value_explains_the_target_by_the_other_rows_only():
    """Two far rows of one value are all but told by their mean, which explains 94 % of the variance."""
    rng = np.random.default_rng(6)
    code = np.append(np.repeat(["p", "q"], 60), ["far", "far"])
    y = np.append(rng.normal(size=120), [100.0, 60.0])
    within = sum(np.square(y[code == name] - y[code == name].mean()).sum() for name in set(code))
    assert 1.0 - within / np.square(y - y.mean()).sum() > 0.93
    assert leaks(pd.DataFrame({"code": code, "y": y}), nearly=True) == {}


@pytest.mark.parametrize(
    ("time", "target", "is_named"),
    [("time", "status", True), ("futime", "fustat", True), ("Survival_Time", "death", True), ("tenure", "Churn", True),
     ("duration", "observed", True), ("stop", "event", True), ("start", "event", True), ("TIME0", "EVENT", True),
     ("daysanysub", "anysub", True), ("dayslink", "linkstatus", True), ("weekday", "day", False),
     ("days", "cens", True), ("diff_days", "observed", True), ("days", "rented", False), ("birthdays", "event", False),
     ("lenfol", "fstat", True), ("rtime", "recur", True),
     ("pgtime", "pgstat", True), ("ptime", "death", True), ("bedtime", "event", False),
     ("TIME1", "EVENT", True), ("start", "species", False), ("restart", "event", False),
     ("time", "species", False), ("age", "status", False), ("lifetime", "status", False)],
)  # fmt: skip
def test_a_follow_up_time_is_asked_about_by_its_name(time, target, is_named):
    rng = np.random.default_rng(4)
    frame = pd.DataFrame({time: rng.integers(1, 40, 200), "x": rng.random(200), target: classes(200, (0.5, 0.5))})
    assert list(leaks(frame, target)) == ([time] if is_named else [])


@pytest.mark.parametrize(
    ("name", "target", "is_named"),
    [("recur", "death", True), ("rtime", "death", True), ("dtime", "death", True), ("death", "recur", True),
     ("recur", "dtime", True), ("rtime", "dtime", True), ("status", "time", True), ("os_months", "os_status", True),
     ("time_to_death", "died", True), ("date_of_last_contact", "status", True), ("deaths", "price", False),
     ("time.to.transplant", "death", True), ("days_to_ship", "price", False),
     ("rectime", "death", True), ("censrec", "death", True), ("deathdate", "died", True), ("record", "death", False),
     ("status", "income", False), ("grade", "death", False), ("chemo", "dtime", False), ("year", "time", False),
     ("birthdate", "died", False),
     ("month", "status", False), ("event", "bedtime", False)],
)  # fmt: skip
def test_other_events_and_times_of_a_follow_up_are_asked_about_by_their_names(name, target, is_named):
    rng = np.random.default_rng(4)
    y = classes(200, (0.5, 0.5)) if target in ("death", "recur", "status", "died", "os_status") else rng.random(200)
    frame = pd.DataFrame({name: rng.integers(0, 2, 200), "x": rng.random(200), target: y})
    assert list(leaks(frame, target)) == ([name] if is_named else [])


@pytest.mark.parametrize(
    ("made", "is_found"),
    [
        (lambda rate: rate.diff(), True),
        (lambda rate: np.log(rate).diff(), True),
        (lambda rate: 100 * rate.pct_change(), True),
        (lambda rate: np.log(rate).diff().where(np.arange(len(rate)) % 7 > 0), True),  # of a panel
        (lambda rate: rate.shift(), False),  # known before
        (lambda rate: rate.diff().shift(), False),
        (lambda rate: rate.diff().sample(frac=1, random_state=1, ignore_index=True), False),
    ],
)
def test_the_change_of_a_numeric_target_from_the_row_above_leaks_it(made, is_found):
    rng = np.random.default_rng(3)
    rate = pd.Series(rng.gamma(4, size=140))
    found = leaks(pd.DataFrame({"crate": made(rate), "x": rng.random(140), "rate": rate}), "rate")
    assert list(found) == (["crate"] if is_found else [])
    assert not is_found or "change" in found["crate"]


def test_of_few_rows_a_line_near_all_points_is_no_near_leak():
    rows = np.arange(24.0)
    assert leaks(pd.DataFrame({"x": rows, "y": rows + np.sin(rows)}), nearly=True) == {}


def test_the_value_table_of_many_classes_counts_the_other_rows_with_a_value():
    rng = np.random.default_rng(5)
    y = np.array([f"k{i:02d}" for i in rng.integers(0, 60, 1200)])
    copy = np.array([f"{name}{i % 3}" for i, name in enumerate(y)])
    assert list(leaks(pd.DataFrame({"x": copy, "y": y}))) == ["x"]
    copy[:24] = [f"once {i}" for i in range(24)]
    assert leaks(pd.DataFrame({"x": copy, "y": y})) == {}


@pytest.mark.parametrize("key", list(ex.SAMPLES))
def test_no_built_in_table_leaks(key):
    """The only two that one split all but tells are known for it."""
    known = {"vote": ["physician-fee-freeze"], "mushroom": ["odor"]}
    notes = [note for note in sample_dataset(key).notes if note.is_leak]
    assert [note.columns[0] for note in notes] == known.get(key, [])
    assert all("fine predictor" in note.text for note in notes)


def fewest_errors(x: np.ndarray, y: np.ndarray) -> int:
    """Errors of the value table, where the other rows tell each row, or of the best threshold, if that has fewer."""
    same_value = (x[:, None] == x) | (np.isnan(x)[:, None] & np.isnan(x))
    np.fill_diagonal(same_value, False)
    low, high = y == "low", y == "high"
    difference = same_value @ low.astype(int) - same_value @ high.astype(int)
    by_table = np.count_nonzero(~np.where(low, difference > 0, difference < 0))
    missing = max(np.count_nonzero(np.isnan(x) & low), np.count_nonzero(np.isnan(x) & high))
    cuts = x[~np.isnan(x)][:, None]
    right = np.maximum(
        ((x <= cuts) & low | (x > cuts) & high).sum(axis=1), ((x <= cuts) & high | (x > cuts) & low).sum(axis=1)
    )
    return min(by_table, len(y) - missing - right.max())


@pytest.mark.parametrize("errors", [0, 1, 3, 4, 5, 8])
@pytest.mark.parametrize("n_values", [4, 40, 400])
@pytest.mark.parametrize("arranged", ["mixed", "sorted by the target", "errors last"])
def test_numbers_that_leak_are_those_with_fewer_errors_than_one_per_cent(n_values, errors, arranged):
    rng, rows = np.random.default_rng([n_values, errors]), np.arange(400)
    x = (rows % n_values).astype(float)
    y = np.where(x < n_values // 2, "low", "high")
    wrong = 10 + 20 * np.arange(errors)
    y[wrong] = np.where(y[wrong] == "low", "high", "low")
    x[rng.choice(np.setdiff1d(rows, wrong), 5, replace=False)] = np.nan
    orders = {
        "mixed": rng.permutation(400),
        "sorted by the target": np.argsort(y, kind="stable"),
        "errors last": np.append(np.setdiff1d(rows, wrong), wrong),
    }
    x, y = x[orders[arranged]], y[orders[arranged]]
    assert (list(leaks(pd.DataFrame({"x": x, "y": y}))) == ["x"]) == (fewest_errors(x, y) < 4)


@pytest.mark.parametrize("kind", ["classes", "three classes", "numbers"])
def test_features_that_do_not_leak_are_cleared_by_an_eighth_of_the_rows(kind, monkeypatch):
    rng, rows_looked_at = np.random.default_rng(8), []
    frame = pd.DataFrame({"few": rng.integers(0, 10, 4000), "some": rng.integers(0, 90, 4000), "all": rng.random(4000)})
    y = frame["few"] * frame["all"] + rng.normal(size=4000)
    classes = np.where(y > 2, "p", "q") if kind == "classes" else np.array(["p", "q", "r"])[pd.qcut(y, 3, labels=False)]
    data = ex.Dataset.from_frame(frame.assign(y=y if kind == "numbers" else classes), "y")
    for name in ("_told_by_table", "_told_by_threshold", "told_by_intervals", "_squared_correlation", "_left_by_means"):
        whole = getattr(measures, name)
        monkeypatch.setattr(measures, name, lambda *a, whole=whole: rows_looked_at.append(len(a[1])) or whole(*a))
    assert not any("known before" in note.text for note in data.notes)
    assert max(rows_looked_at, default=0) <= 500


def test_repeated_rows_are_counted_as_pandas_counts_them():
    rng = np.random.default_rng(9)
    for seed in range(20):
        frame = pd.DataFrame({
            "a": rng.choice([0.0, -0.0, 1.0, np.nan], 60), "b": rng.choice(["u", "v", None], 60),
            "y": rng.choice([-0.0, 0.0, 2.5], 60) if seed % 2 else rng.choice(["p", "q"], 60),
        })  # fmt: skip
        data = ex.Dataset.from_frame(frame, "y", ["a", "b"])
        expected = int(frame.duplicated().sum())
        assert [note.text for note in data.notes if "repeat" in note.text] == [
            f"{expected} of 60 rows repeat an earlier row in all features and the target."
        ]
