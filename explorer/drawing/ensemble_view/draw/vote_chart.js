// One numeric feature and classes: rows as dots whose area is their weight, the misclassified ones ringed; below them what
// the round's tree predicts, the running vote f(x) as a staircase, and what the vote predicts.

/** @typedef {import("../../charts/frame.js").Frame} ChartFrame */
/** @typedef {import("./stage_chart.js").ChartHooks} ChartHooks */
/** @typedef {import("./stage_chart.js").ChartTheme} ChartTheme */
/** @typedef {import("../../tree_view/model/split_payload.js").Numbers} Numbers */
/** @typedef {import("../model/picture.js").Picture} Picture */
/** @typedef {import("../../charts/chart_box.js").Size} Size */
/** @typedef {import("../../charts/scales.js").Pair} Pair */
/** @typedef {import("../model/picture.js").VoteLine} VoteLine */
/** @typedef {import("../model/picture.js").Weights} Weights */

import { drawFrame, drawTitle, fitted, makeFrame } from "../../charts/frame.js";
import { linearScale, withRoom } from "../../charts/scales.js";
import { nearestPoint, pointIn } from "../../charts/chart_box.js";
import { StageChart } from "./stage_chart.js";
import { largestShare, radiiOf } from "../model/grids.js";
import { classAbove, corners, leaders, rangeOf, runsOf, voteDifference } from "../model/staircase.js";
import { strokeDot, strokePath } from "../../charts/strokes.js";
import { strokeStairs } from "./fit_chart.js";
import { visibleText } from "../../tree_view/format.js";
import { later } from "../../tree_view/later.js";
import { say } from "../../tree_view/messages.js";

/**
 * @typedef {{
 *   frame: ChartFrame, theme: ChartTheme, names: string[], upper: number, lane: number, mean: number, unit: number,
 *   laneOf: (code: number) => number, band: { height: number, tree: number, vote: number },
 * }} VotePlot
 */

const [BAND, MOST_RADIUS, LEAST_RADIUS, ROOM] = [16, 26, 2.5, 8];

/** @param {ChartHooks} hooks */
export function makeVoteChart(hooks) {
  return new VoteChart(hooks);
}

/** @extends {StageChart<VotePlot>} */
class VoteChart extends StageChart {
  /** @type {VoteLine} */
  line = later();
  /** @type {Weights} */
  weights = later();
  nClasses = 0;
  above = -1;
  largest = 1;
  radii = new Float32Array(0);
  /** @type {Pair} */
  xRange = [0, 1];
  /** @type {Pair} */
  yRange = [0, 1];

  /** @param {ChartHooks} hooks */
  constructor(hooks) {
    super("ev-vote", hooks);
  }

  /** @param {Picture} picture */
  set(picture) {
    if (!picture.voteLine || !picture.weights) return;
    this.picture = picture;
    this.line = picture.voteLine;
    this.weights = picture.weights;
    const { edges, x } = this.line;
    this.nClasses = picture.classes.length;
    this.above = this.nClasses === 2 ? classAbove(picture.classes) : -1;
    this.xRange = withRoom(rangeOf(x, [edges[0], edges[edges.length - 1]]), 0.01);
    const all = Array.from({ length: picture.size }, (_, stage) => this.heights(stage)).flat();
    const [least, largest] = rangeOf(...all, [0]);
    const most = Math.max(Math.abs(least), Math.abs(largest)) || 1;
    this.yRange = withRoom(this.nClasses === 2 ? [-most, most] : [0, most], 0.08);
    this.largest = largestShare(this.weights.weights, picture.nStages);
    this.radii = new Float32Array(this.weights.n);
    this.box.redrawSoon();
  }

  /** What the staircases show: f(x) of two classes, or the votes for each of several. @param {number} stage */
  heights(stage) {
    const { votes } = this.line;
    if (this.nClasses === 2) return [voteDifference(votes(stage, 1 - this.above), votes(stage, this.above))];
    return Array.from({ length: this.nClasses }, (_, code) => votes(stage, code));
  }

  /** @param {CanvasRenderingContext2D} context @param {Size} size @param {ChartTheme} theme @returns {VotePlot | null} */
  plan(context, { width, height }, theme) {
    if (!this.line) return null;
    const unit = theme.enlarged;
    const bands = (BAND + 3 * ROOM) * unit; // the tree's band; that of the vote lies below the frame
    const upper = Math.max(70, (height - bands) * 0.44);
    const frame = makeFrame(context, { left: 0, top: upper + bands, right: width, bottom: height }, { x: this.xRange, y: this.yRange, top: 22, bottom: 40 + BAND + ROOM }, theme);
    context.font = `${Math.round(12 * unit)}px ${theme.font}`;
    const names = this.picture.classes.map((name) => visibleText(name));
    const widest = Math.min(width * 0.2, Math.max(...[...names, say("tree {stage}", { stage: 100 })].map((name) => context.measureText(name).width)));
    if (frame.area.left < widest + 14) moveLeftEdge(frame, widest + 14);
    const lane = (upper - 26 * unit) / this.nClasses;
    const radius = Math.min(MOST_RADIUS, lane / 2 - 2, Math.max(8, (frame.area.right - frame.area.left) / 26));
    const mean = Math.max(LEAST_RADIUS, radius / Math.sqrt(this.largest));
    const rank = (/** @type {number} */ code) => (this.above === 0 ? 1 - code : code);
    const laneOf = (/** @type {number} */ code) => 26 * unit + lane * (this.nClasses - rank(code) - 0.5); // as f(x) has the two classes
    return { frame, theme, names, upper, lane, mean, laneOf, unit, band: { height: BAND * unit, tree: upper + ROOM * unit, vote: frame.area.bottom + 22 * unit } };
  }

  /** @param {CanvasRenderingContext2D} context @param {VotePlot} votePlot */
  drawStill(context, { frame, theme, names, laneOf, band, unit }) {
    const { area } = frame;
    drawFrame(context, { ...frame, area }, {});
    context.textAlign = "right";
    context.textBaseline = "middle";
    names.forEach((name, code) => {
      strokePath(context, [[area.left, laneOf(code)], [area.right, laneOf(code)]], theme.grid, 1, []);
      context.fillStyle = theme.text;
      context.fillText(fitted(context, name, area.left - 12), area.left - 8, laneOf(code));
    });
    context.fillStyle = theme.quiet;
    context.fillText(say("vote"), area.left - 8, band.vote + band.height / 2);
    context.fillText(fitted(context, visibleText(this.line.feature), area.right - area.left), area.right, band.vote + band.height + 12 * unit);
    context.textAlign = "left";
  }

  /** @param {CanvasRenderingContext2D} context @param {VotePlot} plot */
  drawMoving(context, plot) {
    const { theme, frame } = plot;
    this.drawRows(context, plot);
    this.drawBand(context, plot, plot.band.tree, this.stage > 0 ? this.line.answers(this.stage - 1) : null);
    if (this.stage > 0) this.nameBand(context, plot);
    const title = this.nClasses === 2
      ? say("f(x), the sum of the votes: above 0 for {name}", { name: plot.names[this.above] })
      : say("Sum of the votes for each class");
    drawTitle(context, { ...frame, box: { ...frame.box, left: frame.area.left - 2 } }, title);
    this.drawVote(context, plot);
    const { edges, votes } = this.line;
    const codes = leaders((code) => votes(this.stage, code), this.nClasses, edges.length - 1);
    this.drawBand(context, plot, plot.band.vote, this.stage > 0 ? codes : null);
    strokePath(context, [[frame.area.left, frame.area.bottom], [frame.area.right, frame.area.bottom]], theme.quiet, 1, []);
  }

  /** @param {CanvasRenderingContext2D} context @param {VotePlot} votePlot */
  nameBand(context, { theme, frame, band }) {
    context.textAlign = "right";
    context.textBaseline = "middle";
    context.fillStyle = theme.quiet;
    context.fillText(say("tree {stage}", { stage: this.stage }), frame.area.left - 8, band.tree + band.height / 2);
    context.textAlign = "left";
  }

  /** @param {CanvasRenderingContext2D} context @param {VotePlot} plot */
  drawRows(context, plot) {
    const { theme, frame, laneOf, mean } = plot;
    const { weights } = this;
    const { x, classOf } = this.line;
    const wrong = weights.wrong(this.stage);
    radiiOf(weights.weights(this.stage), mean, this.radii);
    const fields = { stage: Math.max(this.stage, 1) };
    const grownOn = say("A dot for each row, as large as its weight for tree {stage}", fields);
    const titles = this.stage === 0 ? [grownOn] : [say("A dot for each row, as large as its weight for tree {stage}; red ring: this tree misclassifies it", fields), say("Area: weight; red ring: misclassified by tree {stage}", fields), say("Ring: misclassified by tree {stage}", fields)];
    drawTitle(context, { ...frame, box: { ...frame.box, top: 0, left: frame.area.left - 2 } }, ...titles);
    for (let i = 0; i < x.length; i++) {
      const [px, py] = [frame.toX(x[i]), laneOf(classOf[i])];
      paintDot(context, px, py, this.radii[i], theme.classes[classOf[i] % theme.classes.length], theme.background);
      if (wrong && wrong[i]) strokeDot(context, px, py, this.radii[i] + 3, theme.bad, 2.5);
      if (weights.rows[i] === this.row) strokeDot(context, px, py, this.radii[i] + 7, theme.text, 1.5);
    }
  }

  /**
   * Which class is predicted where, as a band of the classes' colours.
   * @param {CanvasRenderingContext2D} context @param {VotePlot} votePlot @param {number} top @param {Numbers | null} codes
   */
  drawBand(context, { frame, theme, band }, top, codes) {
    const { area, toX } = frame;
    if (!codes) {
      context.fillStyle = theme.grid;
      context.fillRect(area.left, top, area.right - area.left, band.height);
      return;
    }
    const runs = runsOf(this.line.edges, codes);
    runs.forEach(({ from, to, value }, i) => {
      const start = i === 0 ? area.left : toX(from);
      const end = i === runs.length - 1 ? area.right : toX(to);
      context.fillStyle = theme.classes[value % theme.classes.length];
      context.fillRect(start, top, end - start, band.height);
      if (i > 0) strokePath(context, [[start, top], [start, top + band.height]], theme.background, 2, []);
    });
  }

  /** @param {CanvasRenderingContext2D} context @param {VotePlot} votePlot */
  drawVote(context, { frame, theme }) {
    const { area, toY } = frame;
    const stairs = this.heights(this.stage).map((values) => corners(this.line.edges, values));
    if (this.nClasses === 2) {
      strokePath(context, [[area.left, toY(0)], [area.right, toY(0)]], theme.quiet, 1.25, []);
      fillStairs(context, frame, stairs[0], theme, this.above);
      strokeStairs(context, frame, stairs[0], theme.text, 2.5, []);
    } else stairs.forEach((points, code) => strokeStairs(context, frame, points, theme.classes[code % theme.classes.length], 2.5, []));
  }

  /** @param {MouseEvent} event */
  pick(event) {
    const plot = this.box.plot();
    if (!plot) return;
    const { x, classOf } = this.line;
    const i = nearestPoint(x.length, (k) => [plot.frame.toX(x[k]), plot.laneOf(classOf[k])], pointIn(this.element, event), MOST_RADIUS);
    if (i >= 0) this.hooks.onRow(this.weights.rows[i]);
  }

  describe() {
    this.box.describe(say("Row weights and the vote over {feature} at stage {stage} of {last}", { feature: this.line.feature, stage: this.stage, last: this.picture.nStages }));
  }
}

/** Move the left edge of a frame's area: labels beside it need more room. @param {ChartFrame} frame @param {number} left */
function moveLeftEdge(frame, left) {
  frame.area.left = left;
  frame.toX = linearScale(frame.toX.domain, [left, frame.area.right]);
}

/**
 * A row's dot; one of weight 0 is a small hollow ring.
 * @param {CanvasRenderingContext2D} context @param {number} x @param {number} y @param {number} radius @param {string} colour
 * @param {string} background
 */
function paintDot(context, x, y, radius, colour, background) {
  if (radius < 0.5) {
    strokeDot(context, x, y, 2, colour, 1);
    return;
  }
  context.globalAlpha = 0.82;
  context.fillStyle = colour;
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fill();
  context.globalAlpha = 1;
  strokeDot(context, x, y, radius, background, 1);
}

/**
 * The area between a staircase and zero: above in the colour of the class that it stands for.
 * @param {CanvasRenderingContext2D} context @param {ChartFrame} frame @param {number[][]} points @param {ChartTheme} theme
 * @param {number} above
 */
function fillStairs(context, { area, toX, toY }, points, theme, above) {
  const zero = toY(0);
  const inside = (/** @type {number} */ pixel) => Math.min(Math.max(pixel, area.left), area.right);
  context.globalAlpha = 0.22;
  for (let i = 0; i + 1 < points.length; i += 2) {
    const [[from, value], [to]] = [points[i], points[i + 1]];
    const [start, end, y] = [inside(toX(from)), inside(toX(to)), toY(value)];
    context.fillStyle = theme.classes[value > 0 ? above : 1 - above];
    context.fillRect(start, Math.min(y, zero), end - start, Math.abs(y - zero));
  }
  context.globalAlpha = 1;
}
