// Mixtures of three classes as points of a triangle: shares, places, and lines along which a measure is equal.

/**
 * Where counts (or shares) of three classes lie between three corners [[x, y], …].
 * @param {number[]} counts @param {number[][]} corners
 */
export function trianglePlace(counts, corners) {
  const total = counts[0] + counts[1] + counts[2];
  return [0, 1].map((axis) => corners.reduce((sum, corner, code) => sum + (counts[code] / total) * corner[axis], 0));
}

/**
 * The shares of three classes at a place, which may be negative outside the triangle.
 * @param {number[]} place @param {number[][]} corners
 */
function sharesAt([x, y], [a, b, c]) {
  const whole = (b[1] - c[1]) * (a[0] - c[0]) + (c[0] - b[0]) * (a[1] - c[1]);
  const first = ((b[1] - c[1]) * (x - c[0]) + (c[0] - b[0]) * (y - c[1])) / whole;
  const second = ((c[1] - a[1]) * (x - c[0]) + (a[0] - c[0]) * (y - c[1])) / whole;
  return [first, second, 1 - first - second];
}

/** The counts of `n` balls that lie nearest to a place. @param {number[]} place @param {number[][]} corners @param {number} n */
export function nearestMixture(place, corners, n) {
  const wanted = sharesAt(place, corners).map((share) => Math.max(share, 0));
  const total = wanted[0] + wanted[1] + wanted[2];
  const exact = wanted.map((share) => (share / total) * n);
  const counts = exact.map(Math.floor);
  const byRest = [0, 1, 2].sort((a, b) => exact[b] - counts[b] - (exact[a] - counts[a]));
  const missing = n - counts[0] - counts[1] - counts[2];
  for (const code of byRest.slice(0, missing)) counts[code] += 1;
  return counts;
}

/**
 * The pieces [from, to], in shares, of the line along which `of(shares)` equals `level`: a triangular grid with `cells`
 * along each edge is searched, and each of its cells is cut where the value passes the level.
 * @param {(shares: number[]) => number} of @param {number} level @param {number} cells
 */
export function contourSegments(of, level, cells) {
  const segments = [];
  for (let a = 0; a < cells; a++) {
    for (let b = 0; a + b < cells; b++) {
      const c = cells - a - b;
      segments.push(...cutOf([[a, b, c], [a + 1, b, c - 1], [a, b + 1, c - 1]], of, level, cells));
      if (c > 1) segments.push(...cutOf([[a + 1, b, c - 1], [a, b + 1, c - 1], [a + 1, b + 1, c - 2]], of, level, cells));
    }
  }
  return segments;
}

/** @param {number[][]} corners @param {(shares: number[]) => number} of @param {number} level @param {number} cells */
function cutOf(corners, of, level, cells) {
  const points = corners.map((counts) => counts.map((count) => count / cells));
  const above = points.map((shares) => of(shares) - level);
  /** @type {number[][]} */
  const cuts = [];
  for (const [i, j] of [[0, 1], [1, 2], [2, 0]]) {
    if (above[i] >= 0 === above[j] >= 0) continue;
    const t = above[i] / (above[i] - above[j]);
    cuts.push(points[i].map((share, code) => share + t * (points[j][code] - share)));
  }
  return cuts.length === 2 ? [cuts] : [];
}
