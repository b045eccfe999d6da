// What a picture is drawn on: an <svg> whose elements have keys, so that an element drawn again moves to its new place,
// and HTML controls over it. Positions are in units of `scale` pixels; the picture says its size by `width` and `height`.
// Elements stand above those drawn before them: a new one is put in right after the one that was drawn last.

import { brokenText, shortenedText, textWidth } from "./text.js";
import { SVG_SPACE, makeElement } from "../tree_view/dom.js";

const LENGTHS = new Set(["x", "y", "width", "height", "cx", "cy", "r", "rx"]);
const FADE_MS = 400;

export function makeCanvas(root) {
  return new Canvas(root);
}

class Canvas {
  constructor(root) {
    this.root = root;
    this.svg = document.createElementNS(SVG_SPACE, "svg");
    this.svg.setAttribute("class", "pic-svg");
    this.svg.setAttribute("role", "img");
    this.layer = makeElement("div", "pic-controls");
    root.append(this.svg, this.layer);
    [this.known, this.controls, this.drawn] = [new Map(), new Map(), new Set()];
    [this.width, this.height, this.isDragging] = [0, 0, false];
  }

  /** Begin a drawing; `width` and `height` are its size from now on. In another size, nothing glides to its place. */
  begin(says, scale, theme) {
    const [width, height] = [this.root.clientWidth / scale, this.root.clientHeight / scale];
    this.settle(width !== this.width || height !== this.height);
    this.svg.setAttribute("aria-label", says);
    [this.scale, this.theme, this.width, this.height, this.last] = [scale, theme, width, height, null];
    this.svg.setAttribute("viewBox", `0 0 ${this.width} ${this.height}`);
    this.layer.style.setProperty("--pic-scale", scale);
    this.drawn.clear();
  }

  /** Draw without motion until the next frame, if `isResized`. */
  settle(isResized) {
    if (!isResized) return;
    this.root.classList.add("pic-still");
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => requestAnimationFrame(() => this.root.classList.remove("pic-still")));
  }

  /** While something is dragged, everything follows at once. */
  setDragging(isDragging) {
    this.isDragging = isDragging;
    this.root.classList.toggle("pic-dragging", isDragging);
  }

  /** Where a pointer is, in units of the picture. */
  placeOf(event) {
    const { left, top } = this.root.getBoundingClientRect();
    return [(event.clientX - left) / this.scale, (event.clientY - top) / this.scale];
  }

  /**
   * An element with a key, drawn or moved; a text is set by `text`. Attributes x, y, width, height, cx, cy, r and the
   * place of a text move smoothly; so does d, where both paths have the same commands. Gives the element.
   */
  put(key, tag, attributes = {}, text = null) {
    let element = this.known.get(key);
    if (element && element.tagName !== tag) {
      element.remove();
      element = null;
    }
    const isNew = !element;
    element ??= document.createElementNS(SVG_SPACE, tag);
    this.known.set(key, element);
    this.drawn.add(key);
    for (const [name, value] of Object.entries(attributes)) setAttribute(element, tag, name, value);
    if (text !== null && element.textContent !== text) element.textContent = text;
    if (isNew) this.appear(element);
    [this.previous, this.last] = [this.last, element];
    return element;
  }

  /** The element just put, behind all others; what is put next follows the one before it. */
  behind(element) {
    if (this.svg.firstElementChild !== element && !element.dataset.behind) this.svg.prepend(element);
    element.dataset.behind = "yes";
    this.last = this.previous;
    return element;
  }

  appear(element) {
    element.classList.add("pic-new");
    if (this.last) this.last.after(element);
    else this.svg.prepend(element);
    requestAnimationFrame(() => requestAnimationFrame(() => element.classList.remove("pic-new")));
  }

  /** A text at a place; `anchor` is start, middle or end, `kind` a class of the style sheet (pic-label, pic-number …). */
  text(key, x, y, text, { anchor = "start", kind = "pic-label", fill = null } = {}) {
    return this.put(key, "text", { x, y, class: kind, "text-anchor": anchor, fill }, text);
  }

  /** A text of as many lines as it needs within `width`, the first at (x, y); gives the number of lines. */
  lines(key, x, y, width, text, { lineHeight = 21, ...options } = {}) {
    const lines = this.brokenText(text, width, options.kind);
    lines.forEach((line, index) => this.text(`${key} ${index}`, x, y + index * lineHeight, line, options));
    return lines.length;
  }

  /** Put the element with a key above all others. */
  raise(key) {
    const element = this.known.get(key);
    if (this.svg.lastElementChild !== element) this.svg.append(element);
  }

  /** How wide a text is. */
  textWidth(text, kind = "pic-label") {
    return textWidth(text, kind, this.theme.font);
  }

  /** The text, shortened with an ellipsis where it is wider than `most`. */
  shortened(text, most, kind = "pic-label") {
    return shortenedText(text, most, (part) => this.textWidth(part, kind));
  }

  /** The text in lines no wider than `most`. */
  brokenText(text, most, kind = "pic-label") {
    return brokenText(text, most, (part) => this.textWidth(part, kind));
  }

  /** A path from points [[x, y], …]. */
  line(key, points, attributes = {}) {
    const d = points.map(([x, y], index) => `${index ? "L" : "M"}${x.toFixed(2)} ${y.toFixed(2)}`).join(" ");
    return this.put(key, "path", { class: "pic-line", fill: "none", ...attributes, d });
  }

  /** An HTML control with a key, made once by `make()`, at (x, y) with this width (and height); gives the element. */
  control(key, x, y, width, make, height = null) {
    const element = this.controls.get(key) ?? make();
    if (!this.controls.has(key)) {
      this.controls.set(key, element);
      this.layer.append(element);
    }
    this.drawn.add(`control ${key}`);
    const box = { left: x, top: y, width, ...(height === null ? {} : { height }) };
    for (const [name, value] of Object.entries(box)) element.style[name] = `${value * this.scale}px`;
    return element;
  }

  /** A slider as a control: `label` is its accessible name, `said` what its value means; onInput(value). Whole numbers from 0, unless given. */
  slider(key, { x, y, width, label, min = 0, max, step = 1, value, said, onInput }) {
    const input = this.control(key, x, y, width, () => makeElement("input", "pic-slider", { type: "range" }));
    input.oninput = () => onInput(Number(input.value));
    for (const [name, given] of Object.entries({ min, max, step, "aria-label": label, "aria-valuetext": said })) {
      input.setAttribute(name, String(given));
    }
    if (Number(input.value) !== value) input.value = String(value);
    return input;
  }

  /** A button as a control, with its text (`label` is its accessible name, where the text alone does not say enough). */
  button(key, { x, y, width, height = null, text, label = text, isPressed = null, isDisabled = false, onPress }) {
    const element = this.control(key, x, y, width, () => makeElement("button", "pic-button", { type: "button" }), height);
    if (element.textContent !== text) element.textContent = text;
    element.setAttribute("aria-label", label);
    if (isPressed !== null) element.setAttribute("aria-pressed", String(isPressed));
    element.disabled = isDisabled;
    element.onclick = onPress;
    return element;
  }

  /** End a drawing: what was not drawn again leaves. */
  end() {
    for (const [key, element] of this.known) {
      if (this.drawn.has(key)) continue;
      this.known.delete(key);
      element.classList.add("pic-leaving");
      setTimeout(() => element.remove(), FADE_MS);
    }
    for (const [key, element] of this.controls) {
      if (this.drawn.has(`control ${key}`)) continue;
      this.controls.delete(key);
      element.remove();
    }
  }
}

function setAttribute(element, tag, name, value) {
  if (tag === "text" && (name === "x" || name === "y")) {
    element.style.setProperty(`--${name}`, `${value}px`);
  } else if (tag === "text" && name === "fill") {
    element.style.fill = value ?? "";
  } else if (LENGTHS.has(name)) {
    element.style.setProperty(name, `${value}px`);
  } else if (name === "class") {
    const state = [...element.classList].filter((each) => each === "pic-new");
    element.setAttribute("class", [value, ...state].join(" "));
  } else if (name === "d") {
    element.setAttribute("d", value);
    element.style.setProperty("d", `path("${value}")`);
  } else if (value === null) element.removeAttribute(name);
  else element.setAttribute(name, String(value));
}
