// Rows as buttons above bars; pressing one leaves it out, and the bars move to those without it.

/** @typedef {import("../../tree_view/canvas/icicle/row_bar.js").Bar} Bar */
/** @typedef {import("./bars.js").BarPicture} BarPicture */
/** @typedef {import("./bars.js").Bar} BarRecord */
/** @typedef {import("../canvas.js").PictureCanvas} PictureCanvas */
/** @typedef {import("../../tree_view/theme.js").Theme} Theme */

/** @typedef {Pick<BarPicture, "without" | "rows" | "is_sorted">} Sorted */

import { putClasses } from "./pieces.js";
import { makeElement } from "../../tree_view/dom.js";
import { say } from "../../tree_view/messages.js";

const [CHIP_WIDTH, DAY_CHIP_HEIGHT, CHIP_GAP, CHIPS_TOP] = [50, 34, 8, 52];

/** The position of the bar that is best: the feature that splits the root. @param {BarRecord[]} bars */
function rootOf(bars) {
  return bars.findIndex((bar) => bar.is_best);
}

/** The roots that rows are sorted to, the most frequent first: [{root, rows}]. @param {Sorted} picture */
export function rootGroups(picture) {
  /** @type {Map<number, number[]>} */
  const groups = new Map();
  picture.without.map(rootOf).forEach((root, row) => groups.set(root, [...(groups.get(root) ?? []), row]));
  return [...groups].map(([root, rows]) => ({ root, rows })).sort((a, b) => b.rows.length - a.rows.length || a.root - b.root);
}

/**
 * Places of the buttons and the heading of every group: {chips: [{x, y}], heads, bottom}.
 * @param {Sorted} picture @param {number} width
 */
export function chipPlaces(picture, width) {
  /** @type {{ x: number, y: number }[]} */
  const chips = [];
  /** @type {{ root: number, count: number, y: number }[]} */
  const heads = [];
  let y = CHIPS_TOP;
  const groups = picture.is_sorted ? rootGroups(picture) : [{ root: null, rows: picture.rows.map((_, row) => row) }];
  for (const { root, rows } of groups) {
    const left = 24;
    if (root !== null) {
      heads.push({ root, count: rows.length, y: y + 16 });
      y += 26;
    }
    const across = Math.max(Math.floor((width - left - 16 + CHIP_GAP) / (CHIP_WIDTH + CHIP_GAP)), 1);
    const lines = Math.ceil(rows.length / across);
    const even = Math.ceil(rows.length / lines);
    rows.forEach((row, index) => {
      chips[row] = { x: left + (index % even) * (CHIP_WIDTH + CHIP_GAP), y: y + Math.floor(index / even) * (DAY_CHIP_HEIGHT + CHIP_GAP) };
    });
    y += lines * (DAY_CHIP_HEIGHT + CHIP_GAP) + 4;
  }
  return { chips, heads, bottom: y };
}

/**
 * Draw the buttons; gives the bars without the row that is out, where they begin, and what is said of them.
 * @param {PictureCanvas} canvas @param {BarPicture} picture
 * @param {import("../canvas.js").Tools<{ struck?: number | null }>} tools
 */
export function putRowsOut(canvas, picture, { theme, local, change }) {
  const struck = local.struck === undefined ? picture.struck : local.struck;
  const bars = struck === null ? picture.bars : picture.without[struck];
  const feature = bars[rootOf(bars)].label;
  const { chips, heads, bottom } = chipPlaces(picture, canvas.width);
  canvas.text("title", 24, 30, picture.title, { kind: "pic-title" });
  for (const { root, count, y } of heads) {
    canvas.text(`head ${root}`, 24, y, say("{name}: {value}", { name: bars[root].label, value: count }), { kind: "pic-number" });
  }
  chips.forEach(({ x, y }, row) => drawRowChip(canvas, picture, row, { x, y }, { theme, isOut: row === struck, change }));
  const room = 90 * picture.classes.length;
  if (canvas.width >= 560) putClasses(canvas, picture.classes, { x: canvas.width - room, y: 30, room }, theme);
  const verdict = struck === null
    ? say("All rows: {feature} splits the root", { feature })
    : say("Without {row}: {feature} splits the root", { row: picture.rows[struck], feature });
  return { bars, bottom, verdict };
}

/**
 * @param {PictureCanvas} canvas @param {BarPicture} picture @param {number} row @param {{ x: number, y: number }} place
 * @param {{ theme: Theme, isOut: boolean, change: (fields: { struck: number | null }) => void }} look
 */
function drawRowChip(canvas, picture, row, { x, y }, { theme, isOut, change }) {
  const chip = canvas.control(`row ${row}`, x, y, CHIP_WIDTH, () => makeElement("button", "pic-day", { type: "button" }));
  chip.style.height = `${DAY_CHIP_HEIGHT * canvas.scale}px`;
  chip.style.setProperty("--chip", theme.classes[picture.codes[row]]);
  chip.textContent = picture.rows[row];
  chip.setAttribute("aria-pressed", String(isOut));
  chip.setAttribute("aria-label", say("Leave out {row}", { row: picture.rows[row] }));
  chip.onclick = () => change({ struck: isOut ? null : row });
}
