// Pointer, wheel and touch on the canvas, told as what they mean: tap, double tap, hover, pan, zoom.
//
// The page must stay scrollable: a plain wheel or a single finger belongs to the page until the canvas has the focus;
// ctrl or ⌘ with the wheel, two fingers, and a dragged mouse always belong to the tree.

const TAP_SLACK = 5;
const WHEEL_RATE = 0.0022;

export class Gestures {
  /** `on` has tap, double, hover, leave, pan, zoom, end and isFocused. */
  constructor(element, on) {
    this.element = element;
    this.on = on;
    this.pointers = new Map();
    this.travelled = 0;
    element.addEventListener("pointerdown", (event) => this.down(event));
    element.addEventListener("pointermove", (event) => this.move(event));
    element.addEventListener("pointerup", (event) => this.up(event, true));
    element.addEventListener("pointercancel", (event) => this.up(event, false));
    element.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && on.leave());
    element.addEventListener("dblclick", (event) => on.double(...this.place(event)));
    element.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
  }

  place(event) {
    const bounds = this.element.getBoundingClientRect();
    return [event.clientX - bounds.left, event.clientY - bounds.top];
  }

  down(event) {
    if (event.button > 0) return;
    if (this.pointers.size === 0) this.travelled = 0;
    this.pointers.set(event.pointerId, this.place(event));
  }

  move(event) {
    const here = this.place(event);
    const before = this.pointers.get(event.pointerId);
    if (!before) {
      if (event.pointerType === "mouse") this.on.hover(...here);
      return;
    }
    this.travelled += Math.hypot(here[0] - before[0], here[1] - before[1]);
    if (this.pointers.size === 2) this.pinch(event.pointerId, before, here);
    else if (this.travelled > TAP_SLACK) this.drag(event, before, here);
    this.pointers.set(event.pointerId, here);
  }

  drag(event, before, here) {
    if (!this.element.hasPointerCapture(event.pointerId)) this.element.setPointerCapture(event.pointerId);
    this.on.pan(here[0] - before[0], here[1] - before[1]);
  }

  pinch(id, before, here) {
    const [, other] = [...this.pointers].find(([pointer]) => pointer !== id);
    const apart = (point) => Math.max(20, Math.hypot(point[0] - other[0], point[1] - other[1]));
    this.on.pan((here[0] - before[0]) / 2, (here[1] - before[1]) / 2);
    this.on.zoom(apart(here) / apart(before), (here[0] + other[0]) / 2, (here[1] + other[1]) / 2);
    this.travelled += TAP_SLACK;
  }

  up(event, isDone) {
    if (!this.pointers.delete(event.pointerId)) return;
    if (isDone && this.pointers.size === 0 && this.travelled <= TAP_SLACK) this.on.tap(...this.place(event), event);
    else this.on.end();
  }

  wheel(event) {
    if (!event.ctrlKey && !event.metaKey && !this.on.isFocused()) return;
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 16 : 1;
    const rate = WHEEL_RATE * (event.ctrlKey ? 3 : 1);
    const factor = Math.exp(-Math.max(-200, Math.min(200, event.deltaY * lines)) * rate);
    this.on.zoom(factor, ...this.place(event));
  }
}
