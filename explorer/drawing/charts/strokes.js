// Lines, dots and signs on a canvas, and the canvas itself in device pixels: what all charts draw with.

import { contextOf } from "../tree_view/dom.js";

/**
 * The context of a canvas resized to its box, in device pixels.
 * @param {HTMLCanvasElement} canvas @param {{width: number, height: number}} size
 */
export function sizedContext(canvas, { width, height }) {
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const context = contextOf(canvas);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  return context;
}

/** @param {CanvasRenderingContext2D} context @param {number[][]} points @param {string} colour @param {number} width @param {number[]} dash */
export function strokePath(context, points, colour, width, dash) {
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.lineJoin = "round";
  context.setLineDash(dash);
  tracePath(context, points);
  context.stroke();
  context.setLineDash([]);
}

/** @param {CanvasRenderingContext2D} context @param {number[][]} points */
export function tracePath(context, points) {
  context.beginPath();
  for (const [x, y] of points) context.lineTo(x, y);
}

/** @param {CanvasRenderingContext2D} context @param {number} x @param {number} y @param {number} radius @param {string} colour */
export function fillDot(context, x, y, radius, colour) {
  context.fillStyle = colour;
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fill();
}

/** @param {CanvasRenderingContext2D} context @param {number} x @param {number} y @param {number} radius @param {string} colour @param {number} width */
export function strokeDot(context, x, y, radius, colour, width) {
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.stroke();
}

/** @param {CanvasRenderingContext2D} context @param {number} x @param {number} y @param {{primary: string, background: string}} theme */
export function drawStar(context, x, y, theme) {
  const points = Array.from({ length: 10 }, (_, k) => {
    const [angle, radius] = [(k * Math.PI) / 5 - Math.PI / 2, k % 2 ? 3 : 7];
    return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
  });
  fillOutlined(context, points, theme.primary, theme.background);
}

/** @param {CanvasRenderingContext2D} context @param {number} x @param {number} y @param {string} fill @param {string} outline */
export function drawDiamond(context, x, y, fill, outline) {
  const points = [[x, y - 8], [x + 8, y], [x, y + 8], [x - 8, y]];
  fillOutlined(context, points, fill, outline);
}

/** @param {CanvasRenderingContext2D} context @param {number[][]} points @param {string} fill @param {string} outline */
function fillOutlined(context, points, fill, outline) {
  tracePath(context, points);
  context.closePath();
  context.fillStyle = fill;
  context.strokeStyle = outline;
  context.lineWidth = 1.75;
  context.stroke();
  context.fill();
}
