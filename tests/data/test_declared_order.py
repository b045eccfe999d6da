"""The order that a file or a frame declares for its levels is that of the tests, and a note says so."""

import io

import numpy as np
import pandas as pd
import polars
import pyarrow as pa
import pyarrow.feather
import pytest

import explorer as ex
from tests.data.statistics.survey import FOLDER

LEVELS = ["low", "mid", "high"]
CELLS = ["mid", "low", None, "high", "low", "mid"] * 4
Y = np.arange(24) % 2


def of_pandas(levels=tuple(LEVELS), is_ordered=True):
    return pd.DataFrame({"size": pd.Categorical(CELLS, list(levels), ordered=is_ordered), "y": Y})


def of_arrow(is_ordered=True):
    codes = pa.array([None if cell is None else LEVELS.index(cell) for cell in CELLS], pa.int8())
    return pa.table({"size": pa.DictionaryArray.from_arrays(codes, pa.array(LEVELS), ordered=is_ordered), "y": Y})


def of_polars():
    return polars.DataFrame({"size": polars.Series(CELLS, dtype=polars.Enum(LEVELS)), "y": Y})


def written(write):
    stream = io.BytesIO()
    write(stream)
    return stream.getvalue()


SOURCES = {
    "pandas": of_pandas,
    "arrow": of_arrow,
    "polars": of_polars,
    "pandas.parquet": lambda: written(of_pandas().to_parquet),
    "arrow.feather": lambda: written(lambda stream: pa.feather.write_feather(of_arrow(), stream)),
    "polars.parquet": lambda: written(of_polars().write_parquet),
    "polars.arrow": lambda: written(of_polars().write_ipc),
}


@pytest.mark.parametrize("name", SOURCES)
def test_a_declared_order_is_taken_with_a_note(name):
    table = ex.read_table(SOURCES[name](), name=name)
    assert table.kinds == {"size": "ordered"}
    assert any("declares the order of these levels, and tests go by it: 'size'" in note for note in table.notes)
    assert table.suggestions == ()
    data = ex.Dataset.from_frame(table.frame, "y", kinds=table.kinds)
    assert (data.features[0].type, data.features[0].scale.levels) == ("ordered", tuple(LEVELS))
    assert ex.Dataset.from_frame(table.frame, "y", kinds={"size": "categorical"}).features[0].kind == "categorical"


@pytest.mark.parametrize("frame", [of_pandas(is_ordered=False), of_arrow(is_ordered=False)], ids=["pandas", "arrow"])
def test_categories_without_an_order_have_none(frame):
    table = ex.read_table(frame)
    assert table.kinds == {}
    assert not any("declares" in note for note in table.notes)


def test_two_levels_need_no_order():
    frame = of_pandas()
    frame["size"] = frame["size"].where(frame["size"] != "mid")
    assert ex.read_table(frame).kinds == {}


def test_an_ordinal_column_of_spss_is_in_order_and_a_nominal_one_is_not():
    table = ex.read_table(FOLDER / "survey.sav")
    assert table.kinds == {"trust": "ordered"}
    assert table.frame["trust"].dropna().unique().tolist() == ["high", "mid", "low"]
    feature = ex.Dataset.from_frame(table.frame, "sex", ["trust"], kinds=table.kinds).features[0]
    assert feature.scale.levels == ("low", "mid", "high")


def test_labels_of_stata_follow_their_codes_and_are_only_suggested():
    """A region's codes have an order too."""
    table = ex.read_table(FOLDER / "survey_15.dta")
    assert table.kinds == {}
    (levels,) = [one for one in table.suggestions if (one.column, one.repair.kind) == ("trust", "levels")]
    assert levels.apply(table).kinds == {"trust": "ordered"}


@pytest.mark.parametrize(
    ("levels", "is_offered"), [(["south", "east", "west"], True), (["east", "south", "west"], False)]
)
def test_an_order_by_the_alphabet_is_none(levels, is_offered, tmp_path):
    """Stata's `encode` codes labels by the alphabet, and pandas calls each labelled column ordered."""
    cells = pd.Categorical(["east", "west", "south"] * 8, levels)
    pd.DataFrame({"region": cells, "y": [1.0, 2.0] * 12}).to_stata(tmp_path / "t.dta", write_index=False)
    offered = [one.repair.kind for one in ex.read_table(tmp_path / "t.dta").suggestions]
    assert offered == (["levels"] if is_offered else [])


def test_an_ordered_target_has_classes_in_order():
    table = ex.read_table(of_pandas())
    assert ex.Dataset.from_frame(table.frame, "size", kinds=table.kinds).classes == tuple(LEVELS)


def test_a_merged_level_ends_the_order():
    merged = ex.Repair("recoded", "size", {"values": (("low", "mid"), ("high", "other"))})
    table = ex.apply_repairs(ex.read_table(of_pandas()), [merged])
    assert "size" not in table.kinds
