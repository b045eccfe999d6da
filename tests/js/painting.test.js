// What covers what on the canvas, and how large a small tree is drawn.
import assert from "node:assert/strict";
import { test } from "node:test";
import { magnification } from "../../explorer/drawing/tree_view/canvas/camera.js";
import { paintDots } from "../../explorer/drawing/tree_view/canvas/dots.js";
import { placeAnew } from "../../explorer/drawing/tree_view/canvas/level_of_detail.js";
import { paintScene } from "../../explorer/drawing/tree_view/canvas/paint.js";
import { Scene } from "../../explorer/drawing/tree_view/canvas/scene/scene.js";
import { INNER, LEAF } from "../../explorer/drawing/tree_view/model/pruned_shape.js";
import { binaryTree, treeOf } from "./trees.js";

const THEME = {
  dark: true, classes: ["#4fa9ef", "#ff9d4d"], means: ["#ffffff", "#000000"], font: "serif", text: "#e7eaf0",
  quiet: "#9aa1ad", background: "#14171c", panel: "#1e232b", border: "#363d49", primary: "#a9a1ff",
};
const TENNIS = () => treeOf([[[], []], [], [[], []]], [3, 2, 4, 3, 2]);

/** A context that notes what is painted: [what, text or colour]. */
function notingContext() {
  const noted = [];
  const own = {
    noted,
    measureText: (text) => ({ width: 7 * text.length }),
    fillText: (text) => noted.push(["text", text]),
    fill: () => noted.push(["fill", own.fillStyle]),
    stroke: () => noted.push(["stroke", own.strokeStyle]),
  };
  return new Proxy(own, { get: (target, name) => target[name] ?? (() => {}), set: (target, name, value) => ((target[name] = value), true) });
}

function sceneOf(tree, width, height) {
  const scene = new Scene(notingContext());
  Object.assign(scene.frame, { mode: "down", width, height });
  scene.setTheme(THEME);
  scene.setTree(tree);
  scene.fit();
  scene.setShape(Uint8Array.from(tree.feature, (feature) => (feature >= 0 ? INNER : LEAF)));
  return scene;
}

test("no outline of a node strikes through the words of its branches", () => {
  for (const mark of ["selected", "hovered", "focusMark", "ringed"]) {
    const scene = sceneOf(TENNIS(), 740, 640);
    if (mark === "ringed") scene.ringed = new Set([1]);
    else scene[mark] = 1;
    paintScene(scene.context, scene);
    const { noted } = scene.context;
    const outline = noted.findLastIndex(([what, colour]) => what === "stroke" && [THEME.primary, THEME.text, THEME.quiet].includes(colour));
    for (const t of [1, 4, 5]) {
      const words = noted.findLastIndex(([what, text]) => what === "text" && text === scene.branchText(t));
      assert.ok(words > outline, `${mark}: the words of node ${t}`);
    }
  }
});

test("a dot's outline is painted over its fill: a mixed node is seen by it", () => {
  const scene = sceneOf(binaryTree(401, 3), 900, 600);
  placeAnew(scene);
  assert.ok(scene.marks.radius > 2.5);
  paintDots(scene.context, scene);
  const kinds = scene.context.noted.map(([what]) => what);
  assert.ok(kinds.length >= 8);
  assert.deepEqual([...new Set(kinds.filter((_, i) => i % 2 === 0))], ["fill"]);
  assert.deepEqual([...new Set(kinds.filter((_, i) => i % 2 === 1))], ["stroke"]);
});

test("a box with room for the word of its class has the word, with or without the shape that repeats it", () => {
  let [boxes, isTight] = [0, false];
  for (let width = 120; width <= 400; width += 10) {
    const scene = sceneOf(Object.assign(TENNIS(), { classes: ["seldom", "always"] }), width, 300);
    placeAnew(scene);
    scene.context.noted.length = 0;
    paintScene(scene.context, scene);
    const words = scene.context.noted.filter(([what, text]) => what === "text" && scene.tree.classes.includes(text)).length;
    const hasRoom = (t, room) => scene.marks.kind[t] > 1 && (2 * scene.marks.halfWidth[t]) / scene.marks.scale >= room + 8;
    const word = (t) => scene.textMeasure.width(scene.predictionText(t), "small");
    const leaves = Array.from(scene.tree.feature.keys()).filter((t) => scene.tree.feature[t] < 0);
    const worded = leaves.filter((t) => hasRoom(t, word(t)));
    isTight ||= worded.some((t) => !hasRoom(t, word(t) + 14));
    assert.ok(words >= worded.length, `${width}: ${words} of ${worded.length}`);
    boxes += worded.length;
  }
  assert.ok(boxes > 50 && isTight);
});

test("a small tree is drawn larger where there is room, in letters of 18 pixels at most, and its boxes stay apart", () => {
  const letters = [[620, 480], [740, 640], [1900, 1000]].map(([width, height]) => {
    const scene = sceneOf(TENNIS(), width, height);
    placeAnew(scene);
    const { marks, layout } = scene;
    const boxes = layout.levels.flatMap((level) => Array.from(level));
    const [left, right] = [Math.min(...boxes.map((t) => marks.x[t] - marks.halfWidth[t])), Math.max(...boxes.map((t) => marks.x[t] + marks.halfWidth[t]))];
    assert.ok(left >= 0 && right <= width && right - left > 0.6 * width, `${left} to ${right} of ${width}`);
    for (const level of layout.levels) {
      for (let i = 1; i < level.length; i++) {
        const [a, b] = [level[i - 1], level[i]];
        assert.ok(marks.x[b] - marks.halfWidth[b] > marks.x[a] + marks.halfWidth[a], `${a} and ${b}`);
      }
    }
    return 13 * magnification(scene.camera, scene.frame);
  });
  assert.ok(letters[1] > 14 && letters[0] >= 13, `${letters}`);
  assert.ok(Math.abs(letters[2] - 18) < 1e-9, `${letters}`);
});

test("the tag of the node that is pruned next lies beside its box, clear of its outlines", () => {
  const scene = sceneOf(TENNIS(), 740, 640);
  const moves = [];
  scene.context.translate = (x, y) => moves.push([x, y]);
  scene.next = [0];
  scene.selected = 0;
  paintScene(scene.context, scene);
  assert.ok(scene.context.noted.some(([what, text]) => what === "text" && text === "next"));
  const end = scene.marks.x[0] + scene.marks.halfWidth[0];
  const beside = moves.filter(([x, y]) => Math.abs(y - scene.marks.y[0]) < 0.01 && x > end + 10);
  assert.equal(beside.length, 1);
});

test("the bars of several targets below the lowest leaves lie within the picture", () => {
  for (const nTargets of [1, 2, 5, 10]) {
    const tree = TENNIS();
    const sizes = new Array(nTargets).fill(2);
    tree.targetBars = { sizes, shares: new Float32Array(2 * nTargets * tree.n).fill(0.5) };
    for (const [width, height] of [[800, 550], [740, 640], [1400, 900]]) {
      const scene = sceneOf(tree, width, height);
      const bottoms = [];
      scene.context.fillRect = (_, top, __, high) => bottoms.push(top + high);
      paintScene(scene.context, scene);
      const lowest = Math.max(...bottoms);
      assert.ok(bottoms.length > 2 * nTargets && lowest <= height, `${nTargets} targets: ${lowest} of ${height}`);
    }
  }
});
