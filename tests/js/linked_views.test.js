import assert from "node:assert/strict";
import { test } from "node:test";
import { alongLength, cameraLike, depthLength, fitCamera, panCamera, treeLengths, zoomCamera } from "../../explorer/drawing/tree_view/canvas/camera.js";
import { counterpart, linkedWith } from "../../explorer/drawing/tree_view/linked_views.js";
import { treeOf } from "./trees.js";

// 0 → (1 → (3, 4), 2); in the other tree 1 is a leaf and 2 is split
const tree = treeOf([[[], []], []]);
const other = treeOf([[], [[], []]]);

test("the counterpart is reached by the same path, and there is none where the other tree stops before", () => {
  assert.deepEqual([0, 1, 2, 3, 4].map((t) => counterpart(tree, t, other)), [0, 1, 2, -1, -1]);
  assert.deepEqual([0, 1, 2, 3, 4].map((t) => counterpart(tree, t, tree)), [0, 1, 2, 3, 4]);
  assert.equal(counterpart(tree, -1, other), -1);
});

test("a path with another feature or another branch leads nowhere", () => {
  const renamed = treeOf([[[], []], []]);
  renamed.features = [{ name: "height", test: "threshold" }];
  assert.equal(counterpart(tree, 1, renamed), -1);
  const moved = treeOf([[[], []], []]);
  moved.branchTexts = moved.branchTexts.map((word) => word.replace("4", "5"));
  assert.equal(counterpart(tree, 1, moved), -1);
});

test("views are linked by their group, each with the others that have a tree", () => {
  const view = (group, has = true) => ({ tree: has ? tree : null, data: { link: group && { group, moves: true } } });
  const [a, b, alone, empty] = [view("compare"), view("compare"), view(null), view("compare", false)];
  assert.deepEqual(linkedWith(a, [a, b, alone, empty]), [b]);
  assert.deepEqual(linkedWith(alone, [a, b, alone]), []);
});

test("a tree is looked at like another: as large beside its fit, with the same share in the middle", () => {
  const frame = { mode: "down", width: 700, height: 460, slots: 40, levels: 9 };
  const small = { mode: "right", width: 500, height: 400, slots: 6, levels: 4 };
  const [fitted, fit] = [cameraLike(fitCamera(frame), frame, small), fitCamera(small)];
  for (const key of Object.keys(fit)) assert.ok(Math.abs(fitted[key] - fit[key]) < 1e-9, key);
  const camera = panCamera(zoomCamera(fitCamera(frame), frame, 2, 100, 200), frame, -60, 10);
  const like = cameraLike(camera, frame, small);
  const shareOf = (one, of) => (alongLength(of) / 2 - one.alongShift) / treeLengths(one, of)[0];
  const depthOf = (one, of) => (depthLength(of) / 2 - one.depthShift) / treeLengths(one, of)[1];
  assert.ok(Math.abs(shareOf(camera, frame) - shareOf(like, small)) < 1e-9);
  assert.ok(Math.abs(depthOf(camera, frame) - depthOf(like, small)) < 1e-9);
  assert.ok(Math.abs(like.alongScale / fitCamera(small).alongScale - camera.alongScale / fitCamera(frame).alongScale) < 1e-9);
});
