// Drawing of the curve on two canvases: the lines, drawn once, and the marks of the position, drawn at every move.
//
// A *plot* is a frame with {sequence, lines, main, axis}. A *line* is {name, values, se, dash, tone};
// `main` is the line that best and 1-SE are chosen on: cross-validation, else held-out rows, else training.

/** @typedef {import("./position_axes.js").Axis} Axis */
/** @typedef {import("../model/pruned_shape.js").HandScore} HandScore */
/** @typedef {import("../model/split_payload.js").Numbers} Numbers */
/** @typedef {import("../../charts/scales.js").Pair} Pair */
/** @typedef {import("../model/payload.js").SequenceData} SequenceData */
/** @typedef {import("../../charts/chart_box.js").Size} Size */
/** @typedef {import("../theme.js").Theme} Theme */

/**
 * @typedef {{
 *   name: string, values: Numbers, se: Numbers | null, dash: number[], tone: "quiet" | "text" | "primary",
 * }} Line
 */
/** @typedef {ReturnType<typeof makePlot>} Plot */

import { heldOutName } from "../model/alpha_interval.js";
import { say } from "../messages.js";
import { drawFrame, makeFrame } from "../../charts/frame.js";
import { thinnedLine } from "../../charts/lines.js";
import { scoreDomain } from "../../charts/scales.js";
import { drawDiamond, drawStar, fillDot, strokeDot, strokePath, tracePath } from "../../charts/strokes.js";

const BAND_ALPHA = 0.16;
const POINTS_SHOWN = 60;
const POSITION_RADIUS = 10;

/** The lines that a sequence has scores for. @param {SequenceData} sequence */
export function curveLines(sequence) {
  /** @type {Line[]} */
  const lines = [];
  if (sequence.train) lines.push({ name: say("training"), values: sequence.train, se: null, dash: [1.5, 4], tone: "quiet" });
  if (sequence.mean) lines.push({ name: say("cross-validation"), values: sequence.mean, se: sequence.se, dash: [], tone: "text" });
  if (sequence.valid) lines.push({ name: heldOutName(sequence), values: sequence.valid, se: sequence.validSe, dash: [], tone: "primary" });
  return lines;
}

/** The line on which best and 1-SE are chosen. @param {Line[]} lines */
export function mainLine(lines) {
  return lines.find((line) => line.tone === "text") ?? lines[lines.length - 1];
}

/**
 * Everything that drawing needs for one sequence, axis and size.
 * @param {CanvasRenderingContext2D} context @param {SequenceData} sequence @param {Axis} axis @param {Size} size
 * @param {Theme} theme
 */
export function makePlot(context, sequence, axis, { width, height }, theme) {
  const lines = curveLines(sequence);
  const y = scoreDomain(...scoreRange(lines, sequence.baseline), sequence.isShare);
  /** @type {import("../../charts/frame.js").Shown} */
  const shown = { x: [axis.low, axis.high], y, isShare: sequence.isShare, ticks: axis.ticks };
  const frame = makeFrame(context, { left: 0, top: 0, right: width, bottom: height }, shown, theme);
  return { ...frame, frame, theme, sequence, lines, main: mainLine(lines), axis };
}

/** The least and the largest value drawn. @param {Line[]} lines @param {number} baseline @returns {Pair} */
export function scoreRange(lines, baseline) {
  let [least, largest] = Number.isFinite(baseline) ? [baseline, baseline] : [Infinity, -Infinity];
  for (const { values, se } of lines) {
    for (let k = 0; k < values.length; k++) {
      const spread = se && Number.isFinite(se[k]) ? se[k] : 0;
      if (values[k] - spread < least) least = values[k] - spread;
      if (values[k] + spread > largest) largest = values[k] + spread;
    }
  }
  return least <= largest ? [least, largest] : [0, 1];
}

/**
 * The fixed layer: axes, bands, lines, and the marks of best and 1-SE.
 * @param {CanvasRenderingContext2D} context @param {Plot} plot
 */
export function drawCurve(context, plot) {
  drawFrame(context, plot.frame, { xTitle: plot.axis.title, yTitle: plot.sequence.scoreName });
  drawBaseline(context, plot);
  for (const line of plot.lines) if (line.se) drawBand(context, plot, line, line.se);
  for (const line of plot.lines) drawLine(context, plot, line);
  drawChoices(context, plot);
}

/** @param {CanvasRenderingContext2D} context @param {Plot} plot */
function drawBaseline(context, { sequence, toY, area, theme }) {
  if (!Number.isFinite(sequence.baseline)) return;
  const y = toY(sequence.baseline);
  strokePath(context, [[area.left, y], [area.right, y]], theme.quiet, 1.25, [7, 5]);
}

/** @param {CanvasRenderingContext2D} context @param {Plot} plot @param {Line} line @param {Numbers} se */
function drawBand(context, plot, { values, tone }, se) {
  const upper = linePoints(plot, values, (k) => se[k]);
  const lower = linePoints(plot, values, (k) => -se[k]);
  context.save();
  context.globalAlpha = BAND_ALPHA;
  context.fillStyle = plot.theme[tone];
  tracePath(context, [...upper, ...lower.reverse()]);
  context.fill();
  context.restore();
}

/** @param {CanvasRenderingContext2D} context @param {Plot} plot @param {Line} line */
function drawLine(context, plot, { values, dash, tone }) {
  const points = linePoints(plot, values, () => 0);
  context.lineCap = dash.length ? "round" : "butt";
  strokePath(context, points, plot.theme[tone], 2, dash);
  if (plot.axis.kind === "points" && points.length <= POINTS_SHOWN) {
    for (const [x, y] of points) fillDot(context, x, y, 2.5, plot.theme[tone]);
  }
}

/**
 * A line in pixels: level steps against α, joined points against leaves.
 * @param {Plot} plot @param {Numbers} values @param {(k: number) => number} shift @returns {Pair[]}
 */
function linePoints({ axis, toX, toY }, values, shift) {
  /** @type {Pair[]} */
  const points = [];
  for (let k = 0; k < values.length; k++) {
    const y = toY(values[k] + shift(k));
    if (Number.isNaN(y)) continue;
    if (axis.kind === "steps") points.push([toX(axis.edges[k]), y], [toX(axis.edges[k + 1]), y]);
    else points.push([toX(axis.centres[k]), y]);
  }
  return thinnedLine(points);
}

/** @param {CanvasRenderingContext2D} context @param {Plot} plot */
function drawChoices(context, plot) {
  const { best, oneSe } = plot.sequence;
  if (oneSe >= 0) drawDiamond(context, ...pointOf(plot, plot.main, oneSe), plot.theme.background, plot.theme.text);
  if (best >= 0) drawStar(context, ...pointOf(plot, plot.main, best), plot.theme);
}

/**
 * The point of a position's score, in pixels.
 * @param {Pick<Plot, "axis" | "toX" | "toY">} plot @param {Line} line @param {number} position @returns {Pair}
 */
function pointOf({ axis, toX, toY }, line, position) {
  return [toX(axis.centres[position]), toY(line.values[position])];
}

/**
 * The moving layer: this α, a ring at the main score, dots at the others; and the tree pruned by hand.
 * @param {CanvasRenderingContext2D} context @param {Plot} plot @param {number} position @param {HandScore | null} byHand
 */
export function drawPosition(context, plot, position, byHand) {
  const { theme, lines, main } = plot;
  const [x, y] = pointOf(plot, main, position);
  drawPositionLine(context, plot, position, y);
  for (const line of lines) {
    const [, beside] = pointOf(plot, line, position);
    if (Math.abs(beside - y) > POSITION_RADIUS) fillDot(context, x, beside, 4, theme[line.tone]);
  }
  strokeDot(context, x, y, POSITION_RADIUS, theme.background, 5);
  strokeDot(context, x, y, POSITION_RADIUS, theme.text, 2.25);
  if (byHand) drawByHand(context, plot, position, byHand);
}

/**
 * Whether a tree pruned by hand has no score but that on its training rows, beside a curve of held-out scores.
 * @param {SequenceData} sequence @param {HandScore} score
 */
export function isTrainingOnly(sequence, { valid }) {
  return !Number.isFinite(valid) && Boolean(sequence.valid || sequence.mean);
}

/**
 * The tree pruned by hand: its score on held-out rows, else, in their colour, on training rows; at its leaves or α.
 * @param {CanvasRenderingContext2D} context @param {Plot} plot @param {number} position @param {HandScore} byHand
 */
function drawByHand(context, { sequence, axis, toX, toY, area, theme }, position, byHand) {
  const { leaves, train, valid } = byHand;
  const score = valid !== null && Number.isFinite(valid) ? valid : train;
  if (score === null || !Number.isFinite(score)) return;
  const across = toX(axis.kind === "steps" ? axis.centres[position] : coordinateOfLeaves(axis, sequence, leaves));
  const beside = Math.min(Math.max(across, area.left), area.right);
  drawDiamond(context, beside, Math.min(Math.max(toY(score), area.top), area.bottom), isTrainingOnly(sequence, byHand) ? theme.quiet : theme.text, theme.background);
}

/**
 * The coordinate of a number of leaves on an axis of leaves, which may be logarithmic.
 * @param {Axis} axis @param {SequenceData} sequence @param {number} leaves
 */
function coordinateOfLeaves({ centres }, sequence, leaves) {
  return centres[0] === sequence.leaves[0] ? leaves : Math.log10(leaves);
}

/**
 * The interval as a band, its centre as a line interrupted by the ring.
 * @param {CanvasRenderingContext2D} context @param {Plot} plot @param {number} position @param {number} y
 */
function drawPositionLine(context, { axis, toX, area, theme }, position, y) {
  const middle = toX(axis.centres[position]);
  context.save();
  context.globalAlpha = 0.14;
  context.fillStyle = theme.primary;
  if (axis.kind === "steps") {
    const [from, to] = [toX(axis.edges[position]), toX(axis.edges[position + 1])];
    context.fillRect(from, area.top, Math.max(to - from, 1), area.bottom - area.top);
  }
  context.globalAlpha = 0.7;
  const [over, under] = [Math.max(y - POSITION_RADIUS - area.top, 0), Math.max(area.bottom - y - POSITION_RADIUS, 0)];
  context.fillRect(middle - 0.75, area.top, 1.5, over);
  context.fillRect(middle - 0.75, area.bottom - under, 1.5, under);
  context.restore();
}
