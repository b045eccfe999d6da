// Edges: width by rows, bundled by width and opacity so that thousands of them take a few strokes, and branch words.
//
// band     half the depth of the widest box on any level; edges bend only between the bands of two levels, so that
//          they never cross a box, and run straight inside them
// bucket   edges of nearly the same width and opacity, stroked as one path

import { DOT } from "./detail.js";

const WIDTH_STEPS = 8;
const FADE_STEPS = 6;
const BUCKETS = WIDTH_STEPS * (FADE_STEPS + 1);
const bucketStart = new Int32Array(BUCKETS + 1);

/** Edge width in pixels, 1 to 10, with the square root of the rows' share. */
export function edgeWidth(weight, whole) {
  return 1 + 9 * Math.sqrt(Math.max(0, Math.min(1, weight / (whole || 1))));
}

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

function bucketWidth(step, { camera, marks }) {
  const most = Math.max(1, Math.min(10, marks.most > DOT ? 10 : camera.alongScale * 0.9)) * Math.min(1.5, marks.scale);
  return 1 + ((most - 1) * step) / (WIDTH_STEPS - 1);
}

function bucketOf({ tree, fade, lit, marks }, t) {
  const widest = marks.kind[t] === DOT ? Math.min(1, marks.radius * 0.07) : 1; // a dot must not drown in its edge
  const step = Math.round(Math.min(widest, (edgeWidth(tree.weight[t], tree.weight[0]) - 1) / 9) * (WIDTH_STEPS - 1));
  return Math.round(fade[t] * lit(t) * FADE_STEPS) * WIDTH_STEPS + step;
}

/** Counting sort of the edges in sight into `scene.edgeOrder`; an edge goes by the id of its lower node. */
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

function traceEdge(context, scene, t) {
  const { camera, frame, layout, marks, tree } = scene;
  const parent = tree.parent[t];
  const from = camera.alongShift + camera.alongScale * layout.x[parent];
  const to = camera.alongShift + camera.alongScale * layout.x[t];
  const top = camera.depthShift + camera.depthScale * (tree.depth[t] - 1);
  const bottom = top + camera.depthScale;
  const band = Math.min(marks.band, camera.depthScale * 0.4);
  if (marks.most === DOT) traceStraight(context, frame, from, top, to, bottom);
  else if (frame.mode === "right") traceBend(context, true, from, top, to, bottom, band, marks.wordZone);
  else traceBend(context, false, from, top, to, bottom, band, marks.wordZone);
}

function traceStraight(context, frame, from, top, to, bottom) {
  if (frame.mode === "right") {
    context.moveTo(top, from);
    context.lineTo(bottom, to);
  } else {
    context.moveTo(from, top);
    context.lineTo(to, bottom);
  }
}

/** Straight out of the upper band, a curve that is done before the words, straight on into the lower band. */
function traceBend(context, isRight, from, top, to, bottom, band, zone) {
  const start = top + band;
  const end = bottom - band - zone;
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

/** The path from the root to a node, over all other edges. */
export function paintPathEdges(context, scene, id) {
  const { tree, layout, look, marks } = scene;
  context.strokeStyle = look.primary;
  for (let t = id; t > 0; t = tree.parent[t]) {
    if (!layout.shown[t]) continue;
    const wide = marks.most > DOT ? edgeWidth(tree.weight[t], tree.weight[0]) * Math.min(1.5, marks.scale) : 1;
    context.lineWidth = Math.max(2.5, wide + 1);
    context.beginPath();
    traceEdge(context, scene, t);
    context.stroke();
  }
}

/** Branch words, each on a plate before its node, where the gap between two levels has a line to spare. */
export function paintBranchWords(context, scene) {
  const { layout, marks, look, lettering } = scene;
  if (marks.wordZone === 0) return;
  context.font = lettering.fonts.small;
  context.textAlign = "center";
  context.textBaseline = "middle";
  for (let depth = 1; depth < layout.levels.length; depth++) {
    if (marks.dense[depth]) continue;
    const level = layout.levels[depth];
    for (let i = marks.from[depth]; i < marks.to[depth]; i++) paintWord(context, scene, level, i);
  }
  context.globalAlpha = 1;
  context.fillStyle = look.text;
}

function paintWord(context, scene, level, i) {
  const { marks, lettering, look, fade, paints } = scene;
  const t = level[i];
  const most = wordRoom(scene, level, i);
  if (most < 18 || scene.isOffScreen(t)) return;
  const text = lettering.fit(scene.branchText(t), "small", most - 8);
  if (text === "") return;
  const plate = lettering.width(text, "small") + 8;
  const [x, y] = wordPlace(scene, t, plate);
  context.save();
  context.translate(x, y);
  context.scale(marks.scale, marks.scale);
  context.globalAlpha = 1;
  context.fillStyle = look.background;
  context.fillRect(-plate / 2, -8, plate, 16);
  context.globalAlpha = (0.5 + 0.5 * fade[t]) * scene.lit(t);
  context.fillStyle = fade[t] < 0.5 ? paints.ghostText : look.text;
  context.fillText(text, 0, 0.5);
  context.restore();
}

/** Pixels at natural size that a word may take without touching a neighbour's word or box. */
function wordRoom({ marks, layout, camera, frame }, level, i) {
  const x = layout.x[level[i]];
  const before = i > 0 ? x - layout.x[level[i - 1]] : Infinity;
  const after = i + 1 < level.length ? layout.x[level[i + 1]] - x : Infinity;
  const room = (Math.min(before, after, 1e4) * camera.alongScale) / marks.scale;
  if (frame.mode === "right") return room >= 18 ? marks.wordZone / marks.scale - 6 : 0;
  return Math.min(room - 8, 170);
}

function wordPlace({ marks, frame }, t, plate) {
  if (frame.mode !== "right") return [marks.x[t], marks.y[t] - marks.band - marks.wordZone * 0.5];
  return [marks.x[t] - marks.band - (plate / 2 + 4) * marks.scale, marks.y[t]];
}
