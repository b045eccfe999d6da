// The position of every node, in world units, before any camera.
//
// slot     one leaf's share of the breadth; leaves stand in consecutive slots, the first at 0.5
// along    the axis on which slots are counted (across the screen top-down, down the screen left-right)
// depth    the other axis, counted in levels
// shown    1 for every node that the view lays out, 0 for nodes that are folded away or below the depth limit
// span     in the icicle: the stretch [lo, hi] of the whole breadth that a node's rows fill
//
// Ids are breadth-first, so that on every level a larger id lies further along: no sorting is needed anywhere.

/** @typedef {import("../model/payload.js").TreeData} TreeData */

/** @typedef {ReturnType<typeof layOut>} Layout */

import { GHOST } from "../model/pruned_shape.js";

/**
 * 1 for every node that is neither below a folded node nor deeper than the limit.
 * @param {TreeData} tree @param {Set<number>} folded @param {number} depthLimit
 */
export function shownNodes(tree, folded, depthLimit) {
  const shown = new Uint8Array(tree.n);
  shown[0] = 1;
  for (let t = 1; t < tree.n; t++) {
    const parent = tree.parent[t];
    shown[t] = shown[parent] && tree.depth[t] <= depthLimit && !folded.has(parent) ? 1 : 0;
  }
  return shown;
}

/** @param {TreeData} tree @param {Uint8Array | null} shown @param {number} t */
function opensInto(tree, shown, t) {
  const first = tree.firstChild[t];
  return first >= 0 && (!shown || shown[first] === 1);
}

/** @param {TreeData} tree @param {Uint8Array | null} shown */
function leavesBelow(tree, shown) {
  const leaves = new Int32Array(tree.n);
  for (let t = tree.n - 1; t >= 0; t--) {
    if (shown && !shown[t]) continue;
    if (leaves[t] === 0) leaves[t] = 1;
    if (t > 0) leaves[tree.parent[t]] += leaves[t];
  }
  return leaves;
}

/** @param {TreeData} tree @param {Uint8Array | null} shown @param {Int32Array} leaves */
function firstSlots(tree, shown, leaves) {
  const first = new Int32Array(tree.n);
  for (let t = 0; t < tree.n; t++) {
    if (!opensInto(tree, shown, t)) continue;
    let slot = first[t];
    const end = tree.firstChild[t] + tree.childCount[t];
    for (let child = tree.firstChild[t]; child < end; child++) {
      first[child] = slot;
      slot += leaves[child];
    }
  }
  return first;
}

/**
 * Leaves in consecutive slots, parents centred over their first and last child; NaN where nothing is shown.
 * @param {TreeData} tree @param {Uint8Array | null} shown
 */
export function leafSlots(tree, shown) {
  const leaves = leavesBelow(tree, shown);
  const first = firstSlots(tree, shown, leaves);
  const x = new Float32Array(tree.n).fill(NaN);
  for (let t = tree.n - 1; t >= 0; t--) {
    if (shown && !shown[t]) continue;
    const child = tree.firstChild[t];
    x[t] = opensInto(tree, shown, t) ? (x[child] + x[child + tree.childCount[t] - 1]) / 2 : first[t] + 0.5;
  }
  return { x, slots: leaves[0] };
}

/**
 * Every node's stretch of the breadth 0..1 by its rows; rows that follow no branch leave a gap at the end.
 * @param {TreeData} tree @param {Uint8Array | null} shown
 */
export function rowSpans(tree, shown) {
  const lo = new Float64Array(tree.n);
  const hi = new Float64Array(tree.n);
  hi[0] = 1;
  for (let t = 0; t < tree.n; t++) {
    if (!opensInto(tree, shown, t)) continue;
    const first = tree.firstChild[t];
    const end = first + tree.childCount[t];
    let rows = 0;
    for (let child = first; child < end; child++) rows += tree.weight[child];
    const unit = (hi[t] - lo[t]) / (Math.max(rows, tree.weight[t]) || 1);
    for (let child = first, at = lo[t]; child < end; child++) {
      lo[child] = at;
      at += tree.weight[child] * unit;
      hi[child] = Math.min(at, hi[t]);
    }
  }
  return { lo, hi };
}

/** The shown nodes of every level, from first to last along the level. @param {TreeData} tree @param {Uint8Array | null} shown */
export function levelLists(tree, shown) {
  /** @type {number[]} */
  const counts = [];
  for (let t = 0; t < tree.n; t++) {
    if (!shown || shown[t]) counts[tree.depth[t]] = (counts[tree.depth[t]] ?? 0) + 1;
  }
  const levels = counts.map((count) => new Int32Array(count));
  const filled = new Int32Array(levels.length);
  for (let t = 0; t < tree.n; t++) {
    if (!shown || shown[t]) levels[tree.depth[t]][filled[tree.depth[t]]++] = t;
  }
  return levels;
}

/**
 * For every node the number of hidden nodes below it; with `left`, the shape of a pruned tree, only its kept nodes.
 * @param {TreeData} tree @param {Uint8Array} shown @param {Uint8Array | null} [left]
 */
export function hiddenBelow(tree, shown, left = null) {
  const hidden = new Int32Array(tree.n);
  for (let t = tree.n - 1; t > 0; t--) hidden[tree.parent[t]] += hidden[t] + (shown[t] || left?.[t] === GHOST ? 0 : 1);
  return hidden;
}

/**
 * All that depends on the view options, computed once; a change of α does not lay out again.
 * @param {TreeData} tree @param {Set<number>} folded @param {number} depthLimit @param {Uint8Array | null} [left]
 */
export function layOut(tree, folded, depthLimit, left = null) {
  const shown = shownNodes(tree, folded, depthLimit);
  const { x, slots } = leafSlots(tree, shown);
  const { lo, hi } = rowSpans(tree, shown);
  const levels = levelLists(tree, shown);
  const count = levels.reduce((sum, level) => sum + level.length, 0);
  return { shown, x, slots, lo, hi, levels, count, hidden: hiddenBelow(tree, shown, left) };
}

/**
 * The first index of an ascending list whose value reaches the bound; the list's length if none does.
 * @param {Int32Array} list @param {(item: number) => number} value @param {number} bound
 */
export function firstReaching(list, value, bound) {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (value(list[middle]) < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The layout with only the nodes of a shape that are grown. What is not grown yet is not drawn, but keeps its place, so that
 * no node moves when another one is split.
 * @param {Layout} layout @param {Uint8Array} shape
 */
export function grownPart(layout, shape) {
  const shown = layout.shown.map((isShown, t) => (isShown && shape[t] !== GHOST ? 1 : 0));
  const levels = layout.levels.map((level) => level.filter((t) => shown[t] === 1));
  return { ...layout, shown, levels, count: levels.reduce((sum, level) => sum + level.length, 0) };
}
