// C4.5's comparison: the expected errors of a subtree's leaves, end to end, against those of one leaf in their place.

import { say } from "../../tree_view/messages.js";
import { drawSmallTree } from "./small_tree.js";
import { upperLimit } from "./upper_limit_model.js";
import { drawConfidenceSlider } from "./upper_limits.js";

const [ERROR_BAR, ERRORS_LEFT] = [34, 16];

export function drawExpectedErrors(canvas, picture, { theme, local, change }) {
  const confidence = local.confidence ?? picture.confidence;
  const limitOf = ({ errors, rows }) => upperLimit(errors, rows, confidence, picture.table);
  const parts = picture.leaves.map((leaf) => leaf.rows * limitOf(leaf));
  const below = parts.reduce((sum, part) => sum + part, 0);
  const asLeaf = picture.leaf.rows * limitOf(picture.leaf);
  const isPruned = picture.can_drag ? asLeaf <= below + picture.slack : picture.is_pruned;
  const lower = picture.can_drag ? 258 : 200;
  const treeBox = { x: 12, y: 40, width: canvas.width - 24, height: Math.min(canvas.height - lower - 50, 420) };
  canvas.text("title", 16, 28, errorsTitle(picture, { asLeaf, below, isPruned }), { kind: "pic-title" });
  drawSmallTree(canvas, picture.tree, treeBox, { theme, leaves: new Set(isPruned ? [0] : []) });
  const full = canvas.width - ERRORS_LEFT - 130;
  const across = (errors) => (errors / Math.max(below, asLeaf, picture.leaf.rows / 3)) * full;
  const top = treeBox.y + treeBox.height + 36;
  drawErrorParts(canvas, picture, { parts, limits: picture.leaves.map(limitOf), below, across, top, theme });
  drawLeafBar(canvas, picture, { asLeaf, limit: limitOf(picture.leaf), across, top: top + 84, theme, isPruned });
  if (picture.can_drag) {
    drawConfidenceSlider(canvas, confidence, change, { x: ERRORS_LEFT, width: canvas.width - 60, y: canvas.height - 32 });
  }
}

function errorsTitle(picture, { asLeaf, below, isPruned }) {
  if (picture.asks) return say("Expected errors of the subtree: {below}", { below: below.toFixed(3) });
  const fields = { leaf: asLeaf.toFixed(3), below: below.toFixed(3) };
  if (!picture.can_drag && !isPruned) return say("Expected errors of the subtree: {below}", fields);
  return isPruned
    ? say("{leaf} as a leaf, {below} as a subtree: prune", fields)
    : say("{leaf} as a leaf, {below} as a subtree: keep", fields);
}

function drawErrorParts(canvas, picture, { parts, limits, below, across, top, theme }) {
  canvas.text("parts title", ERRORS_LEFT, top - 8, say("As a subtree: N·U(E, N) of each leaf"), { kind: "pic-small" });
  let x = ERRORS_LEFT;
  parts.forEach((part, index) => {
    const { rows, text } = picture.leaves[index];
    const width = across(part);
    const fill = theme.quiet;
    canvas.put(`part ${index}`, "rect", { x: x + 1, y: top, width: Math.max(width - 2, 1), height: ERROR_BAR, rx: 3, fill, opacity: 0.55, class: "pic-instant" });
    const sum = width > 112 ? `${rows} · ${limits[index].toFixed(3)}` : limits[index].toFixed(3);
    canvas.text(`part text ${index}`, x + width / 2, top + 22, width > 40 ? sum : "", { anchor: "middle", kind: "pic-label pic-instant" });
    canvas.text(`part name ${index}`, x + width / 2, top + ERROR_BAR + 16, text, { anchor: "middle", kind: "pic-small pic-instant" });
    x += width;
  });
  canvas.text("parts sum", x + 8, top + 23, `= ${below.toFixed(3)}`, { kind: "pic-number pic-instant" });
}

function drawLeafBar(canvas, picture, { asLeaf, limit, across, top, theme, isPruned }) {
  canvas.text("leaf title", ERRORS_LEFT, top - 8, say("As one leaf: {text}", { text: picture.leaf.text }), { kind: "pic-small" });
  const width = picture.asks ? 0 : across(asLeaf);
  const fill = isPruned ? theme.primary : theme.quiet;
  canvas.put("leaf bar", "rect", { x: ERRORS_LEFT + 1, y: top, width: Math.max(width - 2, 0), height: ERROR_BAR, rx: 3, fill, opacity: 0.8, class: "pic-instant" });
  const text = picture.asks ? `${picture.leaf.rows} · ?` : `${picture.leaf.rows} · ${limit.toFixed(3)} = ${asLeaf.toFixed(3)}`;
  canvas.text("leaf number", ERRORS_LEFT + width + 8, top + 23, text, { kind: "pic-number pic-instant" });
}
