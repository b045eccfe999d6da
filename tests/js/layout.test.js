import assert from "node:assert/strict";
import { test } from "node:test";
import { firstReaching, hiddenBelow, layOut, leafSlots, levelLists, rowSpans, shownNodes } from "../../explorer/drawing/tree_view/canvas/layout.js";
import { randomTree, treeOf } from "./trees.js";

// The root has a leaf (1) and two splits (2, 3); 2 has two leaves (4, 5), 3 has three (6, 7, 8).
const HAND = [[], [[], []], [[], [], []]];

test("leaves stand in consecutive slots and parents over the middle of their first and last child", () => {
  const { x, slots } = leafSlots(treeOf(HAND), null);
  assert.equal(slots, 6);
  // reading order of the leaves: 1, 4, 5, 6, 7, 8; root between 0.5 (node 1) and 4.5 (node 3)
  assert.deepEqual(Array.from(x), [2.5, 0.5, 2, 4.5, 1.5, 2.5, 3.5, 4.5, 5.5]);
});

test("a folded node takes one slot, and nodes below it have none", () => {
  const tree = treeOf(HAND);
  const shown = shownNodes(tree, new Set([3]), Infinity);
  assert.deepEqual(Array.from(shown), [1, 1, 1, 1, 1, 1, 0, 0, 0]);
  const { x, slots } = leafSlots(tree, shown);
  assert.equal(slots, 4);
  assert.deepEqual(Array.from(x).slice(0, 6), [2, 0.5, 2, 3.5, 1.5, 2.5]);
  assert.ok(Array.from(x).slice(6).every(Number.isNaN));
});

test("folding reaches all levels below, not only the next", () => {
  const tree = treeOf([[[[], []], []], []]);
  assert.deepEqual(Array.from(shownNodes(tree, new Set([1]), Infinity)), [1, 1, 1, 0, 0, 0, 0]);
});

test("a depth limit of 1 leaves the root and its children, and counts the rest as hidden", () => {
  const tree = treeOf(HAND);
  const shown = shownNodes(tree, new Set(), 1);
  assert.equal(leafSlots(tree, shown).slots, 3);
  assert.deepEqual(Array.from(hiddenBelow(tree, shown)), [5, 0, 2, 3, 0, 0, 0, 0, 0]);
});

test("a tree of one node has one slot with the node in its middle", () => {
  const { x, slots } = leafSlots(treeOf([]), null);
  assert.deepEqual([x[0], slots], [0.5, 1]);
});

test("in any tree: every slot has its leaf, parents are centred, levels run from left to right", () => {
  for (let seed = 1; seed <= 40; seed++) {
    const tree = randomTree(5 + seed * 9, seed);
    const { x, slots } = leafSlots(tree, null);
    const leaves = Array.from(x.keys()).filter((t) => tree.firstChild[t] < 0);
    assert.deepEqual(leaves.map((t) => x[t]).sort((a, b) => a - b), Array.from({ length: slots }, (_, i) => i + 0.5));
    for (let t = 0; t < tree.n; t++) {
      const first = tree.firstChild[t];
      if (first >= 0) assert.equal(x[t], (x[first] + x[first + tree.childCount[t] - 1]) / 2);
    }
    for (const level of levelLists(tree, null)) {
      for (let i = 1; i < level.length; i++) assert.ok(x[level[i]] - x[level[i - 1]] >= 1 - 1e-6);
    }
  }
});

test("bars of the icicle are as long as their rows", () => {
  // leaves in reading order: 2, 3, 5, 4, 4, 2 rows of 20
  const { lo, hi } = rowSpans(treeOf(HAND, [2, 3, 5, 4, 4, 2]), null);
  const near = (actual, expected) => actual.forEach((value, i) => assert.ok(Math.abs(value - expected[i]) < 1e-12, `${value}`));
  near(Array.from(lo), [0, 0, 0.1, 0.5, 0.1, 0.25, 0.5, 0.7, 0.9]);
  near(Array.from(hi), [1, 0.1, 0.5, 1, 0.25, 0.5, 0.7, 0.9, 1]);
});

test("rows that follow no branch leave a gap", () => {
  const tree = treeOf([[], []], [3, 3]);
  tree.weight[0] = 8;
  const { lo, hi } = rowSpans(tree, null);
  assert.deepEqual([lo[1], hi[1], lo[2], hi[2]], [0, 0.375, 0.375, 0.75]);
});

test("an empty node has a bar of no length and no NaN appears", () => {
  const { lo, hi } = rowSpans(treeOf([[[], []], []], [0, 0, 4]), null);
  assert.ok(!lo.some(Number.isNaN) && !hi.some(Number.isNaN));
  assert.deepEqual([hi[1] - lo[1], hi[2] - lo[2]], [0, 1]);
});

test("the search for a bound finds the first that reaches it", () => {
  const list = [10, 20, 30];
  const value = (t) => t;
  assert.deepEqual([5, 10, 11, 30, 31].map((bound) => firstReaching(list, value, bound)), [0, 0, 1, 2, 3]);
});

test("a chain of 20,000 levels is laid out: nothing recurses", () => {
  let chain = [];
  for (let i = 0; i < 20000; i++) chain = [chain, []];
  const layout = layOut(treeOfDeep(chain), new Set(), Infinity);
  assert.equal(layout.slots, 20001);
  assert.equal(layout.levels.length, 20001);
});

function treeOfDeep(chain) {
  const parent = [-1];
  const firstChild = [];
  const childCount = [];
  const depth = [0];
  const lists = [chain];
  for (let t = 0; t < lists.length; t++) {
    firstChild.push(lists[t].length ? lists.length : -1);
    childCount.push(lists[t].length);
    for (const child of lists[t]) {
      parent.push(t);
      depth.push(depth[t] + 1);
      lists.push(child);
    }
  }
  return { n: lists.length, parent, firstChild, childCount, depth, weight: new Float64Array(lists.length).fill(1) };
}
