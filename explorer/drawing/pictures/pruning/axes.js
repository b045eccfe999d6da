// Straight axes of a plot, and texts along them that do not overlap.

const AXIS_LETTER = 7.4;

/** From numbers to places: {across(value), down(value), valueAt(x)} of a plot in a box, both axes from 0 or `least`. */
export function plotScales(box, most, least = { x: 0, y: 0 }) {
  const [width, height] = [most.x - least.x, most.y - least.y];
  return {
    across: (value) => box.x + ((value - least.x) / width) * box.width,
    down: (value) => box.y + box.height - ((value - least.y) / height) * box.height,
    valueAt: (x) => least.x + (Math.min(Math.max(x - box.x, 0), box.width) / box.width) * width,
  };
}

/** The two axis lines, and what they measure; the title of x stands above its line, or `below` it in the row of ticks. */
export function drawAxisLines(canvas, box, { theme, xTitle, yTitle, below = 0 }) {
  const bottom = box.y + box.height;
  canvas.line("axis", [[box.x, box.y], [box.x, bottom], [box.x + box.width, bottom]], { stroke: theme.quiet, class: "pic-edge" });
  canvas.text("axis x", box.x + box.width, bottom + (below || -8), xTitle, { anchor: "end", kind: "pic-small pic-halo pic-quiet" });
  canvas.text("axis y", box.x, box.y - 8, yTitle, { anchor: "start", kind: "pic-small pic-quiet" });
}

/** The row of each text, so that texts centred at `places` do not overlap: as few rows as needed, from 0. */
export function rowsWithoutOverlap(places, texts, letter = AXIS_LETTER) {
  const ends = [];
  return places.map((place, index) => {
    const half = (texts[index].length * letter) / 2 + 4;
    let row = ends.findIndex((end) => end <= place - half);
    if (row < 0) row = ends.length;
    ends[row] = place + half;
    return row;
  });
}
