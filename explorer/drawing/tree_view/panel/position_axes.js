// Axes of the curve: the coordinate of each position, and readable ticks.
//
// An *axis* is {kind, edges or centres, low, high, ticks: [{at, text}], title}, in units of its own; a scale maps
// [low, high] to pixels. Against α a subtree holds from its edge to the next: its centre is the middle.

/** @typedef {import("../model/split_payload.js").Numbers} Numbers */
/** @typedef {import("../../charts/scales.js").Tick} Tick */

import { decadeTicks, nearestOf } from "../../charts/scales.js";
import { say } from "../messages.js";
import { alphaText } from "../model/alpha_interval.js";

/** @typedef {ReturnType<typeof steppedAxis> | ReturnType<typeof leafAxis>} Axis */

const FEW_POSITIONS = 12;
const FEW_LEAVES = 30;

/**
 * Against α: a short sequence gives each interval the same width, a long one has log10 α with the zeros left of it.
 * @param {Numbers} alphas
 */
export function alphaAxis(alphas) {
  const zeros = alphas.findIndex((alpha) => alpha > 0);
  if (alphas.length <= FEW_POSITIONS || zeros < 0) return equalAxis(alphas);
  const first = Math.log10(alphas[zeros]);
  const last = Math.log10(alphas[alphas.length - 1]);
  const margin = 0.06 * Math.max(last - first, 0.5);
  const edges = new Float64Array(alphas.length + 1);
  for (let k = 0; k < alphas.length; k++) edges[k] = k < zeros ? first - margin * (zeros - k) : Math.log10(alphas[k]);
  edges[alphas.length] = last + margin;
  const ticks = decadeTicks(first, last);
  if (zeros > 0) ticks.unshift({ at: edges[0], text: "0" });
  return steppedAxis(edges, ticks, say("α (logarithmic)"));
}

/** @param {Numbers} alphas */
function equalAxis(alphas) {
  const edges = Float64Array.from({ length: alphas.length + 1 }, (_, k) => k);
  const ticks = Array.from(alphas, (_, k) => ({ at: k, text: alphaText({ alphas }, k) }));
  return steppedAxis(edges, ticks, say("α (each step equally wide)"));
}

/** @param {Float64Array} edges @param {Tick[]} ticks @param {string} title */
function steppedAxis(edges, ticks, title) {
  const centres = new Float64Array(edges.length - 1);
  for (let k = 0; k < centres.length; k++) centres[k] = (edges[k] + edges[k + 1]) / 2;
  return { kind: /** @type {const} */ ("steps"), edges, centres, low: edges[0], high: edges[edges.length - 1], ticks, title };
}

/** Against leaves, the root at the left; logarithmic for large trees. @param {Numbers} leaves */
export function leafAxis(leaves) {
  const most = Array.from(leaves).reduce((a, b) => Math.max(a, b), 1);
  const isLog = most > FEW_LEAVES;
  const centres = Float64Array.from(leaves, (count) => (isLog ? Math.log10(count) : count));
  const high = isLog ? Math.log10(most) : Math.max(most, 2);
  const low = isLog ? 0 : 1;
  const room = 0.03 * (high - low);
  const ticks = isLog ? decadeTicks(low, high) : wholeTicks(most);
  return { kind: /** @type {const} */ ("points"), centres, low: low - room, high: high + room, ticks, title: isLog ? say("leaves (logarithmic)") : say("leaves") };
}

/** @param {number} most */
function wholeTicks(most) {
  const step = most <= 12 ? 1 : most <= 20 ? 2 : 5;
  const values = [1];
  for (let value = step === 1 ? 2 : step; value <= most; value += step) values.push(value);
  return values.map((value) => ({ at: value, text: String(value) }));
}

/**
 * The position at a coordinate of the axis: the interval that contains it, or the nearest point.
 * @param {Axis} axis @param {number} coordinate
 */
export function positionAt(axis, coordinate) {
  return axis.kind === "steps" ? intervalAt(axis.edges, coordinate) : nearestOf(axis.centres, coordinate);
}

/** @param {Float64Array} edges @param {number} coordinate */
function intervalAt(edges, coordinate) {
  let [first, after] = [0, edges.length - 1];
  while (after - first > 1) {
    const middle = (first + after) >> 1;
    if (edges[middle] <= coordinate) first = middle;
    else after = middle;
  }
  return first;
}
