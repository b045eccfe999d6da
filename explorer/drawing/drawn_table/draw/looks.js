// How points and regions look: the colour and shape of a class, or the colour and size of a number.

/** @typedef {import("../model/points.js").Target} Target */
/** @typedef {import("../model/points.js").Range} Range */
/** @typedef {import("../model/tree_places.js").Tree} Tree */
/** @typedef {import("../../tree_view/theme.js").Theme} Theme */

import { classColour, mixColours, purityOf } from "../../charts/colours.js";
import { CLASS_SHAPES, shapeCorners } from "../../charts/shapes.js";
import { VALUE_STEPS } from "../model/points.js";

const RADIUS = 6.5;
const [LEAST_RADIUS, MORE_RADIUS] = [4, 5];
const [WEAKEST, STRONGER, OF_NUMBER] = [0.1, 0.25, 0.5];

/** The colour of a number on the scale of means; `value` from 0 to 1. @param {Theme} theme @param {number} value */
function numberColour(theme, value) {
  const [least, largest] = theme.means;
  return mixColours(least, largest, Math.max(0, Math.min(1, value)));
}

/**
 * `range` are the least and the largest mark, between which numbers have their colours.
 * @param {Theme} theme @param {Target} target @param {number} mark @param {Range} range
 */
export function markColour(theme, target, mark, range) {
  return target === "number" ? numberColour(theme, shareOf(range, mark)) : classColour(theme, mark);
}

/** @param {Range} range @param {number} mark */
function shareOf([least, largest], mark) {
  return largest > least ? (mark - least) / (largest - least) : 0.5;
}

/**
 * The outline of a mark around the origin; a larger number is a larger circle.
 * @param {Target} target @param {number} mark
 */
export function markPath(target, mark, scale = 1) {
  if (target === "number") return circlePath(scale * (LEAST_RADIUS + (MORE_RADIUS * mark) / VALUE_STEPS));
  const corners = shapeCorners(CLASS_SHAPES[mark % CLASS_SHAPES.length]);
  if (!corners.length) return circlePath(scale * RADIUS * 0.92);
  return `M${corners.map(([x, y]) => `${(x * RADIUS * scale).toFixed(2)} ${(y * RADIUS * scale).toFixed(2)}`).join("L")}Z`;
}

/** @param {number} r */
function circlePath(r) {
  return `M${-r} 0a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;
}

/**
 * The fill of a leaf's region: the purer, the stronger.
 * @param {Theme} theme @param {Tree} tree @param {number} node @param {Range} range
 */
export function regionColour(theme, tree, node, range) {
  if (!tree.counts) return mixColours(theme.background, numberColour(theme, shareOf(range, tree.label[node] * 10)), OF_NUMBER);
  const share = tree.counts[node][tree.label[node]] / Math.max(tree.weight[node], 1);
  const strength = WEAKEST + STRONGER * purityOf(share, 2);
  return mixColours(theme.background, classColour(theme, tree.label[node]), strength);
}
