import assert from "node:assert/strict";
import { test } from "node:test";
import { relativesOf } from "../../explorer/drawing/tree_view/stage/pointer.js";
import { factsOf, spokenNode, tipPlace } from "../../explorer/drawing/tree_view/model/node_facts.js";
import { layOut } from "../../explorer/drawing/tree_view/canvas/layout.js";
import { TextMeasure } from "../../explorer/drawing/tree_view/canvas/text_measure.js";
import { outlineRows } from "../../explorer/drawing/tree_view/stage/outline.js";
import { keptNodes, Scene } from "../../explorer/drawing/tree_view/canvas/scene.js";
import { nextMatch, nodesNamed } from "../../explorer/drawing/tree_view/model/search.js";
import { GHOST, INNER, LEAF } from "../../explorer/drawing/tree_view/model/pruned_shape.js";
import { shareLevelWidths } from "../../explorer/drawing/tree_view/canvas/label_space.js";
import { setFold } from "../../explorer/drawing/tree_view/stage/view_options.js";
import { stepOfKey, nodeAfterStep } from "../../explorer/drawing/tree_view/model/keyboard_path.js";
import { treeOf } from "./trees.js";

// 0 → 1 (leaf), 2 → (4, 5), 3 → (6, 7, 8)
const tree = treeOf([[], [[], []], [[], [], []]], [2, 3, 5, 4, 4, 2]);
const all = layOut(tree, new Set(), Infinity);

test("arrows walk to parent and first child, along siblings and on to cousins", () => {
  const walk = (t, step) => nodeAfterStep(tree, all, t, step);
  assert.deepEqual([walk(5, "parent"), walk(0, "parent"), walk(3, "child"), walk(1, "child")], [2, 0, 6, 1]);
  assert.deepEqual([walk(4, "after"), walk(5, "after"), walk(6, "before"), walk(4, "before")], [5, 6, 5, 4]);
  assert.deepEqual([walk(7, "root"), walk(-1, "child")], [0, 0]);
});

test("a folded node has no child to walk to", () => {
  assert.equal(nodeAfterStep(tree, layOut(tree, new Set([3]), Infinity), 3, "child"), 3);
});

test("left means parent when the root is at the left", () => {
  assert.deepEqual(["ArrowLeft", "ArrowUp"].map((key) => stepOfKey(key, "right")), ["parent", "before"]);
  assert.deepEqual(["ArrowLeft", "ArrowUp"].map((key) => stepOfKey(key, "down")), ["before", "parent"]);
  assert.equal(stepOfKey("x", "down"), undefined);
});

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

test("after the last match comes the first", () => {
  assert.deepEqual([nextMatch([2, 5, 9], 5, 1), nextMatch([2, 5, 9], 9, 1), nextMatch([2, 5, 9], 2, -1)], [9, 2, 9]);
  assert.deepEqual([nextMatch([2, 5], 7, 1), nextMatch([2, 5], 7, -1), nextMatch([], 7, 1)], [2, 5, -1]);
});

test("the filter keeps what has rows enough, and whatever is above it", () => {
  assert.deepEqual(Array.from(keptNodes(tree, { minRows: 4, minPurity: 0, label: -1 })), [1, 0, 1, 1, 0, 1, 1, 1, 0]);
});

test("the filter by class keeps the nodes that predict it, and whatever is above them", () => {
  const kept = (label, minRows = 0) => Array.from(keptNodes(tree, { minRows, minPurity: 0, label }));
  assert.deepEqual(kept(1), [1, 1, 1, 1, 0, 1, 0, 1, 0]); // odd ids predict class 1; 2 is above 5, 0 above all
  assert.deepEqual(kept(0, 3), [1, 0, 1, 1, 1, 0, 1, 0, 0]); // of 4, 6 and 8 the last has two rows
});

test("the text has the nodes in reading order, without what is folded away", () => {
  assert.deepEqual(Array.from(outlineRows(tree, all.shown)), [0, 1, 2, 4, 5, 3, 6, 7, 8]);
  const folded = layOut(tree, new Set([2]), Infinity);
  assert.deepEqual(Array.from(outlineRows(tree, folded.shown)), [0, 1, 2, 3, 6, 7, 8]);
});

test("unfolding one node under a depth limit keeps its cousins folded", () => {
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

test("a screen reader gets test, prediction, rows, depth, and whether a node is pruned away", () => {
  const shape = Uint8Array.from([INNER, LEAF, LEAF, INNER, GHOST, GHOST, LEAF, LEAF, LEAF]);
  assert.equal(spokenNode(tree, shape, 4), "leaf, predicts no, 3 rows, depth 2, reached by age ≤ 4, pruned away");
  assert.equal(spokenNode(tree, shape, 2), "splits on age ≤ 4, predicts no, 8 rows, depth 1, reached by age > 4, pruned to a leaf");
});

test("while a tree is grown, a node that is not split yet keeps its split to itself and was not pruned", () => {
  const shape = Uint8Array.from([INNER, LEAF, LEAF, GHOST, GHOST, GHOST, GHOST, GHOST, GHOST]);
  const growth = { isGrowth: true, kind: "growth" };
  assert.equal(spokenNode(tree, shape, 2, growth), "leaf, predicts no, 8 rows, depth 1, reached by age > 4");
  const facts = factsOf(tree, shape, 2, growth);
  assert.deepEqual(facts.at(-1), ["now", "not split yet"]);
  assert.ok(!facts.flat().some((text) => text.includes("age ≤ 4") || text.includes("pruned")));
});

test("the tooltip names the impurity, and missing rows only where there are some", () => {
  const names = factsOf(tree, null, 1).map(([name]) => name);
  assert.deepEqual(names, ["reached by", "rows", "predicts", "entropy", "depth", "not split"]);
  tree.missing[1] = 2;
  assert.ok(factsOf(tree, null, 1).some(([name, value]) => name === "missing" && value === "2 rows"));
  tree.missing[1] = 0;
});

test("text is cut to the width it is given, never inside an emoji, and measured once", () => {
  let measured = 0;
  const context = { font: "", measureText: (text) => ({ width: (measured++, text.length * 10) }) };
  const textMeasure = new TextMeasure(context, "serif");
  assert.equal(textMeasure.fit("abcdef", "title", 60), "abcdef");
  assert.equal(textMeasure.fit("abcdef", "title", 45), "abc…");
  const once = measured;
  assert.equal(textMeasure.fit("abcdef", "title", 45), "abc…");
  assert.equal(measured, once);
  assert.equal(textMeasure.fit("👩‍👩‍👧 family", "title", 40), "");
  assert.equal(textMeasure.fit("abcdef", "title", 9), "");
});

test("of a pruned tree that shows only what is left, ghosts are neither counted nor found, nor is the former test of a leaf", () => {
  const shape = Uint8Array.from([INNER, LEAF, LEAF, INNER, GHOST, GHOST, LEAF, LEAF, LEAF]);
  const found = (query) => Array.from(nodesNamed(tree, shape, query, true));
  assert.deepEqual([found("age"), found("≤ 4"), found("#4"), found("4")], [[0, 3], [1, 6], [], [1, 2, 3, 6, 7, 8]]);
  assert.deepEqual(Array.from(nodesNamed(tree, shape, "age")), [0, 2, 3]);
  assert.deepEqual(Array.from(layOut(tree, new Set([2]), 1, shape).hidden), [3, 0, 0, 3, 0, 0, 0, 0, 0]);
});

test("where only the pruned tree is shown, its leaves have nothing to unfold", () => {
  const scene = new Scene(null);
  scene.setTree(tree);
  scene.setShape(Uint8Array.from([INNER, LEAF, LEAF, INNER, GHOST, GHOST, LEAF, LEAF, LEAF]));
  assert.deepEqual([scene.hasBranches(2), scene.hasBranches(3), scene.hasBranches(1)], [true, true, false]);
  scene.isTrimmed = true;
  scene.relayout();
  assert.deepEqual([scene.hasBranches(2), scene.hasBranches(3), scene.foldedShown], [false, true, []]);
});

test("the feature's name is the last thing to be cut from a test", () => {
  const scene = new Scene({ font: "", measureText: (text) => ({ width: text.length * 10 }) });
  scene.setTree(tree);
  scene.textMeasure = new TextMeasure(scene.context, "serif");
  assert.deepEqual([70, 66, 30, 21].map((room) => scene.titleWithin(0, "title", room)), ["age ≤ 4", "age", "age", "a…"]);
});

test("the tooltip says why a split node is pruned at its α, or that a node above it is pruned first", () => {
  const sequence = {
    kind: "alpha", size: 3, alphas: [0, 0.05, 0.2], collapse: [2, 0, 3, 1, 0, 0, 0, 0, 0],
    risk: [0.5, 0, 0.3, 0.2, 0, 0, 0, 0, 0], linkRisk: [0.1, 0, 0, 0.1, 0, 0, 0, 0, 0], linkLeaves: [3, 0, 0, 3, 0, 0, 0, 0, 0],
  };
  const told = (t) => Object.fromEntries(factsOf(tree, null, t, sequence));
  assert.equal(told(3)["g(t)"], "(0.2000 − 0.1000) / (3 − 1) = 0.0500");
  assert.equal(told(3).pruned, "at α = 0.0500");
  assert.equal(told(2).pruned, "with a node above it, at α = 0.2000");
  assert.equal(told(1)["R(t)"], undefined);
});

test("the tooltip never covers its node, and keeps off parent and children where it can", () => {
  const [size, room] = [{ width: 300, height: 200 }, { width: 1000, height: 460 }];
  const box = (x, y) => ({ x, y, halfWidth: 60, halfHeight: 36 });
  for (const [x, y] of [[100, 40], [500, 230], [940, 420], [500, 40]]) {
    const { left, top } = tipPlace(size, room, box(x, y), [box(x, y - 136), box(x + 100, y + 136), box(x - 100, y + 136)]);
    const isBeside = left >= x + 60 || left + 300 <= x - 60 || top >= y + 36 || top + 200 <= y - 36;
    assert.ok(isBeside && left >= 4 && top >= 4 && left + 300 <= 996 && top + 200 <= 456, `${x}, ${y}`);
  }
});

test("from left to right neighbouring levels never share a pixel, and a branch text has room for some letters, a sign or none", () => {
  for (const room of [70, 112, 180, 262, 420]) {
    const widths = [300, 96, 180, 120, 240, 96];
    const { boxes, texts } = shareLevelWidths(widths, [0, 130, 40, 70, 130, 60], widths.map(() => room), room / 2);
    for (let d = 1; d < boxes.length; d++) {
      assert.ok((boxes[d - 1] + boxes[d]) / 2 + texts[d] + 24 <= room + 1e-9, `${room}, level ${d}`);
      assert.ok(texts[d] === 0 || texts[d] === 30 || texts[d] >= 40); // nothing, a sign, or some letters
    }
    assert.ok(boxes.every((width, d) => width <= widths[d] && width > 40));
  }
});

test("the card of a node covers none of its siblings where there is room elsewhere", () => {
  const layout = { shown: new Uint8Array(tree.n).fill(1) };
  assert.deepEqual(relativesOf({ tree, layout }, tree.firstChild[0] + 1).slice(0, 2), [0, tree.firstChild[0]]);
  const [size, room] = [{ width: 220, height: 180 }, { width: 760, height: 560 }];
  const box = (x, y) => ({ x, y, halfWidth: 50, halfHeight: 36 });
  const siblings = [box(180, 250), box(560, 250), box(380, 100), box(300, 400), box(460, 400)];
  const { left, top } = tipPlace(size, room, box(370, 250), siblings);
  for (const { x, y } of siblings) {
    const isApart = left >= x + 50 || left + size.width <= x - 50 || top >= y + 36 || top + size.height <= y - 36;
    assert.ok(isApart, `${left}, ${top} covers ${x}, ${y}`);
  }
});
