// Charts: panels with axes and marks, or with a tree, in columns, and a slider that moves from one place to another.
//
// The marks of a place are drawn over those of its panel.

/** @typedef {import("./chart_marks.js").Mark} Mark */
/** @typedef {import("../pruning/small_tree.js").LessonTree} LessonTree */
/** @typedef {import("../../charts/axes.js").Box} AxesBox */
/** @typedef {import("../canvas.js").Area} PicArea */
/** @typedef {import("../canvas.js").PictureCanvas} PictureCanvas */
/** @typedef {import("../../tree_view/theme.js").Theme} Theme */
/**
 * @typedef {{
 *   low: number, high: number, title: string, ticks: [at: number, text: string][] | null, is_log: boolean, is_share: boolean,
 *   has_lines: boolean | null, is_drawn: boolean | null,
 * }} PanelAxis
 */
/**
 * @typedef {{
 *   x: PanelAxis, y: PanelAxis, marks: Mark[], title: string, share: number, most: number | null, tree?: undefined,
 * }} MarkPanel
 */
/**
 * @typedef {{
 *   tree: LessonTree, leaf_until: number[], title: string, note: string[], share: number, most: number | null,
 *   is_best: boolean, x?: undefined, y?: undefined,
 * }} TreePanel
 */
/** @typedef {MarkPanel | TreePanel} Panel */
/** @typedef {{ said?: string, at?: number, reading: string, marks: Mark[][], leaves: number[][] }} Place */
/**
 * @typedef {{
 *   title: string, columns: Panel[][], places: (Place & { said: string, at: number })[], peeks: Place[], shown: number,
 *   slider: string, toggle: string[], along: "x" | "y", legend: [name: string, colour: number | string][], shares: number[],
 *   wraps: boolean, left: number, right: number, state: string,
 * }} ChartPicture as chart.py has it
 */
/** @typedef {{ position: number, go: (to: number) => void }} Moves */
/** @typedef {{ chart: import("../axes.js").Chart, draw: () => void }} Plot */

import { linearScale, logScale, nearestOf } from "../../charts/scales.js";
import { areaOf, drawAxes } from "../axes.js";
import { putDragSurface } from "../drag.js";
import { drawSmallTree } from "../pruning/small_tree.js";
import { drawMarks } from "./chart_marks.js";
import { putClasses } from "./pieces.js";

const [HEAD_LINE, SLIDER_ROOM, TICKS_ROOM, TITLE_ROOM, PANEL_GAP, LEFT_OUT] = [26, 40, 22, 18, 14, 24];
const LOG_TICKS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];

/**
 * @param {PictureCanvas} canvas @param {ChartPicture} picture
 * @param {import("../canvas.js").Tools<Record<string, number | null>>} tools
 */
export function drawChart(canvas, picture, { theme, local, change }) {
  const key = `place ${picture.state}`;
  const position = Math.min(local[key] ?? picture.shown, picture.places.length - 1);
  const place = picture.peeks[local.peek ?? -1] ?? picture.places[position] ?? { marks: [], leaves: [], reading: "" };
  const go = (/** @type {number} */ to) => to !== position && change({ [key]: to });
  const top = drawHead(canvas, picture, place, theme);
  const hasSlider = picture.slider && picture.places.length > 1;
  const bottom = canvas.height - (hasSlider ? SLIDER_ROOM : 8);
  const boxes = columnBoxes(canvas, picture, top, bottom);
  let number = 0;
  const drawn = picture.columns.map((/** @type {Panel[]} */ panels, column) => panelBoxes(panels, boxes[column]).map((/** @type {AxesBox} */ box, /** @type {number} */ index) => {
    const [panel, own] = [panels[index], number++];
    if (panel.tree) {
      drawTreePanel(canvas, panel, box, { theme, position, leaves: place.leaves[own], name: `tree ${own}` });
      return null;
    }
    const chart = drawAxes(canvas, `panel ${own}`, box, { x: axisOf(panel.x, box.left, box.right), y: { ...axisOf(panel.y, box.bottom, box.top), title: panel.title || panel.y.title } });
    return { chart, draw: () => drawMarks(canvas, [...panel.marks, ...(place.marks[own] ?? [])], chart, { theme, go, peek: (/** @type {number | null} */ at) => change({ peek: at }), key: `p${own}` }) };
  }).filter((plot) => plot !== null));
  if (hasSlider) putPlaces(canvas, picture, { position, go }, drawn[0]);
  for (const { draw } of drawn.flat()) draw();
  if (picture.toggle.length) putToggle(canvas, picture, position, go);
}

/**
 * Title, reading and legend, each on a line of its own; gives where they end.
 * @param {PictureCanvas} canvas @param {ChartPicture} picture @param {Place} place @param {Theme} theme
 */
function drawHead(canvas, { title, legend, toggle }, { reading }, theme) {
  const texts = [[title || reading, "pic-title"], [title ? reading : "", "pic-number"]];
  const lines = texts.flatMap(([text, kind]) => canvas.brokenText(text, canvas.width - 30, kind).map((part) => [part, kind]));
  lines.forEach(([text, kind], at) => canvas.text(`head ${at}`, 20, 28 + HEAD_LINE * at, text, { kind }));
  const y = 28 + HEAD_LINE * lines.length;
  if (legend.length) putClasses(canvas, legend.map(([name]) => name), { x: 20, y, room: canvas.width - (toggle.length ? 230 : 40) }, theme, legend.map(([, colour]) => colour));
  return y + (legend.length ? 8 : -18);
}

/**
 * The columns side by side, or one below the other.
 * @param {PictureCanvas} canvas @param {ChartPicture} picture @param {number} top @param {number} bottom
 */
function columnBoxes(canvas, { columns, shares, wraps, left, right }, top, bottom) {
  const parts = columns.map((_, at) => (shares[at] ?? 1) / columns.reduce((sum, __, /** @type {number} */ k) => sum + (shares[k] ?? 1), 0));
  const isStacked = wraps && columns.length > 1 && canvas.height > 0.85 * canvas.width && canvas.height > 460;
  let [x, y] = [0, top];
  return parts.map((part, at) => {
    const [width, height] = isStacked ? [canvas.width, (bottom - top) * part] : [canvas.width * part, bottom - top];
    const isTree = columns[at].every(({ tree }) => tree);
    const isBeside = at > 0 && !isStacked;
    const box = { left: x + (isTree || isBeside ? 16 : left), right: x + width - (isTree ? 12 : isBeside ? LEFT_OUT : right), top: y, bottom: y + height };
    if (isStacked) y += height;
    else x += width;
    return box;
  });
}

/**
 * The panels of a column from top to bottom, without the room of their titles and ticks.
 * @param {Panel[]} panels @param {AxesBox} box
 */
function panelBoxes(panels, box) {
  const above = panels.map((panel) => (panel.title || panel.y?.title ? TITLE_ROOM + 8 : PANEL_GAP));
  const below = panels.map(({ x }) => (x && x.ticks?.length !== 0 ? TICKS_ROOM : 4) + (x?.title ? TITLE_ROOM : 0));
  const room = box.bottom - box.top - [...above, ...below].reduce((sum, each) => sum + each, 0);
  const whole = panels.reduce((sum, { share }) => sum + share, 0);
  let top = box.top;
  return panels.map(({ share, most }, at) => {
    const height = Math.max(Math.min((room * share) / whole, most ?? Infinity), 20);
    top += above[at] + height + below[at];
    return { ...box, top: top - below[at] - height, bottom: top - below[at] };
  });
}

/** @param {PanelAxis} axis @param {number} from @param {number} to */
function axisOf({ low, high, title, ticks, is_log: isLog, is_share: isShare, has_lines: hasLines, is_drawn: isDrawn }, from, to) {
  const scale = (isLog ? logScale : linearScale)([low, high], [from, to]);
  const given = ticks?.map(([at, text]) => ({ at, text })) ?? (isLog ? LOG_TICKS.filter((at) => at <= high).map((at) => ({ at, text: String(at) })) : undefined);
  return { scale, title, ...(given && { ticks: given }), isShare, hasLines: hasLines ?? undefined, isDrawn: isDrawn ?? (ticks?.length === 0 ? false : undefined) };
}

/**
 * @param {PictureCanvas} canvas @param {TreePanel} panel @param {AxesBox} box
 * @param {{ theme: Theme, position: number, leaves: number[] | undefined, name: string }} look
 */
function drawTreePanel(canvas, { tree, leaf_until: until, title, note, is_best: isBest }, { left, right, top, bottom }, { theme, position, leaves, name }) {
  const nodes = leaves ?? tree.nodes.map(({ number }) => number).filter((number) => position <= until[number]);
  const lines = (note[Math.min(position, note.length - 1)] ?? "").split("\n").filter(Boolean);
  if (isBest) canvas.put(`${name} best`, "rect", { x: left - 6, y: top - TITLE_ROOM - 8, width: right - left + 12, height: bottom - top + TITLE_ROOM + 10, rx: 10, fill: "none", stroke: theme.primary, "stroke-width": 2 });
  canvas.text(`${name} title`, left + 6, top - 4, canvas.shortened(title, right - left - 8, "pic-number"), { kind: "pic-number" });
  lines.forEach((line, at) => canvas.text(`${name} note ${at}`, left + 6, top + 17 + 19 * at, canvas.shortened(line, right - left - 8), { fill: theme.primary }));
  const head = lines.length ? 10 + 19 * lines.length : title ? 6 : 0;
  drawSmallTree(canvas, tree, { x: left, y: top + head, width: right - left, height: bottom - top - head }, { theme, leaves: new Set(nodes), name });
}

/**
 * The slider, and a surface below the marks of the first column, on which a pointer drags to the nearest place.
 * @param {PictureCanvas} canvas @param {ChartPicture} picture @param {Moves} moves @param {Plot[]} plots
 */
function putPlaces(canvas, { places, slider, along }, { position, go }, plots) {
  const last = plots[plots.length - 1];
  const { chart } = along === "x" ? last : plots[0];
  const frame = { ...chart, top: plots[0].chart.top, bottom: last.chart.bottom };
  const ats = places.map(({ at }) => chart[along](at));
  if (new Set(ats).size > 1) putDragSurface(canvas, "drag", areaOf(frame, 12), (x, y) => go(nearestOf(ats, along === "x" ? x : y)));
  canvas.slider("place slider", { x: chart.left - 6, y: canvas.height - 32, width: chart.right - chart.left + 12, label: slider, max: places.length - 1, value: position, said: places[position].said, onInput: go });
}

/** @param {PictureCanvas} canvas @param {ChartPicture} picture @param {number} position @param {(to: number) => void} go */
function putToggle(canvas, { toggle }, position, go) {
  const text = toggle[position];
  const width = canvas.textWidth(text) + 32;
  canvas.button("toggle", { x: canvas.width - width - 24, y: 6, width, text, isPressed: position > 0, onPress: () => go(1 - position) });
}
