// One frame: edges first, then nodes, then the marks of single nodes. This order decides what covers what.

/** @typedef {import("./level_of_detail.js").Box} Box */
/** @typedef {import("./level_of_detail.js").Rect} Rect */
/** @typedef {import("./scene/scene.js").Scene} Scene */

/** @typedef {{ paint: (context: CanvasRenderingContext2D, scene: Scene) => void }} Picture */
/** @typedef {{ icicle: Picture, branches: Picture, stretched: import("./offscreen/stretched.js").StretchedPainting }} Pictures */

import { paintBadges } from "./badges.js";
import { paintBranches } from "./branches/branches.js";
import { paintBranchTextsBeside } from "./edges.js";
import { barOf } from "./icicle/bars.js";
import { paintIcicle } from "./icicle/picture.js";
import { boxOf, DOT, placeAnew } from "./level_of_detail.js";
import { say } from "../messages.js";
import { ABOVE, cornersOf, Words } from "./mark_places.js";
import { isRowDivided, paintShareTag } from "./row_path.js";
import { paintStability } from "./stability.js";

const NEXT_ROOM = 76; // pixels for the tag of the node that is pruned next, beside its box

/**
 * Paint a scene on a canvas; `pictures` {icicle, branches, stretched} are kept from frame to frame, null to paint all anew.
 * @param {CanvasRenderingContext2D} context @param {Scene} scene @param {Pictures | null} [pictures]
 */
export function paintScene(context, scene, pictures = null) {
  const { frame, theme, ratio } = scene;
  if (pictures?.stretched.paint(context, scene)) return;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.globalAlpha = 1;
  if (pictures !== null) pictures[frame.mode === "icicle" ? "icicle" : "branches"].paint(context, scene);
  else {
    context.fillStyle = theme.background;
    context.fillRect(0, 0, frame.width, frame.height);
    (frame.mode === "icicle" ? paintIcicle : paintBranches)(context, scene);
  }
  paintStability(context, scene);
  paintRings(context, scene);
}

/** A node's outline in pixels, in every drawing mode. @param {Scene} scene @param {number} t */
export function outlineOf(scene, t) {
  if (scene.frame.mode === "icicle") return barOf(scene, t);
  if (scene.textMeasure) placeAnew(scene);
  return boxOf(scene, t);
}

/** @param {CanvasRenderingContext2D} context @param {Scene} scene */
function paintRings(context, scene) {
  const { theme, layout } = scene;
  const isShown = (/** @type {number} */ t) => t >= 0 && layout.shown[t] === 1;
  for (const t of scene.matches) if (isShown(t)) ring(context, scene, t, { colour: theme.text, width: 2, gap: 3 });
  // Close to the box, clear of the branch's words; the selected node has a ring already.
  const spokenOf = { colour: theme.text, width: 2, gap: 3, dash: [2, 4] };
  for (const [t, share] of scene.rowPath) if (isShown(t)) ringRowNode(context, scene, t, share);
  if (isShown(scene.focusMark) && scene.focusMark !== scene.selected) ring(context, scene, scene.focusMark, spokenOf);
  if (isShown(scene.hovered)) ring(context, scene, scene.hovered, { colour: theme.quiet, width: 1.5, gap: 2 });
  if (isShown(scene.selected)) ring(context, scene, scene.selected, { colour: theme.primary, width: 3, gap: 3 });
  for (const t of scene.ringed) if (isShown(t)) ring(context, scene, t, { colour: theme.primary, width: 2.5, gap: 6 });
  if (scene.frame.mode !== "icicle") {
    const outlined = [scene.hovered, scene.selected, scene.focusMark, ...scene.ringed].filter(isShown);
    paintBranchTextsBeside(context, scene, outlined); // no outline strikes through words
  }
  let words = null;
  const theWords = () => (words ??= new Words(scene)); // read once, where a mark needs a place
  for (const t of scene.next) if (isShown(t)) paintNext(context, scene, t, theWords);
  paintBadges(context, scene, theWords);
  paintFoldSigns(context, scene);
}

/**
 * A node on the row's path, and the share of the row that reaches it.
 * @param {CanvasRenderingContext2D} context @param {Scene} scene @param {number} t @param {number} share
 */
function ringRowNode(context, scene, t, share) {
  const box = outlineOf(scene, t);
  if (isOutside(scene, box)) return;
  ring(context, scene, t, { colour: scene.theme.primary, width: 2, gap: 1 });
  if (isRowDivided(scene.rowPath, scene.tree, t)) paintShareTag(context, scene, box, share);
}

/**
 * @param {CanvasRenderingContext2D} context @param {Scene} scene @param {number} t
 * @param {{ colour: string, width: number, gap: number, dash?: number[] }} look
 */
function ring(context, scene, t, { colour, width, gap, dash = [] }) {
  const box = outlineOf(scene, t);
  if (isOutside(scene, box)) return;
  const inset = scene.frame.mode === "icicle" ? -1 : gap;
  const [wide, high] = [box.halfWidth + inset, box.halfHeight + inset];
  context.beginPath();
  const corner = scene.frame.mode === "icicle" ? 3 : 9 * scene.marks.scale + gap;
  const round = box.kind === DOT ? wide : corner;
  context.roundRect(box.x - wide, box.y - high, 2 * wide, 2 * high, Math.max(0, Math.min(round, wide, high)));
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.setLineDash(dash);
  context.stroke();
  context.setLineDash([]);
}

/** @param {Scene} scene @param {Rect} rect */
function isOutside({ frame }, { x, y, halfWidth, halfHeight }) {
  const isBefore = x + halfWidth < -20 || y + halfHeight < -20;
  return isBefore || x - halfWidth > frame.width + 20 || y - halfHeight > frame.height + 20;
}

/**
 * The node that is pruned next when α rises: a dashed ring, and where there is room a tag with scissors.
 * @param {CanvasRenderingContext2D} context @param {Scene} scene @param {number} t @param {() => Words} words
 */
function paintNext(context, scene, t, words) {
  const { theme, marks } = scene;
  if (scene.frame.mode === "icicle" ? isThin(scene, t) : isTiny(scene, t)) return;
  ring(context, scene, t, { colour: theme.primary, width: 2, gap: 3, dash: [5, 4] });
  const box = outlineOf(scene, t);
  if (box.kind > DOT && !isOutside(scene, box)) paintNextTag(context, scene, box, roomBeside(scene, t, box) > NEXT_ROOM * marks.scale, words);
}

/**
 * What is free at the right of a box, up to its neighbour or to the border.
 * @param {Scene} scene @param {number} t @param {Rect} box
 */
function roomBeside({ frame, layout, marks, tree }, t, box) {
  if (frame.mode !== "down") return 0;
  const level = layout.levels[tree.depth[t]];
  const next = level[level.indexOf(t) + 1];
  const end = next === undefined ? frame.width : marks.x[next] - marks.halfWidth[next];
  return end - box.x - box.halfWidth;
}

/** A bar too narrow for a dashed outline. @param {Scene} scene @param {number} t */
function isThin({ camera, layout }, t) {
  return camera.alongScale * (layout.hi[t] - layout.lo[t]) < 6;
}

/** A dot so small that a ring about it would cover its neighbours. @param {Scene} scene @param {number} t */
function isTiny({ marks, tree }, t) {
  return marks.dense[tree.depth[t]] || (marks.kind[t] === DOT && marks.radius < 2.4);
}

/**
 * Beside the box where there is room, clear of its outlines; else on a corner, in words where these are clear of others.
 * @param {CanvasRenderingContext2D} context @param {Scene} scene @param {Box} box @param {boolean} hasSide
 * @param {() => Words} words
 */
function paintNextTag(context, scene, box, hasSide, words) {
  const { theme, textMeasure, marks } = scene;
  const isIcicle = scene.frame.mode === "icicle";
  const word = say("next");
  const worded = textMeasure.width(word, "tag") + 24;
  const side = (/** @type {number} */ width) => ({ x: box.x + box.halfWidth + (10 + width / 2) * marks.scale, y: box.y, halfWidth: (width / 2) * marks.scale, halfHeight: 8 * marks.scale });
  const isNarrow = !hasSide && worded + 12 >= (2 * box.halfWidth) / marks.scale;
  const widths = isNarrow ? [20] : [worded, 20];
  const corners = (/** @type {number} */ width) => cornersOf(box, scene, width, 1);
  const places = isIcicle ? [] : hasSide || scene.frame.mode === "right" ? widths.map(side) : [...widths.flatMap((width) => corners(width).slice(0, ABOVE)), ...corners(20)];
  const found = isIcicle ? inside(box, widths[0] * marks.scale) : words().take(places);
  if (found === null) return;
  const width = (2 * found.halfWidth) / marks.scale;
  const isWorded = width > 20;
  context.save();
  context.translate(found.x, found.y);
  context.scale(marks.scale, marks.scale);
  context.beginPath();
  context.roundRect(-width / 2, -8, width, 16, 8);
  context.fillStyle = theme.primary;
  context.fill();
  context.fillStyle = context.strokeStyle = scene.onPrimary;
  traceScissors(context, -width / 2 + 10, 0);
  context.font = textMeasure.fonts.tag;
  context.textAlign = "left";
  context.textBaseline = "middle";
  if (isWorded) context.fillText(word, -width / 2 + 18, 0.5);
  context.restore();
}

/** At the lower right corner of a bar. @param {Rect} box @param {number} width */
function inside(box, width) {
  return { x: box.x + box.halfWidth - width / 2 - 4, y: box.y + box.halfHeight - 10, halfWidth: width / 2, halfHeight: 8 };
}

/** @param {CanvasRenderingContext2D} context @param {number} x @param {number} y */
function traceScissors(context, x, y) {
  context.lineWidth = 1.2;
  context.beginPath();
  for (const side of [-1, 1]) {
    context.moveTo(x - 1.6, y + side * 2.6);
    context.arc(x - 3.2, y + side * 2.6, 1.6, 0, 2 * Math.PI);
    context.moveTo(x - 1.8, y + side * 1.8);
    context.lineTo(x + 4.5, y - side * 2.8);
  }
  context.stroke();
}

/**
 * Under every folded node a small sign with the number of hidden nodes.
 * @param {CanvasRenderingContext2D} context @param {Scene} scene
 */
function paintFoldSigns(context, scene) {
  const { theme, textMeasure } = scene;
  let last = null;
  for (const t of scene.foldedShown) {
    const sign = foldSignOf(scene, t);
    if (isOutside(scene, sign) || touches(sign, last)) continue;
    last = sign;
    context.beginPath();
    context.roundRect(sign.x - sign.halfWidth, sign.y - sign.halfHeight, 2 * sign.halfWidth, 2 * sign.halfHeight, 8);
    context.fillStyle = theme.panel || theme.background;
    context.strokeStyle = theme.quiet;
    context.lineWidth = 1;
    context.fill();
    context.stroke();
    context.fillStyle = theme.text;
    context.font = textMeasure.fonts.tag;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillText(sign.text, sign.x, sign.y + 0.5);
  }
}

/** @param {Rect} sign @param {Rect | null} last */
function touches(sign, last) {
  if (last === null || Math.abs(sign.y - last.y) > 16) return false;
  return sign.x - sign.halfWidth < last.x + last.halfWidth + 2 && Math.abs(sign.y - last.y) < 16;
}

/** Text, position and size of a folded node's sign. @param {Scene} scene @param {number} t */
export function foldSignOf(scene, t) {
  const box = outlineOf(scene, t);
  const text = `+ ${scene.layout.hidden[t].toLocaleString("en-US")}`;
  const halfWidth = scene.textMeasure.width(text, "tag") / 2 + 7;
  const isRight = scene.frame.mode === "right";
  return {
    text,
    halfWidth,
    halfHeight: 7,
    x: isRight ? box.x + box.halfWidth + halfWidth + 4 : box.x - Math.max(0, box.halfWidth - halfWidth - 4),
    y: isRight ? box.y : box.y + box.halfHeight + 7,
  };
}
