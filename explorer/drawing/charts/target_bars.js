// One small bar for each target of a tree with several: shares of the classes, or where a mean lies between the least and
// the largest of all leaves.

/** @typedef {{sizes: number[], shares: import("../tree_view/model/split_payload.js").Numbers}} Bars sizes: how many parts each target has; shares: of all nodes */

const [BAR_HEIGHT, BAR_GAP, BAR_TRACK_ALPHA] = [6, 2, 0.25];

/** Pixels between a leaf and its bars. */
export const LEAF_BAR_DROP = 5;

/** Pixels that are kept free for the bars below a leaf. @param {number} nTargets */
export function leafBarsRoom(nTargets) {
  return LEAF_BAR_DROP + barsHeight(nTargets);
}

/** Pixels that the bars of a leaf take one above the other. @param {number} nTargets */
export function barsHeight(nTargets, scale = 1) {
  return (nTargets * (BAR_HEIGHT + BAR_GAP) - BAR_GAP) * scale;
}

/**
 * The parts of each target's bar at a node, as shares of its length: [[0.25, 0.75], [0.6]].
 * @param {Bars} bars @param {number} node
 */
export function targetParts({ sizes, shares }, node) {
  const width = sizes.reduce((sum, size) => sum + size, 0);
  let at = node * width;
  return sizes.map((size) => Array.from(shares.subarray(at, (at += size))));
}

/**
 * Paint the bars of a node from the corner (left, top) downwards.
 * @param {CanvasRenderingContext2D} context @param {Bars} bars @param {number} node
 * @param {{left: number, top: number, width: number, scale: number}} place
 * @param {{quiet: string, text: string, classes: string[]}} theme
 */
export function paintTargetBars(context, bars, node, { left, top, width, scale }, theme) {
  targetParts(bars, node).forEach((parts, j) => {
    const y = top + j * (BAR_HEIGHT + BAR_GAP) * scale;
    context.globalAlpha = BAR_TRACK_ALPHA;
    context.fillStyle = theme.quiet;
    context.fillRect(left, y, width, BAR_HEIGHT * scale);
    context.globalAlpha = 1;
    let x = left;
    parts.forEach((share, k) => {
      context.fillStyle = parts.length > 1 ? theme.classes[k % theme.classes.length] : theme.text;
      context.fillRect(x, y, share * width, BAR_HEIGHT * scale);
      x += share * width;
    });
  });
}
