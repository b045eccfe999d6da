// The weakest link with its formula: which node is pruned next, and why at this α.
//
// g(t) = (R(t) − R(T_t)) / (|T_t| − 1): the decrease in risk by the branch below t, per additional leaf.

import { branchLetter, letter, makeFormula, riskOf } from "./formula.js";
import { asFraction, fractionText } from "../model/fractions.js";
import { decimalText } from "../model/alpha_interval.js";
import { makeElement, setShown } from "../dom.js";
import { ellipsis, visibleText } from "../format.js";

const MOST_NAMED = 3;
const LEAST_DECIMALS = 4;
const MOST_DECIMALS = 14;
const NAME_LENGTH = 40;
const NODES_TRIED = 2000;

/** The numbers of the formula as texts {risk, below, leaves, alpha}, rounded so that the printed equation holds. */
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

/** The same in fractions; null where a number is not a fraction, or where all are whole. */
export function exactTexts(risk, below, leaves, alpha) {
  const fractions = [risk, below, alpha].map((value) => asFraction(value));
  if (fractions.includes(null) || fractions.every((fraction) => fraction.below === 1)) return null;
  const [above, under, alphaFraction] = [risk, below, alpha].map((value) => fractionText(value) || String(Math.round(value)));
  return { risk: above, below: under, leaves: String(leaves), alpha: alphaFraction };
}

function roundedTo(value, decimals) {
  return Number(value.toFixed(decimals));
}

/** A number with `decimals` decimals; none for a whole number. */
function shortText(value, decimals) {
  const rounded = roundedTo(value, decimals);
  return Number.isInteger(rounded) ? String(rounded || 0) : value.toFixed(decimals);
}

/** hooks: {onSelect?(id)}. */
export function makeWeakestLink(hooks) {
  return new WeakestLink(hooks);
}

class WeakestLink {
  constructor(hooks) {
    this.hooks = hooks;
    this.links = [];
    this.heading = makeElement("p", "tv-link-next");
    this.formula = makeFormula();
    this.about = makeElement("p", "tv-link-about");
    this.element = makeElement("section", "tv-link", { "aria-label": "The weakest link" }, [this.heading, this.formula.element, this.about]);
  }

  setSequence(sequence, tree) {
    [this.sequence, this.tree, this.links] = [sequence, tree, null];
    const risk = ` is the risk of node t as a leaf: ${sequence.riskName}. `;
    const branch = [...riskOf(branchLetter()), " is that of the branch below it, |", branchLetter(), "| the number of its leaves."];
    this.element.classList.toggle("tv-link-exact", hasFractions(sequence.risk));
    this.about.replaceChildren(...riskOf(letter("t")), risk, ...branch);
  }

  /** The nodes that are pruned next, at the position after this one; none while the tree is pruned by hand. */
  setLinks(links, position, isByHand) {
    if (sameLinks(links, this.links) && this.position === position && this.isByHand === isByHand) return;
    [this.links, this.position, this.isByHand] = [links.slice(), position, isByHand];
    const first = links.length ? links[0] : -1;
    const alpha = first >= 0 ? this.sequence.alphas[position + 1] : NaN;
    const hasFormula = first >= 0 && this.sequence.linkRisk !== null && Number.isFinite(this.sequence.linkRisk[first]);
    this.element.classList.toggle("tv-link-plain", !hasFormula);
    this.element.classList.toggle("tv-link-none", isByHand);
    const numbers = hasFormula ? this.numbersOf(first, alpha) : null;
    const texts = hasFormula ? formulaTexts(...numbers) : { alpha: decimalText(alpha) };
    if (first >= 0) this.nameLinks(links, [texts.alpha, fractionText(alpha)].filter(Boolean).join(" = "));
    else this.heading.replaceChildren(this.endText());
    if (hasFormula) this.formula.write(texts, exactTexts(...numbers));
  }

  endText() {
    if (this.isByHand) return "No next link: a tree pruned by hand is outside the sequence.";
    if (this.position === this.sequence.size - 1) return "Only the root is left.";
    return "The next subtree is not reached by collapsing one node.";
  }

  nameLinks(links, alpha) {
    const parts = ["Next to go: ", this.nodeButton(links[0]), `, at α = ${alpha}`];
    const more = links.slice(1, MOST_NAMED);
    more.forEach((id, k) => parts.push(k === 0 ? ", and " : ", ", this.nodeButton(id)));
    if (links.length > MOST_NAMED) parts.push(` and ${links.length - MOST_NAMED} more`);
    if (more.length) parts.push(" at the same α");
    this.heading.replaceChildren(...parts);
  }

  nodeButton(id) {
    const name = this.tree.featureName(id);
    const most = this.links.length > 1 ? NAME_LENGTH / 2 : NAME_LENGTH;
    const text = name ? `node ${id} (${visibleText(ellipsis(name, most))})` : `node ${id}`;
    const button = makeElement("button", "tv-link-node", { type: "button", title: `Select node ${id}` }, [text]);
    button.addEventListener("click", () => this.hooks.onSelect?.(id));
    return button;
  }

  numbersOf(id, alpha) {
    return [this.sequence.risk[id], this.sequence.linkRisk[id], this.sequence.linkLeaves[id], alpha];
  }

  show(isShown) {
    setShown(this.element, isShown);
  }
}

/** Whether there may be formulas in fractions: room is kept for them. */
function hasFractions(risks) {
  return risks !== null && risks.slice(0, NODES_TRIED).some((risk) => fractionText(risk) !== "");
}

function sameLinks(links, others) {
  return others !== null && links.length === others.length && links.every((id, k) => id === others[k]);
}
