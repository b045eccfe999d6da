// A position of the sequence as text. A subtree holds from its own α up to, but not including, the α of the next one.

import { fractionText } from "./fractions.js";
import { countText, inThousands } from "../format.js";
import { say, sayCount } from "../messages.js";

const LEAST_DIGITS = 4;
const MOST_DIGITS = 12;
const LEAST_POWER = -12;

/** An α or a risk: `digits` decimals, more where it is small (all but two of them significant), fewer above 10. */
export function decimalText(value, digits = LEAST_DIGITS) {
  if (value === 0) return "0";
  if (!Number.isFinite(value)) return "∞";
  const power = Math.floor(Math.log10(Math.abs(value)));
  if (power < LEAST_POWER || power > 8) return String(Number(value.toPrecision(digits - 1)));
  const decimals = power < 0 ? Math.max(digits, digits - 2 - power) : Math.max(digits - power, 0);
  return power < 3 ? value.toFixed(decimals) : inThousands(value.toFixed(decimals));
}

/** The α at which a subtree begins, with enough digits to differ from the one before and the one after it. */
export function alphaText({ alphas }, position) {
  const alpha = alphas[position];
  const others = [alphas[position - 1], alphas[position + 1]].filter((other) => other !== undefined && other !== alpha);
  let digits = LEAST_DIGITS;
  const isShared = () => others.some((other) => decimalText(other, digits) === decimalText(alpha, digits));
  while (digits < MOST_DIGITS && isShared()) digits += 1;
  return decimalText(alpha, digits);
}

/** Both ends of a position's interval, equal where it holds for one α only; "" for an end at infinity. */
function intervalEnds(sequence, position, word) {
  const from = word(position);
  if (position + 1 >= sequence.size) return [from, ""];
  return [from, sequence.alphas[position] === sequence.alphas[position + 1] ? from : word(position + 1)];
}

/** "0.0571 ≤ α < 0.1153"; the last subtree holds for every larger α. */
export function intervalText(sequence, position, word = (k) => alphaText(sequence, k)) {
  const [from, below] = intervalEnds(sequence, position, word);
  if (below === "") return sequence.size === 1 ? say("any α") : `α ≥ ${from}`;
  return below === from ? say("α = {alpha}, nothing pruned", { alpha: from }) : `${from} ≤ α < ${below}`;
}

/** "2/35 ≤ α < 113/980"; "" where neither end is a fraction. */
export function intervalInFractions(sequence, position) {
  const exact = (k) => fractionText(sequence.alphas[k]);
  if (!exact(position) && (position + 1 >= sequence.size || !exact(position + 1))) return "";
  return intervalText(sequence, position, (k) => exact(k) || alphaText(sequence, k));
}

/** The text for a screen reader: "α from 0.0571 to below 0.1153, 3 leaves", or the step and its caption. */
export function spokenPosition(sequence, position) {
  if (sequence.kind === "steps") return `${stepText(sequence, position)}, ${sequence.caption(position)}`;
  const leaves = leavesText(sequence.leaves[position]);
  const [from, below] = intervalEnds(sequence, position, (k) => alphaText(sequence, k));
  if (sequence.size === 1) return say("any α, {leaves}", { leaves });
  if (below === "") return say("α from {from} on, {leaves}", { from, leaves });
  if (below === from) return say("α is {alpha}, nothing pruned, {leaves}", { alpha: from, leaves });
  return say("α from {from} to below {below}, {leaves}", { from, below, leaves });
}

/** "step 3 of 12", or "subtree 3 of 12". */
export function stepText(sequence, position) {
  const fields = { number: countText(position + 1), count: countText(sequence.size) };
  return sequence.kind === "steps" ? say("step {number} of {count}", fields) : say("subtree {number} of {count}", fields);
}

/** "1 leaf", "1,204 leaves". */
export function leavesText(leaves) {
  return sayCount(leaves, "{n} leaf", "{n} leaves");
}

/** The name of the held-out score. */
export function heldOutName(sequence) {
  return sequence.how || say("held-out rows");
}
