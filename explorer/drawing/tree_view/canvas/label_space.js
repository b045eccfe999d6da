// Sharing room: what two neighbours leave each other, and from left to right what the levels leave each other.
//
// wish     the width that a box, or the widest box of a level, would have with all the room it wants
// bend     what the edges between two levels need to turn in; the rest of the gap is for branch words

const LEAST_BEND = 24;
const MOST_BEND = 60;
const LEAST_WORD = 40;
const GAP_SHARE = 0.34;

/** Half the width that one of two neighbours may take of what is between their centres: half, or all the other leaves. */
export function fairHalf(between, otherWish) {
  return Math.max(between / 2, between - otherWish / 2);
}

/**
 * Widths of the levels' boxes and, before each level, of its words, where levels stand `room` apart and the first and
 * the last box may reach `end` beyond them.
 */
export function shareLevels(boxWishes, wordWishes, room, end) {
  const gaps = boxWishes.map((wish, d) => (d === 0 ? 0 : gapBetween(boxWishes[d - 1], wish, wordWishes[d], room)));
  const boxes = boxWishes.map((wish, d) => {
    let half = d === 0 || d === boxWishes.length - 1 ? end : Infinity;
    if (d > 0) half = Math.min(half, fairHalf(room - gaps[d], boxWishes[d - 1]));
    if (d + 1 < boxWishes.length) half = Math.min(half, fairHalf(room - gaps[d + 1], boxWishes[d + 1]));
    return Math.min(wish, 2 * half);
  });
  const words = boxes.map((width, d) => (d === 0 ? 0 : wordWidth(room - (boxes[d - 1] + width) / 2)));
  return { boxes, words };
}

/** What stays free between two levels' boxes: enough for the words, or hardly anything where they would be cut short. */
function gapBetween(above, below, word, room) {
  const wanted = LEAST_BEND + word;
  if ((above + below) / 2 + wanted <= room) return wanted;
  const gap = Math.min(wanted, room * GAP_SHARE);
  return gap >= LEAST_BEND + LEAST_WORD ? gap : LEAST_BEND;
}

function wordWidth(gap) {
  const left = gap - Math.max(LEAST_BEND, Math.min(MOST_BEND, gap * 0.35));
  return left >= LEAST_WORD ? left : 0;
}
