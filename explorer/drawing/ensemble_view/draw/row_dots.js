// All rows as dots whose area is the weight that the stage's tree was grown on, grouped by class; misclassified ones ringed.

/** @typedef {import("./stage_chart.js").ChartHooks} ChartHooks */
/** @typedef {import("./stage_chart.js").ChartTheme} ChartTheme */
/** @typedef {import("../model/picture.js").Picture} Picture */
/** @typedef {import("../../charts/chart_box.js").Size} Size */
/** @typedef {import("../model/picture.js").Weights} Weights */

import { chartFont, drawTitle, fitted } from "../../charts/frame.js";
import { makeTip, nearestPoint, pointIn } from "../../charts/chart_box.js";
import { StageChart } from "./stage_chart.js";
import { largestShare, radiiOf, rowGrid } from "../model/grids.js";
import { traceShape } from "../../charts/shapes.js";
import { numberText, visibleText } from "../../tree_view/format.js";
import { later } from "../../tree_view/later.js";
import { say, sayCount } from "../../tree_view/messages.js";

/**
 * @typedef {{
 *   grid: ReturnType<typeof rowGrid>, theme: ChartTheme, top: number, mean: number, width: number, hasLabels: boolean,
 * }} DotPlot
 */

const [MOST_LABELS, LABEL_SIDE, LABEL_ROOM, TITLE, LEAST_DOT, RIM] = [60, 34, 13, 26, 0.7, 12];

/** @param {ChartHooks} hooks */
export function makeRowDots(hooks) {
  return new RowDots(hooks);
}

/** @extends {StageChart<DotPlot>} */
export class RowDots extends StageChart {
  /** @type {Weights} */
  weights = later();
  largest = 1;
  radii = new Float32Array(0);

  /** @param {ChartHooks} hooks */
  constructor(hooks) {
    super("ev-rows", hooks);
    this.tip = makeTip(this.element);
    this.element.addEventListener("pointermove", (event) => this.showTip(event));
    this.element.addEventListener("pointerleave", () => this.tip.hide());
  }

  /** @param {Picture} picture */
  set(picture) {
    if (!picture.weights) return;
    this.picture = picture;
    this.weights = picture.weights;
    this.largest = largestShare(this.weights.weights, picture.nStages);
    this.radii = new Float32Array(this.weights.n);
    this.box.redrawSoon();
  }

  /** @param {CanvasRenderingContext2D} context @param {Size} size @param {ChartTheme} theme @returns {DotPlot | null} */
  plan(context, { width, height }, theme) {
    if (!this.weights) return null;
    const top = TITLE * theme.enlarged;
    const grid = rowGrid(this.weights.classOf, this.picture.classes.length, { width: width - 2 * RIM, height: height - top - RIM }, 22 * theme.enlarged);
    grid.x.forEach((x, i) => (grid.x[i] = x + RIM)); // room for dots that are larger than their cell
    const hasLabels = this.weights.classOf.length <= MOST_LABELS && grid.side >= LABEL_SIDE * theme.enlarged;
    // The largest dot leaves the names below the rows free, or without names covers half of its neighbours; a row of
    // mean weight is seen at least as a point.
    const largest = hasLabels ? grid.side / 2 - LABEL_ROOM * theme.enlarged : grid.side * 0.75;
    const mean = Math.max(LEAST_DOT, Math.min(grid.side * 0.3, largest / Math.sqrt(this.largest)));
    return { grid, theme, top, mean, width, hasLabels };
  }

  /** @param {CanvasRenderingContext2D} context @param {DotPlot} plot */
  drawStill(context, { grid, theme, top, width, hasLabels }) {
    const { labels } = this.weights;
    context.textBaseline = "middle";
    context.font = chartFont(theme, 600);
    for (const { code, top: at, n } of grid.groups) {
      if (!this.picture.classes.length) break;
      context.fillStyle = theme.text;
      const name = say("{name}: {rows}", { name: visibleText(this.picture.classes[code]), rows: this.rowsText(n, code) });
      context.fillText(fitted(context, name, width - 16), 4, top + at + 11 * theme.enlarged);
    }
    if (!hasLabels) return;
    context.font = chartFont(theme, 400, 11);
    context.textAlign = "center";
    context.fillStyle = theme.quiet;
    labels.forEach((label, i) => context.fillText(fitted(context, visibleText(label), grid.side - 4), grid.x[i], top + grid.y[i] + grid.side / 2 - 6));
    context.textAlign = "left";
  }

  /** How many rows of a class are shown, and of how many where not all are. @param {number} n @param {number} code */
  rowsText(n, code) {
    const all = this.weights.ofClass[code] ?? n;
    if (n < all) return sayCount(all, "{shown} of {n} row shown", "{shown} of {n} rows shown", { shown: n.toLocaleString("en-US") });
    return sayCount(n, "{n} row", "{n} rows");
  }

  /** @param {CanvasRenderingContext2D} context @param {DotPlot} plot */
  drawMoving(context, { grid, theme, top, mean, width }) {
    const { weights, wrong, rows } = this.weights;
    radiiOf(weights(this.stage), mean, this.radii);
    this.writeTitle(context, theme, width);
    for (const { code } of grid.groups) this.fillClass(context, { grid, theme, top }, code);
    this.ring(context, { grid, top }, (i) => this.radii[i] === 0, theme.quiet, 1);
    const missed = wrong(this.stage);
    if (missed) this.ring(context, { grid, top }, (i) => missed[i] === 1, theme.bad, grid.side < 14 ? 1.5 : 2.25);
    if (this.row >= 0) this.ring(context, { grid, top }, (i) => rows[i] === this.row, theme.text, 2.5, 5);
  }

  /** @param {CanvasRenderingContext2D} context @param {ChartTheme} theme @param {number} width */
  writeTitle(context, theme, width) {
    let missed = 0;
    this.weights.wrong(this.stage)?.forEach((flag) => (missed += flag));
    drawTitle(context, { box: { left: 2, top: 0 }, area: { right: width }, theme }, ...this.titles(this.stage, missed));
  }

  /** What the dots show, in full and for ever narrower pictures. @param {number} stage @param {number} n */
  titles(stage, n) {
    const byTree = say("Ring: misclassified by tree {stage} ({n})", { stage, n }); // the ensemble may be right about the row
    if (this.weights.areDrawn) {
      if (stage === 0) return [say("A dot for each row, its area how often tree 1 draws it")];
      return [
        say("A dot for each row, its area how often tree {stage} drew it; red ring: this tree misclassifies it ({n})", { stage, n }),
        say("Area: times drawn; red ring: misclassified by tree {stage} ({n})", { stage, n }),
        byTree,
      ];
    }
    if (stage === 0) return [say("A dot for each row, as large as its weight for tree 1")];
    if (this.picture.hasNumericMembers) {
      return [
        say("A dot for each row, as large as its weight in round {stage}; red ring: misclassified after it ({n})", { stage, n }),
        say("Area: weight in round {stage}; red ring: misclassified after it ({n})", { stage, n }),
        say("Ring: misclassified at stage {stage} ({n})", { stage, n }),
      ];
    }
    return [
      say("A dot for each row, as large as its weight for tree {stage}; red ring: this tree misclassifies it ({n})", { stage, n }),
      say("Area: weight; red ring: misclassified by tree {stage} ({n})", { stage, n }),
      byTree,
    ];
  }

  /**
   * All dots of a class as one shape: one fill a class keeps 2,000 rows smooth.
   * @param {CanvasRenderingContext2D} context @param {Pick<DotPlot, "grid" | "theme" | "top">} plot @param {number} code
   */
  fillClass(context, { grid, theme, top }, code) {
    const { classOf } = this.weights;
    const hasClasses = this.picture.classes.length > 0;
    context.beginPath();
    for (let i = 0; i < classOf.length; i++) {
      if ((hasClasses && classOf[i] !== code) || this.radii[i] === 0) continue;
      traceShape(context, "circle", grid.x[i], top + grid.y[i], Math.max(this.radii[i], 0.4));
    }
    context.globalAlpha = 0.85;
    context.fillStyle = hasClasses ? theme.classes[code % theme.classes.length] : theme.primary;
    context.fill();
    context.globalAlpha = 1;
  }

  /**
   * @param {CanvasRenderingContext2D} context @param {Pick<DotPlot, "grid" | "top">} plot
   * @param {(i: number) => boolean} isRinged @param {string} colour @param {number} width
   */
  ring(context, { grid, top }, isRinged, colour, width, away = 2) {
    context.beginPath();
    for (let i = 0; i < this.radii.length; i++) {
      if (!isRinged(i)) continue;
      traceShape(context, "circle", grid.x[i], top + grid.y[i], this.radii[i] + away);
    }
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.stroke();
  }

  /** @param {MouseEvent} event */
  at(event) {
    const plot = this.box.plot();
    if (!plot) return -1;
    const { grid, top } = plot;
    return nearestPoint(this.weights.n, (i) => [grid.x[i], top + grid.y[i]], pointIn(this.element, event), grid.side * 0.7);
  }

  /** @param {MouseEvent} event */
  pick(event) {
    const i = this.at(event);
    if (i >= 0) this.hooks.onRow(this.weights.rows[i]);
  }

  /** @param {MouseEvent} event */
  showTip(event) {
    const i = this.at(event);
    if (i < 0) return this.tip.hide();
    const { labels, weights, wrong } = this.weights;
    const shown = weights(this.stage);
    let sum = 0;
    for (const weight of shown) sum += weight;
    const lines = [visibleText(labels[i]), say("weight {weight} = {times} × the mean", { weight: numberText(shown[i]), times: numberText((shown[i] * shown.length) / sum, 2) })];
    if (wrong(this.stage)?.[i]) lines.push(this.picture.hasNumericMembers ? say("misclassified at stage {stage}", { stage: this.stage }) : say("misclassified by tree {stage}", { stage: this.stage }));
    this.tip.show(lines, pointIn(this.element, event));
  }

  /** @param {number} stage */
  setStage(stage) {
    this.tip.hide();
    super.setStage(stage);
  }

  describe() {
    this.box.describe(say("Weights of the rows at stage {stage} of {last}", { stage: this.stage, last: this.picture.nStages }));
  }
}
