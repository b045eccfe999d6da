// A table of which one line can be chosen: its rows are as high as their text, in whatever width the page leaves it.
//
// data: {head: [{text, help, names (the line), isAmount, isOrder (the lines are sorted by it)}], lines: [[text]], chosen
// (position of a line, −1: none)}. Reports the line chosen, −1 where it was the chosen one.

/** @typedef {{ text: string, help: string, names: boolean, isAmount: boolean, isOrder: boolean }} Column */
/** @typedef {{ head: Column[], lines: string[][], chosen: number }} Table */
/**
 * @typedef List
 * @property {HTMLElement} frame
 * @property {HTMLTableSectionElement} head
 * @property {HTMLTableSectionElement} body
 * @property {(line: number) => void} report
 * @property {number} chosen
 * @property {string} content
 */

/** Letters of a word that is never broken, such as the name of a class. */
const LONGEST_WHOLE = 12;

/** @type {WeakMap<ShadowRoot, List>} */
const lists = new WeakMap();

/** Called by Streamlit on mounting, and again when the data or the theme change. @param {Component<Table>} component */
export default function mountList({ data, parentElement, setTriggerValue }) {
  const list = lists.get(parentElement) ?? build(parentElement);
  lists.set(parentElement, list);
  list.report = (line) => setTriggerValue("line", line === list.chosen ? -1 : line);
  const content = JSON.stringify([data.head, data.lines]);
  if (content !== list.content) fill(list, data);
  choose(list, data.chosen, content !== list.content);
  list.content = content;
  return () => parentElement.replaceChildren();
}

/** @param {ShadowRoot} parentElement @returns {List} */
function build(parentElement) {
  const frame = element("div", { className: "frame" });
  const table = element("table", {});
  const list = { frame, head: table.createTHead(), body: table.createTBody(), report: (/** @type {number} */ _line) => {}, chosen: -1, content: "" };
  list.body.addEventListener("click", ({ target }) => {
    const row = /** @type {Element} */ (target).closest("tr");
    if (row) list.report(row.sectionRowIndex);
  });
  frame.append(table);
  parentElement.append(frame);
  return list;
}

/** @param {List} list @param {Table} table */
function fill({ frame, head, body }, { head: columns, lines }) {
  const headings = columns.map(({ text, help, isAmount, isOrder }) => {
    const heading = element("th", { scope: "col", textContent: text, title: help });
    heading.classList.toggle("amount", isAmount);
    if (isOrder) heading.ariaSort = "descending";
    return heading;
  });
  head.replaceChildren(rowOf(headings));
  body.replaceChildren(...lines.map((cells) => rowOf(cells.map((text, column) => cellOf(text, columns[column])))));
  frame.scrollTop = 0;
}

/**
 * A cell; the one that names its line is a button, so that keys and screen readers choose it too.
 * @param {string} text @param {Column} column
 */
function cellOf(text, { isAmount, names }) {
  const isShort = !names && text.split(/\s/).every((word) => word.length <= LONGEST_WHOLE);
  const cell = element("td", { className: isAmount ? "amount" : names ? "names" : isShort ? "short" : "" });
  cell.append(names ? element("button", { type: "button", textContent: text, title: text }) : text);
  return cell;
}

/** @param {List} list @param {number} chosen @param {boolean} isNew */
function choose(list, chosen, isNew) {
  list.chosen = chosen;
  Array.from(list.body.rows).forEach((row, line) => {
    row.classList.toggle("chosen", line === chosen);
    /** @type {HTMLElement} */ (row.querySelector("button")).ariaPressed = String(line === chosen);
  });
  const row = list.body.rows[chosen];
  if (row && !isNew) row.scrollIntoView({ block: "nearest" });
  else if (row) list.frame.scrollTop = row.offsetTop - list.frame.clientHeight / 2;
}

/** @param {HTMLTableCellElement[]} cells */
function rowOf(cells) {
  const row = element("tr", {});
  row.append(...cells);
  return row;
}

/**
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name @param {Partial<HTMLElementTagNameMap[Name]>} fields
 */
function element(name, fields) {
  return Object.assign(document.createElement(name), fields);
}
