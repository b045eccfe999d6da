"""Predictions that replace the means of a tree: every view of the tree reads them, its statistics stay."""

import sqlite3

import numpy as np
import pandas as pd
import pytest

import explorer as ex
from explorer.drawing.tree_view.payload import tree_payload
from tests.oracles.pack_reader import unpacked

FRAME = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0], "y": [1.0, 1.5, 2.0, 8.0, 9.0, 9.5]})
DATA = ex.Dataset.from_frame(FRAME, "y")
STUMP = ex.grow(DATA, ex.CART.replace(max_depth=1))
BOOSTED = STUMP.with_predictions([0.25, -2.5, 3.0625])
EXPECTED = [-2.5, -2.5, -2.5, 3.0625, 3.0625, 3.0625]


def test_rows_get_the_replaced_predictions_and_the_statistics_stay() -> None:
    assert BOOSTED.predict(FRAME).tolist() == EXPECTED
    assert BOOSTED.values.tolist() == [0.25, -2.5, 3.0625]
    assert [BOOSTED.node(node).label for node in (0, 1, 2)] == [0.25, -2.5, 3.0625]
    assert BOOSTED.stats.tolist() == STUMP.stats.tolist()
    assert STUMP.predict(FRAME).tolist() == pytest.approx([1.5] * 3 + [26.5 / 3] * 3)


def test_a_pruned_node_predicts_its_own_number() -> None:
    assert BOOSTED.with_pruned([True, False, False]).predict(FRAME).tolist() == [0.25] * 6


def test_saving_keeps_the_predictions() -> None:
    again = ex.Tree.from_dict(BOOSTED.to_dict())
    assert again.predict(FRAME).tolist() == EXPECTED
    assert ex.Tree.from_dict(STUMP.to_dict()).predictions is None


@pytest.mark.parametrize("damaged", [[1.0, 2.0], [1.0, 2.0, float("nan")]])
def test_damaged_predictions_are_refused(damaged: list[float]) -> None:
    with pytest.raises(ex.InputError, match="saved tree is damaged: 'predictions' is not a list of"):
        ex.Tree.from_dict({**BOOSTED.to_dict(), "predictions": damaged})


def test_python_and_sql_exports_predict_them() -> None:
    names: dict[str, object] = {}
    exec(ex.to_python(BOOSTED), names)
    predict = names["predict"]
    assert callable(predict)
    assert [predict({"x": x})[0] for x in FRAME["x"]] == EXPECTED
    connection = sqlite3.connect(":memory:")
    FRAME.to_sql("rows", connection, index=False)
    answers = connection.execute(ex.to_sql(BOOSTED, table="rows")).fetchall()
    assert [row[-1] for row in answers] == EXPECTED


def test_texts_show_them_without_a_standard_deviation_that_is_not_theirs() -> None:
    assert ex.to_text(BOOSTED).splitlines()[1:] == ["  x ≤ 3.5: -2.5 (3 rows)", "  x > 3.5: 3.0625 (3 rows)"]
    assert "±" in ex.to_text(STUMP)
    for picture in (ex.to_dot(BOOSTED), ex.to_svg(BOOSTED)):
        assert "3.062" in picture
        assert "±" not in picture
    rules = [rule.finding for rule in ex.rules(BOOSTED).rules]
    assert rules == ["-2.5 (3 rows)", "3.0625 (3 rows)"]


def test_the_tree_view_draws_them_and_knows_that_they_are_no_means() -> None:
    header, arrays = unpacked(tree_payload(BOOSTED))
    assert arrays["value"].tolist() == [0.25, -2.5, 3.0625]
    assert header["has_means"] is False
    assert "has_means" not in unpacked(tree_payload(STUMP))[0]


@pytest.mark.parametrize(
    ("values", "words"),
    [([1.0, 2.0], "3 nodes, but there are 2 predictions"), ([1.0, np.inf, 2.0], "node 1 is not a finite number")],
)
def test_predictions_that_do_not_fit_are_refused(values: list[float], words: str) -> None:
    with pytest.raises(ex.InputError, match=words):
        STUMP.with_predictions(values)


def test_a_tree_with_classes_keeps_its_classes() -> None:
    tennis = ex.Dataset.from_frame(ex.load_sample("play_tennis").frame, "PlayTennis")
    tree = ex.grow(tennis, ex.ID3)
    with pytest.raises(ex.InputError, match="predicts classes"):
        tree.with_predictions(np.zeros(tree.n_nodes_grown))
