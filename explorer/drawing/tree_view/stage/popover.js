// A panel that a button of the toolbar opens below itself. Escape closes it, and so does a move of the focus elsewhere.

import { iconOf } from "./icons.js";
import { textElement } from "../dom.js";

const GAP = 6;

/**
 * A button with an icon; `label` is its accessible name and its tooltip.
 * @param {string} icon @param {string} label @param {() => void} onClick
 */
export function iconButton(icon, label, onClick) {
  const button = textElement("button", "tv-tool");
  button.type = "button";
  button.append(iconOf(icon));
  nameButton(button, label);
  button.addEventListener("click", onClick);
  return button;
}

/** Change a button's accessible name and tooltip. @param {HTMLElement} button @param {string} label */
export function nameButton(button, label) {
  if (button.title === label) return;
  button.title = label;
  button.setAttribute("aria-label", label);
}

export class Popover {
  /**
   * The panel goes into `host`, the positioned element that also holds the button.
   * @param {HTMLElement} host @param {HTMLElement} button
   */
  constructor(host, button, className = "") {
    this.host = host;
    this.button = button;
    this.panel = textElement("div", `tv-popover ${className}`.trim());
    this.panel.tabIndex = -1;
    this.panel.hidden = true;
    button.setAttribute("aria-expanded", "false");
    button.addEventListener("click", () => this.open(this.panel.hidden === true));
    this.panel.addEventListener("keydown", (event) => this.keyDown(event));
    this.panel.addEventListener("focusout", (event) => this.leave(event));
    button.addEventListener("focusout", (event) => this.leave(event));
    host.append(this.panel);
  }

  /** @param {KeyboardEvent} event */
  keyDown(event) {
    event.stopPropagation();
    if (event.key !== "Escape") return;
    this.open(false);
    this.button.focus();
  }

  /** @param {FocusEvent} event */
  leave({ relatedTarget }) {
    if (relatedTarget instanceof Node && !this.panel.contains(relatedTarget) && relatedTarget !== this.button) this.open(false);
  }

  /** @param {boolean} isOpen */
  open(isOpen) {
    this.panel.hidden = !isOpen;
    this.button.setAttribute("aria-expanded", String(isOpen));
    if (!isOpen) return;
    this.place();
    (/** @type {HTMLElement | null} */ (this.panel.querySelector("input, select, button")) ?? this.panel).focus();
  }

  /** Below its button, or above it where there is no room; never past the end of the host. */
  place() {
    const { panel, button, host } = this;
    const [outer, inner] = [host.getBoundingClientRect(), button.getBoundingClientRect()];
    const left = Math.max(0, Math.min(inner.left - outer.left, host.clientWidth - panel.offsetWidth));
    panel.style.left = `${left}px`;
    if (panel.classList.contains("tv-upwards")) panel.style.bottom = `${outer.bottom - inner.top + GAP}px`;
    else panel.style.top = `${inner.bottom - outer.top + GAP}px`;
  }
}
