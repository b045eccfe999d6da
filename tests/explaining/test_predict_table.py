"""A second table predicted by a tree: every problem is named by column and row, and nothing is guessed."""

import math

import numpy as np
import pandas as pd
import pytest

import explorer as ex
from explorer.data.table import Table
from explorer.explaining.predict_file import predict_file
from explorer.explaining.predict_table import predict_table
from explorer.explaining.row_form import Input, cells_at, inputs, row_of
from explorer.tree import metrics
from tests.oracles.tables import sample_parts


def tennis():
    return ex.Dataset.from_frame(ex.load_sample("play_tennis").frame, "PlayTennis")


def days(**changes):
    frame = ex.load_sample("play_tennis").frame.drop(columns=["Day", "PlayTennis"], errors="ignore")
    return frame.assign(**changes)


def notes_of(result, column):
    return [(note.level, note.text) for note in result.notes if column in note.columns]


class TestProblems:
    def test_a_column_that_is_not_there_counts_as_missing_cells(self):
        tree = ex.grow(tennis(), ex.C45)
        result = predict_table(tree, tennis(), days().drop(columns="Humidity"))
        text = "There is no column 'Humidity', so all its values are missing."
        assert notes_of(result, "Humidity") == [("warning", text)]
        empty = days(Humidity=None)
        assert result.frame["prediction"].tolist() == tree.predict(empty).tolist()

    def test_a_column_of_nearly_that_name_is_pointed_out(self):
        result = predict_table(ex.grow(tennis(), ex.C45), tennis(), days().rename(columns={"Humidity": "humidity"}))
        assert "Is it the column 'humidity'? Then rename that to 'Humidity'." in notes_of(result, "Humidity")[0][1]

    def test_new_values_are_counted_with_their_rows(self):
        tree = ex.grow(tennis(), ex.ID3)
        outlook = ["Hail", *days()["Outlook"].tolist()[1:-2], "Hail", "Fog"]
        result = predict_table(tree, tennis(), days(Outlook=outlook))
        text = "Column 'Outlook' has 3 cells with a value not seen in training: 'Hail', 'Fog' (rows 1, 13, 14). "
        then = "Such a row stops at the node that splits on it and gets its prediction."
        assert notes_of(result, "Outlook") == [("warning", text + then)]
        assert result.frame["leaf"].tolist()[0] == 0  # the row stops at the root, 9 of 14 of which are Yes
        assert result.frame["prediction"].tolist()[0] == "Yes"
        assert result.frame["share of Yes"].tolist()[0] == pytest.approx(9 / 14, abs=1e-12)

    def test_what_becomes_of_a_new_value_is_described_by_the_policy(self):
        tree = ex.grow(tennis(), ex.ID3.replace(unseen="heaviest"))
        result = predict_table(tree, tennis(), days(Outlook=["Hail", *days()["Outlook"].tolist()[1:]]))
        assert notes_of(result, "Outlook")[0][1].endswith("Such a row follows the branch with the most training rows.")
        assert result.frame["leaf"].tolist()[0] == 4, "Sunny has five days, as Rain has, and comes first; High is a No"

    def test_text_among_numbers_is_named_and_counts_as_missing(self):
        train, _ = sample_parts("auto_mpg")
        tree = ex.grow(train, ex.CART.replace(max_depth=3))
        frame = ex.load_sample("auto_mpg").frame.head(4)
        weights = ["3504", "heavy", "inf", None]
        result = predict_table(tree, train, frame.assign(weight=weights))
        bad = "Column 'weight' has 2 cells without a number: 'heavy', 'inf' (rows 2, 3). They count as missing."
        assert notes_of(result, "weight") == [("warning", bad), ("info", "Column 'weight' has 1 empty cell (row 4).")]
        assert (
            result.frame["prediction"].tolist() == tree.predict(frame.assign(weight=[3504, *[math.nan] * 3])).tolist()
        )
        assert result.frame["weight"].tolist()[1] == "heavy"

    def test_columns_that_no_node_tests_stay_and_are_noted(self):
        result = predict_table(ex.grow(tennis(), ex.ID3), tennis(), days(prediction="?", leaf=7))
        assert "The tree does not use 2 columns: 'prediction', 'leaf'. They are kept unchanged." in [
            n.text for n in result.notes
        ]
        assert result.added == ("prediction (2)", "share of No", "share of Yes", "leaf (2)")
        assert result.frame["leaf"].tolist() == [7] * 14

    def test_a_table_with_nothing_to_go_by_is_refused(self):
        with pytest.raises(ex.InputError, match="none of the columns that the tree splits on"):
            predict_table(ex.grow(tennis(), ex.ID3), tennis(), pd.DataFrame({"a": [1]}))
        with pytest.raises(ex.InputError, match=r"the column 'outlook'\? Then rename that to 'Outlook'"):
            predict_table(ex.grow(tennis(), ex.ID3), tennis(), pd.DataFrame({"outlook": ["Rain"]}))
        with pytest.raises(ex.InputError, match="has no rows"):
            predict_table(ex.grow(tennis(), ex.ID3), tennis(), days().head(0))


DATE = ex.Repair("dates", "sent on", {"order": "mdy", "origin": "2023-01-01", "parts": ("month",)})
RATE = ex.Repair("per_cent", "rate", {"decimal": ".", "group": ","})
HEADERS, TOTALS = ex.Repair("headers", ""), ex.Repair("totals", "", {"labels": ("total",)})


def rates_tree():
    """A tree that says "high" above a rate of 30, grown on a table that was repaired."""
    sent = ["01/03/2023", "02/01/2023", "03/05/2023", "04/20/2023"]
    frame = pd.DataFrame(
        {"sent on": sent, "rate": ["10%", "20%", "40%", "50%"], "class": [*["low"] * 2, *["high"] * 2]}
    )
    repaired = ex.apply_repairs(Table(frame, (), "train.csv"), [DATE, RATE]).frame
    train = ex.Dataset.from_frame(repaired, "class", features=("rate",))
    return ex.grow(train, ex.CART), train


class TestARepairedFile:
    REPAIRS = (HEADERS, TOTALS, DATE, RATE)

    def predicted(self, frame):
        return predict_file(*rates_tree(), Table(frame, (), "more.csv"), self.REPAIRS).predicted

    def test_only_what_was_done_to_this_file_is_told(self):
        result = self.predicted(pd.DataFrame({"rate": ["12%", "44%"]}))
        told = [note.text for note in result.notes]
        assert told == [
            f"Not repaired ({DATE.label}): there is no column 'sent on'.",
            f"Repaired like the table: rate: {RATE.label}.",
        ]
        assert result.frame["prediction"].tolist() == ["low", "high"]

    def test_a_column_that_is_right_already_is_not_told_as_repaired(self):
        result = self.predicted(pd.DataFrame({"rate": [12, 44]}))
        assert not any("Repaired like the table" in note.text for note in result.notes)

    def test_cells_that_did_not_fit_are_warnings(self):
        result = self.predicted(pd.DataFrame({"rate": ["12%", "about 7", "44%", "extreme"]}))
        (text,) = [note.text for note in result.notes if note.level == "warning"]
        assert text == "Column 'rate': 2 cells did not fit and are missing now: 'about 7', 'extreme'."
        assert result.notes[0].level == "warning", "warnings come first"

    def test_the_columns_stay_as_sent(self):
        sent = pd.DataFrame({"sent on": ["07/24/2023", "01/02/2023"], "rate": ["12%", "44%"], "my id": ["a", "b"]})
        result = self.predicted(sent)
        assert result.added == ("prediction", "share of low", "share of high", "leaf")
        pd.testing.assert_frame_equal(result.frame.drop(columns=list(result.added)), sent)
        assert result.frame["prediction"].tolist() == ["low", "high"]
        assert "The tree does not use 2 columns: 'sent on', 'my id'. They are kept unchanged." in [
            note.text for note in result.notes
        ]

    def test_removed_rows_keep_their_place_without_a_prediction(self):
        rates = ["12%", "44%", "rate", "?!", "41%", "97%"]
        sent = pd.DataFrame({"who": ["a", "b", "who", "c", "d", "Total"], "rate": rates})
        result = self.predicted(sent)
        pd.testing.assert_frame_equal(result.frame[["who", "rate"]], sent)
        is_removed = [False, False, True, False, False, True]
        for name in result.added:
            assert result.frame[name].isna().tolist() == is_removed
        assert result.frame["prediction"].tolist()[:2] == ["low", "high"]
        assert result.frame["prediction"].tolist()[4] == "high"
        told = [note.text for note in result.notes]
        assert "Repaired like the table: repeated header rows removed. 1 row has no prediction (row 3)." in told
        assert f"Repaired like the table: {TOTALS.label}. 1 row has no prediction (row 6)." in told
        assert "Column 'rate' has 1 empty cell (row 4)." in told, "rows are counted as in the file"
        assert result.frame["leaf"].dtype == "Int64", "a leaf stays a whole number in the download"

    def test_a_file_of_header_rows_alone_is_refused(self):
        with pytest.raises(ex.InputError, match="remove every row of this file"):
            self.predicted(pd.DataFrame({"sent on": ["sent on"], "rate": ["rate"]}))


class TestScore:
    @pytest.mark.parametrize("name", ["titanic", "vote", "auto_mpg"])
    def test_the_score_of_the_validation_rows_is_that_of_the_package(self, name):
        train, valid = sample_parts(name)
        tree = ex.grow(train, ex.CART)
        frame = ex.load_sample(name).frame.iloc[valid.row_numbers].reset_index(drop=True)
        result = predict_table(tree, train, frame)
        assert result.score is not None
        assert result.score.n_rows == valid.n_rows
        assert result.score.value == pytest.approx(metrics.score(tree, valid), rel=1e-12)
        assert result.score.baseline == pytest.approx(metrics.baseline(train, valid), rel=1e-12)
        assert result.frame["prediction"].tolist() == tree.predict(valid).tolist()
        assert result.frame["leaf"].tolist() == tree.apply(valid).tolist()

    def test_rows_without_a_target_are_left_out_and_new_classes_are_wrong(self):
        frame = days(PlayTennis=["No", "No", None, "Maybe", *["Yes"] * 10])
        truth = ex.load_sample("play_tennis").frame["PlayTennis"].tolist()  # what ID3 predicts for its own rows
        right = sum(a == b for a, b in zip(frame["PlayTennis"], truth, strict=True))
        result = predict_table(ex.grow(tennis(), ex.ID3), tennis(), frame)
        assert (result.score.n_rows, result.score.value) == (13, right / 13)
        assert result.score.baseline == 10 / 13
        text = "The target 'PlayTennis' has 1 cell with a class not seen in training: 'Maybe' (row 4). "
        assert (text + "Its prediction is always wrong.") in [n.text for n in result.notes]

    def test_without_a_target_there_is_no_score(self):
        assert predict_table(ex.grow(tennis(), ex.ID3), tennis(), days()).score is None
        result = predict_table(ex.grow(tennis(), ex.ID3), tennis(), days(PlayTennis=None))
        assert result.score is None
        assert "No row has a value of the target 'PlayTennis'" in result.notes[0].text


class TestInputs:
    def test_range_and_usual_value_are_those_of_the_training_rows(self):
        frame = pd.DataFrame({"x": [1.5, 9.0, None, 4.0, 2.0], "c": ["a", "b", "b", "b", "a"], "y": list("nyyyn")})
        data = ex.Dataset.from_frame(frame, "y", features=["x", "c"])
        x, c = inputs(ex.grow(data, ex.CART), data)
        assert (x.low, x.high, x.usual, x.is_whole) == (1.5, 9.0, 2.0, False)  # the lower of 2 and 4, which both occur
        assert (c.categories, c.usual) == (("a", "b"), "b")

    def test_only_features_tested_by_the_pruned_tree_are_required(self):
        tree = ex.grow(tennis(), ex.ID3)
        tested = lambda tree: [field.name for field in inputs(tree, tennis()) if field.is_asked]  # noqa: E731
        assert tested(tree) == ["Outlook", "Humidity", "Wind"]
        assert tested(tree.with_pruned(np.arange(tree.n_nodes_grown) == 1)) == ["Outlook", "Wind"]
        assert tested(tree.with_pruned(np.arange(tree.n_nodes_grown) == 0)) == []

    def test_features_of_surrogates_are_required_too(self):
        data = ex.Dataset.from_frame(ex.load_sample("golf_missing").frame, ex.SAMPLES["golf_missing"].target)
        tree = ex.grow(data, ex.CART)
        stands_in = {tree.features[f].name for f in tree.surrogates.feature.tolist()}
        assert stands_in <= {field.name for field in inputs(tree, data) if field.is_asked}

    @pytest.mark.parametrize("name", ["titanic", "vote", "auto_mpg"])
    @pytest.mark.parametrize("recipe", [ex.C45, ex.CART], ids=str)
    def test_a_row_made_of_its_cells_is_predicted_as_the_row_itself(self, name, recipe):
        train, valid = sample_parts(name)
        if train.is_regression and recipe is ex.C45:
            recipe = ex.CART.replace(numeric="bins", missing="fractional")
        tree = ex.grow(train, recipe)
        form = inputs(tree, train)
        rows = [row_of(form, cells_at(valid, position)) for position in range(40)]
        predictions = [tree.predict(row)[0] for row in rows]
        assert predictions == tree.predict(valid.take(np.arange(40))).tolist()

    def test_a_value_never_seen_is_one_that_the_table_has_not(self):
        field = Input("c", True, "a", categories=("a", "a value not seen in training"))
        assert field.never_seen not in field.categories
