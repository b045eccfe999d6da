import assert from "node:assert/strict";
import { test } from "node:test";
import {
  alphaScale,
  decadeTicks,
  leafScale,
  positionAt,
  roundTicks,
  scoreScale,
  spacedTicks,
  thinnedLine,
} from "../../explorer/drawing/tree_view/panel/axes.js";

const texts = (ticks) => ticks.map(({ text }) => text);
const LONG = [0, 0, ...Array.from({ length: 13 }, (_, k) => 10 ** (k / 4 - 4))];

test("a short sequence gives every interval the same width, with its α at its left end", () => {
  const scale = alphaScale([0, 2 / 35, 0.1153]);
  assert.deepEqual([...scale.edges], [0, 1, 2, 3]);
  assert.deepEqual([...scale.centres], [0.5, 1.5, 2.5]);
  assert.deepEqual(texts(scale.ticks), ["0", "0.0571", "0.1153"]);
});

test("a long sequence has log10 α, with the zeros left of the smallest and room right of the largest", () => {
  const scale = alphaScale(LONG);
  assert.equal(scale.edges[2], -4);
  assert.ok(Math.abs(scale.edges[14] - -1) < 1e-12);
  assert.ok(scale.edges[0] < scale.edges[1] && scale.edges[1] < -4 && scale.edges[15] > -1);
  assert.deepEqual(texts(scale.ticks), ["0", "0.0001", "0.001", "0.01", "0.1"]);
});

test("a sequence of one subtree has an axis too", () => {
  const scale = alphaScale([0]);
  assert.deepEqual([scale.low, scale.high, scale.centres[0]], [0, 1, 0.5]);
  const leaves = leafScale([1]);
  assert.ok(leaves.low < 1 && leaves.high > 1);
});

test("every α of an interval leads to its subtree", () => {
  for (const alphas of [LONG, [0, 0.1, 0.2, 5], [0]]) {
    const scale = alphaScale(alphas);
    scale.centres.forEach((place, k) => assert.equal(positionAt(scale, place), k));
    alphas.forEach((_, k) => assert.equal(positionAt(scale, scale.edges[k]), k));
    assert.equal(positionAt(scale, scale.low - 1), 0);
    assert.equal(positionAt(scale, scale.high + 1), alphas.length - 1);
  }
});

test("against leaves the nearest subtree is meant, logarithmically for large trees", () => {
  const small = leafScale([9, 5, 3, 1]);
  assert.equal(positionAt(small, 3.9), 2);
  assert.equal(positionAt(small, 4.1), 1);
  const large = leafScale([1000, 100, 1]);
  assert.equal(large.centres[1], 2);
  assert.equal(positionAt(large, 2.4), 1);
  assert.equal(positionAt(large, 2.6), 0);
});

test("the ticks of leaves are whole numbers and begin with the root alone", () => {
  assert.deepEqual(texts(leafScale([5, 3, 1]).ticks), ["1", "2", "3", "4", "5"]);
  assert.deepEqual(texts(leafScale([23, 1]).ticks), ["1", "5", "10", "15", "20"]);
  assert.deepEqual(texts(leafScale([60, 1]).ticks), ["1", "2", "5", "10", "20", "50"]);
});

test("few decades get ticks in between, very small powers are raised", () => {
  assert.deepEqual(texts(decadeTicks(-2, -1)), ["0.01", "0.02", "0.05", "0.1"]);
  assert.deepEqual(texts(decadeTicks(-9, -5)), ["10⁻⁹", "10⁻⁸", "10⁻⁷", "10⁻⁶", "10⁻⁵"]);
});

test("scores have round ticks, and shares stay between 0 and 100 %", () => {
  assert.deepEqual(texts(roundTicks(0.6, 1.02, 5, true)), ["60 %", "70 %", "80 %", "90 %", "100 %"]);
  assert.deepEqual(texts(roundTicks(0.912, 0.934, 5, true)), ["91.5 %", "92.0 %", "92.5 %", "93.0 %"]);
  assert.deepEqual(texts(roundTicks(0, 21000, 5, false)), ["0", "5,000", "10,000", "15,000", "20,000"]);
});

test("no axis of scores is flat or without ticks", () => {
  for (const [least, largest] of [[0.5, 0.5], [1, 1], [0, 0], [3.2, 3.2], [1e-12, 1e-12], [0, 1], [5e8, 6e8]]) {
    const isShare = largest <= 1 && largest > 1e-6;
    const { low, high, ticks } = scoreScale(least, largest, isShare);
    assert.ok(low < high && low <= least && high >= largest, `${least} ${largest}`);
    assert.ok(ticks.length >= 2, `${least} ${largest}: ${texts(ticks)}`);
    assert.equal(new Set(texts(ticks)).size, ticks.length, `${texts(ticks)}`);
  }
});

test("shown ticks keep their distance and stay inside, whatever the width", () => {
  const ticks = Array.from({ length: 40 }, (_, k) => ({ at: k, text: `0.0${k}${k % 3 ? "12" : ""}` }));
  for (const width of [40, 180, 700, 1400]) {
    const kept = spacedTicks(ticks, (at) => (at / 39) * width, (text) => 7 * text.length, [0, width], 12);
    assert.ok(kept.length >= 1);
    kept.forEach(({ start, text }, k) => {
      assert.ok(start >= 0 && start + 7 * text.length <= width + 1e-9);
      if (k > 0) assert.ok(start >= kept[k - 1].start + 7 * kept[k - 1].text.length + 12);
    });
  }
});

test("a thinned line has at most four points in a column and keeps its highest and lowest", () => {
  const points = Array.from({ length: 20000 }, (_, k) => [k / 40, Math.sin(k * 12.9898) * (1 + (k % 97))]);
  const kept = thinnedLine(points);
  const columns = Map.groupBy ? Map.groupBy(kept, ([x]) => Math.floor(x)) : grouped(kept);
  for (const column of columns.values()) assert.ok(column.length <= 4);
  for (const pick of [Math.min, Math.max]) {
    const of = (all) => all.map(([, y]) => y).reduce((a, b) => pick(a, b));
    assert.equal(of(kept), of(points));
  }
  assert.deepEqual([kept[0], kept.at(-1)], [points[0], points.at(-1)]);
  assert.deepEqual(thinnedLine(points.slice(0, 3)), points.slice(0, 3));
});

function grouped(points) {
  const columns = new Map();
  for (const point of points) columns.set(Math.floor(point[0]), [...(columns.get(Math.floor(point[0])) ?? []), point]);
  return columns;
}
