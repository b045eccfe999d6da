// While the reader zooms in a large tree, its last painting is shown stretched. It is painted anew when the hand rests, or
// when so much has been zoomed that it would look blurred. Levels with words keep their distance where those without are
// drawn apart: each strip between two levels is stretched by itself.

/** @typedef {import("../camera.js").Camera} Camera */
/** @typedef {import("../scene/scene.js").Scene} Scene */

import { contextOf } from "../../dom.js";
import { later } from "../../later.js";
import { looksOf } from "./kept_picture.js";
import { placeAnew } from "../level_of_detail.js";
import { MANY_DOTS } from "../scene/scene.js";

const MOST_STRETCHED = 2;

export class StretchedPainting {
  /** `canvas` has no place on the page; it holds the last painting while that is stretched. @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.canvas = canvas;
    this.context = contextOf(canvas, { alpha: false });
    /** @type {unknown[]} */
    this.looks = [];
    this.camera = this.before = /** @type {Camera} */ (later()); // of the last painting, and of the last frame
    /** @type {number[]} */
    this.places = [];
    this.isKept = false;
  }

  /**
   * Show the last painting as a scene's camera sees it, if the scene was zoomed since the frame before and nothing else
   * has changed. Returns whether that was done; if not, the scene must be painted.
   * @param {CanvasRenderingContext2D} context @param {Scene} scene
   */
  paint(context, scene) {
    const { camera, frame, rowPath, showIds } = scene;
    const looks = [...looksOf(scene, context.canvas), frame.mode, rowPath.size > 0 ? rowPath : null, showIds];
    const isSame = looks.length === this.looks.length && looks.every((part, i) => part === this.looks[i]);
    const isZooming = isSame && scene.isBusy && scene.layout.count > MANY_DOTS && scene.repaints.size === 0 && isZoomed(this.before, camera);
    [this.looks, this.before] = [looks, camera];
    const places = placesOf(scene);
    if (isZooming && isNear(this.camera, camera)) this.stretch(context, scene, places);
    else [this.camera, this.places, this.isKept] = [camera, places, false];
    return this.isKept;
  }

  /** @param {CanvasRenderingContext2D} context @param {Scene} scene @param {number[]} places */
  stretch(context, scene, places) {
    const { canvas } = context;
    if (!this.isKept) this.keep(canvas);
    const along = stretchOf(this.camera, scene, "along");
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.globalAlpha = 1;
    context.fillStyle = scene.theme.background;
    context.fillRect(0, 0, canvas.width, canvas.height);
    const isRight = scene.frame.mode === "right";
    const [breadth, depth] = isRight ? [canvas.height, canvas.width] : [canvas.width, canvas.height];
    for (const { from, to, start, end } of this.strips(scene, places, depth)) {
      if (isRight) context.drawImage(this.canvas, from, 0, to - from, breadth, start, along.shift, end - start, along.scale * breadth);
      else context.drawImage(this.canvas, 0, from, breadth, to - from, along.shift, start, along.scale * breadth, end - start);
    }
  }

  /**
   * The strips between two levels, and before and after them: what was at [from, to) in pixels of depth is now at [start, end).
   * @param {Scene} scene @param {number[]} places @param {number} depth
   */
  strips(scene, places, depth) {
    const deep = stretchOf(this.camera, scene, "depth");
    const stops = places.length > 0 ? places.map((place, d) => [this.places[d] * scene.ratio, place * scene.ratio]) : [[0, deep.shift]];
    const [first, last] = [stops[0], stops[stops.length - 1]];
    const all = [[first[0] - depth, first[1] - deep.scale * depth], ...stops, [last[0] + depth, last[1] + deep.scale * depth]];
    const strips = all.slice(1).map(([to, end], i) => ({ from: all[i][0], to, start: Math.round(all[i][1]), end: Math.round(end) }));
    return strips.filter(({ from, to, start, end }) => to > Math.max(0, from) && from < depth && end > start);
  }

  /** @param {HTMLCanvasElement} painting */
  keep(painting) {
    if (this.canvas.width !== painting.width) this.canvas.width = painting.width;
    if (this.canvas.height !== painting.height) this.canvas.height = painting.height;
    this.context.drawImage(painting, 0, 0);
    this.isKept = true;
  }
}

/** The pixel of each level on the axis of depth; none in the icicle, whose levels are evenly spaced. @param {Scene} scene */
function placesOf(scene) {
  if (scene.frame.mode === "icicle") return [];
  placeAnew(scene);
  return scene.marks.places;
}

/** @param {Camera} before @param {Camera} camera */
function isZoomed(before, camera) {
  return camera.alongScale !== before.alongScale || camera.depthScale !== before.depthScale;
}

/** @param {Camera} painted @param {Camera} camera */
function isNear(painted, camera) {
  const stretches = [camera.alongScale / painted.alongScale, camera.depthScale / painted.depthScale];
  return stretches.every((stretch) => stretch < MOST_STRETCHED && stretch > 1 / MOST_STRETCHED);
}

/**
 * How an axis of a painting, made by one camera, is scaled and moved to look as another sees it; `shift` in pixels.
 * @param {Camera} painted @param {Scene} scene @param {"along" | "depth"} axis
 */
function stretchOf(painted, { camera, ratio }, axis) {
  const scale = camera[`${axis}Scale`] / painted[`${axis}Scale`];
  return { scale, shift: ratio * (camera[`${axis}Shift`] - scale * painted[`${axis}Shift`]) };
}
