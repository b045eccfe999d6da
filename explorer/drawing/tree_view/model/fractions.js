// Numbers as fractions, as in a calculation on paper: 0.05714… is 2/35.

const MOST_OFF = 1e-12;

/** A number as the fraction {above, below} with a denominator of at most `most`; null where there is none. @param {number} value */
export function asFraction(value, most = 9999) {
  if (!Number.isFinite(value)) return null;
  const size = Math.abs(value);
  let [above, below, aboveBefore, belowBefore, rest] = [Math.floor(size), 1, 1, 0, size - Math.floor(size)];
  while (Math.abs(size - above / below) > MOST_OFF * Math.max(1, size)) {
    if (rest === 0) return null;
    const whole = Math.floor(1 / rest);
    rest = 1 / rest - whole;
    [above, aboveBefore] = [whole * above + aboveBefore, above];
    [below, belowBefore] = [whole * below + belowBefore, below];
    if (below > most) return null;
  }
  return { above: value < 0 ? -above : above, below };
}

/** "2/35"; "" for a whole number and for a number that is not a fraction. @param {number} value */
export function fractionText(value) {
  const fraction = asFraction(value);
  return fraction === null || fraction.below === 1 ? "" : `${fraction.above}/${fraction.below}`;
}
