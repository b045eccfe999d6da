// Jump-to: leaves, an α, a step, or a name, as the reader types it, to a position; or a message about what can be typed.
//
// An α with at least as many digits as the panel shows means the subtree that begins at it, although it is rounded.

/** @typedef {import("../model/payload.js").SequenceData} SequenceData */

import { countText } from "../format.js";
import { say, sayCount } from "../messages.js";

/** @typedef {{ position: number, note?: string, error?: undefined } | { error: string, note?: undefined, position?: undefined }} Jump */

/** @type {Map<string, "full" | "root" | "best" | "oneSe">} */
const NAMED_POSITIONS = new Map([
  ["full", "full"],
  ["unpruned", "full"],
  ["first", "full"],
  ["root", "root"],
  ["last", "root"],
  ["best", "best"],
  ["★", "best"],
  ["1-se", "oneSe"],
  ["1se", "oneSe"],
  ["1 se", "oneSe"],
  ["one se", "oneSe"],
  ["◇", "oneSe"],
]);
const TYPED_ALPHA = /^(?:α|a|alpha)\s*[=:]?\s*(\S+)$/;
const TYPED_LEAVES = /^(?:leaves\s*[=:]?\s*(\S+)|(\S+)\s*(?:leaves|leaf))$/;
const TYPED_STEP = /^(?:(?:step|subtree|position)\s*|#)(\S+)(?:\s+of\s+\S+)?$/;
const IN_GROUPS = /^[1-9]\d{0,2}(,\d{3})+(\.\d+)?$/;
const SHOWN_DIGITS = 3;
const PLAIN_NUMBER = /^(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/;

/**
 * The position that a typed text means: {position}, with a note where it is not exactly what was typed, or {error}.
 * @param {string} text @param {SequenceData} sequence @returns {Jump}
 */
export function positionFor(text, sequence) {
  const typed = text.trim().toLowerCase().replace(/\s+/g, " ").replace(/ ?\/ ?/g, "/");
  const named = NAMED_POSITIONS.get(typed);
  if (named) return namedPosition(named, sequence);
  const step = TYPED_STEP.exec(typed);
  if (step) return numberedPosition(step[1], sequence) ?? misunderstood(text, sequence);
  if (sequence.kind !== "alpha") return numberedPosition(typed, sequence) ?? misunderstood(text, sequence);
  return leavesOrAlphaPosition(typed, sequence) ?? misunderstood(text, sequence);
}

/** @param {"full" | "root" | "best" | "oneSe"} name @param {SequenceData} sequence @returns {Jump} */
function namedPosition(name, sequence) {
  if (name === "full") return { position: 0 };
  if (name === "root") return { position: sequence.size - 1 };
  if (sequence[name] >= 0) return { position: sequence[name] };
  if (name === "best") return { error: say("There is no best subtree: no rows were held out to score it.") };
  return { error: say("There is no 1-SE subtree: it takes a cross-validation.") };
}

/** @param {string} text @param {SequenceData} sequence @returns {Jump | null} */
function numberedPosition(text, sequence) {
  const number = typedNumber(text);
  if (!Number.isInteger(number)) return null;
  const first = sequence.isGrowth ? 0 : 1;
  if (number >= first && number < first + sequence.size) return { position: number - first };
  return { error: say("Type a number from {first} to {last}.", { first, last: first + sequence.size - 1 }) };
}

/**
 * A number of leaves or an α; a whole number alone means leaves.
 * @param {string} typed @param {SequenceData} sequence @returns {Jump | null}
 */
function leavesOrAlphaPosition(typed, sequence) {
  const alpha = TYPED_ALPHA.exec(typed);
  if (alpha) return alphaPosition(alpha[1], sequence);
  const leaves = TYPED_LEAVES.exec(typed);
  const number = typedNumber(leaves ? (leaves[1] ?? leaves[2]) : typed);
  if (Number.isInteger(number) && number >= 1) return positionOfLeaves(number, sequence);
  if (leaves) return Number.isNaN(number) ? null : { error: say("A tree has at least 1 leaf.") };
  const result = alphaPosition(typed, sequence);
  // So large an α may have been meant as leaves.
  if (result !== null && number > 1 && sequence.leaves[result.position] === 1) result.note = say("α = {alpha}: only the root is left.", { alpha: typed });
  return result;
}

/**
 * The subtree of a typed α: the one that begins at it as the panel shows it, else the one whose interval contains it.
 * @param {string} text @param {SequenceData} sequence @returns {{ position: number, note?: string } | null}
 */
function alphaPosition(text, sequence) {
  const alpha = typedFraction(text) ?? typedNumber(text);
  if (Number.isNaN(alpha)) return null;
  const [position, digits] = [positionOfAlpha(alpha, sequence), significantDigits(text)];
  const isShownAs = (/** @type {number} */ k) => k < sequence.size && Number(sequence.alphas[k].toPrecision(digits)) === alpha;
  if (digits < SHOWN_DIGITS || isShownAs(position) || !isShownAs(position + 1)) return { position };
  return { position: positionOfAlpha(sequence.alphas[position + 1], sequence) };
}

/** A fraction as people write it: 2/35; null for other texts. @param {string} text */
function typedFraction(text) {
  const parts = text.split("/").map(typedNumber);
  return parts.length === 2 && parts[1] > 0 ? parts[0] / parts[1] : null;
}

/** The number of significant digits of a typed number; 0 for a fraction, which is exact. @param {string} text */
function significantDigits(text) {
  if (text.includes("/")) return 0;
  return Math.min(plainNumber(text).replace(/e.*$/, "").replace(".", "").replace(/^0+/, "").length, 17);
}

/** A number as people write it: 1,234 or 0,01 or 1e-4; NaN for other texts. @param {string} text */
function typedNumber(text) {
  const plain = plainNumber(text);
  return PLAIN_NUMBER.test(plain) ? Number(plain) : NaN;
}

/** @param {string} text */
function plainNumber(text) {
  return IN_GROUPS.test(text) ? text.replaceAll(",", "") : text.replace(",", ".");
}

/** The subtree of an α: the last one whose own α is not above it. @param {number} alpha @param {SequenceData} sequence */
export function positionOfAlpha(alpha, sequence) {
  const limit = alpha * (1 + 1e-12);
  let [first, after] = [0, sequence.size];
  while (after - first > 1) {
    const middle = (first + after) >> 1;
    if (sequence.alphas[middle] <= limit) first = middle;
    else after = middle;
  }
  return first;
}

/**
 * The largest subtree with at most `most` leaves; of equal ones the first.
 * @param {number} most @param {SequenceData} sequence @returns {Jump}
 */
function positionOfLeaves(most, sequence) {
  let position = -1;
  for (let k = 0; k < sequence.size; k++) {
    if (sequence.leaves[k] <= most && (position < 0 || sequence.leaves[k] > sequence.leaves[position])) position = k;
  }
  if (position >= 0 && sequence.leaves[position] === most) return { position };
  if (position >= 0) return { position, note: noSuchSize(most, sequence.leaves[position]) };
  const least = Math.min(...sequence.leaves);
  return { error: say("No subtree has so few leaves; the smallest has {least}.", { least }) };
}

/** @param {number} wanted @param {number} leaves */
function noSuchSize(wanted, leaves) {
  const fields = { wanted: countText(wanted), leaves: countText(leaves) };
  return sayCount(wanted, "There is no subtree of {wanted} leaf; this one has {leaves}.", "There is no subtree of {wanted} leaves; this one has {leaves}.", fields);
}

/** @param {string} text @param {SequenceData} sequence @returns {Jump} */
function misunderstood(text, sequence) {
  const typed = text.trim().slice(0, 40);
  if (sequence.kind === "alpha") {
    if (typed) return { error: say("“{typed}” is not understood. Type leaves (8), an α (0.01, α 0.01 or 2/35), best, 1-SE, full or root.", { typed }) };
    return { error: say("Type leaves (8), an α (0.01, α 0.01 or 2/35), best, 1-SE, full or root.") };
  }
  const first = sequence.isGrowth ? 0 : 1;
  const fields = { typed, first, last: first + sequence.size - 1 };
  if (typed) return { error: say("“{typed}” is not understood. Type a step from {first} to {last}, or first, last.", fields) };
  return { error: say("Type a step from {first} to {last}, or first, last.", fields) };
}
