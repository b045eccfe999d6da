// Label spacing: how two neighbours share the room between them, and, from left to right, how the levels share theirs.
//
// natural width   the width of a box, or of the widest box of a level, where nothing limits it
// bend            the room that edges between two levels need to turn; the rest of the gap is for branch texts

/** @typedef {import("./layout.js").Layout} Layout */

/** @typedef {{ sum: number, count: number }} Pool */

const LEAST_BEND = 24;
const MOST_BEND = 60;
const LEAST_TEXT_WIDTH = 40;
const SIGN_WIDTH = 30; // of "yes" or "≤" with its plate
const GAP_SHARE = 0.34;
const NEIGHBOUR_GAP = 12;
const BISECTIONS = 24;

/**
 * Half the width that a box may take of the distance to its neighbour's centre: half, or all that the other leaves.
 * @param {number} between @param {number} otherWidth
 */
export function fairHalfWidth(between, otherWidth) {
  return Math.max(between / 2, between - otherWidth / 2);
}

/**
 * The width that the slots of a layout need so that no two neighbours share room: `width` of a node is that of its words.
 * @param {Pick<Layout, "levels" | "slots" | "x">} layout @param {(t: number) => number} width
 */
export function slotWidth({ levels, slots, x }, width) {
  let widest = width(0) / slots;
  for (const level of levels) {
    for (let i = 1; i < level.length; i++) {
      const [a, b] = [level[i - 1], level[i]];
      widest = Math.max(widest, ((width(a) + width(b)) / 2 + NEIGHBOUR_GAP) / (x[b] - x[a]));
    }
  }
  return widest;
}

/**
 * Widths of the levels' boxes and, before each level, of its branch texts, where a level is `rooms[d]` from the one
 * above it and the first and the last box may reach `end` beyond them.
 * @param {number[]} boxWidths @param {number[]} textWidths @param {number[]} rooms @param {number} end
 */
export function shareLevelWidths(boxWidths, textWidths, rooms, end) {
  const gaps = boxWidths.map((width, d) => (d === 0 ? 0 : gapBetween(boxWidths[d - 1], width, textWidths[d], rooms[d])));
  const boxes = boxWidths.map((width, d) => {
    let half = d === 0 || d === boxWidths.length - 1 ? end : Infinity;
    if (d > 0) half = Math.min(half, fairHalfWidth(rooms[d] - gaps[d], boxWidths[d - 1]));
    if (d + 1 < boxWidths.length) half = Math.min(half, fairHalfWidth(rooms[d + 1] - gaps[d + 1], boxWidths[d + 1]));
    return Math.min(width, 2 * half);
  });
  const texts = boxes.map((width, d) => (d === 0 ? 0 : textWidthIn(rooms[d] - (boxes[d - 1] + width) / 2)));
  return { boxes, texts };
}

/**
 * The gap between two levels' boxes: enough for the branch texts, or for a sign where they would be cut short.
 * @param {number} above @param {number} below @param {number} text @param {number} room
 */
function gapBetween(above, below, text, room) {
  const needed = LEAST_BEND + text;
  if ((above + below) / 2 + needed <= room) return needed;
  const gap = Math.min(needed, room * GAP_SHARE);
  return gap >= LEAST_BEND + LEAST_TEXT_WIDTH ? gap : LEAST_BEND + Math.min(text, room * GAP_SHARE > LEAST_BEND + SIGN_WIDTH ? SIGN_WIDTH : 0);
}

/** @param {number} gap */
function textWidthIn(gap) {
  const left = gap - Math.max(LEAST_BEND, Math.min(MOST_BEND, gap * 0.35));
  if (left >= LEAST_TEXT_WIDTH) return left;
  return gap - LEAST_BEND >= SIGN_WIDTH ? SIGN_WIDTH : 0;
}

/**
 * The sizes, the largest of them cut down to one common size, so that their sum is at most `room`; none below its `least`
 * size, where those have room together.
 * @param {number[]} sizes @param {number} room @param {number[]} [least]
 */
export function cutToRoom(sizes, room, least = []) {
  const sumOf = (/** @type {number[]} */ of) => of.reduce((sum, /** @type {number} */ size) => sum + size, 0);
  if (sumOf(sizes) <= room) return sizes;
  if (least.length > 0) {
    if (sumOf(least) > room) return cutToRoom(least, room);
    const cutTo = (/** @type {number} */ most) => sizes.map((size, i) => Math.max(least[i], Math.min(size, most)));
    let [fits, tooWide] = [0, Math.max(...sizes)];
    for (let step = 0; step < BISECTIONS; step++) {
      const most = (fits + tooWide) / 2;
      if (sumOf(cutTo(most)) <= room) fits = most;
      else tooWide = most;
    }
    return cutTo(fits);
  }
  let [left, waiting] = [room, sizes.length];
  let most = 0;
  for (const size of [...sizes].sort((a, b) => a - b)) {
    most = left / waiting;
    if (size > most) break;
    left -= size;
    waiting -= 1;
  }
  return sizes.map((size) => Math.min(size, most));
}

/**
 * Centres as close to the wanted ones (ascending) as they can be, by the sum of squares, so that no two stretches of
 * these sizes come closer than `gap` and all lie in [lo, hi]: pool adjacent violators.
 * @param {number[]} wanted @param {number[]} sizes @param {number} gap @param {number} lo @param {number} hi
 */
export function spreadCentres(wanted, sizes, gap, lo, hi) {
  const offsets = [0];
  for (let i = 1; i < sizes.length; i++) offsets.push(offsets[i - 1] + (sizes[i - 1] + sizes[i]) / 2 + gap);
  /** @type {Pool[]} */
  const pools = [];
  wanted.forEach((centre, i) => {
    let pool = { sum: centre - offsets[i], count: 1 };
    for (let before = pools.at(-1); before && poolMean(before) > poolMean(pool); before = pools.at(-1)) {
      pools.pop();
      pool = { sum: pool.sum + before.sum, count: pool.count + before.count };
    }
    pools.push(pool);
  });
  const first = lo + sizes[0] / 2;
  const last = Math.max(first, hi - sizes[sizes.length - 1] / 2 - offsets[offsets.length - 1]);
  const starts = pools.flatMap((pool) => new Array(pool.count).fill(Math.max(first, Math.min(last, poolMean(pool)))));
  return starts.map((start, i) => start + offsets[i]);
}

/** @param {Pool} pool */
function poolMean({ sum, count }) {
  return sum / count;
}
