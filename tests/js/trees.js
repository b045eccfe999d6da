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
