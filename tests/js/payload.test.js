// What Python and this view both do, held to one file worked out by hand: tests/reference/golden/payload.json.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { leavesText } from "../../explorer/drawing/tree_view/model/alpha_interval.js";
import { leafSlots, shownNodes } from "../../explorer/drawing/tree_view/canvas/layout.js";
import { CLASS_SHAPES } from "../../explorer/drawing/charts/shapes.js";
import { factsOf } from "../../explorer/drawing/tree_view/model/node_facts.js";
import { openPayload, TreeData } from "../../explorer/drawing/tree_view/model/payload.js";
import { LEAF, scoreOf, shapeAt } from "../../explorer/drawing/tree_view/model/pruned_shape.js";
import { ShapeWalk } from "../../explorer/drawing/tree_view/model/shape_walk.js";
import { numberText, percentText, scoreText } from "../../explorer/drawing/tree_view/format.js";

const golden = JSON.parse(readFileSync(new URL("../reference/golden/payload.json", import.meta.url), "utf-8"));
const bytes = (name) => new Uint8Array(Buffer.from(golden.payloads[name], "base64"));
const tree = openPayload(bytes("tree"));
const sequence = openPayload(bytes("sequence"));
const growth = openPayload(bytes("growth"));
const nodes = [...Array(tree.n).keys()];
const close = (actual, expected) => assert.ok(Math.abs(actual - expected) < 1e-12, `${actual} is not ${expected}`);
const linksAt = (position) => {
  const walk = new ShapeWalk(tree, sequence, [], new Uint8Array(tree.n));
  walk.moveTo(position);
  return [...walk.links()];
};
const shaped = (position, hand = []) => shapeAt(tree, sequence, position, hand, new Uint8Array(tree.n));

test("a tree is read as it was written", () => {
  assert.equal(tree.target, golden.tree.target);
  assert.deepEqual(tree.classes, golden.tree.classes);
  assert.deepEqual([...tree.parent], golden.tree.parent);
  assert.deepEqual(nodes.map((node) => [tree.classWeight(node, 0), tree.classWeight(node, 1)]), golden.tree.stats);
  assert.deepEqual(nodes.map((node) => tree.branchText(node)), golden.tree.branch_texts);
  assert.deepEqual(nodes.map((node) => tree.testText(node)), golden.tree.tests);
  assert.equal(tree.reachedBy(3), "Humidity = High");
  assert.equal(tree.prediction(0), "Yes");
  close(tree.share(0), 9 / 14);
});

test("a node that a person decided is marked, and its test is written in full", () => {
  const header = { sig: "", target: "", impurity: "", classes: ["a", "b"], stop_reasons: [""], branch_texts: ["", "= x", "∈ {y, z}"] };
  header.features = [{ name: "sky", test: "each_value" }];
  const arrays = { depth: [0, 1, 1], parent: [-1, 0, 0], feature: [0, -1, -1], first_child: [1, -1, -1], branch_text: [0, 1, 2] };
  const usual = new TreeData({ header, arrays });
  const decided = new TreeData({ header, arrays: { ...arrays, by_hand: [1, 0, 0], plain: [0, 0, 0] } });
  assert.deepEqual([usual.testText(0), usual.isByHand(0)], ["sky", false]);
  assert.deepEqual([decided.testText(0), decided.isByHand(0), decided.isByHand(1)], ["sky = x", true, false]);
});

test("a number that is not the mean of its rows has no standard deviation beside it", () => {
  const header = { sig: "", target: "y", impurity: "variance", classes: [], stop_reasons: [""], branch_texts: [""], features: [] };
  const arrays = { depth: [0], parent: [-1], feature: [-1], first_child: [-1], branch_text: [0], weight: [4], value: [3], impurity: [2], missing: [0], stop: [0], stats: [4, 3, 8] };
  const prediction = (grown) => factsOf(grown, null, 0)[2][1];
  assert.equal(prediction(new TreeData({ header, arrays })), "3 ± 1.414");
  assert.equal(prediction(new TreeData({ header: { ...header, has_means: false }, arrays })), "3");
});

test("bytes may begin anywhere in memory", () => {
  const shifted = new Uint8Array(bytes("tree").length + 3);
  shifted.set(bytes("tree"), 3);
  assert.deepEqual(openPayload(shifted.subarray(3)).stats, tree.stats);
});

test("a sequence is read as it was written", () => {
  sequence.alphas.forEach((alpha, k) => close(alpha, golden.sequence.alphas[k]));
  assert.deepEqual([...sequence.leaves], golden.sequence.leaves);
  assert.equal(sequence.tree, tree.sig);
});

test("shapes, leaves and scores at every position", () => {
  golden.sequence.shapes.forEach((expected, position) => {
    const shape = shaped(position);
    assert.equal([...shape].join(""), expected);
    const { leaves, train, valid } = scoreOf(tree, sequence, shape);
    assert.equal(leaves, golden.sequence.leaves[position]);
    close(train, golden.sequence.right[position] / 14);
    close(valid, train);
    close(train, sequence.train[position]);
  });
});

test("the weakest links and their numbers", () => {
  for (const position of [0, 1]) {
    const expected = golden.sequence.links.filter((link) => link.position === position);
    const links = linksAt(position);
    assert.deepEqual(links, expected.map((link) => link.node));
    for (const { node } of expected) {
      const alpha = (sequence.risk[node] - sequence.linkRisk[node]) / (sequence.linkLeaves[node] - 1);
      close(alpha, sequence.alphas[position + 1]);
    }
  }
  assert.deepEqual(linksAt(2), []);
});

test("changes by hand: a later one wins, and restoring a node restores every node above with its own branches", () => {
  for (const { position, steps, shape } of golden.sequence.hand) {
    assert.equal([...shaped(position, steps)].join(""), shape, JSON.stringify(steps));
  }
});

test("every step of growing splits one node, and what is below the others is not shown", () => {
  golden.growth.shapes.forEach((expected, step) => {
    const shape = shapeAt(tree, growth, step, [], new Uint8Array(tree.n));
    assert.equal([...shape].join(""), expected, `step ${step}`);
    assert.equal(scoreOf(tree, growth, shape).leaves, golden.growth.leaves[step]);
    assert.equal(growth.focus(step), golden.growth.focus[step]);
  });
});

test("the pruned tree of every position has the same slots as in Python", () => {
  golden.sequence.slots.forEach((expected, position) => {
    const shape = shaped(position);
    const leaves = new Set(nodes.filter((node) => shape[node] === LEAF));
    const { x, slots } = leafSlots(tree, shownNodes(tree, leaves, Infinity));
    assert.deepEqual(Array.from(x, (slot) => (Number.isNaN(slot) ? null : slot)), expected);
    assert.equal(slots, golden.sequence.leaves[position]);
  });
});

test("a class has the same shape here as in a saved picture", () => {
  assert.deepEqual(CLASS_SHAPES, golden.class_shapes);
});

test("numbers, scores and leaves are worded as on the pages", () => {
  const { number, share, mean_squared_error: squared, leaves } = golden.words;
  assert.deepEqual(number.map(([value]) => numberText(value)), number.map(([, text]) => text));
  assert.deepEqual(share.map(([value]) => percentText(value)), share.map(([, text]) => text));
  assert.deepEqual(share.map(([value]) => scoreText(value, true)), share.map(([, text]) => text));
  assert.deepEqual(squared.map(([value]) => scoreText(value, false)), squared.map(([, text]) => text));
  assert.deepEqual(leaves.map(([count]) => leavesText(count)), leaves.map(([, text]) => text));
});

test("amounts that count no rows are called weights", () => {
  const treeWith = (weight, countsRows) => Object.assign(Object.create(TreeData.prototype), { n: weight.length, weight, countsRows });
  assert.equal(treeWith([1, 0.3, 0.7], false).rowsText(1), "weight 0.3000");
  assert.equal(treeWith([8513948.25, 3, 7], false).rowsText(0), "weight 8,513,948");
  assert.equal(treeWith([10, 3, 7], true).rowsText(1), "3 rows");
  assert.equal(treeWith([1], true).rowsText(0), "1 row");
});
