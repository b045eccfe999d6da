// Where the bars of the icicle are: every node has a bar as long as its rows, under the bar of its parent.
//
// A bar that ends less than LEAST_BAR pixels after the one before it is left out: which bars are drawn follows from layout
// and camera, never from α, so that they are placed once and painted many times.

/** @typedef {import("../scene/scene.js").Scene} Scene */

/** @typedef {ReturnType<typeof placeBars>} Bars */

import { firstReaching } from "../layout.js";

const LEAST_BAR = 0.75;

/**
 * The bars in view under a scene's camera, level by level: `node`, `left` and `width` in pixels; those of level d have
 * the numbers from[d] to from[d + 1]. `number` is a node's, −1 without a bar; `seen` counts all nodes in view.
 * @param {Scene} scene
 */
export function placeBars({ camera, layout, frame, tree }) {
  const most = layout.levels.reduce((sum, level) => sum + Math.min(level.length, Math.ceil(frame.width / LEAST_BAR) + 3), 0);
  const bars = {
    node: new Int32Array(most), left: new Float64Array(most), width: new Float64Array(most),
    from: new Int32Array(layout.levels.length + 1), number: new Int32Array(tree.n).fill(-1), count: 0, seen: 0,
  };
  layout.levels.forEach((level, depth) => {
    const top = camera.depthShift + camera.depthScale * depth;
    if (top <= frame.height && top + camera.depthScale >= 0) placeLevelOfBars(bars, level, { camera, layout, frame });
    bars.from[depth + 1] = bars.count;
  });
  return bars;
}

/** @param {Bars} bars @param {Int32Array} level @param {Pick<Scene, "camera" | "layout" | "frame">} scene */
function placeLevelOfBars(bars, level, { camera, layout, frame }) {
  const lo = (0 - camera.alongShift) / camera.alongScale;
  const hi = (frame.width - camera.alongShift) / camera.alongScale;
  let last = -Infinity;
  for (let i = firstReaching(level, (t) => layout.hi[t], lo); i < level.length; i++) {
    const t = level[i];
    if (layout.lo[t] > hi) break;
    bars.seen += 1;
    const right = camera.alongShift + camera.alongScale * layout.hi[t];
    if (right < last + LEAST_BAR) continue;
    addBar(bars, t, Math.max(last, camera.alongShift + camera.alongScale * layout.lo[t], -2), Math.min(right, frame.width + 2));
    last = right;
  }
}

/** @param {Bars} bars @param {number} t @param {number} left @param {number} right */
function addBar(bars, t, left, right) {
  const full = right - left;
  bars.number[t] = bars.count;
  bars.node[bars.count] = t;
  bars.left[bars.count] = left;
  bars.width[bars.count] = Math.max(LEAST_BAR, full > 3 ? full - 1 : full);
  bars.count += 1;
}

/** The upper edge and the height of the bars on a level. @param {Scene} scene @param {number} depth */
export function rowOfBars({ camera }, depth) {
  return { top: camera.depthShift + camera.depthScale * depth + 0.5, height: Math.max(1, camera.depthScale - 1.5) };
}

/** A node's bar as centre and half sizes in pixels. @param {Scene} scene @param {number} t */
export function barOf({ camera, layout, tree }, t) {
  const half = Math.max(1, (camera.alongScale * (layout.hi[t] - layout.lo[t])) / 2);
  return {
    x: camera.alongShift + (camera.alongScale * (layout.lo[t] + layout.hi[t])) / 2,
    y: camera.depthShift + camera.depthScale * (tree.depth[t] + 0.5),
    halfWidth: half,
    halfHeight: Math.max(1, camera.depthScale / 2 - 0.5),
    kind: 0,
  };
}

/** The node whose bar is under a point, or −1. @param {Scene} scene @param {number} px @param {number} py */
export function barUnder({ camera, layout }, px, py) {
  const level = layout.levels[Math.floor((py - camera.depthShift) / camera.depthScale)];
  if (!level) return -1;
  const world = (px - camera.alongShift) / camera.alongScale;
  const t = level[firstReaching(level, (id) => layout.hi[id], world)];
  return t !== undefined && layout.lo[t] <= world ? t : -1;
}
