// Where balls, buttons and texts go in a picture: plain arithmetic without a drawing.

/** @typedef {import("../canvas.js").Area} PicArea */

const BALL_GAP = 4;

/**
 * The largest radius up to `most` with which the balls of every group fit into its box {width, height}.
 * @param {Pick<PicArea, "width" | "height">[]} boxes @param {number[]} counts @param {number} most
 */
export function ballRadius(boxes, counts, most) {
  for (let radius = most; radius > 3; radius -= 0.5) {
    if (boxes.every((box, at) => ballsFit(box, counts[at], radius))) return radius;
  }
  return 3;
}

/** @param {Pick<PicArea, "width" | "height">} box @param {number} count @param {number} radius */
function ballsFit({ width, height }, count, radius) {
  const step = 2 * radius + BALL_GAP;
  const across = Math.floor((width + BALL_GAP) / step);
  return across > 0 && Math.ceil(count / across) * step - BALL_GAP <= height;
}

/**
 * The centres [x, y] of so many balls in a box {x, y, width, height}, in centred rows from the top.
 * @param {PicArea} box @param {number} count @param {number} radius
 */
export function ballCentres(box, count, radius) {
  const step = 2 * radius + BALL_GAP;
  const most = Math.max(1, Math.floor((box.width + BALL_GAP) / step));
  const lines = Math.ceil(count / most);
  const across = Math.ceil(count / Math.max(lines, 1));
  const top = box.y + (box.height - lines * step + BALL_GAP) / 2 + radius;
  return Array.from({ length: count }, (_, at) => {
    const line = Math.floor(at / across);
    const inLine = Math.min(across, count - line * across);
    const left = box.x + (box.width - inLine * step + BALL_GAP) / 2 + radius;
    return [left + (at % across) * step, top + line * step];
  });
}

/**
 * The places {x, y, width} of things side by side, in as many lines as they need within `room`; and the height.
 * @param {number[]} widths @param {number} room @param {number} gap @param {number} lineHeight
 */
export function inLines(widths, room, gap, lineHeight) {
  let [x, y] = [0, 0];
  const places = widths.map((width) => {
    if (x > 0 && x + width > room) [x, y] = [0, y + lineHeight];
    const place = { x, y, width };
    x += width + gap;
    return place;
  });
  return { places, height: widths.length ? y + lineHeight : 0 };
}
