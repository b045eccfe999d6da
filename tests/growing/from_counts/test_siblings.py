"""Of the children of a node all but the largest are counted: its counts are those of the parent less the others'."""

import pytest

import explorer as ex
from tests.oracles.counted_tables import COUNTED, mixed_frame
from tests.oracles.counting_engine import ArrayEngine, array_source


@pytest.fixture
def counted_nodes(monkeypatch):
    """The nodes of every query of bins, one list a query."""
    asked, bins = [], ArrayEngine.bins

    def recorded(engine, routing, nodes, codings):
        asked.append(list(nodes))
        return bins(engine, routing, nodes, codings)

    monkeypatch.setattr(ArrayEngine, "bins", recorded)
    return asked


def depth_three() -> ex.Recipe:
    return ex.CART.replace(max_depth=3, missing="most_common", categorical="one_vs_rest")


def test_one_of_two_branches_is_counted(counted_nodes):
    tree = ex.grow(array_source(mixed_frame(1), "goal", **COUNTED), depth_three())
    assert tree.max_depth == 3
    assert len(counted_nodes) == 3
    assert counted_nodes[0] == [0]
    assert [len(nodes) for nodes in counted_nodes[1:]] == [1, 2], "one child of one, then of two split nodes"
    smaller = min(tree.children_of(0), key=lambda child: tree.weight[child])
    assert counted_nodes[1] == [smaller]


def test_sums_of_weights_and_numbers_are_counted_at_every_node(counted_nodes):
    frame = mixed_frame(1)
    frame["w"] = 0.1
    ex.grow(array_source(frame, "goal", "w", **COUNTED), depth_three())
    ex.grow(array_source(mixed_frame(1, regression=True), "goal", **COUNTED), depth_three())
    assert [len(nodes) for nodes in counted_nodes] == [1, 2, 4] * 2, "the root is counted once"
