// The level of detail of each node: it depends on the room that the camera leaves, never on α, so that nothing jumps.
//
// kind     FULL (test, prediction, class bar, rows), COMPACT (test and class bar), LINE (one line of text), DOT
// range    the nodes of one level that are drawn: indices [from, to) of the level's list, with a neighbour to spare
// dense    a level with more nodes than pixels; its nodes are painted together, a bar per column of pixels
// Two boxes on a level share the distance of their centres, less a gap: whatever their kinds, they cannot touch.

import { firstReaching } from "./layout.js";
import { alongLength, alongMargin, endRoom, magnification } from "./camera.js";
import { fairHalfWidth, shareLevelWidths } from "./label_space.js";

export const DOT = 1;
const LINE = 2;
export const COMPACT = 3;
export const FULL = 4;

const HEIGHT_OF = [0, 0, 22, 44, 72];
const LEAST_WIDTH = [0, 0, 42, 66, 92];
const BOX_GAP = 10;
const DEPTH_ROOM = [0, 0, 12, 18, 20]; // what stays free between levels for edges, by kind
const EVERY_NODE_UNTIL = 2000;
const COLUMN = 2;
const MEASURED_UNTIL = 600; // of a larger tree not every text is measured before it is drawn
const USUAL_BOX = 190;
const USUAL_BRANCH_TEXT = 60;
const LEAST_BRANCH_TEXT_ROOM = 18;

/** Marks for a tree of n nodes: positions and sizes in pixels, filled anew when the camera or the layout changes. */
export function makeMarks(n) {
  return {
    kind: new Uint8Array(n),
    x: new Float32Array(n),
    y: new Float32Array(n),
    halfWidth: new Float32Array(n),
    halfHeight: new Float32Array(n),
    from: [],
    to: [],
    ownFrom: [], // the range by position alone, before the children of visible parents are added
    ownTo: [],
    dense: [],
    scale: 1,
    band: 5,
    bands: [], // half the depth of the widest box on each level
    branchTextZone: 0,
    branchTextZones: [], // the space for branch texts before each level
    radius: 5,
    drawn: 0,
    placed: 0,
    seen: 0,
  };
}

/** Choose the detail of all visible nodes. `scene`: tree, layout, camera, frame, marks, naturalWidth(t), branchTextWidth(t). */
export function placeMarks(scene) {
  const { marks, camera, frame, layout } = scene;
  marks.scale = magnification(camera, frame);
  marks.most = depthKind(scene);
  if (marks.most > DOT && frame.mode === "right") shareAcross(scene);
  else shareDown(scene);
  marks.seen = 0;
  marks.placed = 0;
  for (let depth = 0; depth < layout.levels.length; depth++) chooseRange(scene, depth);
  marks.radius = dotRadius(scene);
  for (let depth = 0; depth < layout.levels.length; depth++) {
    if (!marks.dense[depth]) placeLevel(scene, depth);
  }
}

/** The richest kind that the distance of two levels leaves room for. */
function depthKind({ camera, frame, marks }) {
  const room = camera.depthScale / marks.scale;
  if (frame.mode === "right") return room >= LEAST_WIDTH[LINE] + DEPTH_ROOM[FULL] ? FULL : DOT;
  for (let kind = FULL; kind > DOT; kind--) if (room >= HEIGHT_OF[kind] + DEPTH_ROOM[kind]) return kind;
  return DOT;
}

/** Bands of equal depth, and before each, where there is room, a line for branch texts; edges are straight there. */
function shareDown({ camera, layout, marks }) {
  marks.band = marks.most === DOT ? 6 : (HEIGHT_OF[marks.most] / 2) * marks.scale;
  const gap = camera.depthScale - 2 * marks.band;
  marks.branchTextZone = marks.most > DOT && gap >= 36 * marks.scale ? 20 * marks.scale : 0;
  marks.bands = layout.levels.map(() => Math.min(marks.band, camera.depthScale * 0.4));
  marks.branchTextZones = layout.levels.map(() => marks.branchTextZone);
}

/** From left to right, the distance of the levels is shared by boxes, edges and branch texts. */
function shareAcross(scene) {
  const { camera, frame, layout, marks } = scene;
  const room = camera.depthScale / marks.scale;
  const widest = layout.levels.map((level) => widestOnLevel(scene, level));
  const end = Math.max(room / 2 - 12, (endRoom(frame) - 6) / marks.scale);
  const { boxes, texts } = shareLevelWidths(widest.map(({ box }) => box), widest.map(({ text }) => text), room, end);
  marks.bands = boxes.map((width) => (width / 2) * marks.scale);
  marks.branchTextZones = texts.map((width) => width * marks.scale);
  marks.band = Math.max(...marks.bands);
  marks.branchTextZone = Math.max(...marks.branchTextZones);
}

/** The widest box and branch text of a level, among the nodes whose neighbours leave them a line. */
function widestOnLevel(scene, level) {
  if (scene.layout.count > MEASURED_UNTIL) return { box: USUAL_BOX, text: USUAL_BRANCH_TEXT };
  let [box, text] = [LEAST_WIDTH[LINE], 0];
  for (let i = 0; i < level.length; i++) {
    const free = roomAlong(scene, level, i) / scene.marks.scale;
    if (free >= HEIGHT_OF[LINE] + 6) box = Math.max(box, scene.naturalWidth(level[i]));
    if (free >= LEAST_BRANCH_TEXT_ROOM) text = Math.max(text, scene.branchTextWidth(level[i]));
  }
  return { box, text };
}

function chooseRange(scene, depth) {
  const { camera, frame, layout, marks } = scene;
  const level = layout.levels[depth];
  const slack = 100 * marks.scale;
  const at = (t) => layout.x[t];
  const lo = (-slack - camera.alongShift) / camera.alongScale;
  const hi = (alongLength(frame) + slack - camera.alongShift) / camera.alongScale;
  let from = Math.max(0, firstReaching(level, at, lo) - 1);
  let to = Math.min(level.length, firstReaching(level, at, hi) + 1);
  marks.ownFrom[depth] = from;
  marks.ownTo[depth] = to;
  marks.seen += Math.max(0, to - from);
  marks.dense[depth] = layout.count > EVERY_NODE_UNTIL && to - from > alongLength(frame) / COLUMN;
  if (depth > 0 && !marks.dense[depth] && !marks.dense[depth - 1]) [from, to] = withChildren(scene, depth, from, to);
  marks.from[depth] = from;
  marks.to[depth] = to;
  if (!marks.dense[depth]) marks.placed += to - from;
}

/** The range extended by the children of the visible nodes one level up, whose edges are visible. */
function withChildren({ layout, marks, tree }, depth, from, to) {
  const above = layout.levels[depth - 1];
  const level = layout.levels[depth];
  const id = (t) => t;
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

function shownChild(tree, layout, t) {
  const child = tree.firstChild[t];
  return child >= 0 && layout.shown[child] ? child : -1;
}

/** Dots keep one size over the whole picture; it shrinks only where many of them would run together. */
function dotRadius({ camera, layout, marks }) {
  const widest = layout.levels.reduce((most, level) => Math.max(most, level.length), 1);
  const typical = (camera.alongScale * layout.slots) / widest;
  return Math.max(1.6, Math.min(5, typical * 0.42, camera.depthScale * 0.35)) * Math.min(1.6, marks.scale);
}

function placeLevel(scene, depth) {
  const { camera, frame, layout, marks } = scene;
  const level = layout.levels[depth];
  const across = camera.depthShift + camera.depthScale * depth;
  const isRight = frame.mode === "right";
  for (let i = marks.from[depth]; i < marks.to[depth]; i++) {
    const t = level[i];
    const along = camera.alongShift + camera.alongScale * layout.x[t];
    marks.x[t] = isRight ? across : along;
    marks.y[t] = isRight ? along : across;
    const room = roomAlong(scene, level, i);
    if (isRight) sizeRight(scene, t, room);
    else sizeDown(scene, level, i, room);
  }
}

/** Pixels from a node to the nearest of its neighbours on the level, or to twice the tree's border. */
function roomAlong({ camera, layout, frame }, level, i) {
  const x = layout.x[level[i]];
  const margin = alongMargin(frame) / camera.alongScale;
  const before = i > 0 ? x - layout.x[level[i - 1]] : Infinity;
  const after = i + 1 < level.length ? layout.x[level[i + 1]] - x : Infinity;
  return Math.min(before, after, 2 * (x + margin), 2 * (layout.slots - x + margin)) * camera.alongScale;
}

function sizeDown(scene, level, i, room) {
  const { marks } = scene;
  const t = level[i];
  const free = room / marks.scale - BOX_GAP;
  let kind = marks.most;
  if (free < LEAST_WIDTH[LINE]) kind = DOT;
  const natural = kind > DOT ? scene.naturalWidth(t) : 0;
  while (kind > DOT && free < Math.min(natural, LEAST_WIDTH[kind])) kind--;
  const width = kind > DOT && natural > free ? Math.min(natural, widthBeside(scene, level, i)) : natural;
  setSize(marks, t, kind, width);
}

/** How wide a box may be with what its neighbours and the tree's border leave it. */
function widthBeside(scene, level, i) {
  const { layout, camera, marks, frame } = scene;
  const at = layout.x[level[i]];
  const unit = camera.alongScale / marks.scale;
  const margin = alongMargin(frame) / marks.scale - BOX_GAP / 2;
  let half = Math.min(at, layout.slots - at) * unit + margin;
  for (const j of [i - 1, i + 1]) {
    if (j < 0 || j >= level.length) continue;
    const between = Math.abs(layout.x[level[j]] - at) * unit - BOX_GAP;
    half = Math.min(half, fairHalfWidth(between, scene.naturalWidth(level[j])));
  }
  return 2 * half;
}

function sizeRight(scene, t, room) {
  const { marks, tree } = scene;
  const free = room / marks.scale;
  let kind = marks.most;
  while (kind > DOT && free < HEIGHT_OF[kind] + 6) kind--;
  const width = kind > DOT ? Math.min(scene.naturalWidth(t), (2 * marks.bands[tree.depth[t]]) / marks.scale) : 0;
  setSize(marks, t, kind, width);
}

function setSize(marks, t, kind, width) {
  marks.kind[t] = kind;
  marks.halfWidth[t] = kind === DOT ? marks.radius : (width / 2) * marks.scale;
  marks.halfHeight[t] = kind === DOT ? marks.radius : (HEIGHT_OF[kind] / 2) * marks.scale;
}

/** The node under a point of the canvas, or −1; up to 12 pixels beside a mark still hit it, for fingertips. */
export function nodeUnder(scene, px, py) {
  const { camera, frame, layout } = scene;
  const [along, deep] = frame.mode === "right" ? [py, px] : [px, py];
  const near = Math.round((deep - camera.depthShift) / camera.depthScale);
  let [nearest, least] = [-1, Infinity];
  for (let depth = Math.max(0, near - 1); depth <= Math.min(layout.levels.length - 1, near + 1); depth++) {
    const t = nearestOnLevel(scene, depth, (along - camera.alongShift) / camera.alongScale);
    const distance = t < 0 ? Infinity : distanceTo(scene, t, px, py);
    if (distance < least) [nearest, least] = [t, distance];
  }
  return least <= 12 ? nearest : -1;
}

function nearestOnLevel({ layout }, depth, world) {
  const level = layout.levels[depth];
  const after = firstReaching(level, (t) => layout.x[t], world);
  if (after === 0) return level[0] ?? -1;
  if (after === level.length) return level[after - 1];
  return layout.x[level[after]] - world < world - layout.x[level[after - 1]] ? level[after] : level[after - 1];
}

/** Pixels from a point to the outline of a node's mark, 0 inside it. */
function distanceTo(scene, t, px, py) {
  const box = boxOf(scene, t);
  const dx = Math.max(0, Math.abs(px - box.x) - box.halfWidth);
  const dy = Math.max(0, Math.abs(py - box.y) - box.halfHeight);
  return Math.hypot(dx, dy);
}

/** A node's centre and half sizes in pixels, visible or not. */
export function boxOf(scene, t) {
  const { camera, frame, layout, marks, tree } = scene;
  const depth = tree.depth[t];
  const along = camera.alongShift + camera.alongScale * layout.x[t];
  const across = camera.depthShift + camera.depthScale * depth;
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
