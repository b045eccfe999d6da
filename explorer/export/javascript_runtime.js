// The functions of a tree written as JavaScript: this text is copied into the module that `to_javascript` writes.
//
// TREE.nodes has a test per node: "column" is its column; "up_to" lists the upper bounds of the "children" in order, and
// the last child takes larger values; "cells" pairs numbers, or categories as text, with children. "missing" and
// "unseen" are the child of such rows, the node itself where they stop, or pairs [child, weight] where they follow every
// branch. "surrogates" are tests for rows without a value. "marks" are texts such as "NA" that are categories.

/* global TREE */
// What follows is copied.
const MISSING = new Set(["", "?", "NA", "N/A", "n/a", "NaN", "nan", "null", "NULL", "<NA>", "#N/A", "\\N"]);
const TIE = 1e-10;
const DAY = 86400000;
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

const tests = new Map(TREE.nodes.map(([node, test]) => [node, withCells(test)]));
const predictions = new Map(TREE.predictions);
const shares = new Map(TREE.shares);
const smoothed = new Map(TREE.smoothed);

/**
 * The prediction for a row {column: cell}, and the probability of each class (null for numbers).
 *
 * @param {Record<string, unknown>} row
 * @returns {{prediction: string | number | boolean, probabilities: Map<unknown, number> | null}}
 */
export function predict(row) {
  const ends = endsOf(row);
  if (TREE.classes === null) {
    return { prediction: ends.reduce((sum, [node, part]) => sum + part * predictions.get(node), 0), probabilities: null };
  }
  const mixed = average(shares, ends);
  const whole = ends.find(([, , isSpread]) => !isSpread);
  const prediction = whole ? predictions.get(whole[0]) : TREE.classes[bestOf(mixed)];
  const probabilities = smoothed.size ? average(smoothed, ends) : mixed;
  return { prediction, probabilities: new Map(TREE.classes.map((name, k) => [name, probabilities[k]])) };
}

function withCells(test) {
  const ready = { ...test, marks: new Set(test.marks ?? []), surrogates: (test.surrogates ?? []).map(withCells) };
  return test.cells ? { ...ready, cells: new Map(test.cells) } : ready;
}

function average(of, ends) {
  return TREE.classes.map((_, k) => ends.reduce((sum, [node, part]) => sum + part * of.get(node)[k], 0));
}

function bestOf(mixed) {
  if (TREE.costs === null) return mixed.findIndex((share) => share >= Math.max(...mixed) - TIE);
  const expected = mixed.map((_, k) => mixed.reduce((sum, share, j) => sum + share * TREE.costs[j][k], 0));
  return expected.findIndex((cost) => cost <= Math.min(...expected) * (1 + TIE));
}

/** Where a row ends: node, weight of the row there, and whether the row was split over branches. */
function endsOf(row) {
  const ends = [];
  const pending = [[0, 1, false]];
  while (pending.length) {
    const [node, part, isSpread] = pending.pop();
    const to = nextOf(node, row);
    if (Array.isArray(to)) {
      for (const [child, share] of [...to].reverse()) if (share > 0) pending.push([child, part * share, true]);
    } else if (to === node) ends.push([node, part, isSpread]);
    else pending.push([to, part, isSpread]);
  }
  return ends;
}

/** The child that a row follows, the node itself where it ends, or pairs [child, weight]. */
function nextOf(node, row) {
  const test = tests.get(node);
  if (!test) return node;
  if (!Object.hasOwn(row, test.column)) {
    throw new Error(`The row has no cell '${test.column}', which the tree tests: add it (it may be null).`);
  }
  const [to, isWithout] = childOf(test, row[test.column]);
  if (!isWithout) return to ?? test.unseen;
  for (const surrogate of test.surrogates) {
    const [other] = childOf(surrogate, Object.hasOwn(row, surrogate.column) ? row[surrogate.column] : null);
    if (other !== undefined && other !== null) return other;
  }
  return test.missing;
}

/** The child of a cell, if it has one; and whether the cell is missing. */
function childOf(test, cell) {
  const value = test.number ? numberOf(cell, test.column) : categoryOf(cell, test.marks);
  if (value === null) return [undefined, true];
  if (test.up_to) return [test.children[test.up_to.filter((end) => value > end).length], false];
  return [test.cells.get(value), false];
}

function isMissing(cell) {
  return cell === undefined || cell === null || Number.isNaN(cell) || (typeof cell === "string" && MISSING.has(cell.trim()));
}

/** A cell as a number: dates as days since 1970, truth values as 1 and 0; null if it is missing. */
function numberOf(cell, column) {
  if (isMissing(cell)) return null;
  if (cell instanceof Date) return cell.getTime() / DAY;
  const isText = typeof cell === "string";
  const number = isText && !NUMBER.test(cell.trim()) ? NaN : Number(cell);
  if (Array.isArray(cell) || !Number.isFinite(number)) {
    throw new Error(`'${column}' has '${String(cell)}', which is not a finite number: correct it.`);
  }
  return number;
}

/** A cell as a category: text without blanks around it, whole numbers without a point; null if it is missing. */
function categoryOf(cell, marks) {
  if (typeof cell === "string" && marks.has(cell.trim())) return cell.trim();
  if (isMissing(cell)) return null;
  if (typeof cell === "boolean") return cell ? "True" : "False";
  if (cell instanceof Date) return cell.toISOString().replace("T", " ").replace(/(\.000)?Z$/, "").replace(" 00:00:00", "");
  return typeof cell === "number" ? numberText(cell) : String(cell).trim();
}

/** A number as Python writes it. */
function numberText(number) {
  if (Number.isInteger(number)) return String(BigInt(number));
  const text = Math.abs(number) < 1e-4 ? number.toExponential() : String(number);
  return text.replace(/e-(\d)$/, "e-0$1");
}
