// The histogram of the margins at the stage: rows left of 0 are misclassified.

/** @typedef {import("../draw/stage_chart.js").ChartTheme} ChartTheme */
/** @typedef {import("../../tree_view/model/split_payload.js").Numbers} Numbers */
/** @typedef {import("../model/picture.js").Picture} Picture */
/** @typedef {import("../../charts/chart_box.js").Size} Size */
/** @typedef {import("../../charts/scales.js").Pair} Pair */

import { drawFrame, makeFrame } from "../../charts/frame.js";
import { makeChartBox } from "../../charts/chart_box.js";
import { rangeOf } from "../model/staircase.js";
import { strokePath } from "../../charts/strokes.js";
import { makeElement, putText } from "../../tree_view/dom.js";
import { makeFollower } from "../../tree_view/panel/slider_motion.js";
import { numberText } from "../../tree_view/format.js";
import { later } from "../../tree_view/later.js";
import { say, sayCount } from "../../tree_view/messages.js";

/** @typedef {{ frame: import("../../charts/frame.js").Frame, theme: ChartTheme }} MarginPlot */

/** How many rows have a margin below 0; a bin that holds 0 counts by its middle. @param {Numbers} edges @param {Numbers} counts */
export function rowsBelowZero(edges, counts) {
  let below = 0;
  for (let b = 0; b < counts.length; b++) if (edges[b] + edges[b + 1] < 0) below += counts[b];
  return below;
}

export function makeMargins() {
  return new Margins();
}

class Margins {
  constructor() {
    this.stage = 0;
    this.most = 0;
    /** @type {NonNullable<Picture["margins"]>} */
    this.margins = later();
    this.words = makeFollower(() => putText(this.now, this.sentence()));
    this.chart = makeChartBox("ev-margins-chart", this);
    this.now = makeElement("p", "ev-now");
    this.title = makeElement("h4", "tv-title", {}, [say("Margins of the rows")]);
    this.element = makeElement("section", "ev-part ev-margins", { "aria-label": say("Margins of the rows") }, [this.title, this.now, this.chart.element]);
  }

  /** @param {Picture} picture */
  set(picture) {
    this.words.forget();
    if (!picture.margins) return;
    this.margins = picture.margins;
    this.most = rangeOf(this.margins.all, [0])[1];
    this.chart.redrawSoon();
  }

  /** @param {CanvasRenderingContext2D} context @param {Size} size @param {ChartTheme} theme */
  plan(context, { width, height }, theme) {
    if (!this.margins) return null;
    const { edges } = this.margins;
    /** @type {Pair} */
    const x = [edges[0], edges[edges.length - 1]];
    return { frame: makeFrame(context, { left: 0, top: 0, right: width, bottom: height }, { x, y: [0, this.most * 1.05 || 1], top: 8 }, theme), theme };
  }

  /** @param {CanvasRenderingContext2D} context @param {MarginPlot} plot */
  drawStill(context, { frame }) {
    drawFrame(context, frame, { xTitle: say("margin: votes for the right class less the most for another") });
  }

  /** @param {CanvasRenderingContext2D} context @param {MarginPlot} plot */
  drawMoving(context, { frame, theme }) {
    const { edges, counts, mean } = this.margins;
    const { area, toX, toY } = frame;
    counts(this.stage).forEach((count, b) => {
      const [start, end] = [toX(edges[b]), toX(edges[b + 1])];
      context.fillStyle = edges[b] + edges[b + 1] < 0 ? theme.bad : theme.primary;
      context.fillRect(start + 0.5, toY(count), Math.max(end - start - 1, 1), area.bottom - toY(count));
    });
    strokePath(context, [[toX(0), area.top], [toX(0), area.bottom]], theme.text, 1.25, []);
    const at = mean[this.stage];
    if (!Number.isNaN(at)) strokePath(context, [[toX(at), area.top], [toX(at), area.bottom]], theme.text, 2, [5, 3]);
  }

  /** @param {ChartTheme} theme */
  setTheme(theme) {
    this.chart.setTheme(theme);
  }

  /** @param {number} stage */
  setStage(stage) {
    this.stage = stage;
    this.chart.redrawMoving();
    this.words.follow();
  }

  sentence() {
    const { edges, counts, mean } = this.margins;
    if (Number.isNaN(mean[this.stage])) return say("No tree has voted yet.");
    const fields = { stage: this.stage, mean: numberText(mean[this.stage], 3) };
    return sayCount(rowsBelowZero(edges, counts(this.stage)), "Stage {stage}: mean margin {mean}, {n} row below 0.", "Stage {stage}: mean margin {mean}, {n} rows below 0.", fields);
  }

  setRow() {}

  describe() {
    this.words.catchUp();
    this.chart.describe(this.sentence());
  }

  redrawSoon() {
    this.chart.redrawSoon();
  }

  destroy() {
    this.words.forget();
    this.chart.destroy();
  }
}
