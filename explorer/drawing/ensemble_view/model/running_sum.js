// How the answer for one row adds up, member by member: the waterfall, and the strip of votes.

/** @typedef {ArrayLike<number>} Numbers */

/**
 * The sum after every member: sums[m] is the start and the first m members.
 * @param {{ start: number, values: Numbers }} waterfall
 */
export function runningSums({ start, values }) {
  const sums = new Float64Array(values.length + 1);
  sums[0] = start;
  for (let m = 0; m < values.length; m++) sums[m + 1] = sums[m] + values[m];
  return sums;
}

/**
 * How many members the first `stage` rounds have; members stand in the order of their rounds.
 * @param {Numbers} stageOf @param {number} stage
 */
export function membersUpTo(stageOf, stage) {
  let [first, last] = [0, stageOf.length];
  while (first < last) {
    const middle = (first + last) >> 1;
    if (stageOf[middle] <= stage) first = middle + 1;
    else last = middle;
  }
  return first;
}

/** The logistic function, by which log-odds become a probability. @param {number} value */
export function sigmoid(value) {
  return 1 / (1 + Math.exp(-value));
}

/** Log-odds of a probability. @param {number} share */
export function logOdds(share) {
  return Math.log(share / (1 - share));
}

/**
 * Weighted shares of the votes of the first `m` members for every class.
 * @param {Numbers} codes @param {Numbers} votes @param {number} m @param {number} nClasses
 */
export function voteShares(codes, votes, m, nClasses) {
  const shares = new Float64Array(nClasses);
  let total = 0;
  for (let i = 0; i < m; i++) {
    shares[codes[i]] += votes[i];
    total += votes[i];
  }
  return total > 0 ? shares.map((share) => share / total) : shares;
}

/** The mean of the first `m` numbers; NaN for none. @param {Numbers} values @param {number} m */
export function meanOf(values, m) {
  let sum = 0;
  for (let i = 0; i < m; i++) sum += values[i];
  return m > 0 ? sum / m : NaN;
}
