// The elements that stage and panel are built from. Text is only ever inserted as text, never as HTML.

/** @typedef {Record<string, string | number | boolean | null>} Attributes null: the element has none of this name */
/** @typedef {[tag: string, attributes: Attributes]} Shape */

export const SVG_SPACE = "http://www.w3.org/2000/svg";

/**
 * An element with a class, attributes and children (elements or texts).
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag @param {string | null} className @param {Attributes} [attributes] @param {(Node | string)[]} [children]
 */
export function makeElement(tag, className, attributes = {}, children = []) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  setAttributes(element, attributes);
  element.append(...children);
  return element;
}

/** An element with a class and a text. @template {keyof HTMLElementTagNameMap} Tag @param {Tag} tag @param {string} className */
export function textElement(tag, className, text = "") {
  return makeElement(tag, className, {}, text === "" ? [] : [text]);
}

/**
 * An <svg> of 24 × 24 units (unless `attributes` say otherwise) with the given children, [tag, attributes] each.
 * @param {string | null} className @param {Shape[]} shapes
 */
export function makeSvg(className, shapes, attributes = {}) {
  const drawing = document.createElementNS(SVG_SPACE, "svg");
  setAttributes(drawing, { class: className, viewBox: "0 0 24 24", "aria-hidden": "true", ...attributes });
  for (const [tag, shapeAttributes] of shapes) {
    const shape = document.createElementNS(SVG_SPACE, tag);
    setAttributes(shape, shapeAttributes);
    drawing.append(shape);
  }
  return drawing;
}

/**
 * A button with an icon or a text; `label` is its accessible name and its tooltip.
 * @param {string} className @param {string} label @param {Node | string} content @param {(event: Event) => void} onClick
 */
export function makeButton(className, label, content, onClick) {
  const button = makeElement("button", `tv-push ${className}`, { type: "button", title: label, "aria-label": label }, [content]);
  button.addEventListener("click", onClick);
  return button;
}

/** @param {Element} element @param {Attributes} attributes */
function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null) element.setAttribute(name, String(value));
  }
}

/** The document or the shadow root that an element is in. @param {Element} element */
export function rootOf(element) {
  return /** @type {Document | ShadowRoot} */ (element.getRootNode());
}

/** @param {HTMLCanvasElement} canvas @param {CanvasRenderingContext2DSettings} [settings] */
export function contextOf(canvas, settings) {
  return /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", settings));
}

/**
 * Set an element's text if it differs: the page is laid out again only where something changed.
 * @param {Element} element @param {string} text
 */
export function putText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Show or hide an element. @param {HTMLElement} element @param {boolean} isShown */
export function setShown(element, isShown) {
  if (element.hidden === isShown) element.hidden = !isShown;
}
