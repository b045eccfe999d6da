// The slider over the positions, with a mark where best and 1-SE are.

import { makeElement } from "../dom.js";
import { later } from "../later.js";

/** @typedef {{ size: number, best: number, oneSe: number }} Positions −1: no such one */

const MOST_TICKS = 40;
const KNOB_HALF = "0.5rem";

/** @typedef {{ onMoveTo: (position: number) => void, onRelease: () => void, onKeyRelease: () => void }} Hooks for the slider motion */
/**
 * @template {Positions} Sequence
 * @typedef {{ name: (sequence: Sequence) => string, spoken: (sequence: Sequence, position: number) => string }} Words
 *   for a screen reader
 */

/** @template {Positions} Sequence @param {Hooks} hooks @param {Words<Sequence>} words */
export function makeSlider(hooks, words) {
  return new Slider(hooks, words);
}

/** @template {Positions} Sequence */
class Slider {
  /** @param {Hooks} hooks @param {Words<Sequence>} words */
  constructor(hooks, words) {
    this.hooks = hooks;
    this.words = words;
    this.isHeld = false;
    /** @type {Sequence} */
    this.sequence = later();
    this.range = makeElement("input", "tv-range", { type: "range", min: 0, max: 0, step: 1, value: 0 });
    this.signs = makeElement("div", "tv-track-signs", { "aria-hidden": "true" });
    this.element = makeElement("div", "tv-track", {}, [this.range, this.signs]);
    this.listen();
  }

  /** Moves are stored at once; they are settled when the pointer or the key is released. */
  listen() {
    const { range, hooks } = this;
    const letGo = () => {
      this.isHeld = false;
      hooks.onRelease();
    };
    range.addEventListener("pointerdown", () => (this.isHeld = true));
    range.addEventListener("pointerup", letGo);
    range.addEventListener("pointercancel", letGo);
    range.addEventListener("input", () => {
      hooks.onMoveTo(range.valueAsNumber);
      if (!this.isHeld) hooks.onKeyRelease();
    });
    range.addEventListener("change", () => (this.isHeld ? hooks.onRelease() : hooks.onKeyRelease()));
  }

  /** @param {Sequence} sequence */
  setSequence(sequence) {
    this.sequence = sequence;
    this.range.max = String(sequence.size - 1);
    this.range.disabled = sequence.size === 1;
    this.range.setAttribute("aria-label", this.words.name(sequence));
    this.putSigns();
  }

  /** Marks under the track: each position where they are few, and where best and 1-SE are. */
  putSigns() {
    const { size, best, oneSe } = this.sequence;
    const signs = [];
    if (size > 1 && size <= MOST_TICKS) for (let k = 0; k < size; k++) signs.push(trackSign("tv-track-tick", "", k, size));
    if (oneSe >= 0 && oneSe !== best && size > 1) signs.push(trackSign("tv-track-sign", "◇", oneSe, size));
    if (best >= 0 && size > 1) signs.push(trackSign("tv-track-sign", best === oneSe ? "★◇" : "★", best, size));
    this.signs.replaceChildren(...signs);
  }

  /** @param {number} position @param {string} about */
  setPosition(position, about) {
    const { sequence, range } = this;
    if (range.valueAsNumber !== position) range.value = String(position);
    range.style.setProperty("--tv-done", String(sequence.size > 1 ? position / (sequence.size - 1) : 0));
    const spoken = this.words.spoken(sequence, position);
    range.setAttribute("aria-valuetext", about ? `${spoken}; ${about}` : spoken);
  }
}

/**
 * A mark under the slider's knob at a position.
 * @param {string} className @param {string} text @param {number} position @param {number} size
 */
function trackSign(className, text, position, size) {
  const share = position / (size - 1);
  const label = makeElement("span", className, {}, [text]);
  label.style.left = `calc(${KNOB_HALF} + ${share} * (100% - 2 * ${KNOB_HALF}))`; // a page may forbid style attributes
  return label;
}
