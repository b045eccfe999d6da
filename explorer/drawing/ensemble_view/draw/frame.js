// The frame of a chart: scales, ticks and titles of its two axes.

import { roundTicks, spacedTicks } from "../../tree_view/panel/axes.js";
import { strokePath } from "../../tree_view/charts/strokes.js";
import { ellipsis, visibleText } from "../../tree_view/format.js";

const [TEXT_SIZE, FEW_COUNTED] = [12, 12];

/** The font of charts, larger in presenter mode. */
export function chartFont(theme, weight = 400, size = TEXT_SIZE) {
  return `${weight} ${Math.round(size * theme.enlarged)}px ${theme.font}`;
}

/** The range with some room on both sides. */
export function withRoom([least, largest], share = 0.06) {
  const spread = largest - least || Math.max(Math.abs(largest) * 0.1, 1e-9);
  return [least - share * spread, largest + share * spread];
}

/**
 * A frame in `box` {left, top, right, bottom} for x and y ranges: {area, toX, toY, xTicks, yTicks, theme}. The labels of
 * the y axis take their room from the box's left side, title and x axis from above and below. With `whole` the x axis
 * counts: its ticks are whole numbers from 0.
 */
export function makeFrame(context, box, { x, y, isShare = false, top = 26, bottom = 40, whole = false }, theme) {
  context.font = chartFont(theme);
  const unit = theme.enlarged;
  const area = { left: 0, right: box.right - 8, top: box.top + top * unit, bottom: box.bottom - bottom * unit };
  const yTicks = signed(roundTicks(...y, Math.max(3, Math.min(6, Math.floor((area.bottom - area.top) / (34 * unit)))), isShare));
  const widest = Math.max(16, ...yTicks.map(({ text }) => context.measureText(text).width));
  area.left = box.left + Math.ceil(widest) + 12;
  const across = Math.max(2, Math.floor((area.right - area.left) / (56 * unit)));
  const xTicks = whole ? countTicks(x[1], across) : signed(roundTicks(...x, across, false));
  const toX = (at) => area.left + ((at - x[0]) / (x[1] - x[0])) * (area.right - area.left);
  const toY = (at) => area.bottom - ((at - y[0]) / (y[1] - y[0])) * (area.bottom - area.top);
  return { box, area, x, y, xTicks, yTicks, toX, toY, theme };
}

/** Ticks of counts from 0: each where they are few. */
export function countTicks(high, wanted) {
  if (high >= FEW_COUNTED) return roundTicks(0, high, Math.min(wanted, high), false).filter(({ at }) => Number.isInteger(at));
  return Array.from({ length: Math.floor(high) + 1 }, (_, at) => ({ at, text: String(at) }));
}

/** Ticks with a real minus sign. */
function signed(ticks) {
  return ticks.map(({ at, text }) => ({ at, text: text.replace("-", "−") }));
}

/** A text in front of lines, which ends at x: a patch of the background keeps it readable. */
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

/** Grid lines, ticks and titles. */
export function drawFrame(context, frame, { title = "", xTitle = "", yTitle = "" }) {
  const { area, box, theme, xTicks, yTicks, toX, toY } = frame;
  const unit = theme.enlarged;
  context.font = chartFont(theme);
  context.textBaseline = "middle";
  context.textAlign = "right";
  for (const { at, text } of yTicks) {
    strokePath(context, [[area.left, toY(at)], [area.right, toY(at)]], theme.grid, 1, []);
    context.fillStyle = theme.quiet;
    context.fillText(text, area.left - 7, toY(at));
  }
  context.textAlign = "left";
  strokePath(context, [[area.left, area.bottom], [area.right, area.bottom]], theme.quiet, 1, []);
  for (const { pixel, start, text } of spacedTicks(xTicks, toX, (label) => context.measureText(label).width, [area.left - 8, area.right + 6], 12)) {
    strokePath(context, [[pixel, area.bottom], [pixel, area.bottom + 4]], theme.quiet, 1, []);
    context.fillText(text, start, area.bottom + 12 * unit);
  }
  context.textAlign = "right";
  context.fillText(fitted(context, visibleText(xTitle), area.right - area.left), area.right, area.bottom + 28 * unit);
  context.textAlign = "left";
  if (yTitle) context.fillText(fitted(context, visibleText(yTitle), area.right - box.left), box.left + 2, box.top + 10 * unit);
  if (title) drawTitle(context, frame, title);
}

/** The title above the area, the first of several that has room; it may change with the stage. */
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

/** As much of a text as has room. */
export function fitted(context, text, width) {
  if (context.measureText(text).width <= width) return text;
  let most = text.length;
  while (most > 1 && context.measureText(ellipsis(text, most)).width > width) most -= 1;
  return ellipsis(text, most);
}
