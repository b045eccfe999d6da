// The icicle as a picture that is kept: a frame paints only the bars that look different than in the frame before, and
// copies the picture to the canvas, where the marks of single nodes come over it.
//
// run      neighbouring pixels of one level that are painted again: clipped to whole pixels, so that what is painted there
//          is what painting everything would give, also where two bars share a pixel

/** @typedef {import("../offscreen/kept_picture.js").Area} Area */
/** @typedef {import("./bars.js").Bars} Bars */
/** @typedef {import("../scene/scene.js").Scene} Scene */

/** @typedef {{ from: number, to: number, left: number, right: number }} Stretch bars, and their pixels */

import { placeBars, rowOfBars } from "./bars.js";
import { KeptPicture } from "../offscreen/kept_picture.js";
import { NodeSet } from "../../model/node_set.js";
import { paintRowBar, paintThinBar, THIN_BAR } from "./row_bar.js";

const MOST_REPAINTED = 0.4; // of the bars; with more of them, painting everything costs less
const LEAST_LEVEL_GAP = 1; // pixels between two levels, so that a run has those of its level alone
const LEVEL_GAP = 1.5;

/**
 * Paint the bars on a context of its own, such as that of a saved picture.
 * @param {CanvasRenderingContext2D} context @param {Scene} scene
 */
export function paintIcicle(context, scene) {
  const bars = barsOf(scene);
  [scene.marks.drawn, scene.marks.seen] = [bars.count, bars.seen];
  paintEveryBar(context, scene, bars);
}

/** The bars in view, placed again only after a change of camera, layout or area. @param {Scene} scene */
function barsOf(scene) {
  const key = [scene.camera, scene.layout, scene.frame.width, scene.frame.height];
  if (!scene.bars || key.some((part, i) => part !== scene.barsKey[i])) [scene.bars, scene.barsKey] = [placeBars(scene), key];
  return scene.bars;
}

/** @param {CanvasRenderingContext2D} context @param {Scene} scene @param {Bars} bars */
function paintEveryBar(context, scene, bars) {
  for (let depth = 0; depth + 1 < bars.from.length; depth++) paintBars(context, scene, depth, bars.from[depth], bars.from[depth + 1]);
  context.globalAlpha = 1;
}

/** @param {CanvasRenderingContext2D} context @param {Scene} scene @param {number} depth @param {number} from @param {number} to */
function paintBars(context, scene, depth, from, to) {
  const { bars } = scene;
  const bar = { left: 0, width: 0, ...rowOfBars(scene, depth) };
  for (let i = from; i < to; i++) {
    [bar.left, bar.width] = [bars.left[i], bars.width[i]];
    paintRowBar(context, scene, bars.node[i], bar);
  }
}

export class IciclePicture {
  /** `canvas` has no place on the page. @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.kept = new KeptPicture(canvas);
    this.painted = 0; // bars in the last frame
    this.wanted = new Int32Array(0);
  }

  /**
   * Bring the picture up to date with a scene, and copy it to the scene's canvas.
   * @param {CanvasRenderingContext2D} context @param {Scene} scene
   */
  paint(context, scene) {
    const bars = barsOf(scene);
    [scene.marks.drawn, scene.marks.seen] = [bars.count, bars.seen];
    const areas = this.kept.follow(scene, [scene.marks], context.canvas);
    const isApart = LEVEL_GAP * scene.ratio >= LEAST_LEVEL_GAP && scene.camera.depthScale > LEVEL_GAP + 1;
    const count = areas !== null && isApart ? this.findChanged(scene, bars, areas) : Infinity;
    if (count > bars.count * MOST_REPAINTED) this.paintAll(scene, bars);
    else this.paintRuns(scene, bars, count);
    this.kept.copyTo(context, scene);
  }

  /** @param {Scene} scene @param {Bars} bars */
  paintAll(scene, bars) {
    const { canvas, context } = this.kept;
    this.painted = bars.count;
    context.setTransform(1, 0, 0, 1, 0, 0);
    clearPixels(context, scene, 0, 0, canvas.width, canvas.height);
    context.setTransform(scene.ratio, 0, 0, scene.ratio, 0, 0);
    paintEveryBar(context, scene, bars);
  }

  /**
   * The numbers of the bars that have changed or touch these areas, which are cleared, in ascending order; returns how many.
   * Where the picture was moved, those at the border are among them: their texts stand in the middle of what is in sight.
   * @param {Scene} scene @param {Bars} bars @param {Area[]} areas
   */
  findChanged(scene, bars, areas) {
    const { repaints, ratio } = scene;
    const found = new NodeSet(bars.count);
    for (let i = 0; i < repaints.size; i++) if (bars.number[repaints.ids[i]] >= 0) found.add(bars.number[repaints.ids[i]]);
    this.kept.context.setTransform(1, 0, 0, 1, 0, 0);
    for (const { left, top, width, height } of areas) {
      clearPixels(this.kept.context, scene, left, top, width, height);
      addBarsWithin(found, scene, [left / ratio, (left + width) / ratio], [top / ratio, (top + height) / ratio]);
    }
    if (areas.length > 0) for (const border of [0, scene.frame.width]) addBarsWithin(found, scene, [border, border], [0, scene.frame.height]);
    this.wanted = found.ids.subarray(0, found.size).sort();
    return found.size;
  }

  /** @param {Scene} scene @param {Bars} bars @param {number} count */
  paintRuns(scene, bars, count) {
    const { wanted } = this;
    const { ratio } = scene;
    let depth = 0;
    this.painted = 0;
    for (let k = 0; k < count; k++) {
      const first = wanted[k];
      while (bars.from[depth + 1] <= first) depth += 1;
      const left = Math.floor(bars.left[first] * ratio);
      let right = rightPixel(bars, first, ratio);
      while (k + 1 < count && wanted[k + 1] < bars.from[depth + 1] && bars.left[wanted[k + 1]] * ratio <= right) {
        k += 1;
        right = Math.max(right, rightPixel(bars, wanted[k], ratio));
      }
      this.paintRun(scene, bars, depth, first, wanted[k], left, right);
    }
    this.kept.context.globalAlpha = 1;
  }

  /**
   * Paint the pixels [left, right) of a level: the bars from `first` to `last`, and the neighbours that reach into them.
   * @param {Scene} scene @param {Bars} bars @param {number} depth @param {number} first @param {number} last
   * @param {number} left @param {number} right
   */
  paintRun(scene, bars, depth, first, last, left, right) {
    const { ratio } = scene;
    let [from, to] = [first, last + 1];
    while (from > bars.from[depth] && rightPixel(bars, from - 1, ratio) > left) from -= 1;
    while (to < bars.from[depth + 1] && bars.left[to] * ratio < right) to += 1;
    const isThin = bars.width.subarray(from, to).every((width) => width <= THIN_BAR);
    (isThin ? paintThinRun : paintWideRun)(this.kept.context, scene, depth, { from, to, left, right });
    this.painted += to - from;
  }
}

/**
 * Add the bars that touch a stretch of pixels across and one down.
 * @param {NodeSet} found @param {Scene} scene @param {[left: number, right: number]} across
 * @param {[top: number, bottom: number]} down
 */
function addBarsWithin(found, scene, [left, right], [top, bottom]) {
  const { bars } = scene;
  for (let depth = 0; depth + 1 < bars.from.length; depth++) {
    const row = rowOfBars(scene, depth);
    if (row.top > bottom || row.top + row.height < top) continue;
    for (let i = bars.from[depth]; i < bars.from[depth + 1]; i++) {
      if (bars.left[i] <= right && bars.left[i] + bars.width[i] >= left) found.add(i);
    }
  }
}

/**
 * Thin bars need no clip: the part of each that lies in the run is a rectangle of its own.
 * @param {CanvasRenderingContext2D} context @param {Scene} scene @param {number} depth @param {Stretch} stretch
 */
function paintThinRun(context, scene, depth, { from, to, left, right }) {
  const { bars, ratio } = scene;
  const { top, height } = rowOfBars(scene, depth);
  const [upper, lower] = [Math.floor(top * ratio), Math.ceil((top + height) * ratio)];
  context.setTransform(1, 0, 0, 1, 0, 0);
  clearPixels(context, scene, left, upper, right - left, lower - upper);
  for (let i = from; i < to; i++) {
    const start = Math.max(left, bars.left[i] * ratio);
    const end = Math.min(right, (bars.left[i] + bars.width[i]) * ratio);
    if (end > start) paintThinBar(context, scene, bars.node[i], start, top * ratio, end - start, height * ratio);
  }
}

/** @param {CanvasRenderingContext2D} context @param {Scene} scene @param {number} depth @param {Stretch} stretch */
function paintWideRun(context, scene, depth, { from, to, left, right }) {
  const { ratio } = scene;
  const { top, height } = rowOfBars(scene, depth);
  const [upper, lower] = [Math.floor(top * ratio), Math.ceil((top + height) * ratio)];
  context.save();
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.beginPath();
  context.rect(left, upper, right - left, lower - upper);
  context.clip();
  clearPixels(context, scene, left, upper, right - left, lower - upper);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  paintBars(context, scene, depth, from, to);
  context.restore();
}

/** @param {Bars} bars @param {number} i @param {number} ratio */
function rightPixel(bars, i, ratio) {
  return Math.ceil((bars.left[i] + bars.width[i]) * ratio);
}

/**
 * Fill pixels with the background.
 * @param {CanvasRenderingContext2D} context @param {Scene} scene @param {number} left @param {number} top @param {number} width
 * @param {number} height
 */
function clearPixels(context, { theme }, left, top, width, height) {
  context.globalAlpha = 1;
  context.fillStyle = theme.background;
  context.fillRect(left, top, width, height);
}
