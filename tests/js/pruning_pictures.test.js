import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { rowsWithoutOverlap } from "../../explorer/drawing/pictures/text.js";
import { intervalAt } from "../../explorer/drawing/pictures/pruning/fixed_alpha_rules.js";
import { cheapestLine } from "../../explorer/drawing/pictures/pruning/penalty_lines.js";
import { smallTreePlaces } from "../../explorer/drawing/pictures/pruning/small_tree.js";
import { deviateOf, upperLimit } from "../../explorer/drawing/pictures/pruning/upper_limit_model.js";
import { endOfPath } from "../../explorer/drawing/pictures/pruning/validation_rows.js";

const GOLDEN = JSON.parse(readFileSync(new URL("../reference/golden/golden.json", import.meta.url), "utf-8"));
const TABLE = [
  [0.0, 0.001, 0.005, 0.01, 0.05, 0.1, 0.2, 0.4, 1.0],
  [4.0, 3.09, 2.58, 2.33, 1.65, 1.28, 0.84, 0.25, 0.0],
];

test("C4.5's upper limit is that of an independent calculation", () => {
  const values = GOLDEN.pessimistic_error.values;
  assert.ok(values.length >= 20);
  for (const { E, N, CF, U_c45_release8: expected } of values) {
    assert.ok(Math.abs(upperLimit(E, N, CF, TABLE) - expected) < 1e-9, `U(${E}, ${N}) at ${CF}`);
  }
});

test("the deviate is that of the table at its confidences, and in between on the line", () => {
  TABLE[0].forEach((confidence, index) => assert.equal(deviateOf(confidence, TABLE), TABLE[1][index]));
  assert.ok(Math.abs(deviateOf(0.3, TABLE) - (0.84 + 0.25) / 2) < 1e-12);
});

test("the cheapest line changes where two lines cross, to the smaller tree", () => {
  const lines = [[0, 6], [7 / 60, 4], [67 / 300, 3], [4 / 9, 1]].map(([risk, leaves]) => ({ risk, leaves }));
  const at = (alpha) => lines[cheapestLine(lines, alpha)].leaves;
  assert.deepEqual([0, 7 / 120 - 1e-6, 7 / 120, 8 / 75, 199 / 1800, 1].map(at), [6, 6, 4, 3, 1, 1]);
});

test("nodes below a pruned one stand where it stands and are hidden", () => {
  const node = (number, parent, depth, x, tested) => ({ number, parent, depth, x, test: tested });
  const nodes = [node(0, -1, 0, 0.5, "A"), node(1, 0, 1, 0.25, "B"), node(2, 0, 1, 0.75, ""), node(3, 1, 2, 0.1, ""), node(4, 1, 2, 0.4, "")];
  const places = smallTreePlaces({ nodes, depth: 2 }, { x: 0, y: 0, width: 100, height: 200 }, new Set([1]));
  assert.deepEqual(nodes.map(({ number }) => places.get(number).isShown), [true, true, true, false, false]);
  assert.equal(places.get(3).x, places.get(1).x);
  assert.equal(places.get(1).isLeaf, true);
});

test("a row stops at the first pruned node of its path, or at its leaf", () => {
  assert.equal(endOfPath([0, 2, 8, 11], new Set([8, 11])), 8);
  assert.equal(endOfPath([0, 2, 8, 11], new Set([1])), 11);
});

test("an α lies in the interval that begins last before it", () => {
  const intervals = [{ begin: 0 }, { begin: 0.25 }, { begin: 0.5 }];
  assert.deepEqual([0, 0.24, 0.25, 0.9].map((alpha) => intervalAt(intervals, alpha).begin), [0, 0, 0.25, 0.5]);
});

test("texts that would overlap go to another row", () => {
  assert.deepEqual(rowsWithoutOverlap([0, 10, 200], ["wide", "wide", "wide"], 10), [0, 1, 0]);
});
