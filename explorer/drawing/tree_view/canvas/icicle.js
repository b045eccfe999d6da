// The icicle: every node a bar as long as its rows, under the bar of its parent. For trees of any size.
//
// A bar shorter than a pixel is painted with its neighbours; a bar has text where it fits.

import { firstReaching } from "./layout.js";
import { looksSplit } from "../model/pruned_shape.js";

const LEAST_BAR = 0.75;
const LEAST_ACROSS = 30; // a narrower bar has no text in lines
const UPRIGHT = { levels: 3, width: 15, height: 36 }; // on the first levels it is written upwards in narrow bars

export function paintIcicle(context, scene) {
  const { layout, marks } = scene;
  marks.drawn = 0;
  marks.seen = 0;
  for (let depth = 0; depth < layout.levels.length; depth++) paintBars(context, scene, depth);
  context.globalAlpha = 1;
}

function paintBars(context, scene, depth) {
  const { camera, layout, frame, marks } = scene;
  const top = camera.depthShift + camera.depthScale * depth;
  if (top > frame.height || top + camera.depthScale < 0) return;
  const level = layout.levels[depth];
  const lo = (0 - camera.alongShift) / camera.alongScale;
  const hi = (frame.width - camera.alongShift) / camera.alongScale;
  let last = -Infinity;
  for (let i = firstReaching(level, (t) => layout.hi[t], lo); i < level.length; i++) {
    const t = level[i];
    if (layout.lo[t] > hi) break;
    marks.seen += 1;
    const right = camera.alongShift + camera.alongScale * layout.hi[t];
    if (right < last + LEAST_BAR) continue;
    paintRowBar(context, scene, t, Math.max(last, camera.alongShift + camera.alongScale * layout.lo[t]), right, top);
    marks.drawn += 1;
    last = right;
  }
}

function paintRowBar(context, scene, t, left, right, top) {
  const { camera, frame } = scene;
  const bar = { left: Math.max(left, -2), width: 0, top: top + 0.5, height: Math.max(1, camera.depthScale - 1.5) };
  const full = Math.min(right, frame.width + 2) - bar.left;
  bar.width = Math.max(LEAST_BAR, full > 3 ? full - 1 : full);
  if (scene.fade[t] < 0.99) paintGhostBar(context, scene, t, bar);
  if (scene.fade[t] > 0.01) paintOpenBar(context, scene, t, bar);
}

function paintGhostBar(context, scene, t, bar) {
  context.globalAlpha = (1 - scene.fade[t]) * scene.lit(t) * (bar.width > 4 ? 0.8 : 0.3);
  context.strokeStyle = scene.paints.ghost;
  context.lineWidth = 1;
  if (bar.width > 4) context.strokeRect(bar.left + 0.5, bar.top + 0.5, bar.width - 1, bar.height - 1);
  else {
    context.fillStyle = scene.paints.ghost;
    context.fillRect(bar.left, bar.top, bar.width, bar.height);
  }
}

function paintOpenBar(context, scene, t, bar) {
  const { paints, shape, tree } = scene;
  const isInner = looksSplit(tree, shape, t);
  const code = paints.code[t];
  context.globalAlpha = scene.fade[t] * scene.lit(t);
  const isWide = bar.width > 8;
  const [fills, edges] = isInner ? [paints.innerFill, paints.innerEdge] : [paints.leafFill, paints.leafEdge];
  context.fillStyle = isWide ? fills[code] : (isInner ? paints.innerMark : paints.leafMark)[code];
  if (isWide) {
    context.beginPath();
    context.roundRect(bar.left + 0.5, bar.top + 0.5, bar.width - 1, bar.height - 1, 3);
    context.fill();
    context.strokeStyle = edges[code];
    context.lineWidth = 1;
    context.stroke();
  } else context.fillRect(bar.left, bar.top, bar.width, bar.height);
  context.fillStyle = isInner ? paints.innerText[code] : paints.leafText[code];
  if (bar.width >= LEAST_ACROSS && bar.height >= 12) writeBar(context, scene, t, isInner, bar);
  else if (tree.depth[t] < UPRIGHT.levels && bar.width >= UPRIGHT.width && bar.height >= UPRIGHT.height) writeUpwards(context, scene, t, isInner, bar);
}

/** The test or prediction in one line from the foot of a narrow bar to its top. */
function writeUpwards(context, scene, t, isInner, bar) {
  const room = bar.height - 6;
  const text = isInner ? scene.titleWithin(t, "small", room) : scene.predictionWithin(t, "small", room);
  context.save();
  context.translate(bar.left + bar.width / 2, bar.top + bar.height / 2);
  context.rotate(-Math.PI / 2);
  context.font = scene.textMeasure.fonts.small;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(text, 0, 0.5);
  context.restore();
}

function writeBar(context, scene, t, isInner, bar) {
  const { textMeasure } = scene;
  const room = bar.width - (bar.width < 2 * LEAST_ACROSS ? 4 : 8);
  const middle = bar.left + bar.width / 2;
  const hasRows = bar.height >= 36;
  const whole = isInner ? scene.titleOf(t) : scene.predictionText(t);
  const roles = bar.height < 16 ? ["small"] : ["title", "prediction", "small"];
  const role = roles.find((one) => textMeasure.width(whole, one) <= room) ?? "small"; // smaller before it is cut
  const lines = [[isInner ? scene.titleWithin(t, role, room) : scene.predictionWithin(t, role, room), role]];
  if (hasRows) lines.push([textMeasure.fit(scene.rowsOf(t), "small", room), "small"]);
  context.textAlign = "center";
  context.textBaseline = "middle";
  lines.forEach(([text, role], i) => {
    context.font = textMeasure.fonts[role];
    const y = bar.top + bar.height / 2 + (hasRows ? (i === 0 ? -8 : 9) : 0.5);
    if (text !== "") context.fillText(text, middle, y);
  });
}

/** A node's bar as centre and half sizes in pixels. */
export function barOf({ camera, layout, tree }, t) {
  const half = Math.max(1, (camera.alongScale * (layout.hi[t] - layout.lo[t])) / 2);
  return {
    x: camera.alongShift + (camera.alongScale * (layout.lo[t] + layout.hi[t])) / 2,
    y: camera.depthShift + camera.depthScale * (tree.depth[t] + 0.5),
    halfWidth: half,
    halfHeight: Math.max(1, camera.depthScale / 2 - 0.5),
    kind: 0,
  };
}

/** The node whose bar is under a point, or −1. */
export function barUnder({ camera, layout }, px, py) {
  const level = layout.levels[Math.floor((py - camera.depthShift) / camera.depthScale)];
  if (!level) return -1;
  const world = (px - camera.alongShift) / camera.alongScale;
  const t = level[firstReaching(level, (id) => layout.hi[id], world)];
  return t !== undefined && layout.lo[t] <= world ? t : -1;
}
