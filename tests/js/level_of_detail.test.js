import assert from "node:assert/strict";
import { test } from "node:test";
import { fitCamera, panCamera, zoomCamera } from "../../explorer/drawing/tree_view/canvas/camera.js";
import { boxOf, DOT, FULL, makeMarks, placeMarks } from "../../explorer/drawing/tree_view/canvas/level_of_detail.js";
import { nodeUnder } from "../../explorer/drawing/tree_view/canvas/node_under.js";
import { layOut } from "../../explorer/drawing/tree_view/canvas/layout.js";
import { randomTree, seeded, treeOf } from "./trees.js";

function sceneOf(tree, mode, width, height) {
  const layout = layOut(tree, new Set(), Infinity);
  const frame = { mode, width, height, slots: layout.slots, levels: layout.levels.length };
  const naturalWidth = (t) => 84 + ((t * 37) % 99);
  const branchTextWidth = (t) => 20 + ((t * 23) % 110);
  const scene = { tree, layout, frame, camera: fitCamera(frame), marks: makeMarks(tree.n), naturalWidth, wholeWidth: naturalWidth, isLeaf: (t) => tree.firstChild[t] < 0, wordWidth: (t) => naturalWidth(t) / 2, branchTextWidth };
  placeMarks(scene);
  return scene;
}

function boxesOf({ layout, marks }) {
  const drawn = layout.levels.flatMap((level, d) => (marks.dense[d] ? [] : Array.from(level.subarray(marks.from[d], marks.to[d]))));
  return drawn.filter((t) => marks.kind[t] > DOT);
}

function overlap({ marks }, a, b) {
  const apartX = Math.abs(marks.x[a] - marks.x[b]) - marks.halfWidth[a] - marks.halfWidth[b];
  const apartY = Math.abs(marks.y[a] - marks.y[b]) - marks.halfHeight[a] - marks.halfHeight[b];
  return apartX < 1 && apartY < 1;
}

function assertApart(scene, what) {
  const boxes = boxesOf(scene);
  const { layout, marks } = scene;
  const all = layout.levels.flatMap((level, d) => (marks.dense[d] ? [] : Array.from(level.subarray(marks.from[d], marks.to[d]))));
  for (const a of boxes) for (const b of all) if (a !== b) assert.ok(!overlap(scene, a, b), `${what}: ${a} and ${b}`);
}

test("no box ever touches another box or a dot, at any size of tree and area, whatever the zoom", () => {
  let boxes = 0;
  for (const mode of ["down", "right"]) {
    for (let seed = 1; seed <= 12; seed++) {
      const scene = sceneOf(randomTree(4 + seed * seed * 2, seed), mode, [1400, 800, 340][seed % 3], 460);
      const random = seeded(seed);
      for (let step = 0; step < 8; step++) {
        assertApart(scene, `${mode}, seed ${seed}, step ${step}`);
        boxes += boxesOf(scene).length;
        scene.camera = zoomCamera(scene.camera, scene.frame, 0.8 + random() * 1.2, random() * 400, random() * 400);
        scene.camera = panCamera(scene.camera, scene.frame, random() * 80 - 40, random() * 80 - 40);
        placeMarks(scene);
      }
    }
  }
  assert.ok(boxes > 1000, `only ${boxes} boxes were compared`);
});

test("at the fit every box lies inside the area, and so do both rings about it at the ends of its level", () => {
  const RINGS = 6 + 2.5 / 2; // gap and half the line of the outer one
  for (const mode of ["down", "right"]) {
    for (let seed = 1; seed <= 20; seed++) {
      const scene = sceneOf(randomTree(3 + seed * 4, seed), mode, [1400, 800, 258][seed % 3], 460);
      for (const t of boxesOf(scene)) {
        const { x, y, halfWidth, halfHeight } = boxOf(scene, t);
        const [wide, high] = mode === "down" ? [halfWidth + RINGS, halfHeight] : [halfWidth, halfHeight + RINGS];
        const inside = x - wide >= 0 && x + wide <= scene.frame.width && y - high >= 0 && y + high <= 460;
        assert.ok(inside, `${mode}, seed ${seed}, node ${t}`);
      }
    }
  }
});

test("a small tree comes out with whole boxes", () => {
  const scene = sceneOf(treeOf([[], [[], []], [[], []]]), "down", 1400, 460);
  assert.deepEqual(Array.from(scene.marks.kind), new Array(8).fill(FULL));
});

test("up to 2,000 nodes every node is drawn; beyond that, levels with more nodes than room are merged", () => {
  const all = sceneOf(randomTree(1990, 3), "down", 400, 460);
  assert.equal(all.marks.placed, all.tree.n);
  const many = sceneOf(randomTree(9000, 3), "down", 400, 460);
  assert.ok(many.marks.dense.some(Boolean) && !many.marks.dense[0]);
});

test("the node under a point is the node whose box holds it, and open ground has none", () => {
  const scene = sceneOf(randomTree(60, 5), "down", 1400, 460);
  for (let t = 0; t < scene.tree.n; t++) {
    const { x, y } = boxOf(scene, t);
    assert.equal(nodeUnder(scene, x, y), t);
  }
  assert.equal(nodeUnder(scene, -500, -500), -1);
});

test("zoomed in, only what is in sight is placed", () => {
  const scene = sceneOf(randomTree(1500, 7), "down", 1000, 460);
  for (let i = 0; i < 20; i++) scene.camera = zoomCamera(scene.camera, scene.frame, 1.4, 500, 400);
  placeMarks(scene);
  assert.ok(scene.marks.placed < 200, `${scene.marks.placed}`);
});

test("from the first level on whose nodes have no room for a word each, all are dots, in an area of any height", () => {
  const [WIDTH, LEAST] = [476, 52];
  let crowded = 0;
  for (let seed = 1; seed <= 12; seed++) {
    for (const height of [460, 560, 900]) {
      const { layout, marks } = sceneOf(randomTree(130, seed), "down", WIDTH, height);
      const first = layout.levels.findIndex((level, depth) => depth >= 3 && level.length * LEAST > WIDTH);
      if (first < 0) continue;
      crowded += 1;
      for (const level of layout.levels.slice(first)) for (const t of level) assert.equal(marks.kind[t], DOT, `seed ${seed}, height ${height}: ${t}`);
    }
  }
  assert.ok(crowded > 6, `${crowded} trees have such a level`);
});
