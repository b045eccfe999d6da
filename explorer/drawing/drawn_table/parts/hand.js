// What a hand does on the canvas: mouse, pen and finger, and the same by keys.

/** @typedef {import("../model/points.js").Target} Target */

import { MOST_POINTS, STEPS, VALUE_STEPS, classesOf, nearestPoint, stepNear } from "../model/points.js";
import { pixelsPerStep, stepsAt } from "../draw/frame.js";

/**
 * @typedef Board what the hand works on
 * @property {import("../draw/plot.js").Plot} plot
 * @property {() => Point[]} points
 * @property {() => Target} target
 * @property {() => string | number} brush
 * @property {() => number} grid
 * @property {(place: Place, isWhole?: boolean) => number} add gives the index
 * @property {(index: number, place: Place, isWhole?: boolean) => void} move
 * @property {(index: number) => void} remove
 * @property {(index: number, mark: number) => void} mark
 * @property {(mark: number) => void} pick
 * @property {() => void} drop
 * @property {(index: number) => void} goTo
 * @property {(index: number) => void} focus
 * @property {Place} cursor
 * @property {() => void} showCursor
 */
/** @typedef {import("../model/points.js").Place} Place */
/** @typedef {import("../model/points.js").Point} Point */

const REACH = 14;
/** @type {Record<string, number[]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
const [STEP, LARGE_STEP] = [10, 100];

export class Hand {
  /** @param {Board} board */
  constructor(board) {
    this.board = board;
    /** @type {{ index: number, offset: Place } | null} */
    this.held = null;
    const { svg } = board.plot;
    svg.addEventListener("pointerdown", (event) => this.onDown(event));
    svg.addEventListener("pointermove", (event) => this.onMove(event));
    for (const name of ["pointerup", "pointercancel"]) svg.addEventListener(name, () => this.onUp());
    svg.addEventListener("keydown", (event) => this.onKey(event));
    svg.addEventListener("focusin", (event) => this.onFocus(event));
    svg.addEventListener("focusout", () => this.board.showCursor());
  }

  /** @param {FocusEvent} event */
  onFocus(event) {
    const index = pointOf(event);
    if (index >= 0) this.board.focus(index);
    this.board.showCursor();
  }

  /** @param {PointerEvent} event */
  placeOf(event) {
    const box = this.board.plot.svg.getBoundingClientRect();
    const { frame } = this.board.plot;
    const [x, y] = stepsAt(frame, ((event.clientX - box.left) * frame.width) / box.width, ((event.clientY - box.top) * frame.height) / box.height);
    return { x, y };
  }

  /** The place on the grid, within the canvas. @param {Place} place */
  snapped({ x, y }) {
    const grid = this.board.grid();
    return { x: stepNear(x, STEPS, grid), y: stepNear(y, STEPS, grid) };
  }

  /** @param {PointerEvent} event */
  onDown(event) {
    if (event.button > 0) return;
    const at = this.placeOf(event);
    if (at.x < -20 || at.x > STEPS + 20 || at.y < -20 || at.y > STEPS + 20) return;
    event.preventDefault();
    const hit = nearestPoint(this.board.points(), at.x, at.y, REACH, pixelsPerStep(this.board.plot.frame));
    if (this.board.brush() === "erase") {
      if (hit >= 0) this.board.remove(hit);
      return;
    }
    const isFull = this.board.points().length >= MOST_POINTS;
    if (hit < 0 && isFull) return;
    const index = hit >= 0 ? hit : this.board.add(this.snapped(at));
    const point = this.board.points()[index];
    this.held = { index, offset: { x: point.x - at.x, y: point.y - at.y } };
    this.board.plot.focusPoint(index);
    this.board.plot.svg.setPointerCapture(event.pointerId);
  }

  /** @param {PointerEvent} event */
  onMove(event) {
    if (!this.held) return;
    const at = this.placeOf(event);
    const { index, offset } = this.held;
    const to = this.snapped({ x: at.x + offset.x, y: at.y + offset.y });
    const from = this.board.points()[index];
    if (to.x !== from.x || to.y !== from.y) this.board.move(index, to);
  }

  onUp() {
    if (!this.held) return;
    this.held = null;
    this.board.drop();
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const index = pointOf(event);
    const done = index >= 0 ? this.pointKey(event, index) : this.canvasKey(event);
    if (!done) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /**
   * A key on a point: arrows move it, Delete removes it, digits set its class or value, others lead to its neighbours.
   * @param {KeyboardEvent} event @param {number} index
   */
  pointKey(event, index) {
    const { board } = this;
    const point = board.points()[index];
    const to = this.moved(point, event);
    if (to) board.move(index, to, true);
    else if (event.key === "Delete" || event.key === "Backspace") board.remove(index);
    else if (event.key === "n" || event.key === "PageDown") board.goTo((index + 1) % board.points().length);
    else if (event.key === "b" || event.key === "PageUp") board.goTo((index + board.points().length - 1) % board.points().length);
    else if (event.key === "Escape") board.plot.svg.focus();
    else {
      const mark = markOfKey(event.key, board.target());
      if (mark === null) return false;
      board.mark(index, mark);
    }
    return true;
  }

  /**
   * A key on the canvas: arrows move the cursor, Enter adds a point there, digits choose the class or value to draw.
   * @param {KeyboardEvent} event
   */
  canvasKey(event) {
    const { board } = this;
    const to = this.moved(board.cursor, event);
    if (to) {
      board.cursor = to;
      board.showCursor();
      return true;
    }
    if (event.key === "Enter" || event.key === " ") {
      if (board.points().length < MOST_POINTS) board.add(this.snapped(board.cursor), true);
      return true;
    }
    const mark = markOfKey(event.key, board.target());
    if (mark === null) return false;
    board.pick(mark);
    return true;
  }

  /**
   * Where an arrow key leads from a place; null for other keys. With Shift the steps are ten times as large.
   * @param {Place} place @param {KeyboardEvent} event
   */
  moved({ x, y }, { key, shiftKey }) {
    const way = ARROWS[key];
    if (!way) return null;
    const size = shiftKey ? LARGE_STEP : Math.max(STEP, this.board.grid());
    return this.snapped({ x: x + way[0] * size, y: y + way[1] * size });
  }
}

/** The point that an event is about, −1 for none. @param {Event} event */
function pointOf(event) {
  const { point } = /** @type {SVGElement} */ (event.target).dataset;
  return point === undefined ? -1 : Number(point);
}

/** The class (1 is the first) or the number (0 to 9) of a digit; null for other keys. @param {string} key @param {Target} target */
export function markOfKey(key, target) {
  if (!/^\d$/.test(key)) return null;
  const classes = classesOf(target);
  if (!classes) return (Number(key) * VALUE_STEPS) / 10;
  return Number(key) >= 1 && Number(key) <= classes ? Number(key) - 1 : null;
}
