// The stage slider: buttons, slider, "best", and a line about the stage. All moves go through one slider motion, so that
// the pictures change at most once per frame.

/** @typedef {import("../model/picture.js").Picture} Picture */

import { scoreWords } from "./scores.js";
import { browserClock, makeSliderMotion } from "../../tree_view/panel/slider_motion.js";
import { makePlayer, pruningPace, timelineAction } from "../../tree_view/panel/player.js";
import { makeSlider } from "../../tree_view/panel/slider.js";
import { makeTransport } from "../../tree_view/panel/transport.js";
import { makeElement, putText, setShown } from "../../tree_view/dom.js";
import { visibleText } from "../../tree_view/format.js";
import { later } from "../../tree_view/later.js";
import { say } from "../../tree_view/messages.js";

const [OWN_KEYS, RANGE_KEYS, READ_STAGES, READ_PACE] = [
  [" ", "ArrowLeft", "ArrowRight", "Home", "End", "PageUp", "PageDown", "Escape"],
  [" ", "ArrowLeft", "ArrowRight", "Home", "End"],
  12, 1200,
];

/** Time for one stage in milliseconds: a few stages can be read, many take eight seconds together. @param {number} size */
export function stagePace(size) {
  return size <= READ_STAGES ? READ_PACE : pruningPace(size);
}

/** @param {{ onMove: (stage: number, dragging: boolean) => void, onSettle: (stage: number) => void }} hooks */
export function makeTimeline(hooks) {
  return new Timeline(hooks);
}

class Timeline {
  /** @type {Picture} */
  picture = later();
  place = makeElement("strong", "tv-place");
  longest = makeElement("span", "ev-longest"); // keeps the slider's length
  best = makeElement("button", "tv-push", { type: "button" });
  about = makeElement("span", "tv-note");
  scores = makeElement("span", "ev-stage-scores");

  /** @param {{ onMove: (stage: number, dragging: boolean) => void, onSettle: (stage: number) => void }} hooks */
  constructor(hooks) {
    this.hooks = hooks;
    const clock = browserClock();
    this.motion = makeSliderMotion({ move: (k, dragging) => this.move(k, dragging), settle: (k) => hooks.onSettle(k) }, clock);
    this.player = makePlayer({ at: () => this.motion.at(), moveTo: (k) => this.motion.moveTo(k), ended: () => this.endPlay() }, clock);
    this.transport = makeTransport({ step: (by) => this.jump(this.motion.target() + by), play: () => this.togglePlay() });
    this.transport.nameFirst(say("No tree"));
    const sliderHooks = {
      onMoveTo: (/** @type {number} */ k) => this.moveTo(k),
      onRelease: () => this.player.isOn() || this.motion.settle(),
      onKeyRelease: () => this.player.isOn() || this.motion.settleSoon(),
    };
    this.slider = makeSlider(sliderHooks, { name: () => say("Stage: how many rounds or trees are in"), spoken: (_, k) => this.spoken(k) });
    const room = makeElement("div", "ev-place", {}, [this.longest, this.place]);
    const top = makeElement("div", "tv-strip-top", {}, [this.transport.element, this.slider.element, room, this.best]);
    const line = makeElement("div", "tv-strip-bottom ev-strip-bottom", {}, [this.about, this.scores]);
    const bottom = makeElement("div", "ev-strip-room", {}, [line]);
    this.element = makeElement("section", "tv-strip", { tabindex: 0, "aria-label": say("Stages") }, [top, bottom]);
    this.best.addEventListener("click", () => this.jump(this.picture.best));
    this.element.addEventListener("keydown", (event) => this.keyDown(event));
  }

  /** @param {Picture} picture @param {number} stage */
  set(picture, stage) {
    this.halt();
    this.picture = picture;
    this.motion.setPosition(stage);
    this.slider.setSequence(picture);
    const { best, size } = picture;
    setShown(this.best, best >= 0);
    if (best >= 0) putText(this.best, say("★ Best: stage {best}", { best }));
    if (best >= 0) this.best.title = say("Go to the stage with the best score on validation rows; they chose it, so its score is optimistic");
    this.longest.dataset.text = this.placeText(size - 1);
    this.show(stage);
  }

  /** @param {number} stage */
  placeText(stage) {
    return say("stage {stage} of {last}", { stage, last: this.picture.nStages });
  }

  /** @param {number} stage */
  spoken(stage) {
    return `${this.placeText(stage)}, ${scoreWords(this.picture, stage)}`;
  }

  /** @param {number} stage */
  show(stage) {
    const { picture } = this;
    putText(this.place, this.placeText(stage));
    putText(this.about, this.sentence(stage));
    putText(this.scores, scoreWords(picture, stage));
    this.slider.setPosition(stage, "");
    this.transport.markEnds(stage, picture.nStages);
    this.best.setAttribute("aria-pressed", String(stage === picture.best));
  }

  /** What the stage's round added, in a sentence. @param {number} stage */
  sentence(stage) {
    const { members } = this.picture;
    if (stage === 0) return say("No tree yet: every row gets the same prediction.");
    const [from, to] = [this.picture.membersUpTo(stage - 1), this.picture.membersUpTo(stage)];
    if (to - from > 1) return say("Round {stage} adds {n} trees, one per class.", { stage, n: to - from });
    return to > from ? visibleText(members.titles[from]) : "";
  }

  stage() {
    return this.motion.at();
  }

  /** @param {number} stage @param {boolean} dragging */
  move(stage, dragging) {
    this.show(stage);
    this.hooks.onMove(stage, dragging);
  }

  /** Python's stage, unless the reader is moving the slider. @param {number} stage */
  setStage(stage) {
    if (this.motion.hasTarget() || stage === this.motion.at()) return;
    this.halt();
    this.motion.setPosition(stage);
    this.show(stage);
  }

  /** @param {number} stage */
  moveTo(stage) {
    this.halt();
    this.motion.moveTo(stage);
  }

  /** The pointer has let go of a chart that moves the stage. */
  release() {
    this.motion.settle();
  }

  /** @param {number} stage */
  jump(stage) {
    this.halt();
    this.motion.jump(Math.min(Math.max(stage, 0), this.picture.nStages));
  }

  /** @param {number} by */
  step(by) {
    this.moveTo(Math.min(Math.max(this.motion.target() + by, 0), this.picture.nStages));
    this.motion.settleSoon();
  }

  /** Do what a key of the timeline does; returns whether it does anything. @param {string} key */
  timelineKey(key) {
    const action = this.picture ? timelineAction(key, this.player.isOn()) : null;
    if (action === null) return false;
    if (action.by !== undefined) this.step(action.by);
    else if (action.play) this.togglePlay();
    else this.endPlay();
    return true;
  }

  /** @param {KeyboardEvent} event */
  keyDown(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const keys = event.target === this.element ? OWN_KEYS : event.target === this.slider.range ? RANGE_KEYS : [];
    if (!keys.includes(event.key) || !this.timelineKey(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  togglePlay() {
    if (this.player.isOn()) {
      this.endPlay();
      return;
    }
    this.transport.setPlaying(true);
    this.player.play(this.picture.size, stagePace);
  }

  endPlay() {
    this.halt();
    this.motion.settle();
  }

  halt() {
    this.player.stop();
    this.transport.setPlaying(false);
  }

  settleNow() {
    this.halt();
    this.motion.settle();
  }

  destroy() {
    this.player.stop();
    this.motion.forget();
  }
}
