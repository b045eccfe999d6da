// The node at a point of the canvas where the tree is drawn with edges; `bars.js` knows that of the icicle.

/** @typedef {import("./scene/scene.js").Scene} Scene */

import { alongOf, boxOf } from "./level_of_detail.js";
import { firstReaching } from "./layout.js";

/**
 * The node under a point of the canvas, or −1; up to 12 pixels beside a mark still hit it, for fingertips.
 * @param {Scene} scene @param {number} px @param {number} py
 */
export function nodeUnder(scene, px, py) {
  const { camera, frame, layout } = scene;
  const [along, deep] = frame.mode === "right" ? [py, px] : [px, py];
  const near = nearestLevel(scene, deep);
  let [nearest, least] = [-1, Infinity];
  for (let depth = Math.max(0, near - 1); depth <= Math.min(layout.levels.length - 1, near + 1); depth++) {
    const t = scene.marks.spread[depth] ? nearestMoved(scene, depth, along) : nearestOnLevel(scene, depth, (along - camera.alongShift) / camera.alongScale);
    const distance = t < 0 ? Infinity : distanceTo(scene, t, px, py);
    if (distance < least) [nearest, least] = [t, distance];
  }
  return least <= 12 ? nearest : -1;
}

/** @param {Scene} scene @param {number} deep */
function nearestLevel({ marks }, deep) {
  let nearest = 0;
  marks.places.forEach((place, d) => {
    if (Math.abs(place - deep) < Math.abs(marks.places[nearest] - deep)) nearest = d;
  });
  return nearest;
}

/**
 * Of the nodes that made room for each other, the one whose box is nearest to a pixel along the level.
 * @param {Scene} scene @param {number} depth @param {number} along
 */
function nearestMoved(scene, depth, along) {
  const { frame, layout, marks } = scene;
  const half = frame.mode === "right" ? marks.halfHeight : marks.halfWidth;
  const distance = (/** @type {number} */ t) => Math.abs(alongOf(scene, t) - along) - half[t];
  return layout.levels[depth].reduce((best, t) => (distance(t) < distance(best) ? t : best), layout.levels[depth][0]);
}

/** @param {Scene} scene @param {number} depth @param {number} world */
function nearestOnLevel({ layout }, depth, world) {
  const level = layout.levels[depth];
  const after = firstReaching(level, (t) => layout.x[t], world);
  if (after === 0) return level[0] ?? -1;
  if (after === level.length) return level[after - 1];
  return layout.x[level[after]] - world < world - layout.x[level[after - 1]] ? level[after] : level[after - 1];
}

/**
 * Pixels from a point to the outline of a node's mark, 0 inside it.
 * @param {Scene} scene @param {number} t @param {number} px @param {number} py
 */
function distanceTo(scene, t, px, py) {
  const box = boxOf(scene, t);
  const dx = Math.max(0, Math.abs(px - box.x) - box.halfWidth);
  const dy = Math.max(0, Math.abs(py - box.y) - box.halfHeight);
  return Math.hypot(dx, dy);
}
