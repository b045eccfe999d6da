#!/usr/bin/env bash
# skl2onnx 1.20.0: a tree of scikit-learn 1.9.1 that sends missing values left sends them right in its ONNX file.
#
# Expected: nodes_missing_value_tracks_true is 1 where missing_go_to_left is true: the attribute is there, and written.
# Seen: it is written as 0 at every node. scikit-learn predicts 0 for a missing value, ONNX Runtime 1.
# Ends with 1 where that is no longer so.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet skl2onnx==1.20.0 onnx==1.23.2 onnxruntime==1.32.0 scikit-learn==1.9.1 2>/dev/null
cd "$folder"
env/bin/python - <<'PYTHON'
import numpy as np
import onnxruntime
import skl2onnx
from sklearn.tree import DecisionTreeClassifier

rows = np.array([[1.0], [2.0], [np.nan], [3.0], [4.0]], dtype=np.float32)
tree = DecisionTreeClassifier(random_state=0).fit(rows, [0, 0, 0, 1, 1])
model = skl2onnx.to_onnx(tree, rows[:1], options={"zipmap": False})
node = next(each for each in model.graph.node if each.op_type == "TreeEnsembleClassifier")
tracks = next(list(each.ints) for each in node.attribute if each.name == "nodes_missing_value_tracks_true")
found = onnxruntime.InferenceSession(model.SerializeToString()).run(None, {"X": rows})[0].tolist()
print("goes left", tree.tree_.missing_go_to_left[0], "tracks true", tracks)
print("scikit-learn", tree.predict(rows).tolist(), "ONNX Runtime", found)
assert tree.tree_.missing_go_to_left[0] == 1 and tracks == [0, 0, 0]
assert tree.predict(rows).tolist() == [0, 0, 0, 1, 1] and found == [0, 0, 1, 1, 1]
PYTHON
