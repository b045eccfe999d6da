// The panel below the tree: slider, weakest link, curve and table of one sequence, all at one position.
//
// All moves go through one slider motion, so that the tree changes at most once per frame.

import { makeCurve } from "./score_curve.js";
import { makeManualChanges } from "./manual_changes.js";
import { makeWeakestLink } from "./weakest_link.js";
import { browserClock, makeSliderMotion } from "./slider_motion.js";
import { makePlayer } from "./player.js";
import { makeSequenceTable } from "./sequence_table.js";
import { makeSlider } from "./slider.js";
import { makeElement, setShown } from "../dom.js";

/** host: an empty element; hooks: onMove(k, {dragging}), onSettle(k), onUndo(), onClearHand(), onSelect?(id). */
export function makePanel(host, hooks) {
  return new Panel(host, hooks);
}

class Panel {
  constructor(host, hooks) {
    this.hooks = hooks;
    this.sequence = null;
    [this.hand, this.score, this.links] = [[], null, new Int32Array(0)];
    const clock = browserClock();
    this.motion = makeSliderMotion({ move: (k, dragging) => this.move(k, dragging), settle: (k) => this.settle(k) }, clock);
    this.player = makePlayer({ at: () => this.motion.at(), moveTo: (k) => this.motion.moveTo(k), ended: () => this.endPlay() }, clock);
    this.slider = makeSlider(this.sliderHooks());
    this.manualChanges = makeManualChanges(hooks);
    this.weakestLink = makeWeakestLink(hooks);
    this.curve = makeCurve({ onMoveTo: (k) => this.moveTo(k), onRelease: () => this.motion.settle() });
    this.table = makeSequenceTable({ onPick: (k) => this.jump(k) });
    this.scores = makeElement("div", "tv-scores", {}, [this.curve.element, this.table.element]);
    const parts = [this.slider, this.manualChanges, this.weakestLink].map(({ element }) => element);
    this.element = makeElement("div", "tv-panel", { hidden: "" }, [...parts, this.scores]);
    host.append(this.element);
  }

  sliderHooks() {
    return {
      at: () => this.motion.target(),
      onMoveTo: (k) => this.moveTo(k),
      onRelease: () => this.player.isOn() || this.motion.settle(),
      onKeyRelease: () => this.player.isOn() || this.motion.settleSoon(),
      onJump: (k) => this.jump(k),
      onPlay: () => this.togglePlay(),
    };
  }

  setSequence(sequence, tree) {
    if (sequence === this.sequence) return;
    const isSame = sequence !== null && this.sequence !== null && sequence.sig === this.sequence.sig;
    const position = isSame ? Math.min(this.motion.at(), sequence.size - 1) : 0;
    this.halt();
    this.sequence = sequence;
    setShown(this.element, sequence !== null && (sequence.kind === "alpha" || sequence.size > 1));
    this.motion.setPosition(position);
    if (this.motion.isUnsettled()) this.motion.settleSoon();
    if (sequence === null) return;
    this.slider.setSequence(sequence, position);
    this.showParts(sequence, tree, position);
  }

  /** Curve, table and weakest link belong to α; the steps of another method have captions instead. */
  showParts(sequence, tree, position) {
    const isAlpha = sequence.kind === "alpha";
    setShown(this.scores, isAlpha);
    this.weakestLink.show(isAlpha && sequence.risk !== null && sequence.size > 1);
    if (!isAlpha) return;
    this.weakestLink.setSequence(sequence, tree);
    this.curve.setSequence(sequence, position);
    this.table.setSequence(sequence, position);
    this.showPosition(position);
    this.setLinks(new Int32Array(0));
  }

  /** Move by `delta` positions, as the arrow keys do. */
  step(delta) {
    if (!this.sequence) return;
    this.moveTo(Math.min(Math.max(this.motion.target() + delta, 0), this.sequence.size - 1));
    this.motion.settleSoon();
  }

  setTheme(theme) {
    this.curve.setTheme(theme);
  }

  position() {
    return this.motion.at();
  }

  /** Set the position of Python's state without a report, unless the reader is moving the slider. */
  setPosition(position) {
    if (!this.sequence || this.motion.hasTarget()) return;
    const bounded = Math.min(Math.max(position, 0), this.sequence.size - 1);
    if (bounded === this.motion.at()) return;
    this.halt();
    this.motion.setPosition(bounded);
    this.showPosition(bounded);
    this.describe();
  }

  setLinks(links) {
    this.links = links;
    if (this.sequence?.kind !== "alpha" || this.sequence.risk === null) return;
    this.weakestLink.setLinks(links, this.motion.at(), this.hand.length > 0);
  }

  setHand(hand, score) {
    const was = this.hand.length;
    [this.hand, this.score] = [hand, score];
    if (!this.sequence || (!hand.length && !was)) return;
    this.manualChanges.set(hand, score, this.sequence, this.motion.at());
    this.slider.setHand(score);
    this.curve.setHand(score);
    this.setLinks(this.links);
  }

  showPosition(position) {
    this.slider.setPosition(position);
    if (this.sequence.kind !== "alpha") return;
    this.curve.setPosition(position);
    this.table.setPosition(position);
  }

  describe() {
    if (this.sequence.kind === "alpha") this.curve.describe();
  }

  move(position, dragging) {
    this.showPosition(position);
    this.hooks.onMove(position, { dragging });
  }

  settle(position) {
    this.describe();
    this.hooks.onSettle(position);
  }

  moveTo(position) {
    this.halt();
    this.motion.moveTo(position);
  }

  jump(position) {
    this.halt();
    this.motion.jump(position);
  }

  togglePlay() {
    if (this.player.isOn()) {
      this.endPlay();
      return;
    }
    this.slider.setPlaying(true);
    this.player.play(this.sequence.size);
  }

  endPlay() {
    this.halt();
    this.motion.settle();
  }

  /** Stop playing; what stopped it settles the position. */
  halt() {
    this.player.stop();
    this.slider.setPlaying(false);
  }

  destroy() {
    this.player.stop();
    this.motion.forget();
    this.curve.destroy();
    this.table.destroy();
    this.element.remove();
  }
}
