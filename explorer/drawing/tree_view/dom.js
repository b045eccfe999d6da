// The elements that stage and panel are built from. Text is only ever inserted as text, never as HTML.

export const SVG_SPACE = "http://www.w3.org/2000/svg";

/** An element with a class, attributes (null: none) and children (elements or texts). */
export function makeElement(tag, className, attributes = {}, children = []) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  setAttributes(element, attributes);
  element.append(...children);
  return element;
}

/** An element with a class and a text. */
export function textElement(tag, className, text = "") {
  return makeElement(tag, className, {}, text === "" ? [] : [text]);
}

/** An <svg> of 24 × 24 units (unless `attributes` say otherwise) with the given children, [tag, attributes] each. */
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

/** A button with an icon or a text; `label` is its accessible name and its tooltip. */
export function makeButton(className, label, content, onClick) {
  const button = makeElement("button", `tv-push ${className}`, { type: "button", title: label, "aria-label": label }, [content]);
  button.addEventListener("click", onClick);
  return button;
}

function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null) element.setAttribute(name, String(value));
  }
}

/** Set an element's text if it differs: the page is laid out again only where something changed. */
export function putText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Show or hide an element. */
export function setShown(element, isShown) {
  if (element.hidden === isShown) element.hidden = !isShown;
}
