import assert from "node:assert/strict";
import { test } from "node:test";
import { layOut } from "../../explorer/drawing/tree_view/canvas/layout.js";
import { GHOST, INNER, LEAF } from "../../explorer/drawing/tree_view/model/pruned_shape.js";
import { nextMatch, nodesNamed } from "../../explorer/drawing/tree_view/model/search.js";
import { treeOf } from "./trees.js";

// 0 → 1 (leaf), 2 → (4, 5), 3 → (6, 7, 8)
const tree = treeOf([[], [[], []], [[], [], []]], [2, 3, 5, 4, 4, 2]);

test("nodes are found by id, feature, branch text and the label of leaves", () => {
  const found = (query) => Array.from(nodesNamed(tree, null, query));
  assert.deepEqual(found("#3"), [3]);
  assert.deepEqual(found("#99"), []);
  assert.deepEqual(found("AGE"), [0, 2, 3]);
  assert.deepEqual(found("≤ 4"), [1, 4, 6]);
  assert.deepEqual(found("yes"), [1, 5, 7]); // leaves with an odd id predict yes; so does node 3, which is split
  assert.deepEqual(found("4"), [1, 2, 3, 4, 5, 6, 7, 8]); // node 4 and every branch text with a 4
  assert.deepEqual(found("  "), []);
});

test("a split node that is pruned to a leaf is found by its label", () => {
  const shape = Uint8Array.from([INNER, LEAF, INNER, LEAF, LEAF, LEAF, GHOST, GHOST, GHOST]);
  assert.ok(Array.from(nodesNamed(tree, shape, "yes")).includes(3));
});

test("of a pruned tree that shows only what is left, ghosts are neither counted nor found, nor is the former test of a leaf", () => {
  const shape = Uint8Array.from([INNER, LEAF, LEAF, INNER, GHOST, GHOST, LEAF, LEAF, LEAF]);
  const found = (query) => Array.from(nodesNamed(tree, shape, query, true));
  assert.deepEqual([found("age"), found("≤ 4"), found("#4"), found("4")], [[0, 3], [1, 6], [], [1, 2, 3, 6, 7, 8]]);
  assert.deepEqual(Array.from(nodesNamed(tree, shape, "age")), [0, 2, 3]);
  assert.deepEqual(Array.from(layOut(tree, new Set([2]), 1, shape).hidden), [3, 0, 0, 3, 0, 0, 0, 0, 0]);
});

test("after the last match comes the first", () => {
  assert.deepEqual([nextMatch([2, 5, 9], 5, 1), nextMatch([2, 5, 9], 9, 1), nextMatch([2, 5, 9], 2, -1)], [9, 2, 9]);
  assert.deepEqual([nextMatch([2, 5], 7, 1), nextMatch([2, 5], 7, -1), nextMatch([], 7, 1)], [2, 5, -1]);
});
