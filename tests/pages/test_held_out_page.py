"""A node of the Grow page tells its validation rows, and the tree signs nodes where they disagree."""

import numpy as np
import pytest

from explorer.formatting import percent
from pages.results import trees
from pages.settings.settings import Settings
from tests.pages.app import fine, opened, texts, views


def signs(app):
    return {mark["node"]: mark["text"] for mark in views(app)["grow"]["marks"] if mark["kind"] == "held_out"}


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
    assert (f"Most are {other}, not {label}." in said) == (counts[other] > counts.get(label, 0))


def test_signs_are_at_large_nodes_and_say_why(app):
    assert signs(app)
    for node, text in signs(app).items():
        label, counts = at_node(node)
        assert counts.sum() >= 10
        assert ("Most are" in text) == (counts.max() > counts.get(label, 0))
        assert "Most are" in text or "The split predicts them no better." in text
    tree = trees.grown(Settings(sample="titanic")).tree
    large = [node for node in np.flatnonzero(tree.is_leaf) if at_node(node)[1].sum() >= 10]
    wrong = {node for node in large if at_node(node)[1].idxmax() != at_node(node)[0]}
    assert wrong <= set(signs(app))


def test_numbers_have_a_mean_squared_error_and_a_small_table_has_no_validation_rows():
    assert "MSE" in texts(fine(opened("Grow", data="auto_mpg")).caption)
    tennis = fine(opened("Grow"))
    assert "Validation:" not in texts(tennis.caption)
    assert signs(tennis) == {}
