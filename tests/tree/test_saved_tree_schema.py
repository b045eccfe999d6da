"""The JSON Schema of saved trees: all of them fit it, and what lacks a field is refused by both."""

import dataclasses
import json
from importlib.resources import files

import jsonschema
import pytest
from hypothesis import given

import explorer as ex
from tests.folders import ROOT
from tests.oracles import used_trees
from tests.oracles.examples import law
from tests.oracles.tables import sample_dataset

SCHEMA = json.loads(files("explorer").joinpath("tree/saved_tree.schema.json").read_text("utf-8"))
CHECK = jsonschema.Draft202012Validator(SCHEMA)


def saved(tree):
    return json.loads(json.dumps(tree.to_dict(), allow_nan=False))


def test_the_schema_is_one_of_its_draft():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@law(60)
@given(used_trees.grown())
def test_every_tree_fits(case):
    CHECK.validate(saved(case[0]))


@law(20)
@given(used_trees.grown(by_hand=True))
def test_trees_decided_by_hand_fit(case):
    CHECK.validate(saved(case[0]))


@pytest.mark.parametrize("key", list(ex.SAMPLES))
def test_trees_of_built_in_tables_fit(key):
    data = sample_dataset(key)
    for recipe in [ex.CART] if data.is_regression else [ex.CART, ex.C45, ex.ID3]:
        content = saved(ex.grow(data, recipe))
        CHECK.validate(content)
        assert set(content) <= set(SCHEMA["properties"])


def test_a_tree_with_all_that_may_be_left_out_fits():
    tree = ex.grow(sample_dataset("titanic"), ex.CART.replace(max_depth=5))
    tree = tree.with_smoothing("laplace").with_threshold(tree.classes[1], 0.4)
    content = saved(dataclasses.replace(tree, table_settings={"split": ["two"]}))
    assert {"smoothing", "decision", "surrogates", "table_settings"} <= set(content)
    CHECK.validate(content)


@pytest.mark.parametrize("name", SCHEMA["required"])
def test_a_tree_without_a_field_is_refused_by_both(name):
    content = saved(ex.grow(sample_dataset("golf"), ex.CART))
    del content[name]
    assert not CHECK.is_valid(content)
    with pytest.raises(ex.InputError, match="damaged"):
        ex.Tree.from_dict(content)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *[("parent", "no list"), ("depth", [0.5]), ("recipe", {"colour": 1}), ("features", [{}])],
        *[("table_settings", {"split": "two"}), ("table_settings", [])],
    ],
)
def test_a_wrong_field_is_refused_by_both(name, value):
    content = saved(ex.grow(sample_dataset("golf"), ex.CART)) | {name: value}
    assert not CHECK.is_valid(content)
    with pytest.raises(ex.InputError):
        ex.Tree.from_dict(content)


def test_the_recipe_has_the_fields_of_recipes_and_the_page_names_every_field():
    assert set(SCHEMA["$defs"]["recipe"]["properties"]) == {field.name for field in dataclasses.fields(ex.Recipe)}
    page = ROOT.joinpath("docs/saved-tree.md").read_text("utf-8")
    parts = [SCHEMA, SCHEMA["$defs"]["feature"], SCHEMA["properties"]["surrogates"]]
    names = [name for part in parts for name in part["properties"]]
    assert [name for name in names if f"| `{name}`" not in page] == []
