// What belongs to one sequence: the strip with the slider, and the parts that the page may put elsewhere (curve, table,
// weakest link), all at one position.
//
// All moves go through one slider motion, so that the tree changes at most once per frame.

/** @typedef {import("./growth_controls.js").Growth} Growth */
/** @typedef {import("../model/pruned_shape.js").Hand} Hand */
/** @typedef {import("../model/pruned_shape.js").HandScore} HandScore */
/** @typedef {import("../model/payload.js").SequenceData} SequenceData */
/** @typedef {import("../theme.js").Theme} Theme */
/** @typedef {import("../model/payload.js").TreeData} TreeData */

import { makeCurve } from "./score_curve.js";
import { growthSentence, isOpenQuestion, offersNext } from "./growth_controls.js";
import { makeWeakestLink } from "./weakest_link.js";
import { browserClock, makeFollower, makeSliderMotion } from "./slider_motion.js";
import { growthPace, makePlayer, pruningPace, timelineAction } from "./player.js";
import { makeSequenceTable } from "./sequence_table.js";
import { makeStrip } from "./strip.js";
import { makeElement, setShown } from "../dom.js";
import { later } from "../later.js";

/**
 * @typedef {{
 *   onMove: (k: number, how: { dragging: boolean, playing: boolean }) => void, onSettle: (k: number) => void,
 *   onUndo: () => void, onClearHand: () => void, onSelect?: (id: number) => void,
 *   onCommand: (name: string, value: unknown) => void, onPause: (isPaused: boolean) => void,
 * }} Hooks
 */

/** `host` is an empty element. @param {HTMLElement} host @param {Hooks} hooks */
export function makePanel(host, hooks) {
  return new Panel(host, hooks);
}

class Panel {
  /** @param {HTMLElement} host @param {Hooks} hooks */
  constructor(host, hooks) {
    this.hooks = hooks;
    /** @type {SequenceData | null} */
    this.sequence = null;
    /** @type {TreeData} */
    this.tree = later();
    /** @type {Growth} */
    this.growth = { order: null, ask: null, sentence: null };
    /** @type {Hand} */
    this.hand = [];
    /** @type {HandScore | null} */
    this.score = null;
    /** @type {Int32Array} */
    this.links = new Int32Array(0);
    const clock = browserClock();
    this.motion = makeSliderMotion({ move: (k, dragging) => this.move(k, dragging), settle: (k) => this.settle(k) }, clock);
    this.player = makePlayer(this.playerActs(), clock);
    this.strip = makeStrip(this.stripHooks());
    this.weakestLink = makeWeakestLink(hooks);
    this.linksFollower = makeFollower(() => this.writeLinks(), clock);
    this.curve = makeCurve({ onMoveTo: (k) => this.moveTo(k), onRelease: () => this.motion.settle() });
    this.table = makeSequenceTable({ onPick: (k) => this.jump(k) });
    this.element = makeElement("div", "tv-panel", { hidden: "" }, [this.strip.element]);
    host.append(this.element);
  }

  playerActs() {
    return {
      at: () => this.motion.at(),
      moveTo: (/** @type {number} */ k) => this.motion.moveTo(k),
      ended: () => this.endPlay(),
      stopsAt: (/** @type {number} */ k) => isOpenQuestion(this.growth.ask, this.sequence, k),
    };
  }

  stripHooks() {
    return {
      at: () => this.motion.target(),
      onMoveTo: (/** @type {number} */ k) => this.moveTo(k),
      onRelease: () => this.player.isOn() || this.motion.settle(),
      onKeyRelease: () => this.player.isOn() || this.motion.settleSoon(),
      onJump: (/** @type {number} */ k) => this.jump(k),
      onPlay: () => this.togglePlay(),
      onKey: (/** @type {string} */ key) => this.timelineKey(key),
      onCommand: (/** @type {string} */ name, /** @type {unknown} */ value) => this.hooks.onCommand(name, value),
      onUndo: () => this.hooks.onUndo(),
      onClearHand: () => this.hooks.onClearHand(),
    };
  }

  /** @param {SequenceData | null} sequence @param {TreeData} tree */
  setSequence(sequence, tree) {
    if (sequence === this.sequence) return;
    const isSame = sequence !== null && this.sequence !== null && sequence.sig === this.sequence.sig;
    const position = isSame ? Math.min(this.motion.at(), sequence.size - 1) : 0;
    this.halt();
    [this.sequence, this.tree] = [sequence, tree];
    setShown(this.element, this.hasTimeline());
    this.motion.setPosition(position);
    if (this.motion.isUnsettled() && sequence !== null) this.motion.settleSoon();
    if (sequence === null) return;
    this.strip.setSequence(sequence, position);
    this.showParts(sequence, tree, position);
  }

  /** Whether there is anything to slide over. */
  hasTimeline() {
    return this.sequence !== null && (this.sequence.kind === "alpha" || this.sequence.size > 1);
  }

  /**
   * Curve, table and weakest link belong to α; the steps of another method have captions instead.
   * @param {SequenceData} sequence @param {TreeData} tree @param {number} position
   */
  showParts(sequence, tree, position) {
    if (sequence.kind === "alpha") {
      this.weakestLink.setSequence(sequence, tree);
      this.curve.setSequence(sequence, position);
      this.table.setSequence(sequence, position);
    }
    this.showPosition(position);
    this.setLinks(new Int32Array(0));
  }

  /** The elements of the parts that this sequence has, by their names. */
  parts() {
    if (this.sequence?.kind !== "alpha") return {};
    /** @type {Record<string, HTMLElement>} */
    const parts = { scores: this.curve.element, sequence: this.table.element };
    if (this.sequence.risk !== null && this.sequence.size > 1) parts.weakest = this.weakestLink.element;
    return parts;
  }

  /** A part was moved: measure and draw it where it is now. */
  partsMoved() {
    if (this.sequence?.kind !== "alpha") return;
    this.curve.redrawSoon();
    this.table.measure();
  }

  /** All elements of the parts, also of those that this sequence does not have. */
  allParts() {
    return [this.curve.element, this.table.element, this.weakestLink.element];
  }

  /** Order of the splits, whether to ask first, and Python's sentence about a step. @param {Growth} growth */
  setGrowth(growth) {
    this.growth = growth;
    this.strip.growth.set(growth);
    if (this.sequence?.isGrowth) this.writeSentence(this.sequence, this.motion.at());
  }

  /** Move by `delta` positions, as the arrow keys do. @param {number} delta */
  step(delta) {
    if (this.sequence === null || !this.hasTimeline()) return;
    this.moveTo(Math.min(Math.max(this.motion.target() + delta, 0), this.sequence.size - 1));
    this.motion.settleSoon();
  }

  /** Do the action of a key of the timeline; returns whether it has one. @param {string} key */
  timelineKey(key) {
    const action = this.hasTimeline() ? timelineAction(key, this.player.isOn()) : null;
    if (action === null) return false;
    if (action.by !== undefined) this.step(action.by);
    else if (action.play) this.togglePlay();
    else this.pausePlay();
    return true;
  }

  /** Answer the question of the step shown; returns whether the key is one of its answers. @param {string} key */
  answerKey(key) {
    return this.sequence?.isGrowth === true && this.strip.question.key(key);
  }

  /** Whether the verdict on a step is shown, and → goes on wherever the focus is. */
  offersNext() {
    const position = this.motion.at();
    return this.sequence?.isGrowth === true && offersNext(this.growth.ask, position, position === this.sequence.size - 1);
  }

  /** Whether splits are asked for before they are shown. */
  asksFirst() {
    return this.sequence?.isGrowth === true && Boolean(this.growth.ask?.on);
  }

  /** @param {Theme} theme */
  setTheme(theme) {
    this.curve.setTheme(theme);
    this.strip.question.setTheme(theme);
  }

  position() {
    return this.motion.at();
  }

  /** Set the position of Python's state without a report, unless the reader is moving the slider. @param {number} position */
  setPosition(position) {
    if (!this.sequence || this.motion.hasTarget()) return;
    const bounded = Math.min(Math.max(position, 0), this.sequence.size - 1);
    if (bounded === this.motion.at()) return;
    this.halt();
    this.motion.setPosition(bounded);
    this.showPosition(bounded);
    this.describe();
  }

  /** @param {Int32Array} links */
  setLinks(links) {
    this.links = links;
    this.linksFollower.follow();
  }

  writeLinks() {
    if (this.sequence?.kind !== "alpha" || this.sequence.risk === null) return;
    this.weakestLink.setLinks(this.links, this.motion.at(), this.hand.length > 0);
  }

  /** The tree at the position of α: "14 leaves · validation accuracy: …"; "" of other sequences. */
  sizeAndScore() {
    return this.sequence?.kind === "alpha" ? this.strip.sizeAndScore() : "";
  }

  /** @param {Hand} hand @param {HandScore | null} score */
  setHand(hand, score) {
    const was = this.hand.length;
    [this.hand, this.score] = [hand, score];
    if (!this.sequence || (!hand.length && !was)) return;
    this.strip.setHand(hand, score);
    this.curve.setHand(score);
    this.setLinks(this.links);
  }

  /** The node that can be split next, −1 for none. @param {number} node */
  setSplittable(node) {
    if (this.sequence?.isGrowth) this.strip.growth.setNode(node, this.motion.at() === this.sequence.size - 1);
  }

  /** @param {number} position */
  showPosition(position) {
    const { sequence } = this;
    if (sequence?.isGrowth) this.writeSentence(sequence, position);
    this.strip.setPosition(position);
    if (sequence?.kind !== "alpha") return;
    this.curve.setPosition(position);
    this.table.setPosition(position);
  }

  /** @param {SequenceData} sequence @param {number} position */
  writeSentence(sequence, position) {
    const shown = isOpenQuestion(this.growth.ask, sequence, position) ? position - 1 : position;
    const sentence = growthSentence(this.tree, sequence, position, this.growth);
    this.strip.setSentence(sentence, shown);
    this.strip.question.set(this.growth.ask, position, position === sequence.size - 1);
  }

  describe() {
    if (this.sequence?.kind === "alpha") this.curve.describe();
  }

  /** @param {number} position @param {boolean} dragging */
  move(position, dragging) {
    this.showPosition(position);
    this.hooks.onMove(position, { dragging, playing: this.player.isOn() });
  }

  /** @param {number} position */
  settle(position) {
    this.describe();
    this.hooks.onSettle(position);
  }

  /** Settle what the reader has not let go of yet: a command follows. */
  settleNow() {
    this.halt();
    this.motion.settle();
  }

  /** @param {number} position */
  moveTo(position) {
    this.halt();
    this.motion.moveTo(position);
  }

  /** @param {number} position */
  jump(position) {
    this.halt();
    this.motion.jump(position);
  }

  togglePlay() {
    if (this.player.isOn()) {
      this.pausePlay();
      return;
    }
    this.hooks.onPause(false);
    this.strip.setPlaying(true);
    if (this.sequence) this.player.play(this.sequence.size, this.sequence.isGrowth ? growthPace : pruningPace);
  }

  /** The reader stops playing. */
  pausePlay() {
    this.endPlay();
    this.hooks.onPause(true);
  }

  endPlay() {
    this.halt();
    this.motion.settle();
  }

  /** Stop playing; what stopped it settles the position. */
  halt() {
    this.player.stop();
    this.strip.setPlaying(false);
  }

  destroy() {
    this.player.stop();
    this.motion.forget();
    this.linksFollower.forget();
    this.curve.destroy();
    this.table.destroy();
    for (const element of [this.element, ...this.allParts()]) element.remove();
  }
}
