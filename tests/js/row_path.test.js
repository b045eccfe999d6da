import assert from "node:assert/strict";
import { test } from "node:test";
import { treeOf } from "./trees.js";
import { isRowDivided, rowShareText, rowPathWidth } from "../../explorer/drawing/tree_view/canvas/row_path.js";

test("a node that the whole row reaches shows no share, a node that a part reaches does", () => {
  const rowPath = new Map([[0, 1], [1, 5 / 14], [2, 0.9999999999]]);
  assert.deepEqual([0, 1, 2, 3].map((t) => rowShareText(rowPath, t)), [
    "the row comes here", "35.7 % of the row comes here", "the row comes here", "",
  ]);
});

test("a larger share of a row makes a wider path, and even a thousandth of it is visible", () => {
  const widths = [0.001, 0.25, 1].map(rowPathWidth);
  assert.deepEqual(widths.slice(1), [4.5, 7]);
  assert.ok(widths[0] >= 2 && widths[0] < widths[1]);
});

test("a share is shown where the row is divided, not again below", () => {
  const tree = treeOf([[], [[], []]]); // 0 → 1, 2 → (3, 4)
  const rowPath = new Map([[0, 1], [1, 0.4], [2, 0.6], [3, 0.6]]);
  assert.deepEqual([0, 1, 2, 3].map((t) => isRowDivided(rowPath, tree, t)), [false, true, true, false]);
});
