// A moving position changes what it must and touches nothing else: held to `shapeAt`, which works a shape out from nothing.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Fades } from "../../explorer/drawing/tree_view/canvas/scene/fades.js";
import { SequenceData } from "../../explorer/drawing/tree_view/model/payload.js";
import { INNER, LEAF, shapeAt } from "../../explorer/drawing/tree_view/model/pruned_shape.js";
import { ShapeWalk } from "../../explorer/drawing/tree_view/model/shape_walk.js";
import { randomTree, seeded } from "./trees.js";

const SIZE = 12;

/** A pruning sequence in which nodes close in any order, many of them together and some never; the top is the last to go. */
function pruning(tree, random) {
  const collapse = tree.depth.map((depth) => (depth < 3 ? SIZE - 1 - depth : 1 + Math.floor(random() * SIZE)));
  return sequenceOf("alpha", { collapse });
}

/** Growing in any order of the nodes' ids: a node is split after its parent, and some are never split. */
function growing(tree, random) {
  const split = Array.from({ length: tree.n }, (_, t) => t).filter((t) => tree.feature[t] >= 0 && random() < 0.9);
  const split_at = new Int32Array(tree.n);
  split.slice(0, SIZE - 1).forEach((t, k) => (split_at[t] = k + 1));
  return sequenceOf("growth", { split_at });
}

/** Trees that are not nested: any node may be a leaf at any position. */
function variants(tree, random) {
  return sequenceOf("steps", { pruned: Uint8Array.from({ length: SIZE * tree.n }, () => (random() < 0.3 ? 1 : 0)) });
}

function sequenceOf(steps, arrays) {
  return new SequenceData({ header: { steps }, arrays: { leaves: new Int32Array(SIZE), ...arrays } });
}

/** Changes by hand, of split nodes only. */
function changesByHand(tree, random) {
  const split = Array.from({ length: tree.n }, (_, t) => t).filter((t) => tree.feature[t] >= 0);
  const any = () => split[Math.floor(random() * split.length)];
  return [["collapse", any()], ["restore", any()], ["collapse", any()]];
}

function forEveryWalk(act) {
  for (let seed = 1; seed <= 25; seed++) {
    const random = seeded(seed);
    const tree = randomTree(3 + seed * 6, seed);
    for (const sequence of [pruning(tree, random), growing(tree, random), variants(tree, random)]) {
      for (const hand of [[], changesByHand(tree, random)]) act({ tree, sequence, hand, random });
    }
  }
}

test("after any moves the shape is that of the position, its leaves are counted, and only what differs was changed", () => {
  let moves = 0;
  forEveryWalk(({ tree, sequence, hand, random }) => {
    const shape = new Uint8Array(tree.n);
    const walk = new ShapeWalk(tree, sequence, hand, shape);
    for (let step = 0; step < 15; step++) {
      const before = shape.slice();
      const position = Math.floor(random() * SIZE);
      const changed = Array.from(walk.moveTo(position));
      const expected = shapeAt(tree, sequence, position, hand, new Uint8Array(tree.n));
      assert.deepEqual(shape, expected);
      assert.equal(walk.leaves, expected.filter((state) => state === LEAF).length);
      const differs = Array.from(expected.keys()).filter((t) => expected[t] !== before[t]);
      assert.deepEqual(changed.sort((a, b) => a - b), differs);
      moves += 1;
    }
  });
  assert.ok(moves > 2000);
});

test("a step from one position to the next looks only at nodes that change there", () => {
  const random = seeded(3);
  const tree = randomTree(2000, 3);
  const sequence = pruning(tree, random);
  const walk = new ShapeWalk(tree, sequence, [], new Uint8Array(tree.n));
  walk.moveTo(0);
  const looked = [];
  let changes = 0;
  walk.stateAt = (t, at) => (looked.push(t), ShapeWalk.prototype.stateAt.call(walk, t, at));
  for (let position = 1; position < SIZE; position++) {
    looked.length = 0;
    const changed = Array.from(walk.moveTo(position));
    assert.deepEqual(looked, changed);
    changes += changed.length;
    assert.ok(changed.length < tree.n / 2);
  }
  assert.ok(changes > tree.n / 2);
  looked.length = 0;
  assert.equal(walk.moveTo(SIZE - 1).length + looked.length, 0);
});

test("the next links are the split nodes that close at the next α, by id; after changes by hand there are none", () => {
  let links = 0;
  forEveryWalk(({ tree, sequence, hand }) => {
    const shape = new Uint8Array(tree.n);
    const walk = new ShapeWalk(tree, sequence, hand, shape);
    for (let position = 0; position < SIZE; position++) {
      walk.moveTo(position);
      const isNext = (t) => sequence.kind === "alpha" && hand.length === 0 && shape[t] === INNER && sequence.collapse[t] === position + 1;
      const expected = Array.from(shape.keys()).filter((t) => position + 1 < SIZE && isNext(t));
      assert.deepEqual(Array.from(walk.links()), expected);
      links += expected.length;
    }
  });
  assert.ok(links > 300);
});

test("a new sequence or other changes by hand need a new walk, equal changes do not", () => {
  const tree = randomTree(30, 1);
  const sequence = pruning(tree, seeded(1));
  const walk = new ShapeWalk(tree, sequence, [["collapse", 1]], new Uint8Array(tree.n));
  assert.ok(walk.isFor(sequence, [["collapse", 1]]));
  assert.ok(!walk.isFor(sequence, []) && !walk.isFor(sequence, [["restore", 1]]) && !walk.isFor(null, [["collapse", 1]]));
});

test("fading nodes move a share of the way in every frame until they arrive, and only they are visited", () => {
  const fades = new Fades(1000);
  for (const t of [3, 5, 7]) fades.aim(t, 0);
  fades.put(5, 0);
  fades.aim(9, 1); // is there already
  const [visited, values] = [[], []];
  let frames = 0;
  do {
    visited.length = 0;
    frames += 1;
    fades.step((t) => visited.push(t));
    values.push(fades.values[3]);
    if (frames === 1) assert.deepEqual(visited.sort(), [3, 5, 7]);
    else if (frames === 3) fades.aim(7, 1);
    else assert.ok(visited.every((t) => t === 3 || t === 7));
  } while (fades.moving.size > 0 && frames < 100);
  // 1, then 0.65 of it, 0.65² of it, …, and 0 once less than 0.02 is left
  values.slice(0, -1).forEach((value, k) => assert.ok(value === 0 || Math.abs(value - 0.65 ** (k + 1)) < 1e-6));
  assert.deepEqual([fades.values[3], fades.values[5], fades.values[7], fades.values[9]], [0, 0, 1, 1]);
  assert.ok(frames > 8 && frames < 20);
});
