// The buttons of the timeline: first, back, play, forward, last.

/** @typedef {import("../model/payload.js").SequenceData} SequenceData */

import { makeButton, makeElement, makeSvg } from "../dom.js";
import { say } from "../messages.js";

/** @typedef {import("../dom.js").Shape} Shape */

/** @type {(x: number) => Shape} */
const BAR = (x) => ["rect", { x, y: 5, width: 2.6, height: 14, rx: 0.6 }];
/** @type {(x: number) => Shape} */
const RIGHTWARD = (x) => ["path", { d: `M${x} 5.2v13.6L${x + 10} 12z` }];
/** @type {(x: number) => Shape} */
const LEFTWARD = (x) => ["path", { d: `M${x} 5.2v13.6L${x - 10} 12z` }];
/** @type {(x: number, by: number) => Shape} */
const CHEVRON = (x, by) => ["path", { d: `M${x} 6l${by} 6l${-by} 6`, class: "tv-icon-stroke" }];
const TRANSPORT_ICONS = {
  first: [BAR(4.4), LEFTWARD(19)],
  back: [CHEVRON(14.5, -6)],
  play: [RIGHTWARD(7.5)],
  pause: [BAR(6.8), BAR(14.6)],
  forward: [CHEVRON(9.5, 6)],
  last: [RIGHTWARD(5), BAR(17)],
};

/** act: {step(by), play()}, `by` ±1 or ±Infinity. @param {{ step: (by: number) => void, play: () => void }} act */
export function makeTransport(act) {
  return new Transport(act);
}

class Transport {
  /** @param {{ step: (by: number) => void, play: () => void }} act */
  constructor(act) {
    this.isPlaying = false;
    const button = (/** @type {keyof typeof TRANSPORT_ICONS} */ name, /** @type {string} */ label, /** @type {() => void} */ press) => makeButton("tv-icon-push", label, transportIcon(name), press);
    this.buttons = {
      first: button("first", say("Beginning of the sequence"), () => act.step(-Infinity)),
      back: button("back", say("One step back"), () => act.step(-1)),
      play: button("play", say("Play the sequence"), () => act.play()),
      forward: button("forward", say("One step forward"), () => act.step(1)),
      last: button("last", say("End of the sequence"), () => act.step(Infinity)),
    };
    this.element = makeElement("div", "tv-transport", { role: "group", "aria-label": say("Steps") }, Object.values(this.buttons));
  }

  /** The first position of pruning is the full tree, that of growing the root. @param {SequenceData} sequence */
  setSequence(sequence) {
    this.nameFirst(sequence.isGrowth ? say("Only the root") : say("Full tree"));
  }

  /** @param {string} label */
  nameFirst(label) {
    this.buttons.first.title = label;
    this.buttons.first.setAttribute("aria-label", label);
  }

  /**
   * Buttons without effect look disabled; they keep their tab stop, so that the focus is not lost at the end.
   * @param {number} position @param {number} last
   */
  markEnds(position, last) {
    for (const name of /** @type {const} */ (["first", "back"])) this.buttons[name].setAttribute("aria-disabled", String(position === 0));
    for (const name of /** @type {const} */ (["forward", "last"])) this.buttons[name].setAttribute("aria-disabled", String(position === last));
    this.buttons.play.disabled = last === 0;
  }

  /** @param {boolean} isPlaying */
  setPlaying(isPlaying) {
    if (isPlaying === this.isPlaying) return;
    this.isPlaying = isPlaying;
    const label = isPlaying ? say("Pause") : say("Play the sequence");
    this.buttons.play.replaceChildren(transportIcon(isPlaying ? "pause" : "play"));
    this.buttons.play.title = label;
    this.buttons.play.setAttribute("aria-label", label);
  }
}

/** @param {keyof typeof TRANSPORT_ICONS} name */
function transportIcon(name) {
  return makeSvg("tv-icon", TRANSPORT_ICONS[name]);
}
