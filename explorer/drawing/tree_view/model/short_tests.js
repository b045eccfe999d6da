// Tests as short as they can be on the canvas: thresholds whole where that is short, as 1.355; others with three
// significant digits, or as many as tell the thresholds of one feature apart. The tooltip has all digits.

const LEAST_DIGITS_SHOWN = 3;
const ALL_DIGITS = 12;
const SHORT = 5;
const SMALLEST_PLAIN = 1e-4;

/** A number with so many significant digits; whole numbers keep all of them, and a fraction keeps a decimal. */
export function roundedText(value, digits) {
  const size = Math.abs(value);
  if (Number.isInteger(value) || size < SMALLEST_PLAIN || size >= 1e15) return String(Number(value.toPrecision(ALL_DIGITS)));
  const whole = size < 1 ? 0 : Math.floor(Math.log10(size)) + 1;
  if (whole === 0) return String(Number(value.toPrecision(digits)));
  const rounded = Number(value.toFixed(Math.max(1, digits - whole)));
  return Number.isInteger(rounded) ? rounded.toFixed(1) : String(rounded);
}

/** The threshold of a node that splits at one; NaN for another test, such as bins with several bounds. */
function thresholdOf(tree, t) {
  if (tree.testText(t) === tree.featureName(t)) return NaN;
  const text = tree.branchText(tree.firstChild[t]);
  return text.startsWith("≤ ") ? Number(text.slice(2)) : NaN;
}

/** For each feature its thresholds in ascending order. */
function thresholdsByFeature(tree) {
  const found = new Map();
  for (let t = 0; t < tree.n; t++) {
    const value = tree.feature[t] >= 0 ? thresholdOf(tree, t) : NaN;
    if (Number.isNaN(value)) continue;
    if (!found.has(tree.feature[t])) found.set(tree.feature[t], new Set());
    found.get(tree.feature[t]).add(value);
  }
  return new Map([...found].map(([feature, values]) => [feature, Float64Array.from(values).sort()]));
}

/** The number with the fewest digits that still differ from its neighbours in an ascending list. */
export function shortNumber(value, ascending) {
  const at = ascending.indexOf(value);
  if (String(value).length <= SHORT && Math.abs(value) >= SMALLEST_PLAIN) return roundedText(value, ALL_DIGITS);
  const neighbours = [ascending[at - 1], ascending[at + 1]].filter((other) => other !== undefined);
  let digits = LEAST_DIGITS_SHOWN;
  const isShared = () => neighbours.some((other) => roundedText(other, digits) === roundedText(value, digits));
  while (digits < ALL_DIGITS && isShared()) digits += 1;
  return roundedText(value, digits);
}

const shortTests = new WeakMap();

/** The short texts of a tree, the same ones for all who ask. */
export function shortTestsOf(tree) {
  if (!shortTests.has(tree)) shortTests.set(tree, new ShortTests(tree));
  return shortTests.get(tree);
}

/** The short texts of one tree's tests and branches, made when they are first asked for. */
export class ShortTests {
  constructor(tree) {
    this.tree = tree;
    this.thresholds = null;
  }

  number(t) {
    const value = thresholdOf(this.tree, t);
    if (Number.isNaN(value)) return "";
    this.thresholds ??= thresholdsByFeature(this.tree);
    return shortNumber(value, this.thresholds.get(this.tree.feature[t]));
  }

  /** The whole test: "fare ≤ 26.1". */
  test(t) {
    return this.tree.featureName(t) + this.condition(t);
  }

  /** The part of a test after the feature's name: " ≤ 26.1", or "" where the name alone is the test. */
  condition(t) {
    const { tree } = this;
    const number = this.number(t);
    return number === "" ? tree.testText(t).slice(tree.featureName(t).length) : ` ≤ ${number}`;
  }

  /** The branch into a node: "≤ 26.1", "> 26.1", or its text as it is. */
  branch(t) {
    const text = this.tree.branchText(t);
    if (t === 0 || !/^[≤>] /.test(text)) return text;
    const number = this.number(this.tree.parent[t]);
    return number === "" ? text : `${text.slice(0, 2)}${number}`;
  }

  /** The branch in one or two letters' room: ≤ or >, yes or no for the two branches of another test; else its value. */
  branchSign(t, yes, no) {
    const { tree } = this;
    const text = tree.branchText(t);
    const parent = tree.parent[t];
    if (/^[≤>] /.test(text)) return text[0];
    if (tree.childCount[parent] === 2 && tree.testText(parent) !== tree.featureName(parent)) return t === tree.firstChild[parent] ? yes : no;
    return text.replace(/^= /, "");
  }
}
