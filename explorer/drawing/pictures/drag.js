// What can be dragged in a picture: with the mouse, by touch, and by the arrow keys. All places are in units of the picture.

/** @typedef {import("./canvas.js").Area} PicArea */
/** @typedef {import("./canvas.js").PictureCanvas} PictureCanvas */

import { makeElement } from "../tree_view/dom.js";

/** @type {Record<string, number[]>} */
const KEY_MOVES = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  PageUp: [0, -10],
  PageDown: [0, 10],
};

/**
 * @typedef Drag
 * @property {(x: number, y: number) => void} onDrag
 * @property {() => void} [onEnd] when it is let go
 * @property {string} [handle] the key of the handle that has the focus then
 */
/**
 * @typedef HandleFields
 * @property {number} x
 * @property {number} y
 * @property {number} [radius]
 * @property {string} label its accessible name
 * @property {string} said what its place means
 * @property {number | string} [now] a number for it
 * @property {number} [min]
 * @property {number | string} [max]
 * @property {(right: number, down: number) => void} [onKey] steps of the arrow keys, ten with Shift or the page keys
 * @property {(isLast: boolean) => void} [onEnds] for Home and End
 */
/** @typedef {Drag & HandleFields} Handle */

/**
 * A round handle at (x, y) over what is drawn there: a slider to a screen reader.
 * @param {PictureCanvas} canvas @param {string} key @param {Handle} handle
 */
export function putHandle(canvas, key, handle) {
  const radius = handle.radius ?? 16;
  const box = { x: handle.x - radius, y: handle.y - radius, width: 2 * radius, height: 2 * radius };
  const element = canvas.control(key, box.x, box.y, box.width, makeHandle, box.height);
  const { label, said, now = 0, min = 0, max = 1 } = handle;
  const spoken = { "aria-label": label, "aria-valuetext": said, "aria-valuenow": now, "aria-valuemin": min, "aria-valuemax": max };
  for (const [name, value] of Object.entries(spoken)) element.setAttribute(name, String(value));
  listenToDrag(canvas, element, handle);
  element.onkeydown = (event) => takeKey(event, handle);
  return element;
}

function makeHandle() {
  return makeElement("div", "pic-handle", { role: "slider", tabindex: 0 });
}

/**
 * A part of the picture where pressing moves something to that place, and dragging on: onDrag(x, y), onEnd(); `handle`
 * is the key of the handle that has the focus then, so that keys go on from there.
 * @param {PictureCanvas} canvas @param {string} key @param {PicArea & Drag} area
 */
export function putDragArea(canvas, key, { x, y, width, height, ...area }) {
  const element = canvas.control(key, x, y, width, () => makeElement("div", "pic-drag-area"), height);
  listenToDrag(canvas, element, area);
  return element;
}

/**
 * A rectangle drawn in the picture that takes drags: `onDrag(x, y)` while the pointer is down, `onHover([x, y] or null)`
 * while it is not. It has no place in the order of keys: a slider does the same there.
 * @param {PictureCanvas} canvas @param {string} key @param {PicArea} picArea @param {(x: number, y: number) => void} onDrag
 * @param {(place: [x: number, y: number] | null) => void} [onHover]
 */
export function putDragSurface(canvas, key, { x, y, width, height }, onDrag, onHover = () => {}) {
  const surface = canvas.put(key, "rect", { x, y, width, height, fill: "transparent", class: "pic-drag" });
  surface.onpointerdown = (event) => {
    surface.setPointerCapture(event.pointerId);
    onDrag(...canvas.placeOf(event));
  };
  surface.onpointermove = (event) => {
    if (event.buttons & 1) onDrag(...canvas.placeOf(event)); // a surface that is raised loses its capture
    else onHover(canvas.placeOf(event));
  };
  surface.onpointerleave = () => onHover(null);
  return surface;
}

/** @param {PictureCanvas} canvas @param {HTMLElement} element @param {Drag} drag */
function listenToDrag(canvas, element, { onDrag, onEnd = () => {}, handle = "" }) {
  element.onpointerdown = (event) => {
    if (event.button !== 0) return;
    event.preventDefault();
    element.setPointerCapture(event.pointerId);
    (canvas.controls.get(handle) ?? element).focus({ preventScroll: true });
    canvas.setDragging(true);
    onDrag(...canvas.placeOf(event));
  };
  element.onpointermove = (event) => {
    if (element.hasPointerCapture(event.pointerId)) onDrag(...canvas.placeOf(event));
  };
  element.onlostpointercapture = () => {
    canvas.setDragging(false);
    onEnd();
  };
}

/** @param {KeyboardEvent} event @param {Handle} handle */
function takeKey(event, { onKey, onEnds }) {
  const isEnd = event.key === "Home" || event.key === "End";
  if (isEnd && onEnds) onEnds(event.key === "End");
  else if (KEY_MOVES[event.key] && onKey) {
    const times = event.shiftKey ? 10 : 1;
    const [right, down] = KEY_MOVES[event.key];
    onKey(right * times, down * times);
  } else return;
  event.preventDefault();
  event.stopPropagation();
}
