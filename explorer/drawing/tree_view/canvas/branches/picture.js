// The drawing of a large tree as a picture that is kept: a frame paints only the tiles in which something looks different
// than in the frame before, and copies the picture to the canvas, where the marks of single nodes come over it.
//
// tile     a square of pixels; what is painted again is clipped to tiles, so that it is what painting everything would give
// reach    by how many pixels a node's texts and outlines can stand out of its box and its edge

/** @typedef {import("../offscreen/kept_picture.js").Area} Area */
/** @typedef {import("../level_of_detail.js").Marks} Marks */
/** @typedef {import("../scene/scene.js").Scene} Scene */

import { paintBranches } from "./branches.js";
import { alongOf, boxOf, DOT, placeAnew } from "../level_of_detail.js";
import { LOOSE_EDGE_STEP } from "../dots.js";
import { KeptPicture } from "../offscreen/kept_picture.js";
import { MANY_DOTS } from "../scene/scene.js";

const TILE = 32; // pixels of the canvas
const MOST_REPAINTED = 0.15; // of the tiles; with more of them, painting everything costs less
const [DOT_REACH, TEXT_REACH] = [4, 190];

export class BranchPicture {
  /** `canvas` has no place on the page. @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.kept = new KeptPicture(canvas);
    this.selected = -1;
    this.painted = 0; // share of the tiles painted in the last frame, without what panning brought into sight
    this.wide = 0; // tiles in a row
    this.tiles = new Uint8Array(0);
  }

  /**
   * Bring the picture up to date with a scene, and copy it to the scene's canvas; a small tree is painted there at once.
   * @param {CanvasRenderingContext2D} context @param {Scene} scene
   */
  paint(context, scene) {
    placeAnew(scene);
    if (scene.layout.count <= MANY_DOTS) {
      this.kept.forget();
      paintWhole(context, scene);
      return;
    }
    const { frame, marks, rowPath, showIds, tree } = scene;
    const key = [marks, frame.mode, marks.dense.map(Number).join(""), rowPath.size > 0 ? rowPath : null, showIds];
    const areas = this.kept.follow(scene, key, context.canvas);
    this.painted = areas === null || tree.targetBars ? 1 : this.markTiles(scene);
    if (areas === null || this.painted > MOST_REPAINTED) this.paintAll(scene);
    else this.paintAreas(scene, [...areas, ...this.markedAreas()]);
    this.selected = scene.selected;
    this.kept.copyTo(context, scene);
  }

  /** @param {Scene} scene */
  paintAll(scene) {
    const { context } = this.kept;
    this.painted = 1;
    context.setTransform(scene.ratio, 0, 0, scene.ratio, 0, 0);
    paintWhole(context, scene);
  }

  /**
   * Mark the tiles of all nodes that look different, also of those that the path to the selected node has left or met.
   * @param {Scene} scene
   */
  markTiles(scene) {
    const { repaints, selected, tree } = scene;
    const { width, height } = this.kept.canvas;
    this.wide = Math.ceil(width / TILE);
    this.tiles = new Uint8Array(this.wide * Math.ceil(height / TILE));
    for (let i = 0; i < repaints.size; i++) this.markNode(scene, repaints.ids[i]);
    let [one, other] = [this.selected, selected];
    while (one !== other) {
      this.markNode(scene, Math.max(one, other));
      [one, other] = one > other ? [tree.parent[one], other] : [one, tree.parent[other]];
    }
    return this.tiles.reduce((sum, isMarked) => sum + isMarked, 0) / this.tiles.length;
  }

  /** Mark the tiles that a node and its edge may touch. @param {Scene} scene @param {number} t */
  markNode(scene, t) {
    const { layout, ratio, tree } = scene;
    if (!layout.shown[t]) return;
    const [box, above] = [boxOf(scene, t), boxOf(scene, t > 0 ? tree.parent[t] : t)];
    const reach = reachOf(scene, tree.depth[t]);
    const tileOf = (/** @type {number} */ pixel, /** @type {number} */ most) => Math.max(0, Math.min(most, Math.floor((pixel * ratio) / TILE)));
    const high = this.tiles.length / this.wide;
    const left = tileOf(Math.min(box.x - box.halfWidth, above.x) - reach, this.wide);
    const right = tileOf(Math.max(box.x + box.halfWidth, above.x) + reach, this.wide - 1);
    const top = tileOf(Math.min(box.y - box.halfHeight, above.y) - reach, high);
    const bottom = tileOf(Math.max(box.y + box.halfHeight, above.y) + reach, high - 1);
    for (let row = top; row <= bottom; row++) this.tiles.fill(1, row * this.wide + left, row * this.wide + right + 1);
  }

  /** The marked tiles, neighbours in a row together. */
  markedAreas() {
    const areas = [];
    for (let start = 0; start < this.tiles.length; start++) {
      if (this.tiles[start] === 0) continue;
      let end = start + 1;
      while (end % this.wide !== 0 && this.tiles[end] === 1) end += 1;
      areas.push({ left: (start % this.wide) * TILE, top: Math.floor(start / this.wide) * TILE, width: (end - start) * TILE, height: TILE });
      start = end - 1;
    }
    return areas;
  }

  /** @param {Scene} scene @param {Area[]} areas */
  paintAreas(scene, areas) {
    const { marks } = scene;
    const before = { from: marks.from, to: marks.to, drawn: marks.drawn };
    for (const area of areas) this.paintArea(scene, before, area);
    Object.assign(marks, before);
  }

  /**
   * Paint a rectangle of pixels: the nodes that may touch it, clipped to it.
   * @param {Scene} scene @param {Pick<Marks, "from" | "to">} before @param {Area} area
   */
  paintArea(scene, { from, to }, { left, top, width, height }) {
    const { context } = this.kept;
    const { frame, layout, marks, ratio } = scene;
    const [x, y] = [[left / ratio, (left + width) / ratio], [top / ratio, (top + height) / ratio]];
    const [along, deep] = frame.mode === "right" ? [y, x] : [x, y];
    const ranges = layout.levels.map((_, depth) => rangeWithin(scene, depth, from[depth], to[depth], along, deep));
    [marks.from, marks.to] = [ranges.map(([first]) => first), ranges.map(([, end]) => end)];
    context.save();
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.beginPath();
    context.rect(left, top, width, height);
    context.clip();
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    paintWhole(context, scene);
    context.restore();
  }
}

/** @param {CanvasRenderingContext2D} context @param {Scene} scene */
function paintWhole(context, scene) {
  const { frame, theme } = scene;
  context.globalAlpha = 1;
  context.fillStyle = theme.background;
  context.fillRect(0, 0, frame.width, frame.height);
  paintBranches(context, scene);
}

/** @param {Scene} scene @param {number} depth */
function reachOf({ marks }, depth) {
  return (marks.mosts[depth] === DOT && (marks.mosts[depth - 1] ?? DOT) === DOT ? DOT_REACH : TEXT_REACH) * marks.scale;
}

/**
 * The part of a level's nodes [from, to) whose marks or edges may touch a stretch along the level and one of the depth. It
 * begins and ends with all nodes of a column, of which one is painted. Edges do not cross, so both their ends ascend.
 * @param {Scene} scene @param {number} depth @param {number} from @param {number} to @param {number[]} along
 * @param {number[]} deep
 */
function rangeWithin(scene, depth, from, to, along, deep) {
  const { layout, marks, tree } = scene;
  const reach = reachOf(scene, depth);
  const place = marks.places[depth];
  const isBeside = place + marks.bands[depth] + reach < deep[0] || (marks.places[depth - 1] ?? place - marks.bands[depth]) - reach > deep[1];
  if (isBeside || from >= to) return [from, from];
  if (marks.spread[depth]) return [from, to];
  const level = layout.levels[depth];
  const at = (/** @type {number} */ i) => alongOf(scene, level[i]);
  const above = (/** @type {number} */ i) => (depth === 0 ? at(i) : alongOf(scene, tree.parent[level[i]]));
  let first = firstIndex(from, to, (i) => Math.max(at(i), above(i)) >= along[0] - reach);
  let end = firstIndex(first, to, (i) => Math.min(at(i), above(i)) > along[1] + reach);
  const step = (/** @type {number} */ i) => Math.floor(at(i) / LOOSE_EDGE_STEP);
  while (first > from && first < to && step(first - 1) === step(first)) first -= 1;
  while (end < to && end > first && step(end) === step(end - 1)) end += 1;
  return [first, end];
}

/**
 * The first number in [from, to) that passes, if all after one that passes do; `to` if none does.
 * @param {number} from @param {number} to @param {(i: number) => boolean} passes
 */
function firstIndex(from, to, passes) {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (passes(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
