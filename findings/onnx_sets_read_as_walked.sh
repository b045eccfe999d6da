#!/usr/bin/env bash
# onnx 1.23.2 and ONNX Runtime 1.32.0: two engines take the sets of a TreeEnsemble's tests in different orders.
#
# Expected: membership_values holds the sets of the MEMBER tests in the order of the nodes, as the operator says, so
# that both engines predict 20 for 5, whose set is that of node 2.
# Seen: ONNX Runtime does. onnx's reference evaluator hands the sets out while it walks the tree, true branches first:
# node 1, behind the false branch, gets the set of node 2. Nodes in the order of such a walk are safe. A 0 also ends a
# set there.
# Ends with 1 where that is no longer so.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet onnx==1.23.2 onnxruntime==1.32.0 numpy==2.2.6 2>/dev/null
cd "$folder"
env/bin/python - <<'PYTHON'
import numpy as np
import onnxruntime
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator


def model_of(sets, true, false, true_is_leaf, false_is_leaf):
    """x in the set of node 0? Then one further test, else another."""
    node = helper.make_node(
        "TreeEnsemble",
        ["x"],
        ["y"],
        domain="ai.onnx.ml",
        n_targets=1,
        tree_roots=[0],
        nodes_featureids=[0, 0, 0],
        nodes_splits=numpy_helper.from_array(np.zeros(3, np.float32)),
        nodes_modes=numpy_helper.from_array(np.full(3, 6, np.uint8)),
        nodes_truenodeids=true,
        nodes_trueleafs=true_is_leaf,
        nodes_falsenodeids=false,
        nodes_falseleafs=false_is_leaf,
        membership_values=numpy_helper.from_array(np.array(sets, np.float32)),
        leaf_targetids=[0] * 4,
        leaf_weights=numpy_helper.from_array(np.array([10, 15, 20, 30], np.float32)),
    )
    ends = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [None, 1]) for name in "xy"]
    graph = helper.make_graph([node], "trees", ends[:1], ends[1:])
    versions = [helper.make_opsetid("", 18), helper.make_opsetid("ai.onnx.ml", 5)]
    return helper.make_model(graph, opset_imports=versions, ir_version=10)


nan = float("nan")
# Node 0: {4, 5}, true: node 2, false: node 1. Node 1: {1}, 10 or 15. Node 2: {5}, 20 or 30.
model = model_of([4, 5, nan, 1, nan, 5, nan], [2, 0, 2], [1, 1, 3], [0, 1, 1], [0, 1, 1])
rows = np.array([[1], [4], [5]], np.float32)
by_runtime = onnxruntime.InferenceSession(model.SerializeToString()).run(None, {"x": rows})[0].ravel().tolist()
by_reference = ReferenceEvaluator(model).run(None, {"x": rows})[0].ravel().tolist()
print("rows 1, 4, 5: ONNX Runtime", by_runtime, "onnx.reference", by_reference)
assert by_runtime == [10, 30, 20]
assert by_reference == [15, 30, 30]
PYTHON
