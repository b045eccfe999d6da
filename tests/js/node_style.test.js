import assert from "node:assert/strict";
import { test } from "node:test";
import { colourChannels, contrastOf, mixColours, purityOf, readableOn } from "../../explorer/drawing/charts/colours.js";
import { CLASS_SHAPES } from "../../explorer/drawing/charts/shapes.js";
import { makePaints } from "../../explorer/drawing/tree_view/canvas/node_style.js";
import { edgeWidth } from "../../explorer/drawing/tree_view/canvas/edges.js";
import { seeded, treeOf } from "./trees.js";

test("colours are read in every notation that CSS variables come in", () => {
  assert.deepEqual(colourChannels("#fff"), [255, 255, 255]);
  assert.deepEqual(colourChannels("#1261A6"), [18, 97, 166]);
  assert.deepEqual(colourChannels("#1261A6ff"), [18, 97, 166]);
  assert.deepEqual(colourChannels("rgb(1, 2, 3)"), [1, 2, 3]);
});

test("a fifth of white in black is #333333", () => {
  assert.equal(mixColours("#000000", "#ffffff", 0.2), "#333333");
});

test("black on white is 21 : 1, grey #767676 on white the well-known 4.54", () => {
  assert.equal(Math.round(contrastOf("#000000", "#ffffff") * 1e6) / 1e6, 21);
  assert.equal(contrastOf("#767676", "#ffffff").toFixed(2), "4.54");
});

test("text on any fill reads with 4.5 : 1 or more", () => {
  const random = seeded(11);
  for (let i = 0; i < 4000; i++) {
    const fill = "#" + Array.from({ length: 3 }, () => Math.floor(random() * 256).toString(16).padStart(2, "0")).join("");
    assert.ok(contrastOf(fill, readableOn(fill)) >= 4.5, fill);
  }
});

test("purity is 0 where classes are even and 1 where there is one", () => {
  assert.deepEqual([purityOf(0.5, 2), purityOf(1, 2), purityOf(0.75, 2), purityOf(0.1, 4)], [0, 1, 0.5, 0]);
});

test("a pure leaf has its class' own colour, and an even one hardly any", () => {
  const theme = { classes: ["#1261A6", "#D55E00"], background: "#ffffff", text: "#000000", quiet: "#777777" };
  const tree = treeOf([[], []], [3, 4]);
  tree.stats.set([3.5, 3.5], 0);
  const paints = makePaints(tree, theme);
  assert.equal(paints.leafFill[paints.code[1]], "#d55e00"); // node 1 predicts class 1
  const even = paints.leafFill[paints.code[0]];
  assert.ok(contrastOf(even, "#ffffff") < 1.3, even);
});

test("every class has its own shape up to ten", () => {
  assert.equal(new Set(CLASS_SHAPES).size, 10);
});

test("edges are 10 pixels wide with all rows, 1 with none, 5.5 with a quarter", () => {
  assert.deepEqual([edgeWidth(8, 8), edgeWidth(0, 8), edgeWidth(2, 8)], [10, 1, 5.5]);
});
