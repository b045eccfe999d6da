import assert from "node:assert/strict";
import { test } from "node:test";
import { asFraction, fractionText } from "../../explorer/drawing/tree_view/model/fractions.js";
import { manualChangesText } from "../../explorer/drawing/tree_view/panel/manual_changes.js";
import { alphaText, intervalInFractions, improvement, intervalText, leavesText, decimalText, spokenPosition, stepText } from "../../explorer/drawing/tree_view/model/alpha_interval.js";
import { filledText, standIns } from "../../explorer/drawing/tree_view/panel/formula.js";
import { exactTexts, formulaTexts, nextText } from "../../explorer/drawing/tree_view/panel/weakest_link.js";
import { curveLines, mainLine, scoreRange } from "../../explorer/drawing/tree_view/panel/curve_plot.js";
import { MARKS_WIDTH, tableColumns, rowWindow, scrollToShow, wholeWidths } from "../../explorer/drawing/tree_view/panel/sequence_table.js";

const SEQUENCE = {
  kind: "alpha", size: 3, alphas: [0, 2 / 35, 0.115306], leaves: [5, 3, 1], risks: [0, 0.1142857, 0.459184], collapsed: [0, 1, 1],
  train: [1, 12 / 14, 9 / 14], valid: [0.7857, 0.8571, 0.6429], validSe: null, mean: null, se: null,
  how: "leave-one-out", isShare: true, scoreName: "accuracy", riskName: "entropy", baseline: 9 / 14,
};

test("an interval of α is written with both ends, the last one with its beginning", () => {
  assert.equal(intervalText(SEQUENCE, 0), "0 ≤ α < 0.0571");
  assert.equal(intervalText(SEQUENCE, 1), "0.0571 ≤ α < 0.1153");
  assert.equal(intervalText(SEQUENCE, 2), "α ≥ 0.1153");
  assert.equal(intervalText({ ...SEQUENCE, size: 1 }, 0), "any α");
});

test("an interval that holds for no α says so", () => {
  assert.equal(intervalText({ size: 3, alphas: [0, 0, 0.5] }, 0), "α = 0, nothing pruned");
});

test("ends that are close are written with as many digits as tell them apart", () => {
  assert.equal(intervalText({ size: 3, alphas: [0, 0.123456, 0.123459] }, 1), "0.123456 ≤ α < 0.123459");
});

test("an α is written alike wherever it stands, apart from the α before and after it", () => {
  const sequence = { size: 4, alphas: [0, 0.00013481, 0.00013519, 0.25] };
  assert.deepEqual([0, 1, 2, 3].map((k) => alphaText(sequence, k)), ["0", "0.0001348", "0.0001352", "0.2500"]);
  const columns = tableColumns({ ...SEQUENCE, ...sequence });
  assert.deepEqual(improved({ valid: [0.5, 9 / 14, 9 / 14 + 1e-16] }, 1).slice(1), ["64.3 %, no better than the majority baseline (64.3 %)", false]);
  assert.deepEqual([1, 2].map((k) => columns[0].text(k)), ["0.0001348", "0.0001352"]);
});

test("a number that is a fraction is recognised, another one is not", () => {
  for (const [above, below] of [[4, 35], [113, 980], [45, 98], [8, 35], [0, 1], [1, 3], [-2, 7], [7, 1], [22, 7], [1, 9999]]) {
    assert.deepEqual(asFraction(above / below), { above, below }, `${above}/${below}`);
  }
  assert.deepEqual(asFraction(4 / 7 - 18 / 35), { above: 2, below: 35 });
  for (const value of [0.940285958670631, Math.SQRT1_2, Math.PI, 1 / 10007, NaN, Infinity]) assert.equal(asFraction(value), null, String(value));
  assert.equal(asFraction(1 / 36, 35), null);
  assert.deepEqual([2 / 35, 3, 0, Math.SQRT2].map(fractionText), ["2/35", "", "", ""]);
});

test("the interval is written in fractions where an end is one", () => {
  const exact = { ...SEQUENCE, alphas: [0, 2 / 35, 113 / 980] };
  assert.deepEqual([0, 1, 2].map((k) => intervalInFractions(exact, k)), ["0 ≤ α < 2/35", "2/35 ≤ α < 113/980", "α ≥ 113/980"]);
  assert.equal(intervalInFractions({ size: 2, alphas: [0, Math.SQRT1_2] }, 0), "");
  assert.equal(intervalInFractions({ size: 2, alphas: [0, Math.SQRT1_2] }, 1), "");
});

test("α and risks of every size keep at least three significant digits", () => {
  assert.deepEqual([0, 0.25, 0.00105, 3.57e-5, 1.234e-9, 12.5, 1234.5678, 1234567.8].map((value) => decimalText(value)),
    ["0", "0.2500", "0.00105", "0.0000357", "0.00000000123", "12.500", "1,234.6", "1,234,568"]);
});

test("a screen reader hears the interval and the leaves", () => {
  assert.equal(spokenPosition(SEQUENCE, 1), "α from 0.0571 to below 0.1153, 3 leaves");
  assert.equal(spokenPosition(SEQUENCE, 2), "α from 0.1153 on, 1 leaf");
  assert.equal(spokenPosition({ kind: "steps", size: 12, caption: () => "Node 4 stays" }, 2), "step 3 of 12, Node 4 stays");
  assert.equal(stepText(SEQUENCE, 1), "subtree 2 of 3");
  assert.equal(leavesText(1204), "1,204 leaves");
});

test("the weakest link of the play tennis table comes out as by hand", () => {
  assert.deepEqual(formulaTexts(0.8 / 7, 0, 3, 0.4 / 7), { risk: "0.1143", below: "0", leaves: "3", alpha: "0.0571" });
});

test("the weakest link of the play tennis table comes out in fractions too", () => {
  assert.deepEqual(exactTexts(0.8 / 7, 0, 3, 0.4 / 7), { risk: "4/35", below: "0", leaves: "3", alpha: "2/35" });
  assert.equal(exactTexts(7, 4, 4, 1), null);
  assert.equal(exactTexts(0.940285958670631, 0, 2, 0.940285958670631), null);
});

test("a link that costs nothing has α = 0", () => {
  assert.deepEqual(formulaTexts(0.25, 0.25, 2, 0), { risk: "0.2500", below: "0.2500", leaves: "2", alpha: "0" });
  assert.deepEqual(formulaTexts(7, 4, 4, 1), { risk: "7", below: "4", leaves: "4", alpha: "1" });
});

test("the printed formula is right when it is worked out from its printed numbers", () => {
  let seed = 5;
  const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  for (let round = 0; round < 3000; round++) {
    const leaves = 2 + Math.floor(random() * 40);
    const below = random() * 10 ** (4 * random() - 3);
    const alpha = 10 ** (6 * random() - 6);
    const texts = formulaTexts(below + alpha * (leaves - 1), below, leaves, alpha);
    const worked = (Number(texts.risk) - Number(texts.below)) / (leaves - 1);
    const decimals = (texts.alpha.split(".")[1] ?? "").length;
    assert.equal(Number(worked.toFixed(decimals)), Number(texts.alpha), JSON.stringify(texts));
    assert.ok(Math.abs(Number(texts.alpha) - alpha) <= 0.005 * alpha + 1e-15, JSON.stringify({ texts, alpha }));
  }
});

test("the line by hand names changes, leaves and scores, beside the subtree at this α", () => {
  const score = { leaves: 7, train: 0.929, valid: 0.881 };
  const hand = [["collapse", 3], ["restore", 1]];
  assert.equal(manualChangesText(hand, score, { ...SEQUENCE, how: "validation", valid: [0.869] }, 0),
    "By hand: 2 changes · 7 leaves · training 92.9 % · validation 88.1 % (subtree at this α: 86.9 %)");
  assert.equal(manualChangesText(hand.slice(1), { leaves: 1, train: 0.5, valid: null }, { ...SEQUENCE, valid: null }, 2),
    "By hand: 1 change · 1 leaf · training 50.0 % (subtree at this α: 64.3 %)");
});

test("the choice is marked on the cross-validated line, else on held-out rows, else on training", () => {
  const all = { ...SEQUENCE, mean: [0.7, 0.8, 0.6], se: [0.1, 0.1, 0.1] };
  assert.equal(mainLine(curveLines(all)).name, "cross-validation");
  assert.equal(mainLine(curveLines(SEQUENCE)).name, "leave-one-out");
  assert.equal(mainLine(curveLines({ ...SEQUENCE, how: "leave-one-group-out" })).name, "leave-one-group-out");
  assert.equal(mainLine(curveLines({ ...SEQUENCE, how: "rolling" })).name, "rolling");
  assert.equal(mainLine(curveLines({ ...SEQUENCE, valid: null })).name, "training");
});

const improved = (more, position) => {
  const { text, name, isAbove } = improvement({ ...SEQUENCE, how: "validation", isHigherBetter: true, isRegression: false, ...more }, position);
  return [name, text, isAbove];
};

test("a score is stated with its improvement over the majority baseline in points", () => {
  assert.deepEqual(improved({}, 1), ["validation accuracy", "85.7 %, +21.4 points over the majority (64.3 %)", true]);
  const folded = { mean: [0.7, 0.843, 0.6], baseline: 0.618 };
  assert.deepEqual(improved({ ...folded, valid: null }, 1), ["cross-validated accuracy", "84.3 %, +22.5 points over the majority (61.8 %)", true]);
  assert.deepEqual(improved(folded, 1), ["cross-validated accuracy", "84.3 % on the training rows", true], "the line above has a baseline of other rows");
  assert.deepEqual(improved(folded, 2), ["cross-validated accuracy", "60.0 %, worse than the majority baseline (61.8 %)", false]);
  assert.deepEqual(improved({ valid: null }, 1)[0], "training accuracy");
  for (const how of ["leave-one-out", "leave-one-group-out", "rolling"]) assert.equal(improved({ how }, 1)[0], `${how} accuracy`);
});

test("a score below its baseline is worse, one at it no better, in words", () => {
  assert.deepEqual(improved({ valid: [0.5, 9 / 14, 9 / 14 + 1e-16] }, 0).slice(1), ["50.0 %, worse than the majority baseline (64.3 %)", false]);
  assert.deepEqual(improved({ valid: [0.5, 9 / 14, 9 / 14 + 1e-16] }, 1).slice(1), ["64.3 %, no better than the majority baseline (64.3 %)", false]);
  assert.deepEqual([1, 2].map((k) => improved({ valid: [0.5, 9 / 14, 9 / 14 + 1e-16] }, k)[2]), [false, false]);
});

test("of a numeric target the error is stated with its reduction against the mean baseline", () => {
  const regression = { isShare: false, isHigherBetter: false, isRegression: true, scoreName: "mean squared error", valid: [12, 8, 16], baseline: 16 };
  assert.deepEqual(improved(regression, 1), ["validation mean squared error", "8, 50.0 % below the mean baseline (16)", true]);
  assert.deepEqual(improved(regression, 2).slice(1), ["16, no better than the mean baseline (16)", false]);
  assert.deepEqual(improved({ ...regression, baseline: 15 }, 2).slice(1), ["16, worse than the mean baseline (15)", false]);
});

test("an error rate is better where it is below the baseline, an AUC where it is above", () => {
  const rate = { scoreName: "error rate", isHigherBetter: false, valid: [0.2, 0.1, 0.4], baseline: 0.35 };
  assert.equal(improved(rate, 1)[1], "10.0 %, 25.0 points below the majority baseline (35.0 %)");
  assert.equal(improved(rate, 2)[2], false);
  const auc = { scoreName: "AUC", isShare: false, valid: [0.75, 0.9, 0.5], baseline: 0.5 };
  assert.equal(improved(auc, 1)[1], "0.9, +0.4 over the majority baseline (0.5)");
});

test("ties of the weakest link are named in one sentence, with the nodes in their places", () => {
  const parts = { first: ["A"], second: ["B"], third: ["C"], alpha: ["0.1"], more: ["2"] };
  const words = [1, 2, 3, 5].map((count) => filledText(nextText(count, standIns(parts)), parts).join(""));
  assert.deepEqual(words, [
    "Next to go at α = 0.1: A",
    "Next to go at α = 0.1: A and B",
    "Next to go at α = 0.1: A, B and C",
    "Next to go at α = 0.1: A, B, C and 2 more",
  ]);
});

test("the axis of scores covers bands and baseline, and steps over what is not known", () => {
  const lines = [{ values: [0.5, NaN, 0.9], se: [0.1, 0.5, NaN] }];
  assert.deepEqual(scoreRange(lines, 0.3), [0.3, 0.9]);
  assert.deepEqual(scoreRange(lines, NaN), [0.4, 0.9]);
  assert.deepEqual(scoreRange([{ values: [0.5, 0.75], se: [0.25, 0.25] }], 0.4), [0.25, 1]);
  assert.deepEqual(scoreRange([], NaN), [0, 1]);
});

test("the table has a column for what is known, and its rows say the same as the readout", () => {
  const columns = tableColumns(SEQUENCE);
  assert.deepEqual(columns.map(({ head }) => head), ["α from", "leaves", "leave-one-out", "training", "R(T)", "collapsed"]);
  assert.deepEqual(columns.map(({ text }) => text(1)), ["0.0571", "3", "85.7 %", "85.7 %", "0.1143", "1"]);
  const validated = tableColumns({ ...SEQUENCE, mean: [0.7, 0.8, 0.6], se: [0.1, 0.1, 0.1] });
  assert.equal(validated[2].text(1), "80.0 % ± 10.0 %");
});

test("the inspector of a laptop shows α, leaves and the cross-validated score without scrolling", () => {
  const columns = tableColumns({ ...SEQUENCE, alphas: [0, 0.0000356, 0.0156], mean: [0.7, 0.8, 0.6], se: [0.1, 0.1, 0.1] });
  const inspector = 19.2; // rem
  assert.equal(columns[2].head, "cross-val. ± SE");
  assert.ok(MARKS_WIDTH + columns.slice(0, 3).reduce((sum, { width }) => sum + width, 0) <= inspector);
});

test("a table that is wider than its place ends there after a whole column", () => {
  for (const room of [0, 3, 5, 6.5, 11, 14, 20, 40]) {
    const widths = [6, 4, 5, 5];
    const whole = wholeWidths(widths, room);
    const ends = whole.map((_, k) => whole.slice(0, k + 1).reduce((a, b) => a + b));
    assert.ok(whole.every((width, k) => width >= widths[k]));
    if (room >= 6 && room < 20) assert.ok(ends.some((end) => Math.abs(end - room) < 1e-9), String(room));
    else assert.deepEqual(whole, widths);
  }
});

test("only rows in sight are in the document, whatever the length", () => {
  for (const size of [1, 3, 20000]) {
    for (const scrolled of [0, 15, 30 * size - 210, 30 * size]) {
      const [first, after] = rowWindow(Math.max(scrolled, 0), 210, size);
      assert.ok(first >= 0 && after <= size && after - first <= 15 && first < size);
    }
  }
  assert.deepEqual(rowWindow(3000, 210, 20000), [97, 110]);
});

test("scrolling to a row brings it into sight, and moves nothing when it is", () => {
  for (const scrolled of [0, 95, 3000]) {
    for (const row of [0, 3, 7, 99, 100, 107, 150, 499]) {
      const shown = scrollToShow(row, scrolled, 210, 500);
      assert.ok(row * 30 >= shown && (row + 1) * 30 <= shown + 210 && shown >= 0 && shown <= 500 * 30 - 210);
      assert.equal(scrollToShow(row, shown, 210, 500), shown);
    }
  }
  assert.equal(scrollToShow(2, 0, 210, 3), 0);
});
