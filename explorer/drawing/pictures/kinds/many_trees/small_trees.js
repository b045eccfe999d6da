// Small trees with their tests, branches and leaves: up to three side by side, or many as a gallery of shapes.

import { say } from "../../../tree_view/messages.js";

const [SMALL_TREE_HEAD, SMALL_TREE_FOOT, SMALL_NODE_HEIGHT, LOW_BOX, LOWERED] = [56, 34, 26, 250, 30];

/** Boxes side by side, or one over the other where that leaves more room. */
export function boxesOfTrees(count, width, height) {
  const stacked = width < 230 * count && height > 300 && count > 1;
  return Array.from({ length: count }, (_, index) => stacked
    ? { x: 0, y: (index * height) / count, width, height: height / count }
    : { x: (index * width) / count, y: 0, width: width / count, height });
}

export function drawSmallTrees(canvas, picture, { theme }) {
  const boxes = boxesOfTrees(picture.trees.length, canvas.width, canvas.height);
  picture.trees.forEach((tree, index) => {
    const box = boxes[index];
    if (tree.is_best) {
      canvas.put(`frame ${tree.key}`, "rect", { x: box.x + 8, y: box.y + 6, width: box.width - 16, height: box.height - 12, rx: 10, fill: "none", stroke: theme.primary, "stroke-width": 2 });
    }
    if (box.height < LOW_BOX) drawBesideItsTitle(canvas, tree, box, theme);
    else drawUnderItsTitle(canvas, tree, box, theme);
  });
}

function drawUnderItsTitle(canvas, tree, box, theme) {
  const [middle, notes] = [box.x + box.width / 2, tree.note.split("\n")];
  canvas.text(`title ${tree.key}`, middle, box.y + 32, tree.title, { anchor: "middle", kind: "pic-title" });
  drawNamedTree(canvas, tree, { x: box.x + 14, y: box.y + SMALL_TREE_HEAD, width: box.width - 28, height: box.height - SMALL_TREE_HEAD - SMALL_TREE_FOOT - 20 * notes.length + 20 }, theme);
  notes.forEach((line, at) => {
    canvas.text(`note ${tree.key} ${at}`, middle, box.y + box.height - 18 - 20 * (notes.length - 1 - at), canvas.shortened(line, box.width - 8, "pic-number"), { anchor: "middle", kind: "pic-number" });
  });
}

/** Title and notes on the left of the tree, where the box is too low for them above and below it. */
function drawBesideItsTitle(canvas, tree, box, theme) {
  const [left, wide] = [box.x + 20, 0.34 * box.width];
  canvas.text(`title ${tree.key}`, left, box.y + 32, tree.title, { anchor: "start", kind: "pic-title" });
  tree.note.split("\n").forEach((line, at) => {
    canvas.text(`note ${tree.key} ${at}`, left, box.y + 56 + 20 * at, line, { anchor: "start", kind: "pic-number" });
  });
  drawNamedTree(canvas, tree, { x: box.x + wide, y: box.y + 8, width: box.width - wide - 14, height: box.height - 16 }, theme);
}

/** A tree with texts in a box; a node without a place for its text is drawn narrower, and its title says all. */
function drawNamedTree(canvas, tree, box, theme) {
  const levels = Math.max(...tree.nodes.map((node) => node.level));
  const lowered = loweredLeaves(tree.nodes, (node) => smallNodeWidth(canvas, node) / box.width);
  const below = (tree.nodes.some((node) => node.below) ? 18 : 0) + Math.max(...lowered);
  const step = levels ? Math.min((box.height - SMALL_NODE_HEIGHT - below) / levels, 150) : 0;
  const top = box.y + (box.height - SMALL_NODE_HEIGHT - below - levels * step) / 3 + SMALL_NODE_HEIGHT / 2;
  const places = tree.nodes.map((node, index) => [box.x + node.x * box.width, top + node.level * step + lowered[index]]);
  const paths = pathsOfNodes(tree.nodes);
  tree.nodes.forEach((node, index) => {
    if (node.parent < 0) return;
    const [[x, y], [fromX, fromY]] = [places[index], places[node.parent]];
    canvas.line(`edge ${tree.key} ${paths[index]}`, [[fromX, fromY + SMALL_NODE_HEIGHT / 2], [x, y - SMALL_NODE_HEIGHT / 2]], { stroke: theme.quiet, "stroke-width": 1.5 });
  });
  tree.nodes.forEach((node, index) => drawNamedNode(canvas, tree, node, paths[index], places[index], theme));
  tree.nodes.forEach((node, index) => {
    if (node.parent < 0) return;
    const [[x, y], [fromX, fromY]] = [places[index], places[node.parent]];
    const branch = canvas.text(`branch ${tree.key} ${paths[index]}`, x * 0.72 + fromX * 0.28, y * 0.66 + fromY * 0.34, node.branch, { anchor: "middle", kind: "pic-small" });
    branch.style.setProperty("paint-order", "stroke");
    branch.style.stroke = theme.background;
    branch.style.strokeWidth = "5px";
  });
}

/** How much lower each leaf stands, so that it does not touch the node to its left; widths are shares of the box. */
export function loweredLeaves(nodes, widthOf) {
  const ends = new Map(); // by level: the right end of the last node that is not lowered
  return nodes.map((node) => {
    const half = widthOf(node) / 2;
    if (node.code !== -1 && node.x - half < ends.get(node.level)) return LOWERED;
    ends.set(node.level, node.x + half);
    return 0;
  });
}

function smallNodeWidth(canvas, node) {
  return Math.max(canvas.textWidth(node.text, "pic-small") + 16, 30);
}

function drawNamedNode(canvas, tree, node, path, [x, y], theme) {
  const width = smallNodeWidth(canvas, node);
  const fill = fillOfSmallNode(node, theme);
  canvas.put(`node ${tree.key} ${path}`, "rect", {
    x: x - width / 2, y: y - SMALL_NODE_HEIGHT / 2, width, height: SMALL_NODE_HEIGHT, rx: node.code === -1 ? 5 : 13,
    fill: node.code === -1 ? theme.panel : theme.background, stroke: fill, "stroke-width": node.code === -1 ? 1.5 : 2.5,
    ...(node.code === -2 ? { "stroke-dasharray": "4 3" } : { "stroke-dasharray": null }),
  });
  canvas.text(`text ${tree.key} ${path}`, x, y + 5, node.text, { anchor: "middle", kind: "pic-small" });
  if (node.below) canvas.text(`below ${tree.key} ${path}`, x, y + SMALL_NODE_HEIGHT / 2 + 16, node.below, { anchor: "middle", kind: "pic-small" });
}

function fillOfSmallNode(node, theme) {
  return node.code < 0 ? theme.quiet : theme.classes[node.code % theme.classes.length];
}

/** The path of every node as a text: the positions of the branches from the root. */
function pathsOfNodes(nodes) {
  const [paths, children] = [[], nodes.map(() => 0)];
  for (const node of nodes) paths.push(node.parent < 0 ? "/" : `${paths[node.parent]}${children[node.parent]++}/`);
  return paths;
}

/** Columns and rows of a grid for so many trees: cells about 1.4 times as wide as high. */
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
    drawTreeShape(canvas, tree, box, { theme, isSelected: index === selected, pick: () => change({ tree: index }) });
  });
  const shown = picture.trees[selected];
  const box = isWide
    ? { x: room.width + 30, y: 84, width: canvas.width - room.width - 46, height: Math.min(canvas.height - 150, 330) }
    : { x: 16, y: room.height + 76, width: canvas.width - 32, height: canvas.height - room.height - 130 };
  drawNamedTree(canvas, { ...shown, key: "shown" }, box, theme);
  drawGallerySlider(canvas, picture, { selected, x: box.x, y: canvas.height - 36, change });
}

function drawGallerySlider(canvas, picture, { selected, x, y, change }) {
  if (picture.trees.length < 2) return;
  const said = say("Tree {number} of {n}", { number: selected + 1, n: picture.trees.length });
  canvas.slider("tree", { x, y, width: 200, label: say("Tree"), max: picture.trees.length - 1, value: selected, said, onInput: (tree) => change({ tree }) });
  canvas.text("which tree", x + 216, y + 16, said, { kind: "pic-small" });
}

/** The shape alone: lines, and a dot in the colour of every leaf. */
function drawTreeShape(canvas, tree, box, { theme, isSelected, pick }) {
  const [left, top, width, height] = [box.x + 5, box.y + 6, box.width - 10, box.height - 12];
  const levels = Math.max(1, ...tree.nodes.map((node) => node.level));
  const place = (node) => [left + node.x * width, top + 3 + (node.level / levels) * (height - 6)];
  const frame = canvas.put(`shape ${tree.key}`, "rect", {
    x: box.x + 1, y: box.y + 1, width: box.width - 2, height: box.height - 2, rx: 5, fill: isSelected ? theme.panel : "transparent",
    stroke: tree.is_best ? theme.primary : isSelected ? theme.text : "transparent", "stroke-width": tree.is_best ? 2.5 : 1.5,
  });
  frame.onpointerenter = pick;
  const edges = tree.nodes.filter((node) => node.parent >= 0).map((node) => [place(tree.nodes[node.parent]), place(node)]);
  const d = edges.map(([from, to]) => `M${from.map(rounded).join(" ")}L${to.map(rounded).join(" ")}`).join("") || `M${left} ${top}`;
  canvas.put(`lines ${tree.key}`, "path", { d, fill: "none", stroke: theme.quiet, "stroke-width": 1, "pointer-events": "none" });
  const codes = new Set(tree.nodes.map((node) => node.code));
  codes.delete(-1);
  for (const code of codes) drawLeafDots(canvas, tree, { code, place, radius: Math.max(1.6, Math.min(box.height / 16, 5)), theme });
}

function drawLeafDots(canvas, tree, { code, place, radius, theme }) {
  const dots = tree.nodes.filter((node) => node.code === code).map((node) => {
    const [x, y] = place(node).map(Number);
    return `M${rounded(x - radius)} ${rounded(y)}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0`;
  });
  const fill = code < 0 ? theme.quiet : theme.classes[code];
  canvas.put(`dots ${tree.key} ${code}`, "path", { d: dots.join(""), fill, opacity: code < 0 ? 0.55 : 1, "pointer-events": "none" });
}

function rounded(value) {
  return value.toFixed(1);
}
