"""Trees and pruning sequences as bytes for the interactive view, which `tree_view/model/payload.js` reads.

A *payload* is one run of bytes: the length of the header (uint32, little endian), the header (JSON in UTF-8, padded
with blanks to a multiple of 8), then the arrays one after the other, each padded to a multiple of 8. The header's
`arrays` maps a name to [type, first byte after the header, number of items]. Every array is written in the smallest
type that holds its numbers exactly. The head of `payload.js` lists the header and the arrays of each kind; the golden
file `tests/reference/golden/payload.json` checks both sides.
"""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.formatting import METRIC_NAMES, shortened
from explorer.messages import message
from explorer.pruning.cost_complexity.choose_size import SHARES
from explorer.pruning.cost_complexity.path import Path, per_position
from explorer.pruning.cost_complexity.path_loops import least_on_path
from explorer.pruning.cost_complexity.risk import node_risk
from explorer.pruning.cost_complexity.weakest_links import links
from explorer.pruning.node_score_terms import NodeScoreTerms
from explorer.recipe.condition import Condition
from explorer.recipe.impurity import IMPURITIES
from explorer.recipe.parameters import LOCKED, STOP_REASONS
from explorer.tree.metrics import METRICS, checked_metric
from explorer.tree.tree import Tree

TYPES = {"u8": np.uint8, "u16": np.uint16, "i32": np.int32, "f32": np.float32, "f64": np.float64}
LONGEST_BRANCH_TEXT = 4000
"""The text of a branch has at most this many characters: a group may list thousands of categories."""
_LEAST_BAR = 0.04
"""The bar of the least mean, as a share of the longest."""

Array = NDArray[Any]


@dataclass(frozen=True)
class Scores:
    """The scores of a sequence: one value per position, and what each node contributes as a leaf.

    `valid` is the score on held-out rows (`how` names them: "validation" or as `way_of_folds`), `mean` that of
    cross-validation; each may come with its standard error. `best` and `one_se` are positions. `metric` defaults to
    accuracy, or to the mean squared error for a numeric target.
    """

    train: Array
    baseline: float
    valid: Array | None = None
    valid_se: Array | None = None
    how: str = ""
    mean: Array | None = None
    se: Array | None = None
    best: int | None = None
    one_se: int | None = None
    train_parts: NodeScoreTerms | None = None
    valid_parts: NodeScoreTerms | None = None
    metric: str | None = None


def payload_bytes(header: Mapping[str, Any], arrays: Mapping[str, Array | None]) -> bytes:
    """Header and arrays as one run of bytes; arrays that are None are left out, and `sig` is a hash of all the rest."""
    blocks, index, offset = [], {}, 0
    for name, array in arrays.items():
        if array is None:
            continue
        kind, small = smallest_array(array)
        block = padded(small.tobytes())
        index[name] = [kind, offset, small.size]
        blocks.append(block)
        offset += len(block)
    content = b"".join(blocks)
    whole = {**header, "arrays": index}
    sig = hashlib.blake2b(_as_json(whole) + content, digest_size=10).hexdigest()
    text = _as_json({"sig": sig, **whole})
    text += b" " * (-(len(text) + 4) % 8)
    return struct.pack("<I", len(text)) + text + content


def header_of(content: bytes) -> dict[str, Any]:
    """The header of a payload."""
    length = struct.unpack_from("<I", content)[0]
    header: dict[str, Any] = json.loads(content[4 : 4 + length])
    return header


def signature(content: bytes) -> str:
    """The `sig` of a payload."""
    return str(header_of(content)["sig"])


def smallest_array(array: Array) -> tuple[str, Array]:
    """The numbers in the smallest type of `TYPES` that holds them exactly, and that type's name.

    >>> [smallest_array(np.array(numbers))[0] for numbers in ([3, 200], [-1, 7], [0.5], [0.1])]
    ['u8', 'i32', 'f32', 'f64']
    """
    flat = np.ascontiguousarray(array).ravel()
    if flat.dtype.kind == "f":
        names: tuple[str, ...] = ("u8", "u16", "f32", "f64") if not np.signbit(flat).any() else ("f32", "f64")
    else:
        names = ("u8", "u16", "i32")
    for name in names[:-1]:
        small = _as_type(flat, TYPES[name])
        if small is not None:
            return name, small
    return names[-1], flat.astype(TYPES[names[-1]])


def _as_type(flat: Array, kind: type) -> Array | None:
    """The numbers in another type, or None if it does not hold them exactly."""
    if flat.dtype.kind == "f" and np.issubdtype(kind, np.integer) and not np.isfinite(flat).all():
        return None
    if np.issubdtype(kind, np.integer) and flat.size and not 0 <= flat.min() <= flat.max() <= np.iinfo(kind).max:
        return None
    with np.errstate(over="ignore"):
        small: Array = flat.astype(kind)
    return small if np.array_equal(small, flat, equal_nan=flat.dtype.kind == "f") else None


def padded(block: bytes) -> bytes:
    """The block with zeros up to a multiple of 8 bytes."""
    return block + b"\0" * (-len(block) % 8)


def _as_json(value: Mapping[str, Any]) -> bytes:
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.encode("utf-8", errors="replace")


def tree_payload(tree: Tree, targets: Sequence[Tree] = ()) -> bytes:
    """The grown tree, pruned nodes included: the view draws all of it before anything is pruned.

    `targets` are the same tree with the statistics of each target, where it has several: a leaf has a bar for each.
    """
    text_index, texts = branch_texts(tree)
    header: dict[str, Any] = {
        "kind": "tree",
        "target": str(tree.target),
        "classes": [str(name) for name in tree.classes],
        "features": [{"name": str(encoding.name), "test": encoding.test} for encoding in tree.features],
        "impurity": IMPURITIES[tree.recipe.impurity_for(tree.is_regression)].label,
        "branch_texts": texts,
        "stop_reasons": list(STOP_REASONS),
    }
    if not tree.counts_rows:
        header["counts_rows"] = False
    if tree.is_regression and not tree.has_deviations:
        header["has_means"] = False
    arrays: dict[str, Array | None] = {
        "parent": tree.parent,
        "first_child": tree.first_child,
        "child_count": tree.child_count,
        "depth": tree.depth,
        "feature": tree.feature,
        "branch_text": text_index,
        "weight": tree.weight,
        "impurity": tree.impurity,
        "missing": tree.missing_weight,
        "stop": tree.stop,
        "label": None if tree.is_regression else tree.labels,
        "value": tree.values if tree.is_regression else None,
        "stats": tree.stats,
        **_manual_decisions(tree),
    }
    if targets:
        bars = [_bar_parts(of_target) for of_target in targets]
        header["target_bars"] = [parts.shape[1] for parts in bars]
        header["target_names"] = [of_target.target for of_target in targets]
        arrays["target_bars"] = np.hstack(bars).astype(np.float32)
    return payload_bytes(header, arrays)


def _bar_parts(tree: Tree) -> Array:
    """The parts of every node's bar, [n, K]: class shares, or the mean between the least and the largest of the leaves.

    The least mean is not 0, so that its bar can be seen.
    """
    if not tree.is_regression:
        return np.asarray(tree.shares)
    means = tree.values[tree.is_leaf]
    span = float(np.ptp(means)) or 1.0
    share: Array = np.clip((tree.values - means.min()) / span, 0.0, 1.0)
    return _LEAST_BAR + (1.0 - _LEAST_BAR) * share[:, None]


def _has_groups(tree: Tree) -> bool:
    """Whether a branch may stand for several values of a test with more than two, or of one that has each value."""
    is_grouped = np.array([feature.test in ("one_vs_rest", "subset") for feature in tree.features] or [False])
    several = (tree.feature >= 0) & (tree.child_count > 2) & is_grouped[tree.feature]
    return tree.recipe.merge_level is not None or bool(several.any())


def _manual_decisions(tree: Tree) -> dict[str, Array | None]:
    """Which nodes a person decided, and which tests are worded by the feature alone, where it is not all of a kind."""
    forced = np.zeros(tree.n_nodes_grown, dtype=bool) if tree.forced is None else tree.forced
    if not forced.any() and not (tree.stop == LOCKED).any() and not _has_groups(tree):
        return {}
    plain = np.zeros(tree.n_nodes_grown, dtype=bool)
    for node in np.flatnonzero(tree.feature >= 0).tolist():
        condition = tree.condition(node)
        plain[node] = condition is not None and condition.text == condition.feature
    return {"by_hand": (forced | (tree.stop == LOCKED)).astype(np.uint8), "plain": plain.astype(np.uint8)}


def branch_texts(tree: Tree) -> tuple[NDArray[np.int32], list[str]]:
    """The text of the branch into each node, without the feature's name: indices [n] into a list of distinct texts."""
    index_of: dict[str, int] = {"": 0}
    indices = np.zeros(tree.n_nodes_grown, dtype=np.int32)
    for node in np.flatnonzero(tree.feature >= 0).tolist():
        condition = tree.condition(node)
        assert condition is not None
        for branch, child in enumerate(tree.children_of(node)):
            text = shortened(_edge_text(condition, branch), LONGEST_BRANCH_TEXT)
            indices[child] = index_of.setdefault(text, len(index_of))
    return indices, list(index_of)


def _edge_text(condition: Condition, branch: int) -> str:
    """The text as short as it can be: beside the other branches, "missing" says enough."""
    return message("missing") if condition.is_missing(branch) else condition.branch_word(branch)


def collapse_steps(tree: Tree) -> tuple[tuple[str, int], ...]:
    """The pruned nodes as changes by hand: a view without a sequence shows the pruned tree by them."""
    return tuple(("collapse", node) for node in np.flatnonzero(tree.is_pruned & tree.is_kept).tolist())


def sequence_payload(path: Path, scores: Scores, tree_sig: str) -> bytes:
    """The sequence of subtrees with its scores, for the slider over α."""
    tree, weakest = path.tree, links(path)
    train, valid = scores.train_parts, scores.valid_parts
    header: dict[str, Any] = {
        **_sequence_header(tree, tree_sig, "alpha", scores.metric),
        "risk_name": risk_name(tree, path.risk),
        "how": scores.how,
        "baseline": scores.baseline,
        "best": -1 if scores.best is None else scores.best,
        "one_se": -1 if scores.one_se is None else scores.one_se,
        "captions": [],
        "total_train": train.total if train else None,
        "total_valid": valid.total if valid else None,
    }
    collapsed = np.bincount(path.leaf_from[path.leaf_from < path.leaf_until], minlength=len(path))
    collapsed[0] = 0
    arrays = {
        "alphas": path.alphas,
        "leaves": path.n_leaves,
        "risks": path.risks,
        "collapsed": collapsed,
        "train": scores.train,
        "valid": scores.valid,
        "valid_se": scores.valid_se,
        "mean": scores.mean,
        "se": scores.se,
        "collapse": path.collapse_position,
        "risk": node_risk(tree, path.risk),
        "link_risk": np.nan_to_num(weakest.risk_below),
        "link_leaves": weakest.leaves_below,
        "own_train": train.as_leaf if train else None,
        "own_valid": valid.as_leaf if valid else None,
        "stop_valid": valid.at_node if valid else None,
    }
    return payload_bytes(header, arrays)


def step_sequence_payload(
    tree: Tree, tree_sig: str, collapse: Array, captions: Sequence[str], focus: Sequence[int]
) -> bytes:
    """The steps of a pruning method; `collapse` [n] is the step at which each node becomes a leaf.

    0 means a node that was never split, a number beyond the last step means never. `captions` has a sentence per step,
    `focus` the node it is about (-1: none).
    """
    size = len(captions)
    is_split = tree.feature >= 0
    least = least_on_path(tree.parent, np.where(is_split, np.minimum(collapse, size), size).astype(np.float64))
    until = np.append(size, least[tree.parent[1:]]).astype(np.int64)
    begin = np.minimum(np.where(is_split, collapse, 0), until)
    leaves = per_position(np.ones(tree.n_nodes_grown), begin, until)
    collapsed = np.bincount(begin[is_split & (begin < until)], minlength=size)
    arrays = {
        "leaves": leaves,
        "collapsed": collapsed,
        "collapse": collapse,
        "focus": np.asarray(focus, dtype=np.int32),
    }
    return payload_bytes(_steps_header(tree, tree_sig, captions), arrays)


def variants_payload(tree: Tree, tree_sig: str, pruned: NDArray[np.bool_], captions: Sequence[str]) -> bytes:
    """Variants of one tree that need not be nested: the nodes pruned in each [variants, n], with a sentence each."""
    leaves = np.array([tree.with_pruned(mask).n_leaves for mask in pruned])
    before = np.vstack([pruned[:1], pruned[:-1]])
    arrays = {
        "leaves": leaves,
        "collapsed": (pruned & ~before).sum(axis=1),
        "pruned": pruned.astype(np.uint8),
        "focus": np.full(len(captions), -1),
    }
    return payload_bytes(_steps_header(tree, tree_sig, captions), arrays)


def growth_payload(tree: Tree, tree_sig: str, nodes_in_order: Sequence[int]) -> bytes:
    """The growing of a tree, one split a step: `nodes_in_order` are split nodes, each after the node above it.

    Step 0 is the root as a leaf. A node of the tree that is not in the list stays a leaf to the end.
    """
    order = np.asarray(nodes_in_order, dtype=np.int64)
    split_at = _split_steps(tree, order)
    arrays = {
        "leaves": np.append(1, 1 + np.cumsum(tree.child_count[order] - 1)),
        "split_at": split_at,
        "focus": np.append(-1, order),
    }
    return payload_bytes(_steps_header(tree, tree_sig, [], "growth"), arrays)


def _split_steps(tree: Tree, order: NDArray[np.int64]) -> NDArray[np.int64]:
    """The step at which each node is split, from 1; 0 for a node that stays a leaf."""
    split_at = np.zeros(tree.n_nodes_grown, dtype=np.int64)
    split_at[order] = np.arange(1, order.size + 1)
    above = tree.parent[order]
    is_late = (above >= 0) & ((split_at[above] == 0) | (split_at[above] > split_at[order]))
    if np.unique(order).size < order.size or (tree.feature[order] < 0).any() or is_late.any():
        raise ValueError("nodes_in_order: distinct split nodes, each after the node above it")
    return split_at


def _steps_header(tree: Tree, tree_sig: str, captions: Sequence[str], steps: str = "steps") -> dict[str, Any]:
    without_scores = {"risk_name": "", "how": "", "baseline": 0.0, "best": -1, "one_se": -1}
    return {**_sequence_header(tree, tree_sig, steps), **without_scores, "captions": list(captions)}


def _sequence_header(tree: Tree, tree_sig: str, steps: str, metric: str | None = None) -> dict[str, Any]:
    metric = checked_metric(tree, metric)
    return {
        "kind": "sequence",
        "tree": tree_sig,
        "steps": steps,
        "score_name": METRIC_NAMES[metric],
        "is_share": metric in SHARES,
        "is_higher_better": METRICS[metric] == "largest",
        "is_regression": tree.is_regression,
    }


def risk_name(tree: Tree, risk: str) -> str:
    """What R(t) is, in the terms of the tree's recipe."""
    measure = IMPURITIES[tree.recipe.impurity_for(tree.is_regression)].label
    names = {
        "impurity": lambda: message("R(t) = share of the rows at t × {impurity} of t", impurity=measure),
        "error": lambda: message("R(t) = misclassified rows at t / all rows"),
        "unnormalised": lambda: message("R(t) = rows at t × {impurity} of t", impurity=measure),
        "per_node": lambda: message(
            "R(t) = {impurity} of t; R(T_t) weighs the leaves by their share of the rows at t", impurity=measure
        ),
    }
    return names[risk]()
