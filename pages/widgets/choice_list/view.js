// A table of which one line can be chosen: its rows are as high as their text, in whatever width the page leaves it.
//
// data: {head: [{text, help, names (the line), isAmount, isOrder (the lines are sorted by it), remarks (on cells, or
// none)}], lines: [[text]], pale (positions of lines that stand back), chosen (position of a line, −1: none)}. Reports the
// line chosen, −1 where it was the chosen one.

/** @typedef {{ text: string, help: string, names: boolean, isAmount: boolean, isOrder: boolean, remarks: string[] }} Column */
/** @typedef {{ head: Column[], lines: string[][], pale: number[], chosen: number }} Table */
/**
 * @typedef List
 * @property {HTMLElement} frame
 * @property {HTMLTableSectionElement} head
 * @property {HTMLTableSectionElement} body
 * @property {(line: number) => void} report
 * @property {number} chosen
 * @property {string} content
 */

/** With more lines than this the table scrolls by itself, so that what stands below it is not far off. */
const MANY_LINES = 20;
/** Letters of a word that is never broken, such as the name of a class; a line may end after a hyphen. */
const LONGEST_WHOLE = 12;

/** @type {WeakMap<ShadowRoot, List>} */
const lists = new WeakMap();

/** Called by Streamlit on mounting, and again when the data or the theme change. @param {Component<Table>} component */
export default function mountList({ data, parentElement, setTriggerValue }) {
  const list = lists.get(parentElement) ?? build(parentElement);
  lists.set(parentElement, list);
  list.report = (line) => setTriggerValue("line", line === list.chosen ? -1 : line);
  const content = JSON.stringify([data.head, data.lines, data.pale]);
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
function fill({ frame, head, body }, { head: columns, lines, pale }) {
  const headings = columns.map(({ text, help, isAmount, isOrder }) => {
    const heading = element("th", { scope: "col", textContent: text, title: help });
    heading.classList.toggle("amount", isAmount);
    if (isOrder) heading.ariaSort = "descending";
    return heading;
  });
  head.replaceChildren(rowOf(headings));
  body.replaceChildren(...lines.map((cells, line) => rowOf(cells.map((text, column) => cellOf(text, columns[column], line)))));
  for (const line of pale) body.rows[line].classList.add("pale");
  frame.classList.toggle("long", lines.length > MANY_LINES);
  frame.scrollTop = 0;
}

/**
 * A cell; the one that names its line is a button, so that keys and screen readers choose it too.
 * @param {string} text @param {Column} column @param {number} line
 */
function cellOf(text, { isAmount, names, remarks }, line) {
  const isShort = !names && text.split(/[\s-]/).every((word) => word.length <= LONGEST_WHOLE);
  const cell = element("td", { className: isAmount ? "amount" : names ? "names" : isShort ? "short" : "" });
  cell.append(names ? nameOf(text) : text);
  const remark = remarks[line];
  if (remark) {
    cell.classList.add("remarked");
    cell.title = remark;
    cell.ariaLabel = `${text.replaceAll("\n", " ")}. ${remark}`;
  }
  return cell;
}

/** What names a line, in parts that stay whole as far as there is room. @param {string} text */
function nameOf(text) {
  const parts = text.split("\n").flatMap((part, place) => [place ? " " : "", element("span", { className: "part", textContent: part })]);
  const words = element("span", {});
  words.append(...parts);
  const button = element("button", { type: "button", title: text.replaceAll("\n", " ") });
  button.append(words);
  return button;
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
