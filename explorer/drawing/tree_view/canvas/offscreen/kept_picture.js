// A picture of the tree that is kept from frame to frame, out of sight: what has not changed is not painted again. While
// the reader pans, it is moved, and only what comes into sight is painted; when the hand rests, everything is painted anew,
// since some texts at the border have another place there.

/** @typedef {import("../camera.js").Camera} Camera */
/** @typedef {import("../scene/scene.js").Scene} Scene */
/** @typedef {import("../../../charts/chart_box.js").Size} Size */
/** @typedef {Size & { left: number, top: number }} Area in pixels */

import { contextOf } from "../../dom.js";
import { later } from "../../later.js";

export class KeptPicture {
  /** `canvas` has no place on the page. @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.canvas = canvas;
    this.context = contextOf(canvas, { alpha: false });
    /** @type {unknown[]} */
    this.key = [];
    /** @type {Camera} of the last painting */
    this.camera = later();
    this.isMoved = false;
    canvas.oncontextrestored = () => this.forget(); // the browser had dropped its pixels, and it is blank
  }

  /** Forget the picture. */
  forget() {
    this.key = [];
  }

  /**
   * Follow a scene to its camera. `key`: all else that the picture depends on, but the nodes' looks; `size`: {width, height}
   * in pixels. Returns the areas to paint, [{left, top, width, height}], for which the picture was moved; null: paint all.
   * @param {Scene} scene @param {unknown[]} key @param {Size} size
   */
  follow(scene, key, { width, height }) {
    const whole = [...key, ...looksOf(scene, { width, height })];
    const isSame = whole.length === this.key.length && whole.every((part, i) => part === this.key[i]);
    const [x, y] = isSame ? shiftBetween(this.camera, scene) : [NaN, NaN];
    [this.key, this.camera] = [whole, scene.camera];
    this.isMoved = this.isMoved || x !== 0 || y !== 0;
    const isNear = Math.abs(x) < width / 2 && Math.abs(y) < height / 2;
    if (isNear && (!this.isMoved || scene.isBusy)) return this.move(x, y, width, height);
    this.isMoved = false;
    if (this.canvas.width !== width) this.canvas.width = width;
    if (this.canvas.height !== height) this.canvas.height = height;
    return null;
  }

  /** @param {number} x @param {number} y @param {number} width @param {number} height */
  move(x, y, width, height) {
    /** @type {Area[]} */
    const areas = [];
    if (x === 0 && y === 0) return areas;
    this.context.setTransform(1, 0, 0, 1, 0, 0);
    this.context.globalAlpha = 1;
    this.context.drawImage(this.canvas, x, y);
    if (x !== 0) areas.push({ left: x > 0 ? 0 : width + x, top: 0, width: Math.abs(x), height });
    if (y !== 0) areas.push({ left: 0, top: y > 0 ? 0 : height + y, width, height: Math.abs(y) });
    return areas;
  }

  /** Copy the picture to a scene's canvas. @param {CanvasRenderingContext2D} context @param {Scene} scene */
  copyTo(context, { ratio }) {
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.drawImage(this.canvas, 0, 0);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
  }
}

/**
 * What a picture of a scene in so many pixels depends on in every layout, but the camera and the looks of single nodes.
 * @param {Scene} scene @param {Size} size
 */
export function looksOf({ keeps, layout, paints, ratio, textMeasure, theme }, { width, height }) {
  return [layout, paints, theme, keeps, textMeasure, ratio, width, height];
}

/**
 * By how many pixels across and down a camera has moved; NaN where it has zoomed, or moved by a part of a pixel.
 * @param {Camera} before @param {Scene} scene
 */
function shiftBetween(before, { camera, frame, ratio }) {
  if (camera.alongScale !== before.alongScale || camera.depthScale !== before.depthScale) return [NaN, NaN];
  const [along, deep] = /** @type {const} */ (["alongShift", "depthShift"]).map((axis) => wholePixels((camera[axis] - before[axis]) * ratio));
  return frame.mode === "right" ? [deep, along] : [along, deep];
}

/** @param {number} pixels */
function wholePixels(pixels) {
  return Math.abs(pixels - Math.round(pixels)) < 1e-6 ? Math.round(pixels) : NaN;
}
