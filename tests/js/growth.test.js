// Growing a tree step by step: what is drawn, what is said, and what is asked.
import assert from "node:assert/strict";
import { test } from "node:test";

import { grownPart, layOut } from "../../explorer/drawing/tree_view/canvas/layout.js";
import { positionFor } from "../../explorer/drawing/tree_view/panel/jump_to.js";
import { canSplitNext, growthSentence, isOpenQuestion, offersNext } from "../../explorer/drawing/tree_view/panel/growth_controls.js";
import { spokenPosition, stepText } from "../../explorer/drawing/tree_view/model/alpha_interval.js";
import { timelineAction } from "../../explorer/drawing/tree_view/panel/player.js";
import { SequenceData } from "../../explorer/drawing/tree_view/model/payload.js";
import { GHOST, INNER, LEAF, scoreOf, shapeAt } from "../../explorer/drawing/tree_view/model/pruned_shape.js";
import { randomTree, seeded, treeOf } from "./trees.js";

/** The growing of a tree in an order of its split nodes. */
function growthOf(tree, order) {
  const splitAt = new Int32Array(tree.n);
  order.forEach((node, k) => (splitAt[node] = k + 1));
  const leaves = [1];
  for (const node of order) leaves.push(leaves.at(-1) + tree.childCount[node] - 1);
  const arrays = { leaves: Int32Array.from(leaves), split_at: splitAt, focus: Int32Array.from([-1, ...order]) };
  return new SequenceData({ header: { sig: "g", steps: "growth", captions: [] }, arrays });
}

/** Split nodes in any order in which every node follows the one above it. */
function anyOrder(tree, seed) {
  const random = seeded(seed);
  const [open, order] = [[0], []];
  while (open.length) {
    const [node] = open.splice(Math.floor(random() * open.length), 1);
    if (!tree.isSplit(node)) continue;
    order.push(node);
    for (let k = 0; k < tree.childCount[node]; k++) open.push(tree.firstChild[node] + k);
  }
  return order;
}

const shaped = (tree, growth, step) => shapeAt(tree, growth, step, [], new Uint8Array(tree.n));

// 0 → 1 (leaf), 2 → (4, 5), 3 → (6, 7, 8)
const small = treeOf([[], [[], []], [[], [], []]], [2, 3, 5, 4, 4, 2]);
const growth = growthOf(small, [0, 3, 2]);

test("every step of growing agrees with splitting the nodes one by one", () => {
  for (let seed = 1; seed <= 25; seed++) {
    const tree = randomTree(60, seed);
    const order = anyOrder(tree, seed);
    const growing = growthOf(tree, order);
    const state = new Uint8Array(tree.n).fill(GHOST);
    state[0] = LEAF;
    for (let step = 0; step <= order.length; step++) {
      if (step > 0) {
        const node = order[step - 1];
        state[node] = INNER;
        state.fill(LEAF, tree.firstChild[node], tree.firstChild[node] + tree.childCount[node]);
      }
      assert.deepEqual(shaped(tree, growing, step), state, `seed ${seed}, step ${step}`);
      assert.equal(scoreOf(tree, null, state).leaves, growing.leaves[step]);
    }
  }
});

test("while a tree grows no node moves, and only what is grown is laid out", () => {
  const whole = layOut(small, new Set(), Infinity);
  for (const [step, shown] of [[0, [0]], [1, [0, 1, 2, 3]], [2, [0, 1, 2, 3, 6, 7, 8]], [3, [0, 1, 2, 3, 4, 5, 6, 7, 8]]]) {
    const grown = grownPart(whole, shaped(small, growth, step));
    assert.deepEqual(grown.levels.flatMap((level) => [...level]), shown);
    assert.equal(grown.levels.length, whole.levels.length);
    assert.deepEqual([grown.x, grown.slots, grown.count], [whole.x, whole.slots, shown.length]);
  }
});

test("a folded branch stays folded while the tree grows", () => {
  const folded = layOut(small, new Set([3]), Infinity);
  assert.deepEqual([...grownPart(folded, shaped(small, growth, 3)).shown], [1, 1, 1, 1, 1, 1, 0, 0, 0]);
});

test("each step has a sentence; Python's own stands at its step only", () => {
  assert.equal(growthSentence(small, growth, 0), "The root, before any split: 20 rows, entropy 0.");
  assert.equal(growthSentence(small, growth, 2), "Node 3 splits on age ≤ 4: 10 rows, entropy 0.");
  const sentence = { step: 2, text: "Node 3 splits on age, ahead of sky." };
  assert.equal(growthSentence(small, growth, 2, { sentence }), sentence.text);
  assert.equal(growthSentence(small, growth, 3, { sentence }), "Node 2 splits on age ≤ 4: 8 rows, entropy 0.");
});

test("a step is asked for until it is answered, and its sentence gives nothing away", () => {
  const [ask, sentence] = [{ on: true, answered: [1] }, { step: 2, text: "Node 3 splits on age." }];
  assert.deepEqual([0, 1, 2, 3].map((k) => isOpenQuestion(ask, growth, k)), [false, false, true, true]);
  assert.equal(isOpenQuestion({ ...ask, on: false }, growth, 2), false);
  assert.equal(isOpenQuestion(null, growth, 2), false);
  assert.equal(isOpenQuestion(ask, null, 2), false);
  assert.equal(growthSentence(small, growth, 2, { ask, sentence }), "Which feature splits node 3?");
  assert.equal(growthSentence(small, growth, 2, { ask: { on: true, answered: [1, 2] }, sentence }), sentence.text);
});

test("an answered step offers the next one, but for the last", () => {
  const answered = { on: true, answered: [2], of: 2, verdict: "Right: age wins." };
  assert.equal(offersNext(answered, 2, false), true);
  for (const ask of [null, { ...answered, on: false }, { ...answered, verdict: "" }, { ...answered, of: 1 }]) assert.equal(offersNext(ask, 2, false), false);
  assert.equal(offersNext(answered, 2, true), false);
});

test("an open leaf that the full tree splits can be split next, no other node", () => {
  const shape = shaped(small, growth, 2);
  assert.deepEqual([...Array(9).keys()].filter((node) => canSplitNext(small, shape, node)), [2]);
  assert.deepEqual([-1, 9].map((node) => canSplitNext(small, shape, node)), [false, false]);
});

test("the steps of growing are counted from the root, which is step 0", () => {
  assert.equal(stepText(growth, 2), "Growing: step 2 of 3");
  assert.equal(stepText(growth, 2, true), "Asked: step 2 of 3");
  assert.equal(spokenPosition(growth, 2), "Growing: step 2 of 3, 5 leaves");
  assert.deepEqual(["0", "2", "last"].map((text) => positionFor(text, growth).position), [0, 2, 3]);
  assert.match(positionFor("4", growth).error, /0 to 3/);
});

test("the keys of the timeline step, jump, play and stop; other keys are left alone", () => {
  const by = (key) => timelineAction(key, false)?.by;
  assert.deepEqual(["ArrowRight", "PageDown", "ArrowLeft", "PageUp"].map(by), [1, 1, -1, -1]);
  assert.deepEqual(["Home", "End"].map(by), [-Infinity, Infinity]);
  assert.deepEqual(timelineAction(" ", false), { play: true });
  assert.deepEqual([timelineAction("Escape", true), timelineAction("Escape", false)], [{ stop: true }, null]);
  assert.deepEqual(["a", "Enter", "ArrowUp"].map((key) => timelineAction(key, true)), [null, null, null]);
});
