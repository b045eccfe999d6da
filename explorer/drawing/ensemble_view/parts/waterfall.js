// How the answer for one row adds up: a bar for every member from the sum before it to the sum after it. Members after the
// stage are faded. Log-odds have the scale of probabilities on the right.

/** @typedef {import("../../charts/frame.js").Frame} ChartFrame */
/** @typedef {import("../draw/stage_chart.js").ChartTheme} ChartTheme */
/** @typedef {import("../model/picture.js").Picture} Picture */
/** @typedef {import("../model/picture.js").RowSum} RowSum */
/** @typedef {import("../../charts/chart_box.js").Size} Size */

import { chartFont, drawFrame, drawLabel, makeFrame } from "../../charts/frame.js";
import { withRoom } from "../../charts/scales.js";
import { makeChartBox } from "../../charts/chart_box.js";
import { logOdds, runningSums, sigmoid } from "../model/running_sum.js";
import { rangeOf } from "../model/staircase.js";
import { fillDot, strokePath } from "../../charts/strokes.js";
import { inPercent, numberText, percentText, visibleText } from "../../tree_view/format.js";
import { later } from "../../tree_view/later.js";
import { say } from "../../tree_view/messages.js";

/** @typedef {{ frame: import("../../charts/frame.js").Frame, theme: ChartTheme, slot: number }} SumPlot */

const SHARES = [0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999];
const [FADED, NARROW, SHARE_ROOM, SHARE_GAP] = [0.22, 2.2, 44, 16];

export function makeWaterfall() {
  return new Waterfall();
}

class Waterfall {
  constructor() {
    this.stage = 0;
    /** @type {Picture} */
    this.picture = later();
    /** @type {RowSum} */
    this.waterfall = later();
    /** @type {ReturnType<typeof runningSums>} */
    this.sums = later();
    this.chart = makeChartBox("ev-waterfall", this);
    this.element = this.chart.element;
  }

  /** @param {Picture} picture @param {RowSum} waterfall */
  set(picture, waterfall) {
    this.picture = picture;
    this.waterfall = waterfall;
    this.sums = runningSums(waterfall);
    this.chart.redrawSoon();
  }

  /** @param {CanvasRenderingContext2D} context @param {Size} size @param {ChartTheme} theme */
  plan(context, { width, height }, theme) {
    if (!this.sums) return null;
    const { actual, link } = this.waterfall;
    const extra = actual === null || link !== "identity" ? [] : [actual];
    const y = withRoom(rangeOf(this.sums, link === "identity" ? extra : [0]), 0.1);
    const n = this.sums.length;
    const right = link === "logistic" ? width - SHARE_ROOM * theme.enlarged : width;
    const frame = makeFrame(context, { left: 0, top: 0, right, bottom: height }, { x: [-0.5, n - 0.5], y, top: 10, isCount: true }, theme);
    return { frame, theme, slot: (frame.area.right - frame.area.left) / n };
  }

  /** @param {CanvasRenderingContext2D} context @param {SumPlot} plot */
  drawStill(context, { frame, theme }) {
    const { link } = this.waterfall;
    const { area, toY } = frame;
    drawFrame(context, frame, { xTitle: say("tree") });
    if (link !== "identity") strokePath(context, [[area.left, toY(0)], [area.right, toY(0)]], theme.quiet, 1.25, []);
    if (link === "logistic") this.drawShares(context, frame, theme);
  }

  /**
   * The row's own number as a line in front of the bars.
   * @param {CanvasRenderingContext2D} context @param {ChartFrame} frame @param {ChartTheme} theme
   */
  drawActual(context, { area, toY }, theme) {
    const { link, actual } = this.waterfall;
    if (link !== "identity" || actual === null) return;
    const y = toY(actual);
    strokePath(context, [[area.left, y], [area.right, y]], theme.text, 1.5, [6, 4]);
    context.font = chartFont(theme, 400, 11);
    context.textBaseline = "middle";
    context.textAlign = "right";
    drawLabel(context, theme, say("actual {value}", { value: numberText(actual) }), area.right - 2, y + (y - area.top < 16 ? 10 : -9));
    context.textAlign = "left";
  }

  /**
   * The scale of probabilities, in per cent, at the right.
   * @param {CanvasRenderingContext2D} context @param {ChartFrame} frame @param {ChartTheme} theme
   */
  drawShares(context, { area, toY }, theme) {
    context.textAlign = "left";
    context.textBaseline = "middle";
    context.fillStyle = theme.quiet;
    let last = Infinity;
    for (const share of SHARES) {
      const at = logOdds(share);
      if (at < toY.domain[0] || at > toY.domain[1] || last - toY(at) < SHARE_GAP * theme.enlarged) continue;
      last = toY(at);
      strokePath(context, [[area.right, last], [area.right + 4, last]], theme.quiet, 1, []);
      context.fillText(inPercent(numberText(100 * share, 1)), area.right + 7, last);
    }
  }

  /** @param {CanvasRenderingContext2D} context @param {SumPlot} plot */
  drawMoving(context, { frame, theme, slot }) {
    const m = this.picture.membersUpTo(this.stage);
    const { sums } = this;
    context.globalAlpha = FADED;
    this.drawBars(context, frame, theme, slot, m + 1, sums.length);
    context.globalAlpha = 1;
    this.drawBars(context, frame, theme, slot, 0, m + 1);
    this.drawActual(context, frame, theme);
    const [x, y] = [frame.toX(m), frame.toY(sums[m])];
    context.globalAlpha = 0.5;
    strokePath(context, [[frame.area.left, y], [frame.area.right, y]], theme.primary, 1.5, []);
    context.globalAlpha = 1;
    fillDot(context, x, y, 6, theme.background);
    fillDot(context, x, y, 4.5, theme.primary);
  }

  /**
   * The bars of the sums from one to before another; where they are too narrow, the line of the sums.
   * @param {CanvasRenderingContext2D} context @param {ChartFrame} frame @param {ChartTheme} theme @param {number} slot
   * @param {number} from @param {number} to
   */
  drawBars(context, frame, theme, slot, from, to) {
    const { toX, toY } = frame;
    const zero = toY(Math.min(Math.max(0, toY.domain[0]), toY.domain[1]));
    const width = Math.max(1, Math.min(slot * 0.74, 34));
    for (let m = from; m < to; m++) {
      const end = toY(this.sums[m]);
      const start = m === 0 ? zero : toY(this.sums[m - 1]);
      context.fillStyle = m === 0 ? theme.quiet : this.sums[m] >= this.sums[m - 1] ? theme.up : theme.down;
      context.fillRect(toX(m) - width / 2, Math.min(start, end), width, Math.max(Math.abs(end - start), 1.5));
      if (slot > NARROW * 3 && m + 1 < to) strokePath(context, [[toX(m) + width / 2, end], [toX(m + 1) - width / 2, end]], theme.quiet, 1, []);
    }
  }

  /** "Start 7.31, 3 trees add −1.20: 6.11; actual 5.56." @param {number} stage */
  sentenceAt(stage) {
    const { link, start, actual, of_class: name } = this.waterfall;
    const m = this.picture.membersUpTo(stage);
    const sum = this.sums[m];
    const [from, added, total] = [numberText(start), numberText(sum - start), numberText(sum)];
    if (link === "logistic") return say("Start {from}, {n} trees add {added}: log-odds {total}, probability of {name} {share}.", { from, n: m, added, total, name: visibleText(name), share: percentText(sigmoid(sum)) });
    if (link === "votes") return say("Votes for {name} less those against: {total}.", { name: visibleText(name), total });
    if (actual === null) return say("Start {from}, {n} trees add {added}: {total}.", { from, n: m, added, total });
    return say("Start {from}, {n} trees add {added}: {total}; actual {actual}.", { from, n: m, added, total, actual: numberText(actual) });
  }

  /** @param {ChartTheme} theme */
  setTheme(theme) {
    this.chart.setTheme(theme);
  }

  /** @param {number} stage */
  setStage(stage) {
    this.stage = stage;
    this.chart.redrawMoving();
  }

  /** @param {string} text */
  describe(text) {
    this.chart.describe(text);
  }

  redrawSoon() {
    this.chart.redrawSoon();
  }

  destroy() {
    this.chart.destroy();
  }
}
