// The decision path of one row: its edges highlighted, as wide as the share of the row that follows them, and the share
// written at the nodes that only a part of the row reaches (fractional instances).
//
// rowPath  Map of node → share of the row that reaches it, 0 to 1; empty where no row is shown

/** @typedef {import("./level_of_detail.js").Box} Box */
/** @typedef {import("./scene/scene.js").Scene} Scene */
/** @typedef {import("../model/payload.js").TreeData} TreeData */

/** @typedef {Map<number, number>} RowPath */

import { DOT, FULL } from "./level_of_detail.js";
import { traceEdge } from "./edges.js";
import { percentText } from "../format.js";
import { say } from "../messages.js";

const [THINNEST_ROW_PATH, WIDEST_ROW_PATH] = [2, 7];
const SHARE_TAG_HEIGHT = 16;

/** The width in pixels of an edge that a share of the row follows. @param {number} share */
export function rowPathWidth(share) {
  return THINNEST_ROW_PATH + (WIDEST_ROW_PATH - THINNEST_ROW_PATH) * Math.sqrt(Math.min(1, share));
}

/**
 * The share of the row that reaches a node, as text; "" where the row does not reach it.
 * @param {RowPath} rowPath @param {number} t
 */
export function rowShareText(rowPath, t) {
  const share = rowPath.get(t);
  if (share === undefined) return "";
  if (isWholeRow(share)) return say("the row comes here");
  return say("{share} of the row comes here", { share: percentText(share) });
}

/** @param {number} share */
function isWholeRow(share) {
  return share > 1 - 1e-9;
}

/** The edges of the row's path, over all other edges. @param {CanvasRenderingContext2D} context @param {Scene} scene */
export function paintRowPath(context, scene) {
  const { layout, theme, marks } = scene;
  context.strokeStyle = theme.primary;
  for (const [t, share] of scene.rowPath) {
    if (t === 0 || !layout.shown[t]) continue;
    const most = marks.kind[t] === DOT ? 1.6 * marks.radius : Infinity;
    context.lineWidth = Math.max(1.5, Math.min(most, rowPathWidth(share) * Math.min(1.5, marks.scale)));
    context.beginPath();
    traceEdge(context, scene, t);
    context.stroke();
  }
}

/**
 * Whether a node shows its share of the row: only where it is smaller than the parent's.
 * @param {RowPath} rowPath @param {TreeData} tree @param {number} t
 */
export function isRowDivided(rowPath, tree, t) {
  return t > 0 && (rowPath.get(t) ?? 0) < (rowPath.get(tree.parent[t]) ?? 0) - 1e-9;
}

/**
 * The share of the row that reaches a box, at its lower right corner.
 * @param {CanvasRenderingContext2D} context @param {Scene} scene @param {Box} box @param {number} share
 */
export function paintShareTag(context, scene, box, share) {
  if (box.kind === DOT || scene.frame.mode === "icicle") return;
  const { textMeasure, theme, marks } = scene;
  const text = percentText(share);
  const width = textMeasure.width(text, "tag") + 12;
  context.save();
  const drop = box.kind === FULL ? 0 : 6; // a low box has its text near its edge
  context.translate(box.x + box.halfWidth - (width / 2 - 6) * marks.scale, box.y + box.halfHeight + drop * marks.scale);
  context.scale(marks.scale, marks.scale);
  context.beginPath();
  context.roundRect(-width / 2, -SHARE_TAG_HEIGHT / 2, width, SHARE_TAG_HEIGHT, SHARE_TAG_HEIGHT / 2);
  context.fillStyle = theme.primary;
  context.fill();
  context.font = textMeasure.fonts.tag;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillStyle = scene.onPrimary;
  context.fillText(text, 0, 0.5);
  context.restore();
}
