import assert from "node:assert/strict";
import { test } from "node:test";

class Line extends EventTarget {
  sent = [];
  send(data) {
    this.sent.push(data);
  }
  brings(...bytes) {
    this.dispatchEvent(Object.assign(new Event("message"), { data: Uint8Array.from(bytes).buffer }));
  }
}
globalThis.WebSocket = Line;
await import("../browser/runs.js");
const { isServerDone } = globalThis;
// Tags: the number of a field times 8, plus 2 where its length follows. In a hash, bytes that would be tags themselves.
const [RERUN, HEARTBEAT] = [Uint8Array.of(0x5a, 2, 8, 1), Uint8Array.of(0x88, 1, 1)];
const [NEW_RUN, ENDED, ENDED_FOR_ANOTHER] = [[0x0a, 2, 0x30, 0, 0x22, 2, 8, 1], [0x30, 0], [0x12, 2, 8, 1, 0x30, 2]];
const DELTA = [0x0a, 2, 0x30, 0, 0x2a, 0x81, 1, ...new Array(129).fill(0x22)];

test("the server is done when a run that began after the last request has ended", () => {
  const line = new WebSocket("ws://here");
  assert.ok(isServerDone());
  line.send(RERUN);
  assert.ok(!isServerDone());
  assert.deepEqual(line.sent, [RERUN]);
  line.brings(...ENDED); // of a run before
  assert.ok(!isServerDone());
  line.brings(...NEW_RUN);
  line.brings(...DELTA);
  assert.ok(!isServerDone());
  line.brings(...ENDED_FOR_ANOTHER);
  assert.ok(!isServerDone());
  line.brings(...NEW_RUN);
  line.brings(...ENDED);
  assert.ok(isServerDone());
});

test("what asks for no run is not waited for, nor is a server that is gone", () => {
  const line = new WebSocket("ws://here");
  line.send(HEARTBEAT);
  assert.ok(isServerDone());
  line.send(RERUN);
  line.dispatchEvent(new Event("close"));
  assert.ok(isServerDone());
});

test("a run of whose beginning or end nothing is heard for long is given up", ({ mock }) => {
  const line = new WebSocket("ws://here");
  const { now } = performance;
  let later = 0;
  mock.method(performance, "now", () => now.call(performance) + later);
  for (const happens of [() => line.send(RERUN), () => line.brings(...NEW_RUN)]) {
    happens();
    assert.ok(!isServerDone());
    later += 16_000;
    assert.ok(isServerDone());
  }
});
