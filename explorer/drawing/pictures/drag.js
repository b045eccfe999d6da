// What can be dragged in a picture: with the mouse, by touch, and by the arrow keys. All places are in units of the picture.

import { makeElement } from "../tree_view/dom.js";

const KEY_MOVES = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  PageUp: [0, -10],
  PageDown: [0, 10],
};

/**
 * A round handle at (x, y) over what is drawn there: a slider to a screen reader.
 *
 * handle: {x, y, radius, label (its accessible name), said (what its place means), now, min, max (a number for it),
 * onDrag(x, y), onKey(right, down): steps of the arrow keys, ten with Shift or the page keys,
 * onEnds(isLast) for Home and End, onEnd() when it is let go}.
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
 */
export function putDragArea(canvas, key, { x, y, width, height, ...area }) {
  const element = canvas.control(key, x, y, width, () => makeElement("div", "pic-drag-area"), height);
  listenToDrag(canvas, element, area);
  return element;
}

/**
 * A rectangle drawn in the picture that takes drags: `onDrag(x, y)` while the pointer is down, `onHover([x, y] or null)`
 * while it is not. It has no place in the order of keys: a slider does the same there.
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

function listenToDrag(canvas, element, { onDrag, onEnd = () => {}, handle = null }) {
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

function takeKey(event, { onKey, onEnds }) {
  const isEnd = event.key === "Home" || event.key === "End";
  if (isEnd && onEnds) onEnds(event.key === "End");
  else if (KEY_MOVES[event.key] && onKey) {
    const times = event.shiftKey ? 10 : 1;
    onKey(...KEY_MOVES[event.key].map((steps) => steps * times));
  } else return;
  event.preventDefault();
  event.stopPropagation();
}
