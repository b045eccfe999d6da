// Pointer, wheel and touch events on the canvas, translated into tap, double tap, hover, pan and zoom.
//
// The page must stay scrollable: a plain wheel or a single finger belongs to the page until the canvas has the focus;
// ctrl or ⌘ with the wheel, two fingers, and a dragged mouse always belong to the tree.

/**
 * @typedef {{
 *   tap: (x: number, y: number, event: PointerEvent) => void, double: (x: number, y: number) => void,
 *   hover: (x: number, y: number) => void, leave: () => void, pan: (dx: number, dy: number) => void,
 *   zoom: (factor: number, x: number, y: number) => void, end: () => void, isFocused: () => boolean,
 * }} Hooks
 */
/** @typedef {import("../../charts/scales.js").Pair} Pair across and down, in pixels */

const TAP_SLACK = 5;
const WHEEL_RATE = 0.0022;

export class Gestures {
  /** @param {HTMLElement} element @param {Hooks} on */
  constructor(element, on) {
    this.element = element;
    this.on = on;
    /** @type {Map<number, Pair>} */
    this.pointers = new Map();
    this.travelled = 0;
    element.addEventListener("pointerdown", (event) => this.down(event));
    element.addEventListener("pointermove", (event) => this.move(event));
    element.addEventListener("pointerup", (event) => this.up(event, true));
    element.addEventListener("pointercancel", (event) => this.up(event, false));
    element.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && on.leave());
    element.addEventListener("dblclick", (event) => on.double(...this.pointOf(event)));
    element.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
  }

  /** @param {MouseEvent} event @returns {Pair} */
  pointOf(event) {
    const bounds = this.element.getBoundingClientRect();
    return [event.clientX - bounds.left, event.clientY - bounds.top];
  }

  /** @param {PointerEvent} event */
  down(event) {
    if (event.button > 0) return;
    if (this.pointers.size === 0) this.travelled = 0;
    this.pointers.set(event.pointerId, this.pointOf(event));
  }

  /** @param {PointerEvent} event */
  move(event) {
    const point = this.pointOf(event);
    const before = this.pointers.get(event.pointerId);
    if (!before) {
      if (event.pointerType === "mouse") this.on.hover(...point);
      return;
    }
    this.travelled += Math.hypot(point[0] - before[0], point[1] - before[1]);
    if (this.pointers.size === 2) this.pinch(event.pointerId, before, point);
    else if (this.travelled > TAP_SLACK) this.drag(event, before, point);
    this.pointers.set(event.pointerId, point);
  }

  /** @param {PointerEvent} event @param {Pair} before @param {Pair} point */
  drag(event, before, point) {
    if (!this.element.hasPointerCapture(event.pointerId)) this.element.setPointerCapture(event.pointerId);
    this.on.pan(point[0] - before[0], point[1] - before[1]);
  }

  /** @param {number} id @param {Pair} before @param {Pair} point */
  pinch(id, before, point) {
    const [, other] = [...this.pointers].find(([pointer]) => pointer !== id) ?? [id, before];
    const distance = (/** @type {Pair} */ [x, y]) => Math.max(20, Math.hypot(x - other[0], y - other[1]));
    this.on.pan((point[0] - before[0]) / 2, (point[1] - before[1]) / 2);
    this.on.zoom(distance(point) / distance(before), (point[0] + other[0]) / 2, (point[1] + other[1]) / 2);
    this.travelled += TAP_SLACK;
  }

  /** @param {PointerEvent} event @param {boolean} isDone */
  up(event, isDone) {
    if (!this.pointers.delete(event.pointerId)) return;
    if (isDone && this.pointers.size === 0 && this.travelled <= TAP_SLACK) this.on.tap(...this.pointOf(event), event);
    else this.on.end();
  }

  /** @param {WheelEvent} event */
  wheel(event) {
    if (!event.ctrlKey && !event.metaKey && !this.on.isFocused()) return;
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 16 : 1;
    const rate = WHEEL_RATE * (event.ctrlKey ? 3 : 1);
    const factor = Math.exp(-Math.max(-200, Math.min(200, event.deltaY * lines)) * rate);
    this.on.zoom(factor, ...this.pointOf(event));
  }
}
