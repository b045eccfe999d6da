// The price of a link as an equation, and the notation of the theory in running text.

import { piece, putText } from "../dom.js";

const BRANCH_NOTATION = /(R\(T_t\)|\|T_t\|)/;

/** Write a text in which R(T_t) and |T_t| have their index lowered. */
export function putNotation(element, text) {
  const parts = text.split(BRANCH_NOTATION);
  if (element.textContent === parts.map((part, k) => (k % 2 ? part.replace("_", "") : part)).join("")) return;
  element.replaceChildren(...parts.flatMap((part, k) => (k % 2 ? loweredIndex(part) : [part])));
}

function loweredIndex(notation) {
  const [before, after] = notation.split("_t");
  return [before, piece("sub", "", {}, ["t"]), after];
}

/** The equation as page: letters once, numbers in places of their own, and once more in fractions below. */
export function makeFormula() {
  const places = { risk: numberPlace(), below: numberPlace(), leaves: numberPlace(), price: numberPlace() };
  places.price.classList.add("tv-formula-result");
  const letters = fraction([...riskOf(letter("t")), " − ", ...riskOf(branchLetter())], ["|", branchLetter(), "| − 1"]);
  const numbers = fraction([places.risk, " − ", places.below], [places.leaves, " − 1"]);
  const left = piece("span", "", {}, [letter("g"), "(", letter("t"), ")"]);
  const parts = [[left, "=", letters], ["=", numbers, "=", places.price]].map((part) => piece("span", "tv-formula-part", {}, part));
  const content = piece("span", "tv-formula-line", { "aria-hidden": "true" }, parts);
  const exactly = piece("span", "tv-formula-exact", { "aria-hidden": "true" });
  const element = piece("div", "tv-formula", { role: "math" }, [content, exactly]);
  return {
    element,
    write(texts, exact) {
      for (const [name, place] of Object.entries(places)) putText(place, texts[name]);
      exactly.replaceChildren(...(exact ? exactParts(exact) : []));
      const spoken = exact ? `${spokenFormula(texts)}; in fractions ${spokenNumbers(exact)}` : spokenFormula(texts);
      element.setAttribute("aria-label", spoken);
    },
  };
}

function exactParts({ risk, below, leaves, price }) {
  const result = piece("span", "tv-formula-result", {}, [price]);
  return [letter("g"), "(", letter("t"), `) = (${risk} − ${below}) / (${leaves} − 1) = `, result];
}

function spokenFormula(texts) {
  return `g of t = R of t minus R of T t, over leaves of T t minus 1 = ${spokenNumbers(texts)}`;
}

function spokenNumbers({ risk, below, leaves, price }) {
  return `(${risk} − ${below}) / (${leaves} − 1) = ${price}`;
}

function numberPlace() {
  return piece("span", "");
}

export function letter(text) {
  return piece("i", "", {}, [text]);
}

export function riskOf(what) {
  return [letter("R"), "(", what, ")"];
}

export function branchLetter() {
  return piece("span", "", {}, [letter("T"), piece("sub", "", {}, [letter("t")])]);
}

function fraction(above, below) {
  return piece("span", "tv-fraction", {}, [piece("span", "", {}, above), piece("span", "", {}, below)]);
}
