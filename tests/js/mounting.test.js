import assert from "node:assert/strict";
import test from "node:test";

import { makeLibrary } from "../../explorer/drawing/tree_view/mounting.js";

test("what a view shows stays in the cache, however many payloads come after it", () => {
  const library = makeLibrary({ open: ([number]) => ({ sig: `number ${number}` }) });
  const shown = [];
  library.live.add({ showPayloads: () => shown.push([library.payload("number 0"), library.payload("number 1")]) });
  for (let number = 0; number < 100; number += 1) library.receivePayload(Uint8Array.of(number), {});
  assert.ok(shown.slice(1).flat().every(Boolean));
  assert.equal(library.payload("number 2"), undefined, "what no view uses goes");
});
