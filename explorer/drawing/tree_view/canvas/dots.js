// Node dots: nodes too close for a box are one dot each, in the shape of their class; on levels with more nodes than
// pixels, all nodes of a column of pixels are one bar.
//
// bucket   dots of one fill and one opacity, painted as one path

/** @typedef {import("./scene/scene.js").Scene} Scene */

/**
 * @typedef {{
 *   context: CanvasRenderingContext2D, scene: Scene, depth: number, from: number, code: number, opacity: number,
 *   column: number, bars: number,
 * }} Run of columns in one colour
 */

import { alongOf, DOT } from "./level_of_detail.js";
import { traceShape } from "../../charts/shapes.js";
import { GHOST, INNER } from "../model/pruned_shape.js";

const OPACITY_STEPS = 3;
const COLUMN_WIDTH = 2;
export const LOOSE_EDGE_STEP = 4; // a whole number of columns
const OUTLINED_FROM = 2.5; // radius
const DOT_OUTLINE = 1.25;

/** @param {CanvasRenderingContext2D} context @param {Scene} scene */
export function paintDots(context, scene) {
  const order = sortDots(scene);
  const { dotStart, paints } = scene;
  for (let bucket = 0; bucket + 1 < dotStart.length; bucket++) {
    if (dotStart[bucket] === dotStart[bucket + 1]) continue;
    const opacity = Math.floor(bucket / (2 * paints.codes));
    const isLeaf = Math.floor(bucket / paints.codes) % 2 === 1;
    paintBucket(context, scene, order, bucket, isLeaf, opacity);
  }
  context.globalAlpha = 1;
}

/**
 * @param {CanvasRenderingContext2D} context @param {Scene} scene @param {Int32Array} order @param {number} bucket
 * @param {boolean} isLeaf @param {number} opacity
 */
function paintBucket(context, scene, order, bucket, isLeaf, opacity) {
  const { dotStart, paints, marks } = scene;
  const code = bucket % paints.codes;
  const radius = marks.radius * (isLeaf ? 1 : 0.82);
  context.beginPath();
  for (let i = dotStart[bucket]; i < dotStart[bucket + 1]; i++) traceDot(context, scene, order[i], code, radius);
  const hasOutline = marks.radius > OUTLINED_FROM;
  context.globalAlpha = opacity === 0 ? 0.7 : opacity / OPACITY_STEPS;
  if (opacity > 0) {
    const fills = hasOutline ? [paints.innerFill, paints.leafFill] : [paints.innerMark, paints.leafMark];
    context.fillStyle = fills[isLeaf ? 1 : 0][code];
    context.fill();
  }
  if (opacity > 0 && !hasOutline) return;
  // Over the fill: a mixed node is seen by its outline alone.
  context.strokeStyle = opacity === 0 ? paints.ghost : isLeaf ? paints.leafEdge[code] : paints.innerEdge[code];
  context.lineWidth = DOT_OUTLINE;
  context.stroke();
}

/** @param {CanvasRenderingContext2D} context @param {Scene} scene @param {number} t @param {number} code @param {number} radius */
function traceDot(context, { marks, paints }, t, code, radius) {
  if (radius < 2.2) context.rect(marks.x[t] - radius, marks.y[t] - radius, 2 * radius, 2 * radius);
  else traceShape(context, paints.shapeOfCode(code), marks.x[t], marks.y[t], radius);
}

/** @param {Scene} scene @param {number} t */
function dotBucket({ paints, shape, fade, lit, tree }, t) {
  const opacity = Math.round(fade[t] * lit(t) * OPACITY_STEPS);
  const isLeaf = shape[t] !== INNER && !(shape[t] === GHOST && tree.feature[t] >= 0);
  return (opacity * 2 + (isLeaf ? 1 : 0)) * paints.codes + paints.code[t];
}

/** Counting sort of the dots in sight by bucket. @param {Scene} scene */
function sortDots(scene) {
  const { dotOrder, paints } = scene;
  const buckets = paints.codes * 2 * (OPACITY_STEPS + 1);
  if (scene.dotStart?.length !== buckets + 1) scene.dotStart = new Int32Array(buckets + 1);
  const start = scene.dotStart.fill(0);
  forEachDot(scene, (t) => start[dotBucket(scene, t) + 1]++);
  for (let bucket = 0; bucket < buckets; bucket++) start[bucket + 1] += start[bucket];
  forEachDot(scene, (t) => (dotOrder[start[dotBucket(scene, t)]++] = t));
  start.copyWithin(1, 0, buckets);
  start[0] = 0;
  return dotOrder;
}

/** @param {Scene} scene @param {(t: number) => void} visit */
function forEachDot(scene, visit) {
  const { layout, marks } = scene;
  for (let depth = 0; depth < layout.levels.length; depth++) {
    if (marks.dense[depth]) continue;
    const level = layout.levels[depth];
    for (let i = marks.from[depth]; i < marks.to[depth]; i++) {
      if (marks.kind[level[i]] === DOT && !scene.isOffScreen(level[i])) visit(level[i]);
    }
  }
}

/**
 * Dense levels: every column of pixels is one bar in the colour of its heaviest kept node.
 * @param {CanvasRenderingContext2D} context @param {Scene} scene
 */
export function paintDense(context, scene) {
  const { layout, marks } = scene;
  for (let depth = 0; depth < layout.levels.length; depth++) {
    if (!marks.dense[depth]) continue;
    paintLooseEdges(context, scene, depth);
    marks.drawn += paintColumns(context, scene, depth);
  }
  context.globalAlpha = 1;
}

/** @param {CanvasRenderingContext2D} context @param {Scene} scene @param {number} depth */
function paintColumns(context, scene, depth) {
  const { layout, marks, camera } = scene;
  const level = layout.levels[depth];
  const run = { context, scene, depth, from: 0, code: -1, opacity: 0, column: 0, bars: 0 };
  let [column, heaviest, opacity] = [NaN, -1, 0];
  for (let i = marks.from[depth]; i < marks.to[depth]; i++) {
    const t = level[i];
    const current = Math.floor((camera.alongShift + camera.alongScale * layout.x[t]) / COLUMN_WIDTH);
    if (current !== column) {
      if (heaviest >= 0) extendRun(run, column, heaviest, opacity);
      [column, heaviest, opacity] = [current, t, 0];
    }
    opacity = Math.max(opacity, scene.fade[t] * scene.lit(t));
    if (isHeavier(scene, t, heaviest)) heaviest = t;
  }
  if (heaviest >= 0) extendRun(run, column, heaviest, opacity);
  finishRun(run);
  return run.bars;
}

/** @param {Scene} scene @param {number} t @param {number} other */
function isHeavier({ fade, tree }, t, other) {
  return fade[t] > fade[other] || (fade[t] === fade[other] && tree.weight[t] > tree.weight[other]);
}

/**
 * Neighbouring columns of one colour make one rectangle.
 * @param {Run} run @param {number} column @param {number} t @param {number} opacity
 */
function extendRun(run, column, t, opacity) {
  const { scene } = run;
  const isLeaf = scene.shape[t] !== INNER;
  const code = scene.paints.code[t] * 2 + (isLeaf ? 1 : 0);
  const step = Math.round(opacity * 4);
  run.bars += 1;
  if (code === run.code && step === run.opacity && column === run.column + 1) {
    run.column = column;
    return;
  }
  finishRun(run);
  Object.assign(run, { code, opacity: step, from: column, column });
}

/** @param {Run} run */
function finishRun({ context, scene, depth, code, opacity, from, column }) {
  if (code < 0) return;
  const { paints, camera, frame } = scene;
  const deep = scene.marks.places[depth];
  const half = Math.max(1.5, Math.min(5, camera.depthScale * 0.32));
  const length = (column - from + 1) * COLUMN_WIDTH;
  context.globalAlpha = 0.25 + 0.75 * (opacity / 4);
  context.fillStyle = opacity === 0 ? paints.ghost : (code % 2 ? paints.leafMark : paints.innerMark)[code >> 1];
  if (frame.mode === "right") context.fillRect(deep - half, from * COLUMN_WIDTH, 2 * half, length);
  else context.fillRect(from * COLUMN_WIDTH, deep - half, length, 2 * half);
}

/**
 * Edges into a dense level, only so many that they can be distinguished: one for every few pixels.
 * @param {CanvasRenderingContext2D} context @param {Scene} scene @param {number} depth
 */
function paintLooseEdges(context, scene, depth) {
  const { layout, marks, camera, tree, frame, paints } = scene;
  const level = layout.levels[depth];
  const [top, bottom] = [marks.places[depth - 1] ?? marks.places[depth], marks.places[depth]];
  let last = NaN;
  context.beginPath();
  for (let i = marks.from[depth]; i < marks.to[depth]; i++) {
    const to = camera.alongShift + camera.alongScale * layout.x[level[i]];
    const step = Math.floor(to / LOOSE_EDGE_STEP);
    if (step === last) continue;
    last = step;
    const from = alongOf(scene, tree.parent[level[i]]);
    context.moveTo(frame.mode === "right" ? top : from, frame.mode === "right" ? from : top);
    context.lineTo(frame.mode === "right" ? bottom : to, frame.mode === "right" ? to : bottom);
  }
  context.globalAlpha = 0.4;
  context.strokeStyle = paints.edge;
  context.lineWidth = 1;
  context.stroke();
}
