import assert from "node:assert/strict";
import { test } from "node:test";
import { alongLength, centredCamera, depthLength, fitCamera, keptInView, magnification, naturalScale, panCamera, revealCamera, visibleShare, zoomCamera } from "../../explorer/drawing/tree_view/canvas/camera.js";

const FRAMES = [];
for (const mode of ["down", "right", "icicle"]) {
  for (const [width, height] of [[1400, 460], [800, 460], [340, 460], [1900, 1000]]) {
    for (const [slots, levels] of [[1, 1], [2, 2], [8, 4], [30, 9], [1001, 25], [50001, 60]]) {
      FRAMES.push({ mode, width, height, slots, levels });
    }
  }
}

test("the fit cuts nothing off at any edge", () => {
  for (const frame of FRAMES) {
    const camera = fitCamera(frame);
    const breadth = camera.alongScale * (frame.mode === "icicle" ? 1 : frame.slots);
    const depth = camera.depthScale * (frame.mode === "icicle" ? frame.levels : frame.levels - 1);
    const what = JSON.stringify(frame);
    assert.ok(camera.alongShift >= 0 && camera.alongShift + breadth <= alongLength(frame) + 1e-6, what);
    assert.ok(camera.depthShift >= 4 && camera.depthShift + depth <= depthLength(frame) - 4 + 1e-6, what);
    assert.ok(visibleShare(camera, frame) > 1 - 1e-9, what);
  }
});

test("a small tree is centred and never stretched beyond one and a half times its natural scale", () => {
  for (const frame of FRAMES.filter(({ mode, slots }) => mode !== "icicle" && slots <= 8)) {
    const camera = fitCamera(frame);
    const natural = naturalScale(frame);
    assert.ok(camera.alongScale <= natural.along * 1.5 + 1e-9 && camera.depthScale <= natural.depth * 1.5 + 1e-9);
    const middle = camera.alongShift + (camera.alongScale * frame.slots) / 2;
    assert.ok(Math.abs(middle - alongLength(frame) / 2) < 1e-6);
  }
});

test("the point under the pointer stays where it is while zooming", () => {
  const frame = { mode: "down", width: 1000, height: 460, slots: 100, levels: 10 };
  const before = { alongScale: 20, alongShift: -300, depthScale: 60, depthShift: 10 };
  const after = zoomCamera(before, frame, 1.5, 400, 200);
  const world = (camera) => [(400 - camera.alongShift) / camera.alongScale, (200 - camera.depthShift) / camera.depthScale];
  world(before).forEach((value, i) => assert.ok(Math.abs(value - world(after)[i]) < 1e-9));
});

test("in a wide tree zooming stretches the breadth first, and zooming back undoes it", () => {
  const frame = { mode: "down", width: 1000, height: 460, slots: 1000, levels: 12 };
  const start = fitCamera(frame);
  const closer = zoomCamera(start, frame, 2, 500, 230);
  assert.equal(closer.alongScale, start.alongScale * 2);
  assert.ok(closer.depthScale < start.depthScale * 1.3);
  const back = zoomCamera(closer, frame, 0.5, 500, 230);
  for (const key of Object.keys(start)) assert.ok(Math.abs(back[key] - start[key]) < 1e-6, key);
});

test("zooming never ends beyond three times natural or below 0.6 of the fit", () => {
  const frame = { mode: "right", width: 1000, height: 460, slots: 40, levels: 6 };
  const fit = fitCamera(frame);
  let camera = fit;
  for (let i = 0; i < 60; i++) camera = zoomCamera(camera, frame, 1.5, 100, 100);
  assert.deepEqual([camera.alongScale, camera.depthScale], [84 * 3, 262 * 3]);
  assert.equal(magnification(camera, { mode: "right" }), 3);
  for (let i = 0; i < 120; i++) camera = zoomCamera(camera, frame, 0.6, 100, 100);
  assert.ok(Math.abs(camera.alongScale - fit.alongScale * 0.6) < 1e-9);
});

test("however far it is dragged, 60 pixels of the tree stay in sight", () => {
  const frame = { mode: "down", width: 500, height: 400, slots: 10, levels: 3 };
  const camera = { alongScale: 30, alongShift: 0, depthScale: 100, depthShift: 50 };
  assert.equal(panCamera(camera, frame, 9999, 0).alongShift, 440);
  assert.equal(panCamera(camera, frame, -9999, 0).alongShift, 60 - 300);
  assert.equal(panCamera(camera, frame, 0, 9999).depthShift, 340);
  assert.deepEqual(keptInView(camera, frame), camera);
});

test("revealing moves by as little as needed, and not at all when the node is in sight", () => {
  const frame = { mode: "down", width: 500, height: 400, slots: 10, levels: 3 };
  const camera = { alongScale: 30, alongShift: 0, depthScale: 100, depthShift: 50 };
  const seen = { alongLo: 100, alongHi: 200, depthLo: 100, depthHi: 150 };
  assert.deepEqual(revealCamera(camera, frame, seen), camera);
  assert.equal(revealCamera(camera, frame, { ...seen, alongLo: 450, alongHi: 550 }).alongShift, 500 - 24 - 550);
  assert.equal(revealCamera(camera, frame, { ...seen, depthLo: -40, depthHi: 10 }).depthShift, 50 + 64);
});

test("half of the breadth in sight counts as half, and a point can be put in the middle", () => {
  const frame = { mode: "down", width: 500, height: 400, slots: 10, levels: 3 };
  const camera = { alongScale: 100, alongShift: 0, depthScale: 100, depthShift: 50 };
  assert.equal(visibleShare(camera, frame), 0.5);
  assert.equal(centredCamera(camera, frame, 0.5, 0.5).alongShift, 250 - 500);
  assert.equal(centredCamera(camera, frame, 0.5, 0.5).depthShift, 200 - 100);
});
