// Names that begin alike keep the part that tells them apart where they do not fit.
import assert from "node:assert/strict";
import { test } from "node:test";
import { branchTextWithin } from "../../explorer/drawing/tree_view/canvas/edges.js";
import { DOT, placeMarks } from "../../explorer/drawing/tree_view/canvas/level_of_detail.js";
import { Scene } from "../../explorer/drawing/tree_view/canvas/scene/scene.js";
import { TextMeasure } from "../../explorer/drawing/tree_view/canvas/text_measure.js";
import { GHOST, INNER, LEAF } from "../../explorer/drawing/tree_view/model/pruned_shape.js";
import { ShortNames } from "../../explorer/drawing/tree_view/model/short_names.js";
import { randomTree, treeOf } from "./trees.js";

const IRISES = ["Iris-setosa", "Iris-versicolor", "Iris-virginica"];
const LEAVES = ["sepallength", "sepalwidth", "petallength", "petalwidth"];

function shortened(names) {
  const short = new ShortNames(names);
  return names.map((name) => short.of(name));
}

/** A scene in whose fonts every character is ten pixels wide. */
function sceneOf(tree) {
  const scene = new Scene({ font: "", measureText: (text) => ({ width: text.length * 10 }) });
  scene.setTree(tree);
  scene.textMeasure = new TextMeasure(scene.context, "serif");
  return scene;
}

test("what the irises share is left out, so that each can be told from the others", () => {
  assert.deepEqual(shortened(IRISES), ["…setosa", "…versicolor", "…virginica"]);
});

test("one-word names keep the end, and of the beginning what no other name with that end has", () => {
  assert.deepEqual(shortened(LEAVES), ["s…length", "s…width", "p…length", "p…width"]);
});

test("words are never torn: the shared part ends where a word begins", () => {
  assert.deepEqual(shortened(["credit_amount", "credit_history", "age"]), ["…amount", "…history", null]);
  assert.deepEqual(shortened(["other_parties", "other_payment_plans"]), ["…parties", "…payment_plans"]);
  assert.deepEqual(shortened(["PetalLength", "PetalWidth"]), ["…Length", "…Width"]);
  assert.deepEqual(shortened(["education", "education_num"]), [null, "…num"]);
});

test("names that begin alike by chance are left as they are", () => {
  assert.deepEqual(shortened(["status", "state", "temperature", "temperament", "no", "none"]), [null, null, null, null, null, null]);
  assert.deepEqual(shortened(["same", "same", ""]), [null, null, null]);
});

test("no two names of a list get the same short name", () => {
  const lists = [IRISES, LEAVES, ["a_x_long", "b_x_long", "a_y_long", "b_y_long"], ["left.size", "right.size", "left.age", "right.age", "size"]];
  for (const names of lists) {
    const shown = shortened(names).map((short, i) => short ?? names[i]);
    assert.equal(new Set(shown).size, names.length, shown.join(", "));
  }
});

test("a class is written whole where it fits, and without the shared part where it does not", () => {
  const tree = treeOf([[], []]);
  tree.classes = ["Iris-versicolor", "Iris-virginica"];
  const scene = sceneOf(tree);
  assert.equal(scene.predictionText(1), "Iris-virginica");
  assert.deepEqual([140, 139, 100, 99, 90, 60].map((room) => scene.predictionWithin(1, "title", room)), ["Iris-virginica", "…virginica", "…virginica", "virginica", "virginica", "virgi…"]);
  assert.deepEqual([42, 38, 10].map((room) => scene.predictionWithin(1, "title", room)), ["vir…", "", ""], "two letters may be any class");
});

test("a prediction gets smaller before it is cut, and loses the shared part before that is cut", () => {
  const tree = treeOf([[], []]);
  tree.classes = ["Iris-versicolor", "Iris-virginica"];
  const scene = sceneOf(tree);
  const each = { title: 10, prediction: 8, small: 6, tag: 5 };
  scene.textMeasure.width = (text, role) => text.length * each[role];
  const roles = [140, 139, 112, 111, 84, 83, 70, 60].map((room) => scene.predictionRole(1, "title", room));
  assert.deepEqual(roles, ["title", "prediction", "prediction", "small", "small", "prediction", "small", "small"]);
});

test("without room for the whole test, the name is cut and the condition kept", () => {
  const tree = treeOf([[], []]);
  tree.features = [{ name: "sepallength", test: "threshold" }, { name: "sepalwidth", test: "threshold" }];
  const scene = sceneOf(tree);
  assert.deepEqual([150, 149, 110, 109].map((room) => scene.titleWithin(0, "title", room)), ["sepallength ≤ 4", "…length ≤ 4", "…length ≤ 4", "…leng… ≤ 4"]);
});

test("a long name is cut before a threshold loses digits, a short one after it", () => {
  const tree = treeOf([[], []]);
  tree.features = [{ name: "fare", test: "threshold" }];
  tree.branchTexts = ["", "≤ 26.14375", "> 26.14375"];
  tree.branchTextIndex = Uint8Array.from([0, 1, 2]);
  const scene = sceneOf(tree);
  const wide = "fare ≤ 26.1…".length * 10;
  assert.deepEqual([150, 149, wide, wide - 1].map((room) => scene.titleWithin(0, "title", room)), ["fare ≤ 26.14375", "fare ≤ 26.1…", "fare ≤ 26.1…", "fa… ≤ 26.1…"]);
  tree.features = [{ name: "Visits / month", test: "threshold" }];
  const other = sceneOf(tree);
  assert.deepEqual([170, 140, 129, 122].map((room) => other.titleWithin(0, "title", room)), ["Visit… ≤ 26.14375", "Vi… ≤ 26.14375", "Vis… ≤ 26.1…", "Vis… ≤ 26.1…"]);

});

test("the two branches of a node have both texts, or both signs, or neither", () => {
  const seen = new Set();
  for (let seed = 1; seed <= 20; seed++) {
    const tree = randomTree(40, seed);
    for (const width of [260, 420, 700, 1100]) {
      const scene = sceneOf(tree);
      Object.assign(scene.frame, { mode: "down", width, height: 460 });
      scene.theme = {};
      scene.fit();
      placeMarks(scene);
      for (const level of scene.layout.levels.slice(1)) {
        level.forEach((t, i) => {
          const above = tree.parent[t];
          if (t !== tree.firstChild[above] || tree.childCount[above] !== 2) return;
          const [one, other] = [i, i + 1].map((k) => branchTextWithin(scene, level, k));
          assert.equal(one.role, other.role, `seed ${seed}, node ${t}, width ${width}`);
          assert.equal(one.text === "", other.text === "", `seed ${seed}, node ${t}, width ${width}`);
          seen.add(one.text);
        });
      }
    }
  }
  assert.deepEqual([...seen].sort(), ["", "≤", "≤ 4"]);
});

test("the values of all branches of a node lose their equals sign before one of them is cut", () => {
  const tree = treeOf([[], [], []]);
  tree.features = [{ name: "Outlook", test: "each_value" }];
  tree.branchTexts = ["", "= Sunny", "= Overcast", "= Rain"];
  tree.branchTextIndex = Uint8Array.from([0, 1, 2, 3]);
  const words = (width) => {
    const scene = sceneOf(tree);
    Object.assign(scene.frame, { mode: "down", width, height: 300 });
    scene.theme = {};
    scene.fit();
    placeMarks(scene);
    scene.marks.scale = 1;
    return [0, 1, 2].map((i) => branchTextWithin(scene, scene.layout.levels[1], i).text);
  };
  assert.deepEqual(words(420), ["= Sunny", "= Overcast", "= Rain"]);
  assert.deepEqual(words(290), ["Sunny", "Overcast", "Rain"]);
});

test("of the branches of a node, intervals are written in brackets before a bound goes, and all bounds before signs alone", () => {
  const tree = treeOf([[], [], []]);
  tree.features = [{ name: "width", test: "bins" }];
  tree.branchTexts = ["", "≤ 2.8", "2.8 < … ≤ 3", "> 3"];
  tree.branchTextIndex = Uint8Array.from([0, 1, 2, 3]);
  const words = (width) => {
    const scene = sceneOf(tree);
    Object.assign(scene.frame, { mode: "down", width, height: 300 });
    scene.theme = {};
    scene.fit();
    placeMarks(scene);
    scene.marks.scale = 1;
    return [0, 1, 2].map((i) => branchTextWithin(scene, scene.layout.levels[1], i).text);
  };
  assert.deepEqual(words(420), ["≤ 2.8", "2.8 < … ≤ 3", "> 3"]);
  assert.deepEqual(words(280), ["≤ 2.8", "(2.8, 3]", "> 3"]);
  assert.deepEqual(words(200), ["≤", "", ">"]);
});

test("text is cut to the width it is given, never inside an emoji, and measured once", () => {
  let measured = 0;
  const context = { font: "", measureText: (text) => ({ width: (measured++, text.length * 10) }) };
  const textMeasure = new TextMeasure(context, "serif");
  assert.equal(textMeasure.fit("abcdef", "title", 60), "abcdef");
  assert.equal(textMeasure.fit("abcdef", "title", 45), "abc…");
  const once = measured;
  assert.equal(textMeasure.fit("abcdef", "title", 45), "abc…");
  assert.equal(measured, once);
  assert.equal(textMeasure.fit("👩‍👩‍👧 family", "title", 40), "");
  assert.equal(textMeasure.fit("abcdef", "title", 9), "");
});

test("a test whose branches say the number is its feature's name, which is cut last", () => {
  const tree = treeOf([[], [[], []]]);
  const scene = placedScene(tree, 700);
  assert.equal(branchTextWithin(scene, scene.layout.levels[1], 0).text, "≤ 4");
  assert.deepEqual([70, 66, 30, 21].map((room) => scene.titleWithin(0, "title", room)), ["age ≤ 4", "age", "age", "a…"]);
});

test("of a long list of values some are left out before the feature's name goes to a letter", () => {
  const tree = treeOf([[], []]);
  tree.features = [{ name: "employment", test: "subset" }];
  tree.branchTexts = ["", "∈ {long, longer, longest}", "= none"];
  const scene = sceneOf(tree);
  const list = " ∈ {long, longer, longest}".length * 10;
  assert.deepEqual([list + 42, list + 39].map((room) => scene.titleWithin(0, "title", room)), ["emp… ∈ {long, longer, longest}", "employment ∈ {long, longer,…"]);
});

/** A scene as above that is laid out in an area so wide. */
function placedScene(tree, width, height = 460) {
  const scene = sceneOf(tree);
  Object.assign(scene.frame, { mode: "down", width, height });
  scene.theme = {};
  scene.fit();
  placeMarks(scene);
  return scene;
}

const YES_NO = { features: [{ name: "Outlook", test: "subset" }], classes: ["No", "Yes"], branchTexts: ["", "= Sunny", "∈ {Overcast, Rain}"] };

test("where room is short, a test on values can be read at its node or at its branches, and no branch is named like a class", () => {
  const seen = new Set();
  for (const [width, height] of [[1100, 460], [700, 300], [500, 230], [420, 180], [300, 230]]) {
    const tree = Object.assign(treeOf([[[], []], [[[], []], []]]), YES_NO);
    const scene = placedScene(tree, width, height);
    scene.layout.levels.forEach((level, depth) => level.forEach((t, i) => {
      if (depth === 0 || scene.marks.kind[t] === DOT || scene.marks.branchTextZones[depth] === 0) return;
      const above = tree.parent[t];
      const { text } = branchTextWithin(scene, level, i);
      const room = (2 * scene.marks.halfWidth[above]) / scene.marks.scale - 8;
      const title = scene.titleWithin(above, "small", room);
      assert.ok(!/^(yes|no)$/i.test(text), text);
      assert.ok(/Sunny|Rain|^$/.test(text) || title.includes("= Sunny") || room < "O… = Sunny".length * 10, `${width} × ${height}, node ${t}: "${title}", "${text}"`);
      seen.add(text);
    }));
  }
  assert.ok(seen.has("= Sunny") && seen.has("≠ Sunny"), [...seen].join(", "));
});

test("the leaves of a level are alike: as wide and as detailed as each other, in the grown tree and in the pruned one", () => {
  const kinds = new Set();
  for (let seed = 1; seed <= 20; seed++) {
    for (const mode of ["down", "right"]) {
      for (const [width, height] of [[1400, 700], [700, 460], [420, 320]]) {
        const scene = placedLeaves(randomTree(16, seed), mode, width, height);
        const isDrawnLeaf = (t) => scene.isLeaf(t) && scene.marks.kind[t] > DOT;
        for (const level of scene.layout.levels) {
          const leaves = Array.from(level).filter(isDrawnLeaf);
          const boxes = Array.from(level).filter((t) => scene.marks.kind[t] > DOT);
          if (mode === "down") assert.ok(new Set(boxes.map((t) => scene.marks.kind[t])).size <= 1, `seed ${seed}, ${width}: one detail on a level`);
          for (const of of [scene.marks.kind, scene.marks.halfWidth]) {
            const [least, most] = [Math.min(...leaves.map((t) => of[t])), Math.max(...leaves.map((t) => of[t]))];
            assert.ok(leaves.length === 0 || most - least < 0.01, `seed ${seed}, ${mode}, ${width}: ${least} to ${most}`);
          }
          leaves.forEach((t) => kinds.add(scene.marks.kind[t]));
        }
      }
    }
  }
  assert.equal(kinds.size, 3);
});

/** A tree of ragged words, every third split of which is pruned, in an area. */
function placedLeaves(tree, mode, width, height) {
  tree.classes = ["no", "certainly"];
  tree.features = [{ name: "an uncommonly long name of a feature", test: "threshold" }, { name: "age", test: "threshold" }];
  tree.feature.forEach((code, t) => (tree.feature[t] = code < 0 ? -1 : t % 2));
  const scene = sceneOf(tree);
  scene.isTrimmed = true;
  scene.shape = Uint8Array.from(tree.feature, (code) => (code < 0 ? LEAF : INNER));
  for (let t = 3; t < tree.n; t++) {
    const above = scene.shape[tree.parent[t]];
    if (above !== INNER) scene.shape[t] = GHOST;
    else if (t % 3 === 0) scene.shape[t] = LEAF;
  }
  scene.relayout();
  Object.assign(scene.frame, { mode, width, height });
  scene.theme = {};
  scene.fit();
  placeMarks(scene);
  return scene;
}

test("a leaf of the pruned tree is as wide as its words, not as the test that is pruned away", () => {
  const scene = placedLeaves(treeOf([[[], []], [[], []]]), "down", 420, 320);
  const hidden = scene.ownWidth(2);
  scene.shape[1] = scene.shape[2] = LEAF;
  [3, 4, 5, 6].forEach((t) => (scene.shape[t] = GHOST));
  scene.relayout();
  assert.ok(scene.isLeaf(1) && !scene.isLeaf(0));
  assert.equal(scene.naturalWidth(1), scene.naturalWidth(2));
  assert.ok(hidden === 320 && scene.naturalWidth(1) < 200, `${hidden}, ${scene.naturalWidth(1)}`);
});

test("leaves give way before the test of a split beside them is cut", () => {
  const tree = treeOf([[[], []], [], [], []]);
  tree.features = [{ name: "Income", test: "threshold" }];
  tree.branchTexts = ["", "≤ 28947", "> 28947"];
  const scene = placedScene(tree, 430, 200);
  const width = (t) => (2 * scene.marks.halfWidth[t]) / scene.marks.scale;
  assert.ok(width(1) >= "Income ≤ 28947".length * 10 + 8 - 0.01, `${width(1)}`);
  assert.ok(width(2) < 96 && width(2) === width(4));
});
