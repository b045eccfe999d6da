// Colours: mixed, and readable on one another.

const NEAR_BLACK = "#0B0D10";
const PURE_BLACK = "#000000";
const READABLE = 4.5;
const PURE_WHITE = "#FFFFFF";

/** [red, green, blue] of "#rgb", "#rrggbb", "#rrggbbaa" or "rgb(…)". @param {string} text */
export function colourChannels(text) {
  const hex = /^#([0-9a-f]{3,8})$/i.exec(text.trim());
  if (!hex) return (text.match(/[\d.]+/g) ?? ["0", "0", "0"]).slice(0, 3).map(Number);
  const digits = hex[1].length < 6 ? [...hex[1]].map((digit) => digit + digit).join("") : hex[1];
  return [0, 2, 4].map((at) => parseInt(digits.slice(at, at + 2), 16));
}

/** A colour with a share of another one in it. @param {string} colour @param {string} other @param {number} share */
export function mixColours(colour, other, share) {
  const a = colourChannels(colour);
  const b = colourChannels(other);
  const hex = a.map((channel, i) => Math.round(channel + (b[i] - channel) * share).toString(16).padStart(2, "0"));
  return "#" + hex.join("");
}

/** Relative luminance as WCAG 2.1 defines it. @param {string} colour */
function luminanceOf(colour) {
  const linear = colourChannels(colour).map((channel) => {
    const c = channel / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
}

/** The contrast of two colours, from 1 to 21. @param {string} first @param {string} second */
export function contrastOf(first, second) {
  const a = luminanceOf(first);
  const b = luminanceOf(second);
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** Near-black or white, whichever has more contrast; where neither reaches 4.5 : 1, black, which then does. @param {string} fill */
export function readableOn(fill) {
  const [dark, light] = [contrastOf(fill, NEAR_BLACK), contrastOf(fill, PURE_WHITE)];
  if (Math.max(dark, light) < READABLE) return PURE_BLACK;
  return dark >= light ? NEAR_BLACK : PURE_WHITE;
}

/** 0 when all classes are equally frequent or less, 1 when the node is pure. @param {number} share @param {number} nClasses */
export function purityOf(share, nClasses) {
  const even = 1 / Math.max(2, nClasses);
  return Math.max(0, Math.min(1, (share - even) / (1 - even)));
}

/** The colour of class `k`. @param {{classes: string[]}} theme @param {number} k */
export function classColour(theme, k) {
  return theme.classes[k % theme.classes.length];
}
