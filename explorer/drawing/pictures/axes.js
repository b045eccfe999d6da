// Axes of a picture: scales between numbers and places, ticks with texts that do not collide, and a read-out at a point.
//
// A *box* is {left, right, top, bottom}: the part of the picture between the axes.

import { roundTicks, spacedTicks } from "../tree_view/panel/axes.js";
import { brokenText } from "./text.js";

const [TICK_GAP, TITLE_ROOM, READOUT_LINE] = [14, 46, 20];

/** A scale from numbers [low, high] to places [from, to]: {at(value), value(place)}, the latter kept within the range. */
export function linearScale([low, high], [from, to]) {
  const at = (value) => from + ((value - low) / (high - low)) * (to - from);
  const value = (place) => Math.min(Math.max(low + ((place - from) / (to - from)) * (high - low), low), high);
  return { low, high, from, to, at, value };
}

/**
 * Both axes of a box, drawn under `key`; gives {x, y}, their scales.
 *
 * An axis is {low, high, title, ticks (optional: [{at, text}]), wanted (how many ticks, 5), lines: whether its ticks
 * have lines across the box (y: true)}.
 */
export function drawAxes(canvas, key, box, { x, y }) {
  const scales = {
    x: linearScale([x.low, x.high], [box.left, box.right]),
    y: linearScale([y.low, y.high], [box.bottom, box.top]),
  };
  drawAcross(canvas, `${key} y`, box, y, scales.y);
  drawAlong(canvas, `${key} x`, box, x, scales.x);
  canvas.line(`${key} base`, [[box.left, box.bottom], [box.right, box.bottom]], { class: "pic-axis" });
  return scales;
}

function drawAlong(canvas, key, box, axis, scale) {
  const given = axis.ticks ?? roundTicks(axis.low, axis.high, axis.wanted ?? 5, false);
  const width = (text) => canvas.textWidth(text, "pic-small");
  for (const { pixel, start, text } of spacedTicks(given, scale.at, width, [box.left - 40, box.right + 40], TICK_GAP)) {
    if (axis.lines) canvas.line(`${key} line ${text}`, [[pixel, box.top], [pixel, box.bottom]], { class: "pic-grid" });
    canvas.text(`${key} ${text}`, start + width(text) / 2, box.bottom + 20, text, { anchor: "middle", kind: "pic-small", fill: canvas.theme.quiet });
  }
  if (axis.title) canvas.text(`${key} title`, (box.left + box.right) / 2, box.bottom + TITLE_ROOM, axis.title, { anchor: "middle" });
}

/** The ticks of the y axis with lines across the box; its title stands above the axis, where it reads without turning. */
function drawAcross(canvas, key, box, axis, scale) {
  const ticks = axis.ticks ?? roundTicks(axis.low, axis.high, axis.wanted ?? 5, false);
  for (const { at, text } of ticks) {
    const place = scale.at(at);
    if (axis.lines ?? true) canvas.line(`${key} line ${text}`, [[box.left, place], [box.right, place]], { class: "pic-grid" });
    canvas.text(`${key} ${text}`, box.left - 10, place + 4.5, text, { anchor: "end", kind: "pic-small", fill: canvas.theme.quiet });
  }
  if (axis.title) canvas.text(`${key} title`, box.left - 8, box.top - 16, axis.title);
}

/** A smooth-looking line of y = of(x) over a range, with `n` pieces: always as many, so that it can move. */
export function drawFunction(canvas, key, { x, y }, of, attributes = {}, n = 96) {
  const values = Array.from({ length: n + 1 }, (_, k) => x.low + ((x.high - x.low) * k) / n);
  return canvas.line(key, values.map((value) => [x.at(value), y.at(of(value))]), attributes);
}

/** A small box of lines of text beside a point, wholly within the picture; each line is a text or {text, fill}. */
export function drawReadout(canvas, key, x, y, lines, { most = 240 } = {}) {
  const width = (text) => canvas.textWidth(text, "pic-label");
  const shown = lines.flatMap((line) => {
    const { text, fill } = typeof line === "string" ? { text: line, fill: null } : line;
    return brokenText(text, most, width).map((part) => ({ text: part, fill }));
  });
  const wide = Math.max(...shown.map(({ text }) => width(text)), 0) + 24;
  const high = shown.length * READOUT_LINE + 16;
  const left = x + 16 + wide < canvas.width ? x + 16 : Math.max(x - 16 - wide, 0);
  const top = Math.min(Math.max(y - high / 2, 4), canvas.height - high - 4);
  canvas.put(`${key} box`, "rect", { class: "pic-readout", x: left, y: top, width: wide, height: high, rx: 6 });
  shown.forEach(({ text, fill }, index) => {
    canvas.text(`${key} ${index}`, left + 12, top + 8 + READOUT_LINE * (index + 0.72), text, { fill });
  });
}
