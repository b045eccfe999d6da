"""Reads `golden/golden.json` and walks one of its trees beside one of ours, node by node.

A golden split is written "feature" (each value), "feature == v" (one against the rest), "feature in {v,w}" (subset) or
"feature <= t". Where golden lists a tie and our tree took another member of it, the walk checks that the scores agree
and goes no deeper.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from pathlib import Path

import pandas as pd
import pytest

import explorer as ex
from tests.folders import GOLDEN_FOLDER as HERE
from tests.folders import SAMPLES_FOLDER as SAMPLES
from tests.oracles.handmade import Knot

GOLDEN = json.loads((HERE / "golden.json").read_text("utf-8"))
NUMERIC = {"temperature", "humidity", "密度", "含糖率", "x", "x0", "x1", "x2", "x3"}
EXACT = 1e-9


def near(number: float):
    """Equal to the published number, which is rounded to ten places."""
    return pytest.approx(number, rel=EXACT, abs=EXACT)


def frame_of(file: str) -> pd.DataFrame:
    """A data file, every cell as it is written except in columns that are numbers everywhere they are used."""
    paths = [HERE / "data" / file, *SAMPLES.rglob(file)]
    path = next(path for path in paths if path.exists())
    frame = pd.read_csv(path, dtype=str, keep_default_na=False)
    numbers = [name for name in frame.columns if name in NUMERIC]
    return frame.astype(dict.fromkeys(numbers, float))


def dataset_of(key: str) -> ex.Dataset:
    """The golden entry's table as a classification data set, with golden's features in golden's order."""
    entry = GOLDEN[key]
    frame = frame_of(Path(entry["file"]).name)
    features = entry.get("features") or [c for c in frame.columns if c != entry["target"]]
    kinds = {name: "numeric" if name in NUMERIC else "categorical" for name in [*features, entry["target"]]}
    return ex.Dataset.from_frame(frame, entry["target"], features=features, kinds=kinds)


@dataclass
class Walk:
    """Our tree beside a golden one; ``ids`` maps golden's L/R paths (L = test true) to our node ids."""

    tree: ex.Tree
    data: ex.Dataset
    ids: dict[str, int] = field(default_factory=dict)
    diverged: list[str] = field(default_factory=list)

    def run(self, golden: dict, node: int = 0, path: str = "root") -> Walk:
        """Compare a golden node and everything under it; returns itself."""
        self.ids[path] = node
        check_statistics(self.tree, node, golden)
        check_decision(self.tree, self.data, node, golden)
        if "split" not in golden:
            assert self.tree.node(node).is_leaf, f"{path}: golden has a leaf"
            return self
        assert not self.tree.node(node).is_leaf, f"{path}: golden splits on {golden['split']}"
        branches = matching_branches(self.tree.node(node).condition, golden["split"])
        if branches is None:
            check_other_tie(self.tree, self.data, node, golden)
            self.diverged.append(path)
            return self
        self.descend(golden, node, path, branches)
        return self

    def descend(self, golden: dict, node: int, path: str, branches: dict[str, int]) -> None:
        """Go into every branch that golden has; ours has no others."""
        children = golden.get("children") or {"yes": golden["yes"], "no": golden["no"]}
        ours = self.tree.node(node).children
        assert len(ours) == len(children)
        for name, child in children.items():
            step = {"yes": "L", "no": "R"}.get(name, f"/{name}")
            self.run(child, ours[branches[name]], path + step)


def check_statistics(tree: ex.Tree, number: int, golden: dict) -> None:
    """Rows, class counts or mean, label and impurity of a node."""
    node = tree.node(number)
    assert node.weight == golden["n"]
    if "mean" in golden:
        assert node.label == near(golden["mean"])
        assert node.impurity * node.weight == near(golden["sse"])
        return
    assert dict(zip(tree.classes, node.stats, strict=True)) == golden["counts"]
    assert node.label in golden.get("majority_tie", [golden["majority"]])
    assert node.impurity == near(golden["entropy"] if "entropy" in golden else golden["gini"])


def check_decision(tree: ex.Tree, data: ex.Dataset, number: int, golden: dict) -> None:
    """Every feature's best gain and gain ratio, the mean gain, and who passed the filter."""
    if "gains" not in golden:
        return
    decision = ex.decide(tree, data, number)
    ratios, eligible = golden.get("ratios", {}), golden.get("eligible")
    for name, gain in golden["gains"].items():
        feature, _, threshold = name.partition(" <= ")
        best = decision.best.get(feature)
        if best is None:  # golden lists the gain of a feature with one value at the node; no test of it is admissible
            assert gain == 0.0
            continue
        assert best.gain == near(gain)
        if threshold:
            assert best.condition.threshold == near(float(threshold))
        if ratios.get(name) is not None:
            assert best.gain_ratio == near(ratios[name])
        if eligible is not None:
            assert (best.rejected is None) == (name in eligible), f"{name}: {best.rejected}"
    if "avg_gain" in golden and decision.mean_gain is not None:
        assert decision.mean_gain == near(golden["avg_gain"])


def check_other_tie(tree: ex.Tree, data: ex.Dataset, number: int, golden: dict) -> None:
    """Our condition is another member of golden's tie, with the same score as the one printed."""
    condition = tree.node(number).condition
    assert "tie" in golden, f"golden takes {golden['split']}, ours {condition}"
    assert any(condition.feature == parse(member)[0] for member in golden["tie"])
    decision = ex.decide(tree, data, number)
    assert decision.tie
    assert decision.chosen.score == near(decision.best[parse(golden["split"])[0]].score)


def parse(split: str) -> tuple[str, str, object]:
    """A golden split as (feature, operator, what it is compared with)."""
    if match := re.fullmatch(r"(.+) (==|in|<=) (.+)", split):
        feature, operator, what = match.groups()
        if operator == "<=":
            return feature, operator, float(what)
        return feature, operator, frozenset(what.strip("{}").split(","))
    return split, "each", None


def matching_branches(condition: ex.Condition, split: str) -> dict[str, int] | None:
    """Golden's branch names → positions of our branches, or None when the two tests differ."""
    feature, operator, what = parse(split)
    if condition.feature != feature:
        return None
    if operator == "each":
        return {group[0]: position for position, group in enumerate(condition.branches)}
    if operator == "<=":
        same = condition.kind == "threshold" and condition.threshold == near(what)
        return {"yes": 0, "no": 1} if same else None
    groups = [frozenset(group) for group in condition.branches]
    if what not in groups:
        return None
    return {"yes": groups.index(what), "no": 1 - groups.index(what)}


GOLDEN_RISKS = {
    "gini": "impurity",
    "misclass": "error",
    "gini_local": "per_node",
    "mse": "impurity",
    "sse": "unnormalised",
}


GOLDEN_TREES = [
    (table, name, risk)
    for table, entry in GOLDEN.items()
    for name in ("cart_eq", "cart_subset", "cart")
    for risk in entry.get(name, {}).get("cost_complexity", {})
]


def from_golden(entry: dict) -> Knot:
    """A golden tree with its counts, or (W, mean, M2)."""
    stats = tuple(entry["counts"].values()) if "counts" in entry else (entry["n"], entry["mean"], entry["sse"])
    return Knot(stats, [from_golden(entry[side]) for side in ("yes", "no")] if "yes" in entry else [])
