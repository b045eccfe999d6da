// A table of which one line can be chosen: its rows are as high as their text, in whatever width the page leaves it.
//
// data: {head: [{text, help, names (the line), isAmount, isOrder (the lines are sorted by it)}], lines: [[text]], chosen
// (position of a line, −1: none)}. Reports the line chosen, −1 where it was the chosen one.

const lists = new WeakMap();

/** Called by Streamlit on mounting, and again when the data or the theme change. */
export default function mountList({ data, parentElement, setTriggerValue }) {
  if (!lists.has(parentElement)) lists.set(parentElement, build(parentElement));
  const list = lists.get(parentElement);
  list.report = (line) => setTriggerValue("line", line === list.chosen ? -1 : line);
  const content = JSON.stringify([data.head, data.lines]);
  if (content !== list.content) fill(list, data);
  choose(list, data.chosen, content !== list.content);
  list.content = content;
  return () => parentElement.replaceChildren();
}

function build(parentElement) {
  const frame = element("div", { className: "frame" });
  const table = element("table", {});
  const list = { frame, head: table.createTHead(), body: table.createTBody() };
  list.body.addEventListener("click", ({ target }) => {
    const row = target.closest("tr");
    if (row) list.report(row.sectionRowIndex);
  });
  frame.append(table);
  parentElement.append(frame);
  return list;
}

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

/** A cell; the one that names its line is a button, so that keys and screen readers choose it too. */
function cellOf(text, { isAmount, names }) {
  const cell = element("td", { className: isAmount ? "amount" : "" });
  cell.append(names ? element("button", { type: "button", textContent: text, title: text }) : text);
  return cell;
}

function choose(list, chosen, isNew) {
  list.chosen = chosen;
  Array.from(list.body.rows).forEach((row, line) => {
    row.classList.toggle("chosen", line === chosen);
    row.querySelector("button").ariaPressed = String(line === chosen);
  });
  const row = list.body.rows[chosen];
  if (row && !isNew) row.scrollIntoView({ block: "nearest" });
  else if (row) list.frame.scrollTop = row.offsetTop - list.frame.clientHeight / 2;
}

function rowOf(cells) {
  const row = element("tr", {});
  row.append(...cells);
  return row;
}

function element(name, fields) {
  return Object.assign(document.createElement(name), fields);
}
