"""What Python sends to the view: exact, small, and as the JavaScript side reads it (one golden file for both)."""

import base64
import json
import struct
import subprocess

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import explorer as ex
from explorer.data.samples import SAMPLES
from explorer.drawing import tree_view
from explorer.drawing.class_shapes import SHAPES
from explorer.drawing.svg.layout import node_centres
from explorer.drawing.tree_view import payload
from explorer.drawing.tree_view.stability_layer import Layer, stability_payload
from explorer.formatting import leaves
from explorer.pruning.node_score_terms import node_score_terms
from pages import text as pages_text
from tests.folders import GOLDEN_FOLDER, ROOT

CHARTS = tree_view.FOLDER.parent / "charts"
GOLDEN = GOLDEN_FOLDER / "payload.json"
"""Packs of play_tennis under CART (one value against the rest) and what they say, worked out by hand; and all else
that Python and the view both do: places, steps by hand, shapes of classes, numbers in words.

To write the payloads anew after a change of the format: `python -m tests.drawing.test_payload`.
"""


GHOST, LEAF, INNER = "123"


def golden() -> dict:
    return json.loads(GOLDEN.read_text("utf-8"))


def tennis() -> tuple[ex.Dataset, ex.Path]:
    data = ex.Dataset.from_frame(ex.load_sample("play_tennis").frame, "PlayTennis")
    return data, ex.cost_complexity_path(ex.grow(data, ex.CART.replace(categorical="one_vs_rest")))


def shape_of(tree: ex.Tree) -> str:
    return "".join(
        GHOST if not is_kept else LEAF if is_leaf else INNER
        for is_kept, is_leaf in zip(tree.is_kept, tree.is_leaf, strict=True)
    )


def stability_layer(n_nodes: int) -> Layer:
    """A layer with a share for every node but the last, which no row reaches, and thresholds at the root."""
    counts = np.arange(n_nodes)[::-1]
    shares = np.append(counts[:-1] / 20, np.nan)
    return Layer(20, counts, shares, {0: (1.0, 9.5, 2.25, 4.0, 6.1)})


def tennis_payloads() -> dict[str, bytes]:
    data, path = tennis()
    tree = path.tree
    own = node_score_terms(tree, data)
    content = payload.tree_payload(tree)
    curve = path.curve(data)
    scores = payload.Scores(curve, 9 / 14, valid=curve, how="validation", best=0, train_parts=own, valid_parts=own)
    sig = payload.signature(content)
    return {
        "tree": content,
        "sequence": payload.sequence_payload(path, scores, sig),
        "growth": payload.growth_payload(tree, sig, golden()["growth"]["order"]),
        "stability": stability_payload(stability_layer(tree.n_nodes_grown), sig),
    }


def read(content: bytes) -> tuple[dict, dict]:
    """Header and arrays, by the contract alone."""
    (length,) = struct.unpack_from("<I", content)
    header = json.loads(content[4 : 4 + length])
    arrays = {}
    for name, (kind, offset, count) in header["arrays"].items():
        arrays[name] = np.frombuffer(content, payload.TYPES[kind], count, 4 + length + offset)
    return header, arrays


def test_the_golden_payloads_are_what_python_sends():
    payloads = {name: base64.b64encode(content).decode() for name, content in tennis_payloads().items()}
    assert payloads == golden()["payloads"]


def test_the_tree_of_play_tennis():
    expected = golden()["tree"]
    header, arrays = read(base64.b64decode(golden()["payloads"]["tree"]))
    assert header["target"] == expected["target"]
    assert header["classes"] == expected["classes"]
    assert arrays["parent"].tolist() == expected["parent"]
    assert arrays["stats"].reshape(-1, 2).tolist() == expected["stats"]
    assert [header["branch_texts"][index] for index in arrays["branch_text"]] == expected["branch_texts"]
    conditions = map(tennis()[1].tree.condition, range(len(expected["tests"])))
    assert [condition.text if condition else "" for condition in conditions] == expected["tests"]


def test_nodes_decided_by_hand_are_marked():
    data, _ = tennis()
    choices = ex.Choices().force((), "Outlook", categories=["Rain"]).lock((0,))
    _, arrays = read(payload.tree_payload(ex.grow(data, ex.ID3, choices=choices)))
    assert arrays["by_hand"].tolist() == [1, 1, 0, 0, 0]
    assert arrays["plain"].tolist() == [0, 0, 1, 0, 0]  # the grouping is worded in full, Wind by its name
    assert "by_hand" not in read(payload.tree_payload(tennis()[1].tree))[1]


def test_the_sequence_of_play_tennis():
    expected = golden()["sequence"]
    _, arrays = read(base64.b64decode(golden()["payloads"]["sequence"]))
    assert arrays["alphas"] == pytest.approx(expected["alphas"], abs=1e-12)
    assert arrays["leaves"].tolist() == expected["leaves"]
    assert arrays["collapsed"].tolist() == expected["collapsed"]
    for link in expected["links"]:
        node = link["node"]
        assert arrays["risk"][node] == pytest.approx(link["risk"], abs=1e-12)
        assert arrays["link_risk"][node] == pytest.approx(link["risk_below"], abs=1e-12)
        assert arrays["link_leaves"][node] == link["leaves_below"]


def test_shapes_scores_and_places_at_every_position():
    (data, path), expected = tennis(), golden()["sequence"]
    assert (14 * path.curve(data)).tolist() == pytest.approx(expected["right"])
    for position, (shape, slots) in enumerate(zip(expected["shapes"], expected["slots"], strict=True)):
        tree = path.subtree(position=position)
        assert shape_of(tree) == shape
        x, width = node_centres(tree, tree.is_leaf.astype(float))
        assert [None if np.isnan(place) else place for place in x.tolist()] == slots
        assert width == expected["leaves"][position]


def test_steps_by_hand():
    path = tennis()[1]
    for case in golden()["sequence"]["hand"]:
        at_position = path.tree.with_pruned(ex.pruned_at(path, case["position"]))
        assert shape_of(ex.prune_by_hand(at_position, case["steps"])) == case["shape"]


def test_the_growing_of_play_tennis():
    expected = golden()["growth"]
    header, arrays = read(base64.b64decode(golden()["payloads"]["growth"]))
    assert header["steps"] == "growth"
    assert {name: array.tolist() for name, array in arrays.items()} == {
        name: expected[name] for name in ("leaves", "split_at", "focus")
    }


@pytest.mark.parametrize("order", [[1, 0], [0, 0], [0, 2], [0, 3]])
def test_growing_that_splits_a_leaf_twice_or_ahead_of_its_parent_is_an_error(order):
    with pytest.raises(ValueError, match="nodes_in_order"):
        payload.growth_payload(tennis()[1].tree, "sig", order)


def test_growing_may_stop_before_the_tree_is_full():
    _, arrays = read(payload.growth_payload(tennis()[1].tree, "sig", [0, 1]))
    assert arrays["split_at"].tolist() == [1, 2, *[0] * 11]
    assert arrays["leaves"].tolist() == [1, 2, 3]


def test_classes_have_the_shapes_of_the_view():
    assert list(SHAPES) == golden()["class_shapes"]


def test_numbers_scores_and_leaves_are_worded_as_in_the_view():
    expected = golden()["words"]
    assert [pages_text.number(value) for value, _ in expected["number"]] == [text for _, text in expected["number"]]
    for key, is_regression in (("share", False), ("mean_squared_error", True)):
        assert [pages_text.score_text(value, is_regression) for value, _ in expected[key]] == [
            t for _, t in expected[key]
        ]
    assert [leaves(count) for count, _ in expected["leaves"]] == [text for _, text in expected["leaves"]]


def test_a_payload_is_aligned_and_its_signature_depends_on_its_contents():
    payloads = [
        payload.payload_bytes({"kind": "x", "n": n}, {"a": np.arange(n), "b": np.array([0.1, n])}) for n in (1, 2, 9)
    ]
    for content in payloads:
        (length,) = struct.unpack_from("<I", content)
        assert (4 + length) % 8 == 0
        assert len(content) % 8 == 0
    assert len({payload.signature(content) for content in payloads}) == 3


@given(st.lists(st.floats(), max_size=20))
def test_floats_arrive_exactly(values):
    kind, small = payload.smallest_array(np.asarray(values, dtype=np.float64))
    assert small.dtype == payload.TYPES[kind]
    assert np.array_equal(small.astype(np.float64), values, equal_nan=True)


@given(st.lists(st.integers(-(2**31), 2**31 - 1), max_size=20))
def test_whole_numbers_arrive_exactly(values):
    kind, small = payload.smallest_array(np.array(values, dtype=np.int64))
    assert small.dtype == payload.TYPES[kind]
    assert small.tolist() == values


@pytest.mark.parametrize(
    ("key", "metric"),
    [
        *((key, None) for key in ("play_tennis", "golf_missing", "auto_mpg", "titanic", "iris")),
        *((key, metric) for key in ("titanic", "iris") for metric in ("error", "log_loss", "expected_cost")),
    ],
)
def test_contributions_of_nodes_add_up_to_the_score_of_every_subtree(key, metric):
    sample = SAMPLES[key]
    data = ex.Dataset.from_frame(ex.load_sample(key).frame, sample.target, features=sample.features, kinds=sample.kinds)
    train, valid = data.split(0.6, seed=3)
    costs = {true: {other: 1 + i for other in data.classes if other != true} for i, true in enumerate(data.classes)}
    recipe = ex.CART.replace(costs=costs) if metric == "expected_cost" else ex.CART
    path = ex.cost_complexity_path(ex.grow(train, recipe))
    parts = node_score_terms(path.tree, valid, metric)
    assert parts is not None, "CART sends every row down one branch"
    for position, score in enumerate(path.curve(valid, metric)):
        pruned = path.subtree(position=position)
        split = pruned.is_kept & ~pruned.is_leaf
        total = parts.as_leaf[pruned.is_leaf].sum() + parts.at_node[split].sum()
        assert total / parts.total == pytest.approx(score, rel=1e-9)


def test_a_step_sequence_counts_the_leaves_of_every_step():
    path = tennis()[1]
    content = payload.step_sequence_payload(path.tree, "sig", path.collapse_position, ["a", "b", "c"], [-1, 3, 0])
    assert read(content)[1]["leaves"].tolist() == path.n_leaves.tolist() == [7, 3, 1]
    assert read(content)[1]["collapsed"].tolist() == [0, 2, 1]


def test_beside_other_branches_the_branch_of_missing_values_is_called_missing():
    table = ex.read_table(b"x,y\n1,n\n2,n\n3,y\n4,y\n,n\n,y\n", name="t.csv")
    tree = ex.grow(ex.Dataset.from_frame(table.frame, "y", ["x"]), ex.CART.replace(missing="own_branch"))
    indices, texts = payload.branch_texts(tree)
    assert [texts[i] for i in indices] == ["", "≤ 2.5", "> 2.5", "missing"]


def test_the_view_by_its_own_tests(node):
    files = sorted(str(path) for path in (ROOT / "tests" / "js").glob("*.test.js"))
    done = subprocess.run([node, "--test", *files], cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]


if __name__ == "__main__":
    renewed = golden()
    renewed["payloads"] = {name: base64.b64encode(content).decode() for name, content in tennis_payloads().items()}
    GOLDEN.write_text(json.dumps(renewed, ensure_ascii=False, indent=1) + "\n", "utf-8")
