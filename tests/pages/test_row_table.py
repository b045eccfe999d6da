"""Tables of rows with their features: every feature has a column, whatever it is called."""

import numpy as np
import pandas as pd
import pytest

import explorer as ex
from pages.widgets import row_table


def rows_of(*names):
    columns = {name: [10.0 * position, 10.0 * position + 1] for position, name in enumerate(names, 1)}
    return ex.Dataset.from_frame(pd.DataFrame({**columns, "goal": ["a", "b"]}), "goal", features=names)


@pytest.mark.parametrize("names", [("row", "row (feature)"), ("row (feature)", "row")])
def test_features_called_as_other_columns_keep_a_column_each(names):
    result = row_table.frame_of(rows_of(*names), np.array([1]), {"truth": ["b"]})
    assert result.iloc[0].tolist() == [2, "b", 11, 21]
    assert result.columns.is_unique


def test_a_path_names_where_it_ends():
    data = ex.Dataset.from_frame(ex.load_sample("play_tennis").frame, "PlayTennis")
    row = row_table.numbered(data, 2)  # the third day, overcast
    tree = ex.grow(data, ex.ID3)
    assert row_table.decision_path(tree, row) == (2, "Outlook \\= Overcast → **Yes** (node 2)")
    assert row_table.decision_path(tree.with_pruned(tree.depth == 0), row) == (0, "the root → **Yes** (node 0)")
