// Lines of R(T) + α·|T| over α; the tree of the lowest line at the dragged α, or of the line that is pointed at.

import { putDragSurface } from "../drag.js";
import { say, sayCount } from "../../tree_view/messages.js";
import { areaOf, drawAxes } from "../axes.js";
import { rowsWithoutOverlap } from "../text.js";
import { drawSmallTree } from "./small_tree.js";

const [PENALTY_LEFT, AXIS_ROW, PENALTY_STEPS, NEAR_LINE, TALLEST_ROW, LABEL_GAP] = [128, 18, 400, 9, 130, 15];

export function drawPenaltyLines(canvas, picture, { theme, local, change }) {
  const alpha = local.alpha ?? picture.alpha;
  const { box, treeBox, below } = penaltyBoxes(canvas, picture);
  const highest = Math.max(...picture.lines.map(({ risk }) => risk)) + 1.6 * picture.most;
  const lowest = Math.min(...picture.lines.map(({ risk }) => risk));
  const axes = { x: { low: 0, high: picture.most, ticks: [], title: "α", away: -8, kind: "pic-small pic-halo pic-quiet" }, y: { low: lowest, high: highest, ticks: [], title: "R(T) + α·|T|", isDrawn: true } };
  const cheapest = cheapestLine(picture.lines, alpha);
  const shown = picture.lines[local.pointed ?? cheapest];
  canvas.text("said", box.left - PENALTY_LEFT + 12, 28, penaltyWords(shown, alpha), { kind: "pic-title" });
  const chart = drawAxes(canvas, "axes", box, axes);
  if (picture.shows_envelope) drawEnvelope(canvas, picture, chart, theme);
  picture.lines.forEach((line) => {
    drawPenaltyLine(canvas, line, chart, { theme, highest, most: picture.most, isShown: line === shown });
  });
  drawLineLabels(canvas, picture.lines, shown, chart);
  drawBreakpoints(canvas, picture, chart, theme);
  const x = chart.x(alpha);
  canvas.line("alpha", [[x, chart.top], [x, chart.bottom]], { stroke: theme.text, class: "pic-edge pic-instant" });
  const dot = { cx: x, cy: chart.y(shown.risk + alpha * shown.leaves), r: 6, fill: theme.primary };
  canvas.put("alpha dot", "circle", { ...dot, class: "pic-instant" });
  const setAlpha = (value) => change({ alpha: Math.min(Math.max(value, 0), picture.most), pointed: null });
  const point = (place) => {
    const pointed = place && lineAt(picture.lines, place, chart);
    if (pointed !== (local.pointed ?? null)) change({ pointed });
  };
  putDragSurface(canvas, "drag", areaOf(chart), (place) => setAlpha(chart.x.invert(place)), point);
  canvas.slider("alpha", {
    x: chart.left - 8,
    y: below,
    width: chart.right - chart.left + 16,
    label: say("α, the penalty per leaf"),
    max: PENALTY_STEPS,
    value: Math.round((alpha / picture.most) * PENALTY_STEPS),
    said: penaltyWords(shown, alpha),
    onInput: (value) => setAlpha((value / PENALTY_STEPS) * picture.most),
  });
  drawSmallTree(canvas, picture.tree, treeBox, { theme, leaves: new Set(shown.pruned) });
}

/** The position of the line that is lowest at α; of equal ones that with the fewest leaves. */
export function cheapestLine(lines, alpha) {
  let best = 0;
  lines.forEach((line, index) => {
    const [own, other] = [line.risk + alpha * line.leaves, lines[best].risk + alpha * lines[best].leaves];
    if (own < other - 1e-9 || (own <= other + 1e-9 && line.leaves < lines[best].leaves)) best = index;
  });
  return best;
}

function penaltyBoxes(canvas, picture) {
  const isStacked = canvas.height > 0.85 * canvas.width && canvas.height > 460;
  const [width, height] = isStacked ? [canvas.width - 24, canvas.height * 0.6] : [canvas.width * 0.53, canvas.height];
  const bottom = 44 + AXIS_ROW * (Math.max(-1, ...breakRows(picture, width - PENALTY_LEFT)) + 1);
  const box = { left: PENALTY_LEFT, right: width, top: 68, bottom: height - bottom };
  const treeBox = isStacked
    ? { x: 12, y: height, width, height: canvas.height - height }
    : { x: width + 20, y: 52, width: canvas.width - width - 32, height: Math.min(canvas.height - 70, TALLEST_ROW * (picture.tree.depth + 1)) };
  return { box, treeBox, below: height - 34 };
}

/** The row of every text below the axis of this width. */
function breakRows(picture, width) {
  const places = picture.breakpoints.map(({ alpha }) => (alpha / picture.most) * width);
  return rowsWithoutOverlap(places, picture.breakpoints.map(({ text }) => text));
}

function penaltyWords({ risk, leaves }, alpha) {
  const total = (risk + alpha * leaves).toFixed(3);
  const fields = { alpha: alpha.toFixed(4), risk: risk.toFixed(3), leaves, total };
  return say("α = {alpha}: R(T) + α·|T| = {risk} + {alpha}·{leaves} = {total}", fields);
}

function drawPenaltyLine(canvas, line, chart, { theme, highest, most, isShown }) {
  const end = Math.min(most, (highest - line.risk) / line.leaves);
  const points = [0, end].map((alpha) => [chart.x(alpha), chart.y(line.risk + alpha * line.leaves)]);
  const isCandidate = line.alpha !== null;
  const [stroke, width] = isShown ? [theme.primary, 3.5] : isCandidate ? [theme.text, 1.8] : [theme.quiet, 1];
  const key = lineKey(line);
  canvas.line(key, points, { stroke, "stroke-width": width, opacity: isShown || isCandidate ? 1 : 0.45, class: "pic-edge" });
}

/** The leaves and the risk of lines, where these begin; those that would overlap are left out, never the shown one's. */
function drawLineLabels(canvas, lines, shown, chart) {
  const labelled = [];
  const inOrder = [shown, ...lines.filter((line) => line !== shown && line.alpha !== null)];
  for (const line of inOrder) {
    const y = chart.y(line.risk);
    if (labelled.some((other) => Math.abs(other - y) < LABEL_GAP)) continue;
    labelled.push(y);
    const label = say("{name}: {value}", { name: sayCount(line.leaves, "{n} leaf", "{n} leaves"), value: line.risk.toFixed(3) });
    const kind = line === shown ? "pic-small pic-number" : "pic-small";
    canvas.text(`${lineKey(line)} label`, chart.x(0) - 8, y + 5, label, { anchor: "end", kind });
  }
}

function lineKey(line) {
  return `line ${line.leaves} ${line.pruned.join(" ")}`;
}

/** The position of the line nearest to a place, where it is near; else null. */
function lineAt(lines, [x, y], chart) {
  const alpha = chart.x.invert(x);
  const distances = lines.map(({ risk, leaves }) => Math.abs(chart.y(risk + alpha * leaves) - y));
  const nearest = distances.indexOf(Math.min(...distances));
  return distances[nearest] < NEAR_LINE ? nearest : null;
}

function drawEnvelope(canvas, picture, chart, theme) {
  const kept = picture.lines.filter(({ alpha }) => alpha !== null).sort((a, b) => a.alpha - b.alpha);
  const corners = kept.map(({ risk, leaves, alpha }) => [alpha, risk + alpha * leaves]);
  const last = kept[kept.length - 1];
  corners.push([picture.most, last.risk + picture.most * last.leaves]);
  const points = corners.map(([alpha, loss]) => [chart.x(alpha), chart.y(loss)]);
  canvas.line("envelope", points, { stroke: theme.primary, "stroke-width": 12, opacity: 0.22, class: "pic-edge" });
}

function drawBreakpoints(canvas, picture, chart, theme) {
  const places = picture.breakpoints.map(({ alpha }) => chart.x(alpha));
  const rows = breakRows(picture, chart.right - chart.left);
  const foot = (index) => chart.bottom + 16 + rows[index] * AXIS_ROW;
  places.forEach((x, index) => {
    const points = [[x, chart.top + 12], [x, foot(index) - 12]];
    canvas.line(`break ${index}`, points, { stroke: theme.quiet, "stroke-dasharray": "3 4", class: "pic-edge" });
  });
  picture.breakpoints.forEach(({ text }, index) => {
    canvas.text(`break text ${index}`, places[index], foot(index), text, { anchor: "middle", kind: "pic-small pic-halo" });
  });
}
