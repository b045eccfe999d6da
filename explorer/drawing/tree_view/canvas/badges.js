// Small signs at the corner of a node: ★ and ◇ where the best and the 1-SE tree are cut, ≈ where two candidates were
// nearly equal, ≠ where held-out rows disagree, ↓ where greed was paid.

/** @typedef {import("./level_of_detail.js").Rect} Rect */
/** @typedef {import("./scene/scene.js").Scene} Scene */
/** @typedef {import("../model/payload.js").SequenceData} SequenceData */
/** @typedef {import("../model/payload.js").TreeData} TreeData */
/** @typedef {import("./mark_places.js").Words} Words */

import { boxOf, DOT } from "./level_of_detail.js";
import { besideDot, cornersOf } from "./mark_places.js";
import { barOf } from "./icicle/bars.js";
import { LEAF, shapeAt } from "../model/pruned_shape.js";

/** With more cuts than this they are only marked when asked for. */
export const MOST_CUTS = 60;
const [BEST, ONE_SE] = ["★", "◇"];
/** The signs of marks from Python, by kind. */
/** @type {Record<string, string>} */
export const SIGNS = { near_tie: "≈", held_out: "≠", held_out_split: "≠", greed: "↓" };
/** Kinds of marks that hold only where a node is split. */
export const OF_SPLITS = new Set(["near_tie", "held_out_split", "greed"]);
const LEAST_RADIUS = 1.8;

/**
 * The split nodes that are leaves of the best or the 1-SE tree, with their signs.
 * @param {TreeData | null} tree @param {SequenceData | null} sequence
 */
export function cutsOf(tree, sequence) {
  const cuts = new Map();
  if (!tree || sequence?.kind !== "alpha") return cuts;
  for (const [position, sign] of [[sequence.best, BEST], [sequence.oneSe, ONE_SE]]) {
    if (position < 0) continue;
    const shape = shapeAt(tree, sequence, position, [], new Uint8Array(tree.n));
    for (let t = 0; t < tree.n; t++) {
      if (shape[t] === LEAF && tree.feature[t] >= 0) cuts.set(t, (cuts.get(t) ?? "") + sign);
    }
  }
  return cuts;
}

/**
 * Signs of nodes, each at a place clear of the `words` of the picture; among dots a sign without such a place is left out.
 * @param {CanvasRenderingContext2D} context @param {Scene} scene @param {() => Words} words
 */
export function paintBadges(context, scene, words) {
  const { signs } = scene;
  const cuts = scene.showsCuts ? scene.cuts : new Map();
  for (const t of new Set([...cuts.keys(), ...signs.keys()])) paintBadge(context, scene, t, (cuts.get(t) ?? "") + (signs.get(t) ?? ""), words);
}

/**
 * @param {CanvasRenderingContext2D} context @param {Scene} scene @param {number} t @param {string} text
 * @param {() => Words} words
 */
function paintBadge(context, scene, t, text, words) {
  const { frame, layout, marks, textMeasure } = scene;
  if (!layout.shown[t] || marks.dense[scene.tree.depth[t]]) return;
  const isIcicle = frame.mode === "icicle";
  const box = isIcicle ? barOf(scene, t) : boxOf(scene, t);
  if (!isIcicle && scene.isOffScreen(t)) return;
  const width = textMeasure.width(text, "tag") + 8;
  const isDot = !isIcicle && box.kind === DOT;
  const centre = isIcicle ? inBar(box, width) : isDot ? atDot(box, scene, width, words()) : onCorner(box, scene, width, words());
  if (centre === null || centre.x < -20 || centre.y < -20 || centre.x > frame.width + 20 || centre.y > frame.height + 20) return;
  context.save();
  context.translate(centre.x, centre.y);
  if (!isIcicle) context.scale(marks.scale, marks.scale);
  context.font = textMeasure.fonts.tag;
  context.textAlign = "center";
  context.textBaseline = "middle";
  if (isDot) writeSign(context, scene, text);
  else paintPlate(context, scene, text, width);
  context.restore();
}

/** @param {CanvasRenderingContext2D} context @param {Scene} scene @param {string} text @param {number} width */
function paintPlate(context, { theme }, text, width) {
  context.beginPath();
  context.roundRect(-width / 2, -7.5, width, 15, 7.5);
  context.fillStyle = theme.background;
  context.strokeStyle = theme.primary;
  context.lineWidth = 1;
  context.fill();
  context.stroke();
  context.fillStyle = theme.text;
  context.fillText(text, 0, 0.5);
}

/**
 * Among dots a sign has no plate, only a rim that sets it off.
 * @param {CanvasRenderingContext2D} context @param {Scene} scene @param {string} text
 */
function writeSign(context, { theme }, text) {
  context.strokeStyle = theme.background;
  context.lineWidth = 3;
  context.lineJoin = "round";
  context.strokeText(text, 0, 0);
  context.fillStyle = theme.primary;
  context.fillText(text, 0, 0);
}

/**
 * On the first corner that is clear of words, and on the upper left one where none is.
 * @param {Rect} box @param {Scene} scene @param {number} width @param {Words} words
 */
function onCorner(box, scene, width, words) {
  const corners = cornersOf(box, scene, width);
  return words.take(corners) ?? corners[0];
}

/** @param {Rect} box @param {Scene} scene @param {number} width @param {Words} words */
function atDot(box, scene, width, words) {
  return scene.marks.radius < LEAST_RADIUS ? null : words.take(besideDot(box, scene, width));
}

/** @param {Rect} rect @param {number} width */
function inBar({ x, y, halfWidth, halfHeight }, width) {
  return halfWidth * 2 < width + 6 || halfHeight < 9 ? null : { x: x - halfWidth + width / 2 + 3, y: y - halfHeight + 9 };
}
