// The three measures of how mixed a node is: their names, their colours, and a column of their values with the arithmetic.

/** @typedef {import("./model/impurities.js").Measure} Measure */
/** @typedef {import("./canvas.js").Area} PicArea */
/** @typedef {import("./canvas.js").PictureCanvas} PictureCanvas */
/** @typedef {import("../tree_view/theme.js").Theme} Theme */

import { shownClasses } from "./balls.js";
import { impurityArithmetic, impurityOf, largestImpurity } from "./model/impurities.js";
import { say } from "../tree_view/messages.js";

/** The name of a measure. @param {Measure} measure */
export function measureName(measure) {
  if (measure === "entropy") return say("Entropy");
  return measure === "gini" ? say("Gini index") : say("Error rate");
}

/**
 * Colours apart from those of two classes: the accent, the colour of a third class, and that of text.
 * @param {Measure} measure @param {Theme} theme
 */
export function measureColour(measure, theme) {
  if (measure === "entropy") return theme.primary;
  return measure === "gini" ? theme.classes[2] ?? theme.quiet : theme.quiet;
}

/** The value as it is written: entropy with its unit. @param {Measure} measure @param {number} value */
export function measureText(measure, value, unit = "bits") {
  const digits = value.toFixed(3);
  if (measure !== "entropy") return digits;
  return unit === "bits" ? say("{value} bits", { value: digits }) : say("{value} nats", { value: digits });
}

/**
 * One row a measure in a box: its name and value, a bar up to its largest value, and the arithmetic below.
 * @param {PictureCanvas} canvas @param {Measure[]} measures @param {number[]} counts @param {PicArea} picArea
 * @param {Theme} theme
 */
export function drawMeasures(canvas, measures, counts, { x, y, width, height }, theme) {
  const row = Math.min(height / measures.length, 118);
  const top = y + Math.max(0, (height - row * measures.length) / 2);
  const kind = measures.every((measure) => hasRoom(canvas, measure, counts, width)) ? "pic-value" : "pic-number";
  measures.forEach((measure, index) => {
    const place = { x, y: top + index * row, width, row };
    drawMeasure(canvas, measure, counts, { ...place, kind }, theme);
  });
}

/**
 * Whether the name of a measure and its value in large digits fit side by side.
 * @param {PictureCanvas} canvas @param {Measure} measure @param {number[]} counts @param {number} width
 */
function hasRoom(canvas, measure, counts, width) {
  const text = measureText(measure, impurityOf(measure, counts));
  return canvas.textWidth(measureName(measure)) + canvas.textWidth(text, "pic-value") + 12 < width;
}

/**
 * @param {PictureCanvas} canvas @param {Measure} measure @param {number[]} counts
 * @param {{ x: number, y: number, width: number, row: number, kind: string }} place @param {Theme} theme
 */
function drawMeasure(canvas, measure, counts, { x, y, width, row, kind }, theme) {
  const value = impurityOf(measure, counts);
  const share = value / largestImpurity(measure, counts.length);
  const colour = measureColour(measure, theme);
  const [thick, middle] = [Math.min(14, row * 0.2), y + row * 0.5];
  canvas.text(`measure ${measure} name`, x, middle - thick / 2 - 10, measureName(measure));
  canvas.text(`measure ${measure} value`, x + width, middle - thick / 2 - 10, measureText(measure, value), { anchor: "end", kind });
  const bar = { x, y: middle - thick / 2, height: thick, rx: thick / 2 };
  canvas.put(`measure ${measure} track`, "rect", { ...bar, width, fill: theme.quiet, opacity: 0.18 });
  canvas.put(`measure ${measure} bar`, "rect", { class: "pic-glide", ...bar, width: Math.max(width * share, 0), fill: colour });
  const arithmetic = impurityArithmetic(measure, shownClasses(counts).map((code) => counts[code]));
  const fits = row >= 62 && canvas.textWidth(arithmetic, "pic-small") <= width;
  canvas.text(`measure ${measure} arithmetic`, x, middle + thick / 2 + 20, fits ? arithmetic : "", { kind: "pic-small", fill: theme.quiet });
}
