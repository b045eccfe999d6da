// What a split into two branches lowers, measure by measure: the branches lie on the curve of the measure, their weighted
// mean on the line between them, and the decrease is how far the node lies above that line.
//
// picture: {classes, counts (of the node), branches: [{label, counts}], measures, decreases: texts, one for each measure}

import { drawAxes, drawFunction } from "../axes.js";
import { measureColour, measureName } from "../measures.js";
import { impurityOf, largestImpurity } from "../model/impurities.js";
import { say } from "../../tree_view/messages.js";

const [PANEL_GAP, CHORD_ABOVE, CHORD_BELOW] = [44, 108, 84];

export function drawChords(canvas, picture, { theme }) {
  const { measures } = picture;
  const wide = (canvas.width - 60 - (measures.length - 1) * PANEL_GAP) / measures.length;
  const high = Math.min(canvas.height - CHORD_ABOVE - CHORD_BELOW, wide * 1.25);
  const top = CHORD_ABOVE + Math.max(0, (canvas.height - CHORD_ABOVE - CHORD_BELOW - high) / 3);
  measures.forEach((measure, index) => {
    const left = 20 + index * (wide + PANEL_GAP);
    drawChordPanel(canvas, picture, measure, { left: left + 24, right: left + wide - 10, top, bottom: top + high }, theme);
  });
}

function drawChordPanel(canvas, picture, measure, box, theme) {
  const colour = measureColour(measure, theme);
  const key = `chord ${measure}`;
  const y = { low: 0, high: largestImpurity(measure, 2) * 1.08, wanted: 4 };
  const ticks = ["0", "1/2", "1"].map((text, k) => ({ at: k / 2, text }));
  const scales = drawAxes(canvas, key, box, { x: { low: 0, high: 1, ticks, title: say("p, the share of {class}", { class: picture.classes[1] }), titleAt: "middle", away: 46, kind: "pic-label" }, y });
  drawFunction(canvas, key, scales, (p) => impurityOf(measure, [1 - p, p]), { class: "pic-line pic-curve", stroke: colour });
  drawDecrease(canvas, key, picture, measure, scales, theme);
  const middle = (box.left + box.right) / 2;
  canvas.text(`${key} name`, middle, box.top - 66, measureName(measure), { anchor: "middle", kind: "pic-title", fill: colour });
  const text = say("decrease {value}", { value: picture.decreases[picture.measures.indexOf(measure)] });
  canvas.text(`${key} decrease`, middle, box.top - 36, text, { anchor: "middle", kind: "pic-value" });
}

/** The mean of a measure over branches, weighted by their rows. */
function meanImpurity(measure, branches) {
  const weights = branches.map(({ counts }) => counts[0] + counts[1]);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return branches.reduce((sum, { counts }, k) => sum + (weights[k] / total) * impurityOf(measure, counts), 0);
}

function drawDecrease(canvas, key, { counts, branches }, measure, { x, y }, theme) {
  const colour = measureColour(measure, theme);
  const placeOf = (of) => [x(of[1] / (of[0] + of[1])), y(impurityOf(measure, of))];
  const ends = branches.map((branch) => placeOf(branch.counts));
  const [nodeX, nodeY] = placeOf(counts);
  const meanY = y(meanImpurity(measure, branches));
  canvas.line(`${key} line`, ends, { class: "pic-line pic-dashed", stroke: theme.text });
  canvas.line(`${key} gap`, [[nodeX, nodeY], [nodeX, meanY]], { class: "pic-line pic-gap", stroke: theme.text });
  ends.forEach(([atX, atY], k) => {
    canvas.put(`${key} branch ${k}`, "circle", { cx: atX, cy: atY, r: 6.5, fill: colour, stroke: theme.background, "stroke-width": 2 });
    const isLeft = atX === Math.min(...ends.map((end) => end[0]));
    const place = isLeft ? [atX - 10, atY - 8] : [atX + 10, atY - 4];
    canvas.text(`${key} branch ${k} label`, ...place, branches[k].label, { anchor: isLeft ? "end" : "start", kind: "pic-small" });
  });
  canvas.put(`${key} mean`, "circle", { cx: nodeX, cy: meanY, r: 5, fill: theme.background, stroke: theme.text, "stroke-width": 2 });
  canvas.put(`${key} node`, "circle", { cx: nodeX, cy: nodeY, r: 5, fill: theme.text, stroke: theme.background, "stroke-width": 2 });
}
