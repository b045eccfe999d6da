// The scales of pictures: numbers to places and back, within their range.
import assert from "node:assert/strict";
import { test } from "node:test";
import { linearScale } from "../../explorer/drawing/pictures/axes.js";

test("a scale and its inverse agree, and a place outside means the end of the range", () => {
  const scale = linearScale([2, 6], [300, 100]);
  assert.equal(scale.at(2), 300);
  assert.equal(scale.at(5), 150);
  assert.equal(scale.value(150), 5);
  assert.equal(scale.value(1000), 2);
  assert.equal(scale.value(-1000), 6);
});
