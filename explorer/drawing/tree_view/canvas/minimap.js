// The whole tree in a corner, with a window that shows the visible part and can be dragged.

/** @typedef {import("./camera.js").Camera} Camera */
/** @typedef {import("./camera.js").Frame} Frame */
/** @typedef {import("./scene/scene.js").Scene} Scene */

import { alongLength, centredCamera, depthLength, treeLengths, visibleShare } from "./camera.js";
import { contextOf } from "../dom.js";
import { later } from "../later.js";
import { GHOST, INNER } from "../model/pruned_shape.js";

const MAP_WIDTH = 184;
const MAP_HEIGHT = 96;
const MAP_INSET = 6;
const LARGE_TREE = 150;

export class Minimap {
  /** @param {HTMLElement} host @param {(camera: Camera) => void} onCamera */
  constructor(host, onCamera) {
    this.canvas = document.createElement("canvas");
    this.canvas.className = "tv-minimap";
    this.canvas.setAttribute("aria-hidden", "true");
    this.picture = document.createElement("canvas");
    this.onCamera = onCamera;
    this.isStale = true;
    /** @type {Scene} the last one painted */
    this.scene = later();
    host.append(this.canvas);
    this.canvas.addEventListener("pointerdown", (event) => this.grab(event));
    this.canvas.addEventListener("pointermove", (event) => {
      if (event.buttons && this.canvas.hasPointerCapture(event.pointerId)) this.moveTo(event);
    });
  }

  /** @param {Scene} scene */
  isWanted({ camera, frame, layout, tree }) {
    const share = visibleShare(camera, frame);
    return frame.width > 480 && share < 0.98 && (share < 0.5 || tree.n > LARGE_TREE) && layout.count > 1;
  }

  /** @param {Scene} scene @param {boolean} isMoving */
  paint(scene, isMoving) {
    const isWanted = this.isWanted(scene);
    this.canvas.hidden = !isWanted;
    if (!isWanted) return;
    this.scene = scene;
    const ratio = Math.max(1, Math.min(2, globalThis.devicePixelRatio || 1));
    if (this.isStale && !(isMoving && scene.tree.n > 3000)) this.repaint(scene, ratio);
    sizeCanvas(this.canvas, ratio);
    const context = contextOf(this.canvas);
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    context.drawImage(this.picture, 0, 0);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.paintWindow(context, scene);
  }

  /** @param {Scene} scene @param {number} ratio */
  repaint(scene, ratio) {
    this.isStale = false;
    sizeCanvas(this.picture, ratio);
    const context = contextOf(this.picture);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, MAP_WIDTH, MAP_HEIGHT);
    const { layout } = scene;
    for (const level of layout.levels) paintMapLevel(context, scene, level);
    context.globalAlpha = 1;
  }

  /** @param {CanvasRenderingContext2D} context @param {Scene} scene */
  paintWindow(context, { camera, frame, theme }) {
    const [breadth, depth] = treeLengths(camera, frame);
    const along = windowOf(camera.alongShift, breadth, alongLength(frame));
    const deep = windowOf(camera.depthShift, depth, depthLength(frame));
    const [sx, sy] = frame.mode === "right" ? [deep, along] : [along, deep];
    const x = MAP_INSET + sx[0] * (MAP_WIDTH - 2 * MAP_INSET);
    const y = MAP_INSET + sy[0] * (MAP_HEIGHT - 2 * MAP_INSET);
    const width = Math.max(6, (sx[1] - sx[0]) * (MAP_WIDTH - 2 * MAP_INSET));
    const height = Math.max(6, (sy[1] - sy[0]) * (MAP_HEIGHT - 2 * MAP_INSET));
    context.strokeStyle = context.fillStyle = theme.primary;
    context.lineWidth = 2;
    context.globalAlpha = 0.14;
    context.fillRect(x, y, width, height);
    context.globalAlpha = 1;
    context.strokeRect(x, y, width, height);
  }

  /** @param {PointerEvent} event */
  grab(event) {
    event.preventDefault();
    event.stopPropagation();
    this.canvas.setPointerCapture(event.pointerId);
    this.moveTo(event);
  }

  /** @param {PointerEvent} event */
  moveTo(event) {
    const { camera, frame } = this.scene;
    const sx = (event.offsetX - MAP_INSET) / (MAP_WIDTH - 2 * MAP_INSET);
    const sy = (event.offsetY - MAP_INSET) / (MAP_HEIGHT - 2 * MAP_INSET);
    const [along, deep] = frame.mode === "right" ? [sy, sx] : [sx, sy];
    const keepsDepth = isWholeDeep(camera, frame);
    const moved = centredCamera(camera, frame, along, deep);
    this.onCamera(keepsDepth ? { ...moved, depthShift: camera.depthShift } : moved);
  }
}

/** Whether the whole depth is visible, so that dragging need not move it. @param {Camera} camera @param {Frame} frame */
function isWholeDeep(camera, frame) {
  return camera.depthShift >= 0 && camera.depthShift + treeLengths(camera, frame)[1] <= depthLength(frame);
}

/** @param {HTMLCanvasElement} canvas @param {number} ratio */
function sizeCanvas(canvas, ratio) {
  if (canvas.width === MAP_WIDTH * ratio) return;
  canvas.width = MAP_WIDTH * ratio;
  canvas.height = MAP_HEIGHT * ratio;
}

/**
 * The part of a length that the screen shows, as two shares.
 * @param {number} shift @param {number} length @param {number} screen
 */
function windowOf(shift, length, screen) {
  const share = (/** @type {number} */ pixel) => Math.max(0, Math.min(1, (pixel - shift) / length));
  return [share(0), share(screen)];
}

/** @param {CanvasRenderingContext2D} context @param {Scene} scene @param {Int32Array} level */
function paintMapLevel(context, scene, level) {
  const { tree, layout, frame, paints, shape } = scene;
  const isRight = frame.mode === "right";
  const isIcicle = frame.mode === "icicle";
  const breadth = (isRight ? MAP_HEIGHT : MAP_WIDTH) - 2 * MAP_INSET;
  const deep = (isRight ? MAP_WIDTH : MAP_HEIGHT) - 2 * MAP_INSET;
  const steps = Math.max(1, frame.levels - (isIcicle ? 0 : 1));
  const across = MAP_INSET + (deep * (tree.depth[level[0]] + (isIcicle ? 0.5 : 0))) / steps;
  const half = Math.max(1, Math.min(2.5, (deep / frame.levels) * 0.4));
  let last = -Infinity;
  for (const t of level) {
    const [lo, hi] = isIcicle ? [layout.lo[t], layout.hi[t]] : [layout.x[t] / frame.slots, layout.x[t] / frame.slots];
    const end = MAP_INSET + hi * breadth + (isIcicle ? 0 : half);
    if (end < last + 1) continue;
    const start = Math.max(last, MAP_INSET + lo * breadth - (isIcicle ? 0 : half));
    last = end;
    const isOpen = shape[t] !== GHOST;
    context.globalAlpha = isOpen ? 1 : 0.35;
    const fills = shape[t] === INNER ? paints.innerMark : paints.leafMark;
    context.fillStyle = isOpen ? fills[paints.code[t]] : paints.ghost;
    if (isRight) context.fillRect(across - half, start, 2 * half, end - start);
    else context.fillRect(start, across - half, end - start, 2 * half);
  }
}
