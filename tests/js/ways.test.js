import assert from "node:assert/strict";
import { test } from "node:test";
import { treeOf } from "./trees.js";
import { isParting, wayText, wayWidth } from "../../explorer/drawing/tree_view/canvas/row_path.js";

test("a row that comes whole needs no share, one that comes in parts tells it", () => {
  const ways = new Map([[0, 1], [1, 5 / 14], [2, 0.9999999999]]);
  assert.deepEqual([0, 1, 2, 3].map((t) => wayText(ways, t)), [
    "the row comes here", "35.7 % of the row comes here", "the row comes here", "",
  ]);
});

test("more of a row makes a wider way, and even a thousandth of it can be seen", () => {
  const widths = [0.001, 0.25, 1].map(wayWidth);
  assert.deepEqual(widths.slice(1), [4.5, 7]);
  assert.ok(widths[0] >= 2 && widths[0] < widths[1]);
});

test("a share is told where the row parts, not again below", () => {
  const tree = treeOf([[], [[], []]]); // 0 → 1, 2 → (3, 4)
  const ways = new Map([[0, 1], [1, 0.4], [2, 0.6], [3, 0.6]]);
  assert.deepEqual([0, 1, 2, 3].map((t) => isParting(ways, tree, t)), [false, true, true, false]);
});
