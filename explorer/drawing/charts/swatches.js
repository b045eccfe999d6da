// Entries of a legend: a sign, a piece of a line or the shape of a class, and its text.

import { classColour } from "./colours.js";
import { CLASS_SHAPES, shapeCorners } from "./shapes.js";
import { makeElement, makeSvg } from "../tree_view/dom.js";

/** `sign` is a text or an element. @param {string | Node} sign @param {string | Node} text */
export function legendEntry(sign, text) {
  const swatch = typeof sign === "string" ? makeElement("span", "tv-legend-sign", { "aria-hidden": "true" }, [sign]) : sign;
  return makeElement("span", "tv-legend-entry", {}, [swatch, text]);
}

/**
 * A piece of a line, with its band where it has one.
 * @param {string} colour @param {number[]} dash @param {boolean} hasBand
 */
export function strokeSwatch(colour, dash, hasBand) {
  /** @type {import("../tree_view/dom.js").Attributes} */
  const stroke = { x1: 1, x2: 27, y1: 6, y2: 6, stroke: colour, "stroke-width": 2, "stroke-dasharray": dash.join(" ") || null };
  if (dash[0] < 2) stroke["stroke-linecap"] = "round";
  /** @type {import("../tree_view/dom.js").Shape} */
  const band = ["rect", { x: 0, y: 0, width: 28, height: 12, fill: colour, "fill-opacity": 0.16 }];
  return makeSvg("tv-swatch", [...(hasBand ? [band] : []), ["line", stroke]], { viewBox: "0 0 28 12" });
}

/** A class shape as a small picture in the text. @param {string} kind @param {string} colour */
function shapeSign(kind, colour, size = 12) {
  const points = shapeCorners(kind).map((corner) => corner.join(",")).join(" ");
  /** @type {import("../tree_view/dom.js").Shape} */
  const form = points ? ["polygon", { points, fill: colour }] : ["circle", { r: 1, fill: colour }];
  return makeSvg(null, [form], { viewBox: "-1.3 -1.3 2.6 2.6", width: size, height: size });
}

/**
 * The shape of a class in its colour.
 * @param {{classes: string[]}} theme @param {number} k @param {number} [size]
 */
export function classSign(theme, k, size) {
  return shapeSign(CLASS_SHAPES[k % CLASS_SHAPES.length], classColour(theme, k), size);
}
