// The rows of a node that has just been split, as dots on their way into its branches: one dot a row, in the colour and
// the shape of its class (without classes, in the colour of the branch).
//
// dot      {node, child, code, spot, age}: the node that was split, the branch taken, the class (−1: none), its spot in
//          either box [along, deep] from −1 to 1, and the milliseconds since it started (below 0: it still waits)
// The dots are painted over the tree, which is as it will be from the first frame on: nothing waits for them.

/** @typedef {import("../canvas/level_of_detail.js").Rect} Rect */
/** @typedef {import("../canvas/scene/scene.js").Scene} Scene */
/** @typedef {import("./surface.js").Surface} Surface */
/** @typedef {import("../model/payload.js").TreeData} TreeData */

import { isDotLevel } from "../canvas/level_of_detail.js";
import { classColour } from "../../charts/colours.js";
import { traceShape } from "../../charts/shapes.js";
import { shapeOfClass } from "../canvas/node_style.js";
import { outlineOf } from "../canvas/paint.js";
import { INNER } from "../model/pruned_shape.js";

/** @typedef {{ node: number, child: number, code: number, spot: number[], age: number }} Dot */

const MOST_ROWS = 300; // of the table: more would be a blur
const TRAVEL = 520;
const LAST_START = 300; // together less than a step of the timeline takes to be read
const LONGEST_FRAME = 50; // a page that was hidden goes on where it was
const BOX_SHARE = 0.75; // of a box that its dots spread over
const [RADIUS, LEAST_RADIUS, LARGEST_RADIUS] = [40, 3, 5.5]; // the first divided by the square root of the table's rows
const EDGE_SPREAD = 5;
const FADE = 0.12; // of the way, at either end
const [GOLDEN, PLASTIC] = [0.6180339887, 0.7548776662]; // multiples of these are spread evenly over [0, 1)

export class TravellingRows {
  /** On a surface: its scene, choices and draw() are used. @param {Surface} surface */
  constructor(surface) {
    this.surface = surface;
    /** @type {Dot[]} */
    this.dots = [];
    this.isPaused = false;
    this.shownAt = NaN;
  }

  clear() {
    [this.dots, this.isPaused, this.shownAt] = [[], false, NaN];
  }

  /** A node of the tree shown has just been split: its rows start, unless the reader wants no motion. @param {number} node */
  send(node) {
    if (this.isPaused) this.clear();
    const { choices, scene } = this.surface;
    if (!choices.isCanvas || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    this.dots.push(...dotsOf(scene.tree, node));
    this.surface.draw();
  }

  /** Pausing the timeline holds the dots where they are; it goes on with them. @param {boolean} isPaused */
  pause(isPaused) {
    this.isPaused = isPaused && this.dots.length > 0;
    this.shownAt = NaN;
    this.surface.draw();
  }

  /** Advance to a time in milliseconds; returns whether any dot is still on its way. @param {number} now */
  step(now) {
    const since = Number.isNaN(this.shownAt) ? 0 : Math.min(now - this.shownAt, LONGEST_FRAME);
    const { shape } = this.surface.scene;
    if (!this.isPaused) for (const dot of this.dots) dot.age += since;
    this.dots = this.dots.filter(({ node, age }) => age < TRAVEL && shape[node] === INNER);
    const isMoving = this.dots.length > 0 && !this.isPaused;
    this.shownAt = isMoving ? now : NaN;
    return isMoving;
  }

  /** @param {CanvasRenderingContext2D} context */
  paint(context) {
    const { scene } = this.surface;
    const { layout, marks, theme, tree, paints } = scene;
    const radius = Math.max(LEAST_RADIUS, Math.min(LARGEST_RADIUS, RADIUS / Math.sqrt(tree.weight[0]))) * Math.min(1.5, marks.scale);
    context.lineWidth = 2;
    context.strokeStyle = theme.background;
    for (const dot of this.dots) {
      if (!layout.shown[dot.child]) continue;
      const share = Math.max(0, dot.age) / TRAVEL;
      const { x, y } = placeOf(scene, dot, share);
      context.globalAlpha = Math.min(1, (TRAVEL + Math.min(0, dot.age)) / TRAVEL, (1 - share) / FADE);
      context.fillStyle = dot.code < 0 ? paints.leafMark[paints.code[dot.child]] : classColour(theme, dot.code);
      context.beginPath();
      traceShape(context, shapeOfClass(tree, dot.code), x, y, radius);
      context.stroke(); // half of it is covered: a rim that sets the dot off from what it passes
      context.fill();
    }
    context.globalAlpha = 1;
  }
}

/**
 * A dot for every row that goes from a node into its branches; none of a large table, or where weights count no rows.
 * @param {TreeData} tree @param {number} node
 */
export function dotsOf(tree, node) {
  if (!tree.countsRows || tree.weight[0] > MOST_ROWS) return [];
  /** @type {Pick<Dot, "node" | "child" | "code">[]} */
  const dots = [];
  for (let child = tree.firstChild[node]; child < tree.firstChild[node] + tree.childCount[node]; child++) {
    const counts = tree.isRegression ? [tree.weight[child]] : Array.from({ length: tree.nClasses }, (_, k) => tree.classWeight(child, k));
    if (!counts.every((count) => Math.abs(count - Math.round(count)) < 1e-9)) return []; // rows in parts have no one way
    counts.forEach((count, k) => {
      for (let i = 0; i < Math.round(count); i++) dots.push({ node, child, code: tree.isRegression ? -1 : k });
    });
  }
  return dots.map((dot, i) => {
    const [along, deep, start] = [(i + 0.5) * GOLDEN, (i + 0.5) * PLASTIC, (i + 0.5) * GOLDEN * PLASTIC].map((value) => value % 1);
    return { ...dot, spot: [2 * along - 1, 2 * deep - 1], age: -start * LAST_START };
  });
}

/**
 * Where a dot is on the canvas after a share of its way: out of one box, along the edge, spread out in the other.
 * @param {Scene} scene @param {Pick<Dot, "node" | "child" | "spot">} dot @param {number} share
 */
export function placeOf(scene, { node, child, spot }, share) {
  const { frame, marks, tree } = scene;
  const [from, to] = [outlineOf(scene, node), outlineOf(scene, child)];
  const isRight = frame.mode === "right";
  const [along, deep, halfAlong, halfDeep] = /** @type {(keyof Rect)[]} */ (isRight ? ["y", "x", "halfHeight", "halfWidth"] : ["x", "y", "halfWidth", "halfHeight"]);
  const within = (/** @type {Rect} */ box) => box[deep] + spot[1] * BOX_SHARE * box[halfDeep];
  const across = within(from) + (within(to) - within(from)) * eased(share);
  const [start, end] = bendOf(scene, from[deep] + from[halfDeep], to[deep] - to[halfDeep], tree.depth[child]);
  const bend = Math.max(0, Math.min(1, (across - start) / Math.max(1, end - start)));
  const isStraight = frame.mode !== "icicle" && isDotLevel(marks, tree.depth[child]);
  const box = BOX_SHARE * (bend < 0.5 ? from : to)[halfAlong];
  const wide = Math.min(box, EDGE_SPREAD * marks.scale) + Math.max(0, box - EDGE_SPREAD * marks.scale) * (2 * bend - 1) ** 4;
  const middle = from[along] + (to[along] - from[along]) * (isStraight ? bend : smooth(bend));
  return isRight ? { x: across, y: middle + spot[0] * wide } : { x: middle + spot[0] * wide, y: across };
}

/**
 * Where the edge into a level bends: between the boxes, before the texts of its branches (see edges.js).
 * @param {Scene} scene @param {number} start @param {number} end @param {number} depth
 */
function bendOf({ frame, marks }, start, end, depth) {
  return frame.mode === "icicle" ? [start, end] : [start, end - marks.branchTextZones[depth]];
}

/** @param {number} share */
function eased(share) {
  return share * share * (3 - 2 * share);
}

/** Nearly the curve of an edge, as a function of the depth. @param {number} share */
function smooth(share) {
  return share ** 3 * (share * (6 * share - 15) + 10);
}
