// The shape of a tree while its position moves: a step costs what changes between the two positions, not what the tree has.
//
// In a sequence every node changes at most twice: it closes (INNER becomes LEAF), and it goes (GHOST, when a node above it
// closes). Both positions are worked out once, and the nodes listed by the position at which they change. Growing is the
// same, counted from its end. Where trees are not nested, the shape is worked out anew and compared.

/** @typedef {import("./pruned_shape.js").Change} Change */
/** @typedef {import("./pruned_shape.js").Hand} Hand */
/** @typedef {import("./payload.js").SequenceData} SequenceData */
/** @typedef {import("./payload.js").TreeData} TreeData */
/** @typedef {ReturnType<typeof changesOf>} Changes */

import { GHOST, handDecisions, INNER, LEAF, shapeAt } from "./pruned_shape.js";

export class ShapeWalk {
  /**
   * `shape` (Uint8Array [n]) is kept up to date; zeros in it are nodes of which nothing is known yet.
   * @param {TreeData} tree @param {SequenceData | null} sequence @param {Hand} hand @param {Uint8Array} shape
   */
  constructor(tree, sequence, hand, shape) {
    this.tree = tree;
    this.sequence = sequence;
    this.hand = hand;
    this.shape = shape;
    this.changed = new Int32Array(tree.n); // the first `count` of them: the nodes that the last move has changed
    this.count = 0;
    this.leaves = 0;
    this.at = -1;
    this.changes = sequence !== null && sequence.pruned === null ? changesOf(tree, sequence, handDecisions(tree, hand)) : null;
  }

  /** Whether this is the walk for a sequence and changes by hand. @param {SequenceData | null} sequence @param {Hand} hand */
  isFor(sequence, hand) {
    const isSame = (/** @type {Change} */ [op, id], /** @type {number} */ k) => op === this.hand[k][0] && id === this.hand[k][1];
    return this.sequence === sequence && this.hand.length === hand.length && hand.every(isSame);
  }

  /** Move to a position; returns the nodes whose state has changed, which the next move overwrites. @param {number} position */
  moveTo(position) {
    this.count = 0;
    if (this.at < 0 || (position !== this.at && this.changes === null)) this.workOut(position);
    else if (position !== this.at) this.walkTo(position);
    this.at = position;
    return this.changed.subarray(0, this.count);
  }

  /** @param {number} position */
  workOut(position) {
    const { tree, sequence, hand } = this;
    const anew = shapeAt(tree, sequence, position, hand, new Uint8Array(tree.n));
    if (this.at < 0) this.leaves = this.shape.reduce((sum, state) => sum + (state === LEAF ? 1 : 0), 0);
    for (let t = 0; t < tree.n; t++) this.put(t, anew[t]);
  }

  /** @param {number} position */
  walkTo(position) {
    const { from, nodes, isMirrored, size } = /** @type {Changes} */ (this.changes);
    const [before, after] = isMirrored ? [size - 1 - this.at, size - 1 - position] : [this.at, position];
    const end = from[Math.max(before, after) + 1];
    for (let i = from[Math.min(before, after) + 1]; i < end; i++) this.put(nodes[i], this.stateAt(nodes[i], after));
  }

  /** @param {number} t @param {number} at */
  stateAt(t, at) {
    const { closes, goes } = /** @type {Changes} */ (this.changes);
    if (goes[t] <= at) return GHOST;
    return closes[t] <= at ? LEAF : INNER;
  }

  /** @param {number} t @param {number} state */
  put(t, state) {
    const before = this.shape[t];
    if (before === state) return;
    this.shape[t] = state;
    this.changed[this.count++] = t;
    this.leaves += (state === LEAF ? 1 : 0) - (before === LEAF ? 1 : 0);
  }

  /** The split nodes that become leaves at the next position of α, all ties together; none after changes by hand. */
  links() {
    const { sequence, changes, shape, hand, at } = this;
    if (!sequence || !changes || sequence.kind !== "alpha" || hand.length > 0 || at + 1 >= sequence.size) return new Int32Array(0);
    const next = changes.nodes.subarray(changes.from[at + 1], changes.from[at + 2]);
    return next.filter((t) => shape[t] === INNER && sequence.collapse[t] === at + 1);
  }
}

/**
 * When nodes change: `closes` and `goes` by node (0: from the first position on, `size`: never), and `nodes`, those that
 * change at position k from index from[k] to from[k + 1], by id.
 * @param {TreeData} tree @param {SequenceData} sequence @param {Map<number, boolean>} decided
 */
function changesOf(tree, sequence, decided) {
  const { size } = sequence;
  const isMirrored = sequence.splitAt !== null;
  const [closes, goes] = [new Int32Array(tree.n), new Int32Array(tree.n)];
  for (let t = 0; t < tree.n; t++) {
    closes[t] = closesAt(tree, sequence, decided, t);
    const above = tree.parent[t];
    goes[t] = above < 0 ? size : Math.min(goes[above], closes[above]);
  }
  const from = new Int32Array(size + 2);
  forEachChange(closes, goes, size, (t, k) => from[k + 1]++);
  for (let k = 0; k <= size; k++) from[k + 1] += from[k];
  const nodes = new Int32Array(from[size + 1]);
  const filled = from.slice();
  forEachChange(closes, goes, size, (t, k) => (nodes[filled[k]++] = t));
  return { closes, goes, from, nodes, size, isMirrored };
}

/** @param {TreeData} tree @param {SequenceData} sequence @param {Map<number, boolean>} decided @param {number} t */
function closesAt(tree, { collapse, splitAt, size }, decided, t) {
  if (tree.feature[t] < 0) return 0;
  if (decided.has(t)) return decided.get(t) ? 0 : size;
  if (splitAt === null) return Math.min(collapse[t], size);
  return splitAt[t] === 0 ? 0 : Math.max(0, size - splitAt[t]);
}

/**
 * Changes after the first position, by node.
 * @param {Int32Array} closes @param {Int32Array} goes @param {number} size
 * @param {(node: number, position: number) => void} act
 */
function forEachChange(closes, goes, size, act) {
  for (let t = 0; t < closes.length; t++) {
    if (closes[t] > 0 && closes[t] < goes[t]) act(t, closes[t]);
    if (goes[t] > 0 && goes[t] < size) act(t, goes[t]);
  }
}
