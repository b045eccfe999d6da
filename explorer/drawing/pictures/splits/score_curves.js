// Scores as curves over sizes, with a size that is dragged, and the tree of that size below.

import { inPercent, percentText } from "../../tree_view/format.js";
import { say } from "../../tree_view/messages.js";
import { leavesText } from "../../tree_view/model/alpha_interval.js";
import { dragAcross, drawAxes } from "../axes.js";
import { nearestOf } from "../../charts/scales.js";

const [SCORE_LEFT, SCORE_RIGHT, SCORE_TOP, SCORE_FOOT, CURVES_SHARE, WIDE_NAMES, TREE_FROM] = [64, 150, 84, 72, 0.58, 620, 380];

export function drawScoreCurves(canvas, picture, tools) {
  const position = tools.local.size ?? picture.shown;
  const hasTree = picture.twigs.length > 0 && canvas.height >= TREE_FROM;
  const foot = canvas.height - SCORE_FOOT;
  const bottom = hasTree ? SCORE_TOP + (canvas.height - SCORE_TOP) * CURVES_SHARE - 24 : foot;
  const right = canvas.width - (canvas.width >= WIDE_NAMES ? SCORE_RIGHT : 24);
  const sizes = picture.sizes;
  canvas.text("title", 20, 26, picture.title, { kind: "pic-title" });
  const axes = { x: { low: sizes[0], high: sizes[sizes.length - 1], title: picture.size_name }, y: { low: picture.least, high: 1, isShare: true } };
  const frame = drawAxes(canvas, "scores", { left: SCORE_LEFT, right, top: SCORE_TOP, bottom }, axes);
  putBaseline(canvas, picture, frame, tools.theme);
  picture.lines.forEach((line, k) => putScoreLine(canvas, picture, line, frame, position, k ? tools.theme.primary : tools.theme.quiet));
  putSizeMarks(canvas, picture, frame, tools.theme);
  const at = frame.x(sizes[position]);
  canvas.line("size", [[at, frame.top - 4], [at, frame.bottom]], { stroke: tools.theme.text, "stroke-dasharray": "4 4", class: "pic-line pic-quick" });
  if (hasTree) putLeafLegend(canvas, picture.classes, bottom + 40, tools.theme);
  if (hasTree) putTwigs(canvas, picture, position, { left: 24, right: canvas.width - 24, top: bottom + 52, bottom: canvas.height - 48 }, tools.theme);
  dragAcross(canvas, "drag", frame, frame.x, (value) => tools.change({ size: nearestOf(sizes, value) }));
  canvas.slider("size slider", {
    x: frame.left, y: canvas.height - 32, width: frame.right - frame.left, label: picture.size_name, max: sizes.length - 1, value: position,
    said: String(sizes[position]), onInput: (size) => tools.change({ size }),
  });
}

function putBaseline(canvas, { baseline }, frame, theme) {
  if (baseline === null) return;
  canvas.line("baseline", [[frame.left, frame.y(baseline)], [frame.right, frame.y(baseline)]], { stroke: theme.quiet, "stroke-dasharray": "2 5" });
  const text = say("Majority baseline {share}", { share: percentText(baseline) });
  canvas.text("baseline text", frame.left + 6, frame.y(baseline) + 17, text, { kind: "pic-small pic-halo" });
}

function putScoreLine(canvas, { sizes }, { name, values, errors }, frame, position, colour) {
  const places = values.map((value, i) => [frame.x(sizes[i]), frame.y(value)]);
  if (errors.length) {
    const edge = (sign) => values.map((value, i) => [places[i][0], frame.y(value + sign * errors[i])]);
    const points = [...edge(1), ...edge(-1).reverse()].map((point) => point.map((n) => n.toFixed(1)).join(" "));
    canvas.put(`band ${name}`, "path", { d: `M${points.join(" L")} Z`, fill: colour, "fill-opacity": 0.18, stroke: "none" });
  }
  canvas.line(`line ${name}`, places, { stroke: colour });
  const [x, y] = places[position];
  canvas.put(`dot ${name}`, "circle", { cx: x, cy: y, r: 6, fill: colour, class: "pic-quick" });
  const share = inPercent((100 * values[position]).toFixed(1));
  if (frame.right + 100 < canvas.width) {
    const last = places[places.length - 1];
    canvas.text(`name ${name}`, frame.right + 10, last[1] - 4, name);
    canvas.text(`value ${name}`, frame.right + 10, last[1] + 15, share, { kind: "pic-number" });
  } else {
    const anchor = x > (frame.left + frame.right) / 2 ? "end" : "start";
    canvas.text(`value ${name}`, x + (anchor === "end" ? -10 : 10), y + (y < frame.top + 24 ? 24 : -10), `${name} ${share}`, { anchor, kind: "pic-number pic-halo" });
  }
}

function putSizeMarks(canvas, picture, frame, theme) {
  picture.marks.forEach(({ position, text }, i) => {
    const x = frame.x(picture.sizes[position]);
    const [y, isRight] = [SCORE_TOP - 36 + 20 * i, x > (frame.left + frame.right) / 2];
    canvas.line(`mark ${i}`, [[x, y - 12], [x, frame.bottom]], { stroke: theme.text }).style.strokeWidth = 1.5;
    canvas.text(`mark text ${i}`, x + (isRight ? -6 : 6), y, text, { anchor: isRight ? "end" : "start", kind: "pic-number" });
  });
}

function putLeafLegend(canvas, classes, y, theme) {
  let x = 24;
  classes.forEach((name, code) => {
    canvas.put(`legend leaf ${code}`, "circle", { cx: x + 5, cy: y - 5, r: 5, fill: theme.classes[code % theme.classes.length] });
    canvas.text(`legend name ${code}`, x + 16, y, name, { kind: "pic-small" });
    x += 40 + canvas.textWidth(name, "pic-small");
  });
}

/** The nodes drawn at a position, with whether each is a leaf there. */
export function twigsAt(twigs, position) {
  return twigs.map((twig, id) => ({ ...twig, id, isLeaf: twig.until === null || twig.until > position })).filter((twig) => twig.since <= position);
}

function putTwigs(canvas, { twigs }, position, { left, right, top, bottom }, theme) {
  const deepest = Math.max(...twigs.map(({ depth }) => depth), 1);
  const placeOf = ({ across, depth }) => [left + across * (right - left), top + ((bottom - top) * depth) / deepest];
  const drawn = twigsAt(twigs, position);
  for (const twig of drawn) {
    if (twig.parent >= 0) canvas.line(`twig ${twig.id}`, [placeOf(twigs[twig.parent]), placeOf(twig)], { stroke: theme.quiet }).style.strokeWidth = 1.3;
  }
  for (const twig of drawn.filter(({ isLeaf }) => isLeaf)) {
    const [cx, cy] = placeOf(twig);
    canvas.put(`leaf ${twig.id}`, "circle", { cx, cy, r: 4, fill: theme.classes[twig.code % theme.classes.length] });
    if (drawn.length === 1) canvas.text("alone", cx + 10, cy + 4, leavesText(1), { kind: "pic-small" });
  }
}
