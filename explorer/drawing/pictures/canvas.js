// What a picture is drawn on: an <svg> whose elements have keys, so that an element drawn again moves to its new place,
// and HTML controls over it. Positions are in units of `scale` pixels; the picture says its size by `width` and `height`.
// Elements stand above those drawn before them: a new one is put in right after the one that was drawn last.

/** @typedef {import("./canvas.js").Area} PicArea */
/** @typedef {import("../tree_view/theme.js").Theme} Theme */

/** @typedef {Canvas} PictureCanvas */
/** @typedef {{ x: number, y: number, width: number, height: number }} Area in units of the picture */
/** @typedef {Record<string, string | number | boolean | null | undefined>} Attributes */
/**
 * @typedef {{
 *   x: number, y: number, width: number, height?: number | null, text: string, label?: string, isPressed?: boolean | null,
 *   isDisabled?: boolean, onPress: () => void,
 * }} Button
 */
/** @typedef {{ anchor?: string, kind?: string, fill?: string | null }} TextLook */
/**
 * @template Local what the reader did in this step
 * @typedef {{
 *   theme: Theme, local: Local, isStill: boolean, change: (fields: Partial<Local>) => void,
 *   send: (fields: Record<string, unknown>) => void,
 * }} Tools
 */

import { brokenText, shortenedText, textWidth } from "./text.js";
import { SVG_SPACE, makeElement } from "../tree_view/dom.js";
import { later } from "../tree_view/later.js";

const LENGTHS = new Set(["x", "y", "width", "height", "cx", "cy", "r", "rx"]);
const FADE_MS = 400;

/** @param {HTMLElement} root */
export function makeCanvas(root) {
  return new Canvas(root);
}

class Canvas {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.svg = document.createElementNS(SVG_SPACE, "svg");
    this.svg.setAttribute("class", "pic-svg");
    this.svg.setAttribute("role", "img");
    this.layer = makeElement("div", "pic-controls");
    root.append(this.svg, this.layer);
    /** @type {Map<string, SVGElement>} */
    this.known = new Map();
    /** @type {Map<string, HTMLElement>} */
    this.controls = new Map();
    /** @type {Set<string>} */
    this.drawn = new Set();
    this.width = 0;
    this.height = 0;
    this.scale = 1;
    this.frame = 0;
    this.isDragging = false;
    /** @type {Theme} */
    this.theme = later();
    this.last = this.previous = /** @type {SVGElement | null} */ (null);
  }

  /**
   * Begin a drawing; `width` and `height` are its size from now on. In another size, nothing glides to its place.
   * @param {string} says @param {number} scale @param {Theme} theme
   */
  begin(says, scale, theme) {
    const [width, height] = [this.root.clientWidth / scale, this.root.clientHeight / scale];
    this.settle(width !== this.width || height !== this.height);
    this.svg.setAttribute("aria-label", says);
    [this.scale, this.theme, this.width, this.height, this.last] = [scale, theme, width, height, null];
    this.svg.setAttribute("viewBox", `0 0 ${this.width} ${this.height}`);
    this.layer.style.setProperty("--pic-scale", String(scale));
    this.drawn.clear();
  }

  /** Draw without motion until the next frame, if `isResized`. @param {boolean} isResized */
  settle(isResized) {
    if (!isResized) return;
    this.root.classList.add("pic-still");
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => requestAnimationFrame(() => this.root.classList.remove("pic-still")));
  }

  /** While something is dragged, everything follows at once. @param {boolean} isDragging */
  setDragging(isDragging) {
    this.isDragging = isDragging;
    this.root.classList.toggle("pic-dragging", isDragging);
  }

  /** Where a pointer is, in units of the picture. @param {PointerEvent} event @returns {[x: number, y: number]} */
  placeOf(event) {
    const { left, top } = this.root.getBoundingClientRect();
    return [(event.clientX - left) / this.scale, (event.clientY - top) / this.scale];
  }

  /**
   * An element with a key, drawn or moved; a text is set by `text`. Attributes x, y, width, height, cx, cy, r and the
   * place of a text move smoothly; so does d, where both paths have the same commands. Gives the element.
   * @template {keyof SVGElementTagNameMap} Tag @param {string} key @param {Tag} tag @param {Attributes} [attributes]
   * @param {string | null} [text] @returns {SVGElementTagNameMap[Tag]}
   */
  put(key, tag, attributes = {}, text = null) {
    const known = this.known.get(key);
    if (known && known.tagName !== tag) known.remove();
    const isNew = known?.tagName !== tag;
    const element = isNew ? document.createElementNS(SVG_SPACE, tag) : /** @type {SVGElementTagNameMap[Tag]} */ (known);
    this.known.set(key, element);
    this.drawn.add(key);
    for (const [name, value] of Object.entries(attributes)) setAttribute(element, tag, name, value);
    if (text !== null && element.textContent !== text) element.textContent = text;
    if (isNew) this.appear(element);
    [this.previous, this.last] = [this.last, element];
    return element;
  }

  /** The element just put, behind all others; what is put next follows the one before it. @param {SVGElement} element */
  behind(element) {
    if (this.svg.firstElementChild !== element && !element.dataset.behind) this.svg.prepend(element);
    element.dataset.behind = "yes";
    this.last = this.previous;
    return element;
  }

  /** @param {SVGElement} element */
  appear(element) {
    element.classList.add("pic-new");
    if (this.last) this.last.after(element);
    else this.svg.prepend(element);
    requestAnimationFrame(() => requestAnimationFrame(() => element.classList.remove("pic-new")));
  }

  /**
   * A text at a place; `anchor` is start, middle or end, `kind` a class of the style sheet (pic-label, pic-number …).
   * @param {string} key @param {number} x @param {number} y @param {string} text @param {TextLook} [look]
   */
  text(key, x, y, text, { anchor = "start", kind = "pic-label", fill = null } = {}) {
    return this.put(key, "text", { x, y, class: kind, "text-anchor": anchor, fill }, text);
  }

  /**
   * A text of as many lines as it needs within `width`, the first at (x, y); gives the number of lines.
   * @param {string} key @param {number} x @param {number} y @param {number} width @param {string} text
   * @param {TextLook & { lineHeight?: number }} [look]
   */
  lines(key, x, y, width, text, { lineHeight = 21, ...options } = {}) {
    const lines = this.brokenText(text, width, options.kind);
    lines.forEach((line, index) => this.text(`${key} ${index}`, x, y + index * lineHeight, line, options));
    return lines.length;
  }

  /** Put the element with a key above all others. @param {string} key */
  raise(key) {
    const element = this.known.get(key);
    if (element && this.svg.lastElementChild !== element) this.svg.append(element);
  }

  /** How wide a text is. @param {string} text */
  textWidth(text, kind = "pic-label") {
    return textWidth(text, kind, this.theme.font);
  }

  /** The text, shortened with an ellipsis where it is wider than `most`. @param {string} text @param {number} most */
  shortened(text, most, kind = "pic-label") {
    return shortenedText(text, most, (part) => this.textWidth(part, kind));
  }

  /** The text in lines no wider than `most`. @param {string} text @param {number} most */
  brokenText(text, most, kind = "pic-label") {
    return brokenText(text, most, (part) => this.textWidth(part, kind));
  }

  /** A path from points [[x, y], …]. @param {string} key @param {number[][]} points @param {Attributes} [attributes] */
  line(key, points, attributes = {}) {
    const d = points.map(([x, y], index) => `${index ? "L" : "M"}${x.toFixed(2)} ${y.toFixed(2)}`).join(" ");
    return this.put(key, "path", { class: "pic-line", fill: "none", ...attributes, d });
  }

  /**
   * An HTML control with a key, made once by `make()`, at (x, y) with this width (and height); gives the element.
   * @template {HTMLElement} Control @param {string} key @param {number} x @param {number} y @param {number} width
   * @param {() => Control} make @param {number | null} [height]
   */
  control(key, x, y, width, make, height = null) {
    const element = /** @type {Control} */ (this.controls.get(key) ?? make());
    if (!this.controls.has(key)) {
      this.controls.set(key, element);
      this.layer.append(element);
    }
    this.drawn.add(`control ${key}`);
    const box = { left: x, top: y, width, ...(height === null ? {} : { height }) };
    for (const [name, value] of Object.entries(box)) element.style.setProperty(name, `${value * this.scale}px`);
    return element;
  }

  /**
   * A slider as a control: `label` is its accessible name, `said` what its value means; onInput(value). Whole numbers from 0, unless given.
   * @param {string} key
   * @param {{ x: number, y: number, width: number, label: string, min?: number, max: number, step?: number, value: number, said: string, onInput: (value: number) => void }} fields
   */
  slider(key, { x, y, width, label, min = 0, max, step = 1, value, said, onInput }) {
    const input = this.control(key, x, y, width, () => makeElement("input", "pic-slider", { type: "range" }));
    input.oninput = () => onInput(Number(input.value));
    for (const [name, given] of Object.entries({ min, max, step, "aria-label": label, "aria-valuetext": said })) {
      input.setAttribute(name, String(given));
    }
    if (Number(input.value) !== value) input.value = String(value);
    return input;
  }

  /**
   * A button as a control, with its text (`label` is its accessible name, where the text alone does not say enough).
   * @param {string} key @param {Button} fields
   */
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

/**
 * @param {SVGElement} element @param {string} tag @param {string} name
 * @param {string | number | boolean | null | undefined} value
 */
function setAttribute(element, tag, name, value) {
  if (tag === "text" && (name === "x" || name === "y")) {
    element.style.setProperty(`--${name}`, `${value}px`);
  } else if (tag === "text" && name === "fill") {
    element.style.fill = String(value ?? "");
  } else if (LENGTHS.has(name)) {
    element.style.setProperty(name, `${value}px`);
  } else if (name === "class") {
    const state = [...element.classList].filter((each) => each === "pic-new");
    element.setAttribute("class", [value, ...state].join(" "));
  } else if (name === "d") {
    element.setAttribute("d", String(value));
    element.style.setProperty("d", `path("${value}")`);
  } else if (value === null) element.removeAttribute(name);
  else element.setAttribute(name, String(value));
}
