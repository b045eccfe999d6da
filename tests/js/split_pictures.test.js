import assert from "node:assert/strict";
import { test } from "node:test";
import { errorOf } from "../../explorer/drawing/pictures/splits/cut.js";
import { bagAreas, cellOf } from "../../explorer/drawing/pictures/splits/split_bags.js";
import { stairsAfter } from "../../explorer/drawing/pictures/splits/staircase.js";

test("the balls of a bag fit into it, and a larger cell would not", () => {
  for (const [count, width, height] of [[1, 200, 200], [15, 640, 300], [15, 180, 90], [400, 500, 380], [1000, 300, 200]]) {
    const cell = cellOf(count, width, height);
    const fits = (size) => Math.floor(width / size) * Math.floor(height / size) >= count;
    assert.ok(fits(cell), `${count} balls of ${cell} in ${width} × ${height}`);
    assert.ok(cell >= 84 || !fits(cell + 0.5));
  }
});

test("list and bags stay inside the picture and apart from each other", () => {
  for (const [width, height] of [[500, 380], [700, 600], [760, 400], [1300, 800]]) {
    for (const n of [2, 5, 8]) {
      const { list, bags } = bagAreas({ width, height }, n);
      for (const { x, y, width: wide, height: high } of [list, bags]) {
        assert.ok(x >= 0 && y >= 0 && x + wide <= width + 1e-9 && y + high <= height + 1e-9, `${width} × ${height}, ${n}`);
        assert.ok(wide > 60 && high > 60);
      }
      assert.ok(list.x + list.width <= bags.x || list.y + list.height <= bags.y);
    }
  }
});

test("an error is the distance from the mean of the row's side, and those of a mean add up to zero", () => {
  const points = [[1, 5.5], [2, 6], [3, 9], [4, 10.5]];
  const cut = { threshold: 2.5, left_mean: 5.75, right_mean: 9.75 };
  assert.deepEqual(points.map((point) => errorOf(point, cut, 0)), [-0.25, 0.25, -0.75, 0.75]);
  assert.equal(points.reduce((sum, point) => sum + errorOf(point, null, 7.75), 0), 0);
});

test("a node is drawn from the split of its parent on, and as a leaf until its own", () => {
  const stairs = [{ since: 0, until: 0 }, { since: 1, until: 1 }, { since: 1, until: null }, { since: 2, until: null }, { since: 2, until: null }];
  const leaves = (splits) => stairsAfter(stairs, splits).filter(({ isLeaf }) => isLeaf).map(({ id }) => id);
  assert.deepEqual([0, 1, 2].map(leaves), [[0], [1, 2], [2, 3, 4]]);
});
