// One node as a box, drawn about its own centre at natural size; the canvas is moved and magnified around it.
//
// A split node shows test, prediction with its class shape, class bar, rows. A leaf shows prediction, purity, class bar,
// rows. A node that is pruned away remains as a faint outline with its test; a node that a person decided has a pin on
// its corner.

/** @typedef {import("./scene/scene.js").Scene} Scene */
/** @typedef {import("./text_measure.js").TextMeasure} TextMeasure */
/** @typedef {import("../../charts/chart_box.js").Size} Size */
/** @typedef {import("../theme.js").Theme} Theme */
/** @typedef {import("../model/payload.js").TreeData} TreeData */

/**
 * @typedef {{
 *   t: number, kind: number, width: number, height: number, room: number, wordRoom: number, hasBar: boolean, text: string,
 * }} NodeBox
 */
/** @typedef {Size & { x: number, y: number }} Stretch */

import { COMPACT, FULL } from "./level_of_detail.js";
import { classColour } from "../../charts/colours.js";
import { traceShape } from "../../charts/shapes.js";
import { meanRange } from "./node_style.js";
import { looksSplit } from "../model/pruned_shape.js";

const INSETS = [0, 0, 6, 9, 10]; // free at either end of a box, by kind
const LEAST_INSET = 4; // and beside its test or prediction
const ROUND = 9;

/** @param {CanvasRenderingContext2D} context @param {Scene} scene @param {number} t */
export function paintBox(context, scene, t) {
  const { marks, fade } = scene;
  const kind = marks.kind[t];
  const width = (marks.halfWidth[t] * 2) / marks.scale;
  const height = (marks.halfHeight[t] * 2) / marks.scale;
  const box = { t, kind, width, height, room: width - 2 * INSETS[kind], wordRoom: width - 2 * LEAST_INSET, text: "", hasBar: kind >= COMPACT && hasBar(scene.tree, t) };
  context.save();
  context.translate(Math.round(marks.x[t]), Math.round(marks.y[t]));
  context.scale(marks.scale, marks.scale);
  if (fade[t] < 0.99) paintGhostBox(context, scene, box);
  if (fade[t] > 0.01) paintOpenBox(context, scene, box);
  context.restore();
}

/** A bar of one colour would only repeat the fill. @param {TreeData} tree @param {number} t */
function hasBar(tree, t) {
  return tree.weight[t] > 0 && (tree.isRegression || tree.share(t) < 1);
}

/** @param {CanvasRenderingContext2D} context @param {Size} size */
function traceBox(context, { width, height }) {
  context.beginPath();
  context.roundRect(-width / 2, -height / 2, width, height, Math.min(ROUND, height / 2.6));
}

/** @param {CanvasRenderingContext2D} context @param {Scene} scene @param {NodeBox} box */
function paintGhostBox(context, scene, box) {
  const { paints, theme, textMeasure } = scene;
  context.globalAlpha = scene.lit(box.t);
  traceBox(context, box);
  context.fillStyle = theme.background;
  context.fill();
  context.strokeStyle = paints.ghost;
  context.lineWidth = 1;
  context.setLineDash([3, 3]);
  context.stroke();
  context.setLineDash([]);
  context.globalAlpha *= 1 - scene.fade[box.t];
  context.fillStyle = paints.ghostText;
  const text = scene.titleWithin(box.t, "prediction", box.room) || scene.predictionWithin(box.t, "prediction", box.room);
  writeCentred(context, textMeasure, text, "prediction", 0, box.room);
}

/** @param {CanvasRenderingContext2D} context @param {Scene} scene @param {NodeBox} box */
function paintOpenBox(context, scene, box) {
  const { paints, shape, fade, tree } = scene;
  const isInner = looksSplit(tree, shape, box.t);
  const code = paints.code[box.t];
  const opacity = fade[box.t] * scene.lit(box.t);
  traceBox(context, box);
  if (opacity < 1) coverEdges(context, scene.theme);
  context.globalAlpha = opacity;
  context.fillStyle = isInner ? paints.innerFill[code] : paints.leafFill[code];
  context.fill();
  context.strokeStyle = isInner ? paints.innerEdge[code] : paints.leafEdge[code];
  context.lineWidth = isInner ? 1 : 1.5;
  context.stroke();
  box.text = isInner ? paints.innerText[code] : paints.leafText[code];
  context.fillStyle = box.text;
  if (isInner) writeInner(context, scene, box);
  else writeLeaf(context, scene, box);
  if (box.hasBar) paintBar(context, scene, box);
  if (box.kind === FULL) writeRows(context, scene, box);
  if (tree.isByHand(box.t)) paintHandMark(context, scene, box);
}

/**
 * A small pin on the upper right corner: a person decided this node.
 * @param {CanvasRenderingContext2D} context @param {Scene} scene @param {Size} size
 */
function paintHandMark(context, { theme }, { width, height }) {
  context.beginPath();
  context.arc(width / 2 - 4, -height / 2 + 4, 5.5, 0, 2 * Math.PI);
  context.fillStyle = theme.primary;
  context.fill();
  context.strokeStyle = theme.background;
  context.lineWidth = 2;
  context.stroke();
}

/**
 * Edges continue into a box; where it is translucent they must not show through.
 * @param {CanvasRenderingContext2D} context @param {Theme} theme
 */
function coverEdges(context, theme) {
  context.globalAlpha = 1;
  context.fillStyle = theme.background;
  context.fill();
}

/** @param {CanvasRenderingContext2D} context @param {Scene} scene @param {NodeBox} box */
function writeInner(context, scene, box) {
  const { textMeasure } = scene;
  const isWhole = (/** @type {string} */ role) => textMeasure.width(scene.titleOf(box.t), role) <= box.wordRoom;
  const role = ["title", "prediction", "small"].find(isWhole) ?? "small"; // smaller before it is cut
  writeCentred(context, textMeasure, scene.titleWithin(box.t, role, box.wordRoom), role, titleHeight(box), box.wordRoom);
  if (box.kind === FULL) writePrediction(context, scene, box, "prediction", box.hasBar ? -6 : 0);
}

/** @param {CanvasRenderingContext2D} context @param {Scene} scene @param {NodeBox} box */
function writeLeaf(context, scene, box) {
  writePrediction(context, scene, box, "title", titleHeight(box));
  if (box.kind !== FULL) return;
  const y = box.hasBar ? -6 : 1;
  writeCentred(context, scene.textMeasure, scene.purityText(box.t), "small", y, box.room);
}

/** @param {NodeBox} box */
function titleHeight(box) {
  if (box.kind === FULL) return box.hasBar ? -23 : -18;
  return box.kind === COMPACT && box.hasBar ? -8 : 0;
}

/**
 * @param {CanvasRenderingContext2D} context @param {TextMeasure} textMeasure @param {string} text @param {string} role
 * @param {number} y @param {number} room
 */
function writeCentred(context, textMeasure, text, role, y, room) {
  const cut = textMeasure.fit(text, role, room);
  if (cut === "") return;
  context.font = textMeasure.fonts[role];
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(cut, 0, y + 0.5);
}

/**
 * The prediction with its class shape before it; a mean has no shape.
 * @param {CanvasRenderingContext2D} context @param {Scene} scene @param {NodeBox} box @param {string} wanted @param {number} y
 */
function writePrediction(context, scene, box, wanted, y) {
  const { textMeasure, paints, tree } = scene;
  const sign = tree.isRegression ? 0 : 14;
  const room = box.wordRoom - sign;
  const role = scene.predictionRole(box.t, wanted, room);
  const [cut, alone] = [room, box.wordRoom].map((most) => scene.predictionWithin(box.t, role, most));
  const saysMore = alone === scene.predictionText(box.t) ? cut !== alone : isCut(cut) && !isCut(alone);
  if (tree.isRegression || saysMore) return writeCentred(context, textMeasure, alone, role, y, box.wordRoom); // the word before the shape that repeats it
  const width = sign + (cut === "" ? -4 : textMeasure.width(cut, role));
  context.beginPath();
  traceShape(context, paints.shapeOf(box.t), -width / 2 + 4.5, y, 4.6);
  context.fill();
  context.font = textMeasure.fonts[role];
  context.textAlign = "left";
  context.textBaseline = "middle";
  context.fillText(cut, -width / 2 + sign, y + 0.5);
  return undefined;
}

/** @param {string} text */
function isCut(text) {
  return text === "" || text.endsWith("…");
}

/** @param {CanvasRenderingContext2D} context @param {Scene} scene @param {NodeBox} box */
function writeRows(context, scene, box) {
  const { textMeasure } = scene;
  const rows = scene.rowsOf(box.t);
  const text = scene.showIds ? `#${box.t} · ${rows}` : rows;
  context.fillStyle = box.text;
  writeCentred(context, textMeasure, text, "small", box.hasBar ? 25 : 19, box.room);
}

/** @param {CanvasRenderingContext2D} context @param {Scene} scene @param {NodeBox} box */
function paintBar(context, scene, box) {
  const area = { x: -box.room / 2, y: 6, width: box.room, height: 8 };
  if (scene.tree.isRegression) paintWhisker(context, scene, box, area);
  else paintSegments(context, scene, box, area);
}

/** @param {CanvasRenderingContext2D} context @param {Scene} scene @param {NodeBox} nodeBox @param {Stretch} stretch */
function paintSegments(context, scene, { t }, { x, y, width, height }) {
  const { tree, theme } = scene;
  context.fillStyle = theme.background;
  context.fillRect(x - 1, y - 1, width + 2, height + 2);
  let at = x;
  for (let k = 0; k < tree.nClasses; k++) {
    const length = (width * tree.classWeight(t, k)) / tree.weight[t];
    if (length <= 0) continue;
    context.fillStyle = classColour(theme, k);
    context.fillRect(at, y, Math.max(0.5, length - (at + length < x + width - 0.5 ? 1 : 0)), height);
    at += length;
  }
}

/**
 * The mean on the range of all means, with one standard deviation to either side.
 * @param {CanvasRenderingContext2D} context @param {Scene} scene @param {NodeBox} box @param {Stretch} stretch
 */
function paintWhisker(context, scene, box, { x, y, width, height }) {
  const { tree } = scene;
  const [least, largest] = meanRange(tree, scene.theme);
  const perUnit = largest > least ? width / (largest - least) : 0;
  const pixelOf = (/** @type {number} */ value) => Math.max(x, Math.min(x + width, x + (value - least) * perUnit));
  const mean = tree.value[box.t];
  const middle = perUnit ? pixelOf(mean) : x + width / 2;
  const hasSpread = perUnit && tree.hasMeans;
  const [from, to] = hasSpread ? [pixelOf(mean - tree.sd(box.t)), pixelOf(mean + tree.sd(box.t))] : [middle, middle];
  const solid = context.globalAlpha;
  context.fillStyle = box.text;
  context.globalAlpha = solid * 0.28;
  context.fillRect(x, y + height / 2 - 0.5, width, 1);
  context.globalAlpha = solid * 0.75;
  context.fillRect(from, y + height / 2 - 1.5, to - from, 3);
  context.globalAlpha = solid;
  context.fillRect(middle - 1.5, y, 3, height);
}
