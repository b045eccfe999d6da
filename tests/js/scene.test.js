import assert from "node:assert/strict";
import { test } from "node:test";
import { cutsOf } from "../../explorer/drawing/tree_view/canvas/badges.js";
import { alongLength, depthLength, zoomCamera } from "../../explorer/drawing/tree_view/canvas/camera.js";
import { keptNodes, Scene } from "../../explorer/drawing/tree_view/canvas/scene/scene.js";
import { GHOST, INNER, LEAF } from "../../explorer/drawing/tree_view/model/pruned_shape.js";
import { CREDIT_G, shapedTree, treeOf } from "./trees.js";

// 0 → 1 (leaf), 2 → (4, 5), 3 → (6, 7, 8)
const tree = treeOf([[], [[], []], [[], [], []]], [2, 3, 5, 4, 4, 2]);

function sceneOf(shown, mode = "down", width = 900, height = 480) {
  const scene = new Scene(null);
  Object.assign(scene.frame, { mode, width, height });
  scene.setTree(shown);
  scene.setShape(Uint8Array.from(shown.feature, (feature) => (feature < 0 ? LEAF : INNER)));
  scene.fit();
  return scene;
}

function nodesInView(scene) {
  const nodes = Array.from({ length: scene.tree.n }, (_, t) => t).filter((t) => scene.layout.shown[t]);
  return nodes.filter((t) => scene.isInView(t)).length;
}

test("after zooming in twice at any place, a depth of 4 shows the whole tree and not an empty canvas", () => {
  for (const mode of ["down", "right", "icicle"]) {
    for (const share of [0.02, 0.5, 0.98]) {
      const scene = sceneOf(shapedTree(CREDIT_G), mode);
      const [along, deep] = [alongLength(scene.frame) * share, depthLength(scene.frame) * 0.9];
      for (let i = 0; i < 2; i++) scene.camera = zoomCamera(scene.camera, scene.frame, 1.4, along, deep);
      scene.isFitted = false;
      scene.depthLimit = 4;
      scene.forgetLayout();
      scene.layOutAround(-1);
      assert.equal(nodesInView(scene), scene.layout.count, `${mode}, ${share}`);
    }
  }
});

test("when the kept tree is laid out anew under a zoom, the most central node, or what is left above it, stays in view", () => {
  const large = shapedTree(CREDIT_G);
  const scene = sceneOf(large);
  for (let i = 0; i < 4; i++) scene.camera = zoomCamera(scene.camera, scene.frame, 1.4, 800, 450);
  scene.isFitted = false;
  const anchor = scene.anchor();
  const before = scene.pixelOf(anchor);
  scene.setShape(Uint8Array.from(large.feature, (_, t) => (large.depth[t] > 5 ? GHOST : large.depth[t] === 5 || large.feature[t] < 0 ? LEAF : INNER)));
  scene.isTrimmed = true;
  scene.layOutAround(anchor);
  let kept = anchor;
  while (!scene.layout.shown[kept]) kept = large.parent[kept];
  assert.ok(scene.isInView(kept));
  if (!scene.isFitted) assert.ok(Math.abs(scene.pixelOf(kept).along - before.along) < 1e-6);
});

test("a layout of all nodes is kept while α is dragged, and made anew after folding", () => {
  const scene = sceneOf(shapedTree(CREDIT_G));
  const everything = scene.layout;
  scene.isTrimmed = true;
  scene.relayout();
  scene.isTrimmed = false;
  scene.relayout();
  assert.equal(scene.layout, everything);
  scene.folded.add(1);
  scene.forgetLayout();
  scene.relayout();
  assert.ok(scene.layout.count < everything.count);
});

test("what α has not changed is not laid out again", () => {
  const scene = sceneOf(treeOf([[], [[], []]]));
  scene.isTrimmed = true;
  scene.relayout();
  assert.ok(scene.isLaidOutFor(Uint8Array.from(scene.shape)));
  assert.ok(!scene.isLaidOutFor(Uint8Array.from([INNER, LEAF, LEAF, GHOST, GHOST])));
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

test("the filter keeps what has rows enough, and whatever is above it", () => {
  assert.deepEqual(Array.from(keptNodes(tree, { minRows: 4, minPurity: 0, label: -1 })), [1, 0, 1, 1, 0, 1, 1, 1, 0]);
});

test("the filter by class keeps the nodes that predict it, and whatever is above them", () => {
  const kept = (label, minRows = 0) => Array.from(keptNodes(tree, { minRows, minPurity: 0, label }));
  assert.deepEqual(kept(1), [1, 1, 1, 1, 0, 1, 0, 1, 0]); // odd ids predict class 1; 2 is above 5, 0 above all
  assert.deepEqual(kept(0, 3), [1, 0, 1, 1, 1, 0, 1, 0, 0]); // of 4, 6 and 8 the last has two rows
});

test("★ and ◇ stand where the best and the 1-SE tree are cut, at nodes that were split", () => {
  const collapse = [4, 0, 1, 3, 0, 0, 0, 0, 0];
  const sequence = { kind: "alpha", best: 2, oneSe: 3, isPrunedAt: (t, position) => collapse[t] <= position };
  assert.deepEqual([...cutsOf(tree, sequence)], [[2, "★◇"], [3, "◇"]]);
  assert.equal(cutsOf(tree, { ...sequence, kind: "steps" }).size, 0);
  assert.equal(cutsOf(tree, null).size, 0);
});
