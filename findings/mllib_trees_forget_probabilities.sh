#!/usr/bin/env bash
# pyspark 4.3.0: where one class is rare, trees of MLlib give every row the same probability, and an AUC of 0.5.
#
# Expected: a tree of depth 1 on rows of which 5 % are positive for x < 0.5 and 40 % above has two leaves, with these
# probabilities, as in the books and in scikit-learn 1.9.1: an AUC of about 0.7 and a low impurity show that it learnt.
# Seen: MLlib finds the split and then takes it back without a word, since both leaves predict the same class. One leaf is
# left: every row gets 0.225 and the AUC is 0.5. A random forest, whose members vote by probabilities, loses the same
# splits in every tree. pruneTree=False keeps the split. Needs Java; ends with 1 where that is no longer so.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet pyspark==4.3.0 numpy==2.4.0 scikit-learn==1.9.1 2>/dev/null
export PYSPARK_PYTHON="$folder/env/bin/python" SPARK_LOCAL_IP=127.0.0.1
cd "$folder"
"$folder/env/bin/python" - 2>/dev/null <<'PYTHON'
from pyspark.ml.classification import DecisionTreeClassifier, RandomForestClassifier
from pyspark.ml.evaluation import BinaryClassificationEvaluator
from pyspark.ml.feature import VectorAssembler
from pyspark.sql import SparkSession
from sklearn.metrics import roc_auc_score
from sklearn.tree import DecisionTreeClassifier as Peer

# 1,000 rows below 0.5, every 20th of them positive, and 1,000 above, two of five of them positive
low = [(i / 2000, float(i % 20 == 0)) for i in range(1000)]
high = [(0.5 + i / 2000, float(i % 5 < 2)) for i in range(1000)]
spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
rows = spark.createDataFrame(low + high, ["x", "label"])
table = VectorAssembler(inputCols=["x"], outputCol="features").transform(rows).cache()


def tried(name, learner):
    model = learner.fit(table)
    scored = model.transform(table)
    auc = BinaryClassificationEvaluator().evaluate(scored)
    trees = getattr(model, "trees", [model])
    probabilities = sorted({round(float(row.probability[1]), 3) for row in scored.select("probability").collect()})
    print(f"{name:28}{sum(tree.numNodes for tree in trees) / len(trees):5.1f} nodes a tree, probabilities {probabilities}, AUC {auc:.3f}")
    return auc, probabilities


plain = tried("MLlib, tree", DecisionTreeClassifier(maxDepth=1))
forest = tried("MLlib, forest of 20 trees", RandomForestClassifier(maxDepth=1, numTrees=20, seed=1))
kept = tried("MLlib, tree, not pruned", DecisionTreeClassifier(maxDepth=1, pruneTree=False))
kept_forest = tried("MLlib, forest, not pruned", RandomForestClassifier(maxDepth=1, numTrees=20, seed=1, pruneTree=False))
x, y = [[x] for x, _ in low + high], [y for _, y in low + high]
peer = Peer(max_depth=1).fit(x, y).predict_proba(x)[:, 1]
print(f"{'scikit-learn, tree':28}  3.0 nodes a tree, probabilities {sorted(set(peer.round(3).tolist()))}, AUC {roc_auc_score(y, peer):.3f}")
spark.stop()

assert plain == (0.5, [0.225])
assert forest[0] == 0.5
assert kept[0] > 0.7
assert kept[1] == [0.05, 0.4]
assert kept_forest[0] > 0.7
assert roc_auc_score(y, peer) > 0.7
PYTHON
