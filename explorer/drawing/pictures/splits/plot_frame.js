// A frame for points and curves: from numbers to places, the marks of its axes, and dragging along x.

import { putDragSurface } from "../drag.js";

const [TICK_SIZES, NEAR_TICKS] = [[1, 2, 5, 10], 1e-9];

/** Round numbers from low to high, at most so many. */
export function roundTicks(low, high, most) {
  const rough = (high - low) / Math.max(1, most);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * TICK_SIZES.find((size) => size * power >= rough - NEAR_TICKS);
  const first = Math.ceil(low / step - NEAR_TICKS);
  const last = Math.floor(high / step + NEAR_TICKS);
  return Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

/** The places of numbers in a frame {left, right, top, bottom} for x from..to and y from..to. */
export function plotFrame(area, [x0, x1], [y0, y1]) {
  return {
    ...area,
    across: (x) => area.left + ((x - x0) / (x1 - x0)) * (area.right - area.left),
    up: (y) => area.bottom - ((y - y0) / (y1 - y0)) * (area.bottom - area.top),
    valueAt: (place) => x0 + ((place - area.left) / (area.right - area.left)) * (x1 - x0),
    xs: [x0, x1],
    ys: [y0, y1],
  };
}

/** The axes with their numbers; `yText` words a number of the y axis. */
export function putAxes(canvas, key, frame, theme, { xName = "", yName = "", xTicks = true, yText = String } = {}) {
  const { left, right, top, bottom } = frame;
  const most = Math.max(2, Math.floor((bottom - top) / 44));
  for (const y of roundTicks(...frame.ys, most)) {
    canvas.line(`${key} grid ${y}`, [[left, frame.up(y)], [right, frame.up(y)]], { stroke: theme.border, "stroke-width": 1 }).style.strokeWidth = 1;
    canvas.text(`${key} y ${y}`, left - 8, frame.up(y) + 5, yText(y), { anchor: "end", kind: "pic-small" });
  }
  canvas.line(`${key} x axis`, [[left, bottom], [right, bottom]], { stroke: theme.quiet }).style.strokeWidth = 1;
  for (const x of xTicks ? roundTicks(...frame.xs, Math.max(2, Math.floor((right - left) / 52))) : []) {
    canvas.text(`${key} x ${x}`, frame.across(x), bottom + 18, String(x), { anchor: "middle", kind: "pic-small" });
  }
  if (xName) canvas.text(`${key} x name`, right, bottom + 36, xName, { anchor: "end", kind: "pic-small" });
  if (yName) canvas.text(`${key} y name`, left, top - 10, yName, { kind: "pic-small" });
}

/** A surface over the frame on which a pointer is dragged: onPlace(x) as a number of the x axis. */
export function dragAcross(canvas, key, frame, onPlace) {
  const { left, top, right, bottom } = frame;
  const box = { x: left - 12, y: top, width: right - left + 24, height: bottom - top };
  putDragSurface(canvas, key, box, (x) => onPlace(frame.valueAt(x)));
  canvas.raise(key);
}

/** The position of the number nearest to a value. */
export function nearestOf(numbers, value) {
  return numbers.reduce((best, number, i) => (Math.abs(number - value) < Math.abs(numbers[best] - value) ? i : best), 0);
}
