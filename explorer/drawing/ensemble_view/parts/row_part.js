// One row under all members: how its answer adds up (waterfall), and what every member predicts (strip of votes).

/** @typedef {import("../draw/stage_chart.js").ChartTheme} ChartTheme */
/** @typedef {import("../model/picture.js").ExplainedRow} ExplainedRow */
/** @typedef {import("../model/picture.js").Picture} Picture */
/** @typedef {import("../model/picture.js").RowVotes} RowVotes */

import { makeElement, putText, setShown } from "../../tree_view/dom.js";
import { makeFollower } from "../../tree_view/panel/slider_motion.js";
import { numberText, percentText, visibleText } from "../../tree_view/format.js";
import { later } from "../../tree_view/later.js";
import { say } from "../../tree_view/messages.js";
import { meanOf, voteShares } from "../model/running_sum.js";
import { makeVoteStrip } from "./vote_strip.js";
import { makeWaterfall } from "./waterfall.js";

export function makeRowPart() {
  return new RowPart();
}

class RowPart {
  constructor() {
    this.stage = 0;
    /** @type {ExplainedRow | null} */
    this.row = null;
    /** @type {Picture} */
    this.picture = later();
    this.words = makeFollower(() => putText(this.now, this.row ? this.sentence() : ""));
    this.title = makeElement("h4", "tv-title");
    this.hint = makeElement("p", "ev-now", {}, [say("Click a row in the picture to see how its prediction adds up.")]);
    this.waterfall = makeWaterfall();
    this.votes = makeVoteStrip();
    this.now = makeElement("p", "ev-now");
    this.element = makeElement("section", "ev-part ev-row-part", { "aria-label": say("One row") }, [this.title, this.hint, this.now, this.waterfall.element, this.votes.element]);
  }

  /** @param {Picture} picture */
  set(picture) {
    this.picture = picture;
    this.setData(null);
  }

  /** The row that is explained, null for none. @param {ExplainedRow | null} row */
  setData(row) {
    this.words.forget();
    this.row = row;
    putText(this.title, row ? visibleText(row.label) : say("One row"));
    setShown(this.hint, row === null);
    setShown(this.waterfall.element, Boolean(row?.waterfall));
    setShown(this.votes.element, Boolean(row?.votes));
    if (row?.waterfall) this.waterfall.set(this.picture, row.waterfall);
    if (row?.votes) this.votes.set(this.picture, row.votes);
    this.setStage(this.stage);
  }

  /** @param {ChartTheme} theme */
  setTheme(theme) {
    this.waterfall.setTheme(theme);
    this.votes.setTheme(theme);
  }

  /** @param {number} stage */
  setStage(stage) {
    this.stage = stage;
    this.words.follow();
    if (this.row?.waterfall) this.waterfall.setStage(stage);
    if (this.row?.votes) this.votes.setStage(stage);
  }

  /** What the stage predicts for the row, in words. */
  sentence() {
    const texts = [];
    if (this.row?.waterfall) texts.push(this.waterfall.sentenceAt(this.stage));
    if (this.row?.votes) texts.push(this.voteSentence(this.row.votes));
    return texts.filter(Boolean).join(" ");
  }

  /** @param {RowVotes} rowVotes */
  voteSentence({ values, margin, actual }) {
    const { picture, stage } = this;
    const m = picture.membersUpTo(stage);
    if (m === 0) return "";
    if (picture.isRegression) return this.row?.waterfall ? "" : say("Mean of {n} trees: {mean}.", { n: m, mean: numberText(meanOf(values, m)) });
    const shares = voteShares(values, picture.members.vote, m, picture.classes.length);
    const winner = shares.indexOf(Math.max(...shares));
    const name = visibleText(picture.classes[winner]);
    const share = percentText(shares[winner]);
    const text = actual === null ? say("{name} leads with {share} of the votes.", { name, share }) : say("{name} leads with {share} of the votes; the true class is {actual}.", { name, share, actual: visibleText(picture.classes[actual]) });
    return margin && !Number.isNaN(margin[stage]) ? `${text} ${say("Margin of the probabilities: {margin}.", { margin: numberText(margin[stage], 3) })}` : text;
  }

  setRow() {}

  describe() {
    this.words.catchUp();
    this.waterfall.describe(this.row ? this.sentence() : "");
  }

  redrawSoon() {
    this.waterfall.redrawSoon();
    this.votes.redrawSoon();
  }

  destroy() {
    this.words.forget();
    this.waterfall.destroy();
    this.votes.destroy();
  }
}
