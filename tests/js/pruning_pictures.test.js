import assert from "node:assert/strict";
import { test } from "node:test";
import { smallTreePlaces } from "../../explorer/drawing/pictures/pruning/small_tree.js";
import { endOfPath } from "../../explorer/drawing/pictures/pruning/validation_rows.js";

test("nodes below a pruned one stand where it stands and are hidden", () => {
  const node = (number, parent, depth, x, tested) => ({ number, parent, depth, x, test: tested });
  const nodes = [node(0, -1, 0, 0.5, "A"), node(1, 0, 1, 0.25, "B"), node(2, 0, 1, 0.75, ""), node(3, 1, 2, 0.1, ""), node(4, 1, 2, 0.4, "")];
  const places = smallTreePlaces({ nodes, depth: 2 }, { x: 0, y: 0, width: 100, height: 200 }, new Set([1]));
  assert.deepEqual(nodes.map(({ number }) => places.get(number).isShown), [true, true, true, false, false]);
  assert.equal(places.get(3).x, places.get(1).x);
  assert.equal(places.get(1).isLeaf, true);
});

test("a row stops at the first pruned node of its path, or at its leaf", () => {
  assert.equal(endOfPath([0, 2, 8, 11], new Set([8, 11])), 8);
  assert.equal(endOfPath([0, 2, 8, 11], new Set([1])), 11);
});
