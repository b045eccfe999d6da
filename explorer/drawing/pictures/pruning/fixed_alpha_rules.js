// Rules of pruning with a fixed α side by side: the tree that each leaves, and its leaves as a staircase over α.

import { putDragSurface } from "../drag.js";
import { say, sayCount } from "../../tree_view/messages.js";
import { plotScales, rowsWithoutOverlap } from "./axes.js";
import { clipped, drawSmallTree } from "./small_tree.js";

const [RULE_STEPS, STAIRS_SHARE, STAIRS_ROW] = [500, 0.2, 17];

export function drawFixedAlphaRules(canvas, picture, { theme, local, change }) {
  const alpha = local.alpha ?? picture.alpha;
  const setAlpha = (value) => !picture.asks && change({ alpha: Math.min(Math.max(value, picture.least), picture.most) });
  canvas.text("title", 16, 28, `α = ${alpha.toFixed(4)}`, { kind: "pic-title" });
  const width = canvas.width / picture.rules.length;
  picture.rules.forEach((rule, index) => {
    drawRule(canvas, picture, rule, { index, x: index * width, width, alpha, theme, setAlpha });
  });
  if (picture.asks) return;
  canvas.slider("alpha", {
    x: 16,
    y: canvas.height - 30,
    width: canvas.width - 32,
    label: say("α, the penalty per leaf"),
    min: 0,
    max: RULE_STEPS,
    step: 1,
    value: Math.round(((alpha - picture.least) / (picture.most - picture.least)) * RULE_STEPS),
    said: `α = ${alpha.toFixed(4)}`,
    onInput: (value) => setAlpha(picture.least + (value / RULE_STEPS) * (picture.most - picture.least)),
  });
}

/** The interval of α that holds it: the last one that begins at or below it. */
export function intervalAt(intervals, alpha) {
  return intervals.filter(({ begin }) => begin <= alpha + 1e-12).at(-1);
}

function drawRule(canvas, picture, rule, { index, x, width, alpha, theme, setAlpha }) {
  const now = intervalAt(rule.intervals, alpha);
  const leaves = sayCount(now.leaves, "{n} leaf", "{n} leaves");
  const height = Math.max(60, canvas.height * STAIRS_SHARE);
  const stairs = { x: x + 34, y: canvas.height - height - 104, width: width - 62, height };
  canvas.text(`rule ${index}`, x + 16, 56, clipped(rule.title, width - 24), { kind: "pic-label" });
  canvas.text(`rule leaves ${index}`, x + 16, 80, leaves, { kind: "pic-number", fill: theme.primary });
  const treeBox = { x: x + 12, y: 92, width: width - 24, height: Math.min(stairs.y - 120, 420) };
  drawSmallTree(canvas, picture.tree, treeBox, { theme, leaves: new Set(now.pruned), name: `tree ${index}` });
  if (!picture.asks) drawStairs(canvas, picture, rule, stairs, { index, alpha, theme, setAlpha });
}

function drawStairs(canvas, picture, rule, box, { index, alpha, theme, setAlpha }) {
  const most = Math.max(...rule.intervals.map(({ leaves }) => leaves));
  const scales = plotScales(box, { x: picture.most, y: most }, { x: picture.least, y: 0 });
  const key = `stairs ${index}`;
  const points = rule.intervals.flatMap(({ begin, leaves }, step) => {
    const end = rule.intervals[step + 1]?.begin ?? picture.most;
    return [Math.max(begin, picture.least), end].map((value) => [scales.across(value), scales.down(leaves)]);
  });
  canvas.text(`${key} title`, box.x - 18, box.y - 10, say("leaves over α"), { kind: "pic-small pic-quiet" });
  const base = box.y + box.height;
  canvas.line(`${key} axis`, [[box.x, box.y], [box.x, base], [box.x + box.width, base]], { stroke: theme.quiet, class: "pic-edge" });
  canvas.line(key, points, { stroke: theme.primary, class: "pic-line" });
  for (const leaves of new Set(rule.intervals.map((interval) => interval.leaves))) {
    canvas.text(`${key} tick ${leaves}`, box.x - 8, scales.down(leaves) + 5, String(leaves), { anchor: "end", kind: "pic-small" });
  }
  drawStairTexts(canvas, rule, box, scales, key);
  const at = scales.across(alpha);
  canvas.line(`${key} alpha`, [[at, box.y - 4], [at, base]], { stroke: theme.text, class: "pic-edge pic-instant" });
  putDragSurface(canvas, `${key} drag`, { ...box, height: box.height + 10 }, (place) => setAlpha(scales.valueAt(place)));
}

function drawStairTexts(canvas, rule, box, scales, key) {
  const shown = rule.intervals.slice(1);
  const half = (text) => text.length * 3.7;
  const places = shown.map(({ begin, text }) => Math.min(scales.across(begin), box.x + box.width + 26 - half(text)));
  const rows = rowsWithoutOverlap(places, shown.map(({ text }) => text));
  shown.forEach(({ text }, index) => {
    const y = box.y + box.height + 18 + rows[index] * STAIRS_ROW;
    canvas.text(`${key} text ${index}`, places[index], y, text, { anchor: "middle", kind: "pic-small pic-halo" });
  });
}
