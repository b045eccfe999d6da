// Where the nodes of a small tree stand: leaves side by side, a parent over the middle of its children.

/** @typedef {[number, number]} Pair */
/**
 * @typedef Tree as answer.py has it; `counts` is null where numbers are predicted
 * @property {number[]} parent
 * @property {number[]} first
 * @property {number[]} depth
 * @property {number[]} feature
 * @property {string[]} threshold
 * @property {number[]} weight
 * @property {number[][] | null} counts
 * @property {number[]} label
 * @property {number[][]} boxes
 */
/** @typedef {{ feature: string, text: string, score: number, shown: string, threshold: number, out: string }} Row */
/** @typedef {{ measure: string, gain: string, rows: Row[], chosen: string, lead: number | null, lead_text: string }} Candidates */
/**
 * @typedef Answer
 * @property {Tree} tree
 * @property {number} selected
 * @property {Candidates} candidates
 * @property {Record<string, [thresholds: number[], gains: number[]]>} curves
 * @property {string} score
 * @property {{ node: number, text: string }[]} changed
 */

/**
 * By node [across, down], each from 0 to 1; `tree` has first (child), feature (−1: leaf) and depth.
 * @param {Tree} tree @returns {Pair[]}
 */
export function treePlaces(tree) {
  const n = tree.feature.length;
  const across = new Float64Array(n);
  let leaves = 0;
  const visit = (/** @type {number} */ node) => {
    if (tree.feature[node] < 0) {
      across[node] = leaves++;
      return;
    }
    const child = tree.first[node];
    visit(child);
    visit(child + 1);
    across[node] = (across[child] + across[child + 1]) / 2;
  };
  visit(0);
  const deepest = Math.max(1, ...tree.depth);
  return Array.from({ length: n }, (_, node) => [(across[node] + 0.5) / leaves, tree.depth[node] / deepest]);
}

/** The node that a path of 0 and 1 leads to; it ends at a leaf. @param {Tree} tree @param {string} path */
export function nodeAt(tree, path) {
  let node = 0;
  for (const step of path) {
    if (tree.feature[node] < 0) break;
    node = tree.first[node] + Number(step);
  }
  return node;
}

/** The path from the root to a node. @param {Tree} tree @param {number} node */
export function pathTo(tree, node) {
  let path = "";
  for (let at = node; at > 0; at = tree.parent[at]) path = `${at - tree.first[tree.parent[at]]}${path}`;
  return path;
}
