"""A node of the Grow page tells its validation rows, and the tree signs nodes where they disagree."""

import numpy as np
import pytest

import explorer as ex
from explorer.formatting import percent
from pages.results import evaluation, trees
from pages.settings.page_settings import EvaluateSettings, GrowSettings
from pages.settings.settings import Settings, changed
from tests.pages.app import fine, opened, summary, texts, views


def signs(app):
    return of_view(app, "grow")


def of_view(app, name):
    """The texts of a node's signs; those about its split have a kind of their own, and hide where it is pruned."""
    found = {}
    for mark in views(app)[name]["marks"]:
        if mark["kind"].startswith("held_out"):
            assert ("The split" in mark["text"]) == (mark["kind"] == "held_out_split")
            found[mark["node"]] = f"{found.get(mark['node'], '')} {mark['text']}".strip()
    return found


@pytest.fixture(scope="module")
def app():
    return fine(opened("Grow", data="titanic", node="3"))


def at_node(node):
    """Training rows' prediction at a node, and the validation rows there by class, as the rows of the table say."""
    settings = Settings(sample="titanic")
    tree, valid = trees.grown(settings).tree, trees.parts(settings).valid
    rows = valid.frame[trees.source(settings).target].iloc[tree.rows_at(valid, node)]
    return tree.node(node).label, rows.value_counts()


def test_the_selected_node_tells_rows_and_score(app):
    label, counts = at_node(3)
    said = texts(app.caption)
    assert f"Validation: {counts.sum()} rows, {percent(counts.get(label, 0) / counts.sum())} right." in said
    other = counts.idxmax()
    assert (f"Most have class {other}, not {label}." in said) == (counts[other] > counts.get(label, 0))


def test_signs_are_at_large_nodes_and_say_why(app):
    assert signs(app)
    for node, text in signs(app).items():
        label, counts = at_node(node)
        assert counts.sum() >= 10
        assert ("Most have class" in text) == (counts.max() > counts.get(label, 0))
        assert "Most have class" in text or "The split predicts them no better." in text
    tree = trees.grown(Settings(sample="titanic")).tree
    large = [node for node in np.flatnonzero(tree.is_leaf) if at_node(node)[1].sum() >= 10]
    wrong = {node for node in large if at_node(node)[1].idxmax() != at_node(node)[0]}
    assert wrong <= set(signs(app))


def test_the_prune_page_signs_the_same_nodes_and_test_rows_stand_beside_once_they_were_used(app):
    pruning = fine(opened("Prune", data="titanic"))
    assert of_view(pruning, "prune") == signs(app)
    three = {"data": "titanic", "node": "3", "split": "three"}
    assert "Test:" not in texts(fine(opened("Grow", **three)).caption)
    assert "Test:" not in texts(fine(opened("Grow", **three, opened="1:8:0.8:0.6")).caption), "that was another split"
    used = fine(opened("Grow", **three, opened="0:8:0.8:0.6"))
    settings = Settings(sample="titanic", split="three")
    tree, test = trees.grown(settings).tree, trees.parts(settings).test
    rows = test.frame[trees.source(settings).target].iloc[tree.rows_at(test, 3)]
    right = percent((rows == tree.node(3).label).mean())
    assert f"Test: {len(rows)} rows, {right} right." in texts(used.caption)


def test_each_manual_edit_moves_both_scores():
    begin = Settings(sample="iris", grow=GrowSettings("CART", (("max_depth", 2),)), evaluate=EvaluateSettings("train"))
    split = changed(begin, choices=ex.Choices().force(ex.NodePath(), ex.SplitRequest("petalwidth", "threshold", 2.1)))
    pruned = changed(split, manual_steps=(("collapse", 1),))
    undone = changed(pruned, manual_steps=(("collapse", 1), ("restore", 1)))
    app, seen = fine(opened("Evaluate")), []
    for settings in (begin, split, pruned, undone):
        app.session_state["settings"] = settings
        app = fine(app.run())
        subsets, tree = trees.parts(settings), evaluation.evaluated_tree(settings)
        train, valid = (ex.evaluate(tree, rows).scores["accuracy"].value for rows in (subsets.train, subsets.valid))
        assert f"validation accuracy {percent(valid)}" in summary(app).replace("\N{NO-BREAK SPACE}", " ")
        assert f"{100 * train:.1f}" in " ".join(str(table.value.to_dict()) for table in app.table)
        seen.append((train, valid))
    assert len({train for train, _ in seen[:3]}) == len({valid for _, valid in seen[:3]}) == 3
    assert seen[3] == seen[1]


def test_numbers_have_a_mean_squared_error_and_a_small_table_has_no_validation_rows():
    assert "MSE" in texts(fine(opened("Grow", data="auto_mpg")).caption)
    tennis = fine(opened("Grow"))
    assert "Validation:" not in texts(tennis.caption)
    assert signs(tennis) == {}
