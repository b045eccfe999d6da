// The tools above the canvas: what is drawn, with which class, by which algorithm, and what is undone.

/** @typedef {import("../model/points.js").Drawing} Drawing */
/** @typedef {import("../../tree_view/theme.js").Theme} Theme */

import { makeElement, putText } from "../../tree_view/dom.js";
import { say } from "../../tree_view/messages.js";
import { classesOf } from "../model/points.js";
import { markColour, markPath } from "../draw/looks.js";
import { CLASS_NAMES } from "../draw/words.js";
import { putAttributes, svgElement } from "../draw/svg.js";

/**
 * @typedef {{
 *   target: (target: string) => void, brush: (brush: string | number) => void, value: (value: number) => void,
 *   algorithm: (algorithm: string) => void, depth: (depth: string) => void, preset: (name: string) => void,
 *   noise: () => void, undo: () => void, redo: () => void, clear: () => void, snap: () => void,
 * }} Actions
 */
/** @typedef {{ brush: string | number, value: number, snap: boolean, canUndo: boolean, canRedo: boolean }} Tools */

const ERASER = "erase";
const DEPTHS = ["1", "2", "3", "4", "6", "8", ""];

export class Toolbar {
  /** @param {Actions} actions @param {{ name: string, title: string }[]} presets */
  constructor(actions, presets) {
    this.actions = actions;
    this.root = makeElement("div", "dt-toolbar", { role: "toolbar", "aria-label": say("Drawing tools") });
    this.target = select(say("Target"), [["2", say("2 classes")], ["3", say("3 classes")], ["number", say("Numbers")]], actions.target);
    this.brushes = makeElement("span", "dt-group", { role: "group", "aria-label": say("Brush") });
    this.brushButtons = [...CLASS_NAMES, ERASER].map((name, index) => this.brushButton(name, index));
    this.value = makeElement("input", "dt-value", { type: "range", min: 0, max: 100, "aria-label": say("Value of new points") });
    this.value.addEventListener("input", () => actions.value(Number(this.value.value)));
    this.valueText = makeElement("span", "dt-value-text");
    this.brushes.append(...this.brushButtons.slice(0, 3), this.value, this.valueText, this.brushButtons[3]);
    this.algorithm = select(say("Algorithm"), [["CART", "CART"], ["C4.5", "C4.5"]], actions.algorithm);
    this.depth = select(say("Maximum depth"), DEPTHS.map((depth) => [depth, depth ? say("Depth ≤ {depth}", { depth }) : say("Any depth")]), actions.depth);
    this.preset = select(say("Start from"), [["", say("Start from …")], ...presets.map(({ name, title }) => [name, title])], (/** @type {string} */ name) => this.startFrom(name));
    this.undo = button("↶", say("Undo (Ctrl+Z)"), actions.undo);
    this.redo = button("↷", say("Redo (Ctrl+Y)"), actions.redo);
    this.snap = button(say("Snap"), say("Snap to a grid of 0.5"), actions.snap);
    const noise = button(say("Noise"), say("Add five points anywhere, of any class or value"), actions.noise);
    const clear = button(say("Clear"), say("Remove all points"), actions.clear);
    this.root.append(this.preset, this.target, this.brushes, this.algorithm, this.depth, noise, this.snap, this.undo, this.redo, clear);
  }

  /** @param {string} name @param {number} index */
  brushButton(name, index) {
    if (name === ERASER) return button("⌫", say("Remove points"), () => this.actions.brush(ERASER));
    const made = button(name, say("Draw points of class {name}", { name }), () => this.actions.brush(index));
    const sign = svgElement("svg", { viewBox: "-9 -9 18 18", width: 14, height: 14, "aria-hidden": "true" });
    svgElement("path", { d: markPath("3", index) }, sign);
    made.prepend(sign);
    return made;
  }

  /** @param {string} name */
  startFrom(name) {
    this.preset.value = "";
    if (name) this.actions.preset(name);
  }

  /** @param {Drawing} drawing @param {Tools} tools @param {Theme} theme */
  draw({ target, algorithm, depth }, { brush, value, snap, canUndo, canRedo }, theme) {
    const classes = classesOf(target);
    this.brushButtons.slice(0, 3).forEach((made, index) => {
      made.hidden = index >= classes;
      made.setAttribute("aria-pressed", String(brush === index));
      putAttributes(/** @type {Element} */ (made.querySelector("path")), { fill: markColour(theme, "3", index, [0, 2]) });
    });
    this.brushButtons[3].setAttribute("aria-pressed", String(brush === ERASER));
    this.value.hidden = this.valueText.hidden = classes > 0;
    this.value.value = String(value);
    putText(this.valueText, (value / 10).toFixed(1));
    this.algorithm.disabled = classes === 0;
    [this.target.value, this.algorithm.value, this.depth.value] = [target, classes ? algorithm : "CART", depth === null ? "" : String(depth)];
    this.snap.setAttribute("aria-pressed", String(snap));
    this.undo.setAttribute("aria-disabled", String(!canUndo)); // a disabled button would lose the focus
    this.redo.setAttribute("aria-disabled", String(!canRedo));
  }
}

/** @param {string} label @param {string[][]} options @param {(value: string) => void} onChange */
function select(label, options, onChange) {
  const made = makeElement("select", "dt-tool", { "aria-label": label, title: label }, options.map(([value, text]) => makeElement("option", "", { value }, [text])));
  made.addEventListener("change", () => onChange(made.value));
  return made;
}

/** @param {string} text @param {string} label @param {() => void} onClick */
function button(text, label, onClick) {
  const made = makeElement("button", "dt-tool", { type: "button", title: label, "aria-label": label }, [text]);
  made.addEventListener("click", () => onClick());
  return made;
}
