// Validation rows at the leaves of a tree, right or wrong; picking a node prunes or restores it.

/** @typedef {import("./small_tree.js").NodePlace} NodePlace */
/** @typedef {import("../canvas.js").PictureCanvas} PictureCanvas */
/** @typedef {import("../../tree_view/theme.js").Theme} Theme */
/** @typedef {import("./small_tree.js").LessonTree} LessonTree */

/** @typedef {{ name: string, actual: number, path: number[] }} ValidationRow */
/**
 * @typedef {{
 *   tree: LessonTree, rows: ValidationRow[], pruned: number[], lit: number | null, asks: boolean, can_prune: boolean,
 * }} ValidationPicture as validation_rows.py has it
 */

import { say } from "../../tree_view/messages.js";
import { drawSmallTree, placeOf } from "./small_tree.js";

const [ROW_RADIUS, ROW_FIRST] = [12, 57];

/**
 * @param {PictureCanvas} canvas @param {ValidationPicture} picture
 * @param {import("../canvas.js").Tools<{ pruned?: number[] }>} tools
 */
export function drawValidationRows(canvas, picture, { theme, local, change }) {
  const pruned = new Set(local.pruned ?? picture.pruned);
  const predicted = new Map(picture.tree.nodes.map((node) => [node.number, node.predicted]));
  const treeBox = { x: 8, y: 64, width: canvas.width - 16, height: canvas.height - 64 - 50 };
  const onPick = picture.can_prune ? (/** @type {number} */ node) => change({ pruned: toggled(pruned, node) }) : null;
  const lit = new Set(picture.lit === null ? [] : [picture.lit]);
  const ends = picture.rows.map(({ path }) => (picture.asks ? path[0] : endOfPath(path, pruned)));
  const right = picture.rows.filter(({ actual }, index) => predicted.get(ends[index]) === actual).length;
  canvas.text("title", 16, 28, rowsTitle(picture, right), { kind: "pic-title" });
  canvas.text("legend", 16, 52, say("Ring: predicted right. Cross: predicted wrong."), { kind: "pic-small pic-quiet" });
  const places = drawSmallTree(canvas, picture.tree, treeBox, { theme, leaves: pruned, lit, onPick });
  /** @type {Map<number, number>} */
  const stacked = new Map();
  picture.rows.forEach((row, index) => {
    const place = placeOf(places, ends[index]);
    const rank = stacked.get(ends[index]) ?? 0;
    stacked.set(ends[index], rank + 1);
    const isRight = picture.asks ? null : predicted.get(ends[index]) === row.actual;
    drawRowBall(canvas, row, rowPlace(place, rank, picture.asks), { theme, isRight });
  });
}

/**
 * The node where a row stops: the first pruned node on its path, or its leaf.
 * @param {number[]} path @param {Set<number>} pruned
 */
export function endOfPath(path, pruned) {
  return path.find((node) => pruned.has(node)) ?? path[path.length - 1];
}

/** @param {Set<number>} pruned @param {number} node */
function toggled(pruned, node) {
  const next = new Set(pruned);
  if (!next.delete(node)) next.add(node);
  return [...next];
}

/** @param {ValidationPicture} picture @param {number} right */
function rowsTitle(picture, right) {
  const n = picture.rows.length;
  if (picture.asks) return say("{n} validation rows, not yet classified", { n });
  return say("{right} of {n} validation rows are classified right: {share}", { right, n, share: (right / n).toFixed(3) });
}

/** @param {NodePlace} place @param {number} rank @param {boolean} isAbove */
function rowPlace(place, rank, isAbove) {
  const step = 2 * ROW_RADIUS + 3;
  if (isAbove) return { x: place.x + 60 + rank * step, y: place.y };
  const perRow = 2;
  const [column, line] = [rank % perRow, Math.floor(rank / perRow)];
  return { x: place.x + (column - 0.5) * step * 0.98, y: place.y + ROW_FIRST + line * step };
}

/**
 * @param {PictureCanvas} canvas @param {ValidationRow} row @param {{ x: number, y: number }} place
 * @param {{ theme: Theme, isRight: boolean | null }} look
 */
function drawRowBall(canvas, row, { x, y }, { theme, isRight }) {
  const fill = theme.classes[row.actual % theme.classes.length];
  const key = `row ${row.name}`;
  canvas.put(`${key} ball`, "circle", { cx: x, cy: y, r: ROW_RADIUS - 2, fill, opacity: isRight === false ? 0.55 : 1 });
  const ring = { cx: x, cy: y, r: ROW_RADIUS, fill: "none", stroke: isRight ? theme.text : "transparent", "stroke-width": 2 };
  canvas.put(`${key} ring`, "circle", ring);
  canvas.text(`${key} name`, x, y + 4.5, row.name, { anchor: "middle", kind: "pic-small pic-on-ball" });
  const arm = ROW_RADIUS - 1;
  for (const [index, turn] of [1, -1].entries()) {
    const points = [[x - arm, y - arm * turn], [x + arm, y + arm * turn]];
    canvas.line(`${key} cross ${index}`, points, { stroke: theme.text, opacity: isRight === false ? 1 : 0, class: "pic-line" });
  }
}
