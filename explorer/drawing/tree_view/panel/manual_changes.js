// One line about what was pruned by hand, beside the subtree that α alone would give, with the ways back.

import { heldOutName, leavesText } from "../model/alpha_interval.js";
import { piece, putText, setShown } from "../dom.js";
import { countText, scoreText } from "../format.js";

/** The line in words; `score` is {leaves, train, valid} of the tree as it stands, null where no sum over nodes tells. */
export function handText(hand, score, sequence, position) {
  const parts = [`${countText(hand.length)} ${hand.length === 1 ? "change" : "changes"}`, leavesText(score.leaves)];
  if (score.train !== null) parts.push(`training ${scoreText(score.train, sequence.isShare)}`);
  if (score.valid !== null) parts.push(`${heldOutName(sequence)} ${scoreText(score.valid, sequence.isShare)}`);
  const values = score.valid !== null && sequence.valid ? sequence.valid : score.train !== null && sequence.train;
  const beside = values ? ` (subtree of this α: ${scoreText(values[position], sequence.isShare)})` : "";
  return `By hand: ${parts.join(" · ")}${beside}`;
}

/** hooks: {onUndo(), onClearHand()}; gives {element, set(hand, score, sequence, position)}. */
export function makeHandLine(hooks) {
  const text = piece("span", "");
  const button = (label, act) => {
    const made = piece("button", "tv-push", { type: "button" }, [label]);
    made.addEventListener("click", act);
    return made;
  };
  const ways = [button("Undo", () => hooks.onUndo()), button("Back to the sequence", () => hooks.onClearHand())];
  const element = piece("div", "tv-hand", { role: "status", hidden: "" }, [text, piece("span", "tv-hand-ways", {}, ways)]);
  return {
    element,
    set(hand, score, sequence, position) {
      setShown(element, hand.length > 0);
      if (hand.length) putText(text, handText(hand, score, sequence, position).replaceAll(" %", "\u00a0%"));
    },
  };
}
