// Where the canvas, its axes and the two gain curves lie, and the places of points on it.

import { STEPS } from "../model/points.js";

/** @typedef {ReturnType<typeof frameOf>} Frame */

export const PER_UNIT = STEPS / 10; // steps in one unit of a feature
const LEFT = 30;
const TOP = 10;
const TICK_SPACE = 20;
const [CURVE, PRESENTED_CURVE] = [64, 48];

/**
 * The canvas in an element of this size: the gain curve of x lies below it, that of y to its right.
 * @param {number} width @param {number} height @param {boolean} presenter
 */
export function frameOf(width, height, presenter) {
  const curve = presenter ? PRESENTED_CURVE : CURVE;
  const plot = { x: LEFT, y: TOP, width: Math.max(width - LEFT - curve - 24, 40), height: Math.max(height - TOP - TICK_SPACE - curve - 16, 40) };
  return { width, height, plot, curve, below: plot.y + plot.height + TICK_SPACE, beside: plot.x + plot.width + 8 };
}

/** The pixel of a step of x, and of y, which grows upwards. @param {Frame} frame @param {number} x @param {number} y */
export function pixelOf({ plot }, x, y) {
  return [plot.x + (x / STEPS) * plot.width, plot.y + plot.height - (y / STEPS) * plot.height];
}

/** The steps of a pixel, not rounded. @param {Frame} frame @param {number} left @param {number} top */
export function stepsAt({ plot }, left, top) {
  return [((left - plot.x) / plot.width) * STEPS, ((plot.y + plot.height - top) / plot.height) * STEPS];
}

/** @param {Frame} frame */
export function pixelsPerStep({ plot }) {
  return [plot.width / STEPS, plot.height / STEPS];
}
