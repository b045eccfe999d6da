// A small table as HTML: its lines are as high as the room allows, and beyond that it scrolls.

/** @typedef {import("../canvas.js").PictureCanvas} PictureCanvas */

/** @typedef {{ columns: string[], rows: string[][], lit: number[], struck: number[], says: string }} TablePicture */

import { makeElement, putText, textElement } from "../../tree_view/dom.js";

const [LEAST_TABLE_LINE, MOST_TABLE_LINE, TABLE_MARGIN] = [22, 46, 12]; // pixels
const TABLE_NUMBER = /^[-−]?[\d,.]+\s?%?$/;

/** @param {PictureCanvas} canvas @param {TablePicture} picture */
export function drawTableRows(canvas, picture) {
  const box = canvas.control("table", TABLE_MARGIN, TABLE_MARGIN, canvas.width - 2 * TABLE_MARGIN, makeTableBox);
  const table = /** @type {HTMLTableElement} */ (box.firstChild);
  const [room, line] = [canvas.height - 2 * TABLE_MARGIN, tableLineHeight(canvas, picture.rows.length)];
  box.style.maxHeight = `${room * canvas.scale}px`;
  table.style.fontSize = `${Math.min(18, line * 0.5) * canvas.scale}px`;
  table.style.setProperty("--line", `${line * canvas.scale}px`);
  fillTableRows(table, picture);
  box.setAttribute("aria-label", picture.says);
}

/** Units between two lines, so that all fit if they can. @param {PictureCanvas} pictureCanvas @param {number} rows */
function tableLineHeight({ height }, rows) {
  return Math.max(LEAST_TABLE_LINE, Math.min(MOST_TABLE_LINE, (height - 2 * TABLE_MARGIN - 4) / (rows + 1)));
}

function makeTableBox() {
  const table = makeElement("table", "pic-table", {}, [textElement("thead", ""), textElement("tbody", "")]);
  table.tHead?.append(textElement("tr", ""));
  return makeElement("div", "pic-table-box", { tabindex: "0", role: "region", "data-own-keys": "" }, [table]);
}

/** @param {HTMLTableElement} table @param {TablePicture} tablePicture */
function fillTableRows(table, { columns, rows, lit, struck }) {
  const [tinted, paled] = [new Set(lit), new Set(struck)];
  const isNumeric = columns.map((_, column) => rows.every((cells) => TABLE_NUMBER.test(cells[column])));
  fillTableLine(table.rows[0], columns, isNumeric, "th");
  const body = table.tBodies[0];
  while (body.rows.length > rows.length) body.lastChild?.remove();
  while (body.rows.length < rows.length) body.append(textElement("tr", ""));
  rows.forEach((cells, row) => {
    const line = body.rows[row];
    fillTableLine(line, cells, isNumeric, "td");
    line.classList.toggle("pic-lit", tinted.has(row));
    line.classList.toggle("pic-struck", paled.has(row));
  });
}

/** @param {HTMLTableRowElement} line @param {string[]} texts @param {boolean[]} isNumeric @param {"td" | "th"} tag */
function fillTableLine(line, texts, isNumeric, tag) {
  while (line.cells.length > texts.length) line.lastChild?.remove();
  while (line.cells.length < texts.length) line.append(makeElement(tag, "", tag === "th" ? { scope: "col" } : {}));
  texts.forEach((text, column) => {
    putText(line.cells[column], text);
    line.cells[column].classList.toggle("pic-right", isNumeric[column]);
  });
}
