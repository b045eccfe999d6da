// The legend of the curve, in text: each line with its stroke, each mark with its sign and size.

/** @typedef {import("../model/pruned_shape.js").HandScore} HandScore */
/** @typedef {import("../model/payload.js").SequenceData} SequenceData */
/** @typedef {import("../theme.js").Theme} Theme */

import { curveLines, isTrainingOnly } from "./curve_plot.js";
import { leavesText } from "../model/alpha_interval.js";
import { makeElement, putText, setShown } from "../dom.js";
import { scoreText } from "../format.js";
import { say } from "../messages.js";
import { legendEntry, strokeSwatch } from "../../charts/swatches.js";

/** Gives {element, setSequence, setTheme, setPosition, setHand}. */
export function makeLegend() {
  const element = makeElement("div", "tv-legend");
  /** @type {SequenceData | null} */
  let sequence = null;
  /** @type {Theme | null} */
  let theme = null;
  /** @type {HandScore | null} */
  let score = null;
  let [note, position] = ["", 0];
  const [mine, byHand] = [makeElement("span", ""), makeElement("span", "")];
  const handEntry = legendEntry("◆", byHand);
  const writeEntries = () => {
    if (!sequence) return;
    const leaves = leavesText(sequence.leaves[position]);
    putText(mine, score ? say("this α, {leaves}", { leaves }) : say("mine, {leaves}", { leaves }));
    if (score) putText(byHand, handText(sequence, score));
    setShown(handEntry, Number.isFinite(score && (score.valid ?? score.train)));
  };
  const rebuild = () => {
    if (!sequence || !theme) return;
    writeEntries();
    element.replaceChildren(...lineEntries(sequence, theme), ...choiceEntries(sequence), legendEntry("○", mine), handEntry);
    if (note) element.append(makeElement("span", "", {}, [note]));
  };
  return {
    element,
    /** @param {SequenceData} value */
    setSequence(value) {
      sequence = value;
      position = Math.min(position, sequence.size - 1);
      note = sequence.valid || sequence.mean ? "" : say("No rows are held out: only training rows are scored.");
      rebuild();
    },
    /** @param {Theme} value */
    setTheme(value) {
      theme = value;
      rebuild();
    },
    /** @param {number} value */
    setPosition(value) {
      position = value;
      writeEntries();
    },
    /** @param {HandScore | null} value */
    setHand(value) {
      score = value;
      writeEntries();
    },
  };
}

/** @param {SequenceData} sequence @param {Theme} theme */
function lineEntries(sequence, theme) {
  const entries = curveLines(sequence).map(({ name, dash, tone, se }) =>
    legendEntry(strokeSwatch(theme[tone], dash, se !== null), se ? say("{name} ± 1 SE", { name }) : name),
  );
  if (!Number.isFinite(sequence.baseline)) return entries;
  const baseline = scoreText(sequence.baseline, sequence.isShare);
  const text = sequence.isRegression ? say("mean baseline {baseline}", { baseline }) : say("majority baseline {baseline}", { baseline });
  const isOneOfTwo = sequence.mean !== null && sequence.valid !== null; // validation rows have another
  return [...entries, legendEntry(strokeSwatch(theme.quiet, [6, 4], false), isOneOfTwo ? say("{baseline}, training rows", { baseline: text }) : text)];
}

/** @param {SequenceData} sequence */
function choiceEntries(sequence) {
  const entries = [];
  const best = { leaves: leavesText(sequence.leaves[Math.max(sequence.best, 0)]) };
  const isOneOfTwo = sequence.mean !== null && sequence.valid !== null; // the two may have other best sizes
  if (sequence.best >= 0) entries.push(legendEntry("★", isOneOfTwo ? say("best by cross-validation, {leaves}", best) : say("best, {leaves}", best)));
  if (sequence.oneSe >= 0) entries.push(legendEntry("◇", say("1-SE, {leaves}", { leaves: leavesText(sequence.leaves[sequence.oneSe]) })));
  return entries;
}

/** @param {SequenceData} sequence @param {HandScore} score */
function handText(sequence, score) {
  const leaves = leavesText(score.leaves);
  return isTrainingOnly(sequence, score) ? say("by hand, {leaves}: training rows only", { leaves }) : say("by hand, {leaves}", { leaves });
}
