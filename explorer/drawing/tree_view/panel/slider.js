// The slider over the positions, with its buttons, play, and the field for typing a position.

import { positionFor } from "./jump_to.js";
import { putNotation } from "./formula.js";
import { intervalInFractions, intervalText, leavesText, spokenPosition, stepText } from "../model/alpha_interval.js";
import { makeElement, makeButton, putText, setShown, makeSvg } from "../dom.js";
import { unbroken } from "../format.js";

const BAR = (x) => ["rect", { x, y: 5, width: 2.6, height: 14, rx: 0.6 }];
const RIGHTWARD = (x) => ["path", { d: `M${x} 5.2v13.6L${x + 10} 12z` }];
const LEFTWARD = (x) => ["path", { d: `M${x} 5.2v13.6L${x - 10} 12z` }];
const CHEVRON = (x, by) => ["path", { d: `M${x} 6l${by} 6l${-by} 6`, class: "tv-icon-stroke" }];
const TRANSPORT_ICONS = {
  first: [BAR(4.4), LEFTWARD(19)],
  back: [CHEVRON(14.5, -6)],
  play: [RIGHTWARD(7.5)],
  pause: [BAR(6.8), BAR(14.6)],
  forward: [CHEVRON(9.5, 6)],
  last: [RIGHTWARD(5), BAR(17)],
};
const MOST_TICKS = 40;
const KNOB_HALF = "0.625rem";

/** hooks: {onMoveTo, onRelease, onKeyRelease, onJump(position), onPlay(), at()}: targets go to the slider motion. */
export function makeSlider(hooks) {
  return new Slider(hooks);
}

class Slider {
  constructor(hooks) {
    this.hooks = hooks;
    [this.isHeld, this.isPlaying, this.score] = [false, false, null];
    this.element = makeElement("section", "tv-slider", { "aria-label": "Timeline of pruning" }, [
      makeElement("div", "tv-slider-top", {}, [this.makeTransport(), this.makeReadout(), this.makeShortcuts()]),
      this.makeTrack(),
      (this.message = makeElement("p", "tv-message", { role: "alert", hidden: "" })),
    ]);
  }

  makeTransport() {
    const button = (name, label, act) => makeButton("tv-icon-push", label, transportIcon(name), act);
    const step = (by) => () => this.hooks.onJump(Math.min(Math.max(this.hooks.at() + by, 0), this.sequence.size - 1));
    this.playButton = button("play", "Play the sequence", () => this.hooks.onPlay());
    this.buttons = {
      first: button("first", "Full tree", step(-Infinity)),
      back: button("back", "One step back", step(-1)),
      play: this.playButton,
      forward: button("forward", "One step forward", step(1)),
      last: button("last", "End of the sequence", step(Infinity)),
    };
    return makeElement("div", "tv-transport", { role: "group", "aria-label": "Steps" }, Object.values(this.buttons));
  }

  makeReadout() {
    this.main = makeElement("div", "tv-main-text");
    this.leaves = makeElement("span", "tv-leaves");
    this.step = makeElement("span", "tv-step");
    this.about = makeElement("div", "tv-about", {}, [this.leaves, this.step]);
    return makeElement("div", "tv-readout", {}, [this.main, this.about]);
  }

  /** Buttons for best and 1-SE, and the field for typing. */
  makeShortcuts() {
    this.best = makeElement("button", "tv-push", { type: "button" });
    this.oneSe = makeElement("button", "tv-push", { type: "button" });
    this.best.addEventListener("click", () => this.hooks.onJump(this.sequence.best));
    this.oneSe.addEventListener("click", () => this.hooks.onJump(this.sequence.oneSe));
    this.entry = makeElement("input", "tv-entry", { type: "text", enterkeyhint: "go", autocomplete: "off", spellcheck: "false" });
    const label = makeElement("label", "tv-entry-label", {}, ["Go to", this.entry]);
    const form = makeElement("form", "tv-go", {}, [label]);
    form.addEventListener("submit", (event) => this.goTo(event));
    // The page around listens for single letters (r runs it again), also when they are typed into this field.
    for (const name of ["keydown", "keyup", "keypress"]) this.entry.addEventListener(name, (event) => event.stopPropagation());
    this.entry.addEventListener("input", () => this.showMessage(""));
    return makeElement("div", "tv-shortcuts", {}, [this.best, this.oneSe, form]);
  }

  makeTrack() {
    this.range = makeElement("input", "tv-range", { type: "range", min: 0, max: 0, step: 1, value: 0 });
    this.signs = makeElement("div", "tv-track-signs", { "aria-hidden": "true" });
    this.listen();
    return makeElement("div", "tv-track", {}, [this.range, this.signs]);
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

  goTo(event) {
    event.preventDefault();
    const { position, error, note } = positionFor(this.entry.value, this.sequence);
    if (error === undefined) this.hooks.onJump(position);
    this.showMessage(error ?? note ?? "", error !== undefined);
  }

  showMessage(text, isWrong = false) {
    putText(this.message, text);
    setShown(this.message, text !== "");
    this.entry.setAttribute("aria-invalid", String(isWrong));
  }

  setSequence(sequence, position) {
    this.sequence = sequence;
    const isAlpha = sequence.kind === "alpha";
    this.range.max = String(sequence.size - 1);
    this.range.disabled = sequence.size === 1;
    this.range.setAttribute("aria-label", isAlpha ? "α, the price of one leaf" : "Step of the procedure");
    this.entry.placeholder = isAlpha ? "8 leaves, α 0.01, best" : `1 to ${sequence.size}`;
    this.entry.title = isAlpha ? "A number of leaves (8), an α (0.01, α 0.01 or 2/35), best, 1-SE, full, root" : "The number of a step";
    this.arrangeReadout(isAlpha);
    this.nameQuick(this.best, "★", "Best", sequence.best);
    this.nameQuick(this.oneSe, "◇", "1-SE", sequence.oneSe);
    this.putSigns();
    this.setPosition(position);
  }

  /** The interval of α is above the slider; a caption, of any height, is below it, so that the slider does not move. */
  arrangeReadout(isAlpha) {
    this.element.classList.toggle("tv-slider-steps", !isAlpha);
    if (isAlpha) this.about.before(this.main);
    else this.element.append(this.main);
  }

  nameQuick(button, sign, name, position) {
    setShown(button, position >= 0);
    if (position < 0) return;
    const leaves = leavesText(this.sequence.leaves[position]);
    putText(button, `${sign} ${name} · ${leaves}`);
    button.title = `Go to the ${name === "Best" ? "best subtree" : "1-SE subtree: the smallest within one standard error of the best"}`;
  }

  /** Marks under the track: each position where they are few, and where best and 1-SE are. */
  putSigns() {
    const { size, best, oneSe } = this.sequence;
    const signs = [];
    if (size > 1 && size <= MOST_TICKS) for (let k = 0; k < size; k++) signs.push(trackSign("tv-track-tick", "", k, size));
    if (oneSe >= 0 && size > 1) signs.push(trackSign("tv-track-sign", "◇", oneSe, size));
    if (best >= 0 && size > 1) signs.push(trackSign("tv-track-sign", best === oneSe ? "★◇" : "★", best, size));
    this.signs.replaceChildren(...(best === oneSe ? signs.filter((sign) => sign.textContent !== "◇") : signs));
  }

  setPosition(position) {
    const { sequence, range } = this;
    if (range.valueAsNumber !== position) range.value = String(position);
    range.style.setProperty("--tv-done", String(sequence.size > 1 ? position / (sequence.size - 1) : 0));
    this.position = position;
    if (!this.message.hidden) this.showMessage("");
    this.writeReadout();
    this.markEnds(position);
  }

  /** The score of the tree pruned by hand, null for none. */
  setHand(score) {
    this.score = score;
    this.writeReadout();
  }

  /** Large: the interval of α, the leaves of the tree pruned by hand, or the caption; smaller: the rest of the position. */
  writeReadout() {
    const { sequence, position, score } = this;
    const isAlpha = sequence.kind === "alpha";
    const [leaves, spoken] = [leavesText(sequence.leaves[position]), spokenPosition(sequence, position)];
    const interval = isAlpha ? intervalText(sequence, position) : "";
    const byHand = score && isAlpha ? `${leavesText(score.leaves)}, by hand` : "";
    putNotation(this.main, isAlpha ? byHand || interval : unbroken(sequence.caption(position)));
    putText(this.leaves, byHand ? interval : leaves);
    putText(this.step, stepText(sequence, position));
    this.about.parentElement.title = isAlpha ? intervalInFractions(sequence, position) : "";
    this.range.setAttribute("aria-valuetext", byHand ? `${spoken}; ${byHand}` : spoken);
  }

  /** Buttons without effect look disabled; they keep their tab stop, so that the focus is not lost at the end. */
  markEnds(position) {
    const last = this.sequence.size - 1;
    for (const name of ["first", "back"]) this.buttons[name].setAttribute("aria-disabled", String(position === 0));
    for (const name of ["forward", "last"]) this.buttons[name].setAttribute("aria-disabled", String(position === last));
    this.buttons.play.disabled = last === 0;
    this.best.setAttribute("aria-pressed", String(position === this.sequence.best));
    this.oneSe.setAttribute("aria-pressed", String(position === this.sequence.oneSe));
  }

  setPlaying(isPlaying) {
    if (isPlaying === this.isPlaying) return;
    this.isPlaying = isPlaying;
    const label = isPlaying ? "Pause" : "Play the sequence";
    this.playButton.replaceChildren(transportIcon(isPlaying ? "pause" : "play"));
    this.playButton.title = label;
    this.playButton.setAttribute("aria-label", label);
  }
}

function transportIcon(name) {
  return makeSvg("tv-icon", TRANSPORT_ICONS[name]);
}

/** A mark under the slider's knob at a position. */
function trackSign(className, text, position, size) {
  const share = position / (size - 1);
  return makeElement("span", className, { style: `left: calc(${KNOB_HALF} + ${share} * (100% - 2 * ${KNOB_HALF}))` }, [text]);
}
