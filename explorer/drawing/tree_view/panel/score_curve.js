// The curve of scores: two canvases, a legend, a tooltip, and a pointer that moves the position.

/** @typedef {import("../model/pruned_shape.js").HandScore} HandScore */
/** @typedef {import("../../charts/chart_box.js").Point} Point */
/** @typedef {import("./position_axes.js").Axis} Axis */
/** @typedef {import("../model/payload.js").SequenceData} SequenceData */
/** @typedef {import("../theme.js").Theme} Theme */

import { alphaAxis, leafAxis, positionAt } from "./position_axes.js";
import { drawCurve, drawPosition, makePlot, curveLines } from "./curve_plot.js";
import { improvement, intervalText, leavesText, spokenPosition } from "../model/alpha_interval.js";
import { makeLegend } from "./legend.js";
import { makeFollower } from "./slider_motion.js";
import { listenToPointer, makeChartBox, makeTip } from "../../charts/chart_box.js";
import { makeElement, putText } from "../dom.js";
import { later } from "../later.js";
import { scoreText, unbroken } from "../format.js";
import { listing, say } from "../messages.js";

/** @type {[string, () => string][]} */
const CURVE_AXES = [["alpha", () => say("against α")], ["leaves", () => say("against leaves")]];

/** @param {{ onMoveTo: (position: number) => void, onRelease: () => void }} hooks */
export function makeCurve(hooks) {
  return new Curve(hooks);
}

class Curve {
  against = "alpha";
  axisButtons = CURVE_AXES.map(([axis, text]) => {
    const button = makeElement("button", "tv-segment", { type: "button", "aria-pressed": axis === this.against }, [text()]);
    button.addEventListener("click", () => this.setAxis(axis));
    return button;
  });

  /** @param {{ onMoveTo: (position: number) => void, onRelease: () => void }} hooks */
  constructor(hooks) {
    this.hooks = hooks;
    this.position = 0;
    /** @type {HandScore | null} */
    this.score = null;
    /** @type {SequenceData} */
    this.sequence = later();
    /** @type {Axis} */
    this.axis = later();
    this.follower = makeFollower((position) => this.write(position));
    this.chart = makeChartBox("tv-curve-box", {
      plan: (context, size, theme) => (this.sequence && curveLines(this.sequence).length ? makePlot(context, this.sequence, this.axis, size, theme) : null),
      drawStill: drawCurve,
      drawMoving: (context, plot) => drawPosition(context, plot, this.position, this.score),
    });
    this.tip = makeTip(this.chart.element);
    this.legend = makeLegend();
    this.now = makeElement("p", "tv-curve-now");
    const name = say("Scores of the subtrees");
    const axes = makeElement("div", "tv-segments", { role: "group", "aria-label": say("Horizontal axis") }, this.axisButtons);
    const heading = makeElement("div", "tv-curve-head", {}, [makeElement("h4", "tv-title", {}, [name]), axes]);
    this.element = makeElement("section", "tv-curve", { "aria-label": name }, [heading, this.now, this.chart.element, this.legend.element]);
    listenToPointer(this.chart.element, {
      onDrag: (point) => this.point(point, (position) => hooks.onMoveTo(position)),
      onHover: (point) => (point ? this.point(point, (position) => this.showTip(position)) : this.tip.hide()),
      onRelease: () => hooks.onRelease(),
    });
  }

  /** @param {string} axis */
  setAxis(axis) {
    this.against = axis;
    CURVE_AXES.forEach(([name], k) => this.axisButtons[k].setAttribute("aria-pressed", String(name === axis)));
    this.rescale();
  }

  /** @param {SequenceData} sequence @param {number} position */
  setSequence(sequence, position) {
    this.follower.forget();
    this.sequence = sequence;
    this.position = position;
    this.legend.setSequence(sequence);
    this.writeNow();
    this.rescale();
    this.describe();
  }

  /** @param {Theme} theme */
  setTheme(theme) {
    this.legend.setTheme(theme);
    this.chart.setTheme(theme);
  }

  rescale() {
    const { alphas, leaves } = this.sequence;
    this.axis = this.against === "alpha" ? alphaAxis(alphas) : leafAxis(leaves);
    this.chart.redrawSoon();
  }

  redrawSoon() {
    this.chart.redrawSoon();
  }

  /** @param {number} position */
  setPosition(position) {
    this.position = position;
    this.chart.redrawMoving();
    this.follower.follow(position);
  }

  /** The position in words, here and in the legend. @param {number} position */
  write(position) {
    this.legend.setPosition(position);
    this.writeNow();
  }

  /** The score of the position beside the baseline, in words. */
  writeNow() {
    const found = improvement(this.sequence, this.position);
    const text = found ? say("{leaves}: {name} {score}", { leaves: leavesText(this.sequence.leaves[this.position]), name: found.name, score: found.text }) : "";
    putText(this.now, unbroken(text));
    this.now.classList.toggle("tv-no-better", found !== null && !found.isAbove);
  }

  /** The score of the tree pruned by hand, null for none. @param {HandScore | null} score */
  setHand(score) {
    this.score = score;
    this.chart.redrawMoving();
    this.legend.setHand(score);
  }

  /** The numbers of this position for screen readers; only after the reader has stopped there. */
  describe() {
    this.follower.catchUp();
    const numbers = listing(scoreWords(this.sequence, this.position));
    const now = spokenPosition(this.sequence, this.position);
    this.chart.describe(say("Curve of {metric}. Now {position}: {scores}", { metric: this.sequence.scoreName, position: now, scores: numbers }));
  }

  /** What `take` does with the position at a point of the chart. @param {Point} point @param {(position: number) => void} take */
  point({ x }, take) {
    const plot = this.chart.plot();
    if (plot) take(positionAt(this.axis, plot.toX.invert(x)));
  }

  /** The numbers of a position, beside it and inside the chart. @param {number} position */
  showTip(position) {
    const { sequence } = this;
    const texts = [intervalText(sequence, position), leavesText(sequence.leaves[position]), ...scoreWords(sequence, position)];
    const plot = this.chart.plot();
    if (plot) this.tip.show(texts, { x: plot.toX(this.axis.centres[position]), y: 20 });
  }

  destroy() {
    this.follower.forget();
    this.chart.destroy();
  }
}

/**
 * The scores of a position as text: "training 92.9 %", "cross-validation 88.1 % ± 2.1 %".
 * @param {SequenceData} sequence @param {number} position
 */
function scoreWords(sequence, position) {
  return curveLines(sequence).map(({ name, values, se }) => {
    const spread = se && Number.isFinite(se[position]) ? ` ± ${scoreText(se[position], sequence.isShare)}` : "";
    return `${name} ${scoreText(values[position], sequence.isShare)}${spread}`;
  });
}
