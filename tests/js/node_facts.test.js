import assert from "node:assert/strict";
import { test } from "node:test";
import { factsOf, spokenNode, tipPlace } from "../../explorer/drawing/tree_view/model/node_facts.js";
import { GHOST, INNER, LEAF } from "../../explorer/drawing/tree_view/model/pruned_shape.js";
import { relativesOf } from "../../explorer/drawing/tree_view/stage/tip.js";
import { treeOf } from "./trees.js";

// 0 → 1 (leaf), 2 → (4, 5), 3 → (6, 7, 8)
const tree = treeOf([[], [[], []], [[], [], []]], [2, 3, 5, 4, 4, 2]);

test("a screen reader gets test, prediction, rows, depth, and whether a node is pruned away", () => {
  const shape = Uint8Array.from([INNER, LEAF, LEAF, INNER, GHOST, GHOST, LEAF, LEAF, LEAF]);
  assert.equal(spokenNode(tree, shape, 4), "leaf, predicts no, 3 rows, depth 2, reached by age ≤ 4, pruned away");
  assert.equal(spokenNode(tree, shape, 2), "splits on age ≤ 4, predicts no, 8 rows, depth 1, reached by age > 4, pruned to a leaf");
});

test("while a tree is grown, a node that is not split yet keeps its split to itself and was not pruned", () => {
  const shape = Uint8Array.from([INNER, LEAF, LEAF, GHOST, GHOST, GHOST, GHOST, GHOST, GHOST]);
  const growth = { isGrowth: true, kind: "growth" };
  assert.equal(spokenNode(tree, shape, 2, growth), "leaf, predicts no, 8 rows, depth 1, reached by age > 4");
  const facts = factsOf(tree, shape, 2, growth);
  assert.deepEqual(facts.at(-1), ["now", "not split yet"]);
  assert.ok(!facts.flat().some((text) => text.includes("age ≤ 4") || text.includes("pruned")));
});

test("the tooltip names the impurity, and missing rows only where there are some", () => {
  const names = factsOf(tree, null, 1).map(([name]) => name);
  assert.deepEqual(names, ["reached by", "rows", "predicts", "entropy", "depth", "not split"]);
  tree.missing[1] = 2;
  assert.ok(factsOf(tree, null, 1).some(([name, value]) => name === "missing" && value === "2 rows"));
  tree.missing[1] = 0;
});

test("the tooltip says why a split node is pruned at its α, or that a node above it is pruned first", () => {
  const sequence = {
    kind: "alpha", size: 3, alphas: [0, 0.05, 0.2], collapse: [2, 0, 3, 1, 0, 0, 0, 0, 0],
    risk: [0.5, 0, 0.3, 0.2, 0, 0, 0, 0, 0], linkRisk: [0.1, 0, 0, 0.1, 0, 0, 0, 0, 0], linkLeaves: [3, 0, 0, 3, 0, 0, 0, 0, 0],
  };
  const told = (t) => Object.fromEntries(factsOf(tree, null, t, sequence));
  assert.equal(told(3)["g(t)"], "(0.2000 − 0.1000) / (3 − 1) = 0.0500");
  assert.equal(told(3).pruned, "at α = 0.0500");
  assert.equal(told(2).pruned, "with a node above it, at α = 0.2000");
  assert.equal(told(1)["R(t)"], undefined);
});

test("the tooltip never covers its node, and keeps off parent and children where it can", () => {
  const [size, room] = [{ width: 300, height: 200 }, { width: 1000, height: 460 }];
  const box = (x, y) => ({ x, y, halfWidth: 60, halfHeight: 36 });
  for (const [x, y] of [[100, 40], [500, 230], [940, 420], [500, 40]]) {
    const { left, top } = tipPlace(size, room, box(x, y), [box(x, y - 136), box(x + 100, y + 136), box(x - 100, y + 136)]);
    const isBeside = left >= x + 60 || left + 300 <= x - 60 || top >= y + 36 || top + 200 <= y - 36;
    assert.ok(isBeside && left >= 4 && top >= 4 && left + 300 <= 996 && top + 200 <= 456, `${x}, ${y}`);
  }
});

test("the card of a node covers none of its siblings where there is room elsewhere", () => {
  const layout = { shown: new Uint8Array(tree.n).fill(1) };
  assert.deepEqual(relativesOf({ tree, layout }, tree.firstChild[0] + 1).slice(0, 2), [0, tree.firstChild[0]]);
  const [size, room] = [{ width: 220, height: 180 }, { width: 760, height: 560 }];
  const box = (x, y) => ({ x, y, halfWidth: 50, halfHeight: 36 });
  const siblings = [box(180, 250), box(560, 250), box(380, 100), box(300, 400), box(460, 400)];
  const { left, top } = tipPlace(size, room, box(370, 250), siblings);
  for (const { x, y } of siblings) {
    const isApart = left >= x + 50 || left + size.width <= x - 50 || top >= y + 36 || top + size.height <= y - 36;
    assert.ok(isApart, `${left}, ${top} covers ${x}, ${y}`);
  }
});

test("a card stands beside its node rather than far away, even where it hides a part of a child", () => {
  const box = (x, y) => ({ x, y, halfWidth: 60, halfHeight: 48 });
  const [size, room] = [{ width: 270, height: 330 }, { width: 698, height: 700 }];
  const { left, top } = tipPlace(size, room, box(349, 147), [box(147, 336), box(349, 336), box(551, 336)]);
  const gap = Math.max(left - 409, 289 - (left + 270));
  assert.ok(gap >= 0 && gap <= 12 && top < 195 && top + 330 > 99, `${left}, ${top}`);
});
