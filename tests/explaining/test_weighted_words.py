"""Amounts of a tree whose rows have weights of a column are called weights, not rows, in every text."""

import numpy as np
import pandas as pd
import pytest

import explorer as ex

FRAME = pd.DataFrame({"x": [1.0, 2, 3, 4, 5, 6], "y": list("aabbbb"), "w": [1500, 2500, 1000, 1000, 1000, 1000]})


@pytest.fixture(params=[True, False], ids=["classes", "number"])
def tree(request):
    frame = FRAME if request.param else FRAME.assign(y=[0, 0, 1, 1, 1, 1])
    kinds = {} if request.param else {"y": "numeric"}
    return ex.grow(ex.Dataset.from_frame(frame, "y", weights="w", kinds=kinds), ex.CART)


def test_every_text_names_the_weight(tree):
    # 1500 + 2500 go left, four rows of 1000 go right: 4,000 each, 8,000 in all
    assert tree.weight.tolist() == [8000, 4000, 4000]
    for text in (ex.to_text(tree), ex.to_dot(tree), ex.to_svg(tree), *(rule.text for rule in ex.rules(tree))):
        assert "weight 4,000" in text
        assert " rows" not in text.replace("all rows", "")
    assert tree.notes == ("Amounts are sums of the weights in column 'w', not numbers of rows.",)
    assert ex.Tree.from_dict(tree.to_dict()).rows_text(4000.0) == "weight 4,000"


def test_weights_without_a_column_still_count_rows():
    # weight 2 is the row twice
    tree = ex.grow(ex.Dataset.from_frame(FRAME.drop(columns="w"), "y", weights=np.full(6, 2.0)), ex.CART)
    assert tree.rows_text(float(tree.weight[0])) == "12 rows"
