import assert from "node:assert/strict";
import { test } from "node:test";
import { alphaText } from "../../explorer/drawing/tree_view/model/alpha_interval.js";
import { positionFor, positionOfAlpha } from "../../explorer/drawing/tree_view/panel/jump_to.js";

const SEQUENCE = { kind: "alpha", size: 5, alphas: [0, 0, 0.01, 0.25, 3], leaves: [12, 9, 8, 3, 1], best: 2, oneSe: 3 };
const BARE = { ...SEQUENCE, best: -1, oneSe: -1 };
const STEPS = { kind: "steps", size: 12, alphas: null, leaves: new Array(12).fill(3), best: -1, oneSe: -1 };

const TENNIS = { kind: "alpha", size: 3, alphas: [0, 2 / 35, 113 / 980], leaves: [7, 3, 1], best: 1, oneSe: -1 };

const at = (text, sequence = SEQUENCE) => positionFor(text, sequence).position;

test("an α means the last subtree whose own α is not above it", () => {
  assert.equal(positionOfAlpha(0, SEQUENCE), 1);
  assert.equal(positionOfAlpha(0.0099, SEQUENCE), 1);
  assert.equal(positionOfAlpha(0.01, SEQUENCE), 2);
  assert.equal(positionOfAlpha(0.01 * (1 - 1e-13), SEQUENCE), 2);
  assert.equal(positionOfAlpha(0.01 * (1 - 1e-9), SEQUENCE), 1);
  assert.equal(positionOfAlpha(1e9, SEQUENCE), 4);
});

test("the search for an α agrees with reading the sequence from its end", () => {
  const alphas = [0, ...Array.from({ length: 60 }, (_, k) => (k * 7919) % 101).sort((a, b) => a - b)];
  const sequence = { size: alphas.length, alphas };
  for (let alpha = 0; alpha < 102; alpha += 0.5) {
    assert.equal(positionOfAlpha(alpha, sequence), alphas.findLastIndex((other) => other <= alpha));
  }
});

test("a whole number means leaves, any other number an α", () => {
  assert.equal(at("8"), 2);
  assert.equal(at("8 leaves"), 2);
  assert.equal(at(" 8   LEAVES "), 2);
  assert.equal(at("leaves 8"), 2);
  assert.equal(at("1 leaf"), 4);
  assert.equal(at("0.01"), 2);
  assert.equal(at("0,01"), 2);
  assert.equal(at("1e-2"), 2);
  assert.equal(at(".3"), 3);
  assert.equal(at("0"), 1);
  assert.equal(at("1.5"), 3);
});

test("with an α before it a whole number is an α", () => {
  for (const text of ["α 3", "α=3", "a=3", "alpha = 3", "Α 3", "A 3"]) assert.equal(at(text), 4, text);
});

test("an α typed as it is shown means the subtree that begins at it", () => {
  for (const text of ["0.0571", "0.05714", "0,0571", "α 0.0571", "5.71e-2", "2/35", "α = 2 / 35"]) assert.equal(at(text, TENNIS), 1, text);
  for (const text of ["0.1153", "0.115306", "113/980", "0.2"]) assert.equal(at(text, TENNIS), 2, text);
  for (const text of ["0.0570", "0.05713", "0.057", "0"]) assert.equal(at(text, TENNIS), 0, text);
});

test("an α of one or two digits is meant as it is typed", () => {
  assert.equal(at("0.1", TENNIS), 1);
  assert.equal(at("0.11", TENNIS), 1);
});

test("every α that the panel shows leads to its own subtree", () => {
  const sequence = { kind: "alpha", size: 200, alphas: Array.from({ length: 200 }, (_, k) => (k * 1.0007 ** k) / 7919), leaves: [] };
  for (let k = 1; k < 200; k++) assert.equal(at(`α ${alphaText(sequence, k)}`, sequence), k);
});

test("a note says where the tree has another size than was typed", () => {
  assert.deepEqual(positionFor("3", TENNIS), { position: 1 });
  assert.deepEqual(positionFor("5 leaves", TENNIS), { position: 1, note: "There is no subtree of 5 leaves; this one has 3." });
  assert.deepEqual(positionFor("9999", TENNIS), { position: 0, note: "There is no subtree of 9,999 leaves; this one has 7." });
});

test("an α that may have been meant as leaves gets a note", () => {
  assert.deepEqual(positionFor("7.5", TENNIS), { position: 2, note: "α = 7.5: only the root is left." });
  assert.deepEqual(positionFor("α 7.5", TENNIS), { position: 2 });
  assert.deepEqual(positionFor("0.5", TENNIS), { position: 2 });
});

test("so many leaves at most, the largest such subtree", () => {
  assert.equal(at("7"), 3);
  assert.equal(at("11"), 1);
  assert.equal(at("1,204"), 0);
  assert.equal(at("1,204 leaves"), 0);
});

test("subtrees that are not nested: the largest with at most so many leaves, wherever it stands", () => {
  const turning = { ...SEQUENCE, size: 4, alphas: [0, 0.2, 0.24, 0.25], leaves: [3, 1, 2, 1] };
  assert.equal(at("2", turning), 2);
  assert.equal(at("1", turning), 1);
});

test("names lead to positions, also as the buttons write them", () => {
  for (const text of ["best", "BEST", "★"]) assert.equal(at(text), 2, text);
  for (const text of ["1-se", "1-SE", "1se", "1 SE", "one se", "◇"]) assert.equal(at(text), 3, text);
  assert.equal(at("full"), 0);
  assert.equal(at("root"), 4);
  assert.equal(at("subtree 2 of 5"), 1);
  assert.equal(at("#2"), 1);
});

test("a position that does not exist gives the reason", () => {
  assert.match(positionFor("best", BARE).error, /no rows were held out/);
  assert.match(positionFor("1-SE", BARE).error, /cross-validation/);
  assert.match(positionFor("subtree 6", SEQUENCE).error, /from 1 to 5/);
  assert.match(positionFor("0 leaves", SEQUENCE).error, /at least 1 leaf/);
  assert.match(positionFor("1", { ...SEQUENCE, leaves: [9, 8, 7, 6, 4] }).error, /the smallest has 4/);
});

test("a text that is not understood gives an error that lists what can be typed", () => {
  for (const text of ["", "  ", "bset", "-1", "α", "α x", "8 apples", "2/0", "2/", "1/2/3", "2/35 leaves", "1e999x", "0x10", "Infinity", "<b>"]) {
    const { position, error } = positionFor(text, SEQUENCE);
    assert.equal(position, undefined, text);
    for (const word of ["leaves", "α", "best", "1-SE", "root"]) assert.ok(error.includes(word), text);
  }
});

test("the steps of a pruning method are reached by their numbers, from 1", () => {
  assert.equal(at("3", STEPS), 2);
  assert.equal(at("step 3", STEPS), 2);
  assert.equal(at("step 3 of 12", STEPS), 2);
  assert.equal(at("last", STEPS), 11);
  assert.match(positionFor("13", STEPS).error, /1 to 12/);
  assert.match(positionFor("0.5", STEPS).error, /step/);
});
