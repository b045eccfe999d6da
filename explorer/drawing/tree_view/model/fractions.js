// Numbers that are fractions, as one works them out on paper: 0.05714… is 2/35.

const MOST_OFF = 1e-12;

/** The fraction {above, below} that a number is, with no larger denominator than `most`; null where it is none. */
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

/** "2/35"; "" for a whole number and for what is no fraction. */
export function fractionText(value) {
  const found = asFraction(value);
  return found === null || found.below === 1 ? "" : `${found.above}/${found.below}`;
}
