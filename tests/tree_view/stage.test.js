import assert from "node:assert/strict";
import { test } from "node:test";
import { factsOf, spokenNode } from "../../pages/parts/tree_view/facts.js";
import { layOut } from "../../pages/parts/tree_view/layout.js";
import { Lettering } from "../../pages/parts/tree_view/lettering.js";
import { outlineRows } from "../../pages/parts/tree_view/outline.js";
import { keptNodes } from "../../pages/parts/tree_view/scene.js";
import { nextMatch, nodesNamed } from "../../pages/parts/tree_view/search.js";
import { GHOST, INNER, LEAF } from "../../pages/parts/tree_view/shape.js";
import { setFold } from "../../pages/parts/tree_view/sight.js";
import { stepOfKey, walkFrom } from "../../pages/parts/tree_view/walk.js";
import { treeOf } from "./trees.js";

// 0 → 1 (leaf), 2 → (4, 5), 3 → (6, 7, 8)
const tree = treeOf([[], [[], []], [[], [], []]], [2, 3, 5, 4, 4, 2]);
const all = layOut(tree, new Set(), Infinity);

test("arrows walk to parent and first child, along siblings and on to cousins", () => {
  const walk = (t, step) => walkFrom(tree, all, t, step);
  assert.deepEqual([walk(5, "parent"), walk(0, "parent"), walk(3, "child"), walk(1, "child")], [2, 0, 6, 1]);
  assert.deepEqual([walk(4, "after"), walk(5, "after"), walk(6, "before"), walk(4, "before")], [5, 6, 5, 4]);
  assert.deepEqual([walk(7, "root"), walk(-1, "child")], [0, 0]);
});

test("a folded node has no child to walk to", () => {
  assert.equal(walkFrom(tree, layOut(tree, new Set([3]), Infinity), 3, "child"), 3);
});

test("left means parent when the root is at the left", () => {
  assert.deepEqual(["ArrowLeft", "ArrowUp"].map((key) => stepOfKey(key, "right")), ["parent", "before"]);
  assert.deepEqual(["ArrowLeft", "ArrowUp"].map((key) => stepOfKey(key, "down")), ["before", "parent"]);
  assert.equal(stepOfKey("x", "down"), undefined);
});

test("nodes are found by id, feature, branch word and the label of leaves", () => {
  const found = (query) => Array.from(nodesNamed(tree, null, query));
  assert.deepEqual(found("#3"), [3]);
  assert.deepEqual(found("#99"), []);
  assert.deepEqual(found("AGE"), [0, 2, 3]);
  assert.deepEqual(found("≤ 4"), [1, 4, 6]);
  assert.deepEqual(found("yes"), [1, 5, 7]); // leaves with an odd id answer yes; so does node 3, which is split
  assert.deepEqual(found("4"), [1, 2, 3, 4, 5, 6, 7, 8]); // node 4 and every branch word with a 4
  assert.deepEqual(found("  "), []);
});

test("a split node that is closed to a leaf is found by its label", () => {
  const shape = Uint8Array.from([INNER, LEAF, INNER, LEAF, LEAF, LEAF, GHOST, GHOST, GHOST]);
  assert.ok(Array.from(nodesNamed(tree, shape, "yes")).includes(3));
});

test("matches are walked round and round", () => {
  assert.deepEqual([nextMatch([2, 5, 9], 5, 1), nextMatch([2, 5, 9], 9, 1), nextMatch([2, 5, 9], 2, -1)], [9, 2, 9]);
  assert.deepEqual([nextMatch([2, 5], 7, 1), nextMatch([2, 5], 7, -1), nextMatch([], 7, 1)], [2, 5, -1]);
});

test("the filter keeps what has rows enough, and whatever is above it", () => {
  assert.deepEqual(Array.from(keptNodes(tree, 4, 0)), [1, 0, 1, 1, 0, 1, 1, 1, 0]);
});

test("the text has the nodes in reading order, without what is folded away", () => {
  assert.deepEqual(Array.from(outlineRows(tree, all.shown)), [0, 1, 2, 4, 5, 3, 6, 7, 8]);
  const folded = layOut(tree, new Set([2]), Infinity);
  assert.deepEqual(Array.from(outlineRows(tree, folded.shown)), [0, 1, 2, 3, 6, 7, 8]);
});

test("opening one node under a depth limit keeps its cousins closed", () => {
  const scene = { tree, folded: new Set(), depthLimit: 1, layout: layOut(tree, new Set(), 1) };
  setFold(scene, 3);
  assert.deepEqual([[...scene.folded], scene.depthLimit], [[2], Infinity]);
});

test("folding and opening again leaves nothing folded", () => {
  const scene = { tree, folded: new Set(), depthLimit: Infinity, layout: all };
  setFold(scene, 3);
  scene.layout = layOut(tree, scene.folded, scene.depthLimit);
  assert.equal(scene.layout.shown[6], 0);
  setFold(scene, 3);
  assert.equal(scene.folded.size, 0);
});

test("a node is spoken with test, answer, rows, depth, and whether it is pruned away", () => {
  const shape = Uint8Array.from([INNER, LEAF, LEAF, INNER, GHOST, GHOST, LEAF, LEAF, LEAF]);
  assert.equal(spokenNode(tree, shape, 4), "leaf, answer no, 3 rows, depth 2, reached by age ≤ 4, pruned away");
  assert.equal(spokenNode(tree, shape, 2), "test age ≤ 4, answer no, 8 rows, depth 1, reached by age > 4, closed to a leaf");
});

test("the tooltip names the impurity, and missing rows only where there are some", () => {
  const names = factsOf(tree, null, 1).map(([name]) => name);
  assert.deepEqual(names, ["reached by", "rows", "answer", "entropy", "depth", "not split"]);
  tree.missing[1] = 2;
  assert.ok(factsOf(tree, null, 1).some(([name, value]) => name === "missing" && value === "2 rows"));
  tree.missing[1] = 0;
});

test("text is cut to the width it is given, never inside an emoji, and measured once", () => {
  let measured = 0;
  const context = { font: "", measureText: (text) => ({ width: (measured++, text.length * 10) }) };
  const lettering = new Lettering(context, "serif");
  assert.equal(lettering.fit("abcdef", "title", 60), "abcdef");
  assert.equal(lettering.fit("abcdef", "title", 45), "abc…");
  const once = measured;
  assert.equal(lettering.fit("abcdef", "title", 45), "abc…");
  assert.equal(measured, once);
  assert.equal(lettering.fit("👩‍👩‍👧 family", "title", 40), "");
  assert.equal(lettering.fit("abcdef", "title", 9), "");
});
