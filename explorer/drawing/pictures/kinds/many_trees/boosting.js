// AdaBoost by hand: points whose area is their weight, a threshold that can be moved, and the running weighted vote.

import { stairsAround } from "../../../charts/lines.js";
import { linearScale } from "../../../charts/scales.js";
import { say, sayCount } from "../../../tree_view/messages.js";

const BOOST_LEFT = 56;

/** Which points a stump gets wrong: it predicts `left` up to its threshold and `right` above it. */
export function wrongPoints(x, codes, { threshold, left, right }) {
  return x.map((value, index) => codes[index] !== (value <= threshold ? left : right));
}

/** A scale from values to places: linear, with half a step free at both ends. */
export function acrossValues(x, left, right) {
  return linearScale([Math.min(...x) - 0.5, Math.max(...x) + 0.5], [left, right]);
}

export function drawWeightedPoints(canvas, picture, { theme, local, change }) {
  const chosen = local.stump ?? picture.stump;
  const stump = picture.stumps[chosen];
  const [left, right] = [BOOST_LEFT, canvas.width - 24];
  const across = acrossValues(picture.x, left, right);
  const [top, middle] = [54, 54 + (canvas.height - 54) * 0.24];
  const under = middle + (middle - top);
  canvas.text("title", 24, 30, picture.title, { kind: "pic-title" });
  drawSides(canvas, { stump, across, left, right, top, under }, theme);
  drawWeightedDots(canvas, picture, { wrong: wrongPoints(picture.x, picture.codes, stump), across, middle, under }, theme);
  canvas.line("threshold", [[across(stump.threshold), top], [across(stump.threshold), under]], { stroke: theme.text, "stroke-dasharray": "5 4" });
  const bottom = canvas.height - 76;
  if (!picture.hides_errors) drawErrorBars(canvas, picture, { chosen, across, top: under + 46, bottom, change }, theme);
  const said = picture.hides_errors ? `x ≤ ${stump.threshold}` : say("x ≤ {threshold}: weighted error {error}", { threshold: stump.threshold, error: stump.error.toFixed(4) });
  canvas.slider("stump", { x: across(picture.stumps[0].threshold) - 8, y: bottom + 10, width: across(picture.stumps.at(-1).threshold) - across(picture.stumps[0].threshold) + 16, label: say("Threshold"), max: picture.stumps.length - 1, value: chosen, said, onInput: (value) => change({ stump: value }) });
  canvas.text("said", left, canvas.height - 16, said, { kind: "pic-number" });
}

/** The two sides of the threshold, tinted by the class that the stump predicts there. */
function drawSides(canvas, { stump, across, left, right, top, under }, theme) {
  const x = across(stump.threshold);
  canvas.put("side left", "rect", { x: left, y: top, width: x - left, height: under - top, fill: theme.classes[stump.left], opacity: 0.13 });
  canvas.put("side right", "rect", { x, y: top, width: right - x, height: under - top, fill: theme.classes[stump.right], opacity: 0.13 });
}

function drawWeightedDots(canvas, picture, { wrong, across, middle, under }, theme) {
  const gap = across(1) - across(0);
  const largest = Math.min(gap * 0.46, 34);
  const heaviest = Math.max(1 / 6, ...picture.weights);
  picture.x.forEach((value, index) => {
    const r = largest * Math.sqrt(picture.weights[index] / heaviest);
    const colour = theme.classes[picture.codes[index]];
    canvas.put(`ring ${index}`, "circle", { cx: across(value), cy: middle, r: r + 4, fill: "none", stroke: theme.text, "stroke-width": 2, opacity: wrong[index] ? 1 : 0 });
    canvas.put(`dot ${index}`, "circle", { cx: across(value), cy: middle, r, fill: theme.background, stroke: colour, "stroke-width": 3 });
    canvas.text(`sign ${index}`, across(value), middle + 6, picture.names[picture.codes[index]], { anchor: "middle", kind: "pic-number" });
    canvas.text(`weight ${index}`, across(value), under - 8, picture.weights[index].toFixed(3).replace(/^0/, ""), { anchor: "middle", kind: "pic-small" });
    canvas.text(`value ${index}`, across(value), under + 18, String(value), { anchor: "middle", kind: "pic-small" });
  });
}

function drawErrorBars(canvas, picture, { chosen, across, top, bottom, change }, theme) {
  const most = Math.max(...picture.stumps.map((stump) => stump.error));
  const width = Math.min((across(1) - across(0)) * 0.66, 40);
  canvas.text("errors", BOOST_LEFT, top - 8, say("Weighted error of each threshold"), { kind: "pic-small" });
  picture.stumps.forEach((stump, index) => {
    const height = (stump.error / most) * (bottom - top - 22);
    const x = across(stump.threshold);
    const bar = canvas.put(`error ${index}`, "rect", { x: x - width / 2, y: bottom - height, width, height, rx: 3, fill: index === chosen ? theme.primary : theme.quiet, opacity: index === chosen ? 1 : 0.6 });
    bar.onpointerenter = () => change({ stump: index });
    canvas.text(`error text ${index}`, x, bottom - height - 5, stump.error.toFixed(3).replace(/^0/, ""), { anchor: "middle", kind: index === chosen ? "pic-number" : "pic-small" });
  });
}

export function drawWeightedVote(canvas, picture, { theme, local, change }) {
  const stage = local.stage ?? picture.stage;
  const [left, right] = [BOOST_LEFT, canvas.width - 110];
  const across = acrossValues(picture.x, left, right);
  const row = Math.min(44, canvas.height * 0.09);
  canvas.text("title", 24, 30, picture.title, { kind: "pic-title" });
  picture.stumps.forEach((stump, index) => drawVoter(canvas, picture, { stump, index, isIn: index < stage, y: 48 + index * row, row, across, left, right }, theme));
  const top = 48 + picture.stumps.length * row + 22;
  const bottom = canvas.height - 96;
  drawSum(canvas, picture, { scores: picture.scores[stage], across, left, right, top, bottom }, theme);
  const wrong = picture.scores[stage].filter((score, index) => (score > 0 ? 1 : 0) !== picture.codes[index] || score === 0).length;
  canvas.slider("stage", { x: left, y: canvas.height - 44, width: 200, label: say("Trees in the vote"), max: picture.stumps.length, value: stage, said: String(stage), onInput: (value) => change({ stage: value }) });
  const said = stage ? sayCount(wrong, "{n} point wrong", "{n} points wrong") : say("no vote yet");
  canvas.text("wrong", left + 216, canvas.height - 28, say("{name}: {value}", { name: sayCount(stage, "{n} tree", "{n} trees"), value: said }), { kind: "pic-number" });
}

/** What one stump votes on either side, and its weight α. */
function drawVoter(canvas, picture, { stump, index, isIn, y, row, across, left, right }, theme) {
  const [x, height] = [across(stump.threshold), row - 10];
  const opacity = isIn ? 0.75 : 0.15;
  canvas.put(`voter left ${index}`, "rect", { x: left, y, width: x - left, height, rx: 3, fill: theme.classes[stump.left], opacity });
  canvas.put(`voter right ${index}`, "rect", { x, y, width: right - x, height, rx: 3, fill: theme.classes[stump.right], opacity });
  canvas.text(`alpha ${index}`, right + 10, y + height * 0.7, `α = ${picture.votes[index].toFixed(4)}`, { kind: "pic-small" });
}

/** The running sum as a staircase around zero, with the points on it, the wrong ones ringed. */
function drawSum(canvas, picture, { scores, across, left, right, top, bottom }, theme) {
  const most = picture.votes.reduce((sum, vote) => sum + vote, 0);
  const up = linearScale([-most, most], [bottom, top]);
  canvas.line("zero", [[left, up(0)], [right, up(0)]], { stroke: theme.quiet, "stroke-width": 1 });
  canvas.text("zero text", left - 10, up(0) + 5, "0", { anchor: "end", kind: "pic-small" });
  const steps = stairsAround(picture.x, scores).map(([x, score]) => [across(x), up(score)]);
  canvas.behind(canvas.line("sum", steps, { stroke: theme.primary }));
  picture.x.forEach((value, index) => {
    const isRight = scores[index] !== 0 && (scores[index] > 0 ? 1 : 0) === picture.codes[index];
    const [cx, cy] = [across(value), up(scores[index])];
    canvas.put(`ring ${index}`, "circle", { cx, cy, r: 15, fill: "none", stroke: theme.text, "stroke-width": 2, opacity: isRight ? 0 : 1 });
    canvas.put(`dot ${index}`, "circle", { cx, cy, r: 11, fill: theme.background, stroke: theme.classes[picture.codes[index]], "stroke-width": 3 });
    canvas.text(`sign ${index}`, cx, cy + 5, picture.names[picture.codes[index]], { anchor: "middle", kind: "pic-number" });
    canvas.text(`value ${index}`, cx, bottom + 24, String(value), { anchor: "middle", kind: "pic-small" });
  });
}
