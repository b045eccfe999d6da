// Many trees as a grid of small shapes; the one pointed at is drawn with its tests.

/** @typedef {import("../pruning/small_tree.js").LessonNode} LessonNode */
/** @typedef {import("../pruning/small_tree.js").LessonTree} LessonTree */
/** @typedef {import("../canvas.js").Area} PicArea */
/** @typedef {import("../canvas.js").PictureCanvas} PictureCanvas */
/** @typedef {import("../../tree_view/theme.js").Theme} Theme */

/** @typedef {{ title: string, trees: LessonTree[], best: number[], selected: number }} Gallery */

import { say } from "../../tree_view/messages.js";
import { drawSmallTree } from "../pruning/small_tree.js";

/**
 * Columns and rows of a grid for so many trees: cells about 1.4 times as wide as high.
 * @param {number} count @param {number} width @param {number} height
 */
export function galleryGrid(count, width, height) {
  let best = { columns: 1, size: 0 };
  for (let columns = 1; columns <= count; columns++) {
    const [across, down] = [width / columns, height / Math.ceil(count / columns)];
    const size = Math.min(across / 1.4, down);
    if (size > best.size) best = { columns, size };
  }
  const size = Math.min(best.size, 90);
  return { columns: best.columns, cellWidth: size * 1.4, cellHeight: size };
}

/** @param {PictureCanvas} canvas @param {Gallery} picture @param {import("../canvas.js").Tools<{ tree?: number }>} tools */
export function drawTreeGallery(canvas, picture, { theme, local, change }) {
  const selected = Math.min(local.tree ?? picture.selected, picture.trees.length - 1);
  canvas.text("title", 24, 30, picture.title, { kind: "pic-title" });
  const isWide = canvas.width > 1.25 * canvas.height;
  const many = picture.trees.length > 12;
  const room = isWide
    ? { width: canvas.width * (many ? 0.56 : 0.4), height: canvas.height - 60 }
    : { width: canvas.width - 32, height: canvas.height * 0.48 };
  const { columns, cellWidth, cellHeight } = galleryGrid(picture.trees.length, room.width - 16, room.height - 24);
  picture.trees.forEach((tree, index) => {
    const box = { x: 16 + (index % columns) * cellWidth, y: 48 + Math.floor(index / columns) * cellHeight, width: cellWidth, height: cellHeight };
    drawTreeShape(canvas, tree, box, { key: index, theme, isBest: picture.best.includes(index), isSelected: index === selected, pick: () => change({ tree: index }) });
  });
  const shown = picture.trees[selected];
  const box = isWide
    ? { x: room.width + 30, y: 84, width: canvas.width - room.width - 46, height: Math.min(canvas.height - 150, 330) }
    : { x: 16, y: room.height + 76, width: canvas.width - 32, height: canvas.height - room.height - 130 };
  drawSmallTree(canvas, shown, box, { theme, leaves: new Set() });
  drawGallerySlider(canvas, picture, { selected, x: box.x, y: canvas.height - 36, change });
}

/**
 * @param {PictureCanvas} canvas @param {Gallery} picture
 * @param {{ selected: number, x: number, y: number, change: (fields: { tree: number }) => void }} slider
 */
function drawGallerySlider(canvas, picture, { selected, x, y, change }) {
  if (picture.trees.length < 2) return;
  const said = say("Tree {number} of {n}", { number: selected + 1, n: picture.trees.length });
  canvas.slider("tree", { x, y, width: 200, label: say("Tree"), max: picture.trees.length - 1, value: selected, said, onInput: (tree) => change({ tree }) });
  canvas.text("which tree", x + 216, y + 16, said, { kind: "pic-small" });
}

/**
 * The shape alone: lines, and a dot in the colour of every leaf.
 * @param {PictureCanvas} canvas @param {LessonTree} tree @param {PicArea} box
 * @param {{ key: number, theme: Theme, isBest: boolean, isSelected: boolean, pick: () => void }} look
 */
function drawTreeShape(canvas, tree, box, { key, theme, isBest, isSelected, pick }) {
  const [left, top, width, height] = [box.x + 5, box.y + 6, box.width - 10, box.height - 12];
  const levels = Math.max(1, tree.depth);
  const place = (/** @type {LessonNode} */ node) => [left + node.x * width, top + 3 + (node.depth / levels) * (height - 6)];
  const frame = canvas.put(`shape ${key}`, "rect", {
    x: box.x + 1, y: box.y + 1, width: box.width - 2, height: box.height - 2, rx: 5, fill: isSelected ? theme.panel : "transparent",
    stroke: isBest ? theme.primary : isSelected ? theme.text : "transparent", "stroke-width": isBest ? 2.5 : 1.5,
  });
  frame.onpointerenter = pick;
  const edges = tree.nodes.filter((node) => node.parent >= 0).map((node) => [place(tree.nodes[node.parent]), place(node)]);
  const d = edges.map(([from, to]) => `M${from.map(rounded).join(" ")}L${to.map(rounded).join(" ")}`).join("") || `M${left} ${top}`;
  canvas.put(`lines ${key}`, "path", { d, fill: "none", stroke: theme.quiet, "stroke-width": 1, "pointer-events": "none" });
  const leaves = tree.nodes.filter((node) => !node.test);
  for (const code of new Set(leaves.map((node) => node.predicted))) drawLeafDots(canvas, leaves, { key, code, place, radius: Math.max(1.6, Math.min(box.height / 16, 5)), theme });
}

/**
 * @param {PictureCanvas} canvas @param {LessonNode[]} leaves
 * @param {{ key: number, code: number, place: (node: LessonNode) => number[], radius: number, theme: Theme }} look
 */
function drawLeafDots(canvas, leaves, { key, code, place, radius, theme }) {
  const dots = leaves.filter((node) => node.predicted === code).map((node) => {
    const [x, y] = place(node).map(Number);
    return `M${rounded(x - radius)} ${rounded(y)}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0`;
  });
  const fill = code < 0 ? theme.quiet : theme.classes[code];
  canvas.put(`dots ${key} ${code}`, "path", { d: dots.join(""), fill, opacity: code < 0 ? 0.55 : 1, "pointer-events": "none" });
}

/** @param {number} value */
function rounded(value) {
  return value.toFixed(1);
}
