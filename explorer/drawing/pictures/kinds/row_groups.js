// Rows as balls in the branches of a division. Balls are keyed by their rows, so that they move when it changes.

import { ballCentres, ballRadius } from "./placing.js";
import { putBall, putChips, putClasses } from "./pieces.js";

const [GROUP_EDGE, GROUP_GAP, GROUP_LABEL, GROUP_LINE] = [20, 10, 30, 22];
const [SHARES_HEIGHT, RESULT_HEIGHT, LARGEST_BALL, NARROWEST] = [48, 40, 34, 88];

export function drawRowGroups(canvas, picture, tools) {
  const [shownKey, { theme, local }] = [`shown ${picture.state}`, tools];
  const shown = Math.min(local[shownKey] ?? picture.shown, picture.divisions.length - 1);
  const division = picture.divisions[shown];
  const room = canvas.width - 2 * GROUP_EDGE;
  let y = 10;
  if (picture.divisions.length > 1) {
    const names = picture.divisions.map(({ name }) => name);
    y += putChips(canvas, { x: GROUP_EDGE, y, room, names, pressed: shown, onPress: (at) => tools.change({ [shownKey]: at }) });
  }
  const legend = putClasses(canvas, picture.classes, { x: GROUP_EDGE, y: y + 20, room: room * 0.5 }, theme);
  const detail = local.row === undefined ? "" : picture.details[local.row];
  canvas.text("detail", canvas.width - GROUP_EDGE, y + 20, canvas.shortened(detail, room - legend, "pic-small"), { anchor: "end", kind: "pic-small" });
  const isNarrow = (room - GROUP_GAP * (division.groups.length - 1)) / division.groups.length < NARROWEST;
  const lines = isNarrow ? 0 : Math.max(...division.groups.map((group) => group.lines.length));
  const bottom = canvas.height - 8 - (division.result ? RESULT_HEIGHT : 0) - (picture.has_shares ? SHARES_HEIGHT : 0);
  const boxes = lowered(groupBoxes(division.groups.length, { x: GROUP_EDGE, y: y + 36, width: room, height: bottom - y - 36 }), division, lines);
  putGroups(canvas, division, boxes, lines, theme);
  putRows(canvas, picture, division, boxes.map((box) => innerBox(box, lines)), tools);
  const end = boxes[0].y + boxes[0].height;
  if (picture.has_shares) putShares(canvas, division.groups, { x: GROUP_EDGE, y: end + 12, width: room }, picture.rows.length, theme);
  if (division.result) canvas.text("result", canvas.width / 2, end + (picture.has_shares ? SHARES_HEIGHT : 0) + RESULT_HEIGHT - 10, canvas.shortened(division.result, room, "pic-title"), { anchor: "middle", kind: "pic-title" });
}

/** Boxes of equal width side by side in a frame. */
export function groupBoxes(count, frame) {
  const gap = count > 8 ? 3 : GROUP_GAP;
  const width = (frame.width - gap * (count - 1)) / count;
  return Array.from({ length: count }, (_, at) => ({ ...frame, x: frame.x + at * (width + gap), width }));
}

/** The boxes no higher than their balls need with some room around them, in the middle of the height they had. */
function lowered(boxes, { groups }, lines) {
  const inner = boxes.map((box) => innerBox(box, lines));
  const radius = ballRadius(inner, groups.map(({ rows }) => rows.length), LARGEST_BALL);
  const most = Math.max(...groups.map(({ rows }, at) => rows.length / Math.max(1, Math.floor(inner[at].width / (2 * radius + 4)))));
  const height = Math.min(boxes[0].height, GROUP_LABEL + lines * GROUP_LINE + 12 + (Math.ceil(most) + 1.5) * (2 * radius + 4));
  return boxes.map((box) => ({ ...box, y: box.y + (box.height - height) / 2, height }));
}

/** The part of a box for its balls, between its name and its lines. */
export function innerBox({ x, y, width, height }, lines) {
  const edge = Math.min(10, width * 0.06);
  return { x: x + edge, y: y + GROUP_LABEL + 4, width: width - 2 * edge, height: height - GROUP_LABEL - lines * GROUP_LINE - 12 };
}

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

function putRows(canvas, picture, division, boxes, tools) {
  const radius = ballRadius(boxes, division.groups.map(({ rows }) => rows.length), LARGEST_BALL);
  division.groups.forEach(({ rows }, at) => {
    const sorted = [...rows].sort((a, b) => picture.codes[a] - picture.codes[b]);
    ballCentres(boxes[at], sorted.length, radius).forEach((centre, of) => {
      const row = sorted[of];
      const isLit = tools.local.row === row;
      const ball = putBall(canvas, picture.rows[row], centre, radius, picture.rows[row], tools.theme.classes[picture.codes[row]], {
        stroke: isLit ? tools.theme.text : "none",
        "stroke-width": 3,
      });
      ball.onpointerenter = () => tools.local.row !== row && tools.change({ row });
    });
  });
}

/** A strip as wide as all rows, in parts as wide as the branches' shares, with these as fractions. */
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
