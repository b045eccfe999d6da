"""Pictures of a node's rows on Grow: a selection is ringed and listed; boxes and patterns are those counted."""

import json

import numpy as np
import pytest

import explorer as ex
from pages.grow.of_rows import pictures
from pages.results import trees
from pages.settings.url import settings_from_query
from tests.pages.app import fine, opened, tab, texts, views

IRIS = {"data": "iris", "recipe": "CART", "max_depth": "2"}


def picture(kind, **query):
    """The Rows tab of a node with a kind of picture; its figure, if it has one."""
    app = tab(opened("Grow", **query), "node.tab", "Rows")
    app = fine(app.pills("look.kind").set_value(kind).run())
    figures = app.get("plotly_chart")
    return app, json.loads(figures[-1].proto.spec)["data"] if figures else None


def settings_of(query):
    return settings_from_query({name: [value] for name, value in query.items()})[0]


def test_only_rows_of_the_node_can_be_selected():
    settings = settings_of(IRIS)
    train, tree = trees.parts(settings).train, trees.grown(settings).tree
    _, traces = picture("points", node="2", **IRIS)
    assert sorted(row for trace in traces for row in trace.get("customdata", [])) == tree.rows_at(train, 2).tolist()


def test_selected_rows_are_ringed_where_they_end_and_listed_until_another_picture():
    settings = settings_of(IRIS)
    train, tree = trees.parts(settings).train, trees.grown(settings).tree
    app, _ = picture("points", node="2", **IRIS)
    rows = tree.rows_at(train, 3)[:4].tolist()
    app.session_state["look.selected"] = (f"{trees.grown_key(settings)} 2", tuple(rows))
    app = fine(app.run())
    rings = [mark for mark in views(app)["grow"]["marks"] if mark["kind"] == "ring"]
    assert [(mark["node"], mark["text"]) for mark in rings] == [(3, "4 rows of the selection end here")]
    listed = app.dataframe[-1].value
    assert listed.index.tolist() == (train.row_numbers[rows] + 1).tolist()
    app = fine(app.pills("look.kind").set_value("leaves").run())
    assert not [mark for mark in views(app)["grow"]["marks"] if mark["kind"] == "ring"]
    assert len(app.dataframe[-1].value) == len(tree.rows_at(train, 2))


@pytest.mark.parametrize("node", ["2", "3"])
def test_boxes_are_those_of_the_leaves_below_or_of_all_at_a_leaf(node):
    settings = settings_of(IRIS)
    train, tree = trees.parts(settings).train, trees.grown(settings).tree
    _, traces = picture("leaves", node=node, **IRIS)
    expected = ex.leaf_spreads(tree, train, tree.features[tree.feature[2]].name, 2 if node == "2" else 0)
    boxes = [trace for trace in traces if trace["type"] == "box"]
    assert [(box["q1"][0], box["median"][0], box["q3"][0]) for box in boxes] == [
        (each.first, each.median, each.third) for each in expected
    ]
    assert traces[-1]["customdata"] == [each.node for each in expected], "a click selects a leaf"


def test_a_numeric_target_comes_first():
    _, traces = picture("leaves", data="auto_mpg", recipe="CART", max_depth="2")
    settings = settings_of({"data": "auto_mpg", "recipe": "CART", "max_depth": "2"})
    tree = trees.grown(settings).tree
    medians = [each.median for each in ex.leaf_spreads(tree, trees.parts(settings).train, tree.target)]
    assert traces[-1]["x"] == medians


def test_pictures_begin_with_the_column_of_the_split_then_that_of_the_largest_effect():
    """On Titanic, CART splits node 2 (men) on age, and its own split comes first; the choice of the reader stays."""
    query = {"data": "titanic", "recipe": "CART", "max_depth": "3"}
    settings = settings_of(query)
    tree, train = trees.grown(settings).tree, trees.parts(settings).train
    numeric = {feature.name for feature in train.features if feature.kind == "numeric"}
    own = {int(node): tree.features[tree.feature[node]].name for node in np.flatnonzero(tree.is_inner)}
    node = max(node for node, name in own.items() if node and name in numeric)
    effects = [profile.feature.name for profile in ex.node_profile(tree, train, node)]
    others = [name for name in effects if name in numeric - {own[node]}]
    others.sort(key=lambda name: name in ("pclass", "sibsp", "parch"))  # whose points would lie on few lines
    app, _ = picture("points", node=str(node), **query)
    assert (app.selectbox("look.across").value, app.selectbox("look.up").value) == (own[node], others[0])
    app = fine(app.pills("look.kind").set_value("leaves").run())
    assert app.selectbox("look.column").value == own[node]
    app = fine(app.selectbox("look.column").set_value(others[-1]).run())
    leaf = max(int(leaf) for leaf in tree.leaves() if own.get(int(tree.parent[leaf])) in numeric)
    app, _ = picture("points", node=str(leaf), **query)
    effects = [profile.feature.name for profile in ex.node_profile(tree, train, leaf)]
    above = own[int(tree.parent[leaf])]
    assert app.selectbox("look.across").value == above, "the split that made the leaf"
    assert app.selectbox("look.up").value == next(name for name in effects if name in {"age", "fare"} - {above})


def test_parallel_axes_have_the_rows_of_the_node_over_the_columns_that_tell_most_of_them():
    settings = settings_of(IRIS)
    train, tree = trees.parts(settings).train, trees.grown(settings).tree
    app, traces = picture("parallel", node="2", **IRIS)
    others, *lines = traces
    rows = tree.rows_at(train, 2).tolist()
    assert sorted({row for trace in lines for row in trace["customdata"]}) == rows
    assert "customdata" not in others, "no other row can be selected"
    first = json.loads(app.get("plotly_chart")[-1].proto.spec)["layout"]["annotations"][0]["text"]
    assert first.startswith(tree.features[tree.feature[2]].name)
    app.session_state["look.selected"] = (f"{trees.grown_key(settings)} 2", tuple(rows[:3]))
    app = fine(app.run())
    assert {mark["node"] for mark in views(app)["grow"]["marks"] if mark["kind"] == "ring"} == set(
        tree.apply(train)[rows[:3]].tolist()
    )


def test_patterns_of_missing_cells_have_a_line_each():
    app, _ = picture("missing", data="golf_missing", recipe="C4.5", share="90")
    lines = next(frame.value for frame in app.dataframe if "missing together" in frame.value).to_dict("records")
    assert lines[0]["missing together"] == "no cell is missing"
    assert sum(float(line["here"].rstrip(" %")) for line in lines) == pytest.approx(100, abs=0.3)


def test_a_complete_table_has_no_picture_of_missing_cells():
    assert "missing" not in pictures._pictures(trees.parts(settings_of(IRIS)).train)


def test_prune_compares_the_rows_of_a_node_of_the_chosen_tree_with_all_others_as_grow_does():
    query = {"data": "titanic", "recipe": "CART", "alpha": "0.01"}
    settings = settings_of(query)
    tree, train = trees.grown(settings).tree, trees.parts(settings).train
    expected = [each.effect for each in ex.node_profile(tree, train, 1)]
    app = opened("Prune", tab="rows", node="1", **query)
    table = next(frame.value for frame in app.dataframe if "effect" in frame.value)
    assert table["effect"].tolist() == pytest.approx(expected[:12])
    assert "Node 1" in texts(app.markdown)
    assert "Select a node of the tree below the root" in texts(opened("Prune", tab="rows", node="0", **query).caption)
