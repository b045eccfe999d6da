// Staircases: a value in every interval between ascending edges, and what is drawn of them.

/** @typedef {ArrayLike<number>} Numbers */

/**
 * The corners of a staircase [[x, y], …] from its left end to its right one; equal neighbours make one step.
 * @param {Numbers} edges @param {Numbers} values
 */
export function corners(edges, values) {
  const points = [];
  for (let j = 0; j < values.length; j++) {
    if (j > 0 && values[j] === values[j - 1]) {
      points[points.length - 1][0] = edges[j + 1];
      continue;
    }
    points.push([edges[j], values[j]], [edges[j + 1], values[j]]);
  }
  return points;
}

/** The runs of equal values: [{from, to, value}]. @param {Numbers} edges @param {Numbers} values */
export function runsOf(edges, values) {
  const runs = [];
  for (let j = 0; j < values.length; j++) {
    const last = runs[runs.length - 1];
    if (last && last.value === values[j]) last.to = edges[j + 1];
    else runs.push({ from: edges[j], to: edges[j + 1], value: values[j] });
  }
  return runs;
}

/**
 * The interval that holds x: edges are ascending, a value on an edge belongs to the interval on its left (x ≤ edge).
 * @param {Numbers} edges @param {number} x
 */
export function intervalOf(edges, x) {
  let [first, last] = [0, edges.length - 2];
  while (first < last) {
    const middle = (first + last) >> 1;
    if (x <= edges[middle + 1]) last = middle;
    else first = middle + 1;
  }
  return first;
}

/**
 * The class of two that f(x) > 0 stands for: of numbers the larger, as the books have +1 and −1, else the second.
 * @param {(string | number)[]} classes
 */
export function classAbove([first, second]) {
  return Number(first) > Number(second) ? 0 : 1;
}

/**
 * f(x) of two classes, the votes for the one above 0 less those for the one below.
 * @param {Numbers} below @param {Numbers} above
 */
export function voteDifference(below, above) {
  return Float32Array.from(above, (vote, j) => vote - below[j]);
}

/**
 * The class with the most votes in every interval, the first of equals.
 * @param {(code: number) => Numbers} votesOfClass @param {number} nClasses @param {number} intervals
 */
export function leaders(votesOfClass, nClasses, intervals) {
  const codes = new Uint16Array(intervals);
  const most = Float32Array.from(votesOfClass(0));
  for (let code = 1; code < nClasses; code++) {
    const votes = votesOfClass(code);
    for (let j = 0; j < intervals; j++) if (votes[j] > most[j]) [codes[j], most[j]] = [code, votes[j]];
  }
  return codes;
}

/** The least and the largest finite number, with others beside them; [0, 1] without any. @param {...Numbers} arrays @returns {[number, number]} */
export function rangeOf(...arrays) {
  let [least, largest] = [Infinity, -Infinity];
  for (const array of arrays) {
    for (let i = 0; i < array.length; i++) {
      if (array[i] < least) least = array[i];
      if (array[i] > largest && array[i] !== Infinity) largest = array[i];
    }
  }
  return least <= largest && least !== -Infinity ? [least, largest] : [0, 1];
}
