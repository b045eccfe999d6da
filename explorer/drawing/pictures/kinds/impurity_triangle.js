// A measure of three classes as a triangle: each corner is pure, the darker the more mixed, with lines of equal value.
//
// The point moves between the mixtures of n balls.

/** @typedef {import("../model/impurities.js").Measure} Measure */
/** @typedef {import("../canvas.js").PictureCanvas} PictureCanvas */
/** @typedef {import("../../tree_view/theme.js").Theme} Theme */

/** @typedef {{ classes: string[], n: number, start: number[], measure: Measure }} Triangle of three classes */

import { ballSigns, drawBall } from "../balls.js";
import { putDragArea, putHandle } from "../drag.js";
import { measureColour, measureName, measureText } from "../measures.js";
import { impurityArithmetic, impurityOf, largestImpurity } from "../model/impurities.js";
import { contourSegments, nearestMixture, trianglePlace } from "../model/mixtures.js";
import { mixColours } from "../../charts/colours.js";
import { SVG_SPACE } from "../../tree_view/dom.js";
import { listing, say } from "../../tree_view/messages.js";

const [TRIANGLE_ABOVE, TRIANGLE_BELOW, TRIANGLE_SIDE] = [150, 54, 96];
const [HEAT_CELLS, CONTOURS] = [36, 8];

/** @param {PictureCanvas} canvas @param {Triangle} picture @param {import("../canvas.js").Tools<{ counts?: number[] }>} tools */
export function drawImpurityTriangle(canvas, picture, tools) {
  const counts = tools.local.counts ?? picture.start;
  const corners = triangleCorners(canvas);
  drawHeat(canvas, picture.measure, corners, tools.theme);
  drawCorners(canvas, picture.classes, corners);
  drawMixture(canvas, picture, counts, tools.theme);
  putMixturePoint(canvas, picture, counts, corners, tools);
}

/** The corners of the first, second and third class: left, right and at the top. @param {PictureCanvas} pictureCanvas */
function triangleCorners({ width, height }) {
  const high = Math.min(height - TRIANGLE_ABOVE - TRIANGLE_BELOW, ((width - 2 * TRIANGLE_SIDE) * Math.sqrt(3)) / 2);
  const half = high / Math.sqrt(3);
  const [middle, top] = [width / 2, TRIANGLE_ABOVE + Math.max(0, (height - TRIANGLE_ABOVE - TRIANGLE_BELOW - high) / 2)];
  return [[middle - half, top + high], [middle + half, top + high], [middle, top]];
}

/**
 * Small triangles in the colour of their value, and lines of equal value over them, in a group that is made anew only
 * where the measure, the size or the colours are others; another measure fades in.
 * @param {PictureCanvas} canvas @param {Measure} measure @param {number[][]} corners @param {Theme} theme
 */
function drawHeat(canvas, measure, corners, theme) {
  const group = canvas.put(`heat ${measure}`, "g");
  const state = JSON.stringify([corners, theme.background, measureColour(measure, theme)]);
  if (group.dataset.state !== state) {
    group.dataset.state = state;
    group.replaceChildren(...heatShapes(measure, corners, theme), contourShape(measure, corners, theme));
  }
  canvas.put("triangle edge", "path", { class: "pic-axis", d: pathThrough(corners), fill: "none" });
}

/** @param {Measure} measure @param {number[][]} corners @param {Theme} theme */
function heatShapes(measure, corners, theme) {
  const most = largestImpurity(measure, 3);
  const colour = measureColour(measure, theme);
  return heatCells().map((cell) => {
    const middle = [0, 1, 2].map((code) => cell.reduce((sum, counts) => sum + counts[code], 0) / 3);
    const fill = mixColours(theme.background, colour, 0.06 + 0.72 * (impurityOf(measure, middle) / most) ** 1.3);
    return pathShape({ class: "pic-heat", d: pathThrough(cell.map((counts) => trianglePlace(counts, corners))), fill, stroke: fill });
  });
}

/** @param {Measure} measure @param {number[][]} corners @param {Theme} theme */
function contourShape(measure, corners, theme) {
  const levels = Array.from({ length: CONTOURS - 1 }, (_, k) => (largestImpurity(measure, 3) * (k + 1)) / CONTOURS);
  const segments = levels.flatMap((level) => contourSegments((shares) => impurityOf(measure, shares), level, 48));
  const d = segments.map((ends) => pathThrough(ends.map((shares) => trianglePlace(shares, corners)))).join("");
  return pathShape({ class: "pic-contour", d, fill: "none", stroke: theme.text });
}

/** A closed path through places. @param {number[][]} places */
function pathThrough(places) {
  return `M${places.map((place) => place.map((at) => at.toFixed(1)).join(" ")).join("L")}Z`;
}

/** @param {Record<string, string>} attributes */
function pathShape(attributes) {
  const shape = document.createElementNS(SVG_SPACE, "path");
  for (const [name, value] of Object.entries(attributes)) shape.setAttribute(name, value);
  return shape;
}

/** The cells of a triangular grid, each as three corners in counts. */
function heatCells() {
  const cells = [];
  for (let a = 0; a < HEAT_CELLS; a++) {
    for (let b = 0; a + b < HEAT_CELLS; b++) {
      const c = HEAT_CELLS - a - b;
      cells.push([[a, b, c], [a + 1, b, c - 1], [a, b + 1, c - 1]]);
      if (c > 1) cells.push([[a + 1, b, c - 1], [a, b + 1, c - 1], [a + 1, b + 1, c - 2]]);
    }
  }
  return cells;
}

/** @param {PictureCanvas} canvas @param {string[]} classes @param {number[][]} corners */
function drawCorners(canvas, classes, [left, right, top]) {
  const name = (/** @type {number} */ code) => canvas.shortened(say("all {class}", { class: classes[code] }), 2 * TRIANGLE_SIDE);
  canvas.text("corner 0", left[0], left[1] + 28, name(0), { anchor: "middle" });
  canvas.text("corner 1", right[0], right[1] + 28, name(1), { anchor: "middle" });
  canvas.text("corner 2", top[0] + 16, top[1] + 4, name(2));
}

/**
 * The balls in a row, and what the measure gives for them.
 * @param {PictureCanvas} canvas @param {Triangle} picture @param {number[]} counts @param {Theme} theme
 */
function drawMixture(canvas, picture, counts, theme) {
  const codes = counts.flatMap((count, code) => Array(count).fill(code));
  const step = Math.min((canvas.width - 40) / picture.n, 46);
  const start = (canvas.width - step * picture.n) / 2;
  const signs = ballSigns(picture.classes);
  codes.forEach((code, k) => drawBall(canvas, `ball ${k}`, [start + (k + 0.5) * step, 32], Math.min(step / 2.3, 17), code, signs));
  const value = impurityOf(picture.measure, counts);
  const text = say("{name}: {value}", { name: measureName(picture.measure), value: measureText(picture.measure, value) });
  canvas.text("mixture value", canvas.width / 2, 84, text, { anchor: "middle", kind: "pic-value", fill: measureColour(picture.measure, theme) });
  const arithmetic = impurityArithmetic(picture.measure, counts);
  const fits = canvas.textWidth(arithmetic, "pic-small") < canvas.width - 24;
  canvas.text("mixture arithmetic", canvas.width / 2, 110, fits ? arithmetic : "", { anchor: "middle", kind: "pic-small", fill: theme.quiet });
}

/**
 * @param {PictureCanvas} canvas @param {Triangle} picture @param {number[]} counts @param {number[][]} corners
 * @param {import("../canvas.js").Tools<{ counts?: number[] }>} tools
 */
function putMixturePoint(canvas, picture, counts, corners, tools) {
  const { n, classes, measure } = picture;
  const [x, y] = trianglePlace(counts, corners);
  canvas.put("point knob", "circle", { class: "pic-knob", cx: x, cy: y, r: 11, fill: tools.theme.text, stroke: tools.theme.background });
  const onDrag = (/** @type {number} */ toX, /** @type {number} */ toY) => tools.change({ counts: nearestMixture([toX, toY], corners, n) });
  const [left, right, top] = corners;
  putDragArea(canvas, "triangle area", { x: left[0], y: top[1], width: right[0] - left[0], height: left[1] - top[1], onDrag, handle: "triangle knob" });
  const mixture = listing(classes.map((name, code) => `${counts[code]} ${name}`));
  const said = say("{name}: {value}", { name: mixture, value: measureText(measure, impurityOf(measure, counts)) });
  putHandle(canvas, "triangle knob", {
    x, y, radius: 20, label: say("Mixture of three classes"), said, now: impurityOf(measure, counts).toFixed(3), max: largestImpurity(measure, 3).toFixed(3), onDrag,
    onKey: (across, down) => tools.change({ counts: movedMixture(counts, Math.sign(across), Math.sign(down)) }),
  });
}

/**
 * One ball more of the second class in place of the first by →, of the third in place of the larger other by ↑, and back.
 * @param {number[]} counts @param {number} across @param {number} down
 */
function movedMixture([first, second, third], across, down) {
  if (across > 0 && first > 0) return [first - 1, second + 1, third];
  if (across < 0 && second > 0) return [first + 1, second - 1, third];
  if (down < 0 && first + second > 0) return first >= second ? [first - 1, second, third + 1] : [first, second - 1, third + 1];
  if (down > 0 && third > 0) return first <= second ? [first + 1, second, third - 1] : [first, second + 1, third - 1];
  return [first, second, third];
}
