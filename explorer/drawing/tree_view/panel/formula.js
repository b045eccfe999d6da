// The formula of g(t) as an equation, and the notation R(T_t), |T_t| in running text.

import { makeElement, putText } from "../dom.js";
import { say } from "../messages.js";

/** @typedef {Record<"risk" | "below" | "leaves" | "alpha", string>} Texts */

const BRANCH_NOTATION = /(R\(T_t\)|\|T_t\|)/;

/** Write a text in which R(T_t) and |T_t| have a subscript. @param {HTMLElement} element @param {string} text */
export function putNotation(element, text) {
  const parts = text.split(BRANCH_NOTATION);
  if (element.textContent === parts.map((part, k) => (k % 2 ? part.replace("_", "") : part)).join("")) return;
  element.replaceChildren(...parts.flatMap((part, k) => (k % 2 ? loweredIndex(part) : [part])));
}

/** @param {string} notation */
function loweredIndex(notation) {
  const [before, after] = notation.split("_t");
  return [before, makeElement("sub", "", {}, ["t"]), after];
}

/** The equation as elements: in letters, in numbers that can be rewritten, and below once more in fractions. */
export function makeFormula() {
  const slots = { risk: numberSlot(), below: numberSlot(), leaves: numberSlot(), alpha: numberSlot() };
  slots.alpha.classList.add("tv-formula-result");
  const letters = fraction([...riskOf(letter("t")), " − ", ...riskOf(branchLetter())], ["|", branchLetter(), "| − 1"]);
  const numbers = fraction([slots.risk, " − ", slots.below], [slots.leaves, " − 1"]);
  const left = makeElement("span", "", {}, [letter("g"), "(", letter("t"), ")"]);
  const parts = [[left, "=", letters], ["=", numbers, "=", slots.alpha]].map((part) => makeElement("span", "tv-formula-part", {}, part));
  const content = makeElement("span", "tv-formula-line", { "aria-hidden": "true" }, parts);
  const exactly = makeElement("span", "tv-formula-exact", { "aria-hidden": "true" });
  const element = makeElement("div", "tv-formula", { role: "math" }, [content, exactly]);
  return {
    element,
    /** @param {Texts} texts @param {Texts | null} exact */
    write(texts, exact) {
      for (const name of /** @type {(keyof Texts)[]} */ (Object.keys(slots))) putText(slots[name], texts[name]);
      exactly.replaceChildren(...(exact ? exactParts(exact) : []));
      element.setAttribute("aria-label", spokenFormula(texts, exact));
    },
  };
}

/** @param {Texts} texts */
function exactParts({ risk, below, leaves, alpha }) {
  const result = makeElement("span", "tv-formula-result", {}, [alpha]);
  return [letter("g"), "(", letter("t"), `) = (${risk} − ${below}) / (${leaves} − 1) = `, result];
}

/** @param {Texts} texts @param {Texts | null} exact */
function spokenFormula(texts, exact) {
  const fields = { numbers: spokenNumbers(texts), exact: exact ? spokenNumbers(exact) : "" };
  if (!exact) return say("g of t = R of t minus R of T t, over leaves of T t minus 1 = {numbers}", fields);
  return say("g of t = R of t minus R of T t, over leaves of T t minus 1 = {numbers}; in fractions {exact}", fields);
}

/** @param {Texts} texts */
function spokenNumbers({ risk, below, leaves, alpha }) {
  return `(${risk} − ${below}) / (${leaves} − 1) = ${alpha}`;
}

function numberSlot() {
  return makeElement("span", "");
}

/**
 * A text whose fields {name} are replaced by elements or texts: what `say` gives when each field stands for itself.
 * @param {string} text @param {Record<string, (string | Node)[]>} parts
 */
export function filledText(text, parts) {
  return text.split(/(\{\w+\})/).flatMap((piece, k) => (k % 2 ? parts[piece.slice(1, -1)] : [piece])).filter((piece) => piece !== "");
}

/** Fields that stand for themselves, for `filledText`. @param {Record<string, (string | Node)[]>} parts */
export function standIns(parts) {
  return Object.fromEntries(Object.keys(parts).map((name) => [name, `{${name}}`]));
}

/** @param {string} text */
export function letter(text) {
  return makeElement("i", "", {}, [text]);
}

/** @param {Node} what */
export function riskOf(what) {
  return [letter("R"), "(", what, ")"];
}

export function branchLetter() {
  return makeElement("span", "", {}, [letter("T"), makeElement("sub", "", {}, [letter("t")])]);
}

/** @param {(string | Node)[]} above @param {(string | Node)[]} below */
function fraction(above, below) {
  return makeElement("span", "tv-fraction", {}, [makeElement("span", "", {}, above), makeElement("span", "", {}, below)]);
}
