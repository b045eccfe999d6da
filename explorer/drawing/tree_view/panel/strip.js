// The strip below the tree: one timeline of two thin lines. Above: buttons, slider, best and 1-SE. Below: what the position
// is, in a line that never grows, and beside it the field for typing or the controls of growing.

/** @typedef {import("../model/pruned_shape.js").Hand} Hand */
/** @typedef {import("../model/pruned_shape.js").HandScore} HandScore */
/** @typedef {import("../model/payload.js").SequenceData} SequenceData */

import { positionFor } from "./jump_to.js";
import { putNotation } from "./formula.js";
import { makeGrowthControls, makeQuestion } from "./growth_controls.js";
import { makeManualChanges, manualChangesText } from "./manual_changes.js";
import { makeSlider } from "./slider.js";
import { makeTransport } from "./transport.js";
import { improvement, intervalInFractions, intervalText, leavesText, spokenPosition, stepText } from "../model/alpha_interval.js";
import { makeElement, putText, setShown } from "../dom.js";
import { countText, unbroken } from "../format.js";
import { later } from "../later.js";
import { say } from "../messages.js";

/**
 * @typedef {{
 *   at: () => number, onMoveTo: (position: number) => void, onRelease: () => void, onKeyRelease: () => void,
 *   onJump: (position: number) => void, onPlay: () => void, onKey: (key: string) => boolean,
 *   onCommand: (name: string, value: unknown) => void, onUndo: () => void, onClearHand: () => void,
 * }} Hooks
 */

const [OWN_KEYS, SLIDER_KEYS] = [[" ", "ArrowLeft", "ArrowRight", "Home", "End", "Escape"], [" ", "ArrowLeft", "ArrowRight", "Home", "End"]];

/** @param {Hooks} hooks */
export function makeStrip(hooks) {
  return new Strip(hooks);
}

class Strip {
  /** @type {SequenceData} */
  sequence = later();
  position = 0;
  /** @type {Hand} */
  hand = [];
  /** @type {HandScore | null} */
  score = null;
  sentence = "";
  /** @type {number | null} */
  shown = null;

  place = makeElement("strong", "tv-place");
  best = this.quickButton("best");
  oneSe = this.quickButton("oneSe");
  quick = makeElement("div", "tv-quick", {}, [this.best, this.oneSe]);

  main = makeElement("strong", "tv-main-text");
  leaves = makeElement("span", "tv-leaves");
  note = makeElement("span", "tv-note");
  step = makeElement("span", "tv-step");
  message = makeElement("span", "tv-message", { role: "alert", hidden: "" });
  readout = makeElement("div", "tv-readout", {}, [this.main, this.leaves, this.note, this.step, this.message]);

  entry = makeElement("input", "tv-entry", { type: "text", enterkeyhint: "go", autocomplete: "off", spellcheck: "false", "aria-label": say("Go to") });
  form = makeElement("form", "tv-go", {}, [this.entry]);

  /** @param {Hooks} hooks */
  constructor(hooks) {
    this.hooks = hooks;
    this.transport = makeTransport({ step: (by) => this.jumpBy(by), play: () => hooks.onPlay() });
    this.slider = makeSlider(hooks, { name: sliderName, spoken: spokenPosition });
    this.growth = makeGrowthControls(hooks);
    this.question = makeQuestion({ onCommand: (name, value) => hooks.onCommand(name, value), onNext: () => this.jumpBy(1) });
    this.manualChanges = makeManualChanges(hooks);
    const top = makeElement("div", "tv-strip-top", {}, [this.transport.element, this.slider.element, this.place, this.growth.order, this.quick]);
    const controls = [this.form, this.manualChanges.element, this.growth.element];
    const bottom = makeElement("div", "tv-strip-bottom", {}, [makeElement("div", "tv-readout-room", {}, [this.readout]), ...controls]);
    this.element = makeElement("section", "tv-strip", { tabindex: 0, "aria-label": say("Timeline") }, [top, bottom, this.question.element]);
    this.element.addEventListener("keydown", (event) => this.keyDown(event));
    this.form.addEventListener("submit", (event) => this.goTo(event));
    // The page around listens for single letters (r runs it again), also when they are typed into this field.
    for (const name of ["keydown", "keyup", "keypress"]) this.entry.addEventListener(name, (event) => event.stopPropagation());
    this.entry.addEventListener("input", () => this.showMessage(""));
  }

  /** A button to the best or the 1-SE tree. @param {"best" | "oneSe"} name */
  quickButton(name) {
    const element = makeElement("button", "tv-push", { type: "button" });
    element.addEventListener("click", () => this.hooks.onJump(this.sequence[name]));
    return element;
  }

  /**
   * Keys on the strip itself and on its slider, whose other keys stay the browser's; buttons and fields keep their own.
   * @param {KeyboardEvent} event
   */
  keyDown(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const keys = event.target === this.element ? OWN_KEYS : event.target === this.slider.range ? SLIDER_KEYS : [];
    if (!keys.includes(event.key) || !this.hooks.onKey(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {number} by */
  jumpBy(by) {
    this.hooks.onJump(Math.min(Math.max(this.hooks.at() + by, 0), this.sequence.size - 1));
  }

  /** @param {Event} event */
  goTo(event) {
    event.preventDefault();
    const { position, error, note } = positionFor(this.entry.value, this.sequence);
    if (error === undefined) this.hooks.onJump(position);
    this.showMessage(error ?? note ?? "", error !== undefined);
  }

  /** @param {string} text */
  showMessage(text, isWrong = false) {
    putText(this.message, text);
    this.message.title = text;
    setShown(this.message, text !== "");
    this.readout.classList.toggle("tv-readout-message", text !== "");
    this.entry.setAttribute("aria-invalid", String(isWrong));
  }

  /** @param {SequenceData} sequence @param {number} position */
  setSequence(sequence, position) {
    [this.sequence, this.shown] = [sequence, null];
    const isAlpha = sequence.kind === "alpha";
    this.transport.setSequence(sequence);
    this.slider.setSequence(sequence);
    this.entry.placeholder = isAlpha ? say("Go to …") : say("1 to {size}", { size: sequence.size });
    this.entry.title = isAlpha ? say("Go to a number of leaves (8), an α (0.01, α 0.01 or 2/35), best, 1-SE, full or root") : say("Go to the step with this number");
    this.growth.setShown(sequence.isGrowth);
    this.element.classList.toggle("tv-strip-growth", sequence.isGrowth);
    this.element.classList.toggle("tv-strip-alpha", sequence.kind === "alpha");
    setShown(this.place, !isAlpha);
    // Room for the longest text, so that the slider keeps its length while it is dragged.
    this.place.style.minWidth = isAlpha ? "" : `${0.8 * stepText(sequence, sequence.size - 1).length}ch`;
    this.nameQuick();
    this.showEntry();
    this.setPosition(position);
  }

  nameQuick() {
    const { best, oneSe, leaves } = this.sequence;
    setShown(this.quick, best >= 0 || oneSe >= 0);
    setShown(this.best, best >= 0);
    setShown(this.oneSe, oneSe >= 0);
    if (best >= 0) putButtonText(this.best, say("★ Best {leaves}", { leaves: countText(leaves[best]) }), say("Go to the best subtree: {leaves}", { leaves: leavesText(leaves[best]) }));
    if (oneSe < 0) return;
    const about = say("Go to the 1-SE subtree, the smallest within one standard error of the best: {leaves}", { leaves: leavesText(leaves[oneSe]) });
    putButtonText(this.oneSe, say("◇ 1-SE {leaves}", { leaves: countText(leaves[oneSe]) }), about);
  }

  /** The field for typing makes room for the buttons of manual changes and for the controls of growing. */
  showEntry() {
    const isByHand = this.hand.length > 0;
    this.manualChanges.set(isByHand);
    setShown(this.form, !isByHand && !this.sequence.isGrowth);
  }

  /** @param {number} position */
  setPosition(position) {
    this.position = position;
    if (!this.message.hidden) this.showMessage("");
    this.writeReadout();
    this.transport.markEnds(position, this.sequence.size - 1);
    this.best.setAttribute("aria-pressed", String(position === this.sequence.best));
    this.oneSe.setAttribute("aria-pressed", String(position === this.sequence.oneSe));
  }

  /**
   * The changes by hand, and the score of the tree pruned by them, null for none.
   * @param {Hand} hand @param {HandScore | null} score
   */
  setHand(hand, score) {
    [this.hand, this.score] = [hand, hand.length ? score : null];
    this.showEntry();
    this.writeReadout();
  }

  /**
   * The sentence about a step of growing, and the step whose tree is drawn: while a split is asked for, the one before.
   * @param {string} sentence @param {number} shown
   */
  setSentence(sentence, shown) {
    [this.sentence, this.shown] = [sentence, shown];
    this.writeReadout();
  }

  /** What the position is, in words: of α its interval, of a procedure its step and caption; or what was pruned by hand. */
  writeReadout() {
    const { sequence, position, score, hand } = this;
    const isAlpha = sequence.kind === "alpha";
    const isByHand = isAlpha && hand.length > 0;
    const shown = sequence.isGrowth ? (this.shown ?? position) : position;
    const [interval, place, note] = [isAlpha ? intervalText(sequence, position) : "", stepText(sequence, position, shown < position), this.noteText()];
    const leaves = sequence.leaves[shown];
    putText(this.place, isAlpha ? "" : place);
    putText(this.main, isByHand ? "" : interval);
    putText(this.leaves, isByHand ? "" : leavesText(leaves));
    putNotation(this.note, note);
    putText(this.step, isByHand ? interval : isAlpha ? place : "");
    this.readout.title = [interval, isAlpha ? intervalInFractions(sequence, position) : "", leavesText(leaves), note, place].filter(Boolean).join("\n");
    const byHand = isByHand && score ? say("{leaves}, by hand", { leaves: leavesText(score.leaves) }) : "";
    this.slider.setPosition(position, byHand || (sequence.isGrowth ? this.sentence : ""));
  }

  /** The scores of a position, or the caption of a step, in one line. */
  noteText() {
    const { sequence, position, score, hand } = this;
    this.note.classList.remove("tv-no-better");
    if (sequence.isGrowth) return unbroken(this.sentence);
    if (sequence.kind !== "alpha") return unbroken(sequence.caption(position)).replace(/\s*\n\s*/g, " ");
    if (score) return unbroken(manualChangesText(hand, score, sequence, position));
    const found = improvement(sequence, position);
    this.note.classList.toggle("tv-no-better", found !== null && !found.isAbove);
    return found ? unbroken(say("{score}: {improvement}", { score: found.name, improvement: found.text })) : "";
  }

  sizeAndScore() {
    return [this.leaves, this.note].map((part) => part.textContent).filter(Boolean).join(" · ");
  }

  /** @param {boolean} isPlaying */
  setPlaying(isPlaying) {
    this.transport.setPlaying(isPlaying);
  }
}

/** @param {HTMLElement} button @param {string} text @param {string} about */
function putButtonText(button, text, about) {
  putText(button, text);
  button.title = about;
}

/** @param {SequenceData} sequenceData */
function sliderName({ kind, isGrowth }) {
  if (isGrowth) return say("Step of growing");
  return kind === "alpha" ? say("α, the penalty per leaf") : say("Step of the procedure");
}
