import assert from "node:assert/strict";
import { test } from "node:test";
import { bagAreas, cellOf } from "../../explorer/drawing/pictures/splits/split_bags.js";

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
