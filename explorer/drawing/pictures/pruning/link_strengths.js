// Weakest-link pruning: g(t) on the split nodes and as bars, the least in the accent colour; a node picked shows its sum.

/** @typedef {import("../canvas.js").PictureCanvas} PictureCanvas */
/** @typedef {import("../../tree_view/theme.js").Theme} Theme */
/** @typedef {import("./small_tree.js").LessonTree} LessonTree */

/**
 * @typedef {{
 *   node: number, risk: number, risk_below: number, leaves_below: number, strength: number, text: string, is_weakest: boolean,
 * }} LinkRow
 */
/** @typedef {{ pruned: number[], leaves: number, rows: LinkRow[] }} LinkRound */
/**
 * @typedef {{
 *   tree: LessonTree, rounds: LinkRound[], most: number, begin: number, can_move: boolean, asks: boolean,
 * }} LinkPicture as link_strengths.py has it
 */
/** @typedef {ReturnType<typeof linkBoxes>["bars"]} Bars */

import { say, sayCount } from "../../tree_view/messages.js";
import { drawSmallTree } from "./small_tree.js";

const [LINK_BAR, LINK_LEFT, LINK_RIGHT] = [30, 44, 150];

/**
 * @param {PictureCanvas} canvas @param {LinkPicture} picture
 * @param {import("../canvas.js").Tools<{ round?: number, node?: number | null }>} tools
 */
export function drawLinkStrengths(canvas, picture, { theme, local, change }) {
  const position = Math.min(local.round ?? picture.begin, picture.rounds.length - 1);
  const round = picture.rounds[position];
  const weakest = round.rows.filter((row) => row.is_weakest);
  const picked = round.rows.find(({ node }) => node === local.node) ?? (picture.asks ? round.rows[0] : weakest[0]);
  const { treeBox, bars, top } = linkBoxes(canvas, picture);
  canvas.text("title", 16, 28, linkTitle(round, picked), { kind: "pic-title" });
  canvas.text("sum", 16, 54, picked ? linkSum(picked, picture.asks) : "", { kind: "pic-label" });
  const notes = new Map(round.rows.map((row) => [row.node, picture.asks ? `t${row.node}` : `t${row.node}: ${row.strength.toFixed(4)}`]));
  const lit = new Set(picture.asks ? [picked?.node] : weakest.map(({ node }) => node));
  const onPick = (/** @type {number} */ node) => change({ node });
  drawSmallTree(canvas, picture.tree, treeBox, { theme, leaves: new Set(round.pruned), notes, lit, onPick });
  drawLinkBars(canvas, picture, round, bars, { theme, picked });
  if (picture.can_move) {
    canvas.slider("round", {
      x: bars.x - 4,
      y: top,
      width: bars.width + 8,
      label: say("Round of pruning"),
      max: picture.rounds.length - 1,
      value: position,
      said: linkTitle(round, picked),
      onInput: (value) => change({ round: value, node: null }),
    });
  }
}

/** @param {LinkRound} round @param {LinkRow | undefined} picked */
function linkTitle(round, picked) {
  const leaves = sayCount(round.leaves, "{n} leaf", "{n} leaves");
  return picked ? say("{leaves}: g(t) = (R(t) − R(Tₜ)) / (|Tₜ| − 1)", { leaves }) : say("{leaves}: the root alone", { leaves });
}

/** @param {LinkRow} row @param {boolean} asks */
function linkSum(row, asks) {
  const fields = { node: row.node, risk: row.risk.toFixed(4), below: row.risk_below.toFixed(4), leaves: row.leaves_below };
  const text = say("g(t{node}) = ({risk} − {below}) / ({leaves} − 1)", fields);
  return asks ? text : `${text} = ${row.strength.toFixed(4)}`;
}

/** @param {PictureCanvas} canvas @param {LinkPicture} picture */
function linkBoxes(canvas, picture) {
  const isStacked = canvas.height > 0.85 * canvas.width && canvas.height > 460;
  const n = picture.tree.nodes.filter(({ test }) => test !== "").length;
  const controls = picture.can_move ? 34 : 0;
  const tall = n * LINK_BAR + 16;
  if (isStacked) {
    const bars = { x: LINK_LEFT + 8, y: canvas.height - tall - controls, width: canvas.width - LINK_LEFT - 24, row: LINK_BAR };
    return { bars, top: canvas.height - 32, treeBox: { x: 12, y: 64, width: canvas.width - 24, height: bars.y - 72 } };
  }
  const width = canvas.width * 0.56;
  const row = Math.min(LINK_BAR, (canvas.height - 96 - controls) / n);
  const bars = { x: width + LINK_LEFT + 16, y: 84, width: canvas.width - width - LINK_LEFT - 32, row };
  return { bars, top: canvas.height - 34, treeBox: { x: 12, y: 64, width: width - 12, height: canvas.height - 70 } };
}

/**
 * @param {PictureCanvas} canvas @param {LinkPicture} picture @param {LinkRound} round @param {Bars} bars
 * @param {{ theme: Theme, picked: LinkRow | undefined }} look
 */
function drawLinkBars(canvas, picture, round, bars, { theme, picked }) {
  const rows = new Map(round.rows.map((row) => [row.node, row]));
  const full = bars.width - LINK_RIGHT;
  picture.tree.nodes
    .filter(({ test }) => test !== "")
    .forEach(({ number }, /** @type {number} */ index) => {
      const row = rows.get(number);
      const length = row && !picture.asks ? Math.max((row.strength / picture.most) * full, 1) : 0;
      const y = bars.y + index * bars.row;
      const isLit = row?.is_weakest && !picture.asks;
      const fill = isLit ? theme.primary : theme.quiet;
      const text = row ? (picture.asks ? "?" : row.text) : "–";
      const label = canvas.text(`link ${number}`, bars.x - 10, y + bars.row * 0.62, `t${number}`, { anchor: "end", kind: row === picked && row ? "pic-number" : "pic-label" });
      label.setAttribute("opacity", row ? "1" : "0.45");
      canvas.put(`link bar ${number}`, "rect", { x: bars.x, y: y + bars.row * 0.22, width: length, height: bars.row * 0.56, rx: 3, fill });
      canvas.text(`link number ${number}`, bars.x + length + 8, y + bars.row * 0.62, text, { kind: isLit ? "pic-number" : "pic-label" });
    });
}
