// Tests as short as they can be on the canvas: thresholds with all their digits where that is short, as 42.35; of others
// three digits and an ellipsis, or as many as tell the thresholds of one feature apart. No digit is rounded, so that no
// value lies on the other side of what is written. The tooltip has all digits.

/** @typedef {import("./payload.js").TreeData} TreeData */

const LEAST_DIGITS_SHOWN = 3;
const ALL_DIGITS = 17;
const SHORT = 8;
const BOUND = /^([≤>≥<]) (.*)$/;
const BETWEEN = / < … ≤ /;
const SINGLE = /^= /;

/**
 * A written number cut after so many significant digits, with an ellipsis; its whole part and a decimal stay.
 * @param {string} text @param {number} digits
 */
export function cutText(text, digits) {
  const [whole, decimals] = text.split(".");
  if (!decimals || /[^\d]/.test(decimals)) return text;
  const zeros = /^-?0$/.test(whole) ? decimals.search(/[^0]|$/) : -whole.replace("-", "").length;
  const kept = Math.max(1, digits + zeros);
  return decimals.length <= kept + 1 ? text : `${whole}.${decimals.slice(0, kept)}…`;
}

/**
 * The threshold of a node that splits at one, as it is written; "" for another test, such as bins with several bounds.
 * @param {TreeData} tree @param {number} t
 */
function thresholdOf(tree, t) {
  if (tree.testText(t) === tree.featureName(t)) return "";
  return BOUND.exec(tree.branchText(tree.firstChild[t]))?.[2] ?? "";
}

/** For each feature its thresholds in ascending order. @param {TreeData} tree */
function thresholdsByFeature(tree) {
  /** @type {Map<number, Set<string>>} */
  const found = new Map();
  for (let t = 0; t < tree.n; t++) {
    const text = tree.feature[t] >= 0 ? thresholdOf(tree, t) : "";
    if (text === "") continue;
    found.set(tree.feature[t], (found.get(tree.feature[t]) ?? new Set()).add(text));
  }
  return new Map([...found].map(([feature, texts]) => [feature, [...texts].sort((a, b) => Number(a) - Number(b))]));
}

/**
 * The number with the fewest digits that still differ from its neighbours in an ascending list.
 * @param {string} text @param {string[]} ascending
 */
export function shortNumber(text, ascending, short = SHORT) {
  if (text.length <= short) return text;
  const at = ascending.indexOf(text);
  const neighbours = [ascending[at - 1], ascending[at + 1]].filter((other) => other !== undefined);
  let digits = LEAST_DIGITS_SHOWN;
  const isShared = () => neighbours.some((other) => cutText(other, digits) === cutText(text, digits));
  while (digits < ALL_DIGITS && isShared()) digits += 1;
  return cutText(text, digits);
}

const shortTests = new WeakMap();

/** The short texts of a tree, the same ones for all who ask. @param {TreeData} tree */
export function shortTestsOf(tree) {
  if (!shortTests.has(tree)) shortTests.set(tree, new ShortTests(tree));
  return shortTests.get(tree);
}

/** The short texts of one tree's tests and branches, made when they are first asked for. */
export class ShortTests {
  /** @param {TreeData} tree */
  constructor(tree) {
    this.tree = tree;
    /** @type {Map<number, string[]> | null} by feature */
    this.thresholds = null;
  }

  /** @param {number} t */
  number(t, short = SHORT) {
    const text = thresholdOf(this.tree, t);
    if (text === "") return "";
    this.thresholds ??= thresholdsByFeature(this.tree);
    return shortNumber(text, this.thresholds.get(this.tree.feature[t]) ?? [], short);
  }

  /** The condition with as few digits as tell it apart, where the whole one has no room: " ≤ 26.1…". @param {number} t */
  shortestCondition(t) {
    const number = this.number(t, 0);
    return number === "" ? this.condition(t) : ` ${this.tree.branchText(this.tree.firstChild[t])[0]} ${number}`;
  }

  /** The whole test: "fare ≤ 26.15". @param {number} t */
  test(t) {
    return this.tree.featureName(t) + this.condition(t);
  }

  /** The part of a test after the feature's name: " ≤ 26.15", or "" where the name alone is the test. @param {number} t */
  condition(t) {
    const { tree } = this;
    if (this.number(t) === "") return tree.testText(t).slice(tree.featureName(t).length);
    return ` ${this.branch(tree.firstChild[t])}`;
  }

  /** The branch into a node: "≤ 26.15", "> 26.15", or its text as it is. @param {number} t */
  branch(t) {
    const text = this.tree.branchText(t);
    const number = t > 0 && BOUND.test(text) ? this.number(this.tree.parent[t]) : "";
    return number === "" ? text : `${text[0]} ${number}`;
  }

  /** The branch with an interval as in mathematics: "(2.8, 3]" for "2.8 < … ≤ 3". @param {number} t */
  branchInterval(t) {
    const [low, high] = this.tree.branchText(t).split(BETWEEN);
    return high === undefined ? this.branch(t) : `(${low}, ${high}]`;
  }

  /** Whether a branch is one of the two of a test on values, which the other one denies. @param {number} t */
  isOneOfTwo(t) {
    const { tree } = this;
    const parent = tree.parent[t];
    return tree.childCount[parent] === 2 && tree.testText(parent) !== tree.featureName(parent) && !BOUND.test(tree.branchText(t));
  }

  /**
   * The branch by one value of the two branches, the shorter one: "= PRO" and, for all others, "≠ PRO"; "" without one.
   * @param {number} t
   */
  branchByValue(t) {
    const { tree } = this;
    const first = tree.firstChild[tree.parent[t]];
    if (!this.isOneOfTwo(t)) return "";
    const singles = [first, first + 1].filter((child) => SINGLE.test(tree.branchText(child)));
    if (singles.length === 0) return "";
    const named = singles.reduce((a, b) => (tree.branchText(b).length < tree.branchText(a).length ? b : a));
    const text = tree.branchText(named);
    return t === named ? text : text.replace(SINGLE, "≠ ");
  }

  /**
   * The branch in one or two letters' room: ≤ or >, nothing of an interval between two bounds, = or ≠, ∈ or ∉ for the two
   * branches of another test, never a word that could be taken for a class; else its value.
   * @param {number} t
   */
  branchSign(t) {
    const { tree } = this;
    const text = tree.branchText(t);
    if (BOUND.test(text)) return text[0];
    if (BETWEEN.test(text)) return "";
    if (!this.isOneOfTwo(t)) return tree.classes.includes(text.replace(SINGLE, "")) ? text : text.replace(SINGLE, "");
    const first = tree.firstChild[tree.parent[t]];
    const [holds, fails] = SINGLE.test(tree.branchText(first)) ? ["=", "≠"] : ["∈", "∉"];
    return t === first ? holds : fails;
  }
}
