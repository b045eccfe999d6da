// A small tree: every node a bar of its class shares. Nodes below a pruned one move into it and cannot be seen.

/** @typedef {import("../canvas.js").Area} PicArea */
/** @typedef {import("../canvas.js").PictureCanvas} PictureCanvas */
/** @typedef {import("../../tree_view/theme.js").Theme} Theme */

/**
 * @typedef {{
 *   number: number, parent: number, x: number, depth: number, test: string, branch: string, shares: number[],
 *   counts: string, label: string, predicted: number,
 * }} LessonNode as lesson_tree.py has it
 */
/** @typedef {{ nodes: LessonNode[], depth: number }} LessonTree */
/** @typedef {{ x: number, y: number, isShown: boolean, isLeaf: boolean }} NodePlace */
/** @typedef {Map<number, NodePlace>} Places of nodes by their numbers */
/**
 * @typedef {{
 *   theme: Theme, leaves: Set<number>, notes?: Map<number, string>, lit?: Set<number | undefined>,
 *   onPick?: ((node: number) => void) | null, name?: string,
 * }} TreeLook
 */

const [SMALL_BAR, DENSE_FROM, BRANCH_AT, FEW_NODES] = [13, 60, 0.62, 25];

/**
 * Draw a tree into box {x, y, width, height}; `leaves` is the set of nodes pruned to leaves. `notes` are texts beside
 * nodes, `lit` nodes have a thick frame, `onPick(node)` makes split nodes buttons. Gives the place of every node.
 * @param {PictureCanvas} canvas @param {LessonTree} tree @param {PicArea} box @param {TreeLook} treeLook
 */
export function drawSmallTree(canvas, tree, box, { theme, leaves, notes = new Map(), lit = new Set(), onPick = null, name = "tree" }) {
  const places = smallTreePlaces(tree, box, leaves);
  const isDense = tree.nodes.length > DENSE_FROM;
  const room = smallTreeRoom(tree, box);
  const nShown = [...places.values()].filter(({ isShown }) => isShown).length;
  const gaps = siblingGaps(tree, box);
  for (const node of tree.nodes) drawEdge(canvas, node, places, { theme, name, isDense, gap: gaps.get(node.parent) ?? 0 });
  for (const node of tree.nodes) {
    const place = placeOf(places, node.number);
    const bar = isDense ? Math.max(2, Math.min(10, room.bar)) : room.bar;
    drawShares(canvas, node, place, bar, { theme, name, isLit: lit.has(node.number), isDense });
    if (isDense && nShown <= FEW_NODES) drawTest(canvas, node, place, name);
    if (isDense) continue;
    drawNodeTexts(canvas, node, place, room, { name, note: notes.get(node.number) ?? "" });
    if (onPick) drawPickable(canvas, node, place, bar, { name, onPick });
  }
  return places;
}

/**
 * Where every node stands: number → {x, y, isShown, isLeaf}; a hidden node stands where its shown ancestor is.
 * @param {LessonTree} tree @param {PicArea} box @param {Set<number>} leaves
 */
export function smallTreePlaces(tree, box, leaves) {
  /** @type {Places} */
  const places = new Map();
  const row = (box.height - 64) / Math.max(tree.depth, 1);
  for (const node of tree.nodes) {
    const above = places.get(node.parent);
    if (above && (!above.isShown || above.isLeaf)) {
      places.set(node.number, { x: above.x, y: above.y, isShown: false, isLeaf: true });
      continue;
    }
    const isLeaf = node.test === "" || leaves.has(node.number);
    const y = box.y + 22 + (tree.depth ? node.depth * row : 0);
    places.set(node.number, { x: box.x + node.x * box.width, y, isShown: true, isLeaf });
  }
  return places;
}

/** @param {Places} places @param {number} number @returns {NodePlace} */
export function placeOf(places, number) {
  return places.get(number) ?? { x: 0, y: 0, isShown: false, isLeaf: true };
}

/** @param {LessonTree} tree @param {PicArea} box */
function smallTreeRoom(tree, box) {
  const n = tree.nodes.filter(({ test }) => test === "").length;
  const across = box.width / n;
  return { across, bar: Math.max(8, Math.min(44, across * 0.72)) };
}

/** The least distance of two children of every split node: number → distance. @param {LessonTree} tree @param {PicArea} box */
function siblingGaps(tree, box) {
  const [gaps, last] = [/** @type {Map<number, number>} */ (new Map()), /** @type {Map<number, number>} */ (new Map())];
  for (const node of tree.nodes) {
    const before = last.get(node.parent);
    if (before !== undefined) {
      gaps.set(node.parent, Math.min(gaps.get(node.parent) ?? Infinity, (node.x - before) * box.width));
    }
    last.set(node.parent, node.x);
  }
  return gaps;
}

/**
 * @param {PictureCanvas} canvas @param {LessonNode} node @param {Places} places
 * @param {{ theme: Theme, name: string, isDense: boolean, gap: number }} look
 */
function drawEdge(canvas, node, places, { theme, name, isDense, gap }) {
  if (node.parent < 0) return;
  const [from, to] = [placeOf(places, node.parent), placeOf(places, node.number)];
  const points = [
    [from.x, from.y + (isDense ? 0 : SMALL_BAR / 2)],
    [to.x, to.y - (isDense || !to.isShown ? 0 : SMALL_BAR / 2)],
  ];
  canvas.line(`${name} edge ${node.number}`, points, { stroke: theme.quiet, class: "pic-edge", opacity: to.isShown ? 1 : 0 });
  if (isDense) return;
  const [x, y] = [from.x + (to.x - from.x) * BRANCH_AT, from.y + (to.y - from.y) * BRANCH_AT - 8];
  const text = canvas.text(`${name} branch ${node.number}`, x, y, shortenedOrNone(canvas, node.branch, gap * BRANCH_AT), { anchor: "middle", kind: "pic-small pic-halo pic-quiet" });
  text.setAttribute("opacity", to.isShown ? "1" : "0");
}

/**
 * @param {PictureCanvas} canvas @param {LessonNode} node @param {NodePlace} place @param {number} width
 * @param {{ theme: Theme, name: string, isLit: boolean, isDense: boolean }} look
 */
function drawShares(canvas, node, place, width, { theme, name, isLit, isDense }) {
  const height = isDense ? 5 : SMALL_BAR;
  const [left, top, opacity] = [place.x - width / 2, place.y - height / 2, place.isShown ? 1 : 0];
  if (isDense) {
    const fill = place.isLeaf ? theme.classes[node.predicted % theme.classes.length] : theme.quiet;
    canvas.put(`${name} share ${node.number}`, "rect", { x: left, y: top, width, height, rx: 1, fill, opacity });
    return;
  }
  let x = left;
  const shares = node.shares.length || !place.isLeaf || node.predicted < 0 ? node.shares : [...Array(node.predicted).fill(0), 1];
  shares.forEach((share, index) => {
    const fill = theme.classes[index % theme.classes.length];
    canvas.put(`${name} share ${node.number} ${index}`, "rect", { x, y: top, width: width * share, height, fill, opacity });
    x += width * share;
  });
  const stroke = isLit ? theme.primary : theme.text;
  const frame = { x: left - 1, y: top - 1, width: width + 2, height: height + 2, rx: 2, fill: "none", stroke };
  canvas.put(`${name} frame ${node.number}`, "rect", { ...frame, "stroke-width": isLit ? 4 : 1, opacity });
}

/**
 * @param {PictureCanvas} canvas @param {LessonNode} node @param {NodePlace} place
 * @param {ReturnType<typeof smallTreeRoom>} room @param {{ name: string, note: string }} look
 */
function drawNodeTexts(canvas, node, place, room, { name, note }) {
  const key = `${name} text ${node.number}`;
  /** @type {(part: string, x: number, y: number, text: string, anchor: string, kind: string, isShown: boolean) => void} */
  const put = (part, x, y, text, anchor, kind, isShown) => {
    const element = canvas.text(`${key} ${part}`, x, y, text, { anchor, kind: `${kind} pic-halo` });
    element.setAttribute("opacity", isShown && place.isShown ? "1" : "0");
  };
  put("test", place.x, place.y - SMALL_BAR / 2 - 6, canvas.shortened(node.test, room.across * 2.4), "middle", "pic-label", !place.isLeaf);
  const label = room.across > 34 ? canvas.shortened(node.label, room.across, "pic-small") : "";
  put("label", place.x, place.y + SMALL_BAR / 2 + 15, label, "middle", "pic-small", place.isLeaf);
  put("counts", place.x, place.y + SMALL_BAR / 2 + 29, room.across > 30 ? node.counts : "", "middle", "pic-small pic-quiet", place.isLeaf);
  const rise = place.isLeaf ? -SMALL_BAR / 2 - 6 : SMALL_BAR / 2 - 1;
  const { x, anchor } = notePlace(canvas, note, place, place.isLeaf ? 0 : room.bar / 2 + 6);
  put("note", x, place.y + rise, note, anchor, "pic-number", note !== "");
}

/**
 * A note stands over a leaf and to the right of a split, or to its left where the picture ends.
 * @param {PictureCanvas} canvas @param {string} note @param {NodePlace} nodePlace @param {number} beside
 */
function notePlace(canvas, note, { x, isLeaf }, beside) {
  const width = canvas.textWidth(note, "pic-number") + 4;
  if (isLeaf) return { x: Math.min(Math.max(x, width / 2), canvas.width - width / 2), anchor: "middle" };
  return x + beside + width > canvas.width ? { x: x - beside, anchor: "end" } : { x: x + beside, anchor: "start" };
}

/**
 * The test of a node of a large tree of which few nodes are shown.
 * @param {PictureCanvas} canvas @param {LessonNode} node @param {NodePlace} nodePlace @param {string} name
 */
function drawTest(canvas, node, { x, y, isShown, isLeaf }, name) {
  if (isShown && !isLeaf) canvas.text(`${name} test ${node.number}`, x, y - 8, node.test, { anchor: "middle", kind: "pic-small pic-halo" });
}

/**
 * @param {PictureCanvas} canvas @param {LessonNode} node @param {NodePlace} place @param {number} width
 * @param {{ name: string, onPick: (node: number) => void }} look
 */
function drawPickable(canvas, node, place, width, { name, onPick }) {
  if (node.test === "") return;
  const box = { x: place.x - width / 2 - 8, y: place.y - 24, width: width + 16, height: 42 };
  const fields = { fill: "transparent", rx: 6, class: "pic-button", role: "button", "aria-label": node.test };
  const element = canvas.put(`${name} pick ${node.number}`, "rect", { ...box, ...fields, tabindex: place.isShown ? 0 : -1 });
  element.style.pointerEvents = place.isShown ? "auto" : "none";
  element.onclick = () => onPick(node.number);
  element.onkeydown = (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    event.stopPropagation();
    onPick(node.number);
  };
}

/**
 * A text cut to a width, or none where fewer than two letters are left of it.
 * @param {PictureCanvas} canvas @param {string} text @param {number} width
 */
function shortenedOrNone(canvas, text, width) {
  const short = canvas.shortened(text, width, "pic-small");
  return short.length < 3 && short !== text ? "" : short;
}
