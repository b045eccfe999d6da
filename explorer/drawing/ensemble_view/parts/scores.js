// The score against the stage: a line for training, validation and out-of-bag rows, a level line for every baseline, the
// best stage, and a marker at the stage, which the pointer moves.

/** @typedef {import("../draw/stage_chart.js").ChartTheme} ChartTheme */
/** @typedef {import("../model/picture.js").Picture} Picture */
/** @typedef {import("../../charts/chart_box.js").Point} Point */
/** @typedef {import("../../charts/chart_box.js").Size} Size */
/** @typedef {import("../../charts/scales.js").Pair} Pair */

import { drawFrame, makeFrame } from "../../charts/frame.js";
import { listenToPointer, makeChartBox } from "../../charts/chart_box.js";
import { rangeOf } from "../model/staircase.js";
import { thinnedLine } from "../../charts/lines.js";
import { scoreDomain } from "../../charts/scales.js";
import { makeFollower } from "../../tree_view/panel/slider_motion.js";
import { drawStar, fillDot, strokeDot, strokePath } from "../../charts/strokes.js";
import { legendEntry, strokeSwatch } from "../../charts/swatches.js";
import { makeElement, putText } from "../../tree_view/dom.js";
import { numberText, scoreText, unbroken } from "../../tree_view/format.js";
import { later } from "../../tree_view/later.js";
import { listing, say } from "../../tree_view/messages.js";

/** @typedef {"quiet" | "residual" | "primary"} Tone */
/** @typedef {Pick<Picture, "curves" | "isShare" | "isRegression">} Scored */
/** @typedef {{ frame: import("../../charts/frame.js").Frame, theme: ChartTheme }} ScorePlot */

/** @type {Record<string, { name: () => string, tone: Tone, dash: number[] }>} */
const CURVES = {
  training: { name: () => say("training"), tone: "quiet", dash: [1.5, 4] },
  oob: { name: () => say("out-of-bag"), tone: "residual", dash: [9, 3] },
  validation: { name: () => say("validation"), tone: "primary", dash: [] },
};
/** @type {Record<string, { name: () => string, dash: number[] }>} */
const BASELINES = {
  constant: { name: () => say("baseline"), dash: [2, 5] },
  tree: { name: () => say("single tree"), dash: [7, 4] },
  pruned_tree: { name: () => say("single tree, pruned"), dash: [11, 3, 2, 3] },
};

/** The name of a curve: "training". @param {string} of */
function curveName(of) {
  return CURVES[of].name();
}

/** A score as the page has it: a share, a squared error, or the cost of a row. @param {Scored} picture @param {number} value */
function scoreOf(picture, value) {
  const isCost = !picture.isShare && !picture.isRegression;
  return isCost ? numberText(value) : scoreText(value, picture.isShare);
}

/** The scores of a stage as text: "training 97.1 %, validation 84.3 %". @param {Scored} picture @param {number} stage */
export function scoreWords(picture, stage) {
  const words = picture.curves.map(({ of, values }) => `${curveName(of)} ${scoreOf(picture, values[stage])}`);
  return unbroken(listing(words));
}

/** @param {{ onMoveTo: (stage: number) => void, onRelease: () => void }} hooks */
export function makeScores(hooks) {
  return new Scores(hooks);
}

class Scores {
  /** @param {{ onMoveTo: (stage: number) => void, onRelease: () => void }} hooks */
  constructor(hooks) {
    this.hooks = hooks;
    this.stage = 0;
    /** @type {Picture} */
    this.picture = later();
    /** @type {ChartTheme} */
    this.theme = later();
    this.words = makeFollower((stage) => this.write(stage));
    this.chart = makeChartBox("ev-scores-chart", this);
    this.legend = makeElement("div", "tv-legend");
    this.now = makeElement("p", "ev-now");
    this.title = makeElement("h4", "tv-title");
    this.element = makeElement("section", "ev-part ev-scores", {}, [this.title, this.now, this.chart.element, this.legend]);
    listenToPointer(this.chart.element, { onDrag: (point) => this.point(point), onRelease: () => hooks.onRelease() });
  }

  /** @param {Picture} picture */
  set(picture) {
    this.words.forget();
    this.picture = picture;
    const name = say("By stage: {score}", { score: picture.scoreName });
    putText(this.title, name);
    this.element.setAttribute("aria-label", name);
    this.writeLegend();
    this.chart.redrawSoon();
  }

  /** @param {CanvasRenderingContext2D} context @param {Size} size @param {ChartTheme} theme */
  plan(context, { width, height }, theme) {
    if (!this.picture?.curves.length) return null;
    const { curves, baselines, isShare, nStages } = this.picture;
    const [least, largest] = rangeOf(...curves.map(({ values }) => values), baselines.map(({ value }) => value));
    /** @type {Pair} */
    const x = [-0.012 * Math.max(nStages, 1), Math.max(nStages, 1) * 1.012];
    const frame = makeFrame(context, { left: 0, top: 0, right: width, bottom: height }, { x, y: scoreDomain(least, largest, isShare), isShare, top: 16, isCount: true }, theme);
    return { frame, theme };
  }

  /** @param {CanvasRenderingContext2D} context @param {ScorePlot} plot */
  drawStill(context, { frame, theme }) {
    const { curves } = this.picture;
    drawFrame(context, frame, { xTitle: say("stage") });
    for (const { of, value } of this.picture.baselines) {
      strokePath(context, [[frame.area.left, frame.toY(value)], [frame.area.right, frame.toY(value)]], theme.quiet, 1.25, BASELINES[of].dash);
    }
    for (const { of, values } of curves) {
      /** @type {Pair[]} */
      const points = [];
      for (let k = 0; k < values.length; k++) if (!Number.isNaN(values[k])) points.push([frame.toX(k), frame.toY(values[k])]);
      context.lineCap = CURVES[of].dash.length ? "round" : "butt";
      strokePath(context, thinnedLine(points), theme[CURVES[of].tone], 2.25, CURVES[of].dash);
      if (points.length <= 30) for (const [x, y] of points) fillDot(context, x, y, 2.5, theme[CURVES[of].tone]);
    }
    const { best, mainCurve } = this.picture;
    if (best >= 0 && mainCurve) drawStar(context, frame.toX(best), frame.toY(mainCurve.values[best]), theme);
  }

  /** @param {CanvasRenderingContext2D} context @param {ScorePlot} plot */
  drawMoving(context, { frame, theme }) {
    const { area, toX, toY } = frame;
    const x = toX(this.stage);
    context.globalAlpha = 0.55;
    strokePath(context, [[x, area.top], [x, area.bottom]], theme.primary, 1.5, []);
    context.globalAlpha = 1;
    for (const { of, values } of this.picture.curves) {
      if (Number.isNaN(values[this.stage])) continue;
      const y = toY(values[this.stage]);
      fillDot(context, x, y, 5.5, theme.background);
      fillDot(context, x, y, 4.25, theme[CURVES[of].tone]);
      if (this.picture.mainCurve?.of === of) strokeDot(context, x, y, 8, theme.text, 2);
    }
  }

  writeLegend() {
    if (!this.picture || !this.theme) return;
    const { baselines, best, curves } = this.picture;
    const entries = curves.map(({ of }) => legendEntry(strokeSwatch(this.theme[CURVES[of].tone], CURVES[of].dash, false), curveName(of)));
    // Level lines have their names here: in the chart a name would hide the curves, which run close to them.
    for (const { of } of baselines) entries.push(legendEntry(strokeSwatch(this.theme.quiet, BASELINES[of].dash, false), BASELINES[of].name()));
    if (best >= 0) entries.push(legendEntry("★", say("best on validation rows: stage {best}", { best })));
    this.legend.replaceChildren(...entries);
  }

  /** @param {ChartTheme} theme */
  setTheme(theme) {
    this.theme = theme;
    this.chart.setTheme(theme);
    this.writeLegend();
  }

  /** @param {number} stage */
  setStage(stage) {
    this.stage = stage;
    this.chart.redrawMoving();
    this.words.follow(stage);
  }

  /** @param {number} stage */
  write(stage) {
    putText(this.now, say("Stage {stage}: {scores}", { stage, scores: scoreWords(this.picture, stage) }));
  }

  setRow() {}

  describe() {
    this.words.catchUp();
    const levels = this.picture.baselines.map(({ of, value }) => `${BASELINES[of].name()} ${scoreOf(this.picture, value)}`);
    this.chart.describe(say("{score} at stage {stage}: {scores}", { score: this.picture.scoreName, stage: this.stage, scores: listing([scoreWords(this.picture, this.stage), ...levels]) }));
  }

  /** @param {Point} point */
  point({ x }) {
    const plot = this.chart.plot();
    if (plot) this.hooks.onMoveTo(Math.min(Math.max(Math.round(plot.frame.toX.invert(x)), 0), this.picture.nStages));
  }

  redrawSoon() {
    this.chart.redrawSoon();
  }

  destroy() {
    this.words.forget();
    this.chart.destroy();
  }
}
