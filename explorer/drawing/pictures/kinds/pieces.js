// What several pictures draw: buttons to choose from, the classes by their colours, and balls with a label.

/** @typedef {import("../canvas.js").PictureCanvas} PictureCanvas */
/** @typedef {import("../../tree_view/theme.js").Theme} Theme */

import { readableOn } from "../../charts/colours.js";
import { colourOf } from "./chart_marks.js";
import { inLines } from "./placing.js";

const CHIP_HEIGHT = 38;

/**
 * Buttons side by side from (x, y) on, one of them pressed; gives the height that they take.
 * @param {PictureCanvas} canvas
 * @param {{ x: number, y: number, room: number, names: string[], pressed: number, onPress: (at: number) => void }} chips
 */
export function putChips(canvas, { x, y, room, names, pressed, onPress }) {
  const widths = names.map((name) => Math.min(canvas.textWidth(name, "pic-number") + 28, room));
  const { places, height } = inLines(widths, room, 8, CHIP_HEIGHT);
  names.forEach((text, at) => {
    const place = { x: x + places[at].x, y: y + places[at].y, width: places[at].width };
    canvas.button(`chip ${text}`, { ...place, text, isPressed: at === pressed, onPress: () => onPress(at) });
  });
  return height;
}

/**
 * The classes with their colours from (x, y) on, as far as there is room; gives the width.
 * @param {PictureCanvas} canvas @param {string[]} classes @param {{ x: number, y: number, room: number }} place
 * @param {Theme} theme @param {(number | string)[]} [colours]
 */
export function putClasses(canvas, classes, { x, y, room }, theme, colours = classes.map((_, code) => code)) {
  let at = x;
  classes.forEach((name, code) => {
    const left = x + room - at - 20;
    if (left < 20) return;
    const label = canvas.shortened(name, left, "pic-small");
    canvas.put(`class ${code}`, "circle", { cx: at + 7, cy: y - 5, r: 7, fill: colourOf(theme, colours[code]) });
    canvas.text(`class name ${code}`, at + 20, y, label, { kind: "pic-small" });
    at += 20 + canvas.textWidth(label, "pic-small") + 16;
  });
  return at - x;
}

/**
 * A ball with a label in it, where it has room; `options` are those of a circle.
 * @param {PictureCanvas} canvas @param {string} key @param {number[]} place @param {number} radius @param {string} label
 * @param {string} fill @param {import("../canvas.js").Attributes} [options]
 */
export function putBall(canvas, key, [x, y], radius, label, fill, options = {}) {
  const ball = canvas.put(`ball ${key}`, "circle", { cx: x, cy: y, r: radius, fill, stroke: "none", ...options });
  const size = Math.min(17, (1.6 * radius * 13) / Math.max(canvas.textWidth(label, "pic-small"), 13));
  const look = { anchor: "middle", kind: "pic-in-ball", fill: readableOn(fill) };
  canvas.text(`ball text ${key}`, x, y + size * 0.36, size >= 7 ? label : "", look).style.fontSize = `${size}px`;
  return ball;
}
