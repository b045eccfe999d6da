// The kept picture of the icicle is what painting everything would give, whatever has changed since.
import assert from "node:assert/strict";
import { test } from "node:test";
import { panCamera, zoomCamera } from "../../explorer/drawing/tree_view/canvas/camera.js";
import { IciclePicture } from "../../explorer/drawing/tree_view/canvas/icicle/picture.js";
import { Scene } from "../../explorer/drawing/tree_view/canvas/scene/scene.js";
import { SequenceData } from "../../explorer/drawing/tree_view/model/payload.js";
import { ShapeWalk } from "../../explorer/drawing/tree_view/model/shape_walk.js";
import { TestCanvas } from "./canvas.js";
import { binaryTree, seeded } from "./trees.js";

const SIZE = 60;
const THEME = {
  dark: false, classes: ["#1b6ca8", "#c65102"], means: ["#ffffff", "#000000"], font: "serif", text: "#111111",
  quiet: "#666666", background: "#ffffff", panel: "#eeeeee", border: "#cccccc", primary: "#7a1fa2",
};

/** A scene of an icicle with its canvas, its kept picture, and the walk of its shape over α; deep nodes close first. */
function icicleOf(nodes, ratio, seed, [width, height] = [180, 120]) {
  const random = seeded(seed);
  const tree = binaryTree(nodes, seed);
  const collapse = tree.depth.map((depth) => Math.max(1, Math.min(SIZE, Math.round(SIZE * (1 - depth / 12) + 14 * random()))));
  const sequence = new SequenceData({ header: { steps: "alpha" }, arrays: { leaves: new Int32Array(SIZE), collapse } });
  const canvas = new TestCanvas(width * ratio, height * ratio);
  const scene = new Scene(canvas.context);
  Object.assign(scene.frame, { mode: "icicle", width, height });
  scene.ratio = ratio;
  scene.setTheme(THEME);
  scene.setTree(tree);
  scene.fit();
  const shape = new Uint8Array(tree.n);
  const view = { scene, canvas, shape, walk: new ShapeWalk(tree, sequence, [], shape), picture: new IciclePicture(new TestCanvas()) };
  move(view, 0);
  return view;
}

function move({ scene, shape, walk }, position) {
  scene.setShape(shape, walk.moveTo(position));
}

/** One frame, as the stage draws it. */
function frame({ scene, canvas, picture }) {
  const isMoving = scene.stepFades();
  picture.paint(canvas.context, scene);
  scene.repaints.clear();
  return isMoving;
}

function assertAsPaintedAnew({ scene, canvas }, what) {
  const anew = new TestCanvas(canvas.width, canvas.height);
  new IciclePicture(new TestCanvas()).paint(anew.context, scene);
  const differs = canvas.pixels.findIndex((pixel, i) => pixel !== anew.pixels[i]);
  assert.ok(differs < 0, `${what}: pixel ${differs % canvas.width}, ${Math.floor(differs / canvas.width)}: ${canvas.pixels[differs]} and ${anew.pixels[differs]}`);
}

test("while α moves, every frame shows what painting all bars would show, and most frames paint only some", () => {
  let [some, all] = [0, 0];
  for (const [ratio, nodes] of [[1, 31], [1, 901], [1.5, 301]]) {
    const view = icicleOf(nodes, ratio, nodes);
    const random = seeded(nodes);
    frame(view);
    for (let step = 0; step < 12; step++) {
      move(view, step < 10 ? 6 * step : Math.floor(random() * SIZE));
      for (let i = 0; i <= step % 3; i++) frame(view);
      if (view.picture.painted < view.scene.bars.count) some += 1;
      else all += 1;
      assertAsPaintedAnew(view, `ratio ${ratio}, ${nodes} nodes, step ${step}`);
    }
  }
  assert.ok(some > all, `${some} frames painted some bars, ${all} all`);
});

test("panning, zooming, a filter, another theme or size, and folding are shown at once", () => {
  const view = icicleOf(301, 1, 5);
  const { scene, canvas } = view;
  const changes = {
    pan: () => (scene.camera = panCamera(scene.camera, scene.frame, 31, 4)),
    zoom: () => (scene.camera = zoomCamera(scene.camera, scene.frame, 1.7, 60, 40)),
    filter: () => ((scene.filter = { minRows: 3, minPurity: 0, label: -1 }), scene.applyFilter()),
    theme: () => scene.setTheme({ ...THEME, background: "#000000", text: "#eeeeee" }),
    size: () => ([scene.frame.width, canvas.width] = [180, 180]),
    fold: () => (scene.folded.add(1), scene.forgetLayout(), scene.relayout()),
  };
  frame(view);
  for (const [what, change] of Object.entries(changes)) {
    move(view, view.walk.at + 7);
    change();
    frame(view);
    assertAsPaintedAnew(view, what);
  }
});

test("a frame in which nothing has changed paints no bar, and a step paints no more than bars that change and their neighbours", () => {
  const view = icicleOf(1201, 1, 9);
  while (frame(view));
  frame(view);
  assert.equal(view.picture.painted, 0);
  for (let position = 1; position < SIZE; position++) {
    const { scene } = view;
    move(view, position);
    scene.stepFades();
    const changed = Array.from(scene.repaints.ids.subarray(0, scene.repaints.size)).filter((t) => scene.bars.number[t] >= 0);
    view.picture.paint(view.canvas.context, scene);
    scene.repaints.clear();
    const isAll = view.picture.painted === scene.bars.count;
    assert.ok(isAll ? changed.length > scene.bars.count / 4 : view.picture.painted <= 5 * changed.length, `${position}`);
  }
});

test("bars that are too thin for an outline change in one frame, wider ones fade", () => {
  const view = icicleOf(1201, 1, 9);
  const { scene } = view;
  while (frame(view));
  move(view, SIZE - 4);
  const widthOf = (t) => scene.camera.alongScale * (scene.layout.hi[t] - scene.layout.lo[t]);
  const moving = Array.from(scene.fades.moving.ids.subarray(0, scene.fades.moving.size));
  assert.ok(moving.length > 0 && moving.every((t) => widthOf(t) > 4));
  const gone = Array.from(scene.shape.keys()).filter((t) => scene.shape[t] === 1);
  assert.ok(gone.length > 10 * moving.length);
  for (const t of gone) assert.equal(scene.fade[t], widthOf(t) > 4 ? 1 : 0);
});
