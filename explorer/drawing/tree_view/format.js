// Numbers and counts as text; `pages/text.py` does the same for the pages around the view, and a golden file checks
// both.

import { say } from "./messages.js";

const GROUPED = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

/** Below SMALL three digits tell a number; from LONG on it has no decimals, from ENDLESS on it is a power of ten. */
const [SMALL, LONG, ENDLESS] = [0.1, 1e9, 1e15];
/** @type {Record<string, string>} */
const RAISED = { "-": "⁻", ...Object.fromEntries([..."⁰¹²³⁴⁵⁶⁷⁸⁹"].map((sign, digit) => [digit, sign])) };

/** The same number, never as minus zero. @param {number} value */
function plainZero(value) {
  return value === 0 ? 0 : value;
}

/**
 * The nearest whole number where a sum of weights differs from it by rounding only; any other number unchanged.
 * @param {number} value
 */
function settled(value) {
  const whole = Math.round(value);
  return Math.abs(value - whole) <= 1e-12 * Math.abs(value) ? whole : value;
}

/**
 * A number with `digits` decimals, a small one with three digits; a dash for a missing number.
 * @param {number | null | undefined} value
 */
export function numberText(value, digits = 3) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  const size = Math.abs(value);
  if (Number.isInteger(settled(value)) && size < LONG) return withMinus(GROUPED.format(plainZero(settled(value))));
  if (size < SMALL || size >= ENDLESS) return significantText(value, 3);
  return withMinus(inThousands(fixedText(value, size < LONG ? digits : 0)));
}

/** The text with a real minus sign in place of its hyphens. @param {string} text */
function withMinus(text) {
  return text.replaceAll("-", "−");
}

/**
 * A number with `digits` decimals; an exact half is rounded to the even digit as in Python, so that page and view agree.
 * @param {number} value @param {number} digits
 */
function fixedText(value, digits) {
  const text = value.toFixed(digits);
  const isHalf = Math.abs(value * 2 ** (digits + 1)) % 2 === 1;
  if (!isHalf || "02468".includes(text[text.length - 1])) return text;
  return (value - Math.sign(value) * 10 ** -(digits + 1)).toFixed(digits);
}

/** The digits before the point in groups of three. @param {string} text */
export function inThousands(text) {
  return text.replace(/\B(?<!\.\d*)(?=(\d{3})+(?!\d))/g, ",");
}

/**
 * A number with `digits` significant digits and no trailing zeros; a very small or large one with a power of ten.
 * @param {number} value @param {number} digits
 */
function significantText(value, digits) {
  const rounded = Number(plainZero(value).toPrecision(digits));
  const size = Math.abs(rounded);
  if (size === 0 || (size >= 1e-4 && size < 10 ** digits)) return withMinus(String(rounded));
  const [front, power] = rounded.toExponential().split("e");
  return `${withMinus(front)}·10${power.replace("+", "").replace(/./g, (sign) => RAISED[sign])}`;
}

/** A count, or a sum of weights with two decimals, in groups of three digits. @param {number} weight */
export function countText(weight) {
  if (Number.isInteger(settled(weight))) return GROUPED.format(plainZero(settled(weight)));
  return inThousands(fixedText(weight, 2));
}

/** A share in per cent with one decimal; only the whole is 100 %, only none is 0 %. @param {number} share */
export function percentText(share) {
  if (Math.abs(share) <= 1e-12 || Math.abs(share - 1) <= 1e-12) return inPercent(fixedText(100 * Math.round(share), 0));
  if (share >= 0.9995 && share < 1) return inPercent("> 99.9");
  if (share > 0 && share < 0.0005) return inPercent("< 0.1");
  return inPercent(fixedText(100 * share, 1));
}

/**
 * A number with its per cent sign, which stands as far from it as the language has it.
 * @param {string | number} number
 */
export function inPercent(number) {
  return say("{number} %", { number });
}

/** The text with every per cent sign on the same line as its number. @param {string} text */
export function unbroken(text) {
  return text.replaceAll(" %", "\u00a0%");
}

/**
 * A score: a share of right rows, or a mean squared error, a large one to the unit.
 * @param {number | null | undefined} value @param {boolean} isShare
 */
export function scoreText(value, isShare) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  if (isShare) return percentText(value);
  if (Math.abs(value) >= ENDLESS) return significantText(value, 3);
  return Math.abs(value) >= 9999.5 ? inThousands(fixedText(value, 0)) : significantText(value, 4);
}

/** A count of rows with its noun. @param {number} weight */
export function rowsText(weight) {
  if (weight === 0) return say("no rows");
  return settled(weight) === 1 ? say("1 row") : say("{rows} rows", { rows: countText(weight) });
}

/** A sum of weights that counts no rows. @param {number} weight */
export function weightText(weight) {
  return say("weight {weight}", { weight: weight >= 1000 ? inThousands(fixedText(weight, 0)) : numberText(weight, 4) });
}

const CONTROL = /[\u0000-\u001f]/g;
const UNSEEN = /[\u007f\u0080-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064\u2066-\u2069\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180e\u3164\ufeff\uffa0]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
// Joiners shape letters of many scripts and join emojis; elsewhere they are without effect. Tags are never seen.
const IDLE_JOINERS = /(?<![\p{Lo}\p{M}\p{So}\p{Sk}])[\u200c\u200d]|[\u{e0000}-\u{e007f}]/gu;

/**
 * The text with line breaks, control characters, direction marks and what has no width shown as visible signs.
 * @param {string} text
 */
export function visibleText(text) {
  const named = (/** @type {string} */ sign) => `⟨U+${Number(sign.codePointAt(0)).toString(16).toUpperCase().padStart(4, "0")}⟩`;
  const signs = text.replace(CONTROL, (sign) => String.fromCharCode(0x2400 + sign.charCodeAt(0)));
  return signs.replace(UNSEEN, named).replace(IDLE_JOINERS, named);
}

const GRAPHEMES = new Intl.Segmenter("en", { granularity: "grapheme" });

/**
 * The text, or as much of it as leaves room for an ellipsis; characters made of several code points stay whole.
 * @param {string} text @param {number} most
 */
export function ellipsis(text, most) {
  if (text.length <= most) return text;
  let start = "";
  for (const { segment } of GRAPHEMES.segment(text.slice(0, most + 16))) {
    if (start.length + segment.length > most - 1) break;
    start += segment;
  }
  return `${start.trimEnd()}…`;
}
