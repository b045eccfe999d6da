// The gain of every threshold of the selected node: of x below the canvas, of y beside it, on one scale.

/** @typedef {import("./frame.js").Frame} Frame */
/** @typedef {import("../model/tree_places.js").Answer} Answer */
/** @typedef {import("../../tree_view/theme.js").Theme} Theme */
/** @typedef {Curves["parts"][number]} Part */

import { nearestOf } from "../../charts/scales.js";
import { say } from "../../tree_view/messages.js";
import { pathThrough, putAttributes, svgElement } from "./svg.js";
import { PER_UNIT, pixelOf } from "./frame.js";

const NAMES = ["x", "y"];

export class Curves {
  /** @param {SVGElement} svg */
  constructor(svg) {
    this.group = svgElement("g", { class: "dt-curves", "aria-hidden": "true" }, svg);
    this.parts = NAMES.map((name) => ({
      name,
      base: svgElement("path", { class: "dt-curve-base" }, this.group),
      line: svgElement("path", { class: "dt-curve" }, this.group),
      dot: svgElement("circle", { r: 4 }, this.group),
      label: svgElement("text", { class: "dt-small" }, this.group),
    }));
  }

  /** @param {Frame} frame @param {Answer | null} answer @param {Theme} theme */
  draw(frame, answer, theme) {
    const most = Math.max(1e-12, ...NAMES.flatMap((name) => answer?.curves[name]?.[1] ?? []));
    for (const part of this.parts) this.drawPart(part, frame, answer, theme, most);
  }

  /** @param {Part} part @param {Frame} frame @param {Answer | null} answer @param {Theme} theme @param {number} most */
  drawPart({ name, base, line, dot, label }, frame, answer, theme, most) {
    const { plot, below, beside, curve } = frame;
    const isX = name === "x";
    const place = (/** @type {number} */ value, /** @type {number} */ gain) => {
      const [left, top] = pixelOf(frame, value * PER_UNIT, value * PER_UNIT);
      return isX ? [left, below + curve - (gain / most) * curve] : [beside + (gain / most) * curve, top];
    };
    putAttributes(base, { d: pathThrough([place(0, 0), place(10, 0)]), stroke: theme.border });
    const [thresholds, gains] = answer?.curves[name] ?? [[], []];
    const isChosen = answer?.candidates.chosen === name;
    const colour = isChosen ? theme.primary : theme.quiet;
    putAttributes(line, { d: pathThrough(thresholds.map((value, i) => place(value, gains[i]))), stroke: colour });
    const best = answer?.candidates.rows.find((row) => row.feature === name);
    const at = best ? nearestOf(thresholds, best.threshold) : -1;
    const [x, y] = best && at >= 0 ? place(best.threshold, gains[at]) : [0, 0];
    putAttributes(dot, { cx: x, cy: y, fill: colour, visibility: at >= 0 ? null : "hidden" });
    const text = answer ? say("{measure} of {feature}", { measure: answer.candidates.gain, feature: name }) : "";
    const [left, top] = isX ? [plot.x, below + curve + 13] : [beside + curve + 4, plot.y];
    putAttributes(label, { x: left, y: top, transform: isX ? null : `rotate(90 ${left} ${top})` });
    if (label.textContent !== text) label.textContent = text;
  }
}
