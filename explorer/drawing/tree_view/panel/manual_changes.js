// One line about the manual changes, compared with the subtree of this α, with buttons to undo them.

import { heldOutName, leavesText } from "../model/alpha_interval.js";
import { makeElement, putText, setShown } from "../dom.js";
import { countText, scoreText } from "../format.js";

/** The text of the line; `score` is {leaves, train, valid} of the pruned tree, null where it is not a sum over nodes. */
export function manualChangesText(hand, score, sequence, position) {
  const parts = [`${countText(hand.length)} ${hand.length === 1 ? "change" : "changes"}`, leavesText(score.leaves)];
  if (score.train !== null) parts.push(`training ${scoreText(score.train, sequence.isShare)}`);
  if (score.valid !== null) parts.push(`${heldOutName(sequence)} ${scoreText(score.valid, sequence.isShare)}`);
  const values = score.valid !== null && sequence.valid ? sequence.valid : score.train !== null && sequence.train;
  const beside = values ? ` (subtree of this α: ${scoreText(values[position], sequence.isShare)})` : "";
  return `By hand: ${parts.join(" · ")}${beside}`;
}

/** hooks: {onUndo(), onClearHand()}; gives {element, set(hand, score, sequence, position)}. */
export function makeManualChanges(hooks) {
  const text = makeElement("span", "");
  const button = (label, act) => {
    const element = makeElement("button", "tv-push", { type: "button" }, [label]);
    element.addEventListener("click", act);
    return element;
  };
  const buttons = [button("Undo", () => hooks.onUndo()), button("Back to the sequence", () => hooks.onClearHand())];
  const element = makeElement("div", "tv-hand", { role: "status", hidden: "" }, [text, makeElement("span", "tv-hand-buttons", {}, buttons)]);
  return {
    element,
    set(hand, score, sequence, position) {
      setShown(element, hand.length > 0);
      if (hand.length) putText(text, manualChangesText(hand, score, sequence, position).replaceAll(" %", "\u00a0%"));
    },
  };
}
