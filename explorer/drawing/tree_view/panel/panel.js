// The panel below the tree: timeline, weakest link, curve and table of one sequence, all at one position.
//
// Everything that moves goes through one mover, so that the tree is asked for at most one step per frame.

import { makeCurve } from "./score_curve.js";
import { makeHandLine } from "./manual_changes.js";
import { makeLink } from "./weakest_link.js";
import { browserClock, makeMover } from "./slider_motion.js";
import { makePlayer } from "./player.js";
import { makeRows } from "./sequence_table.js";
import { makeTimeline } from "./slider.js";
import { piece, setShown } from "../dom.js";

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
    this.mover = makeMover({ move: (k, dragging) => this.move(k, dragging), settle: (k) => this.settle(k) }, clock);
    this.player = makePlayer({ at: () => this.mover.at(), want: (k) => this.mover.want(k), ended: () => this.endPlay() }, clock);
    this.timeline = makeTimeline(this.timelineHooks());
    this.handLine = makeHandLine(hooks);
    this.link = makeLink(hooks);
    this.curve = makeCurve({ onWant: (k) => this.want(k), onRelease: () => this.mover.settle() });
    this.rows = makeRows({ onPick: (k) => this.jump(k) });
    this.scores = piece("div", "tv-scores", {}, [this.curve.element, this.rows.element]);
    const parts = [this.timeline, this.handLine, this.link].map(({ element }) => element);
    this.element = piece("div", "tv-panel", { hidden: "" }, [...parts, this.scores]);
    host.append(this.element);
  }

  timelineHooks() {
    return {
      at: () => this.mover.wished(),
      onWant: (k) => this.want(k),
      onRelease: () => this.player.isOn() || this.mover.settle(),
      onKeyRelease: () => this.player.isOn() || this.mover.settleSoon(),
      onJump: (k) => this.jump(k),
      onPlay: () => this.togglePlay(),
    };
  }

  setSequence(sequence, tree) {
    if (sequence === this.sequence) return;
    const isSame = sequence !== null && this.sequence !== null && sequence.sig === this.sequence.sig;
    const position = isSame ? Math.min(this.mover.at(), sequence.size - 1) : 0;
    this.halt();
    this.sequence = sequence;
    setShown(this.element, sequence !== null && (sequence.kind === "alpha" || sequence.size > 1));
    this.mover.place(position);
    if (this.mover.isOpen()) this.mover.settleSoon();
    if (sequence === null) return;
    this.timeline.setSequence(sequence, position);
    this.showParts(sequence, tree, position);
  }

  /** Curve, table and link belong to α; the steps of a procedure have captions instead. */
  showParts(sequence, tree, position) {
    const isPriced = sequence.kind === "alpha";
    setShown(this.scores, isPriced);
    this.link.show(isPriced && sequence.risk !== null && sequence.size > 1);
    if (!isPriced) return;
    this.link.setSequence(sequence, tree);
    this.curve.setSequence(sequence, position);
    this.rows.setSequence(sequence, position);
    this.showPosition(position);
    this.setLinks(new Int32Array(0));
  }

  /** Move so many positions on, as the arrow keys do. */
  step(delta) {
    if (!this.sequence) return;
    this.want(Math.min(Math.max(this.mover.wished() + delta, 0), this.sequence.size - 1));
    this.mover.settleSoon();
  }

  setLook(look) {
    this.curve.setLook(look);
  }

  position() {
    return this.mover.at();
  }

  /** Stand at a position without telling anybody: what Python holds to be true. A wish of the reader's goes first. */
  setPosition(position) {
    if (!this.sequence || this.mover.hasWish()) return;
    const place = Math.min(Math.max(position, 0), this.sequence.size - 1);
    if (place === this.mover.at()) return;
    this.halt();
    this.mover.place(place);
    this.showPosition(place);
    this.describe();
  }

  setLinks(links) {
    this.links = links;
    if (this.sequence?.kind !== "alpha" || this.sequence.risk === null) return;
    this.link.setLinks(links, this.mover.at(), this.hand.length > 0);
  }

  setHand(hand, score) {
    const was = this.hand.length;
    [this.hand, this.score] = [hand, score];
    if (!this.sequence || (!hand.length && !was)) return;
    this.handLine.set(hand, score, this.sequence, this.mover.at());
    this.timeline.setHand(score);
    this.curve.setHand(score);
    this.setLinks(this.links);
  }

  showPosition(position) {
    this.timeline.setPosition(position);
    if (this.sequence.kind !== "alpha") return;
    this.curve.setPosition(position);
    this.rows.setPosition(position);
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

  want(position) {
    this.halt();
    this.mover.want(position);
  }

  jump(position) {
    this.halt();
    this.mover.jump(position);
  }

  togglePlay() {
    if (this.player.isOn()) {
      this.endPlay();
      return;
    }
    this.timeline.setPlaying(true);
    this.player.play(this.sequence.size);
  }

  endPlay() {
    this.halt();
    this.mover.settle();
  }

  /** Stop playing; what stopped it settles the position. */
  halt() {
    this.player.stop();
    this.timeline.setPlaying(false);
  }

  destroy() {
    this.player.stop();
    this.mover.forget();
    this.curve.destroy();
    this.rows.destroy();
    this.element.remove();
  }
}
