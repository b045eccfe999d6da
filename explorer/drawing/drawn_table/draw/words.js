// What points and nodes are called.

/** @typedef {import("../model/points.js").Point} Point */
/** @typedef {import("../model/points.js").Target} Target */
/** @typedef {import("../model/tree_places.js").Tree} Tree */

import { say } from "../../tree_view/messages.js";

export const CLASS_NAMES = ["A", "B", "C"];

/** A step as a number: hundredths of a feature, tenths of a target. @param {number} step */
function featureText(step) {
  return (step / 100).toFixed(2);
}

/** @param {Target} target @param {number} mark */
function markText(target, mark) {
  return target === "number" ? (mark / 10).toFixed(1) : CLASS_NAMES[mark];
}

/** A point for a screen reader. @param {Point} point @param {number} index @param {Target} target */
export function pointName({ x, y, mark }, index, target) {
  const fields = { n: index + 1, x: featureText(x), y: featureText(y), mark: markText(target, mark) };
  return target === "number" ? say("Point {n}: x {x}, y {y}, value {mark}", fields) : say("Point {n}: x {x}, y {y}, class {mark}", fields);
}

/** The test of a node, such as x ≤ 3.2. @param {Tree} tree @param {number} node */
export function testText(tree, node) {
  return `${tree.feature[node] === 0 ? "x" : "y"} ≤ ${tree.threshold[node]}`;
}

/** What a leaf predicts. @param {Tree} tree @param {number} node */
export function labelText(tree, node) {
  return tree.counts ? CLASS_NAMES[tree.label[node]] : String(Number(tree.label[node].toFixed(2)));
}

/** A node for a screen reader: its test or prediction, and its points. @param {Tree} tree @param {number} node */
export function nodeName(tree, node) {
  const points = tree.counts ? tree.counts[node].flatMap((n, k) => (n ? [`${n} ${CLASS_NAMES[k]}`] : [])).join(", ") : tree.weight[node];
  const fields = { node, points };
  if (tree.feature[node] < 0) return say("Node {node}: leaf, predicts {label}. Points: {points}", { ...fields, label: labelText(tree, node) });
  return say("Node {node}: splits on {test}. Points: {points}", { ...fields, test: testText(tree, node) });
}
