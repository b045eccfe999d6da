// How stable each node is under resampling of the rows: its outline is filled clockwise to the share of the resamples that
// split alike there, and a small box plot of their thresholds stands where its branches begin.

/** @typedef {import("./level_of_detail.js").Box} Box */
/** @typedef {import("../../charts/chart_box.js").Point} Point */
/** @typedef {import("./scene/scene.js").Scene} Scene */
/** @typedef {import("../model/payload.js").Spread} Spread */

import { barOf } from "./icicle/bars.js";
import { boxOf, DOT } from "./level_of_detail.js";
import { GHOST, INNER } from "../model/pruned_shape.js";

const [OUTLINE_WIDTH, TRACK_ALPHA] = [3, 0.3];
const [SPREAD_WIDTH, SPREAD_HEIGHT, SPREAD_GAP] = [56, 10, 4];
const LEAST_SHARE_RADIUS = 2.4;
const LEAST_SPREAD_ROOM = SPREAD_HEIGHT + 2 * SPREAD_GAP;

/** @param {CanvasRenderingContext2D} context @param {Scene} scene */
export function paintStability(context, scene) {
  const { stability, showsStability, layout, tree, shape, marks, frame } = scene;
  if (!stability || !showsStability) return;
  const isIcicle = frame.mode === "icicle";
  for (let t = 0; t < tree.n; t++) {
    if (!layout.shown[t] || shape[t] === GHOST || Number.isNaN(stability.share[t])) continue;
    if (!isIcicle && (marks.dense[tree.depth[t]] || scene.isOffScreen(t))) continue;
    const box = isIcicle ? barOf(scene, t) : boxOf(scene, t);
    const isDot = !isIcicle && box.kind === DOT;
    if (isDot ? marks.radius < LEAST_SHARE_RADIUS : box.halfWidth < 4) continue;
    paintShare(context, scene, box, stability.share[t], isIcicle, isDot);
    const spread = stability.spreads.get(t);
    if (spread && shape[t] === INNER && !isIcicle && !isDot) paintSpread(context, scene, t, box, spread);
  }
  context.globalAlpha = 1;
}

/**
 * The outline, faint all the way round and strong up to the share.
 * @param {CanvasRenderingContext2D} context @param {Scene} scene @param {Box} box @param {number} share
 * @param {boolean} isIcicle @param {boolean} isDot
 */
function paintShare(context, { theme, marks }, box, share, isIcicle, isDot) {
  const scale = isIcicle ? 1 : marks.scale;
  const width = isDot ? 2 : OUTLINE_WIDTH * scale;
  const inset = isIcicle ? -width / 2 - 1 : width / 2;
  const [wide, high] = [Math.max(1, box.halfWidth + inset), Math.max(1, box.halfHeight + inset)];
  const corner = isDot ? wide : isIcicle ? 2 : Math.min(9 * scale, wide, high);
  const around = outlineLength(wide, high, corner);
  context.lineWidth = width;
  context.lineCap = "butt";
  context.strokeStyle = theme.quiet;
  context.globalAlpha = TRACK_ALPHA;
  strokeOutline(context, box, wide, high, corner);
  context.globalAlpha = 1;
  if (share <= 0) return;
  context.strokeStyle = theme.text;
  if (share < 1) context.setLineDash([share * around, around]);
  strokeOutline(context, box, wide, high, corner);
  context.setLineDash([]);
}

/**
 * @param {CanvasRenderingContext2D} context @param {Point} centre @param {number} wide @param {number} high
 * @param {number} corner
 */
function strokeOutline(context, { x, y }, wide, high, corner) {
  context.beginPath();
  context.roundRect(x - wide, y - high, 2 * wide, 2 * high, corner);
  context.stroke();
}

/**
 * The length of a rectangle's outline with round corners, from its half sides.
 * @param {number} wide @param {number} high @param {number} corner
 */
export function outlineLength(wide, high, corner) {
  return 4 * (wide + high) - (8 - 2 * Math.PI) * corner;
}

/**
 * Where a threshold lies in a box plot, from 0 to 1; in the middle where all are equal.
 * @param {Pick<Spread, "least" | "largest">} spread @param {number} value
 */
export function placeOnScale({ least, largest }, value) {
  return largest > least ? (value - least) / (largest - least) : 0.5;
}

/**
 * From least to largest a line, the middle half as a box, the median as a stroke across; the scale is the node's own.
 * @param {CanvasRenderingContext2D} context @param {Scene} scene @param {number} t @param {Box} box @param {Spread} spread
 */
function paintSpread(context, scene, t, box, spread) {
  const { frame, marks, theme } = scene;
  const isRight = frame.mode === "right";
  if (!hasSpreadRoom(scene, t, isRight)) return;
  const { scale } = marks;
  context.save();
  if (isRight) context.translate(box.x + box.halfWidth + (SPREAD_WIDTH / 2 + SPREAD_GAP + OUTLINE_WIDTH) * scale, box.y);
  else context.translate(box.x, box.y + box.halfHeight + (SPREAD_HEIGHT / 2 + SPREAD_GAP + OUTLINE_WIDTH) * scale);
  context.scale(scale, scale);
  const at = (/** @type {number} */ value) => -SPREAD_WIDTH / 2 + SPREAD_WIDTH * placeOnScale(spread, value);
  const [lower, upper] = [at(spread.lower), at(spread.upper)];
  context.beginPath();
  context.moveTo(at(spread.least), 0);
  context.lineTo(at(spread.largest), 0);
  for (const end of [spread.least, spread.largest]) {
    context.moveTo(at(end), -SPREAD_HEIGHT / 4);
    context.lineTo(at(end), SPREAD_HEIGHT / 4);
  }
  for (const [colour, width] of /** @type {const} */ ([[theme.background, 4], [theme.text, 1.2]])) { // a rim sets it off from the edges
    [context.strokeStyle, context.lineWidth] = [colour, width];
    context.stroke();
  }
  context.fillStyle = theme.background;
  context.fillRect(lower, -SPREAD_HEIGHT / 2, Math.max(upper - lower, 1), SPREAD_HEIGHT);
  context.strokeRect(lower, -SPREAD_HEIGHT / 2, Math.max(upper - lower, 1), SPREAD_HEIGHT);
  context.strokeStyle = theme.primary;
  context.lineWidth = 2;
  context.beginPath();
  context.moveTo(at(spread.median), -SPREAD_HEIGHT / 2);
  context.lineTo(at(spread.median), SPREAD_HEIGHT / 2);
  context.stroke();
  context.restore();
}

/**
 * Whether the branches are long enough for the box plot at their beginning.
 * @param {Scene} scene @param {number} t @param {boolean} isRight
 */
function hasSpreadRoom({ marks, tree }, t, isRight) {
  const depth = tree.depth[t];
  const gap = (marks.places[depth + 1] ?? Infinity) - marks.places[depth] - (marks.bands[depth] ?? 0) - (marks.bands[depth + 1] ?? 0);
  const free = gap - (marks.branchTextZones[depth + 1] ?? 0);
  return free / marks.scale >= (isRight ? SPREAD_WIDTH + 2 * SPREAD_GAP : LEAST_SPREAD_ROOM);
}
