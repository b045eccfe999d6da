// Entries of a chart's legend: a sign or a piece of the line, and its text.

import { makeElement, makeSvg } from "../dom.js";

/** `sign` is a text or an element. */
export function legendEntry(sign, text) {
  const swatch = typeof sign === "string" ? makeElement("span", "tv-legend-sign", { "aria-hidden": "true" }, [sign]) : sign;
  return makeElement("span", "tv-legend-entry", {}, [swatch, text]);
}

/** A piece of a line, with its band where it has one. */
export function strokeSwatch(colour, dash, hasBand) {
  const stroke = { x1: 1, x2: 27, y1: 6, y2: 6, stroke: colour, "stroke-width": 2, "stroke-dasharray": dash.join(" ") || null };
  if (dash[0] < 2) stroke["stroke-linecap"] = "round";
  const band = ["rect", { x: 0, y: 0, width: 28, height: 12, fill: colour, "fill-opacity": 0.16 }];
  return makeSvg("tv-swatch", [...(hasBand ? [band] : []), ["line", stroke]], { viewBox: "0 0 28 12" });
}
