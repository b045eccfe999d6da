// All pairs of rows as a triangle of cells, tinted by their outcome; pointing at a cell, or two sliders, read one off.

import { listing, say } from "../../../tree_view/messages.js";

/** The position of the pair (first < second) of n rows in the order (0, 1), (0, 2), …, (1, 2), …. */
export function pairPosition(first, second, n) {
  return first * n - (first * (first + 1)) / 2 + second - first - 1;
}

export function drawPairGrid(canvas, picture, { theme, local, change }) {
  const n = picture.rows.length;
  const [first, second] = local.pair ?? picture.pair;
  const fills = [theme.quiet, theme.primary, theme.classes[1], theme.classes[2]];
  const size = Math.min((canvas.width - 90) / n, (canvas.height - 140) / n, 46);
  const [left, top] = [62, 52];
  canvas.text("title", 24, 30, picture.title, { kind: "pic-title" });
  picture.rows.forEach((row, index) => {
    if (index < n - 1) canvas.text(`row ${row}`, left + index * size - 8, top + (index + 0.68) * size, row, { anchor: "end", kind: "pic-small" });
    if (index > 0) canvas.text(`column ${row}`, left + (index - 0.5) * size, top + n * size - size + 18, row, { anchor: "middle", kind: "pic-small" });
  });
  for (let i = 0; i < n; i++) {
    for (let j = i + 1; j < n; j++) {
      const outcome = picture.cells[pairPosition(i, j, n)];
      const isShown = i === first && j === second;
      const cell = canvas.put(`cell ${i} ${j}`, "rect", {
        x: left + (j - 1) * size + 1, y: top + i * size + 1, width: size - 2, height: size - 2, rx: 3,
        fill: fills[outcome % fills.length], opacity: outcome ? 1 : 0.45,
        stroke: isShown ? theme.text : "none", "stroke-width": 2.5,
      });
      cell.onpointerenter = () => change({ pair: [i, j] });
    }
  }
  drawOutcomes(canvas, picture, { x: 24, bottom: top + (n - 1) * size, fills });
  const outcome = picture.outcomes[picture.cells[pairPosition(first, second, n)]][0];
  const bottom = top + n * size + 22;
  canvas.text("pair", left, bottom + 8, say("{name}: {value}", { name: listing([picture.rows[first], picture.rows[second]]), value: outcome }), { kind: "pic-number" });
  drawPairSliders(canvas, picture, { first, second, left, top: bottom + 18, change });
}

/** The colours of the outcomes, in the free corner below the diagonal. */
function drawOutcomes(canvas, picture, { x, bottom, fills }) {
  picture.outcomes.forEach(([name, count], outcome) => {
    const y = bottom - 4 - (picture.outcomes.length - 1 - outcome) * 26;
    canvas.put(`sample ${outcome}`, "rect", { x, y: y - 13, width: 16, height: 16, rx: 3, fill: fills[outcome % fills.length], opacity: outcome ? 1 : 0.45 });
    canvas.text(`outcome ${outcome}`, x + 24, y, say("{name}: {value}", { name: name, value: count }), { kind: "pic-number" });
  });
}

function drawPairSliders(canvas, picture, { first, second, left, top, change }) {
  const last = picture.rows.length - 1;
  const width = Math.min((canvas.width - left - 40) / 2, 220);
  canvas.slider("first", {
    x: left, y: top, width, label: say("First row"), max: last - 1, value: first, said: picture.rows[first],
    onInput: (value) => change({ pair: [value, Math.max(second, value + 1)] }),
  });
  canvas.slider("second", {
    x: left + width + 20, y: top, width, label: say("Second row"), min: 1, max: last, value: second, said: picture.rows[second],
    onInput: (value) => change({ pair: [Math.min(first, value - 1), value] }),
  });
}
