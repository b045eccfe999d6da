// Finding nodes by id ("#12" or "12"), split feature, branch text, or the label of a leaf; case is ignored.

/** @typedef {import("./payload.js").TreeData} TreeData */

import { GHOST, LEAF } from "./pruned_shape.js";

/**
 * Ids of the nodes that match a query, in breadth-first order; none for an empty query. Where only the pruned tree is
 * shown (`isTrimmed`), pruned nodes never match, and a node that became a leaf does not match by its former test.
 * @param {TreeData} tree @param {Uint8Array | null} shape @param {string} query
 */
export function nodesNamed(tree, shape, query, isTrimmed = false) {
  const wanted = query.trim().toLowerCase();
  if (wanted === "") return new Int32Array(0);
  const id = /^#?(\d+)$/.exec(wanted);
  const left = isTrimmed ? shape : null;
  const isIn = (/** @type {number} */ t) => t < tree.n && left?.[t] !== GHOST;
  if (wanted.startsWith("#")) return Int32Array.from(id && isIn(Number(id[1])) ? [Number(id[1])] : []);
  const nodes = [];
  for (let t = 0; t < tree.n; t++) {
    if (isIn(t) && ((id && Number(id[1]) === t) || isNamed(tree, shape, t, wanted, left?.[t] === LEAF))) nodes.push(t);
  }
  return Int32Array.from(nodes);
}

/** @param {TreeData} tree @param {Uint8Array | null} shape @param {number} t @param {string} wanted @param {boolean} isTestGone */
function isNamed(tree, shape, t, wanted, isTestGone) {
  if (!isTestGone && tree.feature[t] >= 0 && tree.featureName(t).toLowerCase().includes(wanted)) return true;
  if (t > 0 && tree.branchText(t).toLowerCase().includes(wanted)) return true;
  const isLeaf = tree.feature[t] < 0 || (shape !== null && shape[t] === LEAF);
  return isLeaf && tree.prediction(t).toLowerCase().includes(wanted);
}

/**
 * The match after (step 1) or before (step −1) a node; after the last comes the first.
 * @param {Int32Array} matches @param {number} from @param {number} step
 */
export function nextMatch(matches, from, step) {
  if (matches.length === 0) return -1;
  const at = matches.indexOf(from);
  if (at < 0) return step > 0 ? matches[0] : matches[matches.length - 1];
  return matches[(at + step + matches.length) % matches.length];
}
