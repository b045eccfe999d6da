"""What to do with rows of leaves: one text for a row in predictions, rules, saved trees and exports."""

import json

import duckdb
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import explorer as ex
from explorer.explaining.predict_table import predict_table
from tests.oracles.examples import examples
from tests.oracles.exported_code import by_javascript

TENNIS = ex.Dataset.from_frame(ex.load_sample("play_tennis").frame, "PlayTennis")
TREE = ex.grow(TENNIS, ex.ID3)
HOSTILE = "call <b>'them'</b>; \"DROP\" \\ %{x} 电话"


def random_case(seed, missing):
    draw = np.random.default_rng(seed)
    n = 60
    frame = pd.DataFrame({"x": draw.integers(0, 6, n).astype(float), "c": draw.choice(list("abc"), n)})
    frame["y"] = np.where(frame["x"] / 6 + draw.random(n) > 0.9, "p", "q")
    if missing:
        frame.loc[draw.random(n) < 0.2, "x"] = None
    data = ex.Dataset.from_frame(frame, "y", kinds={"x": "numeric"})
    tree = ex.grow(data, (ex.C45 if missing else ex.CART).replace(max_depth=3))
    nodes = draw.choice(tree.n_nodes_grown, min(tree.n_nodes_grown, 3), replace=False)
    return data, tree, {int(node): f"do {node} {HOSTILE}" for node in nodes}


def action_by_path(tree, actions, node):
    """The last action on the way to a node."""
    path = [above for above, _ in tree.path_to(node)] + [node]
    return next((actions[above] for above in reversed(path) if above in actions), "")


@examples(60)
@given(seed=st.integers(0, 10**6), missing=st.booleans())
def test_a_row_has_the_action_of_its_leaf_everywhere(seed, missing):
    data, tree, actions = random_case(seed, missing)
    acting = tree.with_actions(actions)
    expected = [action_by_path(tree, actions, int(leaf)) for leaf in tree.apply(data)]
    predicted = predict_table(acting, data, data.frame.drop(columns="y"))
    assert predicted.frame["action"].tolist() == expected
    module = {}
    exec(ex.to_python(acting), module)
    assert [module["action"](row) for row in data.frame.to_dict("records")] == expected
    rules = ex.rules(acting)
    assert {rule.leaf: rule.action for rule in rules} == {
        rule.leaf: action_by_path(tree, actions, rule.leaf) for rule in rules
    }
    assert rules.to_frame()["action"].tolist() == [rule.action for rule in rules.in_order]
    rows = data.frame  # noqa: F841  DuckDB reads it
    of_sql = duckdb.sql(ex.to_sql(acting, "rows", "duckdb")).df()
    ends = of_sql["tree node"]
    for node, text in zip(ends, of_sql["action"], strict=True):
        assert (text is None or pd.isna(text)) if pd.isna(node) else text == action_by_path(tree, actions, int(node))
    assert ex.Tree.from_dict(json.loads(json.dumps(acting.to_dict()))).actions == acting.actions
    assert acting.predict(data).tolist() == tree.predict(data).tolist()


def test_the_module_of_javascript_says_the_action():
    actions = {0: "wait", 1: HOSTILE}
    acting = TREE.with_actions(actions)
    text = ex.to_javascript(acting)
    assert "export function action(row)" in text
    assert by_javascript(acting, TENNIS.frame)[0] == TREE.predict(TENNIS).tolist()
    assert "action" not in ex.to_javascript(TREE)
    assert "def action" not in ex.to_python(TREE)
    assert "action" not in ex.to_sql(TREE)


def test_a_pruned_tree_has_the_actions_of_what_is_left():
    acting = TREE.with_actions({1: "call first", 4: "call twice"})
    leaf = next(rule for rule in ex.rules(acting) if rule.leaf == 4)
    assert leaf.text.endswith("; action: call twice")
    pruned = acting.with_pruned(np.arange(TREE.n_nodes_grown) == 1)
    assert next(rule for rule in ex.rules(pruned) if rule.leaf == 1).action == "call first"
    assert ", action: call first" in ex.to_text(pruned)
    assert "action" not in ex.to_text(pruned.with_actions({}))


def test_text_has_the_action_at_leaves_only():
    lines = ex.to_text(TREE.with_actions({1: "call"})).splitlines()
    assert [line.split(":")[0].strip() for line in lines if "action: call" in line] == [
        "Humidity = High",
        "Humidity = Normal",
    ]


@pytest.mark.parametrize(
    ("actions", "fact"),
    [({99: "x"}, "no node 99"), ({-1: "x"}, "no node -1"), ({1: " "}, "1 to 200"), ({1: "x" * 201}, "1 to 200")],
)
def test_what_is_no_action_is_refused(actions, fact):
    with pytest.raises(ex.InputError, match=fact):
        TREE.with_actions(actions)


@pytest.mark.parametrize("actions", [{"1": "x"}, [[1]], [[99, "x"]], [[1, ""]], [["1", "x"]]])
def test_damaged_actions_are_refused(actions):
    with pytest.raises(ex.InputError):
        ex.Tree.from_dict({**TREE.to_dict(), "actions": actions})


def test_the_script_of_a_report_says_the_actions():
    acting = TREE.with_actions({1: HOSTILE})
    table = ex.load_sample("play_tennis")
    made = ex.Provenance(table, TENNIS, acting, (TENNIS,), sample="play_tennis")
    (line,) = [line for line in ex.to_script(made).splitlines() if "with_actions" in line]
    scope = {"tree": TREE}
    exec(line, scope)
    assert scope["tree"].actions == acting.actions
