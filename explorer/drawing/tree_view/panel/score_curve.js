// The curve of scores: two canvases, a legend, a tooltip, and a pointer that moves the position.

import { alphaScale, leafScale, positionAt } from "./axes.js";
import { drawCurve, drawPosition, makePlot, curveLines } from "./curve_plot.js";
import { improvement, intervalText, leavesText, spokenPosition } from "../model/alpha_interval.js";
import { makeLegend } from "./legend.js";
import { makeFollower } from "./slider_motion.js";
import { makeElement, putText, setShown } from "../dom.js";
import { scoreText, unbroken } from "../format.js";
import { listing, say } from "../messages.js";
import { sizedContext } from "../charts/strokes.js";

const CURVE_AXES = [["alpha", () => say("against α")], ["leaves", () => say("against leaves")]];

/** hooks: {onMoveTo(position), onRelease()}. */
export function makeCurve(hooks) {
  return new Curve(hooks);
}

class Curve {
  constructor(hooks) {
    this.hooks = hooks;
    this.axis = "alpha";
    [this.position, this.score] = [0, null];
    this.follower = makeFollower((position) => this.write(position));
    this.plot = null;
    this.frame = 0;
    this.lines = makeElement("canvas", "", { role: "img", "aria-label": "" });
    this.marks = makeElement("canvas", "", { "aria-hidden": "true" });
    this.tip = makeElement("div", "tv-curve-tip", { "aria-hidden": "true", hidden: "" });
    this.box = makeElement("div", "tv-curve-box", {}, [this.lines, this.marks, this.tip]);
    this.legend = makeLegend();
    this.now = makeElement("p", "tv-curve-now");
    const name = say("Scores of the subtrees");
    const heading = makeElement("div", "tv-curve-head", {}, [makeElement("h4", "tv-title", {}, [name]), this.axisChoice()]);
    this.element = makeElement("section", "tv-curve", { "aria-label": name }, [heading, this.now, this.box, this.legend.element]);
    this.listen();
    this.observer = new ResizeObserver(() => this.redrawSoon());
    this.observer.observe(this.box);
  }

  /** Two buttons, one of them pressed. */
  axisChoice() {
    this.axisButtons = CURVE_AXES.map(([axis, text]) => {
      const button = makeElement("button", "tv-segment", { type: "button", "aria-pressed": axis === this.axis }, [text()]);
      button.addEventListener("click", () => this.setAxis(axis));
      return button;
    });
    return makeElement("div", "tv-segments", { role: "group", "aria-label": say("Horizontal axis") }, this.axisButtons);
  }

  setAxis(axis) {
    this.axis = axis;
    CURVE_AXES.forEach(([name], k) => this.axisButtons[k].setAttribute("aria-pressed", String(name === axis)));
    this.rescale();
  }

  setSequence(sequence, position) {
    this.follower.forget();
    this.sequence = sequence;
    this.position = position;
    this.legend.setSequence(sequence);
    this.writeNow();
    this.rescale();
    this.describe();
  }

  setTheme(theme) {
    this.theme = theme;
    this.legend.setTheme(theme);
    this.redrawSoon();
  }

  rescale() {
    const { alphas, leaves } = this.sequence;
    this.scale = this.axis === "alpha" ? alphaScale(alphas) : leafScale(leaves);
    this.redrawSoon();
  }

  redrawSoon() {
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0;
      this.redraw();
    });
  }

  redraw() {
    const size = { width: this.box.clientWidth, height: this.box.clientHeight };
    if (!this.sequence || !this.theme || !size.width || !curveLines(this.sequence).length) return;
    const under = sizedContext(this.lines, size);
    this.over = sizedContext(this.marks, size);
    this.plot = makePlot(under, this.sequence, this.scale, size, this.theme);
    drawCurve(under, this.plot);
    drawPosition(this.over, this.plot, this.position, this.score);
  }

  setPosition(position) {
    this.position = position;
    this.drawMarks();
    this.follower.follow(position);
  }

  /** The position in words, here and in the legend. */
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

  /** The score of the tree pruned by hand, null for none. */
  setHand(score) {
    this.score = score;
    this.drawMarks();
    this.legend.setHand(score);
  }

  drawMarks() {
    if (!this.plot || this.plot.sequence !== this.sequence || this.frame) return;
    drawPosition(this.over, this.plot, this.position, this.score);
  }

  /** The numbers of this position for screen readers; only after the reader has stopped there. */
  describe() {
    this.follower.catchUp();
    const numbers = listing(scoreWords(this.sequence, this.position));
    const now = spokenPosition(this.sequence, this.position);
    this.lines.setAttribute("aria-label", say("Curve of {metric}. Now {position}: {scores}", { metric: this.sequence.scoreName, position: now, scores: numbers }));
  }

  listen() {
    this.box.addEventListener("pointerdown", (event) => this.take(event));
    this.box.addEventListener("pointermove", (event) => this.point(event));
    for (const name of ["pointerup", "pointercancel"]) this.box.addEventListener(name, () => this.release());
    this.box.addEventListener("pointerleave", () => this.isTaken || setShown(this.tip, false));
  }

  take(event) {
    if (event.button !== 0 || !this.plot) return;
    this.box.setPointerCapture(event.pointerId);
    this.isTaken = true;
    setShown(this.tip, false);
    this.point(event);
  }

  point(event) {
    if (!this.plot) return;
    const across = event.clientX - this.box.getBoundingClientRect().left;
    const { area, x } = this.plot;
    const share = Math.min(Math.max((across - area.left) / (area.right - area.left), 0), 1);
    const position = positionAt(x, x.low + share * (x.high - x.low));
    if (this.isTaken) this.hooks.onMoveTo(position);
    else this.showTip(position);
  }

  release() {
    if (!this.isTaken) return;
    this.isTaken = false;
    this.hooks.onRelease();
  }

  /** The numbers of a position, beside it and inside the chart. */
  showTip(position) {
    const { sequence } = this;
    const texts = [intervalText(sequence, position), leavesText(sequence.leaves[position]), ...scoreWords(sequence, position)];
    this.tip.replaceChildren(...texts.map((text) => makeElement("div", "", {}, [text])));
    setShown(this.tip, true);
    const at = this.plot.toX(this.scale.centres[position]);
    const width = this.tip.offsetWidth;
    const left = at + 16 + width <= this.plot.area.width ? at + 16 : at - 16 - width;
    this.tip.style.left = `${Math.max(Math.min(left, this.plot.area.width - width), 0)}px`;
  }

  destroy() {
    this.follower.forget();
    this.observer.disconnect();
    cancelAnimationFrame(this.frame);
  }
}

/** The scores of a position as text: "training 92.9 %", "cross-validation 88.1 % ± 2.1 %". */
function scoreWords(sequence, position) {
  return curveLines(sequence).map(({ name, values, se }) => {
    const spread = se && Number.isFinite(se[position]) ? ` ± ${scoreText(se[position], sequence.isShare)}` : "";
    return `${name} ${scoreText(values[position], sequence.isShare)}${spread}`;
  });
}
