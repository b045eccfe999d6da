// The bars of a tree with several targets: every node's parts are read in turn, and drawn as long as their shares.
import assert from "node:assert/strict";
import { test } from "node:test";
import { barsHeight, paintTargetBars, targetParts } from "../../explorer/drawing/charts/target_bars.js";

// Two nodes, the targets have two classes, a mean and three classes.
const bars = { sizes: [2, 1, 3], shares: Float32Array.from([0.25, 0.75, 0.5, 1, 0, 0, 1, 0, 0.125, 0, 0.5, 0.5]) };

test("the parts of a node are read target by target", () => {
  assert.deepEqual(targetParts(bars, 0), [[0.25, 0.75], [0.5], [1, 0, 0]]);
  assert.deepEqual(targetParts(bars, 1), [[1, 0], [0.125], [0, 0.5, 0.5]]);
});

test("each bar has a track and parts as long as their shares, one bar under the other", () => {
  const drawn = [];
  const context = { fillRect: (...place) => drawn.push([context.fillStyle, ...place]) };
  const theme = { classes: ["red", "green", "blue"], text: "black", quiet: "grey" };
  paintTargetBars(context, bars, 0, { left: 10, top: 20, width: 40, scale: 1 }, theme);
  const tracks = drawn.filter(([colour]) => colour === "grey");
  assert.deepEqual(tracks.map(([, left, , width]) => [left, width]), [[10, 40], [10, 40], [10, 40]]);
  assert.ok(tracks[0][2] < tracks[1][2] && tracks[1][2] < tracks[2][2]);
  assert.deepEqual(drawn.slice(1, 3), [["red", 10, 20, 10, 6], ["green", 20, 20, 30, 6]]);
  assert.deepEqual(drawn[4].slice(0, 2).concat(drawn[4][3]), ["black", 10, 20]);
  const last = tracks[2];
  assert.equal(last[2] + last[4] - 20, barsHeight(3));
});
