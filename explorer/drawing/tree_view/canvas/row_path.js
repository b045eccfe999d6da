// The ways of one row down the tree: its edges lit, as wide as the part of the row that takes them, and where it comes
// to a node in part, how much of it does.
//
// ways     Map of node → part of the row that comes to it, 0 to 1; empty where no row is shown

import { DOT, FULL } from "./level_of_detail.js";
import { traceEdge } from "./edges.js";
import { percentText } from "../format.js";

const [THINNEST_WAY, WIDEST_WAY] = [2, 7];
const WAY_TAG_HEIGHT = 16;

/** Pixels of an edge that a part of the row takes. */
export function wayWidth(part) {
  return THINNEST_WAY + (WIDEST_WAY - THINNEST_WAY) * Math.sqrt(Math.min(1, part));
}

/** How much of the row comes to a node, in words; "" where none does. */
export function wayText(ways, t) {
  if (!ways.has(t)) return "";
  return isWholeWay(ways.get(t)) ? "the row comes here" : `${percentText(ways.get(t))} of the row comes here`;
}

function isWholeWay(part) {
  return part > 1 - 1e-9;
}

/** The edges of all ways, over all other edges. */
export function paintWays(context, scene) {
  const { layout, look, marks } = scene;
  context.strokeStyle = look.primary;
  for (const [t, part] of scene.ways) {
    if (t === 0 || !layout.shown[t]) continue;
    const most = marks.kind[t] === DOT ? 1.6 * marks.radius : Infinity;
    context.lineWidth = Math.max(1.5, Math.min(most, wayWidth(part) * Math.min(1.5, marks.scale)));
    context.beginPath();
    traceEdge(context, scene, t);
    context.stroke();
  }
}

/** Whether a node says how much of the row it gets: only where that is less than what came to its parent. */
export function isParting(ways, tree, t) {
  return t > 0 && ways.get(t) < ways.get(tree.parent[t]) - 1e-9;
}

/** How much of the row comes to a box, at its lower right corner. */
export function paintWayTag(context, scene, box, part) {
  if (box.kind === DOT || scene.frame.mode === "icicle") return;
  const { lettering, look, marks } = scene;
  const text = percentText(part);
  const width = lettering.width(text, "tag") + 12;
  context.save();
  const drop = box.kind === FULL ? 0 : 6; // a low box has its text near its edge
  context.translate(box.x + box.halfWidth - (width / 2 - 6) * marks.scale, box.y + box.halfHeight + drop * marks.scale);
  context.scale(marks.scale, marks.scale);
  context.beginPath();
  context.roundRect(-width / 2, -WAY_TAG_HEIGHT / 2, width, WAY_TAG_HEIGHT, WAY_TAG_HEIGHT / 2);
  context.fillStyle = look.primary;
  context.fill();
  context.font = lettering.fonts.tag;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillStyle = scene.onPrimary;
  context.fillText(text, 0, 0.5);
  context.restore();
}
