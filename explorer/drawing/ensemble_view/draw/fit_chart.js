// One numeric feature and a number to predict: left the fit of the stage as a staircase through the points, right what is
// left to explain (residuals, or negative gradients), with the staircase of the next tree.

/** @typedef {import("../../charts/frame.js").Frame} ChartFrame */
/** @typedef {import("./stage_chart.js").ChartHooks} ChartHooks */
/** @typedef {import("./stage_chart.js").ChartTheme} ChartTheme */
/** @typedef {import("../../tree_view/model/split_payload.js").Numbers} Numbers */
/** @typedef {import("../model/picture.js").Picture} Picture */
/** @typedef {import("../../charts/chart_box.js").Size} Size */
/** @typedef {import("../../charts/scales.js").Pair} Pair */
/** @typedef {import("../model/picture.js").Scatter} Scatter */

import { drawFrame, drawTitle, makeFrame } from "../../charts/frame.js";
import { withRoom } from "../../charts/scales.js";
import { nearestPoint, pointIn } from "../../charts/chart_box.js";
import { StageChart } from "./stage_chart.js";
import { corners, intervalOf, rangeOf } from "../model/staircase.js";
import { traceShape } from "../../charts/shapes.js";
import { strokeDot, strokePath } from "../../charts/strokes.js";
import { visibleText } from "../../tree_view/format.js";
import { later } from "../../tree_view/later.js";
import { say } from "../../tree_view/messages.js";

/** @typedef {{ left: ChartFrame, right: ChartFrame | null, theme: ChartTheme }} FitPlot */

const [SIDE_BY_SIDE, MOST_DROPS, MOST_ABOVE] = [560, 150, 80];

/** @param {ChartHooks} hooks */
export function makeFitChart(hooks) {
  return new FitChart(hooks);
}

/** @extends {StageChart<FitPlot>} */
class FitChart extends StageChart {
  /** @type {Scatter} */
  scatter = later();
  /** @type {Pair} */
  xRange = [0, 1];
  /** @type {Pair} */
  yRange = [0, 1];
  /** @type {Pair | null} */
  targetRange = null;

  /** @param {ChartHooks} hooks */
  constructor(hooks) {
    super("ev-fit", hooks);
  }

  /** @param {Picture} picture */
  set(picture) {
    if (!picture.scatter) return;
    this.picture = picture;
    this.scatter = picture.scatter;
    const { x, y, edges, allFitted, allTargets } = this.scatter;
    this.xRange = withRoom(rangeOf(x, [edges[0], edges[edges.length - 1]]), 0.02);
    this.yRange = withRoom(rangeOf(y, allFitted));
    this.targetRange = allTargets ? withRoom(rangeOf(allTargets, [0])) : null;
    this.box.redrawSoon();
  }

  /** @param {CanvasRenderingContext2D} context @param {Size} size @param {ChartTheme} theme @returns {FitPlot | null} */
  plan(context, { width, height }, theme) {
    if (!this.scatter) return null;
    const isBeside = width >= SIDE_BY_SIDE;
    const { targetRange } = this;
    const hasTargets = targetRange !== null;
    const half = isBeside ? [width / 2, height] : [width, height / 2];
    const whole = { left: 0, top: 0, right: hasTargets ? half[0] : width, bottom: hasTargets ? half[1] : height };
    const left = makeFrame(context, isBeside && hasTargets ? { ...whole, right: whole.right - 8 } : whole, { x: this.xRange, y: this.yRange }, theme);
    if (!hasTargets) return { left, right: null, theme };
    const box = isBeside ? { left: width / 2 + 8, top: 0, right: width, bottom: height } : { left: 0, top: height / 2, right: width, bottom: height };
    return { left, right: makeFrame(context, box, { x: this.xRange, y: targetRange }, theme), theme };
  }

  /** @param {CanvasRenderingContext2D} context @param {FitPlot} plot */
  drawStill(context, { left, right, theme }) {
    const { feature } = this.scatter;
    drawFrame(context, left, { xTitle: feature });
    if (right) {
      drawFrame(context, right, { xTitle: feature });
      strokePath(context, [[right.area.left, right.toY(0)], [right.area.right, right.toY(0)]], theme.quiet, 1.25, []);
    }
  }

  dotRadius() {
    return this.scatter.x.length <= 60 ? 4.5 : this.scatter.x.length <= 400 ? 3 : 2;
  }

  /** @param {CanvasRenderingContext2D} context @param {FitPlot} plot */
  drawMoving(context, { left, right, theme }) {
    const { stage, scatter } = this;
    const { target, edges, fitted } = scatter;
    const fields = { target: visibleText(target), stage, before: stage - 1 };
    if (stage === 0) drawTitle(context, left, say("{target}, before any tree", fields));
    else drawTitle(context, left, say("{target} and the fit of stage {stage} (dashed: stage {before})", fields), say("{target}, fit of stage {stage}", fields));
    if (scatter.x.length <= MOST_DROPS) this.drawDrops(context, left, theme);
    const drawDots = () => fillDots(context, left, scatter.x, scatter.y, this.dotRadius(), theme.text, theme.background);
    const areDotsAbove = scatter.x.length <= MOST_ABOVE; // many dots would hide the line
    if (!areDotsAbove) drawDots();
    if (stage > 0) strokeStairs(context, left, corners(edges, fitted(stage - 1)), theme.quiet, 1.25, [4, 4]);
    strokeStairs(context, left, corners(edges, fitted(stage)), theme.primary, 3, []);
    if (areDotsAbove) drawDots();
    if (this.row >= 0) this.ringRow(context, left, scatter.y, theme);
    if (right) this.drawTargets(context, right, theme);
  }

  /**
   * The distance of every point from the fit.
   * @param {CanvasRenderingContext2D} context @param {ChartFrame} frame @param {ChartTheme} theme
   */
  drawDrops(context, frame, theme) {
    const { x, y, edges, fitted } = this.scatter;
    const values = fitted(this.stage);
    context.strokeStyle = theme.drop;
    context.lineWidth = 1.5;
    context.beginPath();
    for (let i = 0; i < x.length; i++) {
      const across = frame.toX(x[i]);
      context.moveTo(across, frame.toY(y[i]));
      context.lineTo(across, frame.toY(values[intervalOf(edges, x[i])]));
    }
    context.stroke();
  }

  /** @param {CanvasRenderingContext2D} context @param {ChartFrame} frame @param {ChartTheme} theme */
  drawTargets(context, frame, theme) {
    const { stage, scatter } = this;
    const { x, edges, targetName } = scatter;
    const isLast = stage >= this.picture.nStages;
    const targets = scatter.targets?.(stage);
    if (!targets) return;
    const fields = { name: visibleText(targetName), stage, next: stage + 1 };
    if (isLast) drawTitle(context, frame, targets.some(Number.isFinite) ? say("Stage {stage}: {name} left", fields) : say("Stage {stage}: no further tree", fields));
    else drawTitle(context, frame, say("Stage {stage}: {name}, and tree {next} on it", fields), say("{name}, tree {next}", fields));
    const [from, zero] = [frame.toX, frame.toY(0)];
    if (x.length <= MOST_DROPS) {
      context.strokeStyle = theme.drop;
      context.lineWidth = 1.5;
      context.beginPath();
      for (let i = 0; i < x.length; i++) {
        context.moveTo(from(x[i]), zero);
        context.lineTo(from(x[i]), frame.toY(targets[i]));
      }
      context.stroke();
    }
    const drawDots = () => fillDots(context, frame, x, targets, this.dotRadius(), theme.residual, theme.background);
    const areDotsAbove = x.length <= MOST_ABOVE;
    if (!areDotsAbove) drawDots();
    if (!isLast && scatter.answers) strokeStairs(context, frame, corners(edges, scatter.answers(stage)), theme.next, 3, []);
    if (areDotsAbove) drawDots();
    if (this.row >= 0) this.ringRow(context, frame, targets, theme);
  }

  /** @param {CanvasRenderingContext2D} context @param {ChartFrame} frame @param {Numbers} values @param {ChartTheme} theme */
  ringRow(context, frame, values, theme) {
    const { x, rows } = this.scatter;
    for (let i = 0; i < x.length; i++) {
      if ((rows ? rows[i] : i) !== this.row) continue;
      strokeDot(context, frame.toX(x[i]), frame.toY(values[i]), this.dotRadius() + 4, theme.text, 2);
    }
  }

  /** A click on a point, in either half, chooses its row. @param {MouseEvent} event */
  pick(event) {
    const plot = this.box.plot();
    if (!plot) return;
    const { x, y, rows, targets } = this.scatter;
    const point = pointIn(this.element, event);
    const isLeft = !plot.right || (point.x < plot.right.box.left && point.y < plot.left.box.bottom);
    const [frame, values] = isLeft || !plot.right || !targets ? [plot.left, y] : [plot.right, targets(this.stage)];
    const i = nearestPoint(x.length, (k) => [frame.toX(x[k]), frame.toY(values[k])], point);
    if (i >= 0) this.hooks.onRow(rows ? rows[i] : i);
  }

  describe() {
    const { feature, target } = this.scatter;
    this.box.describe(say("The fit of {target} over {feature} at stage {stage} of {last}", { feature, target, stage: this.stage, last: this.picture.nStages }));
  }
}

/**
 * A staircase between the edges of its frame.
 * @param {CanvasRenderingContext2D} context @param {Pick<ChartFrame, "area" | "toX" | "toY">} frame @param {number[][]} points
 * @param {string} colour @param {number} width @param {number[]} dash
 */
export function strokeStairs(context, { area, toX, toY }, points, colour, width, dash) {
  const inside = (/** @type {number} */ pixel) => Math.min(Math.max(pixel, area.left), area.right);
  strokePath(context, points.map(([x, y]) => [inside(toX(x)), toY(y)]), colour, width, dash);
}

/**
 * All dots of a chart as one shape with a thin rim of the background, so that neighbours stay apart.
 * @param {CanvasRenderingContext2D} context @param {ChartFrame} frame @param {Numbers} x @param {Numbers} y
 * @param {number} radius @param {string} colour @param {string} background
 */
function fillDots(context, { toX, toY }, x, y, radius, colour, background) {
  context.beginPath();
  for (let i = 0; i < x.length; i++) traceShape(context, "circle", toX(x[i]), toY(y[i]), radius);
  paintShapes(context, colour, background);
}

/**
 * Fill the current path, with a rim.
 * @param {CanvasRenderingContext2D} context @param {string} colour @param {string} background
 */
export function paintShapes(context, colour, background) {
  context.strokeStyle = background;
  context.lineWidth = 2;
  context.stroke();
  context.fillStyle = colour;
  context.fill();
}
