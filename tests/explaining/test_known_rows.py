"""Rows of a file that the tree was grown on: the same numbers however they are written, and missing cells."""

import numpy as np
import pandas as pd

import explorer as ex
from explorer.explaining.known_rows import count_known_rows

TRAIN = pd.DataFrame({"x": [0.0, np.nan, 2.0, 3.0], "k": ["a", "b", None, "a"], "y": ["n", "p", "p", "n"]})


def known(**cells: list[object]) -> int:
    return count_known_rows(ex.Dataset.from_frame(TRAIN, "y"), pd.DataFrame(cells))


def test_numbers_are_compared_as_such_and_a_missing_cell_equals_a_missing_cell_alone():
    assert known(y=["n", "p", "p"], k=["a", "b", None], x=["0", None, "2.00"]) == 3
    assert known(x=[0.0, None, 2.0], k=["b", "a", "a"], y=["n", "p", "p"]) == 0
    assert known(x=[None], k=["a"], y=["n"]) == 0, "0 is not missing"
    assert known(x=[3], k=["a"], y=["p"]) == 0, "the target counts too"
    assert known(x=[3], y=["n"]) == 0, "a feature is not there"
