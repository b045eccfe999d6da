import assert from "node:assert/strict";
import { test } from "node:test";
import { layOut } from "../../explorer/drawing/tree_view/canvas/layout.js";
import { Choices } from "../../explorer/drawing/tree_view/stage/choices.js";
import { actionOfKey, nodeAfterStep, stepOfKey } from "../../explorer/drawing/tree_view/stage/keys.js";
import { treeOf } from "./trees.js";

// 0 → 1 (leaf), 2 → (4, 5), 3 → (6, 7, 8)
const tree = treeOf([[], [[], []], [[], [], []]], [2, 3, 5, 4, 4, 2]);
const all = layOut(tree, new Set(), Infinity);

test("arrows walk to parent and first child, along siblings and on to cousins", () => {
  const walk = (t, step) => nodeAfterStep(tree, all, t, step);
  assert.deepEqual([walk(5, "parent"), walk(0, "parent"), walk(3, "child"), walk(1, "child")], [2, 0, 6, 1]);
  assert.deepEqual([walk(4, "after"), walk(5, "after"), walk(6, "before"), walk(4, "before")], [5, 6, 5, 4]);
  assert.deepEqual([walk(7, "root"), walk(-1, "child")], [0, 0]);
});

test("a folded node has no child to walk to", () => {
  assert.equal(nodeAfterStep(tree, layOut(tree, new Set([3]), Infinity), 3, "child"), 3);
});

test("left means parent when the root is at the left", () => {
  assert.deepEqual(["ArrowLeft", "ArrowUp"].map((key) => stepOfKey(key, "right")), ["parent", "before"]);
  assert.deepEqual(["ArrowLeft", "ArrowUp"].map((key) => stepOfKey(key, "down")), ["before", "parent"]);
  assert.equal(stepOfKey("x", "down"), undefined);
});

test("every key has its action, in the layouts and modes that have it", () => {
  const scene = { tree, layout: all, frame: { mode: "down" }, selected: 3, sequence: { size: 2 } };
  const action = (key, { mode = "down", isHand = false, ...rest } = {}, changes = {}) =>
    actionOfKey({ key, ...rest }, { ...scene, ...changes }, Object.assign(new Choices(), { mode, isHand }));
  assert.deepEqual([action("ArrowUp"), action("ArrowUp", {}, { selected: -1 }), action("ArrowUp", { mode: "text" })], [["go", 0], ["go", 0], null]);
  assert.deepEqual(["f", "0", "+", "Escape", "/", "c", "Enter", "x"].map((key) => action(key)), [["whole"], ["fit"], ["zoom", 1.3], ["hideTip"], ["find"], ["fold", 3], ["fold", 3], null]);
  assert.deepEqual(["0", "+"].flatMap((key) => ["text", "graphviz"].map((mode) => action(key, { mode }))), [null, null, null, null]);
  assert.deepEqual([action("PageDown"), action("PageUp"), action("PageDown", {}, { sequence: null })], [["turn", 1], ["turn", -1], null]);
  assert.deepEqual(["Delete", "Backspace", "Insert", "r"].map((key) => action(key, { isHand: true })?.at(-1)), ["collapse", "collapse", "restore", "restore"]);
  assert.deepEqual([action("Delete"), action("f", { ctrlKey: true }), action("f", {}, { tree: null })], [null, null, null]);
});
