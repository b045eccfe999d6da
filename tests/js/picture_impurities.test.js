// Impurities of dragged balls: closed forms, the numbers of the package (golden.json), and laws.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { impurityArithmetic, impurityOf, largestImpurity, packedBalls } from "../../explorer/drawing/pictures/model/impurities.js";
import { contourSegments, nearestMixture, trianglePlace } from "../../explorer/drawing/pictures/model/mixtures.js";

const golden = JSON.parse(readFileSync(new URL("../reference/golden/golden.json", import.meta.url)));
const MEASURES = ["entropy", "gini", "error"];
const near = (one, other, most = 1e-9) => assert.ok(Math.abs(one - other) < most, `${one} ${other}`);

test("PlayTennis has the entropy and the Gini index of the reference", () => {
  near(impurityOf("entropy", [5, 9]), golden.play_tennis.entropy);
  near(impurityOf("gini", [5, 9]), 45 / 98);
  near(impurityOf("error", [5, 9]), 5 / 14);
  near(impurityOf("entropy", [3, 2]), golden.play_tennis.id3_tree.children.Sunny.entropy);
});

test("pure and empty bags have none, equal shares the most: log2 K, 1 − 1/K and 1 − 1/K", () => {
  for (const measure of MEASURES) {
    for (const counts of [[0, 0], [7, 0], [0, 3, 0]]) near(impurityOf(measure, counts), 0);
  }
  for (const k of [2, 3, 5]) {
    near(largestImpurity("entropy", k), Math.log2(k));
    near(largestImpurity("gini", k), 1 - 1 / k);
    near(largestImpurity("error", k), 1 - 1 / k);
  }
});

test("a measure depends on shares alone, not on the order of classes, and is concave", () => {
  for (const measure of MEASURES) {
    near(impurityOf(measure, [3, 1, 4]), impurityOf(measure, [8, 6, 2]));
    for (let a = 0; a <= 10; a++) {
      const mean = (impurityOf(measure, [a, 10 - a]) + impurityOf(measure, [7, 3])) / 2;
      assert.ok(impurityOf(measure, [a + 7, 13 - a]) >= mean - 1e-12);
    }
  }
});

test("the arithmetic has every fraction; a class without rows has none", () => {
  assert.equal(impurityArithmetic("entropy", [9, 5]), "−9/14·log₂(9/14) − 5/14·log₂(5/14)");
  assert.equal(impurityArithmetic("gini", [9, 5]), "1 − (9/14)² − (5/14)²");
  assert.equal(impurityArithmetic("error", [9, 5]), "1 − 9/14");
  assert.equal(impurityArithmetic("entropy", [4, 0]), "−4/4·log₂(4/4)");
});

test("packed balls lie inside their box and do not overlap", () => {
  const box = { x: 10, y: 20, width: 150, height: 90 };
  for (const n of [0, 1, 5, 14, 36]) {
    const { radius, places } = packedBalls(n, box);
    assert.equal(places.length, n);
    for (const [x, y] of places) {
      assert.ok(x - radius >= box.x && x + radius <= box.x + box.width + 1e-9);
      assert.ok(y - radius >= box.y - 1e-9 && y + radius <= box.y + box.height);
    }
    places.forEach(([x, y], i) => places.slice(i + 1).forEach(([u, v]) => assert.ok(Math.hypot(x - u, y - v) >= 2 * radius)));
  }
});

test("every mixture of twelve balls is found again at its own place in the triangle", () => {
  const corners = [[0, 300], [340, 300], [170, 5]];
  for (let a = 0; a <= 12; a++) {
    for (let b = 0; a + b <= 12; b++) {
      const counts = [a, b, 12 - a - b];
      assert.deepEqual(nearestMixture(trianglePlace(counts, corners), corners, 12), counts);
    }
  }
  const outside = nearestMixture([-500, 900], corners, 12);
  assert.equal(outside[0] + outside[1] + outside[2], 12);
});

test("on a line of equal value the measure is that value, up to the width of a cell", () => {
  const segments = contourSegments((shares) => impurityOf("gini", shares), 0.5, 60);
  assert.ok(segments.length > 60);
  for (const shares of segments.flat()) near(impurityOf("gini", shares), 0.5, 1e-3);
});
