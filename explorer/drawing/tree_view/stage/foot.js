// Below the area: the classes, what bars, signs and outlines mean, how many nodes are merged, and notices about the last action.

/** @typedef {import("../canvas/scene/scene.js").Scene} Scene */

import { visibleText } from "../format.js";
import { makeElement, putText, setShown, textElement } from "../dom.js";
import { say, sayCount } from "../messages.js";
import { ClassLegend } from "./class_legend.js";

const NOTICE_STAYS = 8000;

export class Foot {
  constructor() {
    this.element = textElement("div", "tv-foot");
    this.legend = new ClassLegend(this.element);
    this.signKey = textElement("div", "tv-sign-key");
    this.stabilityKey = textElement("div", "tv-stability-key");
    this.status = textElement("div", "tv-status");
    this.notice = makeElement("div", "tv-notice", { role: "status" });
    for (const key of [this.signKey, this.stabilityKey]) setShown(key, false);
    this.element.append(this.signKey, this.stabilityKey, this.status, this.notice);
  }

  destroy() {
    clearTimeout(this.noticeTimer);
    this.legend.observer.disconnect();
  }

  /** A short notice about the last action, for every reader. @param {string} text */
  announce(text) {
    clearTimeout(this.noticeTimer);
    putText(this.notice, text);
    if (text !== "") this.noticeTimer = setTimeout(() => putText(this.notice, ""), NOTICE_STAYS);
  }

  /** Write how many nodes are drawn as fewer marks, if they are. @param {Scene} scene */
  showMerged({ marks }) {
    const { status } = this;
    const isMerged = marks.drawn < marks.seen * 0.98;
    if (isMerged) {
      const [seen, drawn] = [marks.seen, marks.drawn].map((number) => number.toLocaleString("en-US"));
      putText(status, say("{seen} nodes as {drawn} marks: zoom in to see each", { seen, drawn }));
      if (status.title !== status.textContent) status.title = status.textContent;
    }
    if (status.hidden !== isMerged) return;
    setShown(status, isMerged);
    this.legend.fit(); // the classes stand beside it
  }

  /** What the bars and signs at nodes stand for, as far as the tree has any. @param {Scene} scene */
  showSigns({ tree, showsCuts, cuts, signs }) {
    const used = new Set([...(showsCuts ? cuts.values() : []), ...signs.values()].join(""));
    const meanings = { "★": say("best tree ends"), "◇": say("1-SE tree ends"), "≈": say("near tie"), "≠": say("validation disagrees"), "↓": say("greed was paid") };
    const entries = Object.entries(meanings).filter(([sign]) => used.has(sign)).map(([sign, meaning]) => `${sign} ${meaning}`);
    if (tree?.targetBars) entries.unshift(say("Bars at each leaf, from top to bottom: {targets}.", { targets: tree.targetBars.names.map(visibleText).join(", ") }));
    const text = entries.join(" · ");
    if (this.signKey.textContent === text) return;
    putText(this.signKey, text);
    this.signKey.title = text;
    setShown(this.signKey, text !== "");
    this.legend.fit();
  }

  /** @param {Scene} scene */
  showStability({ stability, showsStability }) {
    const outline = sayCount(stability?.resamples ?? 0, "Outline: share of {n} resample alike", "Outline: share of {n} resamples alike");
    const shown = stability && stability.spreads.size > 0 ? `${outline}; ${say("box: thresholds")}` : outline;
    const text = stability !== null && showsStability ? shown : "";
    if (this.stabilityKey.textContent === text) return;
    putText(this.stabilityKey, text);
    setShown(this.stabilityKey, text !== "");
    this.stabilityKey.title = say("A node's outline is filled clockwise to the share of the resamples whose trees split on the same feature at the same place. The box plot under a node shows the thresholds of these trees.");
    this.legend.fit();
  }
}
