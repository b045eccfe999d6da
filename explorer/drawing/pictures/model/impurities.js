// Entropy, Gini index and error rate of class counts or shares: the same numbers as `explorer/recipe/impurity.py` gives.

/** @typedef {import("../canvas.js").Area} PicArea */

/** @typedef {string} Measure "entropy", "gini" or "error" */

/** @type {Record<Measure, (shares: number[]) => number>} */
const IMPURITIES = { entropy: entropyOf, gini: giniOf, error: errorOf };

/**
 * "entropy" in bits, "gini" or "error" of counts (or shares) by class; 0 where there are none.
 * @param {Measure} measure @param {number[]} counts
 */
export function impurityOf(measure, counts) {
  const total = counts.reduce((sum, count) => sum + count, 0);
  return total > 0 ? IMPURITIES[measure](counts.map((count) => count / total)) : 0;
}

/** −Σ p·log2 p, with 0·log2 0 = 0. @param {number[]} shares */
function entropyOf(shares) {
  return Math.max(-shares.reduce((sum, share) => sum + (share > 0 ? share * Math.log2(share) : 0), 0), 0);
}

/** 1 − Σ p². @param {number[]} shares */
function giniOf(shares) {
  return Math.max(1 - shares.reduce((sum, share) => sum + share * share, 0), 0);
}

/** 1 − the largest share. @param {number[]} shares */
function errorOf(shares) {
  return 1 - Math.max(...shares);
}

/** The largest value with so many classes: that of equal shares. @param {Measure} measure @param {number} nClasses */
export function largestImpurity(measure, nClasses) {
  return impurityOf(measure, Array(nClasses).fill(1));
}

/**
 * The arithmetic of a measure with all its fractions: "−9/14·log₂(9/14) − 5/14·log₂(5/14)".
 * @param {Measure} measure @param {number[]} counts
 */
export function impurityArithmetic(measure, counts) {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const fractions = counts.filter((count) => count > 0).map((count) => `${count}/${total}`);
  if (total === 0) return "";
  if (measure === "entropy") return fractions.map((part) => `−${part}·log₂(${part})`).join(" ").replaceAll(" −", " − ");
  if (measure === "gini") return ["1", ...fractions.map((part) => `(${part})²`)].join(" − ");
  return `1 − ${Math.max(...counts)}/${total}`;
}

/**
 * Places for `n` balls in a box, row by row from its bottom left: {radius, places: [[x, y], …]}; the balls are as large
 * as they can be up to `most`, and stand in the middle of the box.
 * @param {number} n @param {PicArea} picArea
 */
export function packedBalls(n, { x, y, width, height }, most = 20) {
  let [cell, columns] = [0, 1];
  for (let across = 1; across <= n; across++) {
    const size = Math.min(width / across, height / Math.ceil(n / across));
    if (size > cell) [cell, columns] = [size, across];
  }
  cell = Math.min(cell, most * 2.3);
  columns = Math.max(1, Math.min(n, Math.max(columns, Math.floor(width / (cell || 1)))));
  const left = x + (width - columns * cell) / 2;
  const place = (/** @type {number} */ k) => [left + ((k % columns) + 0.5) * cell, y + height - (Math.floor(k / columns) + 0.5) * cell];
  return { radius: cell / 2.3, places: Array.from({ length: n }, (_, k) => place(k)) };
}
