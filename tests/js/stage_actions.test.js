import assert from "node:assert/strict";
import { test } from "node:test";
import { cutsOf } from "../../explorer/drawing/tree_view/canvas/badges.js";
import { alongLength, depthLength, zoomCamera } from "../../explorer/drawing/tree_view/canvas/camera.js";
import { Scene } from "../../explorer/drawing/tree_view/canvas/scene.js";
import { Stage } from "../../explorer/drawing/tree_view/stage/stage.js";
import { GHOST, INNER, LEAF } from "../../explorer/drawing/tree_view/model/pruned_shape.js";
import { CREDIT_G, shapedTree, treeOf } from "./trees.js";

function sceneOf(tree, mode = "down", width = 900, height = 480) {
  const scene = new Scene(null);
  Object.assign(scene.frame, { mode, width, height });
  scene.setTree(tree);
  scene.setShape(Uint8Array.from(tree.feature, (feature) => (feature < 0 ? LEAF : INNER)));
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
  const tree = shapedTree(CREDIT_G);
  const scene = sceneOf(tree);
  for (let i = 0; i < 4; i++) scene.camera = zoomCamera(scene.camera, scene.frame, 1.4, 800, 450);
  scene.isFitted = false;
  const anchor = scene.anchor();
  const before = scene.pixelOf(anchor);
  scene.setShape(Uint8Array.from(tree.feature, (_, t) => (tree.depth[t] > 5 ? GHOST : tree.depth[t] === 5 || tree.feature[t] < 0 ? LEAF : INNER)));
  scene.isTrimmed = true;
  scene.layOutAround(anchor);
  let kept = anchor;
  while (!scene.layout.shown[kept]) kept = tree.parent[kept];
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

/** What Stage.fold does on a scene, without a page. */
function folding(scene) {
  const said = [];
  const stage = {
    scene, announce: (text) => void said.push(text), describe() {},
    relayout(change) {
      change();
      scene.forgetLayout();
      scene.relayout();
    },
  };
  return { fold: (t) => Stage.prototype.fold.call(stage, t), said };
}

test("Enter on the root folds nothing and says so; on another node it says how many nodes it hides and shows", () => {
  const scene = sceneOf(treeOf([[], [[], []], [[], [], []]]));
  const { fold, said } = folding(scene);
  fold(0);
  assert.equal(scene.layout.count, 9);
  fold(3);
  fold(3);
  fold(1); // a leaf
  assert.deepEqual(said, [
    "The root stays open: folding it would hide the whole tree.", "+3 nodes hidden; Enter shows them.", "3 nodes shown.",
  ]);
});

test("★ and ◇ stand where the best and the 1-SE tree are cut, at nodes that were split", () => {
  const tree = treeOf([[], [[], []], [[], [], []]]);
  const collapse = [4, 0, 1, 3, 0, 0, 0, 0, 0];
  const sequence = { kind: "alpha", best: 2, oneSe: 3, isPrunedAt: (t, position) => collapse[t] <= position };
  assert.deepEqual([...cutsOf(tree, sequence)], [[2, "★◇"], [3, "◇"]]);
  assert.equal(cutsOf(tree, { ...sequence, kind: "steps" }).size, 0);
  assert.equal(cutsOf(tree, null).size, 0);
});

test("what α has not changed is not laid out again", () => {
  const scene = sceneOf(treeOf([[], [[], []]]));
  scene.isTrimmed = true;
  scene.relayout();
  assert.ok(scene.isLaidOutFor(Uint8Array.from(scene.shape)));
  assert.ok(!scene.isLaidOutFor(Uint8Array.from([INNER, LEAF, LEAF, GHOST, GHOST])));
});
