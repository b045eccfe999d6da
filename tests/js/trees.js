// Trees for the stage's tests: built by hand from nested lists, or at random from a seed.

import { TreeData } from "../../explorer/drawing/tree_view/model/payload.js";

/** A tree from lists: [] is a leaf, [a, b] a split; leaves get the given rows in reading order (1 each by default). */
export function treeOf(nested, rows = []) {
  const lists = [nested];
  const [parent, firstChild, childCount, depth] = [[-1], [], [], [0]];
  for (let t = 0; t < lists.length; t++) {
    firstChild.push(lists[t].length > 0 ? lists.length : -1);
    childCount.push(lists[t].length);
    for (const child of lists[t]) {
      parent.push(t);
      depth.push(depth[t] + 1);
      lists.push(child);
    }
  }
  return fromArrays({ parent, firstChild, childCount, depth, rows: rowsInReadingOrder(firstChild, childCount, rows) });
}

function rowsInReadingOrder(firstChild, childCount, rows) {
  const weight = new Array(firstChild.length).fill(0);
  let next = 0;
  const visit = (t) => {
    if (firstChild[t] < 0) weight[t] = rows[next++] ?? 1;
    for (let c = firstChild[t]; c >= 0 && c < firstChild[t] + childCount[t]; c++) weight[t] += visit(c);
    return weight[t];
  };
  visit(0);
  return weight;
}

function fromArrays({ parent, firstChild, childCount, depth, rows }) {
  const n = parent.length;
  const header = {
    sig: "hand", target: "play", impurity: "entropy", classes: ["no", "yes"], stop_reasons: ["pure", ""],
    features: [{ name: "age", test: "threshold" }], branch_texts: ["", "≤ 4", "> 4"],
  };
  const label = Uint8Array.from(parent, (_, t) => t % 2);
  const arrays = {
    parent: Int32Array.from(parent), first_child: Int32Array.from(firstChild), child_count: Int32Array.from(childCount),
    depth: Int32Array.from(depth), feature: Int32Array.from(firstChild, (first) => (first < 0 ? -1 : 0)),
    branch_text: Uint8Array.from(parent, (above, t) => (above < 0 ? 0 : t === firstChild[above] ? 1 : 2)),
    weight: Float64Array.from(rows), impurity: new Float64Array(n), missing: new Float64Array(n),
    stop: new Uint8Array(n), label, stats: Float64Array.from(rows.flatMap((w, t) => (label[t] ? [0, w] : [w, 0]))),
  };
  return new TreeData({ header, arrays });
}

/** Numbers in [0, 1) that a seed decides. */
export function seeded(seed) {
  let state = seed;
  return () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state / 2147483648;
  };
}

/** A random tree of about so many nodes, with two to four branches per split. */
export function randomTree(size, seed) {
  const random = seeded(seed);
  const root = [];
  const leaves = [root];
  for (let n = 1; n < size; ) {
    const [leaf] = leaves.splice(Math.floor(random() ** 1.5 * leaves.length), 1);
    for (let i = 2 + Math.floor(random() * 2.4); i > 0; i--, n++) leaf.push([]);
    leaves.push(...leaf);
  }
  return treeOf(root);
}

/** The tree of CART on the whole of credit_g (1,000 rows), in preorder: 1 a split in two, 0 a leaf. */
export const CREDIT_G =
  "1111111111000101001011010001111111010000100110100100111010000111111110001000111111011000010001101000110000111010" +
  "0000111001000100111000101001111011000011010001111110010011000101110110001101001100101010011111101000111010011000" +
  "1000010011001100011001110000111111010100110100001111010011110110100011010000100110100111010001101000100111111101" +
  "00110000010000111110001100101000111100101010000";

/** A tree of two branches per split from its preorder. */
export function shapedTree(preorder) {
  let at = 0;
  const next = () => (preorder[at++] === "1" ? [next(), next()] : []);
  return treeOf(next());
}

/** A random tree of so many nodes (an odd number), with two branches per split, some of them much deeper than others. */
export function binaryTree(size, seed) {
  const random = seeded(seed);
  const root = [];
  const leaves = [root];
  for (let n = 1; n < size; n += 2) {
    const [leaf] = leaves.splice(Math.floor(random() ** 2.5 * leaves.length), 1);
    leaf.push([], []);
    leaves.unshift(...leaf);
  }
  return treeOf(root);
}
