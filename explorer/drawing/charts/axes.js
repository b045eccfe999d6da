// The axes of a chart, in the manner of d3-axis: they draw any scale, with any pen.
//
// A *box* is {left, right, top, bottom}: the part of a chart between its axes. A *pen* draws on a canvas (`canvasPen`
// below) or in SVG (`picturePen` of the lessons' pictures).

import { roundTicks, spacedTicks } from "./scales.js";
import { strokePath } from "./strokes.js";

/**
 * @typedef {import("./scales.js").Pair} Pair
 * @typedef {import("./scales.js").Scale} Scale
 * @typedef {import("./scales.js").Tick} Tick
 * @typedef {{left: number, right: number, top: number, bottom: number}} Box
 * @typedef {"axis" | "grid" | "tick"} Look what a line is: of an axis, across the box, or the sign of a tick
 * @typedef {{
 *   line: (name: string, points: Pair[], look: Look) => void,
 *   text: (name: string, x: number, y: number, text: string, anchor: "middle" | "end") => void,
 *   width: (text: string) => number,
 *   space: {left: number, below: number, gap: number, over: Pair, tick: number},
 * }} Pen `space` are its distances: of texts from the axes, between them, how far they may stand over the box, and the
 *   length of a tick's sign
 * @typedef {{scale: Scale, ticks?: Tick[], wanted?: number, isShare?: boolean, hasLines?: boolean, isDrawn?: boolean, bounds?: Pair}} Axis `ticks` are round numbers,
 *   about `wanted` (shares as per cent), unless given; `hasLines`: they have lines across the box; `isDrawn`: the axis has a line
 *   itself (x: true); `bounds`: where texts may stand
 */

/**
 * Both axes of a box: texts at the left and below, a line along the bottom and, where wanted, along the left.
 * @param {Pen} pen @param {Box} box @param {{x: Axis, y: Axis}} axes
 */
export function drawAxes(pen, box, { x, y }) {
  drawUp(pen, box, y);
  if (y.isDrawn) pen.line("rise", [[box.left, box.top], [box.left, box.bottom]], "axis");
  if (x.isDrawn ?? true) pen.line("base", [[box.left, box.bottom], [box.right, box.bottom]], "axis");
  drawAlong(pen, box, x);
}

/** @param {Axis} axis */
function ticksOf({ scale, ticks, wanted = 5, isShare }) {
  return ticks ?? roundTicks(...scale.domain, wanted, isShare);
}

/** @param {Pen} pen @param {Box} box @param {Axis} axis */
function drawUp(pen, { left, right }, axis) {
  for (const { at, text } of ticksOf(axis)) {
    const place = axis.scale(at);
    if (axis.hasLines ?? true) pen.line(`y line ${text}`, [[left, place], [right, place]], "grid");
    pen.text(`y ${text}`, left - pen.space.left, place, text, "end");
  }
}

/** @param {Pen} pen @param {Box} box @param {Axis} axis */
function drawAlong(pen, { left, right, top, bottom }, axis) {
  const { below, gap, over, tick } = pen.space;
  const bounds = axis.bounds ?? /** @type {Pair} */ ([left - over[0], right + over[1]]);
  for (const { pixel, start, text } of spacedTicks(ticksOf(axis), axis.scale, pen.width, bounds, gap)) {
    if (axis.hasLines) pen.line(`x line ${text}`, [[pixel, top], [pixel, bottom]], "grid");
    if (tick) pen.line(`x tick ${text}`, [[pixel, bottom], [pixel, bottom + tick]], "tick");
    pen.text(`x ${text}`, start + pen.width(text) / 2, bottom + below, text, "middle");
  }
}

/**
 * A pen for a canvas; `theme.enlarged` is the size of its texts.
 * @param {CanvasRenderingContext2D} context @param {{grid: string, quiet: string, enlarged: number}} theme @returns {Pen}
 */
export function canvasPen(context, theme) {
  return {
    line: (_, points, look) => strokePath(context, points, look === "grid" ? theme.grid : theme.quiet, 1, []),
    text: (_, x, y, text, anchor) => {
      context.textBaseline = "middle";
      context.textAlign = anchor === "middle" ? "center" : anchor;
      context.fillStyle = theme.quiet;
      context.fillText(text, x, y);
      context.textAlign = "left";
    },
    width: (text) => context.measureText(text).width,
    space: { left: 7, below: 12 * theme.enlarged, gap: 12, over: [8, 6], tick: 4 },
  };
}
