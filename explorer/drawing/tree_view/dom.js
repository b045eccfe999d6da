// Small pieces of page that stage and panel are built from. Text is only ever put in as text.

const SVG_SPACE = "http://www.w3.org/2000/svg";

/** An element with a class, attributes (null: none) and children (elements or texts). */
export function piece(tag, className, attributes = {}, children = []) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  setAttributes(made, attributes);
  made.append(...children);
  return made;
}

/** An element with a class and a text. */
export function textElement(tag, className, text = "") {
  return piece(tag, className, {}, text === "" ? [] : [text]);
}

/** A drawn shape: an <svg> of 24 × 24 units with the given children, [tag, attributes] each; attributes may say otherwise. */
export function vectorPiece(className, shapes, attributes = {}) {
  const drawing = document.createElementNS(SVG_SPACE, "svg");
  setAttributes(drawing, { class: className, viewBox: "0 0 24 24", "aria-hidden": "true", ...attributes });
  for (const [tag, given] of shapes) {
    const shape = document.createElementNS(SVG_SPACE, tag);
    setAttributes(shape, given);
    drawing.append(shape);
  }
  return drawing;
}

/** A button with an icon or a text; `label` is what it is called and its tooltip. */
export function pushPiece(className, label, content, onClick) {
  const button = piece("button", `tv-push ${className}`, { type: "button", title: label, "aria-label": label }, [content]);
  button.addEventListener("click", onClick);
  return button;
}

function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null) element.setAttribute(name, String(value));
  }
}

/** Write a text, if it is another one than stands there: the page is laid out again only where something changed. */
export function putText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Show or hide an element. */
export function setShown(element, isShown) {
  if (element.hidden === isShown) element.hidden = !isShown;
}
