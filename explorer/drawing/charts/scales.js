// Scales and ticks, in the manner of d3-scale: a scale is a function from a number to its place on a line.

import { inPercent } from "../tree_view/format.js";

/**
 * @typedef {[number, number]} Pair two ends: of the numbers (domain) or of their places (range)
 * @typedef {{at: number, text: string}} Tick
 * @typedef {{pixel: number, start: number, text: string}} PlacedTick
 * @typedef {((value: number) => number) & {domain: Pair, range: Pair, invert: (place: number) => number}} Scale
 */

const TICK_STEPS = [1, 2, 5, 10];
const DECADE_PARTS = [[1], [1, 2, 5], [1, 2, 3, 4, 5, 6, 7, 8, 9]];
const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/**
 * From the numbers of a domain to the places of a range; `invert` gives the number of a place, kept within the domain.
 * @param {Pair} domain @param {Pair} range @returns {Scale}
 */
export function linearScale([low, high], [from, to]) {
  const scale = (/** @type {number} */ value) => from + ((value - low) / (high - low)) * (to - from);
  /** @type {(place: number) => number} */
  const invert = (place) => Math.min(Math.max(low + ((place - from) / (to - from)) * (high - low), low), high);
  return Object.assign(scale, { domain: /** @type {Pair} */ ([low, high]), range: /** @type {Pair} */ ([from, to]), invert });
}

/**
 * The same for positive numbers, by their logarithms.
 * @param {Pair} domain @param {Pair} range @returns {Scale}
 */
export function logScale([low, high], range) {
  const scale = linearScale([Math.log(low), Math.log(high)], range);
  const invert = (/** @type {number} */ place) => Math.exp(scale.invert(place));
  return Object.assign((/** @type {number} */ value) => scale(Math.log(value)), { domain: /** @type {Pair} */ ([low, high]), range, invert });
}

/**
 * The range with some room on both sides.
 * @param {Pair} range @returns {Pair}
 */
export function withRoom([least, largest], share = 0.06) {
  const spread = largest - least || Math.max(Math.abs(largest) * 0.1, 1e-9);
  return [least - share * spread, largest + share * spread];
}

/**
 * What an axis of scores shows around its values: shares stay near [0, 1], numbers from 0 on above it.
 * @param {number} least @param {number} largest @param {boolean} isShare @returns {Pair}
 */
export function scoreDomain(least, largest, isShare) {
  const spread = largest - least || Math.max(Math.abs(largest) * 0.1, isShare ? 0.1 : 1e-9);
  const room = least === largest ? 0.5 : 0.08;
  const [low, high] = [least - room * spread, largest + room * spread];
  if (isShare) return [Math.max(low, -0.02), Math.min(high, 1.02)];
  return [least >= 0 ? Math.max(low, -0.03 * spread) : low, high];
}

/**
 * Round numbers in a range, about `wanted` of them; shares as per cent.
 * @param {number} low @param {number} high @param {number} wanted @param {boolean} [isShare] @returns {Tick[]}
 */
export function roundTicks(low, high, wanted, isShare = false) {
  const rough = (high - low) / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * (TICK_STEPS.find((multiple) => multiple * power >= rough * 0.999) ?? 10);
  const ticks = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + step * 1e-9; k++) {
    if (isShare && (k * step < -1e-9 || k * step > 1 + 1e-9)) continue;
    ticks.push({ at: k * step, text: tickText(k * step, step, isShare) });
  }
  return ticks;
}

/** @param {number} value @param {number} step @param {boolean} isShare */
function tickText(value, step, isShare) {
  const unit = isShare ? step * 100 : step;
  const decimals = Math.min(Math.max(-Math.floor(Math.log10(unit) + 1e-9), 0), 12);
  const shown = (isShare ? value * 100 : value) || 0;
  const text = shown.toLocaleString("en-US", { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
  return (isShare ? inPercent(text) : text).replace("-", "−");
}

/**
 * Whole numbers from 0 to `high`: each where they are few, else about `wanted`.
 * @param {number} high @param {number} wanted @returns {Tick[]}
 */
export function countTicks(high, wanted, few = 12) {
  if (high >= few) return roundTicks(0, high, Math.min(wanted, high)).filter(({ at }) => Number.isInteger(at));
  return Array.from({ length: Math.floor(high) + 1 }, (_, at) => ({ at, text: String(at) }));
}

/**
 * Ticks of a logarithmic axis between two powers: decades, with 2 and 5 or more in between where they are few.
 * @param {number} low @param {number} high @returns {Tick[]}
 */
export function decadeTicks(low, high) {
  /** @type {Tick[]} */
  let ticks = [];
  for (const parts of DECADE_PARTS) {
    ticks = partsOfDecades(parts, low, high);
    if (ticks.length >= 4) break;
  }
  return ticks;
}

/** @param {number[]} parts @param {number} low @param {number} high */
function partsOfDecades(parts, low, high) {
  const ticks = [];
  for (let power = Math.floor(low); power <= Math.ceil(high); power++) {
    for (const part of parts) {
      const at = power + Math.log10(part);
      if (at >= low - 1e-9 && at <= high + 1e-9) ticks.push({ at, text: decadeText(part, power) });
    }
  }
  return ticks;
}

/** @param {number} part @param {number} power */
function decadeText(part, power) {
  if (power >= -4 && power <= 5) return Number(`${part}e${power}`).toLocaleString("en-US", { maximumFractionDigits: 6 });
  const raised = [...String(Math.abs(power))].map((digit) => SUPERSCRIPTS[Number(digit)]).join("");
  return `${part === 1 ? "" : `${part}·`}10${power < 0 ? "⁻" : ""}${raised}`;
}

/**
 * Ticks whose texts keep a gap between them and stay within [left, right]: the first of those that collide stays.
 * @param {Tick[]} ticks @param {(value: number) => number} scale @param {(text: string) => number} widthOf
 * @param {Pair} bounds @param {number} gap @returns {PlacedTick[]}
 */
export function spacedTicks(ticks, scale, widthOf, [left, right], gap) {
  const kept = [];
  let end = -Infinity;
  for (const { at, text } of ticks) {
    const [width, pixel] = [widthOf(text), scale(at)];
    const start = Math.min(Math.max(pixel - width / 2, left), right - width);
    if (start < end + gap || pixel < left - 1 || pixel > right + 1) continue;
    kept.push({ pixel, start, text });
    end = start + width;
  }
  return kept;
}

/**
 * The position of the number nearest to a value, the first of several; −1 without any.
 * @param {ArrayLike<number>} numbers @param {number} value
 */
export function nearestOf(numbers, value) {
  let best = numbers.length ? 0 : -1;
  for (let k = 1; k < numbers.length; k++) if (Math.abs(numbers[k] - value) < Math.abs(numbers[best] - value)) best = k;
  return best;
}
