// Where the small marks of nodes stand: signs on a box's corners, the tag of the node that is pruned next.
//
// words    boxes {x, y, halfWidth, halfHeight} in pixels of what is to be read: inner parts of nodes, dots, branch texts,
//          and the marks that stand already
// A mark takes the first of its places that is clear of all words.

/** @typedef {import("./level_of_detail.js").Rect} Rect */
/** @typedef {import("./scene/scene.js").Scene} Scene */

import { boxOf, DOT } from "./level_of_detail.js";
import { plateOf } from "./edges.js";

const CELL = 80; // pixels of the grid by which words near a place are found
const FRAME = 4; // of a box: what is within may be words
const LIFT = 4; // from a box's edge to the middle of a mark on its corner, so that it ends above the words
const HALF_PLATE = 8;
export const ABOVE = 4; // so many of a box's corners are above it

export class Words {
  /** @param {Scene} scene */
  constructor(scene) {
    /** @type {Map<string, Rect[]>} */
    this.cells = new Map();
    const { layout, marks } = scene;
    layout.levels.forEach((level, depth) => {
      if (marks.dense[depth]) return;
      for (let i = marks.from[depth]; i < marks.to[depth]; i++) if (!scene.isOffScreen(level[i])) this.addNode(scene, level, i);
    });
  }

  /** @param {Scene} scene @param {Int32Array} level @param {number} i */
  addNode(scene, level, i) {
    const [box, { scale }] = [boxOf(scene, level[i]), scene.marks];
    const frame = box.kind === DOT ? 0 : FRAME * scale;
    this.add({ ...box, halfWidth: box.halfWidth - frame, halfHeight: box.halfHeight - frame });
    if (scene.tree.isByHand(level[i])) this.add({ x: box.x + box.halfWidth - 4 * scale, y: box.y - box.halfHeight + 4 * scale, halfWidth: 6 * scale, halfHeight: 6 * scale });
    const plate = plateOf(scene, level, i);
    if (plate !== null) this.add(plate);
  }

  /** @param {Rect} box */
  add(box) {
    forEachCell(box, (key) => this.cells.set(key, [...(this.cells.get(key) ?? []), box]));
  }

  /** @param {Rect} box */
  isClear(box) {
    let isClear = true;
    forEachCell(box, (key) => {
      isClear &&= !(this.cells.get(key) ?? []).some((other) => touches(box, other));
    });
    return isClear;
  }

  /** The first of some places that is clear of all words, which it is part of from then on; else null. @param {Rect[]} places */
  take(places) {
    const place = places.find((one) => this.isClear(one)) ?? null;
    if (place !== null) this.add(place);
    return place;
  }
}

/** @param {Rect} rect @param {(cell: string) => void} visit */
function forEachCell({ x, y, halfWidth, halfHeight }, visit) {
  for (let column = Math.floor((x - halfWidth) / CELL); column <= Math.floor((x + halfWidth) / CELL); column++) {
    for (let row = Math.floor((y - halfHeight) / CELL); row <= Math.floor((y + halfHeight) / CELL); row++) visit(`${column} ${row}`);
  }
}

/** @param {Rect} a @param {Rect} b */
function touches(a, b) {
  return Math.abs(a.x - b.x) < a.halfWidth + b.halfWidth && Math.abs(a.y - b.y) < a.halfHeight + b.halfHeight;
}

/**
 * The places on a box's corners of a plate so wide, within the area: above it first, then farther out, then below.
 * @param {Rect} rect @param {Scene} scene @param {number} width
 */
export function cornersOf({ x, y, halfWidth, halfHeight }, { frame, marks: { scale } }, width, first = -1) {
  const half = (width / 2) * scale;
  const isVisible = x + halfWidth > 0 && x - halfWidth < frame.width;
  const within = (/** @type {number} */ value, /** @type {number} */ most) => (isVisible ? Math.max(half + 1, Math.min(value, most - half - 1)) : value);
  const places = [[first, -1, 6], [-first, -1, 6], [first, -1, 14], [-first, -1, 14], [first, 1, 6], [-first, 1, 6]];
  return places.map(([side, end, out]) => ({
    x: within(x + side * (halfWidth - half + out * scale), frame.width),
    y: Math.max((HALF_PLATE + 0.5) * scale, y + end * (halfHeight + LIFT * scale)),
    halfWidth: half,
    halfHeight: (HALF_PLATE - 0.5) * scale,
  }));
}

/** The places beside a dot of a sign so wide. @param {Rect} rect @param {Scene} scene @param {number} width */
export function besideDot({ x, y, halfWidth }, { marks: { scale } }, width) {
  const aside = halfWidth + (width / 2 - 2) * scale;
  return [[1, -0.4], [-1, -0.4], [1, 0.8], [-1, 0.8]].map(([side, down]) => ({
    x: x + side * aside,
    y: y + down * halfWidth,
    halfWidth: (width / 2 - 3) * scale,
    halfHeight: 4.5 * scale,
  }));
}
