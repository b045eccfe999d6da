import assert from "node:assert/strict";
import { test } from "node:test";
import { countTicks } from "../../explorer/drawing/charts/scales.js";
import { MemberCards } from "../../explorer/drawing/ensemble_view/draw/member_cards.js";
import { RowDots } from "../../explorer/drawing/ensemble_view/draw/row_dots.js";
import { cellAt, largestShare, memberAt, memberBeside, memberGrid, radiiOf, rowGrid } from "../../explorer/drawing/ensemble_view/model/grids.js";
import { bestStage } from "../../explorer/drawing/ensemble_view/model/picture.js";
import { logOdds, meanOf, membersUpTo, runningSums, sigmoid, voteShares } from "../../explorer/drawing/ensemble_view/model/running_sum.js";
import { classAbove, corners, intervalOf, leaders, rangeOf, runsOf, voteDifference } from "../../explorer/drawing/ensemble_view/model/staircase.js";
import { rowsBelowZero } from "../../explorer/drawing/ensemble_view/parts/margins.js";
import { stagePace } from "../../explorer/drawing/ensemble_view/parts/timeline.js";
import { stripGrid } from "../../explorer/drawing/ensemble_view/parts/vote_strip.js";

/** Random whole numbers below `most`, the same in every run. */
function random(seed = 1) {
  let state = seed;
  return (most) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.floor((state / 2147483648) * most);
  };
}

test("the waterfall's sums are the start and every prefix of the members' numbers", () => {
  const sums = runningSums({ start: 7, values: [-1.5, 0.25, 0, 2] });
  assert.deepEqual([...sums], [7, 5.5, 5.75, 5.75, 7.75]);
  assert.deepEqual([...runningSums({ start: 3, values: [] })], [3]);
});

test("a stage has all members of its first rounds, also where a round has a tree per class", () => {
  const perClass = [1, 1, 1, 2, 2, 2, 3, 3, 3];
  assert.deepEqual([0, 1, 2, 3, 4].map((stage) => membersUpTo(perClass, stage)), [0, 3, 6, 9, 9]);
  const next = random();
  for (let run = 0; run < 50; run++) {
    const stages = Array.from({ length: next(20) }, () => 1 + next(6)).sort((a, b) => a - b);
    for (let stage = 0; stage < 8; stage++) assert.equal(membersUpTo(stages, stage), stages.filter((own) => own <= stage).length);
  }
});

test("log-odds and probability are inverse", () => {
  assert.equal(sigmoid(0), 0.5);
  for (const share of [0.01, 0.3, 0.99]) assert.ok(Math.abs(sigmoid(logOdds(share)) - share) < 1e-12);
});

test("shares of weighted votes", () => {
  const shares = voteShares([1, 0, 1], [0.5, 1, 0.5], 3, 2);
  assert.deepEqual([...shares], [0.5, 0.5]);
  assert.deepEqual([...voteShares([1, 0, 1], [0.5, 1, 0.5], 1, 2)], [0, 1]);
  assert.deepEqual([...voteShares([1], [1], 0, 2)], [0, 0], "nobody has voted");
  assert.equal(meanOf([2, 4, 9], 2), 3);
  assert.ok(Number.isNaN(meanOf([2], 0)));
});

test("f(x) is above 0 for the class +1 of the books, whichever class comes first, and for the second of two names", () => {
  assert.deepEqual([["1", "-1"], ["-1", "1"], ["No", "Yes"], ["0", "1"]].map(classAbove), [0, 1, 1, 1]);
});

test("a staircase has two corners per run of equal values, from the first edge to the last", () => {
  assert.deepEqual(corners([0, 1, 2, 3], [5, 5, 7]), [[0, 5], [2, 5], [2, 7], [3, 7]]);
  assert.deepEqual(runsOf([0, 1, 2, 3], [5, 5, 7]), [{ from: 0, to: 2, value: 5 }, { from: 2, to: 3, value: 7 }]);
});

test("x on an edge belongs to the interval on its left, as x ≤ threshold goes left", () => {
  const edges = [0, 1.5, 2.5, 4];
  assert.deepEqual([-1, 0.3, 1.5, 1.6, 2.5, 2.6, 9].map((x) => intervalOf(edges, x)), [0, 0, 0, 1, 1, 2, 2]);
});

test("the vote leads where its class has most; equal votes go to the first class", () => {
  const votes = [Float32Array.of(1, 2, 0), Float32Array.of(1, 3, 5), Float32Array.of(0, 9, 5)];
  assert.deepEqual([...leaders((code) => votes[code], 3, 3)], [0, 2, 1]);
  assert.deepEqual([...voteDifference(votes[0], votes[1])], [0, 1, 5]);
});

test("a range leaves out what is no number", () => {
  assert.deepEqual(rangeOf([NaN, 2, 5], [-1]), [-1, 5]);
  assert.deepEqual(rangeOf([NaN]), [0, 1]);
});

test("the area of a dot is its weight: a row of twice the weight has twice the area", () => {
  const radii = radiiOf([1, 2, 0, 1], 10);
  assert.ok(Math.abs(radii[1] ** 2 / radii[0] ** 2 - 2) < 1e-6);
  assert.equal(radii[2], 0);
  const mean = radii.reduce((sum, radius) => sum + radius ** 2, 0) / 4;
  assert.ok(Math.abs(mean - 100) < 1e-3, "the mean area is that of the mean weight");
});

test("the largest weight of all rounds, as a multiple of its round's mean", () => {
  const rounds = [[1, 1, 1, 1], [1, 1, 1, 5]];
  assert.equal(largestShare((stage) => rounds[stage - 1], 2), 2.5);
  assert.equal(largestShare(() => [0, 0], 1), 1);
});

test("every member's cell is found again at its middle, and gaps belong to nobody", () => {
  for (const [n, width, height] of [[1, 300, 200], [9, 500, 300], [100, 780, 480], [500, 400, 300]]) {
    const grid = memberGrid(n, { width, height });
    assert.ok(grid.columns * (grid.width + grid.gap) + grid.gap <= width + 1e-6, `${n} cells are no wider than the box`);
    for (let m = 0; m < n; m++) {
      const { x, y } = cellAt(grid, m);
      assert.equal(memberAt(grid, n, x + grid.width / 2, y + grid.height / 2), m);
      assert.equal(memberAt(grid, n, x - grid.gap / 2, y + 1), -1);
    }
    assert.equal(memberAt(grid, n, width / 2, grid.total + 50), -1);
  }
});

test("cells are flattened a little where the last line then fits, and else keep their shape", () => {
  const box = { least: 60, largest: 250 };
  const flat = memberGrid(100, { width: 674, height: 612 }, box);
  assert.ok(flat.total <= 612 && flat.columns === 9 && flat.width / flat.height < 1.65, `${flat.total}`);
  const low = memberGrid(100, { width: 610, height: 420 }, box);
  assert.ok(low.total > 420 && Math.abs(low.width / low.height - 1.35) < 1e-9);
});

test("arrow keys stay among the members", () => {
  const grid = { columns: 4 };
  assert.equal(memberBeside(grid, 10, 5, "ArrowDown"), 9);
  assert.equal(memberBeside(grid, 10, 9, "ArrowDown"), 9);
  assert.equal(memberBeside(grid, 10, 2, "ArrowUp"), 2);
  assert.equal(memberBeside(grid, 10, 0, "ArrowLeft"), 0);
});

test("rows stand in their box, each class for itself, no two at one place", () => {
  for (const n of [10, 150, 2000]) {
    const classOf = Array.from({ length: n }, (_, i) => i % 3);
    const grid = rowGrid(classOf, 3, { width: 800, height: 500 });
    assert.equal(new Set(Array.from(grid.x, (x, i) => `${x} ${grid.y[i]}`)).size, n);
    assert.ok(Math.max(...grid.x) + grid.side / 2 <= 800 && grid.total <= 500, `${n} rows fit`);
    const tops = grid.groups.map(({ top }) => top);
    classOf.forEach((code, i) => assert.ok(grid.y[i] > tops[code] && (code === 2 || grid.y[i] < tops[code + 1])));
  }
});

test("the best stage is that of the validation rows, the first of equals; without them there is none", () => {
  const curve = { of: "validation", values: [NaN, 0.6, 0.9, 0.9, 0.7] };
  assert.equal(bestStage({ mainCurve: curve, isHigherBetter: true }), 2);
  assert.equal(bestStage({ mainCurve: curve, isHigherBetter: false }), 1);
  assert.equal(bestStage({ mainCurve: null, isHigherBetter: true }), -1);
});

test("rows with a margin below 0 are counted by the middle of their bin", () => {
  assert.equal(rowsBelowZero([-1, -0.5, 0, 0.5, 1], [2, 3, 4, 5]), 5);
});

test("a few stages are played slowly enough to read, a hundred in eight seconds", () => {
  assert.equal(stagePace(4), 1200);
  assert.equal(stagePace(101), 80);
});

test("the cells of the votes are as large as they can be on a few lines", () => {
  assert.deepEqual(stripGrid(3, 400), { columns: 18, side: 22, lines: 1 });
  const many = stripGrid(500, 400);
  assert.ok(many.columns * many.lines >= 500 && many.columns * many.side <= 400);
});

test("stages are counted in whole numbers: each where they are few", () => {
  assert.deepEqual(countTicks(3.04, 4).map(({ text }) => text), ["0", "1", "2", "3"]);
  assert.deepEqual(countTicks(101.2, 5).map(({ text }) => text), ["0", "50", "100"]);
  for (const high of [12, 13.5, 30, 77, 500]) assert.ok(countTicks(high, 6).every(({ at, text }) => Number.isInteger(at) && /^[\d,]+$/.test(text)), `${high}`);
});

test("every card names its root's test where it has room, else the feature, cut at the end where it is long", () => {
  const written = [];
  const context = { measureText: (text) => ({ width: 6 * text.length }), fillText: (text) => written.push(text) };
  const [root, tests] = [Array(12).fill(0), Array(12).fill("sex = male")];
  [root[11], tests[11]] = [1, "embarked from = S"];
  const members = { stage: root.map(() => 1), roots: ["sex", "embarked from"], root, tests, ofClass: root.map(() => -1) };
  const cards = Object.assign(Object.create(MemberCards.prototype), { grid: { width: 66 }, theme: { enlarged: 1, font: "sans-serif" }, members });
  for (const m of [10, 11]) cards.paintName(context, m, 8);
  assert.deepEqual(written, ["11", "sex", "12", "embark…"], "the number of the tree, not of its round");
  cards.grid.width = 100;
  for (const m of [10, 11]) cards.paintName(context, m, 8);
  assert.deepEqual(written.slice(4), ["11", "sex = male", "12", "embarked fr…"]);
  written.length = 0;
  cards.paintTwoLines(context, 11, 20, 12);
  assert.deepEqual(written, ["12", "embarked from"], "a line of its own has room for the whole name");
  cards.grid.width = 112;
  written.length = 0;
  cards.paintTwoLines(context, 11, 20, 12);
  assert.deepEqual(written, ["12", "embarked from = S"], "and a little wider for the whole test");
});

test("where a round has a tree for each class, the card and what is read of it name round and class", () => {
  const written = [];
  const context = { measureText: (text) => ({ width: 6 * text.length }), fillText: (text) => written.push(text) };
  const members = { stage: [1, 1, 2, 2], roots: ["petal width"], root: [0, 0, 0, 0], tests: Array(4).fill("petal width ≤ 0.8"), ofClass: [0, 1, 0, 1], leaves: [2, 2, 2, 2] };
  const cards = Object.assign(Object.create(MemberCards.prototype), { grid: { width: 120 }, theme: { enlarged: 1, font: "sans-serif" }, members, picture: { classes: ["setosa", "virginica"] } });
  cards.paintTwoLines(context, 3, 20, 12);
  assert.deepEqual(written, ["4", "round 2", "virginica"]);
  written.length = 0;
  cards.grid.width = 220;
  cards.paintTwoLines(context, 2, 20, 12);
  assert.deepEqual(written, ["3", "round 2: petal width ≤ 0.8", "setosa"], "the root too where there is room");
  cards.grid.width = 120;
  written.length = 0;
  cards.paintName(context, 3, 8);
  assert.deepEqual(written, ["4", "virginica"], "the class before the root where there is one line");
  assert.equal(cards.aboutMember(3), "Tree 4: splits on petal width first, 2 leaves, round 2, for class virginica");
});

test("red rings say whose errors they are, in narrow pictures too", () => {
  const titles = (areDrawn, hasNumericMembers) => RowDots.prototype.titles.call({ weights: { areDrawn }, picture: { hasNumericMembers } }, 50, 35);
  for (const areDrawn of [false, true]) {
    const [widest, ...narrower] = titles(areDrawn, false);
    assert.match(widest, /tree 50.*this tree misclassifies it \(35\)/);
    for (const title of narrower) assert.match(title, /misclassified by tree 50 \(35\)/);
  }
  for (const title of titles(false, true)) assert.match(title, /round 50; red ring: misclassified after it|misclassified at stage 50/);
});
