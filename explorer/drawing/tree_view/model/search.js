// Finding nodes: by id ("#12" or "12"), tested feature, branch words, or the label of a leaf; capitals do not matter.

import { GHOST, LEAF } from "./pruned_shape.js";

/**
 * Ids of the nodes that a query names, in breadth-first order; none for an empty query. Where only what is left is shown
 * (`isTrimmed`), a pruned node is never found, and a closed leaf not by the test that it had.
 */
export function nodesNamed(tree, shape, query, isTrimmed = false) {
  const wanted = query.trim().toLowerCase();
  if (wanted === "") return new Int32Array(0);
  const id = /^#?(\d+)$/.exec(wanted);
  const left = isTrimmed ? shape : null;
  const isIn = (t) => t < tree.n && left?.[t] !== GHOST;
  if (wanted.startsWith("#")) return Int32Array.from(id && isIn(Number(id[1])) ? [Number(id[1])] : []);
  const found = [];
  for (let t = 0; t < tree.n; t++) {
    if (isIn(t) && ((id && Number(id[1]) === t) || isNamed(tree, shape, t, wanted, left?.[t] === LEAF))) found.push(t);
  }
  return Int32Array.from(found);
}

function isNamed(tree, shape, t, wanted, isTestGone) {
  if (!isTestGone && tree.feature[t] >= 0 && tree.featureName(t).toLowerCase().includes(wanted)) return true;
  if (t > 0 && tree.branchWord(t).toLowerCase().includes(wanted)) return true;
  const isLeaf = tree.feature[t] < 0 || (shape !== null && shape[t] === LEAF);
  return isLeaf && tree.answer(t).toLowerCase().includes(wanted);
}

/** The match after (step 1) or before (step −1) a node, round and round. */
export function nextMatch(matches, from, step) {
  if (matches.length === 0) return -1;
  const at = matches.indexOf(from);
  if (at < 0) return step > 0 ? matches[0] : matches[matches.length - 1];
  return matches[(at + step + matches.length) % matches.length];
}
