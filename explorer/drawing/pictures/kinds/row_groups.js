// Rows as balls in the branches of a division. Balls are keyed by their rows, so that they move when it changes.
// The reader chooses a division by its button, or, where divisions have numbers, from a list with their bars.

/** @typedef {import("../canvas.js").Area} PicArea */
/** @typedef {import("../canvas.js").PictureCanvas} PictureCanvas */
/** @typedef {import("../../tree_view/theme.js").Theme} Theme */

/** @typedef {{ label: string, rows: number[], lines: string[] }} RowGroup */
/**
 * @typedef {{
 *   name: string, groups: RowGroup[], result: string, value: number, text: string, arithmetic: string, is_best: boolean,
 * }} Division
 */
/**
 * @typedef {{
 *   rows: string[], codes: number[], classes: string[], divisions: Division[], details: string[], shown: number,
 *   has_shares: boolean, title: string, marks: string[] | null, most: number, state: string,
 * }} RowPicture as row_groups.py has it
 */
/** @typedef {Record<string, number | undefined>} Local `hovered` and `row`, and the divisions chosen by state */

import { ballCentres, ballRadius } from "./placing.js";
import { putBall, putChips, putClasses } from "./pieces.js";
import { makeElement } from "../../tree_view/dom.js";

const [GROUP_EDGE, GROUP_GAP, GROUP_LABEL, GROUP_LINE, TITLE_LINE] = [20, 10, 30, 22, 30];
const [SHARES_HEIGHT, RESULT_HEIGHT, LARGEST_BALL, NARROWEST] = [48, 40, 34, 88];
const [LIST_WIDE, LIST_LOW, TALL_ROW, LOW_ROW] = [720, 370, 84, 48];

/** @param {PictureCanvas} canvas @param {RowPicture} picture @param {import("../canvas.js").Tools<Local>} tools */
export function drawRowGroups(canvas, picture, tools) {
  const { divisions, most } = picture;
  const [shownKey, { theme, local }] = [`shown ${picture.state}`, tools];
  const shown = Math.min(local.hovered ?? local[shownKey] ?? picture.shown, divisions.length - 1);
  const take = (/** @type {number} */ at) => tools.change({ [shownKey]: at, hovered: undefined });
  const room = canvas.width - 2 * GROUP_EDGE;
  let y = 10;
  if (picture.title) {
    canvas.text("title", GROUP_EDGE, y + 20, picture.title, { kind: "pic-title" });
    y += TITLE_LINE;
  }
  if (divisions.length > 1 && !most) {
    y += putChips(canvas, { x: GROUP_EDGE, y, room, names: divisions.map(({ name }) => name), pressed: shown, onPress: take });
  }
  const legend = putClasses(canvas, picture.classes, { x: GROUP_EDGE, y: y + 20, room: picture.details.length ? room * 0.5 : room }, theme);
  const detail = picture.details[local.row ?? -1] ?? "";
  canvas.text("detail", canvas.width - GROUP_EDGE, y + 20, canvas.shortened(detail, room - legend, "pic-small"), { anchor: "end", kind: "pic-small" });
  const frame = { x: GROUP_EDGE, y: y + 36, width: room, height: canvas.height - y - 44 };
  const { list, groups } = most ? listAndGroups(frame, divisions.length) : { list: null, groups: frame };
  if (list) putList(canvas, picture, shown, list, { ...tools, take });
  putDivision(canvas, picture, divisions[shown], groups, tools);
}

/**
 * Where the list and the groups go in a frame: side by side where it is wide, else one below the other.
 * @param {PicArea} picArea @param {number} n
 */
export function listAndGroups({ x, y, width, height }, n) {
  if (width >= LIST_WIDE || (height < LIST_LOW && width > height)) {
    return { list: { x, y, width: width * 0.5, height }, groups: { x: x + width * 0.53, y, width: width * 0.47, height } };
  }
  const tall = Math.min(height * 0.52, n * LOW_ROW);
  return { list: { x, y, width, height: tall - 8 }, groups: { x, y: y + tall, width, height: height - tall } };
}

/**
 * @param {PictureCanvas} canvas @param {RowPicture} rowPicture @param {number} shown @param {PicArea} picArea
 * @param {import("../canvas.js").Tools<Local> & { take: (at: number) => void }} tools
 */
function putList(canvas, { divisions, most }, shown, { x, y, width, height }, tools) {
  const { theme } = tools;
  const row = Math.min(TALL_ROW, height / divisions.length);
  const [hasArithmetic, thick] = [row >= 40, Math.min(14, row * 0.5)];
  const [left, right] = [x + Math.min(190, width * 0.42), x + width - 64];
  canvas.put("selected row", "rect", { x: x - 6, y: y + shown * row, width: width + 12, height: row - 2, rx: 8, fill: theme.panel });
  divisions.forEach((division, index) => {
    const { name, text } = division;
    const middle = y + index * row + row * (hasArithmetic ? 0.36 : 0.5);
    const long = (Math.max(division.value, 0) / most) * (right - left);
    canvas.text(`label ${name}`, x + 2, middle + 5, name, { kind: "pic-label" });
    canvas.put(`bar ${name}`, "rect", { x: left, y: middle - thick / 2, width: long, height: thick, rx: 3, fill: division.is_best ? theme.primary : theme.quiet });
    canvas.text(`number ${name}`, left + long + 8, middle + 5, text, { kind: "pic-number" });
    if (hasArithmetic) canvas.text(`sum ${name}`, x + 2, middle + 24, division.arithmetic, { kind: "pic-small pic-pale" });
    const button = canvas.control(`select ${name}`, x - 6, y + index * row, width + 12, () => makeElement("button", "pic-division", { type: "button" }));
    button.style.height = `${(row - 2) * canvas.scale}px`;
    button.setAttribute("aria-label", `${name}: ${text}`);
    button.setAttribute("aria-pressed", String(index === shown));
    button.onclick = () => tools.take(index);
    button.onpointerenter = (event) => event.pointerType === "mouse" && tools.change({ hovered: index });
    button.onpointerleave = () => tools.change({ hovered: undefined });
  });
}

/**
 * The branches of one division with their rows, the shares and the result below.
 * @param {PictureCanvas} canvas @param {RowPicture} picture @param {Division} division @param {PicArea} frame
 * @param {import("../canvas.js").Tools<Local>} tools
 */
function putDivision(canvas, picture, division, frame, tools) {
  const { theme } = tools;
  const { groups, result } = division;
  const isNarrow = (frame.width - GROUP_GAP * (groups.length - 1)) / groups.length < NARROWEST;
  const lines = isNarrow ? 0 : Math.max(...groups.map((group) => group.lines.length));
  const height = frame.height - (result ? RESULT_HEIGHT : 0) - (picture.has_shares ? SHARES_HEIGHT : 0);
  const boxes = lowered(groupBoxes(groups.length, { ...frame, height }), division, lines);
  putGroups(canvas, division, boxes, lines, theme);
  putRows(canvas, picture, division, boxes.map((box) => innerBox(box, lines)), tools);
  const end = boxes[0].y + boxes[0].height;
  if (picture.has_shares) putShares(canvas, groups, { x: frame.x, y: end + 12, width: frame.width }, picture.rows.length, theme);
  if (!result) return;
  const kind = canvas.textWidth(result, "pic-title") > frame.width ? "pic-number" : "pic-title";
  const below = end + (picture.has_shares ? SHARES_HEIGHT : 0) + RESULT_HEIGHT - 10;
  canvas.text("result", frame.x + frame.width / 2, below, canvas.shortened(result, frame.width, kind), { anchor: "middle", kind });
}

/** Boxes of equal width side by side in a frame. @param {number} count @param {PicArea} frame */
export function groupBoxes(count, frame) {
  const gap = count > 8 ? 3 : GROUP_GAP;
  const width = (frame.width - gap * (count - 1)) / count;
  return Array.from({ length: count }, (_, at) => ({ ...frame, x: frame.x + at * (width + gap), width }));
}

/**
 * The boxes no higher than their balls need with some room around them, in the middle of the height they had.
 * @param {PicArea[]} boxes @param {Division} division @param {number} lines
 */
function lowered(boxes, { groups }, lines) {
  const inner = boxes.map((box) => innerBox(box, lines));
  const radius = ballRadius(inner, groups.map(({ rows }) => rows.length), LARGEST_BALL);
  const most = Math.max(...groups.map(({ rows }, at) => rows.length / Math.max(1, Math.floor(inner[at].width / (2 * radius + 4)))));
  const height = Math.min(boxes[0].height, GROUP_LABEL + lines * GROUP_LINE + 12 + (Math.ceil(most) + 1.5) * (2 * radius + 4));
  return boxes.map((box) => ({ ...box, y: box.y + (box.height - height) / 2, height }));
}

/** The part of a box for its balls, between its name and its lines. @param {PicArea} picArea @param {number} lines */
export function innerBox({ x, y, width, height }, lines) {
  const edge = Math.min(10, width * 0.06);
  return { x: x + edge, y: y + GROUP_LABEL + 4, width: width - 2 * edge, height: height - GROUP_LABEL - lines * GROUP_LINE - 12 };
}

/** @param {PictureCanvas} canvas @param {Division} division @param {PicArea[]} boxes @param {number} lines @param {Theme} theme */
function putGroups(canvas, division, boxes, lines, theme) {
  division.groups.forEach((group, at) => {
    const box = boxes[at];
    const [middle, end] = [box.x + box.width / 2, box.y + box.height];
    canvas.put(`group ${at}`, "rect", { ...box, rx: 6, fill: theme.panel, stroke: theme.border });
    canvas.text(`group name ${at}`, middle, box.y + 21, canvas.shortened(group.label, box.width - 4, "pic-number"), { anchor: "middle", kind: "pic-number" });
    group.lines.slice(0, lines).forEach((line, of) => {
      const y = end - 12 - (group.lines.length - 1 - of) * GROUP_LINE;
      canvas.text(`group line ${at} ${of}`, middle, y, canvas.shortened(line, box.width - 6, "pic-small"), { anchor: "middle", kind: "pic-small" });
    });
  });
}

/**
 * @param {PictureCanvas} canvas @param {RowPicture} picture @param {Division} division @param {PicArea[]} boxes
 * @param {import("../canvas.js").Tools<Local>} tools
 */
function putRows(canvas, picture, division, boxes, tools) {
  const radius = ballRadius(boxes, division.groups.map(({ rows }) => rows.length), LARGEST_BALL);
  division.groups.forEach(({ rows }, at) => {
    const sorted = [...rows].sort((a, b) => picture.codes[a] - picture.codes[b]);
    ballCentres(boxes[at], sorted.length, radius).forEach((centre, of) => {
      const row = sorted[of];
      const isLit = tools.local.row === row;
      const ball = putBall(canvas, picture.rows[row], centre, radius, (picture.marks ?? picture.rows)[row], tools.theme.classes[picture.codes[row]], {
        stroke: isLit ? tools.theme.text : "none",
        "stroke-width": 3,
      });
      ball.onpointerenter = () => tools.local.row !== row && tools.change({ row });
    });
  });
}

/**
 * A strip as wide as all rows, in parts as wide as the branches' shares, with these as fractions.
 * @param {PictureCanvas} canvas @param {RowGroup[]} groups @param {{ x: number, y: number, width: number }} place
 * @param {number} total @param {Theme} theme
 */
function putShares(canvas, groups, { x, y, width }, total, theme) {
  let left = x;
  groups.forEach(({ rows }, at) => {
    const part = (width * rows.length) / total;
    const fraction = `${rows.length}/${total}`;
    canvas.put(`share ${at}`, "rect", { x: left + 1, y, width: Math.max(part - 2, 1), height: 10, rx: 2, fill: theme.quiet });
    canvas.text(`share text ${at}`, left + part / 2, y + 27, canvas.textWidth(fraction, "pic-small") > part + 4 ? "" : fraction, { anchor: "middle", kind: "pic-small" });
    left += part;
  });
}
