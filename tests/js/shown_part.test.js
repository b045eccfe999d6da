import assert from "node:assert/strict";
import { test } from "node:test";
import { Scene } from "../../explorer/drawing/tree_view/canvas/scene/scene.js";
import { INNER, LEAF } from "../../explorer/drawing/tree_view/model/pruned_shape.js";
import { Choices } from "../../explorer/drawing/tree_view/stage/choices.js";
import { outlineRows } from "../../explorer/drawing/tree_view/stage/outline.js";
import { ShownPart } from "../../explorer/drawing/tree_view/stage/shown_part.js";
import { treeOf } from "./trees.js";

// 0 → 1 (leaf), 2 → (4, 5), 3 → (6, 7, 8)
const tree = treeOf([[], [[], []], [[], [], []]]);

function shownPart() {
  const scene = new Scene(null);
  Object.assign(scene.frame, { width: 900, height: 480 });
  scene.setTree(tree);
  scene.setShape(Uint8Array.from(tree.feature, (feature) => (feature < 0 ? LEAF : INNER)));
  scene.fit();
  return new ShownPart(scene, new Choices(), { fade() {}, laidOut() {} });
}

test("unfolding one node under a depth limit keeps its cousins folded", () => {
  const shown = shownPart();
  shown.limitDepth(1);
  shown.fold(3);
  assert.deepEqual([[...shown.scene.folded], shown.scene.depthLimit], [[2], Infinity]);
});

test("folding and opening again leaves nothing folded", () => {
  const shown = shownPart();
  shown.fold(3);
  assert.equal(shown.scene.layout.shown[6], 0);
  shown.fold(3);
  assert.equal(shown.scene.folded.size, 0);
});

test("Enter on the root folds nothing and says so; on another node it says how many nodes it hides and shows", () => {
  const shown = shownPart();
  const said = [shown.fold(0)];
  assert.equal(shown.scene.layout.count, 9);
  said.push(...[3, 3, 1].map((t) => shown.fold(t))); // 1 is a leaf
  assert.deepEqual(said, [
    "The root stays open: folding it would hide the whole tree.", "+3 nodes hidden; Enter shows them.", "3 nodes shown.", "",
  ]);
});

test("a node that is selected is unfolded, and so is all above it", () => {
  const shown = shownPart();
  shown.fold(3);
  shown.unfoldAbove(7);
  assert.deepEqual([shown.scene.layout.shown[7], shown.scene.folded.size], [1, 0]);
  shown.limitDepth(1);
  shown.unfoldAbove(7);
  assert.deepEqual([shown.scene.layout.shown[7], shown.scene.depthLimit], [1, Infinity]);
});

test("pruned branches leave the layout unless the reader shows them, prunes by hand or drags", () => {
  const shown = shownPart();
  const { choices, scene } = shown;
  for (const [ghosts, isHand, isDragging, sequence, trims] of [
    [null, false, false, null, true], [true, false, false, null, false], [null, true, false, null, false],
    [false, true, false, null, true], [null, false, true, null, false], [null, false, false, { isGrowth: true }, false],
  ]) {
    Object.assign(choices, { ghosts, isHand });
    scene.sequence = sequence;
    shown.isDragging = isDragging;
    const isNew = scene.isTrimmed !== trims;
    assert.deepEqual([shown.trim(), scene.isTrimmed], [isNew, trims]);
  }
});

test("the text has the nodes in reading order, without what is folded away", () => {
  const shown = shownPart();
  assert.deepEqual(Array.from(outlineRows(tree, shown.scene.layout.shown)), [0, 1, 2, 4, 5, 3, 6, 7, 8]);
  shown.fold(2);
  assert.deepEqual(Array.from(outlineRows(tree, shown.scene.layout.shown)), [0, 1, 2, 3, 6, 7, 8]);
});
