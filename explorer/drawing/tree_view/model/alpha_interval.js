// A position of the sequence as text. A subtree holds from its own α up to, but not including, the α of the next one.

/** @typedef {import("../messages.js").Fields} Fields */
/** @typedef {import("./payload.js").SequenceData} SequenceData */

import { fractionText } from "./fractions.js";
import { countText, inThousands, scoreText } from "../format.js";
import { listing, say, sayCount } from "../messages.js";

const LEAST_DIGITS = 4;
const MOST_DIGITS = 12;
const LEAST_POWER = -12;

/**
 * An α or a risk: `digits` decimals, more where it is small (all but two of them significant), fewer above 10.
 * @param {number} value
 */
export function decimalText(value, digits = LEAST_DIGITS) {
  if (value === 0) return "0";
  if (!Number.isFinite(value)) return "∞";
  const power = Math.floor(Math.log10(Math.abs(value)));
  if (power < LEAST_POWER || power > 8) return String(Number(value.toPrecision(digits - 1)));
  const decimals = power < 0 ? Math.max(digits, digits - 2 - power) : Math.max(digits - power, 0);
  return power < 3 ? value.toFixed(decimals) : inThousands(value.toFixed(decimals));
}

/**
 * The α at which a subtree begins, with enough digits to differ from the one before and the one after it.
 * @param {Pick<SequenceData, "alphas">} sequence @param {number} position
 */
export function alphaText({ alphas }, position) {
  const alpha = alphas[position];
  const others = [alphas[position - 1], alphas[position + 1]].filter((other) => other !== undefined && other !== alpha);
  let digits = LEAST_DIGITS;
  const isShared = () => others.some((other) => decimalText(other, digits) === decimalText(alpha, digits));
  while (digits < MOST_DIGITS && isShared()) digits += 1;
  return decimalText(alpha, digits);
}

/**
 * Both ends of a position's interval, equal where it holds for one α only; "" for an end at infinity.
 * @param {SequenceData} sequence @param {number} position @param {(position: number) => string} word
 */
function intervalEnds(sequence, position, word) {
  const from = word(position);
  if (position + 1 >= sequence.size) return [from, ""];
  return [from, sequence.alphas[position] === sequence.alphas[position + 1] ? from : word(position + 1)];
}

/** "0.0571 ≤ α < 0.1153"; the last subtree holds for every larger α. @param {SequenceData} sequence @param {number} position */
export function intervalText(sequence, position, word = (/** @type {number} */ k) => alphaText(sequence, k)) {
  const [from, below] = intervalEnds(sequence, position, word);
  if (below === "") return sequence.size === 1 ? say("any α") : `α ≥ ${from}`;
  return below === from ? say("α = {alpha}, nothing pruned", { alpha: from }) : `${from} ≤ α < ${below}`;
}

/** "2/35 ≤ α < 113/980"; "" where neither end is a fraction. @param {SequenceData} sequence @param {number} position */
export function intervalInFractions(sequence, position) {
  const exact = (/** @type {number} */ k) => fractionText(sequence.alphas[k]);
  if (!exact(position) && (position + 1 >= sequence.size || !exact(position + 1))) return "";
  return intervalText(sequence, position, (k) => exact(k) || alphaText(sequence, k));
}

/**
 * The text for a screen reader: "α from 0.0571 to below 0.1153, 3 leaves", or the step and its caption.
 * @param {SequenceData} sequence @param {number} position
 */
export function spokenPosition(sequence, position) {
  if (sequence.kind === "steps") return listing([stepText(sequence, position), sequence.caption(position)]);
  const leaves = leavesText(sequence.leaves[position]);
  if (sequence.isGrowth) return listing([stepText(sequence, position), leaves]);
  const [from, below] = intervalEnds(sequence, position, (k) => alphaText(sequence, k));
  if (below === "") return sequence.size === 1 ? say("any α, {leaves}", { leaves }) : say("α from {alpha} on, {leaves}", { alpha: from, leaves });
  if (below === from) return say("α is {alpha}, nothing pruned, {leaves}", { alpha: from, leaves });
  return say("α from {alpha} to below {next}, {leaves}", { alpha: from, next: below, leaves });
}

/**
 * "step 3 of 12", "subtree 3 of 12", or "Growing: step 3 of 12", where step 0 is the root alone; "Asked: step 3 of 12"
 * where the question about its split is open.
 * @param {SequenceData} sequence @param {number} position
 */
export function stepText(sequence, position, isAsked = false) {
  const [step, size] = [countText(position + 1), countText(sequence.size)];
  const growth = { step: countText(position), last: countText(sequence.size - 1) };
  if (isAsked) return say("Asked: step {step} of {last}", growth);
  if (sequence.isGrowth) return say("Growing: step {step} of {last}", growth);
  if (sequence.kind === "steps") return say("step {step} of {size}", { step, size });
  return say("subtree {step} of {size}", { step, size });
}

/** "1 leaf", "1,204 leaves". @param {number} leaves */
export function leavesText(leaves) {
  return sayCount(leaves, "{n} leaf", "{n} leaves");
}

/** The name of the score on rows that the tree was not grown on. @param {SequenceData} sequence */
export function heldOutName(sequence) {
  if (sequence.how === "validation") return say("validation");
  if (sequence.how === "leave-one-out") return say("leave-one-out");
  if (sequence.how === "leave-one-group-out") return say("leave-one-group-out");
  return sequence.how === "rolling" ? say("rolling") : sequence.how || say("held-out rows");
}

/**
 * The values that best and 1-SE are chosen on, with their name: cross-validated, else held-out, else training.
 * @param {SequenceData} sequence
 */
function mainScores(sequence) {
  const { mean, valid, train, how, scoreName: metric } = sequence;
  if (mean) return { values: mean, name: say("cross-validated {metric}", { metric }) };
  if (valid && how === "validation") return { values: valid, name: say("validation {metric}", { metric }) };
  if (valid && how === "leave-one-out") return { values: valid, name: say("leave-one-out {metric}", { metric }) };
  if (valid && how === "leave-one-group-out") return { values: valid, name: say("leave-one-group-out {metric}", { metric }) };
  if (valid) return { values: valid, name: how === "rolling" ? say("rolling {metric}", { metric }) : metric };
  return { values: train, name: say("training {metric}", { metric }) };
}

/**
 * A position's main score: {text, name, isAbove}; null where there is none. It stands beside its baseline, unless
 * validation rows are scored too: the line above the tree compares these with theirs, and one baseline is enough.
 * @param {SequenceData} sequence @param {number} position
 */
export function improvement(sequence, position) {
  const { values, name } = mainScores(sequence);
  const value = values?.[position];
  if (!Number.isFinite(value)) return null;
  const { baseline, isShare, isRegression, isHigherBetter } = sequence;
  /** @type {Fields} */
  const fields = { score: scoreText(value, isShare), baseline: scoreText(baseline, isShare) };
  if (!Number.isFinite(baseline)) return { text: fields.score, name, isAbove: true };
  const gain = isHigherBetter ? value - baseline : baseline - value;
  const least = 1e-12 * Math.abs(baseline);
  if (gain < -least) return { text: withLoss(isRegression, fields), name, isAbove: false };
  if (gain <= least) return { text: withoutGain(isRegression, fields), name, isAbove: false };
  if (sequence.mean && sequence.valid) return { text: say("{score} on the training rows", fields), name, isAbove: true };
  if (isShare || isHigherBetter) fields.gain = isShare ? (100 * gain).toFixed(1) : scoreText(gain, false);
  else fields.gain = scoreText(gain / baseline, true);
  return { text: gainText(sequence, fields), name, isAbove: true };
}

/** @param {boolean} isRegression @param {Fields} fields */
function withLoss(isRegression, fields) {
  if (isRegression) return say("{score}, worse than the mean baseline ({baseline})", fields);
  return say("{score}, worse than the majority baseline ({baseline})", fields);
}

/** @param {boolean} isRegression @param {Fields} fields */
function withoutGain(isRegression, fields) {
  if (isRegression) return say("{score}, no better than the mean baseline ({baseline})", fields);
  return say("{score}, no better than the majority baseline ({baseline})", fields);
}

/** @param {SequenceData} sequence @param {Fields} fields */
function gainText({ isShare, isHigherBetter, isRegression }, fields) {
  if (isRegression) return say("{score}, {gain} below the mean baseline ({baseline})", fields);
  if (isShare && isHigherBetter) return say("{score}, +{gain} points over the majority ({baseline})", fields);
  if (isShare) return say("{score}, {gain} points below the majority baseline ({baseline})", fields);
  if (isHigherBetter) return say("{score}, +{gain} over the majority baseline ({baseline})", fields);
  return say("{score}, {gain} below the majority baseline ({baseline})", fields);
}
