// The sequence table: only the visible rows are in the document, however long the sequence is.
//
// Rows are made once, as many as fit, and rewritten for other positions while the table scrolls. The *cursor* is the row
// that the arrow keys move to; Enter or a click makes it the position.

/** @typedef {import("../model/split_payload.js").Numbers} Numbers */
/** @typedef {import("../model/payload.js").SequenceData} SequenceData */

import { alphaText, heldOutName, decimalText } from "../model/alpha_interval.js";
import { makeFollower } from "./slider_motion.js";
import { makeElement, putText } from "../dom.js";
import { later } from "../later.js";
import { countText, scoreText } from "../format.js";
import { say } from "../messages.js";

/** @typedef {(k: number) => string} Word of a position */
/** @typedef {{ head: string, title: string, width: number, text: Word }} Column */

const ROW_HEIGHT = 30;
const ROWS_AHEAD = 3;
export const MARKS_WIDTH = 1.5;
const ROWS_TRIED = 500;
const [LEAST_NUMBER_WIDTH, LEAST_ALPHA_WIDTH, DIGIT_WIDTH, CELL_PADDING] = [5.5, 4.5, 0.5, 1.125];
/** @type {["best" | "oneSe", string][]} */
const ROW_MARKS = [["best", "★"], ["oneSe", "◇"]];

/** Columns of a sequence: {head, title, width in rem, text(position)}. @param {SequenceData} sequence */
export function tableColumns(sequence) {
  const { leaves, collapsed, risks, train, valid, validSe, mean, se, isShare } = sequence;
  const risk = (/** @type {string} */ head, /** @type {string} */ title, /** @type {Word} */ text) => ({ head, title, width: LEAST_NUMBER_WIDTH, text });
  const alphaWidth = widthOfAlphas(sequence);
  const alpha = (/** @type {string} */ head, /** @type {string} */ title, /** @type {Word} */ text) => ({ head, title, width: alphaWidth, text });
  const count = (/** @type {string} */ head, /** @type {string} */ title, /** @type {Numbers} */ values, /** @type {number} */ width) => ({ head, title, width, text: (/** @type {number} */ k) => countText(values[k]) });
  const score = (/** @type {string} */ head, /** @type {string} */ title, /** @type {Numbers} */ values, /** @type {Numbers | null} */ spread) => {
    return { head, title, width: spread ? 8.2 : 5.4, text: (/** @type {number} */ k) => spreadText(values[k], spread?.[k], isShare) };
  };
  const [heldOut, metric] = [heldOutName(sequence), sequence.scoreName];
  return [
    alpha(say("α from"), say("The subtree holds from this α up to, but not at, that of the next row"), (/** @type {number} */ k) => alphaText(sequence, k)),
    count(say("leaves"), say("Leaves of the subtree"), leaves, 3.25),
    mean && score(say("cross-val. ± SE"), say("{metric}, mean of the cross-validation ± its standard error", { metric }), mean, se),
    valid && score(heldOut, say("{metric}, {rows}", { metric, rows: heldOut }), valid, validSe),
    train && score(say("training"), say("training {metric}", { metric }), train, null),
    risks && risk("R(T)", say("Risk on the training rows: {risk}", { risk: sequence.riskName }), (/** @type {number} */ k) => decimalText(risks[k])),
    count(say("collapsed"), say("Nodes that became leaves on arriving here"), collapsed, 5),
  ].filter(Boolean);
}

/**
 * The widths, stretched so that a table of `room` ends after a whole column and cuts none.
 * @param {number[]} widths @param {number} room
 */
export function wholeWidths(widths, room) {
  let [count, sum] = [0, 0];
  while (count < widths.length && sum + widths[count] <= room) sum += widths[count++];
  const spare = count < widths.length && count > 0 ? (room - sum) / count : 0;
  return widths.map((width, k) => (k < count ? width + spare : width));
}

/** Room for the longest α in rem; the smallest ones, which come first, have the most digits. @param {SequenceData} sequence */
function widthOfAlphas(sequence) {
  let longest = 0;
  for (let k = 0; k < Math.min(sequence.size, ROWS_TRIED); k++) longest = Math.max(longest, alphaText(sequence, k).length);
  return Math.max(LEAST_ALPHA_WIDTH, CELL_PADDING + DIGIT_WIDTH * longest);
}

/** @param {number} value @param {number | undefined} spread @param {boolean} isShare */
function spreadText(value, spread, isShare) {
  const text = scoreText(value, isShare);
  return Number.isFinite(spread) ? `${text} ± ${scoreText(spread, isShare)}` : text;
}

/** The rows that belong in the document: [first, after]. @param {number} scrolled @param {number} height @param {number} size */
export function rowWindow(scrolled, height, size) {
  const first = Math.max(Math.floor(scrolled / ROW_HEIGHT) - ROWS_AHEAD, 0);
  const after = Math.min(Math.ceil((scrolled + height) / ROW_HEIGHT) + ROWS_AHEAD, size);
  return [Math.min(first, Math.max(size - 1, 0)), after];
}

/**
 * The scroll offset that makes a row visible; unchanged where it is visible already.
 * @param {number} row @param {number} scrolled @param {number} height @param {number} size
 */
export function scrollToShow(row, scrolled, height, size) {
  const [top, bottom] = [row * ROW_HEIGHT, (row + 1) * ROW_HEIGHT];
  if (top >= scrolled && bottom <= scrolled + height) return scrolled;
  const wanted = top < scrolled ? top - ROW_HEIGHT : bottom - height + ROW_HEIGHT;
  return Math.max(Math.min(wanted, size * ROW_HEIGHT - height), 0);
}

/** @param {{ onPick: (position: number) => void }} hooks */
export function makeSequenceTable(hooks) {
  return new SequenceTable(hooks);
}

class SequenceTable {
  /** @param {{ onPick: (position: number) => void }} hooks */
  constructor(hooks) {
    this.hooks = hooks;
    /** @type {Map<number, HTMLElement>} */
    this.builtRows = new Map();
    /** @type {SequenceData} */
    this.sequence = later();
    /** @type {Column[]} */
    this.columns = [];
    this.wanted = 0;
    this.frame = 0;
    this.follower = makeFollower((position) => this.followSoon(position));
    this.position = 0;
    this.cursor = 0;
    this.scrolled = 0;
    this.height = 6 * ROW_HEIGHT;
    this.head = makeElement("div", "tv-table-head", { role: "row", "aria-rowindex": 1 });
    this.body = makeElement("div", "tv-table-body", { role: "rowgroup" });
    const name = say("The sequence of subtrees");
    this.grid = makeElement("div", "tv-table-grid", { role: "grid", tabindex: 0, "aria-label": name }, [this.head, this.body]);
    this.element = makeElement("section", "tv-table", { "aria-label": name }, [makeElement("h4", "tv-title", {}, [name]), this.grid]);
    this.listen();
    this.observer = new ResizeObserver(() => this.measure());
    this.observer.observe(this.grid);
  }

  listen() {
    this.grid.addEventListener("scroll", () => this.noteScroll(), { passive: true });
    this.grid.addEventListener("keydown", (event) => this.onKey(event));
    this.grid.addEventListener("click", (event) => {
      const row = /** @type {HTMLElement | null} */ (/** @type {HTMLElement} */ (event.target).closest(".tv-row"));
      if (row) this.hooks.onPick(Number(row.dataset.position));
    });
  }

  /** @param {SequenceData} sequence @param {number} position */
  setSequence(sequence, position) {
    this.sequence = sequence;
    this.columns = tableColumns(sequence);
    this.setWidths();
    const heads = this.columns.map(({ head, title }) => headCell(head, title));
    this.head.replaceChildren(headCell("", say("★ best, ◇ 1-SE, ○ where the slider stands")), ...heads);
    this.grid.setAttribute("aria-rowcount", String(sequence.size + 1));
    this.grid.setAttribute("aria-colcount", String(this.columns.length + 1));
    this.grid.style.height = `min(${(sequence.size + 1) * ROW_HEIGHT + 2}px, var(--tv-table-height, 248px))`;
    this.body.style.height = `${sequence.size * ROW_HEIGHT}px`;
    this.body.replaceChildren();
    this.forgetFollowing();
    [this.position, this.cursor] = [position, position];
    this.builtRows.clear();
    this.showRow(position);
  }

  setWidths() {
    const room = this.grid.clientWidth / parseFloat(getComputedStyle(document.documentElement).fontSize);
    const widths = wholeWidths(this.columns.map(({ width }) => width), room - MARKS_WIDTH);
    const columns = widths.map((width) => `minmax(${width}rem, 1fr)`).join(" ");
    this.element.style.setProperty("--tv-columns", `${MARKS_WIDTH}rem ${columns}`);
    this.element.style.setProperty("--tv-table-width", `${widths.reduce((a, b) => a + b, MARKS_WIDTH)}rem`);
    this.markMore();
  }

  /** Whether columns follow to the right. */
  markMore() {
    const { scrollLeft, clientWidth, scrollWidth } = this.grid;
    this.element.classList.toggle("tv-table-more", scrollLeft + clientWidth < scrollWidth - 2);
  }

  measure() {
    if (!this.grid.clientHeight) return; // in a hidden tab
    this.height = Math.max(this.grid.clientHeight - this.head.offsetHeight, ROW_HEIGHT);
    if (!this.sequence) return;
    this.setWidths();
    this.scrolled = this.grid.scrollTop; // which moving to another place has set to 0
    this.showRow(this.position);
  }

  noteScroll() {
    this.markMore();
    this.scrolled = this.grid.scrollTop;
    this.render();
  }

  /** @param {number} position */
  setPosition(position) {
    this.follower.follow(position);
  }

  /**
   * The table follows one frame later: scrolling right after other changes would lay the page out twice.
   * @param {number} position
   */
  followSoon(position) {
    this.wanted = position;
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0;
      this.follow(this.wanted);
    });
  }

  forgetFollowing() {
    this.follower.forget();
    cancelAnimationFrame(this.frame);
    this.frame = 0;
  }

  /** @param {number} position */
  follow(position) {
    const before = [this.position, this.cursor];
    [this.position, this.cursor] = [position, position];
    this.showRow(position);
    for (const k of new Set([...before, position])) this.markRow(this.builtRows.get(k), k);
  }

  /** Scroll to a row and point the cursor at it. @param {number} row */
  showRow(row) {
    const wanted = scrollToShow(row, this.scrolled, this.height, this.sequence.size);
    if (wanted !== this.scrolled) this.grid.scrollTop = this.scrolled = wanted;
    this.render();
    this.grid.setAttribute("aria-activedescendant", `tv-row-${row}`);
  }

  /** Keep the visible rows in the document: those that stay visible are kept, the others are rewritten. */
  render() {
    const [first, after] = rowWindow(this.scrolled, this.height, this.sequence.size);
    const free = [];
    for (const [k, row] of this.builtRows) {
      if (k >= first && k < after) continue;
      this.builtRows.delete(k);
      free.push(row);
    }
    for (let k = first; k < after; k++) if (!this.builtRows.has(k)) this.writeRow(free.pop() ?? this.newRow(), k);
    for (const row of free) row.remove();
  }

  newRow() {
    const cells = Array.from({ length: this.columns.length + 1 }, () => makeElement("div", "tv-cell", { role: "gridcell" }));
    const row = makeElement("div", "tv-row", { role: "row" }, cells);
    this.body.append(row);
    return row;
  }

  /** @param {HTMLElement} row @param {number} position */
  writeRow(row, position) {
    this.builtRows.set(position, row);
    row.id = `tv-row-${position}`;
    row.dataset.position = String(position);
    row.setAttribute("aria-rowindex", String(position + 2));
    row.style.transform = `translateY(${position * ROW_HEIGHT}px)`;
    this.columns.forEach(({ text }, k) => putText(row.children[k + 1], text(position)));
    this.markRow(row, position);
  }

  /** @param {HTMLElement | undefined} row undefined: not in the document @param {number} position */
  markRow(row, position) {
    if (!row) return;
    const isCurrent = position === this.position;
    row.setAttribute("aria-selected", String(isCurrent));
    row.classList.toggle("tv-row-cursor", position === this.cursor);
    const marks = ROW_MARKS.filter(([name]) => this.sequence[name] === position).map(([, sign]) => sign);
    putText(row.children[0], marks.join("") + (isCurrent ? "○" : ""));
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    const page = Math.max(Math.floor(this.height / ROW_HEIGHT) - 1, 1);
    /** @type {Record<string, number>} */
    const steps = { ArrowUp: -1, ArrowDown: 1, PageUp: -page, PageDown: page, Home: -Infinity, End: Infinity };
    if (event.key === "Enter" || event.key === " ") this.hooks.onPick(this.cursor);
    else if (event.key in steps) this.moveCursor(this.cursor + steps[event.key]);
    else return;
    event.preventDefault();
  }

  /** @param {number} row */
  moveCursor(row) {
    const before = this.cursor;
    this.cursor = Math.min(Math.max(row, 0), this.sequence.size - 1);
    this.showRow(this.cursor);
    for (const k of [before, this.cursor]) this.markRow(this.builtRows.get(k), k);
  }

  destroy() {
    this.forgetFollowing();
    this.observer.disconnect();
  }
}

/** @param {string} text @param {string} title */
function headCell(text, title) {
  return makeElement("div", "tv-cell", { role: "columnheader", title }, [text || makeElement("span", "tv-unseen", {}, [say("marks")])]);
}
