// Balls of classes: a circle in the colour of its class with the first sign of its name, so that colour never says it alone.

/** @typedef {import("./canvas.js").Area} PicArea */
/** @typedef {import("./canvas.js").PictureCanvas} PictureCanvas */

import { listing } from "../tree_view/messages.js";
import { mixColours, readableOn } from "../charts/colours.js";

const LEAST_SIGNED = 8;

/**
 * The classes in the order in which they are shown: of two, the second ("Yes" after "No") comes first.
 * @param {unknown[]} classes
 */
export function shownClasses(classes) {
  const codes = classes.map((_, code) => code);
  return classes.length === 2 ? codes.reverse() : codes;
}

/**
 * What stands on the balls of each class: as many signs of its name as tell the classes apart, else its number.
 * @param {string[]} classes
 */
export function ballSigns(classes) {
  for (const most of [1, 2]) {
    const begins = classes.map((name) => [...name].slice(0, most).join(""));
    if (new Set(begins.map((begin) => begin[0])).size === begins.length) return begins.map((begin) => begin[0]);
    if (new Set(begins).size === begins.length) return begins;
  }
  return classes.map((_, code) => String(code + 1));
}

/**
 * A ball of class `code` at (x, y); it keeps gliding while another one is dragged.
 * @param {PictureCanvas} canvas @param {string} key @param {number[]} place @param {number} radius @param {number} code
 * @param {string[]} signs @param {{ isHeld?: boolean, opacity?: number }} [look]
 */
export function drawBall(canvas, key, [x, y], radius, code, signs, { isHeld = false, opacity = 1 } = {}) {
  const fill = canvas.theme.classes[code];
  const motion = isHeld ? "" : "pic-glide";
  const stroke = mixColours(fill, canvas.theme.dark ? "#FFFFFF" : "#000000", 0.22);
  canvas.put(`${key}`, "circle", { class: `pic-ball ${motion}`, cx: x, cy: y, r: radius, fill, stroke, opacity });
  const size = Math.round(radius * (signs[code].length > 1 ? 0.8 : 0.95));
  const sign = canvas.text(`${key} sign`, x, y + size * 0.36, signs[code], { anchor: "middle", kind: `pic-sign ${motion}`, fill: readableOn(fill) });
  sign.style.fontSize = `${size}px`;
  sign.style.opacity = radius < LEAST_SIGNED ? "0" : String(opacity);
  if (isHeld) for (const part of [key, `${key} sign`]) canvas.raise(part);
}

/** Counts in words, in the order in which classes are shown: "9 Yes, 5 No". @param {string[]} classes @param {number[]} counts */
export function countsText(classes, counts) {
  return listing(shownClasses(classes).map((code) => `${counts[code]} ${classes[code]}`));
}

/**
 * A jar that is open at its top.
 * @param {PictureCanvas} canvas @param {string} key @param {PicArea} picArea @param {string} colour
 */
export function drawJar(canvas, key, { x, y, width, height }, colour) {
  const [round, right, bottom] = [Math.min(26, width / 5), x + width, y + height];
  const d = `M${x} ${y} L${x} ${bottom - round} Q${x} ${bottom} ${x + round} ${bottom} L${right - round} ${bottom} Q${right} ${bottom} ${right} ${bottom - round} L${right} ${y}`;
  canvas.put(`${key} glass`, "path", { class: "pic-jar-glass", d, fill: colour });
  canvas.put(key, "path", { class: "pic-jar", d, fill: "none", stroke: colour });
}

/** The inside of a jar. @param {PicArea} picArea */
export function jarInside({ x, y, width, height }) {
  return { x: x + 14, y: y + 12, width: width - 28, height: height - 22 };
}
