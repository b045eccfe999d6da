// Axes of a picture.
//
// A *box* is {left, right, top, bottom}: the part of the picture between the axes.

/** @typedef {import("../charts/axes.js").Box} AxesBox */
/** @typedef {import("./canvas.js").PictureCanvas} PictureCanvas */

import { drawAxes as drawAxesBy } from "../charts/axes.js";
import { linearScale } from "../charts/scales.js";

/** @typedef {import("../charts/axes.js").Axis} Axis */
/**
 * @typedef {Partial<Axis> & {
 *   low?: number, high?: number, title?: string, titleAt?: "start" | "middle" | "end", away?: number, kind?: string,
 * }} PictureAxis
 */
/** @typedef {ReturnType<typeof drawAxes>} Chart */

/** @type {Record<string, (box: AxesBox) => number>} */
const ANCHORED_AT = { start: (box) => box.left, middle: (box) => (box.left + box.right) / 2, end: (box) => box.right };

/**
 * A pen for axes in a picture, whose elements have names that begin with `key`.
 * @param {PictureCanvas} canvas @param {string} key @returns {import("../charts/axes.js").Pen}
 */
function picturePen(canvas, key) {
  return {
    line: (name, points, look) => canvas.line(`${key} ${name}`, points, { class: `pic-${look}` }),
    text: (name, x, y, text, anchor) => canvas.text(`${key} ${name}`, x, y + 4.5, text, { anchor, kind: "pic-small", fill: canvas.theme.quiet }),
    width: (text) => canvas.textWidth(text, "pic-small"),
    space: { left: 9, below: 14, gap: 14, over: [40, 40], tick: 0 },
  };
}

/**
 * Both axes of a box, drawn under `key`; gives the box with its scales x and y. An axis is that of charts/axes.js with {low, high}
 * or a `scale`, and a `title`; that of x ends at `titleAt` (start, middle, end), `away` below the box, or above it.
 * @param {PictureCanvas} canvas @param {string} key @param {AxesBox} box @param {{ x: PictureAxis, y: PictureAxis }} axes
 */
export function drawAxes(canvas, key, box, { x, y }) {
  const scales = {
    x: x.scale ?? linearScale([x.low ?? 0, x.high ?? 1], [box.left, box.right]),
    y: y.scale ?? linearScale([y.low ?? 0, y.high ?? 1], [box.bottom, box.top]),
  };
  const wanted = { x: Math.max(2, Math.floor((box.right - box.left) / 52)), y: Math.max(2, Math.floor((box.bottom - box.top) / 44)) };
  drawAxesBy(picturePen(canvas, key), box, { x: { wanted: wanted.x, ...x, scale: scales.x }, y: { wanted: wanted.y, ...y, scale: scales.y } });
  const { title, titleAt = "end", away = 36, kind = "pic-small" } = x;
  if (title) canvas.text(`${key} x title`, ANCHORED_AT[titleAt](box), box.bottom + away, title, { anchor: titleAt, kind });
  if (y.title) canvas.text(`${key} y title`, box.left, box.top - 10, y.title, { kind: "pic-small" });
  return { ...box, ...scales };
}

/** A box as {x, y, width, height}, with some room at its sides. @param {AxesBox} axesBox */
export function areaOf({ left, right, top, bottom }, room = 0) {
  return { x: left - room, y: top, width: right - left + 2 * room, height: bottom - top };
}
