// One bar of the icicle: an outline where its node is pruned away, else the fill of its node, with text where it fits.

/** @typedef {import("../scene/scene.js").Scene} Scene */

/** @typedef {{ left: number, width: number, top: number, height: number }} Bar in pixels */

import { looksSplit } from "../../model/pruned_shape.js";

export const THIN_BAR = 4; // pixels
const LEAST_OUTLINED = 8;
const LEAST_ACROSS = 30; // a narrower bar has no text in lines
const UPRIGHT = { levels: 3, width: 15, height: 36 }; // on the first levels it is written upwards in narrow bars

/**
 * Paint a node's bar {left, width, top, height}.
 * @param {CanvasRenderingContext2D} context @param {Scene} scene @param {number} t @param {Bar} bar
 */
export function paintRowBar(context, scene, t, bar) {
  if (bar.width <= THIN_BAR) {
    paintThinBar(context, scene, t, bar.left, bar.top, bar.width, bar.height);
    return;
  }
  if (scene.fade[t] < 0.99) paintGhostBar(context, scene, t, bar);
  if (scene.fade[t] > 0.01) paintOpenBar(context, scene, t, bar);
}

/**
 * A bar too narrow for an outline, or a part of one: nothing but rectangles.
 * @param {CanvasRenderingContext2D} context @param {Scene} scene @param {number} t @param {number} left @param {number} top
 * @param {number} width @param {number} height
 */
export function paintThinBar(context, { fade, lit, paints, shape, tree }, t, left, top, width, height) {
  if (fade[t] < 0.99) {
    context.globalAlpha = (1 - fade[t]) * lit(t) * 0.3;
    context.fillStyle = paints.ghost;
    context.fillRect(left, top, width, height);
  }
  if (fade[t] <= 0.01) return;
  context.globalAlpha = fade[t] * lit(t);
  context.fillStyle = (looksSplit(tree, shape, t) ? paints.innerMark : paints.leafMark)[paints.code[t]];
  context.fillRect(left, top, width, height);
}

/** @param {CanvasRenderingContext2D} context @param {Scene} scene @param {number} t @param {Bar} bar */
function paintGhostBar(context, scene, t, bar) {
  context.globalAlpha = (1 - scene.fade[t]) * scene.lit(t) * 0.8;
  context.strokeStyle = scene.paints.ghost;
  context.lineWidth = 1;
  context.strokeRect(bar.left + 0.5, bar.top + 0.5, bar.width - 1, bar.height - 1);
}

/** @param {CanvasRenderingContext2D} context @param {Scene} scene @param {number} t @param {Bar} bar */
function paintOpenBar(context, scene, t, bar) {
  const { paints, shape, tree } = scene;
  const isInner = looksSplit(tree, shape, t);
  const code = paints.code[t];
  context.globalAlpha = scene.fade[t] * scene.lit(t);
  if (bar.width <= LEAST_OUTLINED) {
    context.fillStyle = (isInner ? paints.innerMark : paints.leafMark)[code];
    context.fillRect(bar.left, bar.top, bar.width, bar.height);
    return;
  }
  context.fillStyle = (isInner ? paints.innerFill : paints.leafFill)[code];
  context.beginPath();
  context.roundRect(bar.left + 0.5, bar.top + 0.5, bar.width - 1, bar.height - 1, 3);
  context.fill();
  context.strokeStyle = (isInner ? paints.innerEdge : paints.leafEdge)[code];
  context.lineWidth = 1;
  context.stroke();
  context.fillStyle = isInner ? paints.innerText[code] : paints.leafText[code];
  if (bar.width >= LEAST_ACROSS && bar.height >= 12) writeBar(context, scene, t, isInner, bar);
  else if (tree.depth[t] < UPRIGHT.levels && bar.width >= UPRIGHT.width && bar.height >= UPRIGHT.height) writeUpwards(context, scene, t, isInner, bar);
}

/**
 * The test or prediction in one line from the foot of a narrow bar to its top.
 * @param {CanvasRenderingContext2D} context @param {Scene} scene @param {number} t @param {boolean} isInner @param {Bar} bar
 */
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

/** @param {CanvasRenderingContext2D} context @param {Scene} scene @param {number} t @param {boolean} isInner @param {Bar} bar */
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
  lines.forEach(([text, font], i) => {
    context.font = textMeasure.fonts[font];
    const y = bar.top + bar.height / 2 + (hasRows ? (i === 0 ? -8 : 9) : 0.5);
    if (text !== "") context.fillText(text, middle, y);
  });
}
