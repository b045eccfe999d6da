// The members as small multiples on one canvas, coloured by the feature of their root. Those after the stage are faded,
// those of its round are outlined; a click, or Enter on the chosen one, opens a member.
//
// Only the cells in view are painted, each from its own small canvas that is made once, so that 500 members stay smooth.

/** @typedef {import("../../charts/axes.js").Box} ChartBox */
/** @typedef {import("./stage_chart.js").ChartTheme} ChartTheme */
/** @typedef {import("../model/grids.js").MemberGrid} MemberGrid */
/** @typedef {import("../model/picture.js").Picture} Picture */
/** @typedef {import("../../charts/scales.js").Pair} Pair */

import { chartFont, fitted } from "../../charts/frame.js";
import { makeTip, pointIn } from "../../charts/chart_box.js";
import { cellAt, memberAt, memberBeside, memberGrid } from "../model/grids.js";
import { mixColours } from "../../charts/colours.js";
import { sizedContext } from "../../charts/strokes.js";
import { makeElement, putText } from "../../tree_view/dom.js";
import { visibleText } from "../../tree_view/format.js";
import { later } from "../../tree_view/later.js";
import { say, sayCount } from "../../tree_view/messages.js";

const [FADED_CARD, NAMED_CELL, BYTE, MARGIN, EDGE] = [0.28, 58, 255, 7, 4];
const TWO_LINES = 62; // height of a card in which two lines of words leave room for the tree

/** @param {{ onMember: (m: number) => void }} hooks */
export function makeMemberCards(hooks) {
  return new MemberCards(hooks);
}

export class MemberCards {
  /** @type {Picture} */
  picture = later();
  /** @type {Picture["members"]} */
  members = later();
  /** @type {MemberGrid} */
  grid = later();
  /** @type {CanvasRenderingContext2D} */
  context = later();
  size = { width: 0, height: 0 };
  /** @type {string[]} by root */
  colours = [];

  /** @param {{ onMember: (m: number) => void }} hooks */
  constructor(hooks) {
    this.hooks = hooks;
    this.stage = 0;
    this.opened = -1;
    this.cursor = 0;
    this.frame = 0;
    /** @type {ChartTheme} */
    this.theme = later();
    this.top = 0; // where the list is scrolled to: asking for it at every stage would lay the page out at every frame
    /** @type {Map<number, HTMLCanvasElement>} */
    this.bitmaps = new Map();
    this.canvas = makeElement("canvas", "ev-members-canvas", { "aria-hidden": "true" });
    this.room = makeElement("div", "ev-members-room", { "aria-hidden": "true" });
    this.option = makeElement("div", "tv-unseen", { role: "option", id: "ev-member", "aria-selected": "true" });
    this.scroller = makeElement("div", "ev-members-scroller", { role: "listbox", tabindex: 0, "aria-label": say("Trees"), "aria-activedescendant": "ev-member" }, [this.canvas, this.room, this.option]);
    this.legend = makeElement("div", "tv-legend ev-members-legend");
    this.area = makeElement("div", "ev-members-area", {}, [this.scroller]);
    this.tip = makeTip(this.area);
    this.hint = makeElement("p", "ev-hint");
    this.element = makeElement("div", "ev-members", {}, [this.hint, this.area, this.legend]);
    this.listen();
    this.observer = new ResizeObserver(() => this.relayout());
    this.observer.observe(this.scroller);
  }

  listen() {
    const { scroller } = this;
    scroller.addEventListener("scroll", () => {
      this.top = scroller.scrollTop;
      this.redrawSoon();
    });
    scroller.addEventListener("click", (event) => this.open(this.at(event)));
    scroller.addEventListener("pointermove", (event) => this.showTip(event));
    scroller.addEventListener("pointerleave", () => this.tip.hide());
    scroller.addEventListener("keydown", (event) => this.keyDown(event));
    scroller.addEventListener("focus", () => this.redrawSoon());
    scroller.addEventListener("blur", () => this.redrawSoon());
  }

  /** @param {Picture} picture */
  set(picture) {
    this.picture = picture;
    this.members = picture.members;
    this.cursor = Math.min(this.cursor, this.members.n - 1);
    this.relayout();
    this.writeLegend();
    this.writeOption();
    const isOfClasses = this.members.ofClass.some((code) => code >= 0);
    const several = () => say("Each card is a tree for one class, named on it with its round. Move the slider to add rounds; click a card to open it.");
    putText(this.hint, isOfClasses ? several() : say("Each card is a tree. Move the slider to add trees one by one; click a card to open it."));
  }

  /** @param {ChartTheme} theme */
  setTheme(theme) {
    this.theme = theme;
    this.relayout();
    this.writeLegend();
  }

  /** Colours of the roots: the most frequent ones have their own, all others share the last. */
  rootColours() {
    const counts = new Uint32Array(this.members.roots.length);
    for (const root of this.members.root) counts[root] += 1;
    const order = [...counts.keys()].sort((a, b) => counts[b] - counts[a] || a - b);
    const own = this.theme.roots;
    /** @type {string[]} */
    const colours = [];
    order.forEach((root, rank) => (colours[root] = rank < own.length ? own[rank] : this.theme.quiet));
    return { counts, order, colours };
  }

  relayout() {
    const size = { width: this.scroller.clientWidth, height: this.scroller.clientHeight };
    if (!this.members || !this.theme || size.width < 40) return;
    const unit = this.theme.enlarged;
    this.grid = memberGrid(this.members.n, size, { least: 74 * unit, largest: 250 * unit });
    this.room.style.height = `${Math.max(this.grid.total - size.height, 0)}px`;
    this.size = size;
    this.colours = this.rootColours().colours;
    this.bitmaps.clear();
    this.context = sizedContext(this.canvas, size);
    this.canvas.style.height = `${size.height}px`;
    this.top = this.scroller.scrollTop;
    this.redraw();
  }

  redrawSoon() {
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0;
      this.redraw();
    });
  }

  redraw() {
    if (!this.grid || !this.context) return;
    const { grid, context, size, top } = this;
    context.clearRect(0, 0, size.width, size.height);
    const line = grid.height + grid.gap;
    const first = Math.max(0, Math.floor((top - grid.gap) / line)) * grid.columns;
    const last = Math.min(this.members.n, Math.ceil((top + size.height) / line) * grid.columns);
    for (let m = first; m < last; m++) this.drawCell(m, top);
  }

  /** @param {number} m @param {number} top */
  drawCell(m, top) {
    const { grid, context, theme } = this;
    const { x, y } = cellAt(grid, m);
    const stage = this.members.stage[m];
    context.globalAlpha = stage <= this.stage ? 1 : FADED_CARD;
    context.drawImage(this.bitmapOf(m), x, y - top, grid.width, grid.height);
    context.globalAlpha = 1;
    if (stage === this.stage) outline(context, grid, x, y - top, theme.primary, 2.5, 1);
    if (m === this.opened) outline(context, grid, x, y - top, theme.text, 2, 4);
    if (m === this.cursor && this.scroller.matches(":focus-visible")) outline(context, grid, x, y - top, theme.primary, 1.5, 4);
  }

  /** @param {number} m */
  bitmapOf(m) {
    const kept = this.bitmaps.get(m);
    if (kept) return kept;
    const canvas = document.createElement("canvas");
    this.paintCard(sizedContext(canvas, this.grid), m);
    this.bitmaps.set(m, canvas);
    return canvas;
  }

  /** @param {CanvasRenderingContext2D} context @param {number} m */
  paintCard(context, m) {
    const { grid, theme, members } = this;
    const colour = this.colours[members.root[m]];
    context.fillStyle = mixColours(theme.background, colour, theme.dark ? 0.16 : 0.1);
    context.beginPath();
    context.roundRect(0, 0, grid.width, grid.height, 6);
    context.fill();
    context.fillStyle = colour;
    context.beginPath();
    context.roundRect(0, 0, grid.width, 5, [6, 6, 0, 0]);
    context.fill();
    const words = grid.width >= NAMED_CELL ? Math.min(15, grid.height / 4) * theme.enlarged : 0;
    const lines = words && grid.height >= TWO_LINES * theme.enlarged ? 2 : 1;
    this.paintTree(context, m, colour, { left: MARGIN, right: grid.width - MARGIN, top: 12, bottom: grid.height - lines * words - MARGIN });
    if (lines === 2) this.paintTwoLines(context, m, grid.height - words / 2 - 2, words);
    else if (words) this.paintName(context, m, grid.height - words / 2 - 2);
  }

  /** @param {CanvasRenderingContext2D} context @param {number} m @param {string} colour @param {ChartBox} box */
  paintTree(context, m, colour, { left, right, top, bottom }) {
    const { first, x, y, parent, code } = this.members;
    const [from, to] = [first[m], first[m + 1]];
    /** @type {(node: number) => Pair} */
    const at = (node) => [left + (x[node] / BYTE) * (right - left), top + (y[node] / BYTE) * (bottom - top)];
    context.strokeStyle = colour;
    context.lineWidth = 1.25;
    context.beginPath();
    for (let node = from + 1; node < to; node++) {
      context.moveTo(...at(from + parent[node]));
      context.lineTo(...at(node));
    }
    context.stroke();
    const radius = Math.min(4, Math.max(1.4, (right - left) / (to - from) / 2));
    for (let node = from; node < to; node++) {
      const [px, py] = to === from + 1 ? [(left + right) / 2, (top + bottom) / 2] : at(node);
      context.fillStyle = code[node] < 0 ? colour : this.leafColour(code[node]);
      context.beginPath();
      context.arc(px, py, code[node] < 0 ? Math.min(radius, 1.8) : radius, 0, 2 * Math.PI);
      context.fill();
    }
  }

  /** The colour of a leaf: its class, or the tenth of the tree's range in which its mean lies. @param {number} code */
  leafColour(code) {
    const { classes, means } = this.theme;
    const { isRegression, hasNumericMembers } = this.picture;
    return !isRegression && !hasNumericMembers ? classes[code % classes.length] : mixColours(means[0], means[1], 0.15 + (0.85 * code) / 9);
  }

  /**
   * In one line the number of the tree, and the class that it is for, or else its root: the test as the tree names it,
   * if there is room, or its feature. The tooltip has it all.
   * @param {CanvasRenderingContext2D} context @param {number} m @param {number} middle
   */
  paintName(context, m, middle) {
    const { test, name, ofClass } = this.namesOf(m);
    this.paintLine(context, String(m + 1), ofClass ? [ofClass] : [test, name], middle);
  }

  /**
   * The number above the root; where a round has a tree for each class, number and round above the class, since the
   * colour names the feature of the root.
   * @param {CanvasRenderingContext2D} context @param {number} m @param {number} middle @param {number} lineHeight
   */
  paintTwoLines(context, m, middle, lineHeight) {
    const { test, name, ofClass } = this.namesOf(m);
    const round = say("round {round}", { round: this.members.stage[m] });
    this.paintLine(context, String(m + 1), ofClass ? [`${round}: ${test || name}`, round] : [], middle - lineHeight);
    this.paintLine(context, "", ofClass ? [ofClass] : [test, name], middle);
  }

  /** The test of the root, its feature, and the class that the tree is for, "" without one. @param {number} m */
  namesOf(m) {
    const { members, picture } = this;
    const code = members.ofClass[m];
    const name = visibleText(members.roots[members.root[m]] || say("a leaf"));
    return { test: visibleText(members.tests[m]), name, ofClass: code >= 0 ? visibleText(picture.classes[code]) : "" };
  }

  /**
   * A line of a card: a number on the left, on the right the first of the texts that has room, or the last one cut.
   * @param {CanvasRenderingContext2D} context @param {string} number @param {string[]} texts @param {number} middle
   */
  paintLine(context, number, texts, middle) {
    const { grid, theme } = this;
    context.font = chartFont(theme, 400, grid.width < 90 * theme.enlarged ? 10 : 12);
    context.textBaseline = "middle";
    context.fillStyle = theme.text;
    if (number) context.fillText(number, EDGE, middle);
    if (!texts.length) return;
    const room = grid.width - 2 * EDGE - (number ? context.measureText(number).width + EDGE : 0);
    const whole = texts.find((text) => text !== "" && context.measureText(text).width <= room);
    context.textAlign = "right";
    context.fillStyle = theme.quiet;
    context.fillText(whole ?? fitted(context, texts[texts.length - 1], room), grid.width - EDGE, middle);
    context.textAlign = "left";
  }

  writeLegend() {
    if (!this.members || !this.theme) return;
    const { counts, order, colours } = this.rootColours();
    const shown = order.slice(0, this.theme.roots.length);
    const entries = shown.map((root) => legendOf(colours[root], `${visibleText(this.members.roots[root]) || say("a leaf")} ${counts[root]}`));
    const others = order.slice(shown.length).reduce((sum, root) => sum + counts[root], 0);
    if (others) entries.push(legendOf(this.theme.quiet, say("other features {n}", { n: others })));
    this.legend.replaceChildren(makeElement("span", "tv-legend-sign", {}, [say("Feature of the root:")]), ...entries);
  }

  /** @param {number} stage */
  setStage(stage) {
    this.stage = stage;
    this.tip.hide();
    this.scrollToStage();
    this.redraw();
  }

  /** While the stage moves, its members stay in view. */
  scrollToStage() {
    if (!this.grid || this.stage === 0) return;
    const m = Math.max(this.picture.membersUpTo(this.stage) - 1, 0);
    const { y } = cellAt(this.grid, m);
    const { gap, height } = this.grid;
    if (y < this.top) this.scrollTo(y - gap);
    else if (y + height > this.top + this.size.height) this.scrollTo(y + height + gap - this.size.height);
  }

  /** @param {number} top */
  scrollTo(top) {
    this.top = Math.min(Math.max(top, 0), Math.max(this.grid.total - this.size.height, 0));
    this.scroller.scrollTop = this.top;
  }

  /** @param {number} m */
  setMember(m) {
    this.opened = m;
    this.redrawSoon();
  }

  /** @param {MouseEvent} event */
  at(event) {
    if (!this.grid) return -1;
    const { x, y } = pointIn(this.scroller, event);
    return memberAt(this.grid, this.members.n, x, y + this.scroller.scrollTop);
  }

  /** @param {number} m */
  open(m) {
    if (m < 0) return;
    this.cursor = m;
    this.writeOption();
    this.hooks.onMember(m);
  }

  /** @param {KeyboardEvent} event */
  keyDown(event) {
    if (event.key === "Enter" || event.key === " ") this.open(this.cursor);
    else if (event.key.startsWith("Arrow")) this.moveCursor(memberBeside(this.grid, this.members.n, this.cursor, event.key));
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {number} m */
  moveCursor(m) {
    this.cursor = m;
    this.writeOption();
    const { y } = cellAt(this.grid, m);
    const { scrollTop, clientHeight } = this.scroller;
    this.scroller.scrollTop = Math.min(Math.max(scrollTop, y + this.grid.height + this.grid.gap - clientHeight), y - this.grid.gap);
    this.redrawSoon();
  }

  writeOption() {
    putText(this.option, this.members.n ? this.aboutMember(this.cursor) : "");
  }

  /** @param {number} m */
  aboutMember(m) {
    const root = visibleText(this.members.roots[this.members.root[m]]);
    const leaves = sayCount(this.members.leaves[m], "{n} leaf", "{n} leaves");
    const about = root ? say("Tree {n}: splits on {root} first, {leaves}", { n: m + 1, root, leaves }) : say("Tree {n}: a single leaf", { n: m + 1 });
    const { ofClass } = this.namesOf(m);
    return ofClass ? say("{tree}, round {round}, for class {name}", { tree: about, round: this.members.stage[m], name: ofClass }) : about;
  }

  /** @param {MouseEvent} event */
  showTip(event) {
    const m = this.at(event);
    this.scroller.style.cursor = m >= 0 ? "pointer" : "";
    if (m < 0) return this.tip.hide();
    const lines = [visibleText(this.members.titles[m]) || this.aboutMember(m), say("Click to open it")];
    this.tip.show(lines, pointIn(this.area, event));
  }

  setRow() {}

  describe() {
    this.scroller.setAttribute("aria-label", say("Trees: {used} of {all} are in stage {stage}", { used: this.picture.membersUpTo(this.stage), all: this.members.n, stage: this.stage }));
  }

  destroy() {
    this.observer.disconnect();
    cancelAnimationFrame(this.frame);
  }
}

/**
 * @param {CanvasRenderingContext2D} context @param {MemberGrid} grid @param {number} x @param {number} y @param {string} colour
 * @param {number} thickness @param {number} away
 */
function outline(context, { width, height }, x, y, colour, thickness, away) {
  context.strokeStyle = colour;
  context.lineWidth = thickness;
  context.beginPath();
  context.roundRect(x - away, y - away, width + 2 * away, height + 2 * away, 6 + away);
  context.stroke();
}

/** @param {string} colour @param {string} text */
function legendOf(colour, text) {
  const square = makeElement("span", "ev-square", { "aria-hidden": "true" });
  square.style.background = colour;
  return makeElement("span", "tv-legend-entry", {}, [square, text]);
}
