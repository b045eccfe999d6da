// The score of every threshold as a curve, with one threshold that the reader moves along it.

import { say } from "../../tree_view/messages.js";

const MOST_DOTS = 80;
const MARGINS = { left: 28, right: 28, top: 96, bottom: 84 };

export function drawCutCurve(canvas, picture, { theme, local, change }) {
  const { cuts } = picture;
  const shown = Math.min(local.shown ?? picture.shown, cuts.length - 1);
  const places = cutPlaces(cuts, canvas);
  const [x, y] = places[shown];
  const bottom = canvas.height - MARGINS.bottom;
  canvas.text("title", MARGINS.left, 32, picture.title, { kind: "pic-title" });
  canvas.text("reading", MARGINS.left, 62, cuts[shown].text, { kind: "pic-number" });
  canvas.line("axis", [[MARGINS.left, bottom], [canvas.width - MARGINS.right, bottom]], { stroke: theme.quiet, "stroke-width": 1 });
  if (places.length > 1) canvas.line("curve", places, { stroke: theme.primary });
  if (places.length <= MOST_DOTS) places.forEach(([cx, cy], index) => canvas.put(`dot ${index}`, "circle", { cx, cy, r: 3.5, fill: theme.primary }));
  canvas.line("threshold", [[x, MARGINS.top - 14], [x, bottom]], { stroke: theme.text, "stroke-dasharray": "4 4" });
  canvas.put("point", "circle", { cx: x, cy: y, r: 7, fill: theme.primary, stroke: theme.background, "stroke-width": 2 });
  canvas.text("least", MARGINS.left, bottom + 22, picture.ends[0], { kind: "pic-small" });
  canvas.text("most", canvas.width - MARGINS.right, bottom + 22, picture.ends[1], { kind: "pic-small", anchor: "end" });
  if (cuts.length < 2) return;
  canvas.slider("slider", {
    x: MARGINS.left, y: bottom + 36, width: canvas.width - MARGINS.left - MARGINS.right,
    label: say("Threshold"), max: cuts.length - 1, value: shown, said: cuts[shown].text,
    onInput: (value) => change({ shown: value }),
  });
}

/** [x, y] of every threshold: the largest score at the top, a score of 0 at the bottom. */
export function cutPlaces(cuts, { width, height }) {
  const [least, most] = [cuts[0].threshold, cuts.at(-1).threshold];
  const highest = Math.max(...cuts.map((cut) => cut.score), Number.EPSILON);
  const across = width - MARGINS.left - MARGINS.right;
  const up = height - MARGINS.top - MARGINS.bottom;
  return cuts.map(({ threshold, score }) => [
    MARGINS.left + (most > least ? (threshold - least) / (most - least) : 0.5) * across,
    height - MARGINS.bottom - (Math.max(score, 0) / highest) * up,
  ]);
}
