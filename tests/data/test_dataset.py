"""A table → typed, encoded columns: kinds, what is left out and why, notes, errors, splits."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import explorer as ex
from explorer.data.codes.likely_target import likely_targets
from explorer.data.dataset import Dataset
from explorer.data.notes import grouped
from explorer.data.source_column import FrameRows

N = 24


def people(**extra) -> pd.DataFrame:
    """A harmless table of 24 rows: an age, a town, and the class; extra columns are added."""
    frame = pd.DataFrame(
        {
            "age": [30.5, 41, 22, 35, 58, 63, 47, 29, 33, 51, 44, 38] * 2,
            "town": ["Ulm", "Rom", "Ulm", "Bern"] * 6,
            "buys": ["no", "yes", "yes", "no", "yes", "no"] * 4,
        }
    )
    return frame.assign(**extra)


def from_people(target: str = "buys", features=None, kinds=None, weights=None, classes=None, **extra) -> ex.Dataset:
    """A data set from the harmless table."""
    return ex.Dataset.from_frame(people(**extra), target, features, kinds, weights, classes)


def column(data: ex.Dataset, name: str):
    """The facts of one column of the table."""
    return next(info for info in data.columns if info.name == name)


def names(data: ex.Dataset) -> list[str]:
    """The features' names in order."""
    return [feature.name for feature in data.features]


def all_notes(data: ex.Dataset) -> str:
    """Every note in one text."""
    return "\n".join(note.text for note in data.notes)


# -- kinds -----------------------------------------------------------------------------------------------------------


def test_kinds_are_inferred_and_columns_keep_their_order():
    data = from_people()
    assert [(f.name, f.kind) for f in data.features] == [("age", "numeric"), ("town", "categorical")]
    assert data.n_rows == N
    assert not data.is_regression
    assert data.classes == ("no", "yes")


@pytest.mark.parametrize("marker", ["?", "", "NA", "NaN", "nan", None, np.nan])
def test_markers_of_missing_cells_among_numbers_and_missing_cells_among_words(marker):
    """A frame has missing cells of its own, so that "NA" among words is a category (section 1)."""
    town = [marker or None, "Rom", "Ulm", marker or " ", "Rom", "Ulm"] * 4
    is_category = isinstance(marker, str) and marker != ""
    size = [marker, "1.5", "2", "3", "4", marker] * 4
    data = from_people(town=pd.Series(town, dtype=object), size=pd.Series(size, dtype=object))
    feature = {f.name: f for f in data.features}
    assert feature["town"].categories == ((marker, "Rom", "Ulm") if is_category else ("Rom", "Ulm"))
    assert feature["size"].kind == "numeric"
    assert list(feature["size"].values) == [1.5, 2.0, 3.0, 4.0]
    assert column(data, "town").n_missing == (0 if is_category else 8)
    assert column(data, "size").n_missing == 8
    codes = data.codes[names(data).index("town")]
    assert list(codes[:4]) == ([0, 1, 2, 0] if is_category else [2, 0, 1, 2])


def test_categories_and_classes_are_in_order_of_first_appearance():
    data = from_people()
    assert {f.name: f.categories for f in data.features}["town"] == ("Ulm", "Rom", "Bern")
    assert list(data.y[:4]) == [0, 1, 1, 0]


def test_given_orders_hold_and_may_list_values_that_no_row_has():
    data = from_people(kinds={"town": ["Bern", "Oslo", "Rom", "Ulm"]}, classes=["yes", "maybe", "no"])
    town = data.features[names(data).index("town")]
    assert tuple(map(str, town.categories)) == ("Bern", "Oslo", "Rom", "Ulm")
    assert data.classes == ("yes", "maybe", "no")
    assert list(data.y[:4]) == [2, 0, 0, 2]
    tree = ex.grow(data, ex.ID3)
    assert tree.stats.shape[1] == 3
    assert tree.stats[0].tolist() == [12.0, 0.0, 12.0]


def test_an_order_that_forgets_a_value_is_refused():
    with pytest.raises(ex.InputError, match=r"town.*Ulm"):
        from_people(kinds={"town": ["Bern", "Rom"]})
    with pytest.raises(ex.InputError, match=r"buys.*yes"):
        from_people(classes=["no"])


def test_kinds_can_be_settled_for_features_and_target():
    data = from_people(kinds={"grade": "categorical", "age": "numeric"}, grade=[1, 2, 3] * 8)
    assert {f.name: f.kind for f in data.features}["grade"] == "categorical"
    regression = ex.Dataset.from_frame(people(), "age", kinds={"age": "numeric"})
    assert regression.is_regression
    assert regression.classes == ()
    assert list(regression.y[:3]) == [30.5, 41.0, 22.0]


def test_text_asked_to_be_numeric_names_column_count_and_rows():
    with pytest.raises(ex.InputError, match=r"'town'.*24.*not numbers.*row"):
        from_people(kinds={"town": "numeric"})


def test_an_unknown_kind_is_refused():
    with pytest.raises(ex.InputError, match=r"town"):
        from_people(kinds={"town": "ordinal"})


@pytest.mark.parametrize("dtype", ["bool", "boolean"])
def test_truth_values_are_categories(dtype):
    data = from_people(member=pd.Series([True, False, True] * 8, dtype=dtype))
    assert {f.name: f.kind for f in data.features}["member"] == "categorical"
    tree = ex.grow(data, ex.CART)
    assert len(tree.predict(people(member=[True, False, False] * 8))) == N


def test_large_whole_numbers_keep_their_value():
    big = 2**53
    data = from_people(account=[big, big + 2, big + 4, big + 6] * 6)
    feature = data.features[names(data).index("account")]
    assert feature.kind == "numeric"
    assert [int(value) - big for value in feature.values] == [0, 2, 4, 6]


def test_dates_can_be_split_on():
    days = pd.date_range("2024-01-01", periods=6, freq="D").tolist() * 4
    data = from_people(when=pd.Series(days).where(np.arange(N) != 3))
    assert column(data, "when").n_missing == 1
    tree = ex.grow(data, ex.CART)
    assert len(tree.predict(data)) == N


def test_mixed_cells_become_text_categories():
    mixed = pd.Series([1, "1", "a", 2.5, None, "a"] * 4, dtype=object)
    data = from_people(mixed=mixed)
    feature = {f.name: f for f in data.features}["mixed"]
    assert feature.kind == "categorical"
    assert tuple(map(str, feature.categories)) == ("1", "a", "2.5")
    ex.grow(data, ex.CART)


def test_minus_zero_is_zero():
    data = from_people(x=[-0.0, 0.0, 1.0] * 8)
    assert data.features[names(data).index("x")].values.tolist() == [0.0, 1.0]


# -- left out, and why -----------------------------------------------------------------------------------------------


def test_columns_that_the_reader_leaves_out_are_not_listed_as_left_out():
    frame = pd.DataFrame({"week": range(8), "age": [3, 1, 2, 2, 1, 3, 1, 2], "y": list("pqpqpqqq")})
    data = Dataset.from_frame(frame, "y", ["age"])
    assert column(data, "week").reason == "not chosen"
    assert not [note for note in data.notes if "Not used" in note.text]
    assert [note.columns for note in Dataset.from_frame(frame, "y").notes if "Not used" in note.text] == [("week",)]


def test_ids_and_constants_are_left_out_with_a_reason_and_can_be_taken_in():
    extra = {"ID": range(1, N + 1), "name": [f"person {i}" for i in range(N)], "land": ["X"] * N, "void": [None] * N}
    data = from_people(**extra)
    assert names(data) == ["age", "town"]
    for name, word in {"ID": "id-like", "name": "id-like", "land": "constant", "void": "missing"}.items():
        assert column(data, name).role == "left out"
        assert word in column(data, name).reason
        assert f"'{name}'" in all_notes(data)
    assert names(from_people(features=["name", "age", "land"], **extra)) == ["name", "age", "land"]


@pytest.mark.parametrize(
    ("name", "is_id"),
    [("pid", True), ("pidnum", True), ("id_no", True), ("unitid", True), ("paid", False), ("grid", False)],
)
def test_whole_numbers_in_any_order_are_left_out_by_the_name_of_an_id(name, is_id):
    numbers = np.random.default_rng(0).permutation(np.arange(N) ** 2 + 10_000)
    assert (column(from_people(**{name: numbers}), name).role == "left out") == is_id


def test_a_measured_number_with_a_value_per_row_is_not_an_id():
    rng = np.random.default_rng(0)
    assert "height" in names(from_people(height=rng.normal(size=N)))


def test_columns_report_their_role_and_values():
    data = from_people(weights="w", w=[1.0, 2.0] * 12)
    roles = {info.name: (info.role, info.n_values) for info in data.columns}
    assert roles["age"] == ("feature", 12)
    assert roles["buys"][0] == "target"
    assert roles["w"][0] == "weight"
    assert names(data) == ["age", "town"]


# -- notes -----------------------------------------------------------------------------------------------------------


def test_notes_on_duplicates_levels_and_a_feature_that_gives_the_target_away():
    rows = 400
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({"code": [f"c{i}" for i in rng.integers(0, 90, rows)], "x": rng.integers(0, 3, rows)})
    frame["y"] = rng.choice(["a", "b"], rows)
    frame["leak"] = frame["y"].map({"a": "first", "b": "second"})
    data = ex.Dataset.from_frame(pd.concat([frame, frame.head(7)]), "y")
    repeated = int(pd.concat([frame, frame.head(7)]).duplicated().sum())
    text = all_notes(data)
    assert f"{repeated} of {rows + 7} rows" in text
    assert any(note.columns == ("leak",) and note.level == "warning" for note in data.notes)
    assert any(note.columns == ("code",) and "90" in note.text for note in data.notes)
    assert not any(note.columns == ("x",) for note in data.notes)


def test_a_column_equal_to_another_in_every_row_is_noted_and_one_that_is_not_stays_unnoted():
    rows = np.random.default_rng(0).integers(0, 7, size=(100, 2))
    x, word = rows[:, 0].astype(float), np.array(list("abcdefg"))[rows[:, 1]]
    x[3] = np.nan
    other = word.copy()
    other[1] = "a" if word[1] != "a" else "b"  # none of every eighth row
    columns = {"x": x, "scaled": 2 * x, "copy": x, "word": word, "again": word, "other": other}
    data = ex.Dataset.from_frame(pd.DataFrame(columns).assign(y=list("nnyy") * 25), "y")
    same = {note.columns: note.text for note in data.notes if "same values" in note.text}
    assert list(same) == [("copy",), ("again",)]
    assert same["copy",] == "'copy' has the same values as 'x' in every row: one of them is enough."


@pytest.mark.parametrize(("n", "shown"), [(3, 3), (4, 1)])
def test_more_than_three_notes_that_say_the_same_are_shown_as_one_with_short_names(n, shown):
    y = [0, 1] * 30
    leaks = {f"{'long' * 20}{number}": [f"{number}{value}" for value in y] for number in range(n)}
    data = ex.Dataset.from_frame(pd.DataFrame(leaks).assign(y=y), "y", [*leaks], {"y": "categorical"})
    assert sum("alone determines" in note.text for note in data.notes) == n
    warnings = [note for note in grouped(data.notes) if note.level == "warning"]
    assert [column for note in warnings for column in note.columns] == [*leaks]
    assert len(warnings) == shown
    if shown == 1:
        assert warnings[0].text.startswith("4 columns determine the target in every row, each of them alone: 'longlong")
        assert len(warnings[0].text) < 300


def test_rows_without_a_target_are_left_out_and_said():
    frame = people()
    frame.loc[[2, 5], "buys"] = None
    data = ex.Dataset.from_frame(frame, "buys")
    assert data.n_rows == N - 2
    assert 2 not in data.row_numbers
    assert any("2 rows" in note.text and note.columns == ("buys",) for note in data.notes)


# -- errors ----------------------------------------------------------------------------------------------------------


def test_a_missing_target_is_refused_with_a_close_name():
    with pytest.raises(ex.InputError, match=r"'buy'.*'buys'"):
        from_people("buy")


def test_a_feature_or_weight_that_is_not_there_is_named():
    with pytest.raises(ex.InputError, match=r"'agee'.*'age'"):
        from_people(features=["agee"])
    with pytest.raises(ex.InputError, match=r"'wt'"):
        from_people(weights="wt")


@pytest.mark.parametrize("values", [["yes"] * N, [None] * N, ["yes", None] * 12], ids=["one", "none", "one or none"])
def test_a_target_with_nothing_to_tell_apart_is_refused(values):
    with pytest.raises(ex.InputError, match=r"'goal'"):
        from_people("goal", goal=values)


@pytest.mark.parametrize("bad", [np.inf, -np.inf])
def test_infinite_numbers_are_refused_with_their_column(bad):
    with pytest.raises(ex.InputError, match=r"'x'.*infinite"):
        from_people(x=[bad, *range(N - 1)])
    with pytest.raises(ex.InputError, match=r"'y'.*infinite"):
        from_people("y", kinds={"y": "numeric"}, y=[bad, *range(N - 1)])


def test_the_target_cannot_be_a_feature():
    with pytest.raises(ex.InputError, match=r"'buys'"):
        from_people(features=["age", "buys"])


def test_two_columns_of_one_name_are_refused():
    frame = people()
    frame.columns = ["age", "age", "buys"]
    with pytest.raises(ex.InputError, match=r"'age'"):
        ex.Dataset.from_frame(frame, "buys")


@pytest.mark.parametrize("bad", [-1.0, np.nan, np.inf])
def test_weights_below_zero_or_unknown_are_refused(bad):
    with pytest.raises(ex.InputError, match=r"(?i)weight"):
        from_people(weights=[bad] + [1.0] * (N - 1))
    with pytest.raises(ex.InputError, match=r"'w'"):
        from_people(weights="w", w=[bad] + [1.0] * (N - 1))


def test_weights_of_another_length_are_refused():
    with pytest.raises(ex.InputError, match=r"24 rows, but the number of weights is 3"):
        from_people(weights=[1.0, 2.0, 3.0])


def test_weight_0_is_no_row():
    weights = np.ones(N)
    weights[[0, 7]] = 0
    data = from_people(weights=weights, town=["Oslo", *["Rom", "Ulm"] * 11, "Rom"])
    assert data.n_rows == N - 2
    assert "Oslo" not in data.features[names(data).index("town")].categories
    assert "weight 0" in all_notes(data)
    with pytest.raises(ex.InputError, match=r"(?i)weight"):
        from_people(weights=np.zeros(N))


# -- parts -----------------------------------------------------------------------------------------------------------


def test_parts_are_disjoint_cover_the_table_and_hold_the_classes_shares():
    data = from_people("goal", goal=(["a"] * 16 + ["b"] * 8))
    for shares, sizes in [((0.75,), [18, 6]), ((0.5, 0.25), [12, 6, 6])]:
        parts = data.split(*shares, seed=1)
        assert [part.n_rows for part in parts] == sizes
        rows = np.concatenate([part.row_numbers for part in parts])
        assert sorted(rows) == list(range(N))
        for part, size in zip(parts, sizes, strict=True):
            assert np.bincount(part.y).tolist() == [2 * size // 3, size // 3]


def test_parts_depend_on_the_seed_alone():
    data = from_people()
    first, again, other = (data.split(0.7, seed=seed)[0].row_numbers.tolist() for seed in (4, 4, 5))
    assert first == again
    assert first != other


@pytest.mark.parametrize("shares", [(0.0,), (1.0,), (0.8, 0.3), (-0.5,), (0.2, 0.2, 0.2)])
def test_shares_that_do_not_split_are_refused(shares):
    with pytest.raises(ex.InputError, match=r"share|split"):
        from_people().split(*shares)


def test_a_regression_table_can_be_split_too():
    train, valid = ex.Dataset.from_frame(people(), "age", kinds={"age": "numeric"}).split(0.5, seed=0)
    assert (train.n_rows, valid.n_rows) == (12, 12)
    assert train.is_regression


def test_taken_rows_keep_classes_categories_and_weights():
    data = from_people(weights="w", w=np.arange(1.0, N + 1))
    part = data.take([5, 1, 1])
    assert part.classes == data.classes
    assert part.features == data.features or names(part) == names(data)
    assert part.weights.tolist() == [6.0, 2.0, 2.0]
    assert part.frame["age"].tolist() == [63.0, 41.0, 41.0]
    assert part.row_numbers.tolist() == [5, 1, 1]


def test_the_fingerprint_follows_every_cell():
    changed = people()
    changed.loc[3, "age"] = 36.0
    prints = [ex.Dataset.from_frame(frame, "buys").fingerprint for frame in (people(), people(), changed)]
    assert prints[0] == prints[1] != prints[2]
    assert from_people(kinds={"town": ["Rom", "Ulm", "Bern"]}).fingerprint != prints[0]
    assert from_people().take(range(12)).fingerprint != prints[0]


class TestRowsOfAFrame:
    """The frame of a part is made when somebody asks for it; growing and predicting need the codes alone."""

    def parts(self, monkeypatch):
        taken = []
        original = FrameRows.frame.func
        data = Dataset.from_frame(ex.load_sample("iris").frame, "class")
        counted = property(lambda rows: taken.append(len(rows)) or original(rows))
        monkeypatch.setattr(FrameRows, "frame", counted)
        return (*data.split(0.7, seed=0), taken)

    def test_growing_pruning_and_scoring_copy_no_frame(self, monkeypatch):
        train, valid, taken = self.parts(monkeypatch)
        tree = ex.grow(train, ex.CART)
        ex.cost_complexity_path(tree).curve(valid, "accuracy")
        ex.evaluate(tree, valid)
        tree.predict(valid)
        assert taken == []

    def test_it_has_the_rows_of_the_part(self):
        frame = ex.load_sample("iris").frame
        data = Dataset.from_frame(frame, "class")
        part = data.take([3, 1, 70]).take([2, 0])
        pd.testing.assert_frame_equal(part.frame, frame.iloc[[70, 3]])
        pd.testing.assert_series_equal(part.cells["class"], frame["class"].iloc[[70, 3]])
        assert list(part.cells.columns) == list(frame.columns)

    def test_rows_left_out_are_not_among_them(self):
        frame = pd.DataFrame({"a": [1.0, 2.0, 3.0, 4.0], "y": ["p", None, "q", "p"]})
        data = Dataset.from_frame(frame, "y")
        assert data.frame["a"].tolist() == [1.0, 3.0, 4.0]
        assert data.take([1, 2]).frame["a"].tolist() == [3.0, 4.0]


def test_encoding_a_large_table_reports_its_columns_and_can_be_stopped():
    frame = pd.DataFrame({"a": np.arange(60_000) % 7, "b": np.arange(60_000) % 11, "y": np.arange(60_000) % 2})
    reports = []
    whole = Dataset.from_frame(frame, "y", progress=lambda done, total: reports.append((done, total)))
    assert reports == [(1, 2), (2, 2)]
    assert whole.fingerprint == Dataset.from_frame(frame, "y").fingerprint

    def stop(done, total):
        raise ex.Stopped("Stopped on request.")

    with pytest.raises(ex.Stopped):
        Dataset.from_frame(frame, "y", progress=stop)


def test_a_table_of_floats_is_encoded_as_its_columns_are_one_by_one():
    draw = np.random.default_rng(3)
    frame = pd.DataFrame(
        {
            "whole": draw.integers(-4, 5, 60).astype(float),
            "double": draw.normal(size=60),  # not exact in 32 bits
            "zeros": np.where(draw.random(60) < 0.5, -0.0, 0.25),
            "single": draw.normal(size=60).astype(np.float32).astype(float),
            "holes": np.where(draw.random(60) < 0.3, np.nan, draw.integers(0, 99, 60) / 4),
            "none": np.full(60, np.nan),
            "y": ["a", "b", None] * 20,
        }
    )
    names = ["single", "whole", "double", "none", "holes", "zeros"]
    data = Dataset.from_frame(frame, "y", names)
    for name, feature, codes in zip(names, data.features, data.codes, strict=True):
        alone = Dataset.from_frame(frame[[name, "y"]].astype({name: object}), "y", [name], {name: "numeric"})
        assert (feature.name, feature.kind) == (name, "numeric")
        assert feature.values.tobytes() == alone.features[0].values.tobytes()
        np.testing.assert_array_equal(codes, alone.codes[0])


@pytest.mark.parametrize(
    ("values", "is_of_sets"),
    [
        (["Test", "Train"], True),
        (["TRAINING", "TESTING"], True),
        (["train", "valid", "test"], True),
        (["training", "validation", "holdout"], True),
        (["train_set", "hold-out"], True),
        (["训练集", "验证集", "测试集"], True),
        (["train", "bus"], False),
        (["trainee", "tester"], False),
        (["test", "valid"], False),  # none is for training
        (["Train", "Training"], False),
        (["training", "control", "test"], False),
    ],
)
def test_a_column_of_sets_is_no_feature_unless_it_is_selected_and_no_likely_target(values, is_of_sets):
    """As `case` of the table `cells` in R's package modeldata."""
    draw = np.random.default_rng(5)
    frame = pd.DataFrame({"case": draw.choice(values, 90), "x": draw.normal(size=90), "y": draw.integers(0, 9, 90) / 4})
    data = ex.Dataset.from_frame(frame, "y")
    assert [feature.name for feature in data.features] == (["x"] if is_of_sets else ["case", "x"])
    assert any("'case' is a column of sets" in note.text for note in data.notes) == is_of_sets
    assert (likely_targets(frame)[-1] == "case") == is_of_sets
    chosen = ex.Dataset.from_frame(frame, "y", ["case", "x"])
    assert [feature.name for feature in chosen.features] == ["case", "x"]


def test_a_column_without_a_heading_numbers_the_rows_also_once_some_are_left_out():
    frame = pd.DataFrame(
        {"column 1": np.arange(1, 31), "x": np.tile([1.0, 2.0, 5.0], 10), "y": np.tile([0.5, 2.5], 15)}
    )
    frame.loc[[3, 8, 20], "y"] = np.nan
    data = ex.Dataset.from_frame(frame, "y")
    assert [feature.name for feature in data.features] == ["x"]
    renamed = ex.Dataset.from_frame(frame.rename(columns={"column 1": "minutes"}), "y")
    assert [feature.name for feature in renamed.features] == ["minutes", "x"]


@pytest.mark.parametrize("name", ["column 1", "rownames", "Unnamed: 0"])
def test_whole_numbers_that_name_the_rows_in_any_order_are_no_feature_and_no_target(name):
    """As in R's birthwt, whose rows are sorted: the names of its 189 rows begin with 85 and end with 84."""
    names = np.r_[np.arange(45, 100, 2), np.arange(4, 45, 2)]
    frame = pd.DataFrame({name: names, "x": np.arange(len(names)) % 5 + 0.5, "y": np.arange(len(names)) % 7 + 0.25})
    data = ex.Dataset.from_frame(frame, "y")
    assert [feature.name for feature in data.features] == ["x"]
    assert likely_targets(frame)[-1] == name
    renamed = ex.Dataset.from_frame(frame.rename(columns={name: "minutes"}), "y")
    assert [feature.name for feature in renamed.features] == ["minutes", "x"]
    amounts = ex.Dataset.from_frame(frame.assign(**{name: names * 10}), "y")
    assert [feature.name for feature in amounts.features] == [name, "x"], "of a file without any headings"
    twice = frame.assign(**{name: np.r_[names[:-1], names[0]]})
    assert [feature.name for feature in ex.Dataset.from_frame(twice, "y").features] == [name, "x"]
