// One view of an ensemble: the main picture with its tabs, the stage slider below it, and parts beside or elsewhere on the
// page, all at one stage. Nothing is asked of Python while the slider moves.
//
// The modules, joined into one script, are mounted once as a library (see tree_view/mounting.js). A *data component* has
// bytes: a picture or a row (see model/picture.js). A *part* has {part, of}: a place elsewhere on the page for the
// "scores", the "row", the "margins" or the "facts" of the view named `of`. A *view* has a plain object as data (`Data`).
// Every action of the reader is reported to Python as the whole state with a rising number. Python's state counts only
// when it follows the last report: an older state would undo a drag.

import { openRecord } from "./model/picture.js";
import { makeFacts } from "./parts/facts.js";
import { makeMargins } from "./parts/margins.js";
import { makeRowPart } from "./parts/row_part.js";
import { makeScores } from "./parts/scores.js";
import { makeTabs } from "./parts/tabs.js";
import { makeTimeline } from "./parts/timeline.js";
import { frameFor, putPart } from "../tree_view/panel/parts.js";
import { mixColours } from "../charts/colours.js";
import { makeElement } from "../tree_view/dom.js";
import { later } from "../tree_view/later.js";
import { messagesKey } from "../tree_view/messages.js";
import { makeLibrary } from "../tree_view/mounting.js";
import { readTheme } from "../tree_view/theme.js";

/** @typedef {import("./draw/stage_chart.js").ChartTheme} ChartTheme */
/** @typedef {import("./model/picture.js").ExplainedRow} ExplainedRow */
/** @typedef {import("./model/picture.js").Picture} Picture */
/**
 * @typedef {import("../tree_view/theme.js").Palette & Record<"up" | "down" | "bad" | "next" | "residual", string>
 *   & { roots: string[] }} Palette with the colours of charts, and of the features of the roots
 */
/** @typedef {{ stage: number, member: number, row: number, tab: string }} State member and row are −1 for none, tab "" for the first */
/**
 * @typedef Data
 * @property {string} view its name on the page
 * @property {string} picture sig of the payload
 * @property {string | null} row likewise
 * @property {number} echo number of the last report that Python has processed
 * @property {State} state the state in Python
 * @property {{ light: Palette, dark: Palette }} themes
 * @property {boolean} [presenter] whether everything is drawn larger
 * @property {boolean} [parts_beside] whether the parts stand beside the view where the page has no place for them
 * @property {Record<string, string> | null} [messages] the texts in the reader's language, by the English ones
 */
/**
 * @typedef Part what is common to the parts
 * @property {HTMLElement} element
 * @property {(picture: Picture) => void} set
 * @property {(theme: ChartTheme) => void} setTheme
 * @property {(stage: number) => void} setStage
 * @property {() => void} describe
 * @property {() => void} redrawSoon
 * @property {() => void} destroy
 */

const [MOST_TIMES, PRESENTED] = [4096, 1.35];
/** @type {Map<string, number>} */
const reportsByView = new Map();
const ensembleLibrary = makeLibrary({
  loader: "ensembleViewLoader",
  views: "ensembleViews",
  open: openRecord,
  make: (parentElement, /** @type {Data} */ data) => new EnsembleView(parentElement, data),
  partFrame: "tv-root tv-part tv-panel ev-root",
});

/** Called by Streamlit when the library is mounted. @param {Component<{ style: string }>} component */
export default function mountLibrary(component) {
  ensembleLibrary.mount(component);
}

class EnsembleView {
  parts = {
    scores: makeScores({ onMoveTo: (stage) => this.timeline.moveTo(stage), onRelease: () => this.timeline.release() }),
    row: makeRowPart(),
    margins: makeMargins(),
    facts: makeFacts({ onJump: (stage) => this.timeline.jump(stage) }),
  };

  /** @param {ShadowRoot} parentElement @param {Data} data */
  constructor(parentElement, data) {
    this.name = data.view;
    this.messagesKey = messagesKey(data.messages);
    this.data = data;
    /** @type {(state: Record<string, unknown>) => void} */
    this.report = () => {};
    /** @type {Picture | null} */
    this.picture = null;
    /** @type {ExplainedRow | null | undefined} undefined before the first */
    this.row = undefined;
    /** @type {ChartTheme} */
    this.theme = later();
    this.isDragging = false;
    /** @type {State} */
    this.state = { stage: 0, member: -1, row: -1, tab: "" };
    /** @type {number[]} */
    this.frameTimes = [];
    /** @type {number | null} */
    this.mountMs = null;
    this.timeline = makeTimeline({ onMove: (stage, dragging) => this.move(stage, dragging), onSettle: (stage) => this.settle(stage) });
    this.tabs = makeTabs({ onTab: (tab) => this.change({ tab }), onRow: (row) => this.change({ row }), onMember: (member) => this.change({ member }) });
    const strip = makeElement("div", "tv-panel tv-panel-host", {}, [this.timeline.element]);
    this.side = makeElement("div", "ev-side tv-panel", { hidden: "" });
    this.root = makeElement("div", "tv-root ev-root ev-view", {}, [makeElement("div", "ev-column", {}, [this.tabs.element, strip]), this.side]);
    parentElement.append(this.root);
    globalThis.ensembleViews ??= new Map(); // also for tests and benchmarks
    globalThis.ensembleViews.set(this.name, this);
  }

  /** The parts that the picture has something for, by name. @returns {Record<string, Part>} */
  filledParts() {
    if (!this.picture) return {};
    const { curves, margins, facts } = this.picture;
    const { row, scores } = this.parts;
    return {
      ...(curves.length ? { scores } : {}),
      ...(this.row || this.data.row !== null ? { row } : {}),
      ...(margins ? { margins: this.parts.margins } : {}),
      ...(facts.rounds.length ? { facts: this.parts.facts } : {}),
    };
  }

  /** New data or another theme. @param {Data} data */
  update(data) {
    this.data = data;
    this.root.classList.toggle("ev-presenter", Boolean(data.presenter));
    this.root.classList.toggle("ev-beside", Boolean(data.parts_beside));
    this.applyTheme();
    this.showPayloads();
    if (!this.picture) return;
    if (data.echo === this.sent() && !this.isDragging) this.setState(data.state);
    this.placeParts();
    this.noteEcho();
  }

  sent() {
    return reportsByView.get(this.name) ?? 0;
  }

  applyTheme() {
    const theme = readTheme(this.root, this.data.themes);
    const own = this.data.themes[theme.dark ? "dark" : "light"];
    this.theme = {
      ...theme,
      ...own,
      enlarged: this.data.presenter ? PRESENTED : 1,
      grid: mixColours(theme.background, theme.text, theme.dark ? 0.14 : 0.09),
      drop: mixColours(theme.background, own.residual, 0.55),
    };
    this.tabs.setTheme(this.theme);
    for (const part of Object.values(this.parts)) part.setTheme(this.theme);
  }

  /** Take the payloads of the data from the cache, once they have arrived. */
  showPayloads() {
    const picture = /** @type {(Picture & { readMs?: number }) | undefined} */ (ensembleLibrary.payload(this.data.picture));
    const row = this.data.row === null ? null : /** @type {ExplainedRow | undefined} */ (ensembleLibrary.payload(this.data.row));
    if (!picture || row === undefined) return;
    const started = performance.now();
    if (picture !== this.picture) this.setPicture(picture);
    if (row !== this.row) this.setRowData(row);
    this.mountMs ??= performance.now() - started + (picture.readMs ?? 0);
  }

  /** @param {Picture} picture */
  setPicture(picture) {
    this.picture = picture;
    this.row = undefined;
    const state = this.isDragging ? this.state : this.data.state;
    const stage = Math.min(state.stage, picture.nStages);
    this.tabs.set(picture);
    this.timeline.set(picture, stage);
    for (const part of Object.values(this.parts)) part.set(picture);
    this.setState({ ...state, stage });
    this.placeParts();
  }

  /** @param {ExplainedRow | null} row */
  setRowData(row) {
    this.row = row;
    this.parts.row.setData(row);
    this.placeParts();
  }

  /** @param {State} state */
  setState({ stage, member, row, tab }) {
    this.state = { stage: Math.min(stage, this.picture?.nStages ?? 0), member, row, tab };
    this.tabs.show(tab);
    this.tabs.setRow(row);
    this.tabs.setMember(member);
    this.timeline.setStage(this.state.stage);
    this.showStage();
    this.describe();
  }

  showStage() {
    const { stage } = this.state;
    this.tabs.setStage(stage);
    for (const part of Object.values(this.filledParts())) if (part.element.isConnected) part.setStage(stage);
    this.root.dataset.stage = String(stage);
  }

  /** @param {number} stage @param {boolean} dragging */
  move(stage, dragging) {
    const started = performance.now();
    this.isDragging = dragging;
    this.state.stage = stage;
    this.showStage();
    this.noteTime(performance.now() - started);
  }

  /** @param {number} stage */
  settle(stage) {
    this.isDragging = false;
    this.describe();
    this.change({ stage });
  }

  /** Texts for screen readers, only where the stage has come to rest. */
  describe() {
    this.tabs.describe();
    for (const part of Object.values(this.filledParts())) part.describe();
  }

  /** An action of the reader: show it at once, and report it. @param {Partial<State>} changes */
  change(changes) {
    this.state = { ...this.state, ...changes };
    const { tab, row, member } = changes;
    if (tab !== undefined) this.tabs.show(tab);
    if (row !== undefined) this.tabs.setRow(row);
    if (member !== undefined) this.tabs.setMember(member);
    reportsByView.set(this.name, this.sent() + 1);
    this.report({ number: this.sent(), ...this.state });
  }

  /** Put each part where the page has a place for it, else beside the view where its data say so, else nowhere. */
  placeParts() {
    if (globalThis.ensembleViews?.get(this.name) !== this) return;
    const filled = this.filledParts();
    for (const [name, part] of Object.entries(this.parts)) {
      const frame = filled[name] ? (frameFor(this.name, name) ?? (this.data.parts_beside ? this.ownFrame(name) : null)) : null;
      if (!putPart(part.element, frame) || frame === null) continue;
      part.setStage(this.state.stage);
      part.redrawSoon();
    }
    this.side.hidden = !this.data.parts_beside;
  }

  /** The frame of a part beside the view. @param {string} name */
  ownFrame(name) {
    /** @type {HTMLElement | null} */
    const known = this.side.querySelector(`[data-part="${name}"]`);
    if (known) return known;
    const frame = makeElement("div", "", { "data-part": name });
    this.side.append(frame);
    return frame;
  }

  /** The keys of the timeline, for the page around: returns whether the key has an action. @param {string} key */
  timelineKey(key) {
    return this.timeline.timelineKey(key);
  }

  /** @param {number} milliseconds */
  noteTime(milliseconds) {
    if (this.frameTimes.length === MOST_TIMES) this.frameTimes.shift();
    this.frameTimes.push(milliseconds);
  }

  noteEcho() {
    this.root.dataset.settled = String(this.data.state.stage);
    this.root.dataset.echo = String(this.data.echo);
  }

  position() {
    return this.state.stage;
  }

  /** The members of the stage: what a drag changes. */
  leafCount() {
    return this.picture ? this.picture.membersUpTo(this.state.stage) : 0;
  }

  destroy() {
    ensembleLibrary.live.delete(this);
    this.timeline.destroy();
    this.tabs.destroy();
    for (const part of Object.values(this.parts)) {
      part.destroy();
      part.element.remove();
    }
    if (globalThis.ensembleViews?.get(this.name) === this) globalThis.ensembleViews.delete(this.name);
  }
}
