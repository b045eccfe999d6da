// What Python and this view both do, held to one file worked out by hand: tests/reference/golden/payload.json.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { leavesText } from "../../explorer/drawing/tree_view/model/alpha_interval.js";
import { leafSlots, shownNodes } from "../../explorer/drawing/tree_view/canvas/layout.js";
import { CLASS_SHAPES } from "../../explorer/drawing/tree_view/canvas/node_style.js";
import { openPack, TreeData } from "../../explorer/drawing/tree_view/model/payload.js";
import { LEAF, nextLinks, scoreOf, shapeAt } from "../../explorer/drawing/tree_view/model/pruned_shape.js";
import { numberText, percentText, scoreText } from "../../explorer/drawing/tree_view/format.js";

const golden = JSON.parse(readFileSync(new URL("../reference/golden/payload.json", import.meta.url), "utf-8"));
const bytes = (name) => new Uint8Array(Buffer.from(golden.packs[name], "base64"));
const tree = openPack(bytes("tree"));
const sequence = openPack(bytes("sequence"));
const nodes = [...Array(tree.n).keys()];
const close = (one, other) => assert.ok(Math.abs(one - other) < 1e-12, `${one} is not ${other}`);
const shaped = (position, hand = []) => shapeAt(tree, sequence, position, hand, new Uint8Array(tree.n));

test("a tree is read as it was written", () => {
  assert.equal(tree.target, golden.tree.target);
  assert.deepEqual(tree.classes, golden.tree.classes);
  assert.deepEqual([...tree.parent], golden.tree.parent);
  assert.deepEqual(nodes.map((node) => [tree.classWeight(node, 0), tree.classWeight(node, 1)]), golden.tree.stats);
  assert.deepEqual(nodes.map((node) => tree.branchWord(node)), golden.tree.words);
  assert.deepEqual(nodes.map((node) => tree.testText(node)), golden.tree.tests);
  assert.equal(tree.reachedBy(3), "Humidity = High");
  assert.equal(tree.answer(0), "Yes");
  close(tree.share(0), 9 / 14);
});

test("a node that a person decided is marked, and its test worded as it is", () => {
  const header = { sig: "", target: "", impurity: "", classes: ["a", "b"], stop_reasons: [""], strings: ["", "= x", "∈ {y, z}"] };
  header.features = [{ name: "sky", test: "each_value" }];
  const arrays = { depth: [0, 1, 1], parent: [-1, 0, 0], feature: [0, -1, -1], first_child: [1, -1, -1], word: [0, 1, 2] };
  const usual = new TreeData({ header, arrays });
  const decided = new TreeData({ header, arrays: { ...arrays, by_hand: [1, 0, 0], plain: [0, 0, 0] } });
  assert.deepEqual([usual.testText(0), usual.isByHand(0)], ["sky", false]);
  assert.deepEqual([decided.testText(0), decided.isByHand(0), decided.isByHand(1)], ["sky = x", true, false]);
});

test("bytes may begin anywhere in memory", () => {
  const shifted = new Uint8Array(bytes("tree").length + 3);
  shifted.set(bytes("tree"), 3);
  assert.deepEqual(openPack(shifted.subarray(3)).stats, tree.stats);
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
    const found = [...nextLinks(tree, sequence, position, shaped(position))];
    assert.deepEqual(found, expected.map((link) => link.node));
    for (const { node } of expected) {
      const price = (sequence.risk[node] - sequence.linkRisk[node]) / (sequence.linkLeaves[node] - 1);
      close(price, sequence.alphas[position + 1]);
    }
  }
  assert.equal(nextLinks(tree, sequence, 2, shaped(2)).length, 0);
});

test("steps by hand: a later one wins, and restoring opens every node above with its own branches", () => {
  for (const { position, steps, shape } of golden.sequence.hand) {
    assert.equal([...shaped(position, steps)].join(""), shape, JSON.stringify(steps));
  }
});

test("what is left at every position stands where Python puts it", () => {
  golden.sequence.slots.forEach((expected, position) => {
    const shape = shaped(position);
    const closed = new Set(nodes.filter((node) => shape[node] === LEAF));
    const { x, slots } = leafSlots(tree, shownNodes(tree, closed, Infinity));
    assert.deepEqual(Array.from(x, (place) => (Number.isNaN(place) ? null : place)), expected);
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
