// The places of a view's parts: whoever comes first, the last place registered takes the part.
import assert from "node:assert/strict";
import { test } from "node:test";

import { addPlace, frameFor, placeIn, putPart, removePlace } from "../../explorer/drawing/tree_view/panel/parts.js";

/** An element that knows its parent, as far as moving needs it. */
function frame() {
  const self = { child: null };
  self.replaceChildren = (element) => {
    if (self.child) self.child.parentNode = null;
    if (element.parentNode) element.parentNode.child = null;
    [self.child, element.parentNode] = [element, self];
  };
  return self;
}

function part() {
  const self = { parentNode: null };
  self.remove = () => {
    if (self.parentNode) self.parentNode.child = null;
    self.parentNode = null;
  };
  return self;
}

test("a place is found by its view and part, the last one first, until it is gone", () => {
  const [first, second] = [frame(), frame()];
  addPlace("a", { part: "scores", of: "prune" }, first);
  addPlace("b", { part: "scores", of: "prune" }, second);
  assert.equal(frameFor("prune", "scores"), second);
  assert.equal(frameFor("prune", "sequence"), null);
  assert.equal(frameFor("grow", "scores"), null);
  removePlace("b");
  assert.equal(frameFor("prune", "scores"), first);
  removePlace("a");
  assert.equal(frameFor("prune", "scores"), null);
});

test("a place that is given to another view is no longer the first one's", () => {
  const only = frame();
  addPlace("a", { part: "scores", of: "prune" }, only);
  addPlace("a", { part: "sequence", of: "methods" }, only);
  assert.deepEqual([frameFor("prune", "scores"), frameFor("methods", "sequence")], [null, only]);
  assert.equal(placeIn("a").of, "methods");
  removePlace("a");
  assert.equal(placeIn("a"), null);
});

test("a part is moved where it is not yet, and nowhere without a place", () => {
  const [curve, here, there] = [part(), frame(), frame()];
  assert.equal(putPart(curve, here), true);
  assert.equal(putPart(curve, here), false);
  assert.equal(putPart(curve, there), true);
  assert.deepEqual([here.child, there.child], [null, curve]);
  assert.equal(putPart(curve, null), true);
  assert.equal(there.child, null);
  assert.equal(putPart(curve, null), false);
});
