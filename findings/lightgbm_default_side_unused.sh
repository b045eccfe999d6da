#!/usr/bin/env bash
# LightGBM 4.7.0: a dumped split says "default_left": true, and rows without a value go right.
#
# Expected: a row without a value takes the side that "default_left" names, as in XGBoost.
# Seen: only where "missing_type" is "NaN". Where training had no missing values it is "None": then a missing value
# counts as 0 and is compared with the threshold, and "default_left" is written but never read.
# Ends with 1 where that is no longer so.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet lightgbm==4.7.0 numpy==2.2.6 2>/dev/null
cd "$folder"
env/bin/python - <<'PYTHON'
import lightgbm
import numpy as np

x = np.repeat([-3.0, -2.0], 20)[:, None]
y = np.repeat([0.0, 10.0], 20)
options = {"learning_rate": 1.0, "num_leaves": 2, "min_data_in_leaf": 1, "verbose": -1, "num_threads": 1}
booster = lightgbm.train(options, lightgbm.Dataset(x, y), 1)
root = booster.dump_model()["tree_info"][0]["tree_structure"]
told = {name: root[name] for name in ("threshold", "missing_type", "default_left")}
left, right, missing = booster.predict(np.array([[-3.0], [-2.0], [np.nan]]))
print(told, "left", left, "right", right, "missing", missing)
assert told["missing_type"] == "None" and told["default_left"] is True
assert missing == right != left
PYTHON
