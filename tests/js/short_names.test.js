// Names that begin alike keep the part that tells them apart where they do not fit.
import assert from "node:assert/strict";
import { test } from "node:test";
import { branchTextWithin } from "../../explorer/drawing/tree_view/canvas/edges.js";
import { placeMarks } from "../../explorer/drawing/tree_view/canvas/level_of_detail.js";
import { Scene } from "../../explorer/drawing/tree_view/canvas/scene.js";
import { TextMeasure } from "../../explorer/drawing/tree_view/canvas/text_measure.js";
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
  assert.deepEqual([140, 139, 100, 60].map((room) => scene.predictionWithin(1, "title", room)), ["Iris-virginica", "…virginica", "…virginica", "…virg…"]);
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

test("a feature's name without its condition comes before a shorter name", () => {
  const tree = treeOf([[], []]);
  tree.features = [{ name: "sepallength", test: "threshold" }, { name: "sepalwidth", test: "threshold" }];
  const scene = sceneOf(tree);
  assert.deepEqual([150, 149, 110, 109].map((room) => scene.titleWithin(0, "title", room)), ["sepallength ≤ 4", "sepallength", "sepallength", "…length"]);
});

test("a threshold loses digits before it goes, and goes before the feature's name is cut", () => {
  const tree = treeOf([[], []]);
  tree.features = [{ name: "fare", test: "threshold" }];
  tree.branchTexts = ["", "≤ 26.14375", "> 26.14375"];
  tree.branchTextIndex = Uint8Array.from([0, 1, 2]);
  const scene = sceneOf(tree);
  const wide = "fare ≤ 26.1…".length * 10;
  assert.deepEqual([150, 149, wide, wide - 1].map((room) => scene.titleWithin(0, "title", room)), ["fare ≤ 26.14375", "fare ≤ 26.1…", "fare ≤ 26.1…", "fare"]);
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

test("the feature's name is the last thing to be cut from a test", () => {
  const scene = sceneOf(treeOf([[], [[], []]]));
  assert.deepEqual([70, 66, 30, 21].map((room) => scene.titleWithin(0, "title", room)), ["age ≤ 4", "age", "age", "a…"]);
});
