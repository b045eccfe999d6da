// The points of lines: staircases, and lines with no more points than a screen can show.

/** @typedef {import("./scales.js").Pair} Pair */

/**
 * The corners of a staircase with a height between every two edges: two for each, so that it moves step by step.
 * @param {ArrayLike<number>} edges @param {ArrayLike<number>} heights @returns {Pair[]}
 */
export function stairs(edges, heights) {
  return Array.from(heights).flatMap((height, k) => /** @type {Pair[]} */ ([[edges[k], height], [edges[k + 1], height]]));
}

/**
 * A line's points, at most four in a column of pixels (first, lowest, highest, last), so that it looks the same.
 * @param {Pair[]} points @returns {Pair[]}
 */
export function thinnedLine(points) {
  /** @type {Pair[]} */
  const kept = [];
  /** @type {Pair[]} */
  let column = [];
  const flush = () => {
    if (column.length <= 4) kept.push(...column);
    else kept.push(...endsAndExtremes(column));
    column = [];
  };
  for (const point of points) {
    if (column.length && Math.floor(point[0]) !== Math.floor(column[0][0])) flush();
    column.push(point);
  }
  flush();
  return kept;
}

/** @param {Pair[]} column */
function endsAndExtremes(column) {
  let [low, high] = [0, 0];
  column.forEach((point, k) => {
    if (point[1] < column[low][1]) low = k;
    if (point[1] > column[high][1]) high = k;
  });
  const kept = new Set([0, Math.min(low, high), Math.max(low, high), column.length - 1]);
  return [...kept].map((k) => column[k]);
}
