#!/usr/bin/env bash
# onnxmltools 1.16.0: a random forest of LightGBM with 4 trees is divided by 100 in its ONNX file.
#
# Expected: the sum of the trees divided by their number, which LightGBM predicts (boosting_type='rf').
# Seen: the converter divides by 100 whatever n_estimators is; predictions are 25 times too small with 4 trees.
# Ends with 1 where that is no longer so.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet onnxmltools==1.16.0 onnx==1.23.2 onnxruntime==1.32.0 lightgbm==4.7.0 \
    skl2onnx==1.20.0 scikit-learn==1.9.1 2>/dev/null
cd "$folder"
env/bin/python - <<'PYTHON' 2>/dev/null
import lightgbm
import numpy as np
import onnxmltools
import onnxruntime
from onnxmltools.convert.common.data_types import FloatTensorType

rows = np.arange(40, dtype=np.float32)[:, None]
options = {"n_estimators": 4, "boosting_type": "rf", "subsample": 0.7, "subsample_freq": 1, "verbose": -1, "n_jobs": 1}
forest = lightgbm.LGBMRegressor(min_child_samples=4, **options).fit(rows, 100 + rows[:, 0])
model = onnxmltools.convert_lightgbm(forest, initial_types=[("x", FloatTensorType([None, 1]))])
found = onnxruntime.InferenceSession(model.SerializeToString()).run(None, {"x": rows})[0].ravel()
expected = forest.predict(rows)
print("LightGBM", expected[:2], "its ONNX file", found[:2], "ratio", (expected / found)[:2])
assert np.allclose(expected / found, 25, rtol=1e-4)
PYTHON
