import assert from "node:assert/strict";
import { test } from "node:test";
import { chipPlaces, rootGroups } from "../../explorer/drawing/pictures/kinds/rows_out.js";
import { galleryGrid } from "../../explorer/drawing/pictures/kinds/tree_gallery.js";

test("rows are sorted to the root without them, the most frequent first, and every row has a place of its own", () => {
  const without = [1, 0, 0, 2, 0, 1].map((root) => [0, 1, 2].map((at) => ({ is_best: at === root })));
  const picture = { rows: ["a", "b", "c", "d", "e", "f"], without, is_sorted: true };
  assert.deepEqual(rootGroups(picture).map(({ root, rows }) => [root, rows]), [[0, [1, 2, 4]], [1, [0, 5]], [2, [3]]]);
  for (const width of [200, 900]) {
    const { chips, bottom } = chipPlaces(picture, width);
    assert.equal(new Set(chips.map(({ x, y }) => `${x} ${y}`)).size, 6);
    assert.ok(chips.every(({ x, y }) => x >= 0 && x + 50 <= width && y < bottom));
  }
});

test("all trees fit into the gallery", () => {
  for (const count of [1, 5, 113]) {
    const { columns, cellWidth, cellHeight } = galleryGrid(count, 500, 400);
    assert.ok(columns * cellWidth <= 500.001 && Math.ceil(count / columns) * cellHeight <= 400.001);
  }
});
