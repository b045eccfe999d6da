// Label spacing: how two neighbours share the room between them, and, from left to right, how the levels share theirs.
//
// natural width   the width of a box, or of the widest box of a level, where nothing limits it
// bend            the room that edges between two levels need to turn; the rest of the gap is for branch texts

const LEAST_BEND = 24;
const MOST_BEND = 60;
const LEAST_TEXT_WIDTH = 40;
const GAP_SHARE = 0.34;

/** Half the width that a box may take of the distance to its neighbour's centre: half, or all that the other leaves. */
export function fairHalfWidth(between, otherWidth) {
  return Math.max(between / 2, between - otherWidth / 2);
}

/**
 * Widths of the levels' boxes and, before each level, of its branch texts, where levels are `room` apart and the first
 * and the last box may reach `end` beyond them.
 */
export function shareLevelWidths(boxWidths, textWidths, room, end) {
  const gaps = boxWidths.map((width, d) => (d === 0 ? 0 : gapBetween(boxWidths[d - 1], width, textWidths[d], room)));
  const boxes = boxWidths.map((width, d) => {
    let half = d === 0 || d === boxWidths.length - 1 ? end : Infinity;
    if (d > 0) half = Math.min(half, fairHalfWidth(room - gaps[d], boxWidths[d - 1]));
    if (d + 1 < boxWidths.length) half = Math.min(half, fairHalfWidth(room - gaps[d + 1], boxWidths[d + 1]));
    return Math.min(width, 2 * half);
  });
  const texts = boxes.map((width, d) => (d === 0 ? 0 : textWidthIn(room - (boxes[d - 1] + width) / 2)));
  return { boxes, texts };
}

/** The gap between two levels' boxes: enough for the branch texts, or hardly anything where they would be cut short. */
function gapBetween(above, below, text, room) {
  const needed = LEAST_BEND + text;
  if ((above + below) / 2 + needed <= room) return needed;
  const gap = Math.min(needed, room * GAP_SHARE);
  return gap >= LEAST_BEND + LEAST_TEXT_WIDTH ? gap : LEAST_BEND;
}

function textWidthIn(gap) {
  const left = gap - Math.max(LEAST_BEND, Math.min(MOST_BEND, gap * 0.35));
  return left >= LEAST_TEXT_WIDTH ? left : 0;
}
