// Places of balls in branches, and the parts of a row: what the pictures of growing work out.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ballCentres, ballRadius, inLines } from "../../explorer/drawing/pictures/kinds/placing.js";
import { groupBoxes, listAndGroups } from "../../explorer/drawing/pictures/kinds/row_groups.js";
import { partsOf, rowsText } from "../../explorer/drawing/pictures/kinds/weight_flow.js";

test("balls stay in their box and do not touch, however many there are", () => {
  for (const count of [1, 2, 5, 14, 40]) {
    for (const box of [{ x: 20, y: 60, width: 160, height: 220 }, { x: 0, y: 0, width: 34, height: 400 }]) {
      const radius = ballRadius([box], [count], 34);
      const centres = ballCentres(box, count, radius);
      assert.equal(centres.length, count);
      for (const [x, y] of centres) {
        assert.ok(x - radius >= box.x - 1e-9 && x + radius <= box.x + box.width + 1e-9);
        assert.ok(y - radius >= box.y - 1e-9 && y + radius <= box.y + box.height + 1e-9);
      }
      centres.forEach(([x, y], i) => {
        for (const [u, v] of centres.slice(0, i)) assert.ok(Math.hypot(x - u, y - v) >= 2 * radius);
      });
    }
  }
});

test("boxes of branches fill the frame side by side", () => {
  for (const count of [1, 3, 14]) {
    const boxes = groupBoxes(count, { x: 20, y: 0, width: 600, height: 100 });
    assert.equal(boxes[0].x, 20);
    assert.ok(Math.abs(boxes.at(-1).x + boxes.at(-1).width - 620) < 1e-9);
    boxes.slice(1).forEach((box, at) => assert.ok(box.x > boxes[at].x + boxes[at].width));
  }
});

test("buttons go on in the next line where they have no room", () => {
  const { places, height } = inLines([100, 100, 100], 220, 8, 38);
  assert.deepEqual(places.map(({ x, y }) => [x, y]), [[0, 0], [108, 0], [0, 38]]);
  assert.equal(height, 76);
});

test("the parts of a row are the shares of the known rows, and add up to it", () => {
  assert.deepEqual(partsOf([2, 3, 4]), [2 / 9, 3 / 9, 4 / 9]);
  assert.deepEqual(partsOf([0, 0, 0]), [0, 0, 0]);
  assert.deepEqual([5, 70 / 13, 44 / 13].map(rowsText), ["5", "5.38", "3.38"]);
});

test("list and groups stay inside the picture and apart from each other", () => {
  for (const [width, height] of [[500, 380], [700, 600], [760, 400], [1300, 800]]) {
    for (const n of [2, 5, 8]) {
      const { list, groups } = listAndGroups({ x: 0, y: 0, width, height }, n);
      for (const { x, y, width: wide, height: high } of [list, groups]) {
        assert.ok(x >= 0 && y >= 0 && x + wide <= width + 1e-9 && y + high <= height + 1e-9, `${width} × ${height}, ${n}`);
        assert.ok(wide > 60 && high > 60);
      }
      assert.ok(list.x + list.width <= groups.x || list.y + list.height <= groups.y);
    }
  }
});
