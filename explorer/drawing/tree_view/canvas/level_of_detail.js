// The level of detail of each node: it depends on the room that the camera leaves, never on α, so that nothing jumps.
//
// kind     FULL (test, prediction, class bar, rows), COMPACT (test and class bar), LINE (one line of text), DOT
// range    the nodes of one level that are drawn: indices [from, to) of the level's list, with a neighbour to spare
// dense    a level with more nodes than pixels; its nodes are painted together, a bar per column of pixels
// moved    pixels by which a node stands beside its place in the layout: on levels that carry words, boxes make room for
//          each other instead of shrinking to dots
// Two boxes on a level share the distance of their centres, less a gap: whatever their kinds, they cannot touch.

/** @typedef {import("./layout.js").Layout} Layout */
/** @typedef {import("./scene/scene.js").Scene} Scene */
/** @typedef {import("../model/payload.js").TreeData} TreeData */

/** @typedef {{ x: number, y: number, halfWidth: number, halfHeight: number }} Rect a centre and half sizes, in pixels */
/** @typedef {Rect & { kind: number }} Box */
/** @typedef {ReturnType<typeof makeMarks>} Marks */

import { firstReaching } from "./layout.js";
import { alongLength, alongMargin, endRoom, magnification } from "./camera.js";
import { cutToRoom, fairHalfWidth, shareLevelWidths, spreadCentres } from "./label_space.js";
import { gapAbove, leastGap, levelPlaces, wordedLevels } from "./level_spacing.js";

export const DOT = 1;
const LINE = 2;
export const COMPACT = 3;
export const FULL = 4;

const HEIGHT_OF = [0, 0, 22, 44, 72];
const LEAST_WIDTH = [0, 0, 42, 66, 92];
const OUTLINE = 8; // pixels that outlines reach beyond a box
const BOX_GAP = 10;
const DEPTH_ROOM = [0, 0, 6, 32, 34]; // what stays free between levels for edges and, from COMPACT on, branch texts
const EDGE_ROOM = 20; // the same from left to right
const EVERY_NODE_UNTIL = 2000;
const COLUMN = 2;
const MEASURED_UNTIL = 600; // of a larger tree not every text is measured before it is drawn
const USUAL_BOX = 190;
const USUAL_BRANCH_TEXT = 60;
const LEAST_BRANCH_TEXT_ROOM = 18;
const MOST_SPREAD = 400; // a level of more nodes is not spread
export const SPREAD_UNTIL = 150; // nodes of a tree that is spread on all its levels, with leaves alike
const DOT_GAP = 3;
const LINE_GAP = 6;
const SIGN_HEIGHT = 11;
const SLACK = 1e-3; // of widths that were shared out by bisection
const MOST_FOR_DOTS = 0.5; // of a level's length, where there are too many nodes for boxes

/**
 * Marks for a tree of n nodes: positions and sizes in pixels, filled anew when the camera or the layout changes.
 * @param {number} n
 */
export function makeMarks(n) {
  /** @type {() => number[]} */
  const numbers = () => [];
  /** @type {() => boolean[]} */
  const flags = () => [];
  return {
    kind: new Uint8Array(n),
    x: new Float32Array(n),
    y: new Float32Array(n),
    halfWidth: new Float32Array(n),
    halfHeight: new Float32Array(n),
    from: numbers(),
    to: numbers(),
    ownFrom: numbers(), // the range by position alone, before the children of visible parents are added
    ownTo: numbers(),
    dense: flags(),
    scale: 1,
    moved: new Float32Array(n),
    spread: flags(), // whether a level's nodes make room for each other
    places: numbers(), // the pixel of each level on the axis of depth
    mosts: numbers(), // the richest kind on each level, and over all
    most: DOT,
    bands: numbers(), // half the depth of the widest box on each level
    branchTextZones: numbers(), // the space for branch texts before each level
    radius: 5,
    drawn: 0,
    placed: 0,
    seen: 0,
  };
}

/** Choose size and detail of all nodes again, after a change of camera, layout or theme. @param {Scene} scene */
export function placeAnew(scene) {
  if (scene.needsPlacing) placeMarks(scene);
  scene.needsPlacing = false;
}

/**
 * Choose the detail of all visible nodes. `scene`: tree, layout, camera, frame, marks, naturalWidth(t), wholeWidth(t), wordWidth(t), branchTextWidth(t), isLeaf(t).
 * @param {Scene} scene
 */
export function placeMarks(scene) {
  const { marks, camera, frame, layout } = scene;
  marks.scale = magnification(camera, frame);
  const worded = wordedLevels(scene);
  marks.places = levelPlaces(scene, worded, marks.scale);
  marks.mosts = layout.levels.map((_, depth) => depthKind(scene, depth));
  const crowded = crowdedFrom(scene, worded);
  for (let depth = crowded; depth < layout.levels.length; depth++) marks.mosts[depth] = DOT;
  marks.most = Math.max(...marks.mosts);
  const isSpread = (/** @type {number} */ d) => d < worded || layout.count <= SPREAD_UNTIL;
  marks.spread = layout.levels.map((level, d) => isSpread(d) && marks.mosts[d] > DOT && level.length <= MOST_SPREAD);
  if (marks.most > DOT && frame.mode === "right") shareAcross(scene);
  else shareDown(scene);
  marks.seen = 0;
  marks.placed = 0;
  for (let depth = 0; depth < layout.levels.length; depth++) chooseRange(scene, depth);
  marks.radius = dotRadius(scene);
  for (let depth = 0; depth < layout.levels.length; depth++) {
    if (marks.spread[depth]) spreadLevel(scene, depth);
    else if (!marks.dense[depth]) placeLevel(scene, depth);
  }
}

/** The richest kind that the distance to the neighbouring levels leaves room for. @param {Scene} scene @param {number} depth */
function depthKind({ camera, frame, marks }, depth) {
  const room = leastGap(marks, camera, depth) / marks.scale;
  if (frame.mode === "right") return room >= LEAST_WIDTH[LINE] + EDGE_ROOM ? FULL : DOT;
  for (let kind = FULL; kind > DOT; kind--) if (room >= HEIGHT_OF[kind] + DEPTH_ROOM[kind]) return kind;
  return DOT;
}

/**
 * The first level below the worded ones whose nodes have no room for a word each: from there on all are dots.
 * @param {Scene} scene @param {number} worded
 */
function crowdedFrom({ camera, frame, layout, marks }, worded) {
  if (frame.mode === "right") return layout.levels.length;
  const breadth = Math.max(alongLength(frame), camera.alongScale * layout.slots) / marks.scale;
  const isCrowded = (/** @type {Int32Array} */ level, /** @type {number} */ depth) => depth >= worded && level.length * (LEAST_WIDTH[LINE] + BOX_GAP) > breadth;
  const first = layout.levels.findIndex(isCrowded);
  return first < 0 ? layout.levels.length : first;
}

/**
 * A band for the boxes of each level and before it, where there is room, a line for branch texts; edges are straight there.
 * @param {Scene} scene
 */
function shareDown({ camera, layout, marks }) {
  marks.bands = layout.levels.map((_, d) => {
    const half = marks.mosts[d] === DOT ? 6 : (HEIGHT_OF[marks.mosts[d]] / 2) * marks.scale;
    return Math.min(half, leastGap(marks, camera, d) * 0.4);
  });
  marks.branchTextZones = layout.levels.map((_, d) => {
    const free = d === 0 ? 0 : (gapAbove(marks, camera, d) - marks.bands[d - 1] - marks.bands[d]) / marks.scale;
    if (marks.most === DOT || isDotLevel(marks, d) || free < SIGN_HEIGHT) return 0;
    return Math.min(20, Math.max(SIGN_HEIGHT, free - 8)) * marks.scale;
  });
}

/**
 * Whether a level and the one above it have nothing but dots; their edges are straight lines.
 * @param {Marks} marks @param {number} depth
 */
export function isDotLevel({ mosts }, depth) {
  return mosts[depth] === DOT && mosts[depth - 1] === DOT;
}

/** From left to right, the distance of the levels is shared by boxes, edges and branch texts. @param {Scene} scene */
function shareAcross(scene) {
  const { camera, frame, layout, marks } = scene;
  const rooms = layout.levels.map((_, d) => gapAbove(marks, camera, d) / marks.scale);
  const widest = layout.levels.map((level, d) => widestOnLevel(scene, level, d));
  const end = Math.max(camera.depthScale / marks.scale / 2 - 12, (endRoom(frame) - 6) / marks.scale);
  const { boxes, texts } = shareLevelWidths(widest.map(({ box }) => box), widest.map(({ text }) => text), rooms, end);
  marks.bands = boxes.map((width, d) => (marks.mosts[d] === DOT ? 6 : (width / 2) * marks.scale));
  marks.branchTextZones = texts.map((width) => width * marks.scale);
}

/**
 * The widest box and branch text of a level, among the nodes whose neighbours leave them a line.
 * @param {Scene} scene @param {Int32Array} level @param {number} depth
 */
function widestOnLevel(scene, level, depth) {
  if (scene.marks.mosts[depth] === DOT) return { box: 12, text: 0 };
  if (scene.layout.count > MEASURED_UNTIL) return { box: USUAL_BOX, text: USUAL_BRANCH_TEXT };
  let [box, text] = [LEAST_WIDTH[LINE], 0];
  for (let i = 0; i < level.length; i++) {
    const free = scene.marks.spread[depth] ? Infinity : roomAlong(scene, level, i) / scene.marks.scale;
    if (free >= HEIGHT_OF[LINE] + LINE_GAP) box = Math.max(box, scene.naturalWidth(level[i]));
    if (free >= LEAST_BRANCH_TEXT_ROOM) text = Math.max(text, scene.branchTextWidth(level[i]));
  }
  return { box, text };
}

/** @param {Scene} scene @param {number} depth */
function chooseRange(scene, depth) {
  const { camera, frame, layout, marks } = scene;
  const level = layout.levels[depth];
  const slack = 100 * marks.scale;
  const at = (/** @type {number} */ t) => layout.x[t];
  const lo = (-slack - camera.alongShift) / camera.alongScale;
  const hi = (alongLength(frame) + slack - camera.alongShift) / camera.alongScale;
  let from = Math.max(0, firstReaching(level, at, lo) - 1);
  let to = Math.min(level.length, firstReaching(level, at, hi) + 1);
  marks.ownFrom[depth] = from;
  marks.ownTo[depth] = to;
  marks.seen += Math.max(0, to - from);
  marks.dense[depth] = !marks.spread[depth] && layout.count > EVERY_NODE_UNTIL && to - from > alongLength(frame) / COLUMN;
  if (marks.spread[depth]) [from, to] = [0, level.length];
  else if (depth > 0 && !marks.dense[depth] && !marks.dense[depth - 1]) [from, to] = withChildren(scene, depth, from, to);
  marks.from[depth] = from;
  marks.to[depth] = to;
  if (!marks.dense[depth]) marks.placed += to - from;
}

/**
 * The range extended by the children of the visible nodes one level up, whose edges are visible.
 * @param {Scene} scene @param {number} depth @param {number} from @param {number} to
 */
function withChildren({ layout, marks, tree }, depth, from, to) {
  const above = layout.levels[depth - 1];
  const level = layout.levels[depth];
  const id = (/** @type {number} */ t) => t;
  let [first, last] = [-1, -1];
  const least = marks.ownFrom[depth - 1];
  for (let i = least; i < marks.ownTo[depth - 1] && first < 0; i++) first = shownChild(tree, layout, above[i]);
  for (let i = marks.ownTo[depth - 1] - 1; i >= least && last < 0; i--) {
    const child = shownChild(tree, layout, above[i]);
    if (child >= 0) last = child + tree.childCount[above[i]] - 1;
  }
  if (first < 0) return [from, to];
  if (to - from > EVERY_NODE_UNTIL) return [from, to];
  return [Math.min(from, firstReaching(level, id, first)), Math.max(to, firstReaching(level, id, last) + 1)];
}

/** @param {TreeData} tree @param {Layout} layout @param {number} t */
function shownChild(tree, layout, t) {
  const child = tree.firstChild[t];
  return child >= 0 && layout.shown[child] ? child : -1;
}

/**
 * Dots keep one size over the whole picture; it shrinks only where those of two levels, or many of one, would run together.
 * @param {Scene} scene
 */
function dotRadius({ camera, layout, marks }) {
  const widest = layout.levels.reduce((most, level) => Math.max(most, level.length), 1);
  const typical = (camera.alongScale * layout.slots) / widest;
  const gaps = layout.levels.map((_, depth) => (depth > 0 && isDotLevel(marks, depth) ? gapAbove(marks, camera, depth) * 0.44 : 5));
  return Math.max(1.6, Math.min(5, typical * 0.42, camera.depthScale * 0.35, ...gaps)) * Math.min(1.6, marks.scale);
}

/** @param {Scene} scene @param {number} depth */
function placeLevel(scene, depth) {
  const { frame, layout, marks } = scene;
  const level = layout.levels[depth];
  const across = marks.places[depth];
  const isRight = frame.mode === "right";
  for (let i = marks.from[depth]; i < marks.to[depth]; i++) {
    const t = level[i];
    marks.moved[t] = 0;
    const along = alongOf(scene, t);
    marks.x[t] = isRight ? across : along;
    marks.y[t] = isRight ? along : across;
    const room = roomAlong(scene, level, i);
    if (isRight) sizeRight(scene, t, room);
    else sizeDown(scene, depth, i, room);
  }
}

/** A node's pixel along its level. @param {Scene} scene @param {number} t */
export function alongOf({ camera, layout, marks }, t) {
  return camera.alongShift + camera.alongScale * layout.x[t] + marks.moved[t];
}

/** The nodes of a level with words, moved apart as far as their boxes need. @param {Scene} scene @param {number} depth */
function spreadLevel(scene, depth) {
  const { camera, frame, layout, marks } = scene;
  const level = layout.levels[depth];
  const isRight = frame.mode === "right";
  const margin = alongMargin(frame);
  const edge = Math.max(0, OUTLINE - ((isRight ? LINE_GAP : BOX_GAP) * marks.scale) / 2); // outlines are seen too
  const [lo, hi] = [camera.alongShift - margin + edge, camera.alongShift + camera.alongScale * layout.slots + margin - edge];
  const sizes = (isRight ? heightsAlong : widthsAlong)(scene, depth, hi - lo);
  const wanted = Array.from(level, (t) => camera.alongShift + camera.alongScale * layout.x[t]);
  const centres = spreadCentres(wanted, sizes, 0, lo, hi);
  level.forEach((t, i) => {
    marks.moved[t] = centres[i] - wanted[i];
    marks.x[t] = isRight ? marks.places[depth] : centres[i];
    marks.y[t] = isRight ? centres[i] : marks.places[depth];
  });
}

/**
 * Widths of a level's boxes with the gaps around them; where not all fit, the nodes with the fewest rows stay dots.
 * @param {Scene} scene @param {number} depth @param {number} room
 */
function widthsAlong(scene, depth, room) {
  const { marks } = scene;
  const level = scene.layout.levels[depth];
  const gap = BOX_GAP * marks.scale;
  const isDot = dotsAmong(scene, level, room, LEAST_WIDTH[LINE] * marks.scale + gap);
  const dot = dotLength(marks, level, room);
  const dots = isDot.reduce((sum, isOne) => sum + (isOne ? dot : 0), 0);
  const [left, along] = [room - dots, (/** @type {(t: number) => number} */ of) => Array.from(level, (t, i) => (isDot[i] ? 0 : of(t) * marks.scale + gap))];
  const [natural, words] = [along((/** @type {number} */ t) => scene.naturalWidth(t)), along((/** @type {number} */ t) => Math.min(scene.wordWidth(t), scene.naturalWidth(t)))];
  const leasts = [FULL, COMPACT].filter((kind) => kind <= marks.mosts[depth]).map((kind) => {
    const least = along((/** @type {number} */ t) => leastWidth(scene, t, kind));
    return least.map((size, i) => Math.max(size, words[i]));
  });
  const fits = (/** @type {number[]} */ sizes) => sizes.reduce((sum, /** @type {number} */ size) => sum + size, 0) <= left;
  const widths = cutToRoom(natural, left, leasts.find(fits) ?? words); // the words of one before the ease of another
  level.forEach((t, i) => {
    const free = (widths[i] - gap) / marks.scale + SLACK;
    let kind = isDot[i] ? DOT : marks.mosts[depth];
    while (kind > LINE && free < leastWidth(scene, t, kind)) kind--;
    setSize(marks, t, kind, free - SLACK);
  });
  makeAlike(scene, level.filter((_, i) => !isDot[i]));
  return widths.map((width, i) => (isDot[i] ? dot : width));
}

/**
 * The least width of a box of a kind: what its words need, where they are short.
 * @param {Scene} scene @param {number} t @param {number} kind
 */
function leastWidth(scene, t, kind) {
  return Math.min(scene.wholeWidth(t), LEAST_WIDTH[kind]);
}

/**
 * Heights of a level's boxes from left to right, likewise; where they don't fit, all have one line.
 * @param {Scene} scene @param {number} depth @param {number} room
 */
function heightsAlong(scene, depth, room) {
  const { marks } = scene;
  const level = scene.layout.levels[depth];
  const least = (HEIGHT_OF[LINE] + LINE_GAP) * marks.scale;
  const isDot = dotsAmong(scene, level, room, least);
  const heights = () => Array.from(level, (t, i) => isDot[i] ? dotLength(marks, level, room) : 2 * marks.halfHeight[t] + LINE_GAP * marks.scale);
  level.forEach((t, i) => sizeRight(scene, t, isDot[i] ? 0 : Math.max(least, roomAlong(scene, level, i))));
  makeAlike(scene, level.filter((t, i) => !isDot[i] && scene.isLeaf(t)));
  if (heights().reduce((sum, height) => sum + height, 0) > room) level.forEach((t, i) => isDot[i] || sizeRight(scene, t, least));
  return heights();
}

/** Give boxes the least detail among them. @param {Scene} scene @param {Int32Array} boxes */
function makeAlike({ marks }, boxes) {
  const kind = boxes.reduce((least, t) => Math.min(least, marks.kind[t]), FULL);
  for (const t of boxes) setSize(marks, t, kind, (2 * marks.halfWidth[t]) / marks.scale);
}

/**
 * What a dot takes of a crowded level: with its gap, or less where even the dots run together.
 * @param {Marks} marks @param {Int32Array} level @param {number} room
 */
function dotLength({ radius }, level, room) {
  return Math.min(2 * radius + DOT_GAP, (room * MOST_FOR_DOTS) / level.length);
}

/**
 * Which nodes of a level stay dots, because not all boxes of the least size fit: those with the fewest rows.
 * @param {Scene} scene @param {Int32Array} level @param {number} room @param {number} least
 */
function dotsAmong({ marks, tree }, level, room, least) {
  const isDot = new Array(level.length).fill(false);
  if (least * level.length <= room) return isDot;
  const dot = dotLength(marks, level, room);
  const boxes = Math.floor((room - dot * level.length) / (least - dot));
  const byRows = Array.from(level.keys()).sort((a, b) => tree.weight[level[b]] - tree.weight[level[a]] || a - b);
  for (const i of byRows.slice(Math.max(1, boxes))) isDot[i] = true;
  return isDot;
}

/**
 * Pixels from a node to the nearest of its neighbours on the level, or to twice the tree's border.
 * @param {Scene} scene @param {Int32Array} level @param {number} i
 */
function roomAlong({ camera, layout, frame }, level, i) {
  const x = layout.x[level[i]];
  const margin = alongMargin(frame) / camera.alongScale;
  const before = i > 0 ? x - layout.x[level[i - 1]] : Infinity;
  const after = i + 1 < level.length ? layout.x[level[i + 1]] - x : Infinity;
  return Math.min(before, after, 2 * (x + margin), 2 * (layout.slots - x + margin)) * camera.alongScale;
}

/** @param {Scene} scene @param {number} depth @param {number} i @param {number} room */
function sizeDown(scene, depth, i, room) {
  const { marks, layout } = scene;
  const level = layout.levels[depth];
  const t = level[i];
  const free = room / marks.scale - BOX_GAP;
  let kind = marks.mosts[depth];
  if (free < LEAST_WIDTH[LINE]) kind = DOT;
  const natural = kind > DOT ? scene.naturalWidth(t) : 0;
  while (kind > DOT && free < leastWidth(scene, t, kind)) kind--;
  const width = kind > DOT ? Math.min(natural, widthBeside(scene, level, i)) : natural;
  setSize(marks, t, kind, width);
}

/**
 * How wide a box may be with what its neighbours and the tree's border leave it.
 * @param {Scene} scene @param {Int32Array} level @param {number} i
 */
function widthBeside(scene, level, i) {
  const { layout, camera, marks, frame } = scene;
  const at = layout.x[level[i]];
  const unit = camera.alongScale / marks.scale;
  const margin = (alongMargin(frame) - OUTLINE) / marks.scale; // its outlines are seen too
  let half = Math.min(at, layout.slots - at) * unit + margin;
  for (const j of [i - 1, i + 1]) {
    if (j < 0 || j >= level.length) continue;
    const between = Math.abs(layout.x[level[j]] - at) * unit - BOX_GAP;
    half = Math.min(half, fairHalfWidth(between, scene.naturalWidth(level[j])));
  }
  return 2 * half;
}

/** @param {Scene} scene @param {number} t @param {number} room */
function sizeRight(scene, t, room) {
  const { marks, tree } = scene;
  const free = room / marks.scale;
  let kind = marks.mosts[tree.depth[t]];
  while (kind > DOT && free < HEIGHT_OF[kind] + LINE_GAP - 1e-6) kind--;
  const width = kind > DOT ? Math.min(scene.naturalWidth(t), (2 * marks.bands[tree.depth[t]]) / marks.scale) : 0;
  setSize(marks, t, kind, width);
}

/** @param {Marks} marks @param {number} t @param {number} kind @param {number} width */
function setSize(marks, t, kind, width) {
  marks.kind[t] = kind;
  marks.halfWidth[t] = kind === DOT ? marks.radius : (width / 2) * marks.scale;
  marks.halfHeight[t] = kind === DOT ? marks.radius : (HEIGHT_OF[kind] / 2) * marks.scale;
}

/** A node's centre and half sizes in pixels, visible or not. @param {Scene} scene @param {number} t */
export function boxOf(scene, t) {
  const { camera, frame, marks, tree } = scene;
  const depth = tree.depth[t];
  const along = alongOf(scene, t);
  const across = marks.places[depth] ?? camera.depthShift + camera.depthScale * depth;
  const [x, y] = frame.mode === "right" ? [across, along] : [along, across];
  const isPlaced = !marks.dense[depth] && marks.kind[t] > 0;
  const small = marks.dense[depth] ? 2 : marks.radius;
  return {
    x,
    y,
    halfWidth: isPlaced ? marks.halfWidth[t] : small,
    halfHeight: isPlaced ? marks.halfHeight[t] : small,
    kind: isPlaced ? marks.kind[t] : DOT,
  };
}
