// The positions of a sequence on the axes of the curve: by α and by leaves.
import assert from "node:assert/strict";
import { test } from "node:test";
import { alphaAxis, leafAxis, positionAt } from "../../explorer/drawing/tree_view/panel/position_axes.js";

const texts = (ticks) => ticks.map(({ text }) => text);
const LONG = [0, 0, ...Array.from({ length: 13 }, (_, k) => 10 ** (k / 4 - 4))];

test("a short sequence gives every interval the same width, with its α at its left end", () => {
  const axis = alphaAxis([0, 2 / 35, 0.1153]);
  assert.deepEqual([...axis.edges], [0, 1, 2, 3]);
  assert.deepEqual([...axis.centres], [0.5, 1.5, 2.5]);
  assert.deepEqual(texts(axis.ticks), ["0", "0.0571", "0.1153"]);
});

test("a long sequence has log10 α, with the zeros left of the smallest and room right of the largest", () => {
  const axis = alphaAxis(LONG);
  assert.equal(axis.edges[2], -4);
  assert.ok(Math.abs(axis.edges[14] - -1) < 1e-12);
  assert.ok(axis.edges[0] < axis.edges[1] && axis.edges[1] < -4 && axis.edges[15] > -1);
  assert.deepEqual(texts(axis.ticks), ["0", "0.0001", "0.001", "0.01", "0.1"]);
});

test("a sequence of one subtree has an axis too", () => {
  const axis = alphaAxis([0]);
  assert.deepEqual([axis.low, axis.high, axis.centres[0]], [0, 1, 0.5]);
  const leaves = leafAxis([1]);
  assert.ok(leaves.low < 1 && leaves.high > 1);
});

test("every α of an interval leads to its subtree", () => {
  for (const alphas of [LONG, [0, 0.1, 0.2, 5], [0]]) {
    const axis = alphaAxis(alphas);
    axis.centres.forEach((place, k) => assert.equal(positionAt(axis, place), k));
    alphas.forEach((_, k) => assert.equal(positionAt(axis, axis.edges[k]), k));
    assert.equal(positionAt(axis, axis.low - 1), 0);
    assert.equal(positionAt(axis, axis.high + 1), alphas.length - 1);
  }
});

test("against leaves the nearest subtree is meant, logarithmically for large trees", () => {
  const small = leafAxis([9, 5, 3, 1]);
  assert.equal(positionAt(small, 3.9), 2);
  assert.equal(positionAt(small, 4.1), 1);
  const large = leafAxis([1000, 100, 1]);
  assert.equal(large.centres[1], 2);
  assert.equal(positionAt(large, 2.4), 1);
  assert.equal(positionAt(large, 2.6), 0);
});

test("the ticks of leaves are whole numbers and begin with the root alone", () => {
  assert.deepEqual(texts(leafAxis([5, 3, 1]).ticks), ["1", "2", "3", "4", "5"]);
  assert.deepEqual(texts(leafAxis([23, 1]).ticks), ["1", "5", "10", "15", "20"]);
  assert.deepEqual(texts(leafAxis([60, 1]).ticks), ["1", "2", "5", "10", "20", "50"]);
});
