// The points that are drawn: {x, y, mark}, in whole steps. x and y go from 0 to 1000 (hundredths); a mark is a class code, or
// a number from 0 to 100 (tenths). As text a point has two digits to base 36 for each; points.py reads the same.

/** @typedef {{ x: number, y: number }} Place */
/** @typedef {Place & { mark: number }} Point */
/** @typedef {string} Target "2" or "3" classes, or "number" */
/** @typedef {[least: number, largest: number]} Range of the marks */
/** @typedef {{ points: Point[], target: Target, algorithm: string, depth: number | null }} Drawing */

export const STEPS = 1000;
export const VALUE_STEPS = 100;
export const MOST_POINTS = 500;
const BASE = 36;

/** @param {Target} target */
export function classesOf(target) {
  return target === "number" ? 0 : Number(target);
}

/** @param {Point[]} points */
export function encoded(points) {
  const pair = (/** @type {number} */ step) => step.toString(BASE).padStart(2, "0");
  return points.map(({ x, y, mark }) => pair(x) + pair(y) + pair(mark)).join("");
}

/** @param {string} text */
export function decoded(text) {
  const points = [];
  for (let at = 0; at + 6 <= text.length; at += 6) {
    const [x, y, mark] = [0, 2, 4].map((place) => parseInt(text.slice(at + place, at + place + 2), BASE));
    points.push({ x, y, mark });
  }
  return points;
}

/** A step between 0 and `most`; with a grid the nearest multiple of it. @param {number} value */
export function stepNear(value, most = STEPS, grid = 1) {
  return Math.max(0, Math.min(most, Math.round(value / grid) * grid));
}

/** The least and the largest mark. @param {Point[]} points @returns {Range} */
export function rangeOf(points) {
  const marks = points.map(({ mark }) => mark);
  return [Math.min(...marks), Math.max(...marks)];
}

/** The points with one changed. @param {Point[]} points @param {number} index @param {Partial<Point>} fields */
export function withPoint(points, index, fields) {
  return points.map((point, i) => (i === index ? { ...point, ...fields } : point));
}

/** @param {Point[]} points @param {number} index */
export function withoutPoint(points, index) {
  return points.filter((_, i) => i !== index);
}

/**
 * The marks for another kind of target: numbers become classes by equal intervals, classes the middles of these.
 * @param {Point[]} points @param {Target} from @param {Target} to
 */
export function converted(points, from, to) {
  if (from === to) return points;
  const [had, has] = [classesOf(from), classesOf(to)];
  const toMark = (/** @type {Point} */ { mark }) => {
    if (had && has) return Math.min(mark, has - 1);
    if (has) return Math.min(has - 1, Math.floor((mark * has) / VALUE_STEPS));
    return Math.round(((mark + 0.5) * VALUE_STEPS) / had);
  };
  return points.map((point) => ({ ...point, mark: toMark(point) }));
}

/**
 * The points with a few more anywhere, of any class or number; `random()` gives numbers from 0 up to 1.
 * @param {Point[]} points @param {Target} target @param {() => number} random
 */
export function sprinkled(points, target, random, count = 5) {
  const marks = classesOf(target) || VALUE_STEPS + 1;
  const anywhere = () => Math.floor(random() * (STEPS + 1));
  const room = Math.max(0, Math.min(count, MOST_POINTS - points.length));
  const more = Array.from({ length: room }, () => ({ x: anywhere(), y: anywhere(), mark: Math.floor(random() * marks) }));
  return [...points, ...more];
}

/**
 * The point nearest to a place within a distance, the last drawn of equals; −1 for none. `scale` are the units of x and y
 * in which distance is measured, such as pixels per step.
 * @param {Point[]} points @param {number} x @param {number} y
 */
export function nearestPoint(points, x, y, within = Infinity, scale = [1, 1]) {
  let [best, least] = [-1, within];
  points.forEach((point, index) => {
    const distance = Math.hypot((point.x - x) * scale[0], (point.y - y) * scale[1]);
    if (distance <= least) [best, least] = [index, distance];
  });
  return best;
}
