// How stable nodes are: the layer is read as it was written, and outlines are filled to the share.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fitCamera } from "../../explorer/drawing/tree_view/canvas/camera.js";
import { layOut } from "../../explorer/drawing/tree_view/canvas/layout.js";
import { makeMarks, placeMarks } from "../../explorer/drawing/tree_view/canvas/level_of_detail.js";
import { outlineLength, paintStability, placeOnScale } from "../../explorer/drawing/tree_view/canvas/stability.js";
import { stabilityFacts } from "../../explorer/drawing/tree_view/model/node_facts.js";
import { openPayload } from "../../explorer/drawing/tree_view/model/payload.js";
import { GHOST, INNER, LEAF } from "../../explorer/drawing/tree_view/model/pruned_shape.js";
import { treeOf } from "./trees.js";

const golden = JSON.parse(readFileSync(new URL("../reference/golden/payload.json", import.meta.url), "utf-8"));
const open = (name) => openPayload(new Uint8Array(Buffer.from(golden.payloads[name], "base64")));
const layer = open("stability");

test("a layer is read as it was written, for its tree", () => {
  assert.equal(layer.tree, open("tree").sig);
  assert.equal(layer.resamples, 20);
  const last = layer.count.length - 1;
  assert.equal(layer.count[1], last - 1);
  assert.ok(Math.abs(layer.share[1] - (last - 1) / 20) < 1e-12);
  assert.ok(Number.isNaN(layer.share[last]));
  assert.deepEqual([...layer.spreads], [[0, { least: 1, largest: 9.5, median: 4, lower: 2.25, upper: 6.1 }]]);
});

test("an outline is as long as its sides, or as its circle", () => {
  assert.equal(outlineLength(30, 20, 0), 200);
  assert.ok(Math.abs(outlineLength(5, 5, 5) - 10 * Math.PI) < 1e-9);
});

test("a threshold has its place on the scale of its node; one alone stands in the middle", () => {
  assert.deepEqual([1, 9.5, 5.25].map((value) => placeOnScale({ least: 1, largest: 9.5 }, value)), [0, 1, 0.5]);
  assert.equal(placeOnScale({ least: 3, largest: 3 }, 3), 0.5);
});

/** A context that notes the dashes in force at every stroke, and how many boxes are drawn. */
function recorder() {
  let dash = [];
  const strokes = [];
  const notes = { strokes, texts: 0 };
  const record = { notes, setLineDash: (value) => (dash = value), stroke: () => strokes.push(dash) };
  return new Proxy(record, { get: (target, name) => target[name] ?? (() => {}), set: () => true });
}

function sceneWith(stability, changes = {}) {
  const tree = treeOf([[], [[], []]], [4, 3, 3]);
  const layout = layOut(tree, new Set(), Infinity);
  const frame = { mode: "down", width: 900, height: 700, slots: layout.slots, levels: layout.levels.length };
  const theme = { text: "#000", quiet: "#777", background: "#fff", primary: "#00f" };
  const scene = { tree, layout, frame, camera: fitCamera(frame), marks: makeMarks(tree.n), naturalWidth: () => 100, wholeWidth: () => 100, isLeaf: (t) => tree.firstChild[t] < 0, wordWidth: () => 60, branchTextWidth: () => 40, theme };
  const shape = Uint8Array.from([INNER, LEAF, INNER, LEAF, LEAF]);
  placeMarks(scene);
  return { ...scene, shape, stability, showsStability: true, isOffScreen: () => false, ...changes };
}

function dashesOf(scene) {
  const context = recorder();
  paintStability(context, scene);
  return context.notes.strokes.filter((dash) => dash.length > 0).map(([on, off]) => Math.round((100 * on) / off) / 100);
}

const shares = { share: [1, 0.5, 0.25, 0, NaN], count: [20, 10, 5, 0, 0], resamples: 20, spreads: new Map() };

test("outlines are filled to the share: dashed between none and all", () => {
  assert.deepEqual(dashesOf(sceneWith(shares)), [0.5, 0.25]);
});

test("a hidden layer, and one of another tree, draw nothing", () => {
  for (const changes of [{ showsStability: false }, { stability: null }]) {
    const context = recorder();
    paintStability(context, sceneWith(shares, changes));
    assert.equal(context.notes.strokes.length, 0);
  }
});

test("pruned nodes have no outline", () => {
  const shape = Uint8Array.from([INNER, LEAF, LEAF, GHOST, GHOST]);
  const context = recorder();
  paintStability(context, sceneWith({ ...shares, share: [1, 1, 1, 1, 1] }, { shape }));
  assert.equal(context.notes.strokes.length, 6, "three nodes, each with its track and its share");
});

test("the box plot stands at split nodes that have thresholds", () => {
  const spreads = new Map([[0, { least: 1, lower: 2, median: 3, upper: 4, largest: 5 }]]);
  const plain = recorder();
  paintStability(plain, sceneWith({ ...shares, share: [1, 1, 1, 1, 1] }));
  const boxed = recorder();
  paintStability(boxed, sceneWith({ ...shares, share: [1, 1, 1, 1, 1], spreads }));
  assert.equal(boxed.notes.strokes.length - plain.notes.strokes.length, 3, "line with its rim, and median");
});

test("the tooltip says how many resamples do the same, and where their thresholds lie", () => {
  const spreads = new Map([[0, { least: 1, lower: 2, median: 3, upper: 4, largest: 5 }]]);
  const scene = { stability: { ...shares, spreads }, showsStability: true };
  assert.deepEqual(stabilityFacts(scene, 0).map(([, text]) => text), ["20 of 20 (100 %) do the same here", "1 … 2 [3] 4 … 5"]);
  assert.deepEqual(stabilityFacts(scene, 2).map(([, text]) => text), ["5 of 20 (25.0 %) do the same here"]);
  assert.deepEqual(stabilityFacts(scene, 4), []);
  assert.deepEqual(stabilityFacts({ ...scene, showsStability: false }, 0), []);
});
