// Names where they do not fit: of names that begin alike, the part that tells them apart.
//
// boundary   where a word begins: after a separator, or at a capital letter after a small one
// Names that are written as one word count as beginning alike only where both the shared and the own part are long:
// "sepallength" and "sepalwidth" do, "status" and "state" don't.

const SEPARATORS = /[\s_\-.:/|]/;
const LEAST_SHARED = 4;
const LEAST_OWN = 5;
const LEAST_SAVED = 2; // characters, with the ellipsis counted

/** The short names of one list of names, made when they are first asked for. */
export class ShortNames {
  /** @param {string[]} names */
  constructor(names) {
    this.names = [...new Set(names)].sort(byCodeUnits);
    this.short = new Map();
  }

  /** "…setosa" for "Iris-setosa" among other irises; null where a name begins like no other. @param {string} name */
  of(name) {
    if (!this.short.has(name)) this.short.set(name, this.shortened(name));
    return this.short.get(name);
  }

  /** @param {string} name */
  shortened(name) {
    const at = this.names.indexOf(name);
    const begins = [this.names[at - 1], this.names[at + 1]].filter((other) => other !== undefined).map((other) => ownBegin(name, other));
    const begin = Math.max(0, ...begins);
    if (begin === 0) return null;
    const tail = name.slice(begin);
    const others = this.names.filter((other) => other !== name && other.endsWith(tail));
    let kept = 0; // of the beginning, as much as no other name with this ending has
    while (kept < begin && others.some((other) => other.startsWith(name.slice(0, kept)))) kept += 1;
    return begin - kept >= LEAST_SAVED ? `${name.slice(0, kept)}…${tail}` : null;
  }
}

/** @param {string} a @param {string} b */
function byCodeUnits(a, b) {
  return a < b ? -1 : 1;
}

/**
 * Where a name's own part begins, after what it shares with another; 0 where there is nothing to leave out.
 * @param {string} name @param {string} other
 */
function ownBegin(name, other) {
  let shared = 0;
  while (shared < name.length && name[shared] === other[shared]) shared += 1;
  const most = shared < name.length && SEPARATORS.test(name[shared]) ? shared + 1 : shared;
  for (let at = most; at > 0; at--) if (at < name.length && isBoundary(name, at)) return at;
  const isLong = shared >= LEAST_SHARED && Math.min(name.length, other.length) - shared >= LEAST_OWN;
  return isLong && /^\p{L}/u.test(name.slice(shared)) ? shared : 0;
}

/** @param {string} name @param {number} at */
function isBoundary(name, at) {
  return (SEPARATORS.test(name[at - 1]) && !SEPARATORS.test(name[at])) || /\p{Ll}\p{Lu}/u.test(name.slice(at - 1, at + 1));
}
