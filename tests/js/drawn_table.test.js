import assert from "node:assert/strict";
import { test } from "node:test";

import { frameOf, pixelOf, stepsAt } from "../../explorer/drawing/drawn_table/draw/frame.js";
import { Exchange } from "../../explorer/drawing/drawn_table/model/exchange.js";
import { History } from "../../explorer/drawing/drawn_table/model/history.js";
import {
  MOST_POINTS, converted, decoded, encoded, nearestPoint, sprinkled, stepNear, withPoint, withoutPoint,
} from "../../explorer/drawing/drawn_table/model/points.js";
import { nodeAt, pathTo, treePlaces } from "../../explorer/drawing/drawn_table/model/tree_places.js";
import { markOfKey } from "../../explorer/drawing/drawn_table/parts/hand.js";

const POINTS = [{ x: 300, y: 200, mark: 0 }, { x: 1000, y: 0, mark: 2 }, { x: 310, y: 200, mark: 1 }];

test("points as text have two digits to base 36 for each number, as in Python", () => {
  assert.equal(encoded(POINTS.slice(0, 1)), "8c5k00");
  assert.deepEqual(decoded(encoded(POINTS)), POINTS);
  assert.deepEqual(decoded(""), []);
});

test("a change of one point leaves the others and the list before as they are", () => {
  const changed = withPoint(POINTS, 1, { x: 5 });
  assert.deepEqual(changed[1], { x: 5, y: 0, mark: 2 });
  assert.equal(changed[0], POINTS[0]);
  assert.equal(POINTS[1].x, 1000);
  assert.deepEqual(withoutPoint(POINTS, 0), POINTS.slice(1));
});

test("steps stay on the canvas and on the grid", () => {
  assert.deepEqual([-3, 1003.2, 412.6].map((value) => stepNear(value)), [0, 1000, 413]);
  assert.deepEqual([24, 26, 999].map((value) => stepNear(value, 1000, 50)), [0, 50, 1000]);
});

test("the nearest point is that in pixels, within reach, and the last drawn of equals", () => {
  assert.equal(nearestPoint(POINTS, 306, 200), 2);
  assert.equal(nearestPoint(POINTS, 500, 500, 14), -1);
  assert.equal(nearestPoint([POINTS[0], POINTS[0]], 300, 200), 1);
  const apart = [{ x: 0, y: 100 }, { x: 90, y: 0 }];
  assert.equal(nearestPoint(apart, 0, 0, Infinity, [1, 1]), 1);
  assert.equal(nearestPoint(apart, 0, 0, Infinity, [2, 1]), 0);
});

test("another kind of target keeps classes apart, and keeps their order", () => {
  const marks = (points) => points.map(({ mark }) => mark);
  const numbers = converted(POINTS, "3", "number");
  assert.deepEqual(marks(numbers), [17, 83, 50]);
  assert.deepEqual(marks(converted(numbers, "number", "3")), marks(POINTS));
  assert.deepEqual(marks(converted(POINTS, "3", "2")), [0, 1, 1]);
  assert.deepEqual(marks(converted([{ x: 0, y: 0, mark: 100 }], "number", "2")), [1]);
});

test("sprinkled points are on the canvas, of the target's marks, and never more than there is room for", () => {
  const edges = [0, 0.9999999, 0.5];
  let turn = 0;
  const random = () => edges[turn++ % 3];
  for (const [target, most] of [["2", 1], ["3", 2], ["number", 100]]) {
    for (const { x, y, mark } of sprinkled([], target, random, 20)) {
      for (const [value, largest] of [[x, 1000], [y, 1000], [mark, most]]) assert.ok(Number.isInteger(value) && value >= 0 && value <= largest);
    }
  }
  const many = Array.from({ length: MOST_POINTS - 2 }, () => POINTS[0]);
  assert.equal(sprinkled(many, "2", Math.random).length, MOST_POINTS);
});

test("undo and redo go through the states, and a new state ends what can be redone", () => {
  const history = new History("a");
  history.push("b");
  history.push("c");
  assert.equal(history.undo() && history.present, "b");
  assert.equal(history.undo() && history.present, "a");
  assert.equal(history.undo(), false);
  assert.equal(history.redo() && history.present, "b");
  history.push("d");
  assert.equal(history.redo(), false);
  assert.equal(history.undo() && history.present, "b");
});

test("the moves of one drag are undone together", () => {
  const history = new History(0);
  history.push(1);
  for (const place of [2, 3, 4]) history.push(place, true);
  assert.equal(history.present, 4);
  assert.equal(history.undo() && history.present, 0);
  assert.equal(history.redo() && history.present, 4);
});

test("one question is under way, and of those that wait the last is sent", () => {
  const sent = [];
  let now = 0;
  const exchange = new Exchange((question) => sent.push(question), () => now);
  for (const place of [1, 2, 3]) exchange.ask({ place });
  assert.deepEqual(sent.map(({ place }) => place), [1]);
  exchange.answered(sent[0].number - 1);
  assert.equal(sent.length, 1, "an answer to something else is not waited for");
  now = 70;
  exchange.answered(sent[0].number);
  assert.deepEqual(sent.map(({ place }) => place), [1, 3]);
  assert.deepEqual(exchange.roundTrips, [70]);
  assert.ok(sent[1].number > sent[0].number);
  exchange.answered(sent[1].number);
  assert.ok(exchange.isIdle && sent.length === 2);
});

test("a lost question does not stop those after it", () => {
  const sent = [];
  let now = 0;
  const exchange = new Exchange((question) => sent.push(question), () => now);
  exchange.ask({ place: 1 });
  now = 3000;
  exchange.ask({ place: 2 });
  assert.equal(sent.length, 1);
  now = 5000;
  exchange.ask({ place: 3 });
  assert.deepEqual(sent.map(({ place }) => place), [1, 3]);
});

/** The root splits, its second child splits again. */
const TREE = { first: [1, -1, 3, -1, -1], parent: [-1, 0, 0, 2, 2], feature: [0, -1, 1, -1, -1], depth: [0, 1, 1, 2, 2] };

test("leaves stand side by side, a parent over the middle of its children", () => {
  const places = treePlaces(TREE);
  assert.deepEqual([1, 3, 4].map((leaf) => places[leaf][0]), [1 / 6, 3 / 6, 5 / 6]);
  assert.ok(Math.abs(places[2][0] - 4 / 6) < 1e-12 && Math.abs(places[0][0] - 2.5 / 6) < 1e-12);
  assert.deepEqual(places.map(([, down]) => down), [0, 0.5, 0.5, 1, 1]);
  assert.deepEqual(treePlaces({ first: [-1], parent: [-1], feature: [-1], depth: [0] }), [[0.5, 0]]);
});

test("a path leads to its node and ends at a leaf", () => {
  for (let node = 0; node < 5; node++) assert.equal(nodeAt(TREE, pathTo(TREE, node)), node);
  assert.equal(pathTo(TREE, 4), "11");
  assert.equal(nodeAt(TREE, "011"), 1);
});

test("pixels and steps are each other's inverse, and y grows upwards", () => {
  const frame = frameOf(600, 400, false);
  const [left, top] = pixelOf(frame, 250, 750);
  const [x, y] = stepsAt(frame, left, top);
  assert.ok(Math.abs(x - 250) < 1e-9 && Math.abs(y - 750) < 1e-9);
  assert.ok(pixelOf(frame, 0, 1000)[1] < pixelOf(frame, 0, 0)[1]);
  assert.ok(frame.beside + frame.curve <= 600 && frame.below + frame.curve <= 400, "the curves fit");
});

test("digits choose a class or a number", () => {
  assert.deepEqual(["1", "2", "3", "0", "x"].map((key) => markOfKey(key, "2")), [0, 1, null, null, null]);
  assert.deepEqual(["0", "5", "9"].map((key) => markOfKey(key, "number")), [0, 50, 90]);
});
