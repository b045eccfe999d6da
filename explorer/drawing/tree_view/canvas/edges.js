// Edges, with their width by rows, grouped by width and opacity so that thousands take a few strokes; and branch texts.
//
// band     half the depth of the widest box on a level; edges bend only between the bands of two levels, so that
//          they never cross a box, and run straight inside them
// bucket   edges of nearly the same width and opacity, stroked as one path

/** @typedef {import("./camera.js").Camera} Camera */
/** @typedef {import("./camera.js").Frame} Frame */
/** @typedef {import("./level_of_detail.js").Marks} Marks */
/** @typedef {import("./scene/scene.js").Scene} Scene */
/** @typedef {import("../model/payload.js").TreeData} TreeData */

import { alongOf, DOT, isDotLevel } from "./level_of_detail.js";
import { fairHalfWidth } from "./label_space.js";
import { firstReaching } from "./layout.js";
import { drawnText } from "./text_measure.js";

const WIDTH_STEPS = 8;
const FADE_STEPS = 6;
const MOST_BRANCH_TEXT = 170;
const LEAST_KEPT = 4; // a text cut to fewer characters, or fewer letters and digits, says nothing
const LEAST_LETTERS = 3;
const LETTERS = /[\p{L}\p{N}]/gu;
const MOST_ALIKE = 8; // branches of a node
const LEAST_TEXT_ROOM = 18;
const SIGN_GAP = 18; // between two levels of dots, for signs on the edges
const SIGNS_UNTIL = 600;
const SIGN_AT = 0.62; // of the edge, from above
const DOT_SHARE = 0.8; // of a dot's radius
const BUCKETS = WIDTH_STEPS * (FADE_STEPS + 1);
const bucketStart = new Int32Array(BUCKETS + 1);

/** Edge width in pixels, 1 to 10, with the square root of the rows' share. @param {number} weight @param {number} whole */
export function edgeWidth(weight, whole) {
  return 1 + 9 * Math.sqrt(Math.max(0, Math.min(1, weight / (whole || 1))));
}

/** @param {CanvasRenderingContext2D} context @param {Scene} scene */
export function paintEdges(context, scene) {
  const total = sortIntoBuckets(scene);
  if (total === 0) return;
  context.lineCap = "butt";
  context.strokeStyle = scene.paints.edge;
  for (let bucket = 0; bucket < BUCKETS; bucket++) {
    if (bucketStart[bucket] === bucketStart[bucket + 1]) continue;
    const fade = Math.floor(bucket / WIDTH_STEPS) / FADE_STEPS;
    context.globalAlpha = 0.45 + 0.55 * fade;
    context.lineWidth = bucketWidth(bucket % WIDTH_STEPS, scene) * (fade < 0.2 ? 0.45 : 1);
    context.beginPath();
    for (let i = bucketStart[bucket]; i < bucketStart[bucket + 1]; i++) traceEdge(context, scene, scene.edgeOrder[i]);
    context.stroke();
  }
  context.globalAlpha = 1;
}

/** @param {Camera} camera @param {Marks} marks */
function widestEdge(camera, marks) {
  return Math.max(1, Math.min(10, marks.most > DOT ? 10 : camera.alongScale * 0.9)) * Math.min(1.5, marks.scale);
}

/** @param {number} step @param {Scene} scene */
function bucketWidth(step, { camera, marks }) {
  return 1 + ((widestEdge(camera, marks) - 1) * step) / (WIDTH_STEPS - 1);
}

/**
 * The share of the widest edge that suits a dot: the dot stays the larger mark, even small and faintly filled.
 * @param {Scene} scene
 */
function dotShare({ camera, marks }) {
  const most = widestEdge(camera, marks);
  return Math.max(0, Math.min(1, (DOT_SHARE * marks.radius - 1) / Math.max(1e-6, most - 1)));
}

/** @param {Scene} scene @param {number} t */
function bucketOf(scene, t) {
  const { tree, fade, lit, marks } = scene;
  const isDot = marks.kind[t] === DOT || marks.kind[tree.parent[t]] === DOT;
  const widest = isDot ? dotShare(scene) : 1; // a dot must not drown in its edges
  const share = (edgeWidth(tree.weight[t], tree.weight[0]) - 1) / 9;
  const step = Math.min(Math.floor(widest * (WIDTH_STEPS - 1)), Math.round(share * (WIDTH_STEPS - 1)));
  return Math.round(fade[t] * lit(t) * FADE_STEPS) * WIDTH_STEPS + step;
}

/** Counting sort of the edges in sight into `scene.edgeOrder`; an edge goes by the id of its lower node. @param {Scene} scene */
function sortIntoBuckets(scene) {
  const { layout, marks, edgeBucket, edgeOrder } = scene;
  bucketStart.fill(0);
  for (let depth = 1; depth < layout.levels.length; depth++) {
    if (marks.dense[depth] || marks.dense[depth - 1]) continue;
    const level = layout.levels[depth];
    for (let i = marks.from[depth]; i < marks.to[depth]; i++) {
      edgeBucket[level[i]] = bucketOf(scene, level[i]);
      bucketStart[edgeBucket[level[i]] + 1] += 1;
    }
  }
  for (let bucket = 0; bucket < BUCKETS; bucket++) bucketStart[bucket + 1] += bucketStart[bucket];
  const total = bucketStart[BUCKETS];
  for (let depth = layout.levels.length - 1; depth > 0; depth--) {
    if (marks.dense[depth] || marks.dense[depth - 1]) continue;
    const level = layout.levels[depth];
    for (let i = marks.from[depth]; i < marks.to[depth]; i++) edgeOrder[bucketStart[edgeBucket[level[i]]]++] = level[i];
  }
  bucketStart.copyWithin(1, 0, BUCKETS);
  bucketStart[0] = 0;
  return total;
}

/** The line of the edge above a node. @param {CanvasRenderingContext2D} context @param {Scene} scene @param {number} t */
export function traceEdge(context, scene, t) {
  const { frame, marks, tree } = scene;
  const [from, to] = [alongOf(scene, tree.parent[t]), alongOf(scene, t)];
  const [top, bottom] = [marks.places[tree.depth[t] - 1], marks.places[tree.depth[t]]];
  if (isDotLevel(marks, tree.depth[t])) return traceStraight(context, frame, from, top, to, bottom);
  const start = top + marks.bands[tree.depth[t] - 1];
  const end = bottom - marks.bands[tree.depth[t]] - marks.branchTextZones[tree.depth[t]];
  traceBend(context, frame.mode === "right", from, top, to, bottom, start, end);
}

/**
 * @param {CanvasRenderingContext2D} context @param {Frame} frame @param {number} from @param {number} top @param {number} to
 * @param {number} bottom
 */
function traceStraight(context, frame, from, top, to, bottom) {
  if (frame.mode === "right") {
    context.moveTo(top, from);
    context.lineTo(bottom, to);
  } else {
    context.moveTo(from, top);
    context.lineTo(to, bottom);
  }
}

/**
 * Straight out of the upper band, a curve that ends before the branch texts, then straight into the lower band.
 * @param {CanvasRenderingContext2D} context @param {boolean} isRight @param {number} from @param {number} top
 * @param {number} to @param {number} bottom @param {number} start @param {number} end
 */
function traceBend(context, isRight, from, top, to, bottom, start, end) {
  const middle = (start + end) / 2;
  if (isRight) {
    context.moveTo(top, from);
    context.lineTo(start, from);
    context.bezierCurveTo(middle, from, middle, to, end, to);
    context.lineTo(bottom, to);
  } else {
    context.moveTo(from, top);
    context.lineTo(from, start);
    context.bezierCurveTo(from, middle, to, middle, to, end);
    context.lineTo(to, bottom);
  }
}

/**
 * The path from the root to a node, over all other edges.
 * @param {CanvasRenderingContext2D} context @param {Scene} scene @param {number} id
 */
export function paintPathEdges(context, scene, id) {
  const { tree, layout, theme, marks } = scene;
  context.strokeStyle = theme.primary;
  for (let t = id; t > 0; t = tree.parent[t]) {
    if (!layout.shown[t]) continue;
    const wide = marks.most > DOT ? edgeWidth(tree.weight[t], tree.weight[0]) * Math.min(1.5, marks.scale) : 1;
    const most = marks.kind[t] === DOT ? 1.6 * marks.radius : Infinity;
    context.lineWidth = Math.min(most, Math.max(2.5, wide + 1));
    context.beginPath();
    traceEdge(context, scene, t);
    context.stroke();
  }
}

/**
 * The texts of the branches into some nodes and out of them once more, over what was painted since.
 * @param {CanvasRenderingContext2D} context @param {Scene} scene @param {number[]} nodes
 */
export function paintBranchTextsBeside(context, scene, nodes) {
  const { tree, layout, marks } = scene;
  const beside = new Set(nodes.flatMap((t) => [t, ...Array.from({ length: tree.childCount[t] }, (_, i) => tree.firstChild[t] + i)]));
  context.textAlign = "center";
  context.textBaseline = "middle";
  for (const t of beside) {
    const depth = tree.depth[t];
    if (t === 0 || !layout.shown[t] || marks.dense[depth] || marks.dense[depth - 1] || !hasBranchTexts(scene, depth)) continue;
    const i = layout.levels[depth].indexOf(t);
    if (i >= marks.from[depth] && i < marks.to[depth]) paintBranchText(context, scene, layout.levels[depth], i);
  }
}

/**
 * Branch texts, each on a plate before its node; where there is no room for texts, their signs: ≤ or >, = or ≠.
 * @param {CanvasRenderingContext2D} context @param {Scene} scene
 */
export function paintBranchTexts(context, scene) {
  const { layout, marks, theme, textMeasure } = scene;
  context.textAlign = "center";
  context.textBaseline = "middle";
  for (let depth = 1; depth < layout.levels.length; depth++) {
    if (marks.dense[depth] || marks.dense[depth - 1] || !hasBranchTexts(scene, depth)) continue;
    const level = layout.levels[depth];
    for (let i = marks.from[depth]; i < marks.to[depth]; i++) paintBranchText(context, scene, level, i);
  }
  context.font = textMeasure.fonts.small;
  context.globalAlpha = 1;
  context.fillStyle = theme.text;
}

/** Between levels of dots there are only signs, and in a large tree none. @param {Scene} scene @param {number} depth */
function hasBranchTexts({ layout, marks }, depth) {
  if (marks.branchTextZones[depth] > 0) return true;
  return isDotLevel(marks, depth) && layout.count <= SIGNS_UNTIL && marks.places[depth] - marks.places[depth - 1] >= SIGN_GAP;
}

/** @param {CanvasRenderingContext2D} context @param {Scene} scene @param {Int32Array} level @param {number} i */
function paintBranchText(context, scene, level, i) {
  const { marks, textMeasure, theme, fade, paints } = scene;
  const t = level[i];
  if (scene.isOffScreen(t) && !(isDotLevel(marks, scene.tree.depth[t]) && !scene.isOffScreen(scene.tree.parent[t]))) return;
  const { text, role } = branchTextWithin(scene, level, i);
  if (text === "") return;
  const [plate, high] = plateSize(scene, text, role);
  const [x, y] = branchTextCentre(scene, t, plate);
  context.save();
  context.translate(x, y);
  context.scale(marks.scale, marks.scale);
  context.font = textMeasure.fonts[role];
  context.globalAlpha = 1;
  context.fillStyle = theme.background;
  context.fillRect(-plate / 2, -high / 2, plate, high);
  context.globalAlpha = (0.5 + 0.5 * fade[t]) * scene.lit(t);
  context.fillStyle = fade[t] < 0.5 ? paints.ghostText : theme.text;
  context.fillText(text, 0, 0.5);
  context.restore();
}

/** @param {Scene} scene @param {string} text @param {string} role */
function plateSize({ textMeasure }, text, role) {
  return [textMeasure.width(text, role) + (role === "tag" ? 4 : 8), role === "tag" ? 11 : 16];
}

/**
 * The plate of the branch text before a node, as centre and half sizes in pixels; null where there is none.
 * @param {Scene} scene @param {Int32Array} level @param {number} i
 */
export function plateOf(scene, level, i) {
  const { layout, marks, tree } = scene;
  const depth = tree.depth[level[i]];
  if (depth === 0 || marks.dense[depth - 1] || !hasBranchTexts(scene, depth)) return null;
  const { text, role } = branchTextWithin(scene, layout.levels[depth], i);
  if (text === "") return null;
  const [plate, high] = plateSize(scene, text, role);
  const [x, y] = branchTextCentre(scene, level[i], plate);
  return { x, y, halfWidth: (plate / 2) * marks.scale, halfHeight: (high / 2) * marks.scale };
}

/**
 * A branch's text: whole, its interval in brackets, without its equals sign, by the one value of its node's branches, cut where enough of it is left,
 * or its sign; "" where none fits. Between levels that are close together it has the letters of signs.
 * @param {Scene} scene @param {Int32Array} level @param {number} i
 */
export function branchTextWithin(scene, level, i) {
  const { textMeasure, marks, tree } = scene;
  const t = level[i];
  const pair = siblings(tree, level, i, 2);
  const roomOf = (/** @type {number} */ k) => branchTextRoom(scene, level, k);
  const room = Math.min(...pair.map(roomOf));
  const fits = (/** @type {string} */ text, /** @type {string} */ role, /** @type {number} */ margin, most = room) => textMeasure.width(text, role) <= most - margin;
  const isFlat = marks.branchTextZones[tree.depth[t]] < 14 * marks.scale;
  const [whole, sign] = [scene.branchText(t), scene.branchSign(t)];
  if (room >= LEAST_TEXT_ROOM) {
    const role = isFlat ? "tag" : "small";
    if (siblings(tree, level, i, MOST_ALIKE).every((k) => fits(scene.branchText(level[k]), role, 8, roomOf(k)))) return { text: whole, role };
    const interval = (/** @type {number} */ k) => drawnText(scene.shortTests.branchInterval(level[k]));
    if (siblings(tree, level, i, MOST_ALIKE).every((k) => fits(interval(k), role, 8, roomOf(k)))) return { text: interval(i), role };
    if (pair.every((k) => isValue(scene, level[k]) && fits(valueOf(scene, level[k]), role, 4))) return { text: valueOf(scene, t), role };
    const byValue = (/** @type {number} */ k) => scene.branchByValue(level[k]);
    if (pair.every((k) => byValue(k) !== "" && fits(byValue(k), role, 4))) return { text: scene.branchByValue(t), role };
    const text = sign.length > 1 && !isFlat ? textMeasure.fit(whole, role, room - 8) : "";
    if (text !== "" && !saysLittle(text)) return { text, role };
  }
  return { text: pair.every((k) => fits(scene.branchSign(level[k]), "tag", 4)) ? sign : "", role: "tag" };
}

/**
 * The places on a level of a node's branches, which are worded alike; of more than `most` that of the one alone.
 * @param {TreeData} tree @param {Int32Array} level @param {number} i @param {number} most
 */
function siblings(tree, level, i, most) {
  const above = tree.parent[level[i]];
  const count = tree.childCount[above];
  if (count > most) return [i];
  const first = i - (level[i] - tree.firstChild[above]);
  return Array.from({ length: count }, (_, k) => first + k);
}

/**
 * Whether a branch stands for a value that says enough without its equals sign: one that is no class.
 * @param {Scene} scene @param {number} t
 */
function isValue(scene, t) {
  return scene.branchText(t).startsWith("= ") && !scene.tree.classes.includes(valueOf(scene, t));
}

/** @param {Scene} scene @param {number} t */
function valueOf(scene, t) {
  return scene.branchText(t).slice(2);
}

/** Whether more than signs stand at the branches of a node. @param {Scene} scene @param {number} t */
export function branchesSay(scene, t) {
  const { layout, marks, frame, tree } = scene;
  const [first, depth] = [tree.firstChild[t], tree.depth[t] + 1];
  if (frame.mode === "icicle" || first < 0 || !layout.shown[first]) return false;
  if (marks.dense[depth] || marks.dense[depth - 1] || !hasBranchTexts(scene, depth)) return false;
  const level = layout.levels[depth];
  const { text } = branchTextWithin(scene, level, firstReaching(level, (id) => id, first));
  return text !== "" && text !== scene.branchSign(first);
}

/** Whether hardly more than the comparison sign is left of a cut text. @param {string} text */
function saysLittle(text) {
  return text.length <= LEAST_KEPT || (text.match(LETTERS)?.length ?? 0) < LEAST_LETTERS;
}

/**
 * The width at natural size that a branch text may take without touching a neighbour's text or box.
 * @param {Scene} scene @param {Int32Array} level @param {number} i
 */
function branchTextRoom(scene, level, i) {
  const { marks, frame, tree } = scene;
  const t = level[i];
  let [half, nearest] = [MOST_BRANCH_TEXT / 2, Infinity];
  for (const j of [i - 1, i + 1]) {
    if (j < 0 || j >= level.length) continue;
    const between = Math.abs(alongOf(scene, level[j]) - alongOf(scene, t)) / marks.scale;
    nearest = Math.min(nearest, between);
    if (frame.mode === "down") half = Math.min(half, fairHalfWidth(between - 8, scene.branchTextWidth(level[j])));
  }
  if (frame.mode === "down") return 2 * half;
  if (isDotLevel(marks, tree.depth[t])) return nearest >= 14 ? 14 : 0;
  const zone = marks.branchTextZones[tree.depth[t]] + marks.bands[tree.depth[t]] - marks.halfWidth[t];
  return nearest >= 18 ? Math.min(MOST_BRANCH_TEXT, zone / marks.scale - 6) : 0;
}

/**
 * The centre of a branch text's plate: above its node, at the left of its box, or on an edge between dots.
 * @param {Scene} scene @param {number} t @param {number} plate
 */
function branchTextCentre(scene, t, plate) {
  const { marks, frame, tree } = scene;
  const depth = tree.depth[t];
  const half = (plate / 2) * marks.scale;
  if (isDotLevel(marks, depth)) return pointOnEdge(scene, t);
  const x = Math.max(half, Math.min(marks.x[t], frame.width - half)); // a text at the border is moved, not cut
  if (frame.mode !== "right") return [x, marks.places[depth] - marks.bands[depth] - marks.branchTextZones[depth] * 0.5];
  return [marks.x[t] - marks.halfWidth[t] - (plate / 2 + 4) * marks.scale, marks.y[t]];
}

/** @param {Scene} scene @param {number} t */
function pointOnEdge(scene, t) {
  const { marks, frame, tree } = scene;
  const [from, to] = [alongOf(scene, tree.parent[t]), alongOf(scene, t)];
  const [top, bottom] = [marks.places[tree.depth[t] - 1], marks.places[tree.depth[t]]];
  const [along, deep] = [from + (to - from) * SIGN_AT, top + (bottom - top) * SIGN_AT];
  return frame.mode === "right" ? [deep, along] : [along, deep];
}
