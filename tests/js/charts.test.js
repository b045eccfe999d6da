// What all charts share: scales and their inverses, ticks, axes drawn by any pen, and the points of lines.
import assert from "node:assert/strict";
import { test } from "node:test";
import { drawAxes } from "../../explorer/drawing/charts/axes.js";
import { stairs, thinnedLine } from "../../explorer/drawing/charts/lines.js";
import { countTicks, decadeTicks, linearScale, logScale, nearestOf, roundTicks, scoreDomain, spacedTicks } from "../../explorer/drawing/charts/scales.js";

const texts = (ticks) => ticks.map(({ text }) => text);

test("a scale and its inverse agree, and a place outside means the end of the range", () => {
  const scale = linearScale([2, 6], [300, 100]);
  assert.equal(scale(2), 300);
  assert.equal(scale(5), 150);
  assert.equal(scale.invert(150), 5);
  assert.equal(scale.invert(1000), 2);
  assert.equal(scale.invert(-1000), 6);
  const log = logScale([1, 100], [0, 200]);
  assert.equal(log(10), 100);
  assert.ok(Math.abs(log.invert(50) - 100 ** 0.25) < 1e-9);
  assert.deepEqual([scale.domain, scale.range, log.domain, log.range], [[2, 6], [300, 100], [1, 100], [0, 200]]);
});

test("the nearest number is chosen, the first of equal ones, and none of none", () => {
  assert.equal(nearestOf([1.5, 2.5, 3.5], 2.9), 1);
  assert.equal(nearestOf([1.5, 2.5, 3.5], -4), 0);
  assert.equal(nearestOf([1, 3], 2), 0);
  assert.equal(nearestOf([], 2), -1);
});

test("ticks are round, inside the range and as many as there is room for", () => {
  for (const [low, high, most] of [[0, 1, 5], [0.65, 1, 8], [5.1, 9.4, 6], [0, 19.6, 3], [1, 123, 12], [-7, 7, 4]]) {
    const ticks = roundTicks(low, high, most).map(({ at }) => at);
    assert.ok(ticks.length >= 1 && ticks.length <= most + 1, `${ticks}`);
    assert.ok(ticks[0] >= low - 1e-9 && ticks[ticks.length - 1] <= high + 1e-9);
  }
  assert.deepEqual(texts(roundTicks(-1, 1, 4)), ["−1.0", "−0.5", "0.0", "0.5", "1.0"]);
  assert.deepEqual(texts(countTicks(3.2, 9)), ["0", "1", "2", "3"]);
});

test("one pen draws the axes of any scale: texts beside their places, lines from end to end, none over another", () => {
  for (const x of [linearScale([0, 40], [50, 250]), logScale([1, 64], [50, 250])]) {
    const [lines, placed] = [new Map(), new Map()];
    const pen = {
      line: (name, points) => lines.set(name, points),
      text: (name, at, y, text, anchor) => placed.set(name, { at, y, text, anchor }),
      width: (text) => 8 * text.length,
      space: { left: 6, below: 15, gap: 10, over: [0, 0], tick: 4 },
    };
    const y = linearScale([0, 1], [120, 20]);
    drawAxes(pen, { left: 50, right: 250, top: 20, bottom: 120 }, { x: { scale: x, wanted: 20 }, y: { scale: y, wanted: 2 } });
    assert.deepEqual(lines.get("base"), [[50, 120], [250, 120]]);
    assert.deepEqual(lines.get("y line 0.5"), [[50, 70], [250, 70]]);
    assert.deepEqual(placed.get("y 0.5"), { at: 44, y: 70, text: "0.5", anchor: "end" });
    const below = [...placed].filter(([name]) => name.startsWith("x ")).map(([, text]) => text);
    assert.ok(below.length >= 3 && below.every((text) => text.y === 135 && text.anchor === "middle"));
    below.forEach(({ at, text }, k) => k > 0 && assert.ok(at - below[k - 1].at >= 4 * (text.length + below[k - 1].text.length) + 10));
    for (const { at, text } of below.slice(1, -1)) assert.ok(Math.abs(at - x(Number(text))) < 1e-9);
  }
});

test("a staircase has two corners for every height, which stand on its edges", () => {
  assert.deepEqual(stairs([1, 2, 4], [5, 5]), [[1, 5], [2, 5], [2, 5], [4, 5]]);
  assert.deepEqual(stairs([40, 48, 60], [0.2, 0.5]), [[40, 0.2], [48, 0.2], [48, 0.5], [60, 0.5]]);
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
    const [low, high] = scoreDomain(least, largest, isShare);
    const ticks = roundTicks(low, high, 5, isShare);
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
