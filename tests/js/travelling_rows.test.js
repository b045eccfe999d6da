// The rows of a node that is split travel into its branches.
import assert from "node:assert/strict";
import { test } from "node:test";

import { outlineOf } from "../../explorer/drawing/tree_view/canvas/paint.js";
import { Scene } from "../../explorer/drawing/tree_view/canvas/scene/scene.js";
import { INNER, LEAF } from "../../explorer/drawing/tree_view/model/pruned_shape.js";
import { Choices } from "../../explorer/drawing/tree_view/stage/choices.js";
import { dotsOf, placeOf, TravellingRows } from "../../explorer/drawing/tree_view/stage/travelling_rows.js";
import { treeOf } from "./trees.js";

const THEME = { classes: ["#4fa9ef", "#ff9d4d"], means: ["#fff", "#000"], font: "serif", text: "#111", quiet: "#555", background: "#fff", primary: "#00f" };
// 0 → 1 (leaf, 2 rows of class 1), 2 → (4, 5) of 3 + 5, 3 → (6, 7, 8) of 4 + 4 + 2
const NESTED = [[], [[], []], [[], [], []]];
const TREE = treeOf(NESTED, [2, 3, 5, 4, 4, 2]);

function sceneOf(tree, mode = "down") {
  const scene = new Scene({ measureText: (text) => ({ width: 7 * text.length }) });
  Object.assign(scene.frame, { mode, width: 800, height: 600 });
  scene.setTheme(THEME);
  scene.setTree(tree);
  scene.fit();
  scene.setShape(Uint8Array.from(tree.feature, (feature) => (feature >= 0 ? INNER : LEAF)));
  return scene;
}

/** A stage with a tree, whose reader may want no motion. */
function stageOf(tree, { isStill = false } = {}) {
  globalThis.matchMedia = () => ({ matches: isStill });
  const stage = { choices: new Choices(), scene: sceneOf(tree), draws: 0, draw: () => (stage.draws += 1) };
  stage.rows = new TravellingRows(stage);
  return stage;
}

test("a node's rows are its dots: as many of each class into each branch as there are", () => {
  for (const node of [0, 2, 3]) {
    const dots = dotsOf(TREE, node);
    assert.equal(dots.length, TREE.weight[node]);
    for (let child = TREE.firstChild[node]; child < TREE.firstChild[node] + TREE.childCount[node]; child++) {
      const taken = [0, 1].map((code) => dots.filter((dot) => dot.child === child && dot.code === code).length);
      assert.deepEqual(taken, [0, 1].map((code) => TREE.classWeight(child, code)));
    }
    for (const { spot } of dots) assert.ok(spot.every((at) => Math.abs(at) <= 1));
  }
});

test("there are no dots for a large table, for rows in parts, and where weights count no rows", () => {
  assert.equal(dotsOf(treeOf([[], []], [150, 150]), 0).length, 300);
  assert.equal(dotsOf(treeOf([[], []], [150, 151]), 0).length, 0);
  assert.equal(dotsOf(treeOf([[], []], [2.5, 1.5]), 0).length, 0);
  assert.equal(dotsOf(Object.assign(treeOf([[], []], [2, 1]), { countsRows: false }), 0).length, 0);
});

test("a dot begins in its node and ends in its branch, in every layout", () => {
  for (const mode of ["down", "right", "icicle"]) {
    const scene = sceneOf(TREE, mode);
    for (const dot of dotsOf(TREE, 3)) {
      for (const [share, node] of [[0, 3], [1, dot.child]]) {
        const [{ x, y }, box] = [placeOf(scene, dot, share), outlineOf(scene, node)];
        const isInside = Math.abs(x - box.x) <= box.halfWidth && Math.abs(y - box.y) <= box.halfHeight;
        assert.ok(isInside, `${mode}: ${x}, ${y} at ${share} of the way to ${dot.child}`);
      }
    }
  }
});

test("dots move while time passes, stop with the timeline, and are gone in less than a second", () => {
  const { rows, scene } = stageOf(TREE);
  rows.send(0);
  const ages = () => rows.dots.map(({ age }) => age);
  assert.equal(rows.step(0), true);
  const started = ages();
  rows.step(16);
  assert.deepEqual(ages(), started.map((age) => age + 16));
  rows.pause(true);
  assert.equal(rows.step(500), false);
  assert.deepEqual(ages(), started.map((age) => age + 16));
  rows.pause(false);
  rows.step(600);
  assert.deepEqual(ages(), started.map((age) => age + 16), "going on, no time of the pause counts");
  let now = 600;
  while (rows.step((now += 16)));
  assert.ok(now < 1500);
  assert.equal(rows.dots.length, 0);
  rows.send(2);
  scene.shape[2] = LEAF;
  assert.equal(rows.step(now), false, "no rows travel from a node that is a leaf again");
});

test("the next split takes the place of dots that the reader stopped", () => {
  const { rows } = stageOf(TREE);
  rows.send(0);
  rows.pause(true);
  rows.send(3);
  assert.deepEqual([...new Set(rows.dots.map(({ node }) => node))], [3]);
  assert.equal(rows.step(0), true);
});

test("who wants no motion, and who reads the tree as text, sees none", () => {
  const still = stageOf(TREE, { isStill: true });
  still.rows.send(0);
  assert.deepEqual([still.rows.dots.length, still.draws], [0, 0]);
  const text = stageOf(TREE);
  text.choices.mode = "text";
  text.rows.send(0);
  assert.equal(text.rows.dots.length, 0);
});
