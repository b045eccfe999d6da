// The shape of the tree at one position of its sequence: which nodes are pruned away or not grown yet, and which are leaves.
//
// A *shape* has one byte per grown node: GHOST (a node above it is a leaf), LEAF or INNER (split). A *hand* is a list of
// manual changes [op, id], op "collapse" or "restore", made after the position; later ones win.

/** @typedef {import("./payload.js").SequenceData} SequenceData */
/** @typedef {import("./payload.js").TreeData} TreeData */

/** @typedef {[op: "collapse" | "restore", id: number]} Change by hand */
/** @typedef {Change[]} Hand */
/** @typedef {ReturnType<typeof scoreOf>} HandScore of the tree pruned by hand */

export const GHOST = 1;
export const LEAF = 2;
export const INNER = 3;

/**
 * The shape at a position; `into` (Uint8Array [n]) is filled and returned. A child's id is larger than its parent's.
 * @param {TreeData} tree @param {SequenceData | null} sequence @param {number} position @param {Hand} hand
 * @param {Uint8Array} into
 */
export function shapeAt(tree, sequence, position, hand, into) {
  const decided = handDecisions(tree, hand);
  for (let node = 0; node < tree.n; node++) {
    const above = tree.parent[node];
    if (above >= 0 && into[above] !== INNER) into[node] = GHOST;
    else into[node] = isLeafAt(tree, sequence, position, decided, node) ? LEAF : INNER;
  }
  return into;
}

/**
 * @param {TreeData} tree @param {SequenceData | null} sequence @param {number} position @param {Map<number, boolean>} decided
 * @param {number} node
 */
function isLeafAt(tree, sequence, position, decided, node) {
  if (tree.feature[node] < 0) return true;
  if (decided.has(node)) return decided.get(node);
  return sequence !== null && sequence.isPrunedAt(node, position);
}

/**
 * Whether a node is drawn with its test: it is split, or it was before it was pruned away.
 * @param {TreeData} tree @param {Uint8Array} shape @param {number} node
 */
export function looksSplit(tree, shape, node) {
  return shape[node] === INNER || (shape[node] === GHOST && tree.feature[node] >= 0);
}

/**
 * What manual changes decide: id → whether the node is a leaf. Restoring a node restores every node above it.
 * @param {TreeData} tree @param {Hand} hand
 */
export function handDecisions(tree, hand) {
  const decided = new Map();
  for (const [op, id] of hand) {
    if (op === "collapse") decided.set(id, true);
    else for (let node = id; node >= 0; node = tree.parent[node]) decided.set(node, false);
  }
  return decided;
}

/**
 * Leaves and scores of a shape: sums over its leaves, and over the held-out rows that stop above them.
 * @param {TreeData} tree @param {SequenceData | null} sequence @param {Uint8Array} shape
 */
export function scoreOf(tree, sequence, shape) {
  let [leaves, train, valid] = [0, 0, 0];
  for (let node = 0; node < tree.n; node++) {
    if (shape[node] === LEAF) {
      leaves += 1;
      if (sequence?.ownTrain) train += sequence.ownTrain[node];
      if (sequence?.ownValid) valid += sequence.ownValid[node];
    } else if (shape[node] === INNER && sequence?.stopValid) valid += sequence.stopValid[node];
  }
  return {
    leaves,
    train: sequence?.ownTrain ? train / sequence.totalTrain : null,
    valid: sequence?.ownValid ? valid / sequence.totalValid : null,
  };
}
