// The frame of a chart on a canvas: the room for its axes, their scales and ticks, and its titles.

import { canvasPen, drawAxes } from "./axes.js";
import { countTicks, linearScale, roundTicks } from "./scales.js";
import { ellipsis, visibleText } from "../tree_view/format.js";

/**
 * @typedef {import("./axes.js").Box} Box
 * @typedef {import("./scales.js").Pair} Pair
 * @typedef {import("./scales.js").Scale} Scale
 * @typedef {import("./scales.js").Tick} Tick
 * @typedef {{text: string, quiet: string, grid: string, background: string, font: string, enlarged: number}} Theme
 *   `enlarged` is 1, more in presenter mode
 * @typedef {{box: Box, area: Box, toX: Scale, toY: Scale, xTicks: Tick[], yTicks: Tick[], theme: Theme}} Frame
 * @typedef {{x: Pair, y: Pair, isShare?: boolean, top?: number, bottom?: number, isCount?: boolean, ticks?: Tick[]}} Shown
 *   the ranges of both axes; `isShare`: y in per cent; `isCount`: whole numbers from 0 along x; or the `ticks` along x
 */

const TEXT_SIZE = 12;

/**
 * The font of charts, larger in presenter mode.
 * @param {Pick<Theme, "font" | "enlarged">} theme
 */
export function chartFont(theme, weight = 400, size = TEXT_SIZE) {
  return `${weight} ${Math.round(size * theme.enlarged)}px ${theme.font}`;
}

/**
 * A frame in a box. The labels of the y axis take their room from its left side, title and x axis from above and below.
 * @param {CanvasRenderingContext2D} context @param {Box} box @param {Shown} shown @param {Theme} theme @returns {Frame}
 */
export function makeFrame(context, box, { x, y, isShare = false, top = 26, bottom = 40, isCount = false, ticks }, theme) {
  context.font = chartFont(theme);
  const unit = theme.enlarged;
  const area = { left: 0, right: box.right - 8, top: box.top + top * unit, bottom: box.bottom - bottom * unit };
  const yTicks = roundTicks(...y, Math.max(3, Math.min(6, Math.floor((area.bottom - area.top) / (34 * unit)))), isShare);
  const widest = Math.max(16, ...yTicks.map(({ text }) => context.measureText(text).width));
  area.left = box.left + Math.ceil(widest) + 12;
  const across = Math.max(2, Math.floor((area.right - area.left) / (56 * unit)));
  const xTicks = ticks ?? (isCount ? countTicks(x[1], across) : roundTicks(...x, across));
  const toX = linearScale(x, [area.left, area.right]);
  return { box, area, xTicks, yTicks, toX, toY: linearScale(y, [area.bottom, area.top]), theme };
}

/**
 * A text in front of lines, which ends at x: a patch of the background keeps it readable.
 * @param {CanvasRenderingContext2D} context @param {Theme} theme @param {string} text @param {number} x @param {number} y
 */
export function drawLabel(context, theme, text, x, y) {
  const [width, height] = [context.measureText(text).width, TEXT_SIZE * theme.enlarged];
  context.globalAlpha = 0.88;
  context.fillStyle = theme.background;
  context.fillRect(x - width - 2, y - height / 2, width + 4, height);
  context.globalAlpha = 1;
  context.textAlign = "right";
  context.fillStyle = theme.text;
  context.fillText(text, x, y);
}

/**
 * Axes and their titles.
 * @param {CanvasRenderingContext2D} context @param {Frame} frame
 */
export function drawFrame(context, frame, { xTitle = "", yTitle = "" }) {
  const { area, box, theme, xTicks, yTicks, toX, toY } = frame;
  context.font = chartFont(theme);
  drawAxes(canvasPen(context, theme), area, { x: { scale: toX, ticks: xTicks }, y: { scale: toY, ticks: yTicks } });
  context.fillStyle = theme.quiet;
  context.textBaseline = "middle";
  context.textAlign = "right";
  context.fillText(fitted(context, visibleText(xTitle), area.right - area.left), area.right, area.bottom + 28 * theme.enlarged);
  context.textAlign = "left";
  if (yTitle) context.fillText(fitted(context, visibleText(yTitle), area.right - box.left), box.left + 2, box.top + 10 * theme.enlarged);
}

/**
 * The title above the area, the first of several that has room; it may change with the stage.
 * @param {CanvasRenderingContext2D} context @param {{box: Pick<Box, "left" | "top">, area: Pick<Box, "right">, theme: Theme}} frame
 * @param {string[]} titles
 */
export function drawTitle(context, { box, area, theme }, ...titles) {
  context.font = chartFont(theme, 600);
  context.textAlign = "left";
  context.textBaseline = "middle";
  context.fillStyle = theme.text;
  const room = area.right - box.left - 4;
  const title = titles.find((text) => context.measureText(text).width <= room) ?? titles[titles.length - 1];
  context.fillText(fitted(context, title, room), box.left + 2, box.top + 10 * theme.enlarged);
  context.font = chartFont(theme);
}

/**
 * As much of a text as has room.
 * @param {CanvasRenderingContext2D} context @param {string} text @param {number} width
 */
export function fitted(context, text, width) {
  if (context.measureText(text).width <= width) return text;
  let most = text.length;
  while (most > 1 && context.measureText(ellipsis(text, most)).width > width) most -= 1;
  return ellipsis(text, most);
}
