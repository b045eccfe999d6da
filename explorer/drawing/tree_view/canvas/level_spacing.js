// Level spacing: where the tree is too deep for words on every level, the top levels get room for them and the levels
// below share the rest.
//
// worded   the top levels that carry words in every picture: three, and further ones while their nodes fit side by side
// place    of a level: its pixel on the axis of depth, when the camera's shift and scale are applied

/** @typedef {import("./camera.js").Camera} Camera */
/** @typedef {import("./level_of_detail.js").Marks} Marks */
/** @typedef {import("./scene/scene.js").Scene} Scene */

import { alongLength, alongMargin, fitCamera } from "./camera.js";

const LEAST_WORDED = 3;
/** @type {Record<string, number>} */
const WORDED_GAP = { down: 60, right: 188 };
/** @type {Record<string, number>} */
const LEAST_REST = { down: 14, right: 20 };
/** @type {Record<string, number>} */
const LEAST_ALONG = { down: 78, right: 32 };
const MOST_OF_DEPTH = 0.7;

/** How many levels from the top carry words. It depends on the tree and the area, never on the zoom. @param {Scene} scene */
export function wordedLevels({ layout, frame }) {
  const fit = fitCamera(frame);
  const count = layout.levels.length;
  const breadth = Math.min(alongLength(frame), fit.alongScale * layout.slots + 2 * alongMargin(frame));
  const depth = fit.depthScale * (count - 1);
  let worded = Math.min(LEAST_WORDED, count);
  const hasRoom = (/** @type {number} */ d) => layout.levels[d].length * LEAST_ALONG[frame.mode] <= breadth;
  const rest = (/** @type {number} */ levels) => (depth - levels * WORDED_GAP[frame.mode]) / Math.max(1, count - 1 - levels);
  while (worded < count && hasRoom(worded) && rest(worded + 1) >= LEAST_REST[frame.mode]) worded += 1;
  return worded;
}

/**
 * The place of every level: evenly apart where all have room for words.
 * @param {Scene} scene @param {number} worded @param {number} scale
 */
export function levelPlaces({ camera, frame, layout }, worded, scale) {
  const steps = layout.levels.length - 1;
  const even = camera.depthScale;
  const wide = Math.min(worded, steps);
  let [gap, rest] = [even, even];
  if (even < WORDED_GAP[frame.mode] * scale && wide < steps) {
    gap = Math.max(even, Math.min(WORDED_GAP[frame.mode] * scale, (even * steps * MOST_OF_DEPTH) / wide));
    rest = (even * steps - gap * wide) / (steps - wide);
  }
  const places = [camera.depthShift];
  for (let d = 1; d <= steps; d++) places.push(places[d - 1] + (d <= wide ? gap : rest));
  return places;
}

/**
 * The distance of a level to the one above it; for the first level, to the one below.
 * @param {Pick<Marks, "places">} marks @param {Camera} camera @param {number} depth
 */
export function gapAbove(marks, camera, depth) {
  const { places } = marks;
  if (places.length < 2) return camera.depthScale;
  return depth === 0 ? places[1] - places[0] : places[depth] - places[depth - 1];
}

/**
 * The distance of a level to the nearer of its neighbours.
 * @param {Pick<Marks, "places">} marks @param {Camera} camera @param {number} depth
 */
export function leastGap(marks, camera, depth) {
  const above = gapAbove(marks, camera, depth);
  return depth + 1 < marks.places.length ? Math.min(above, marks.places[depth + 1] - marks.places[depth]) : above;
}
