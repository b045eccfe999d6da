"""A column of weights: chosen by its role on the Data page, in the link, and used by every tree and score."""

import io
import json

import numpy as np
import pandas as pd
import pytest

import explorer as ex
from pages.results import provenance, trees
from pages.settings.settings import Settings
from tests.pages.app import fine, opened, summary, texts, typed, uploaded, went

ROWS = 60
DRAW = np.random.default_rng(3)
FRAME = pd.DataFrame({
    "x": DRAW.normal(size=ROWS).round(2), "z": DRAW.integers(0, 5, ROWS), "w": DRAW.choice([1, 2, 5], ROWS),
    "note": ["a*b"] * (ROWS - 1) + ["c"], "y": DRAW.choice(["no", "yes"], ROWS),
})  # fmt: skip
CSV = FRAME.to_csv(index=False).encode()


def columns(app):
    """The table of columns."""
    return next(frame for frame in app.dataframe if "role" in frame.value)


def with_role(app, column, role):
    """Give a column a role."""
    table = columns(app)
    line = table.value["column"].tolist().index(column)
    return typed(app, table, **{f"_{line}": {"role": role}})


def roles(app):
    return columns(app).value.set_index("column")["role"].to_dict()


@pytest.fixture
def weighted():
    return fine(with_role(uploaded(opened(), "rows.csv", CSV), "w", "weight"))


def test_the_role_makes_the_weights_of_the_tree(weighted):
    assert roles(weighted)["w"] == "weight"
    assert weighted.query_params["weight"] == "w"
    app = fine(went(weighted, "Grow"))
    assert "weighted by w" in summary(app)
    assert "p is wrong where weights are no counts" in texts(app.caption)
    data = ex.Dataset.from_frame(pd.read_csv(io.BytesIO(CSV)), "y", weights="w")
    expected = ex.grow(data, ex.CART)
    assert f"{expected.n_leaves} leaves, depth {expected.max_depth}" in summary(app)


def test_amounts_are_headed_by_what_they_are(weighted):
    rules = fine(went(weighted, "Rules"))
    assert "they are wrong where weights are no counts" in texts(rules.caption)
    assert rules.number_input("rules.min_rows").label == "Weight, at least"
    components = (json.loads(element.proto.json or "null") for element in rules.get("bidi_component"))
    (head,) = (data["head"] for data in components if isinstance(data, dict) and "lines" in data)
    listed = {column["text"]: column["help"] for column in head}
    assert "Summed weight of the rows that fulfil the rule." in listed["training weight"]
    assert "training rows" not in listed
    (classes,) = [frame.value for frame in fine(went(rules, "Evaluate")).dataframe if "recall" in frame.value]
    assert "weight" in classes
    assert "rows" not in classes


def test_another_role_takes_the_weights_away_again(weighted):
    app = fine(with_role(weighted, "w", "feature"))
    assert roles(app)["w"] == "feature"
    assert "weight" not in app.query_params
    app = fine(with_role(weighted, "x", "weight")) if (FRAME["x"] >= 0).all() else app
    assert "weighted by" not in summary(fine(went(app, "Grow")))


def test_of_two_columns_the_new_one_is_taken(weighted):
    app = fine(with_role(weighted, "z", "weight"))
    assert app.query_params["weight"] == "z"
    assert roles(app)["w"] == "feature"


@pytest.mark.parametrize(("column", "reason"), [("x", "give finite weights from 0 on"), ("note", "has text")])
def test_what_is_no_weight_is_refused_at_the_columns(column, reason):
    app = with_role(uploaded(opened(), "rows.csv", CSV), column, "weight")
    assert not app.exception
    assert reason in texts(app.main.get_by_key("columns").error)
    assert "weight" not in app.query_params
    assert columns(app).value.set_index("column")["role"][column] != "weight"


def test_a_target_that_was_the_weight_is_no_weight_any_more(weighted):
    app = fine(with_role(weighted, "w", "target"))
    assert roles(app)["w"] == "target"
    assert "weight" not in app.query_params


def test_training_and_validation_rows_have_weights_and_the_script_names_the_column():
    frame = ex.load_sample("titanic").frame
    weight = next(
        name for name in frame.columns if pd.api.types.is_numeric_dtype(frame[name]) and frame[name].min() > 0
    )
    if frame[weight].isna().any():
        pytest.skip("no column of the sample can be a weight")
    settings = Settings(sample="titanic", weight=weight)
    parts = trees.parts(settings)
    assert parts.valid is not None
    for rows in (parts.train, parts.valid):
        np.testing.assert_array_equal(rows.weights, rows.frame[weight])
    made = provenance.of_grown(settings)
    assert f"weights='{weight}'" in ex.to_script(made).replace('"', "'")
    assert weight not in [feature.name for feature in trees.data(settings).features]


def test_another_table_forgets_the_weights(weighted):
    app = fine(weighted.button("open.iris").click().run())
    assert "weight" not in app.query_params


def test_a_large_table_begins_with_leaves_of_enough_average_rows():
    # 420 of 600 rows train and weigh 250 each: two average rows in a leaf are a weight of 500
    frame = pd.concat([FRAME.assign(w=250)] * 10)
    weighted = with_role(uploaded(opened(), "rows.csv", frame.to_csv(index=False).encode()), "w", "weight")
    app = fine(went(fine(weighted), "Grow"))
    assert app.number_input("grow.min_rows_leaf").value == 500
    assert "CART, min. weight per leaf 500" in summary(app)


def test_the_role_stays_when_the_file_is_read_with_other_signs(weighted):
    app = weighted
    app.selectbox("file.thousands").select(".")
    app = fine(app.button("file.again").click().run())
    assert app.query_params["read"] == '{"thousands":"."}'
    assert roles(app)["w"] == "weight"
    assert app.query_params["weight"] == "w"
