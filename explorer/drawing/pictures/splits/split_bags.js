// Candidate splits in a list, and the rows of the node as balls in the bags of the selected one.

import { makeElement } from "../../tree_view/dom.js";
import { readableOn } from "../../charts/colours.js";

const [BAG_WIDE, BAG_LOW, BAG_HEAD, LEGEND_ROW, BAG_GAP, BAG_EDGE] = [760, 440, 56, 26, 14, 16];
const [LARGEST_CELL, LONE_CELL, TEXT_ROOM, TALL_ROW, LOW_ROW, LEGEND_GAP] = [84, 124, 36, 84, 48, 36];

export function drawSplitBags(canvas, picture, tools) {
  const selected = tools.local.hovered ?? tools.local.selected ?? picture.shown;
  const division = picture.divisions[selected];
  canvas.text("title", BAG_EDGE, 30, picture.title, { kind: "pic-title" });
  const isTight = legendWidth(canvas, picture) + canvas.textWidth(picture.title, "pic-title") + 3 * BAG_EDGE > canvas.width;
  const legend = isTight ? LEGEND_ROW : 0;
  putLegend(canvas, picture, tools.theme, legend);
  const areas = bagAreas(canvas, picture.divisions.length, legend);
  if (picture.divisions.length > 1) putDivisions(canvas, picture, tools, selected, areas.list);
  putBags(canvas, picture, division, tools.theme, areas.bags);
}

/** Where the list and the bags go: side by side where the picture is wide, else one below the other. */
export function bagAreas(canvas, n, legend = 0) {
  const head = BAG_HEAD + legend;
  const [width, height] = [canvas.width - 2 * BAG_EDGE, canvas.height - head - BAG_EDGE];
  if (n === 1) return { list: null, bags: { x: BAG_EDGE, y: head, width, height } };
  if (canvas.width >= BAG_WIDE || (canvas.height < BAG_LOW && canvas.width > canvas.height)) {
    const list = { x: BAG_EDGE, y: head, width: width * 0.5, height };
    return { list, bags: { x: BAG_EDGE + width * 0.53, y: head, width: width * 0.47, height } };
  }
  const tall = Math.min(height * 0.52, n * LOW_ROW);
  const list = { x: BAG_EDGE, y: head - 8, width, height: tall };
  return { list, bags: { x: BAG_EDGE, y: head + tall, width, height: height - tall } };
}

/** The largest square cell with which so many balls fit into a bag. */
export function cellOf(count, width, height, largest = LARGEST_CELL) {
  let cell = largest;
  while (cell > 3 && Math.floor(width / cell) * Math.floor(height / cell) < count) cell -= 0.5;
  return cell;
}

function legendTexts({ classes, balls }) {
  return classes.map((name, code) => `${name} · ${balls.filter((ball) => ball.code === code).length}`);
}

function legendWidth(canvas, picture) {
  return legendTexts(picture).reduce((sum, text) => sum + canvas.textWidth(text, "pic-label") + LEGEND_GAP, 0);
}

/** The classes with their rows, beside the title or `below` it. */
function putLegend(canvas, picture, theme, below) {
  let x = below ? BAG_EDGE + 8 : canvas.width - BAG_EDGE - legendWidth(canvas, picture) + LEGEND_GAP / 2;
  legendTexts(picture).forEach((text, code) => {
    canvas.put(`legend ball ${code}`, "circle", { cx: x, cy: 25 + below, r: 7, fill: theme.classes[code % theme.classes.length] });
    canvas.text(`legend ${code}`, x + 12, 30 + below, text);
    x += canvas.textWidth(text, "pic-label") + LEGEND_GAP;
  });
}

function putDivisions(canvas, picture, tools, selected, { x, y, width, height }) {
  const { theme } = tools;
  const row = Math.min(TALL_ROW, height / picture.divisions.length);
  const [hasArithmetic, labelWidth, thick] = [row >= 40, Math.min(190, width * 0.42), Math.min(14, row * 0.5)];
  const [left, right] = [x + labelWidth, x + width - 64];
  canvas.put("selected row", "rect", { x: x - 6, y: y + selected * row, width: width + 12, height: row - 2, rx: 8, fill: theme.panel });
  picture.divisions.forEach((division, index) => {
    const middle = y + index * row + (hasArithmetic ? row * 0.36 : row * 0.5);
    const long = (Math.max(division.value, 0) / picture.most) * (right - left);
    const fill = division.is_best ? theme.primary : theme.quiet;
    canvas.text(`label ${division.label}`, x + 2, middle + 5, division.label, { kind: "pic-label" });
    canvas.put(`bar ${division.label}`, "rect", { x: left, y: middle - thick / 2, width: long, height: thick, rx: 3, fill });
    canvas.text(`number ${division.label}`, left + long + 8, middle + 5, division.text, { kind: "pic-number" });
    if (hasArithmetic) canvas.text(`sum ${division.label}`, x + 2, middle + 24, division.arithmetic, { kind: "pic-small pic-pale" });
    putButton(canvas, tools, division, index, selected, { x: x - 6, y: y + index * row, width: width + 12, height: row });
  });
}

function putButton(canvas, { change }, division, index, selected, area) {
  const key = `select ${division.label}`;
  const button = canvas.control(key, area.x, area.y, area.width, () => makeElement("button", "pic-division", { type: "button" }));
  button.style.height = `${(area.height - 2) * canvas.scale}px`;
  button.setAttribute("aria-label", `${division.label}: ${division.text}`);
  button.setAttribute("aria-pressed", String(index === selected));
  button.onclick = () => change({ selected: index, hovered: null });
  button.onpointerenter = (event) => event.pointerType === "mouse" && change({ hovered: index });
  button.onpointerleave = () => change({ hovered: null });
}

function putBags(canvas, picture, division, theme, area) {
  const n = division.bags.length;
  const isStacked = n > 1 && area.height > area.width * 0.8;
  const footer = division.arithmetic ? 30 : 0;
  const width = isStacked ? area.width : (area.width - (n - 1) * BAG_GAP) / n;
  const room = (area.height - footer - (isStacked ? (n - 1) * BAG_GAP : 0)) / (isStacked ? n : 1);
  const fullest = Math.max(...picture.divisions.flatMap(({ bags }) => bags.map(({ balls }) => balls.length)));
  const cell = cellOf(fullest, width - 24, room - 2 * TEXT_ROOM - 6, n === 1 ? LONE_CELL : LARGEST_CELL);
  const height = Math.min(room, 2 * TEXT_ROOM + 6 + cell * Math.ceil(fullest / Math.floor((width - 24) / cell)));
  division.bags.forEach((bag, index) => {
    const [x, y] = isStacked ? [area.x, area.y + index * (height + BAG_GAP)] : [area.x + index * (width + BAG_GAP), area.y];
    canvas.put(`bag ${index}`, "rect", { x, y, width, height, rx: 14, fill: "none", stroke: theme.quiet, "stroke-width": 1.5 });
    canvas.text(`bag title ${index}`, x + 14, y + 24, bag.title, { kind: "pic-number" });
    canvas.text(`bag text ${index}`, x + 14, y + height - 12, bag.text);
    putBalls(canvas, picture.balls, bag.balls, theme, { x: x + 12, y: y + TEXT_ROOM, width: width - 24, cell });
  });
  const end = area.y + (isStacked ? n * height + (n - 1) * BAG_GAP : height);
  if (footer) canvas.text("arithmetic", area.x + 2, end + 24, `${division.arithmetic} = ${division.text}`, { kind: "pic-number" });
}

function putBalls(canvas, balls, inBag, theme, { x, y, width, cell }) {
  const columns = Math.max(1, Math.floor(width / cell));
  const sorted = [...inBag].sort((a, b) => balls[a].code - balls[b].code || a - b);
  sorted.forEach((position, place) => {
    const { row, code, mark } = balls[position];
    const [cx, cy] = [x + ((place % columns) + 0.5) * cell, y + (Math.floor(place / columns) + 0.5) * cell];
    const fill = theme.classes[code % theme.classes.length];
    canvas.put(`ball ${row}`, "circle", { cx, cy, r: cell * 0.42, fill });
    if (mark) canvas.text(`mark ${row}`, cx, cy + 6, mark, { anchor: "middle", kind: "pic-number" }).style.fill = readableOn(fill);
  });
}
