import assert from "node:assert/strict";
import { test } from "node:test";
import { chipPlaces, rootGroups } from "../../explorer/drawing/pictures/kinds/many_trees/leave_out.js";
import { boxesOfTrees, galleryGrid, loweredLeaves } from "../../explorer/drawing/pictures/kinds/many_trees/small_trees.js";

test("rows are sorted to the root without them, the most frequent first, and every row has a place of its own", () => {
  const without = [1, 0, 0, 2, 0, 1].map((root) => ({ root }));
  const picture = { rows: ["a", "b", "c", "d", "e", "f"], without, is_sorted: true };
  assert.deepEqual(rootGroups(picture).map(({ root, rows }) => [root, rows]), [[0, [1, 2, 4]], [1, [0, 5]], [2, [3]]]);
  for (const width of [200, 900]) {
    const { chips, bottom } = chipPlaces(picture, width);
    assert.equal(new Set(chips.map(({ x, y }) => `${x} ${y}`)).size, 6);
    assert.ok(chips.every(({ x, y }) => x >= 0 && x + 50 <= width && y < bottom));
  }
});

test("all trees fit into the gallery, and trees side by side do not overlap", () => {
  for (const count of [1, 5, 113]) {
    const { columns, cellWidth, cellHeight } = galleryGrid(count, 500, 400);
    assert.ok(columns * cellWidth <= 500.001 && Math.ceil(count / columns) * cellHeight <= 400.001);
  }
  const [first, second] = boxesOfTrees(2, 900, 400);
  assert.ok(first.x + first.width <= second.x);
});

test("a leaf that would touch the node to its left stands lower", () => {
  const leaf = (x, level = 1) => ({ x, level, code: 0 });
  const nodes = [{ x: 0.5, level: 0, code: -1 }, leaf(0.1), leaf(0.3), leaf(0.5), leaf(0.9), leaf(0.4, 2)];
  assert.deepEqual(loweredLeaves(nodes, () => 0.25).map((below) => below > 0), [false, false, true, false, false, false]);
  assert.deepEqual(loweredLeaves(nodes, () => 0.1), nodes.map(() => 0));
});
