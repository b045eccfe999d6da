import assert from "node:assert/strict";
import { test } from "node:test";
import { fitCamera, zoomCamera } from "../../explorer/drawing/tree_view/canvas/camera.js";
import { cutToRoom, shareLevelWidths, spreadCentres } from "../../explorer/drawing/tree_view/canvas/label_space.js";
import { DOT, makeMarks, placeMarks } from "../../explorer/drawing/tree_view/canvas/level_of_detail.js";
import { layOut } from "../../explorer/drawing/tree_view/canvas/layout.js";
import { cutText, shortNumber, ShortTests } from "../../explorer/drawing/tree_view/model/short_tests.js";
import { binaryTree, CREDIT_G, seeded, shapedTree, treeOf } from "./trees.js";

function sceneOf(tree, mode, width, height) {
  const layout = layOut(tree, new Set(), Infinity);
  const frame = { mode, width, height, slots: layout.slots, levels: layout.levels.length };
  const naturalWidth = (t) => 84 + ((t * 37) % 99);
  return { tree, layout, frame, camera: fitCamera(frame), marks: makeMarks(tree.n), naturalWidth, wholeWidth: naturalWidth, wordWidth: (t) => naturalWidth(t) / 2, branchTextWidth: () => 40, isLeaf: (t) => tree.firstChild[t] < 0 };
}

test("the top three levels carry words in every tree, at every zoom, in every window", () => {
  const trees = [shapedTree(CREDIT_G), binaryTree(307, 2), binaryTree(2001, 4), binaryTree(20001, 5)];
  for (const tree of trees) {
    for (const [mode, width, height] of [["down", 900, 480], ["down", 560, 380], ["down", 800, 170], ["down", 1400, 700], ["right", 1100, 520], ["right", 700, 380]]) {
      const scene = sceneOf(tree, mode, width, height);
      for (let step = 0; step < 10; step++) {
        placeMarks(scene);
        const silent = scene.layout.levels.slice(0, 3).flatMap((level) => Array.from(level).filter((t) => scene.marks.kind[t] === DOT));
        assert.deepEqual(silent, [], `${tree.n} nodes, ${mode}, ${width} × ${height}, step ${step}`);
        scene.camera = zoomCamera(scene.camera, scene.frame, 1.5, width / 2, height / 3);
      }
    }
  }
});

test("the boxes of a level with words never touch, and keep their order", () => {
  for (let seed = 1; seed <= 30; seed++) {
    const scene = sceneOf(binaryTree(40 * seed + 1, seed), "down", 700, 460);
    placeMarks(scene);
    for (const level of scene.layout.levels.filter((_, d) => scene.marks.spread[d])) {
      for (let i = 1; i < level.length; i++) {
        const [a, b] = [level[i - 1], level[i]];
        const apart = scene.marks.x[b] - scene.marks.halfWidth[b] - scene.marks.x[a] - scene.marks.halfWidth[a];
        assert.ok(apart > 1, `seed ${seed}, nodes ${a} and ${b}: ${apart}`);
      }
    }
  }
});

test("of more branches than boxes fit, the heaviest keep their words", () => {
  const rows = Array.from({ length: 120 }, (_, i) => i + 1);
  const scene = sceneOf(treeOf(rows.map(() => []), rows), "down", 900, 460);
  placeMarks(scene);
  const worded = Array.from(scene.layout.levels[1]).filter((t) => scene.marks.kind[t] > DOT);
  assert.ok(worded.length >= 5, `${worded.length}`);
  assert.equal(Math.min(...worded.map((t) => scene.tree.weight[t])), 120 - worded.length + 1);
});

test("centres stay where they are if they have room; crowded ones part evenly around their middle, inside the border", () => {
  assert.deepEqual(spreadCentres([10, 50, 90], [20, 20, 20], 4, 0, 100), [10, 50, 90]);
  assert.deepEqual(spreadCentres([50, 50], [20, 20], 4, 0, 100), [38, 62]);
  assert.deepEqual(spreadCentres([1, 2], [20, 20], 4, 0, 100), [10, 34]);
  assert.deepEqual(spreadCentres([99, 99], [20, 20], 4, 0, 100), [66, 90]);
});

test("no other places of the same boxes are closer to the wanted ones", () => {
  const random = seeded(3);
  const far = (centres, wanted) => centres.reduce((sum, centre, i) => sum + (centre - wanted[i]) ** 2, 0);
  for (let round = 0; round < 200; round++) {
    const wanted = Array.from({ length: 6 }, () => 300 * random()).sort((a, b) => a - b);
    const sizes = wanted.map(() => 10 + 30 * random());
    const best = spreadCentres(wanted, sizes, 5, 0, 300);
    for (let other = 0; other < 20; other++) {
      const tried = best.map((centre) => centre + (random() - 0.5) * 8);
      const isAllowed = tried.every((centre, i) => {
        const start = i === 0 ? 0 : tried[i - 1] + sizes[i - 1] / 2 + 5;
        return centre - sizes[i] / 2 >= start && centre + sizes[i] / 2 <= 300;
      });
      if (isAllowed) assert.ok(far(tried, wanted) >= far(best, wanted) - 1e-9);
    }
  }
});

test("only the largest sizes are cut, to one common size", () => {
  assert.deepEqual(cutToRoom([10, 40, 50], 200), [10, 40, 50]);
  assert.deepEqual(cutToRoom([10, 40, 50], 70), [10, 30, 30]);
  assert.deepEqual(cutToRoom([30, 30], 20), [10, 10]);
});

test("what no word needs is cut before words are, and no box is wider than the largest that is cut", () => {
  const random = seeded(3);
  for (let round = 0; round < 200; round++) {
    const sizes = Array.from({ length: 2 + Math.floor(6 * random()) }, () => 20 + 80 * random());
    const words = sizes.map((size) => size * (0.2 + 0.8 * random()));
    const [all, least] = [sizes, words].map((list) => list.reduce((sum, size) => sum + size, 0));
    const room = least + (all - least) * random();
    const cut = cutToRoom(sizes, room, words);
    assert.ok(Math.abs(cut.reduce((sum, size) => sum + size, 0) - room) < 0.01);
    cut.forEach((size, i) => assert.ok(size >= words[i] - 1e-9 && size <= sizes[i]));
    const most = Math.max(...cut.filter((size, i) => size > words[i] + 0.01));
    cut.forEach((size, i) => assert.ok(Math.abs(size - Math.max(words[i], Math.min(sizes[i], most))) < 0.01));
  }
  assert.deepEqual(cutToRoom([50, 50], 30, [20, 40]), [15, 15]);
});

test("long thresholds are cut, never rounded, after three digits, or after as many as they differ in", () => {
  const texts = ["26.125", "2.4500000476837163", "0.00045678912", "1700000000125.5", "-3.14159265", "84", "4.5000000012e-10"];
  assert.deepEqual(texts.map((text) => cutText(text, 3)), [
    "26.1…", "2.45…", "0.000456…", "1700000000125.5", "-3.14…", "84", "4.5000000012e-10",
  ]);
  const close = ["26.10000000001", "26.125000001", "26.271"];
  assert.deepEqual(close.map((text) => shortNumber(text, close)), ["26.10…", "26.12…", "26.271"]);
});

test("what a threshold's label says is where the tree cuts: all digits, or the first ones and an ellipsis", () => {
  const numbers = [0.45, 0.1 + 0.2, 1e-9, 1700000000125, 20180131.5, 2 ** 31 + 0.5, 1 / 3, -2 / 3, Number.MIN_VALUE];
  const written = [...numbers].sort((a, b) => a - b).map(String);
  for (const text of written) {
    const label = shortNumber(text, written);
    assert.ok(label.endsWith("…") ? text.startsWith(label.slice(0, -1)) : Number(label) === Number(text), label);
  }
});

test("the middle interval of several says nothing where its words have no room: cut, it would read as another number", () => {
  const tree = treeOf([[], [], []]);
  tree.features = [{ name: "day", test: "bins" }];
  tree.branchTexts.splice(1, 2, "≤ 2019-03-01", "2019-03-01 < … ≤ 2020-05-02", "> 2020-05-02");
  [1, 2, 3].forEach((t) => (tree.branchTextIndex[t] = t));
  assert.deepEqual([1, 2, 3].map((t) => new ShortTests(tree).branchSign(t)), ["≤", "", ">"]);
  assert.deepEqual([1, 2, 3].map((t) => new ShortTests(tree).branchInterval(t)), ["≤ 2019-03-01", "(2019-03-01, 2020-05-02]", "> 2020-05-02"]);
});

test("branches are ≤ and > where there is room for a sign only", () => {
  const texts = new ShortTests(treeOf([[], []]));
  assert.deepEqual([1, 2].map((t) => texts.branchSign(t)), ["≤", ">"]);
  assert.deepEqual([texts.condition(0), texts.branch(1), texts.branch(2)], [" ≤ 4", "≤ 4", "> 4"]);
});

/** A test on values with these two branches, on a table whose classes are called yes and no. */
function valueTree(first, second, asked = "subset") {
  const tree = treeOf([[], []]);
  tree.features = [{ name: "Plan", test: asked }];
  tree.branchTexts = ["", first, second];
  return tree;
}

test("the two branches of a test on values are told by their value or by = and ≠, never by a word that may be a class", () => {
  const sayings = (...branches) => {
    const texts = new ShortTests(valueTree(...branches));
    return [1, 2].map((t) => [texts.branchByValue(t), texts.branchSign(t)]);
  };
  assert.deepEqual(sayings("= Sunny", "∈ {Overcast, Rain}"), [["= Sunny", "="], ["≠ Sunny", "≠"]]);
  assert.deepEqual(sayings("∈ {Basic, Plus}", "= PRO"), [["≠ PRO", "∈"], ["= PRO", "∉"]]);
  assert.deepEqual(sayings("= High", "= Normal"), [["= High", "="], ["≠ High", "≠"]]);
  assert.deepEqual(sayings("∈ {a, b}", "∈ {c, d}"), [["", "∈"], ["", "∉"]]);
  assert.deepEqual(sayings("= yes", "= maybe", "each_value"), [["", "= yes"], ["", "maybe"]]);
});

test("of bins, which have several bounds, every branch keeps its own and the test is the feature alone", () => {
  const tree = treeOf([[], [], []]);
  tree.features[0].test = "bins";
  tree.branchTexts = ["", "≤ 7.91", "7.91 < … ≤ 31", "> 31"];
  tree.branchTextIndex = Uint8Array.from([0, 1, 2, 3]);
  const texts = new ShortTests(tree);
  assert.deepEqual([texts.condition(0), texts.branch(1), texts.branch(3)], ["", "≤ 7.91", "> 31"]);
});

test("from left to right neighbouring levels never share a pixel, and a branch text has room for some letters, a sign or none", () => {
  for (const room of [70, 112, 180, 262, 420]) {
    const widths = [300, 96, 180, 120, 240, 96];
    const { boxes, texts } = shareLevelWidths(widths, [0, 130, 40, 70, 130, 60], widths.map(() => room), room / 2);
    for (let d = 1; d < boxes.length; d++) {
      assert.ok((boxes[d - 1] + boxes[d]) / 2 + texts[d] + 24 <= room + 1e-9, `${room}, level ${d}`);
      assert.ok(texts[d] === 0 || texts[d] === 30 || texts[d] >= 40); // nothing, a sign, or some letters
    }
    assert.ok(boxes.every((width, d) => width <= widths[d] && width > 40));
  }
});
