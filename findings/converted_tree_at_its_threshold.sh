#!/usr/bin/env bash
# ydf 0.16.1: a tree converted from scikit-learn 1.9.1 gives another class where a feature equals a threshold.
#
# Expected: ydf.from_sklearn(tree) predicts what the tree predicts. scikit-learn sends x <= t to the left, YDF asks
# x >= t, so that the converter has to take the next larger 32-bit number as t.
# Seen: it takes t itself, and a row with x = t goes to the other side. That is no rare value: thresholds are midpoints,
# so of whole numbers that are 2 apart in training (2 and 4) the one between (3) is a threshold. Of the 1,000 new rows
# of whole numbers below, 85 get another class. Ends with 1 where that is no longer so.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet ydf==0.16.1 scikit-learn==1.9.1 2>/dev/null
"$folder/env/bin/python" - <<'PYTHON'
import numpy as np
import ydf
from sklearn.tree import DecisionTreeClassifier

draw = np.random.default_rng(0)
rooms = 2 * draw.integers(0, 10, (200, 2))  # even numbers only
tree = DecisionTreeClassifier(max_depth=4, random_state=0).fit(rooms, rooms.sum(axis=1) > 18)
converted = ydf.from_sklearn(tree)


def differ(rows):
    return int(((converted.predict({"features": rows.astype(np.float32)}) > 0.5) != tree.predict(rows)).sum())


new = draw.integers(0, 20, (1000, 2))
at_threshold = np.isin(new, tree.tree_.threshold).any(axis=1)
print("training rows that differ:", differ(rooms), "of", len(rooms))
print("new rows that differ:", differ(new), "of", len(new), "and of those without a threshold in a cell:", differ(new[~at_threshold]))
assert differ(rooms) == differ(new[~at_threshold]) == 0
assert differ(new) > 50
PYTHON
