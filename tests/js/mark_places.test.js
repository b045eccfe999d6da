// Signs and tags of nodes cover no words, whatever the room: looked at where they are painted.
import assert from "node:assert/strict";
import { test } from "node:test";
import { paintScene } from "../../explorer/drawing/tree_view/canvas/paint.js";
import { Scene } from "../../explorer/drawing/tree_view/canvas/scene/scene.js";
import { INNER, LEAF } from "../../explorer/drawing/tree_view/model/pruned_shape.js";
import { binaryTree, CREDIT_G, shapedTree, treeOf } from "./trees.js";

const THEME = {
  dark: true, classes: ["#4fa9ef", "#ff9d4d"], means: ["#ffffff", "#000000"], font: "serif", text: "#e7eaf0",
  quiet: "#9aa1ad", background: "#14171c", panel: "#1e232b", border: "#363d49", primary: "#a9a1ff",
};
const [LETTER, HALF_HIGH] = [6, 4.5];
const SIGN = /^[★◇≈≠]+$|^next$/;

/** A context that notes where each text is painted: {text, left, right, top, bottom} in pixels. */
function placingContext() {
  const texts = [];
  let state = { x: 0, y: 0, scale: 1 };
  const saved = [];
  const own = {
    texts,
    measureText: (text) => ({ width: LETTER * text.length }),
    save: () => saved.push({ ...state }),
    restore: () => { state = saved.pop(); },
    translate: (x, y) => { state = { ...state, x: state.x + x * state.scale, y: state.y + y * state.scale }; },
    scale: (by) => { state = { ...state, scale: state.scale * by }; },
    setTransform: (scale) => { state = { x: 0, y: 0, scale }; },
    fillText: (text, x, y) => note(text, x, y),
    strokeText: () => {},
  };
  function note(text, x, y) {
    const wide = LETTER * text.length;
    const left = own.textAlign === "left" ? x : x - wide / 2;
    const at = (value, origin) => origin + value * state.scale;
    texts.push({ text, left: at(left, state.x), right: at(left + wide, state.x), top: at(y - HALF_HIGH, state.y), bottom: at(y + HALF_HIGH, state.y) });
  }
  return new Proxy(own, { get: (target, name) => target[name] ?? (() => {}), set: (target, name, value) => ((target[name] = value), true) });
}

function painted(tree, width, height, enlarged) {
  const scene = new Scene(placingContext());
  Object.assign(scene.frame, { mode: "down", width, height });
  scene.enlarged = enlarged;
  scene.setTheme(THEME);
  scene.setTree(tree);
  scene.setShape(Uint8Array.from(tree.feature, (feature) => (feature >= 0 ? INNER : LEAF)));
  const split = Array.from({ length: tree.n }, (_, t) => t).filter((t) => tree.feature[t] >= 0);
  scene.setNodeMarks(split.flatMap((node) => [{ node, kind: "held_out", text: "" }, { node, kind: "near_tie", text: "" }]));
  scene.next = Int32Array.from(split.filter((t) => t % 3 === 1));
  scene.fit();
  scene.context.texts.length = 0;
  paintScene(scene.context, scene);
  return { scene, texts: scene.context.texts };
}

const overlap = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 0.5 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 0.5;

test("a sign about a split is gone where the split is pruned, one about the node stays", () => {
  const { scene } = painted(treeOf([[[], []], []], [3, 2, 4]), 620, 480, 1);
  scene.setNodeMarks([{ node: 1, kind: "held_out_split", text: "no better" }, { node: 1, kind: "held_out", text: "most are No" }, { node: 0, kind: "held_out_split", text: "no better" }]);
  assert.deepEqual([...scene.signs], [[1, "≠"], [0, "≠"]]);
  assert.equal(scene.notes.get(1).length, 2);
  const pruned = Uint8Array.from(scene.shape);
  [pruned[1], pruned[0]] = [LEAF, LEAF];
  scene.setShape(pruned);
  assert.deepEqual([...scene.signs], [[1, "≠"]]);
  assert.deepEqual(scene.notes.get(1), [["≠", "most are No"]]);
});

const TREES = {
  tennis: () => treeOf([[[], []], [], [[], []]], [3, 2, 4, 3, 2]),
  small: () => binaryTree(15, 3),
  narrow: () => binaryTree(63, 3),
  credit: () => shapedTree(CREDIT_G),
};

for (const [name, make] of Object.entries(TREES)) {
  test(`no sign and no tag covers words: ${name}`, () => {
    let signs = 0;
    for (const enlarged of [1, 1.5]) {
      for (const [width, height] of [[1200, 700], [620, 480], [560, 300], [360, 520]]) {
        const { texts } = painted(make(), width, height, enlarged);
        const marks = texts.filter(({ text }) => SIGN.test(text));
        const words = texts.filter(({ text }) => !SIGN.test(text));
        signs += marks.length;
        for (const mark of marks) {
          const covered = [...words, ...marks.filter((other) => other !== mark)].find((other) => overlap(mark, other));
          assert.equal(covered, undefined, `${width} × ${height}, ${enlarged}: ${mark.text} on ${covered?.text}`);
        }
      }
    }
    assert.ok(signs > 15, `${signs}`);
  });
}

test("every box keeps its sign where it has room, above it first", () => {
  const { scene, texts } = painted(TREES.tennis(), 740, 640, 1);
  const signs = texts.filter(({ text }) => text === "≠≈");
  assert.equal(signs.length, 3);
  const above = signs.filter(({ bottom }) => scene.tree.feature.some((_, t) => Math.abs(scene.marks.y[t] - scene.marks.halfHeight[t] - bottom) < 6 * scene.marks.scale));
  assert.equal(above.length, 3);
});
