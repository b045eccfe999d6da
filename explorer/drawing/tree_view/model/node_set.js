// A set of nodes of one tree in typed arrays: adding, removing and walking through it make no garbage, and cost what the
// set holds, not what the tree has.

export class NodeSet {
  /** An empty set for the nodes 0 to n − 1. @param {number} n */
  constructor(n) {
    this.ids = new Int32Array(n); // the first `size` of them
    this.has = new Uint8Array(n);
    this.size = 0;
  }

  /** @param {number} node */
  add(node) {
    if (this.has[node]) return;
    this.has[node] = 1;
    this.ids[this.size++] = node;
  }

  /** Remove the node at an index of `ids`; the last one takes its place. @param {number} index */
  removeAt(index) {
    this.has[this.ids[index]] = 0;
    this.ids[index] = this.ids[--this.size];
  }

  clear() {
    for (let i = 0; i < this.size; i++) this.has[this.ids[i]] = 0;
    this.size = 0;
  }
}
