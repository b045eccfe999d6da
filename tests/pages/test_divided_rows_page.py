"""Rows divided by group, by time or by a column of sets: chosen on the Data page, kept by link and pages."""

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st
from sklearn.model_selection import TimeSeriesSplit

import explorer as ex
from explorer.evaluation.folds import folds_for
from pages.evaluate import open_tab
from pages.results import cross_validation, evaluation, provenance, trees
from pages.results.divided import division
from pages.results.divided.columns import candidates
from pages.results.many_trees import several_targets
from pages.results.resampled import stability
from pages.settings.settings import Settings, changed
from pages.settings.url import settings_from_query
from tests.pages.app import editor, fine, opened, summary, tab, texts, typed, uploaded, went


def visits(n_rows, n_patients, seed):
    """Visits of patients, the classes of which go with the patient."""
    random = np.random.default_rng(seed)
    patient = random.integers(n_patients, size=n_rows)
    day = pd.Timestamp("2021-01-01") + pd.to_timedelta(random.integers(n_rows // 3, size=n_rows), "D")
    return pd.DataFrame({
        "patient": 1000 + patient, "age": patient % 7, "x": random.random(n_rows).round(1), "day": day,
        "part": random.choice(["train", "test"], n_rows), "u": random.integers(3, size=n_rows),
        "ill": np.where(random.random(n_rows) < 0.2 + 0.6 * (patient % 3 == 0), "yes", "no"),
    })  # fmt: skip


def source(frame, key):
    return trees.Source(key, "visits.csv", ex.Table(frame, (), "visits.csv"), "ill", None, ())


def torn(*groups):
    """The groups that are on two of these sides."""
    return {group for i, side in enumerate(groups) for other in groups[i + 1 :] for group in set(side) & set(other)}


def sets_of(parts):
    return [rows for rows in (parts.train, parts.valid, parts.test) if rows is not None]


@pytest.mark.law
@given(st.integers(0, 10_000), st.sampled_from(["all", "two", "three"]), st.sampled_from(["groups", "time"]))
@examples(deadline=None, max_examples=30)
def test_no_group_stands_in_two_sets_or_folds_of_any_page(seed, split, kind):
    frame, column = visits(60, 8, seed), "patient" if kind == "groups" else "day"
    if min(frame["ill"].nunique(), frame["patient"].nunique() - 2) < 2:
        return
    settings = Settings(upload="ab", split=split, divide=kind, divide_by=column, share=50, valid_share=25, seed=seed)
    with trees.on_table(source(frame, f"visits {seed}")):
        parts = sets_of(trees.parts(settings))
        assert len(parts) == {"all": 1, "two": 2, "three": 3}[split]
        assert sum(rows.n_rows for rows in parts) == 60
        sides = [rows.frame[column] for rows in parts]
        assert not torn(*sides)
        assert kind == "groups" or all(a.max() < b.min() for a, b in pairwise(sides))
        several = several_targets.sets(settings)
        assert [one.outputs[0].n_rows for one in (several.train, several.valid) if one] == [r.n_rows for r in parts[:2]]
        assert not torn(*(one.outputs[0].frame[column] for one in (several.train, several.valid) if one))
        assert column not in [feature.name for feature in trees.data(settings).features]
        if split == "all":
            check_left_out(settings, frame[column].to_numpy(), kind)


def check_left_out(settings, column, kind):
    """Curves and held-out predictions leave out whole groups, and by time are those of later rows."""
    curves, predicted = trees.curves(settings), evaluation.left_out_one_by_one(settings)
    for folds in (curves.left_out.fold_of_row, predicted.fold_of_row):
        assert not torn(*(column[folds == fold] for fold in np.unique(folds)))
    n_held_out = 60 if kind == "groups" else int((column > column.min()).sum())
    assert len(predicted.rows) == n_held_out
    assert predicted.evaluation.scores["accuracy"].value == pytest.approx(curves.left_out.mean[0])
    resamples = len(np.unique(column)) if kind == "groups" else 60
    assert stability.count(settings) == resamples


def test_sets_by_a_column_and_at_a_time_are_those_of_pandas_and_the_script_repeats_them():
    frame = visits(150, 20, 3)
    with trees.on_table(source(frame, "visits")):
        by_column = Settings(upload="ab", divide="sets", divide_by="part")
        train, test = sets_of(trees.parts(by_column))
        assert (train.frame["part"] == "train").all()
        assert (test.frame["part"] == "test").all()
        turned = changed(by_column, split_values=("test", "train"))
        assert trees.parts(turned).train.n_rows == test.n_rows
        by_time = Settings(upload="ab", divide="time", divide_by="day", split_times=("2021-02-01",))
        before, after = sets_of(trees.parts(by_time))
        assert before.n_rows == (frame["day"] < "2021-02-01").sum()
        assert after.n_rows == 150 - before.n_rows
        scripts = {
            by_column: "data.split_by('part', ['train', 'test'])",
            by_time: "data.split_at('2021-02-01')",
            Settings(upload="ab", divide="groups", divide_by="patient", split="two"): "groups='patient'",
        }
        for settings, call in scripts.items():
            assert call in ex.to_script(provenance.of_grown(settings)).replace('"', "'")
        for wrong in ({"divide_by": "ill"}, {"divide_by": "gone"}, {"divide_by": "age", "divide": "sets"}):
            with pytest.raises(ex.InputError):
                trees.check_rows(changed(by_time, **wrong))


def daily(rows=160):
    rng = np.random.default_rng(8)
    days = pd.date_range("2021-01-01", periods=rows).strftime("%Y-%m-%d")
    return pd.DataFrame({"day": days, "x": rng.normal(size=rows).round(3), "ill": rng.choice(["no", "yes"], rows)})


def test_the_window_of_folds_by_time_is_that_of_scikit_learn_and_is_set_beside_the_folds():
    frame = daily()
    settings = Settings(upload="ab", divide="time", divide_by="day", split="all", folds=5, fold_gap=7, fold_rows=40)
    with trees.on_table(source(frame, "daily")):
        train = trees.parts(settings).train
        expected = TimeSeriesSplit(5, max_train_size=40, gap=7).split(frame)
        for (grown, held), (before, after) in zip(folds_for(train, 5, 0).subsets(), expected, strict=True):
            assert np.flatnonzero(grown).tolist() == before.tolist()
            assert np.flatnonzero(held).tolist() == after.tolist()
        assert cross_validation.folds_key(settings) != cross_validation.folds_key(changed(settings, fold_gap=6))
        assert "max_train_size=40, gap=7" in ex.to_script(provenance.of_grown(settings))
    app = fine(uploaded(opened(), "daily.csv", frame.to_csv(index=False).encode()))
    for begin in ("suggestion.apply", "repeated_id.split"):
        app = fine(next(button for button in app.button if str(button.key).startswith(begin)).click().run())
    app = fine(went(app, "Prune"))
    app = fine(app.number_input("count.fold_gap").set_value(3).run())
    assert app.query_params["fold_gap"] == "3"
    app = app.number_input("count.fold_gap").set_value(110).run()
    assert "No row of 'day' is left to grow on before a fold" in texts(app.error)
    assert app.query_params["fold_gap"] == "3"


def test_groups_stay_whole_in_the_sets_that_a_column_names():
    frame = visits(240, 30, 4)
    frame["part"] = np.where(frame["patient"] % 4, "train", "test")
    settings = Settings(upload="ab", divide="groups", divide_by="patient", split="column", split_by="part")
    with trees.on_table(source(frame, "visits in parts")):
        train, test = sets_of(trees.parts(settings))
        counts = frame.groupby("part")
        assert (train.n_rows, test.n_rows) == (counts.size()["train"], counts.size()["test"])
        assert [len(part.division.counts) for part in (train, test)] == counts["patient"].nunique()[
            ["train", "test"]
        ].tolist()
        assert [feature.name for feature in train.features] == ["age", "x", "day", "u"]
        script = ex.to_script(provenance.of_grown(settings)).replace('"', "'")
        assert "groups='patient'" in script
        assert "data.split_by('part', ['train', 'test'])" in script
        report = ex.to_report(provenance.of_grown(settings), "markdown").replace("\\", "")
        assert "Split by the values of 'part'" in report
        assert "No group of 'patient' is in two sets" in report
        folds = ex.cross_validate_path(train, ex.CART, 4).fold_of_row
        sides = [train.frame["patient"][folds == fold] for fold in range(4)]
        assert not torn(*sides)
    with (
        trees.on_table(source(visits(240, 30, 4), "visits torn")),
        pytest.raises(ex.InputError, match="A group of 'patient' has rows in two parts"),
    ):
        trees.check_rows(changed(settings, seed=1))


@pytest.mark.parametrize("kind", ["rows", "groups", "time", "sets"])
@pytest.mark.parametrize("column", ["", "part"])
def test_the_changes_that_divide_rows_are_what_they_are_called(kind, column):
    """`changes` undoes `named`, from every state to every other."""
    ways = [("rows", "", ""), ("rows", "", "part"), ("groups", "patient", ""), ("time", "day", "part")]
    now = Settings(divide=kind, divide_by="" if kind == "rows" else "u", split="column" if column else "two")
    now = changed(now, split_by=column)
    for way in ways:
        then = changed(now, **division.changes(now, *way))
        assert division.named(then) == way
        assert division.changes(then, *way) == {}


@pytest.mark.parametrize("kind", ["rows", "groups", "time", "sets"])
def test_the_link_keeps_the_division(kind):
    settings = Settings(divide=kind, divide_by="a,b", split_times=("2021-02-01", "x=y"), split_values=("1", "2"))
    assert settings_from_query(settings.to_query())[0] == settings


def test_one_click_on_the_warning_divides_by_the_id_and_the_popover_changes_it():
    frame = visits(300, 40, 1)
    app = fine(uploaded(opened(), "visits.csv", frame.to_csv(index=False).encode()))
    assert "40 values of patient in 300 rows. A random split" in texts(app.markdown)
    app = fine(app.button("repeated_id.split").click().run())
    assert (app.query_params["divide"], app.query_params["divide_by"]) == ("groups", "patient")
    assert "values of patient." in texts(app.caption)
    (split,) = [block.proto.popover.label for block in app.get("popover") if "70" in block.proto.popover.label]
    assert split == "By patient, 70 : 30"
    assert "repeated_id.split" not in [button.key for button in app.button]
    lines = next(frame.value for frame in app.dataframe if "role" in frame.value).set_index("column")
    assert lines.loc["patient", "role"] == "groups"

    app = fine(app.selectbox("divide").set_value("time").run())
    assert app.query_params["divide_by"] == "day"
    app = fine(app.text_input("divide.at.0").set_value("2021-02-20").run())
    assert app.query_params["at"] == "2021-02-20"
    app = fine(went(app, "Grow"))
    assert f"{(frame['day'] < '2021-02-20').sum()} training + " in summary(app)
    assert "by day at 2021-02-20" in summary(app)

    app = went(app, "Data")
    refused = app.text_input("divide.at.0").set_value("soon").run()
    assert "'soon' is no date" in texts(refused.error)
    app = fine(refused.selectbox("divide").set_value("sets").run())
    assert [box.value for box in app.selectbox if box.label.endswith("rows are")] == ["train", "test"]
    app = fine(app.selectbox("divide").set_value("rows").run())
    app = fine(went(app, "Grow"))
    assert "by patient" not in summary(app)
    app = fine(app.button("summary.split_by_id").click().run())
    assert "by patient" in summary(app)


def with_role(app, name, role):
    table = editor(app, "column", "role")
    return typed(app, table, **{f"_{list(table.value['column']).index(name)}": {"role": role}})


def role_of(app, name):
    lines = editor(app, "column", "role").value
    return dict(zip(lines["column"], lines["role"], strict=True))[name]


def test_the_role_of_a_column_divides_the_rows_and_another_role_ends_it():
    frame = visits(300, 40, 1)
    frame["part"] = np.where(frame["patient"] % 3, "known", "new")
    app = fine(uploaded(opened(), "visits.csv", frame.to_csv(index=False).encode()))
    app = fine(with_role(tab(app, "table.tabs", "Columns"), "patient", "groups"))
    assert (app.query_params["divide"], app.query_params["divide_by"]) == ("groups", "patient")
    app = fine(with_role(app, "part", "sets"))
    assert (app.query_params["divide"], app.query_params["split_by"]) == ("groups", "part")
    patients = frame.groupby("part")["patient"]
    n_rows, n_patients = patients.size(), patients.nunique()
    assert f"Training set: {n_rows['known']} rows. Validation set: {n_rows['new']} rows." in texts(app.caption)
    assert f"{n_patients['known']} + {n_patients['new']} values of patient." in texts(app.caption)
    assert [role_of(app, name) for name in ("patient", "part", "x")] == ["groups", "sets", "feature"]

    refused = with_role(app, "u", "time")  # in place of the groups, but the sets do not follow each other in it
    assert "do not follow each other in the time of 'u'" in texts(refused.error)
    app = fine(with_role(refused, "part", "feature"))
    assert ("split_by" in app.query_params, role_of(app, "part")) == (False, "feature")
    app = fine(with_role(app, "day", "time"))
    assert (app.query_params["divide"], app.query_params["divide_by"]) == ("time", "day")
    assert [role_of(app, name) for name in ("patient", "day")] == ["feature", "time"]
    app = fine(with_role(app, "day", "not used"))
    assert "divide" not in app.query_params
    assert role_of(app, "day") == "not used"


def test_few_groups_have_as_many_folds_and_their_words():
    frame = visits(60, 7, 2)
    app = fine(uploaded(opened(), "visits.csv", frame.to_csv(index=False).encode()))
    app = fine(app.selectbox("divide").set_value("groups").run())
    app = fine(app.selectbox("divide_by").set_value("patient").run())
    n_groups = frame["patient"].nunique()
    app = fine(went(app, "Prune"))
    assert "leave-one-group-out accuracy" in summary(app)
    assert f"leave-one-group-out over {n_groups} groups" in texts(tab(app, "prune.tab", "Why this size").code)
    app = tab(app, "prune.tab", "Scores")
    (folds,) = [group for group in app.segmented_control if group.label == "Folds"]
    assert (folds.options, folds.value) == (["5", str(n_groups)], n_groups)
    app = went(app, "Data")
    app = fine(app.selectbox("divide").set_value("time").run())
    app = fine(went(app, "Prune"))
    assert " rolling folds" in texts(tab(app, "prune.tab", "Why this size").code)


def test_one_click_divides_the_rows_by_the_sets_that_a_column_names():
    draw = np.random.default_rng(2)
    frame = pd.DataFrame({"case": ["Test", "Train", "Train"] * 40, "class": ["PS", "WS", "PS", "WS"] * 30})
    frame = frame.assign(width=draw.normal(size=120).round(3), area=draw.normal(size=120).round(3))
    app = fine(uploaded(opened(), "cells.csv", frame.to_csv(index=False).encode()))
    roles = next(table.value for table in app.dataframe if "role" in table.value).set_index("column")["role"]
    assert roles.to_dict() == {"case": "not used", "class": "target", "width": "feature", "area": "feature"}
    assert "The values of case say which rows are for training." in texts(app.markdown)
    app = fine(app.button("repeated_id.split").click().run())
    assert (app.query_params["divide"], app.query_params["divide_by"]) == ("sets", "case")
    roles = next(table.value for table in app.dataframe if "role" in table.value).set_index("column")["role"]
    assert roles["case"] == "sets"
    assert "repeated_id.split" not in [button.key for button in app.button]
    assert "Training set: 80 rows. Validation set: 40 rows." in texts(app.caption)
    app = fine(with_role(tab(app, "table.tabs", "Columns"), "case", "feature"))
    assert ("divide" in app.query_params, role_of(app, "case")) == (False, "feature"), "as the reader has selected it"


def test_held_out_rows_by_time_are_listed_with_their_own_numbers():
    frame = visits(60, 8, 5).sort_values("day", ascending=False, ignore_index=True)
    app = fine(uploaded(opened(), "visits.csv", frame.to_csv(index=False).encode()))
    app = fine(app.selectbox("divide").set_value("time").run())
    app = went(app, "Evaluate")
    app.session_state["evaluate.tab"] = open_tab.names(False)[open_tab.ERRORS]
    app = fine(app.run())
    assert "rolling accuracy" in summary(app)
    (listed,) = [table.value for table in app.dataframe if "true class" in table.value]
    numbers = listed["row"].to_numpy() - 1
    assert frame["day"].iloc[numbers].min() > frame["day"].min()
    assert frame["ill"].iloc[numbers].tolist() == listed["true class"].tolist()
    assert frame["x"].iloc[numbers].tolist() == listed["x"].tolist()


def test_the_likeliest_columns_come_first_and_those_that_cannot_divide_are_not_offered():
    frame = visits(300, 40, 2).assign(year=np.arange(300) % 9, gaps=[None, 2.5, 3.5] * 100, unique=range(300))
    frame["written"] = frame["day"].dt.strftime("%Y-%m-%d")
    with trees.on_table(source(frame, "columns")):
        overview = trees.all_columns(Settings(upload="ab"))
        first = {kind: candidates(kind, overview) for kind in ("groups", "time", "sets")}
    assert first["groups"][0] == "patient"
    assert "unique" not in first["groups"]
    assert first["time"][:3] == ["day", "written", "year"]
    assert "gaps" not in first["time"]
    assert first["sets"] == ["part", "u"]


def test_another_split_keeps_the_alpha_that_was_chosen_and_says_so():
    app = fine(opened(data="titanic", recipe="CART", alpha="0.003"))
    assert "With another split the tree stays pruned at α = 0.003." in texts(app.caption)
    app = fine(app.number_input("count.seed").set_value(7).run())
    assert app.query_params["alpha"] == "0.003"
    app = fine(went(app, "Prune"))
    assert app.query_params["alpha"] == "0.003"
    by_hand = fine(opened(data="titanic", recipe="CART", hand="-2"))
    assert "Another split takes back what is pruned by hand." in texts(by_hand.caption)
