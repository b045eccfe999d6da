// The manual changes in one line, compared with the subtree at this α, and the buttons to undo them.

/** @typedef {import("../model/pruned_shape.js").Hand} Hand */
/** @typedef {import("../model/pruned_shape.js").HandScore} HandScore */
/** @typedef {import("../model/payload.js").SequenceData} SequenceData */

import { heldOutName, leavesText } from "../model/alpha_interval.js";
import { makeElement, setShown } from "../dom.js";
import { scoreText } from "../format.js";
import { say, sayCount } from "../messages.js";

/**
 * The text of the line; `score` is {leaves, train, valid} of the pruned tree, null where it is not a sum over nodes.
 * @param {Hand} hand @param {HandScore} score @param {SequenceData} sequence @param {number} position
 */
export function manualChangesText(hand, score, sequence, position) {
  const shown = (/** @type {number} */ value) => scoreText(value, sequence.isShare);
  const parts = [sayCount(hand.length, "By hand: {n} change", "By hand: {n} changes"), leavesText(score.leaves)];
  if (score.train !== null) parts.push(say("training {score}", { score: shown(score.train) }));
  if (score.valid !== null) parts.push(say("{rows} {score}", { rows: heldOutName(sequence), score: shown(score.valid) }));
  const values = score.valid !== null && sequence.valid ? sequence.valid : score.train !== null && sequence.train;
  const facts = parts.join(" · ");
  return values ? say("{facts} (subtree at this α: {score})", { facts, score: shown(values[position]) }) : facts;
}

/**
 * hooks: {onUndo(), onClearHand()}; gives the element, shown by `set(isShown)`.
 * @param {{ onUndo: () => void, onClearHand: () => void }} hooks
 */
export function makeManualChanges(hooks) {
  const button = (/** @type {string} */ label, /** @type {() => void} */ act) => {
    const element = makeElement("button", "tv-push", { type: "button" }, [label]);
    element.addEventListener("click", act);
    return element;
  };
  const reset = button(say("Reset"), () => hooks.onClearHand());
  reset.title = say("Undo all manual changes");
  const buttons = [button(say("Undo"), () => hooks.onUndo()), reset];
  const element = makeElement("div", "tv-hand-buttons", { hidden: "" }, buttons);
  return { element, set: (/** @type {boolean} */ isShown) => setShown(element, isShown) };
}
