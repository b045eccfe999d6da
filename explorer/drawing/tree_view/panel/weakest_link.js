// The weakest link with its formula: which node is pruned next, and why at this α.
//
// g(t) = (R(t) − R(T_t)) / (|T_t| − 1): the decrease in risk by the branch below t, per additional leaf.

/** @typedef {import("../model/split_payload.js").Numbers} Numbers */
/** @typedef {import("../model/payload.js").SequenceData} SequenceData */
/** @typedef {import("../model/payload.js").TreeData} TreeData */

import { branchLetter, filledText, letter, makeFormula, riskOf, standIns } from "./formula.js";
import { asFraction, fractionText } from "../model/fractions.js";
import { decimalText } from "../model/alpha_interval.js";
import { makeElement, setShown } from "../dom.js";
import { later } from "../later.js";
import { countText, ellipsis, visibleText } from "../format.js";
import { say } from "../messages.js";

const MOST_NAMED = 3;
const LEAST_DECIMALS = 4;
const MOST_DECIMALS = 14;
const NAME_LENGTH = 40;
const NODES_TRIED = 2000;

/**
 * The numbers of the formula as texts {risk, below, leaves, alpha}, rounded so that the printed equation holds.
 * @param {number} risk @param {number} below @param {number} leaves @param {number} alpha
 */
export function formulaTexts(risk, below, leaves, alpha) {
  const least = alpha > 0 ? Math.max(LEAST_DECIMALS, 2 - Math.floor(Math.log10(alpha))) : LEAST_DECIMALS;
  for (let decimals = least; decimals < MOST_DECIMALS; decimals++) {
    const [above, under] = [risk, below].map((value) => roundedTo(value, decimals));
    for (let shown = least; shown <= decimals; shown++) {
      if (roundedTo((above - under) / (leaves - 1), shown) !== roundedTo(alpha, shown)) continue;
      return { risk: shortText(risk, decimals), below: shortText(below, decimals), leaves: String(leaves), alpha: shortText(alpha, shown) };
    }
  }
  return { risk: String(risk), below: String(below), leaves: String(leaves), alpha: String(alpha) };
}

/**
 * The same in fractions; null where a number is not a fraction, or where all are whole.
 * @param {number} risk @param {number} below @param {number} leaves @param {number} alpha
 */
export function exactTexts(risk, below, leaves, alpha) {
  const fractions = [risk, below, alpha].map((value) => asFraction(value));
  if (fractions.includes(null) || fractions.every((fraction) => fraction?.below === 1)) return null;
  const [above, under, alphaFraction] = [risk, below, alpha].map((value) => fractionText(value) || String(Math.round(value)));
  return { risk: above, below: under, leaves: String(leaves), alpha: alphaFraction };
}

/** @param {number} value @param {number} decimals */
function roundedTo(value, decimals) {
  return Number(value.toFixed(decimals));
}

/** A number with `decimals` decimals; none for a whole number. @param {number} value @param {number} decimals */
function shortText(value, decimals) {
  const rounded = roundedTo(value, decimals);
  return Number.isInteger(rounded) ? String(rounded || 0) : value.toFixed(decimals);
}

/** @param {{ onSelect?: (id: number) => void }} hooks */
export function makeWeakestLink(hooks) {
  return new WeakestLink(hooks);
}

class WeakestLink {
  /** @param {{ onSelect?: (id: number) => void }} hooks */
  constructor(hooks) {
    this.hooks = hooks;
    /** @type {Numbers | null} */
    this.links = null;
    /** @type {SequenceData} */
    this.sequence = later();
    /** @type {TreeData} */
    this.tree = later();
    this.position = -1;
    this.isByHand = false;
    this.heading = makeElement("p", "tv-link-next");
    this.formula = makeFormula();
    this.about = makeElement("p", "tv-link-about");
    this.element = makeElement("section", "tv-link", { "aria-label": say("The weakest link") }, [this.heading, this.formula.element, this.about]);
  }

  /** @param {SequenceData} sequence @param {TreeData} tree */
  setSequence(sequence, tree) {
    [this.sequence, this.tree, this.links] = [sequence, tree, null];
    this.element.classList.toggle("tv-link-exact", hasFractions(sequence.risk));
    const letters = { R_t: riskOf(letter("t")), t: [letter("t")], R_branch: riskOf(branchLetter()), leaves: ["|", branchLetter(), "|"] };
    const parts = { ...letters, risk: [sequence.riskName] };
    const text = say("{R_t} is the risk of node {t} as a leaf: {risk}. {R_branch} is that of the branch below it, {leaves} the number of its leaves.", standIns(parts));
    this.about.replaceChildren(...filledText(text, parts));
  }

  /**
   * The nodes that are pruned next, at the position after this one; none while the tree is pruned by hand.
   * @param {Numbers} links @param {number} position @param {boolean} isByHand
   */
  setLinks(links, position, isByHand) {
    if (sameLinks(links, this.links) && this.position === position && this.isByHand === isByHand) return;
    [this.links, this.position, this.isByHand] = [links.slice(), position, isByHand];
    const first = links.length ? links[0] : -1;
    const alpha = first >= 0 ? this.sequence.alphas[position + 1] : NaN;
    const hasFormula = first >= 0 && this.sequence.linkRisk !== null && Number.isFinite(this.sequence.linkRisk[first]);
    this.element.classList.toggle("tv-link-plain", !hasFormula);
    this.element.classList.toggle("tv-link-none", isByHand || this.isAtEnd());
    const numbers = hasFormula ? this.numbersOf(first, alpha) : null;
    const texts = numbers ? formulaTexts(...numbers) : { alpha: decimalText(alpha) };
    if (first >= 0) this.nameLinks(links, [texts.alpha, fractionText(alpha)].filter(Boolean).join(" = "));
    else this.heading.replaceChildren(this.endText());
    if (numbers) this.formula.write(formulaTexts(...numbers), exactTexts(...numbers));
  }

  endText() {
    if (this.isByHand) return say("No next link: a tree pruned by hand is outside the sequence.");
    if (this.isAtEnd()) return say("Only the root is left.");
    return say("The next subtree is not reached by collapsing one node.");
  }

  isAtEnd() {
    return this.position === this.sequence.size - 1;
  }

  /** @param {Numbers} links @param {string} alpha */
  nameLinks(links, alpha) {
    const [first, second, third] = Array.from(links.slice(0, MOST_NAMED), (id) => [this.nodeButton(id)]);
    const parts = { first, second, third, alpha: [alpha], more: [countText(links.length - MOST_NAMED)] };
    this.heading.replaceChildren(...filledText(nextText(links.length, standIns(parts)), parts));
  }

  /** @param {number} id */
  nodeButton(id) {
    const name = this.tree.featureName(id);
    const most = this.links !== null && this.links.length > 1 ? NAME_LENGTH / 2 : NAME_LENGTH;
    const text = name ? say("node {node} ({feature})", { node: id, feature: visibleText(ellipsis(name, most)) }) : say("node {node}", { node: id });
    const button = makeElement("button", "tv-link-node", { type: "button", title: say("Select node {node}", { node: id }) }, [text]);
    button.addEventListener("click", () => this.hooks.onSelect?.(id));
    return button;
  }

  /** @param {number} id @param {number} alpha @returns {[risk: number, below: number, leaves: number, alpha: number]} */
  numbersOf(id, alpha) {
    return [this.sequence.risk[id], this.sequence.linkRisk[id], this.sequence.linkLeaves[id], alpha];
  }

  /** @param {boolean} isShown */
  show(isShown) {
    setShown(this.element, isShown);
  }
}

/**
 * Which nodes are pruned next, and at which α; ties are pruned together.
 * @param {number} count @param {Record<string, string>} fields
 */
export function nextText(count, fields) {
  if (count === 1) return say("Next to go at α = {alpha}: {first}", fields);
  if (count === 2) return say("Next to go at α = {alpha}: {first} and {second}", fields);
  if (count === 3) return say("Next to go at α = {alpha}: {first}, {second} and {third}", fields);
  return say("Next to go at α = {alpha}: {first}, {second}, {third} and {more} more", fields);
}

/** Whether there may be formulas in fractions: room is kept for them. @param {Numbers | null} risks */
function hasFractions(risks) {
  return risks !== null && risks.slice(0, NODES_TRIED).some((risk) => fractionText(risk) !== "");
}

/** @param {Numbers} links @param {Numbers | null} others */
function sameLinks(links, others) {
  return others !== null && links.length === others.length && links.every((id, k) => id === others[k]);
}
