import assert from "node:assert/strict";
import { test } from "node:test";
import { makeFollower, makeSliderMotion } from "../../explorer/drawing/tree_view/panel/slider_motion.js";
import { growthPace, makePlayer, playedTo, pruningPace, timePerStep } from "../../explorer/drawing/tree_view/panel/player.js";

/** Frames and timers that pass when the test says so. */
function handClock() {
  let [now, next] = [0, 1];
  const [frames, timers] = [new Map(), new Map()];
  return {
    frame: (act) => (frames.set(next, act), next++),
    dropFrame: (id) => frames.delete(id),
    later: (act, wait) => (timers.set(next, { act, at: now + wait }), next++),
    drop: (id) => timers.delete(id),
    now: () => now,
    frames,
    timers,
    paint() {
      const due = [...frames.values()];
      frames.clear();
      due.forEach((act) => act());
    },
    pass(milliseconds) {
      const end = now + milliseconds;
      for (;;) {
        const due = [...timers].filter(([, { at }]) => at <= end).sort(([, a], [, b]) => a.at - b.at)[0];
        if (!due) break;
        timers.delete(due[0]);
        now = due[1].at;
        due[1].act();
      }
      now = end;
    },
  };
}

function recorded() {
  const [clock, log] = [handClock(), []];
  const act = { move: (k, dragging) => log.push(["move", k, dragging]), settle: (k) => log.push(["settle", k]) };
  return { clock, log, motion: makeSliderMotion(act, clock) };
}

test("many targets in one frame are one move, to the last of them", () => {
  const { clock, log, motion } = recorded();
  for (let k = 1; k <= 50; k++) motion.moveTo(k);
  assert.deepEqual(log, []);
  assert.equal(clock.frames.size, 1);
  clock.paint();
  assert.deepEqual(log, [["move", 50, true]]);
  assert.equal(clock.frames.size, 0);
});

test("releasing moves to the waiting target, and settles once", () => {
  const { clock, log, motion } = recorded();
  motion.moveTo(3);
  motion.settle();
  motion.settle();
  clock.paint();
  clock.pass(1000);
  assert.deepEqual(log, [["move", 3, true], ["settle", 3]]);
});

test("a drag that ends where it began is settled too", () => {
  const { clock, log, motion } = recorded();
  motion.moveTo(3);
  clock.paint();
  motion.moveTo(0);
  clock.paint();
  motion.settle();
  assert.deepEqual(log.at(-1), ["settle", 0]);
});

test("a click that moves nothing settles nothing", () => {
  const { log, motion } = recorded();
  motion.moveTo(0);
  motion.settle();
  motion.jump(0);
  assert.deepEqual(log, []);
});

test("keys in a row are settled once, 150 ms after the last", () => {
  const { clock, log, motion } = recorded();
  for (let k = 1; k <= 4; k++) {
    motion.moveTo(k);
    clock.paint();
    motion.settleSoon();
    clock.pass(100);
  }
  assert.equal(log.filter(([what]) => what === "settle").length, 0);
  clock.pass(50);
  assert.deepEqual(log.at(-1), ["settle", 4]);
  clock.pass(1000);
  assert.equal(log.filter(([what]) => what === "settle").length, 1);
});

test("a jump drops the target before it, and is not a drag", () => {
  const { clock, log, motion } = recorded();
  motion.moveTo(9);
  motion.jump(2);
  clock.paint();
  assert.deepEqual(log, [["move", 2, false], ["settle", 2]]);
});

test("setting the position reports nothing, and moves that are not settled are settled from there", () => {
  const { clock, log, motion } = recorded();
  motion.setPosition(7);
  assert.deepEqual([motion.at(), log.length], [7, 0]);
  motion.moveTo(8);
  clock.paint();
  motion.setPosition(1);
  motion.settle();
  assert.deepEqual(log, [["move", 8, true], ["settle", 1]]);
});

test("playing takes about eight seconds, and never more than 900 or less than 60 ms a step", () => {
  assert.equal(pruningPace(3), 900);
  assert.equal(pruningPace(11), 800);
  assert.equal(timePerStep(11), 800);
  assert.equal(timePerStep(20000), 60);
  assert.equal(playedTo(0, 8000, 20000), 19999);
  assert.equal(playedTo(0, 4000, 501), 250);
});

test("playing never goes back, and is at the end after its time, from any start", () => {
  for (const size of [1, 2, 3, 12, 134, 500, 20000]) {
    for (const start of [0, Math.floor(size / 2), size - 1]) {
      let before = start;
      for (let elapsed = 0; elapsed <= 8100; elapsed += 60) {
        const place = playedTo(start, elapsed, size);
        assert.ok(place >= before && place < size);
        before = place;
      }
      assert.equal(playedTo(start, pruningPace(size) * (size - 1 - start), size), size - 1);
    }
  }
});

function playing(at, size) {
  const [clock, places] = [handClock(), []];
  const state = { at, ended: 0 };
  const moveTo = (k) => places.push((state.at = k));
  const player = makePlayer({ at: () => state.at, moveTo, ended: () => state.ended++ }, clock);
  player.play(size);
  return { clock, places, state, player };
}

test("a short sequence is played position by position to its end", () => {
  const { clock, places, state, player } = playing(1, 4);
  clock.pass(899);
  assert.deepEqual(places, [1]);
  clock.pass(2000);
  assert.deepEqual(places, [1, 2, 3]);
  assert.equal(state.ended, 1);
  assert.equal(player.isOn(), false);
  assert.equal(clock.timers.size, 0);
});

test("play at the end begins at the full tree", () => {
  const { clock, places } = playing(3, 4);
  clock.pass(3000);
  assert.deepEqual(places, [0, 1, 2, 3]);
});

test("growing is played slowly enough to read: at least 700 ms a step up to 60 steps, faster beyond", () => {
  for (const steps of [1, 5, 60]) assert.ok(growthPace(steps + 1) >= 700);
  assert.ok(growthPace(62) < growthPace(61));
  assert.ok(growthPace(2001) * 2000 <= 60 * 1000);
  assert.equal(playedTo(0, 2 * growthPace(11), 11, growthPace), 2);
});

test("playing stops at a position that says so, and goes no further before that has changed", () => {
  const [clock, places, open] = [handClock(), [], new Set([2, 3])];
  const state = { at: 0, ended: 0 };
  const act = { at: () => state.at, moveTo: (k) => places.push((state.at = k)), ended: () => state.ended++, stopsAt: (k) => open.has(k) };
  const player = makePlayer(act, clock);
  player.play(6);
  clock.pass(20000);
  assert.deepEqual([places, state.ended, player.isOn()], [[0, 1, 2], 1, false]);
  player.play(6);
  clock.pass(20000);
  assert.deepEqual([places.at(-1), state.ended], [2, 2]);
  open.delete(2);
  player.play(6);
  clock.pass(20000);
  assert.equal(places.at(-1), 3);
});

test("no open question is jumped over where a frame takes many steps", () => {
  const [clock, places] = [handClock(), []];
  const act = { at: () => 0, moveTo: (k) => places.push(k), ended: () => {}, stopsAt: (k) => k === 1234 };
  makePlayer(act, clock).play(20000);
  clock.pass(20000);
  assert.equal(places.at(-1), 1234);
});

test("a stop leaves no timer behind, and is not the end", () => {
  const { clock, places, state, player } = playing(0, 500);
  clock.pass(1000);
  player.stop();
  const before = places.length;
  clock.pass(9000);
  assert.deepEqual([places.length, state.ended, clock.timers.size], [before, 0, 0]);
});

test("what follows a running position acts at once, then after pauses, and ends at the latest position", () => {
  const [clock, log] = [handClock(), []];
  const follower = makeFollower((k) => log.push([clock.now(), k]), clock);
  for (let k = 0; k <= 30; k++) {
    follower.follow(k);
    clock.pass(10);
  }
  assert.deepEqual(log, [[0, 0], [120, 11], [240, 23]]); // at 120 ms the position of 110 ms is the latest
  clock.pass(1000);
  assert.deepEqual(log.at(-1), [360, 30]);
  assert.equal(clock.timers.size, 0);
});

test("a follower can catch up before its pause is over, once, and forgets what it is told to forget", () => {
  const [clock, log] = [handClock(), []];
  const follower = makeFollower((k) => log.push(k), clock);
  follower.follow(1);
  follower.follow(2);
  follower.catchUp();
  follower.catchUp();
  follower.follow(3);
  follower.forget();
  clock.pass(1000);
  assert.deepEqual(log, [1, 2]);
});
