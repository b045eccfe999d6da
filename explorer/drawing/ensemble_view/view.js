// One view of an ensemble: the main picture with its tabs, the stage slider below it, and parts beside or elsewhere on the
// page, all at one stage. Nothing is asked of Python while the slider moves.
//
// The modules, joined into one script, are mounted once as a library (see tree_view/mounting.js). A *data component* has
// bytes: a picture or a row (see model/picture.js). A *part* has {part, of}: a place elsewhere on the page for the
// "scores", the "row", the "margins" or the "facts" of the view named `of`. A *view* has a plain object as data:
//   view        its name on the page
//   picture, row   sigs of the payloads it shows (row: null for none)
//   echo        number of the last report that Python has processed
//   state       {stage, member, row, tab}: the state in Python; member and row are −1 for none, tab "" for the first
//   themes      {light, dark}: {classes in class order, means (of the least and the largest), roots (colours for the
//               features of the roots), quiet, accent, and up, down, bad, next, residual (colours of charts)}
//   presenter   whether everything is drawn larger
//   parts_beside   whether the parts stand beside the view where the page has no place for them
//   messages    the texts of the view in the reader's language, by the English ones
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
import { messagesKey } from "../tree_view/messages.js";
import { makeLibrary } from "../tree_view/mounting.js";
import { readTheme } from "../tree_view/theme.js";

const [MOST_TIMES, PRESENTED] = [4096, 1.35];
const reportsByView = new Map();
const ensembleLibrary = makeLibrary({
  loader: "ensembleViewLoader",
  views: "ensembleViews",
  open: openRecord,
  make: (parentElement, data) => new EnsembleView(parentElement, data),
  partFrame: "tv-root tv-part tv-panel ev-root",
});

/** Called by Streamlit when the library is mounted. */
export default function mountLibrary(component) {
  ensembleLibrary.mount(component);
}

class EnsembleView {
  constructor(parentElement, data) {
    this.name = data.view;
    this.messagesKey = messagesKey(data.messages);
    this.report = () => {};
    [this.picture, this.row, this.theme, this.isDragging] = [null, undefined, null, false];
    this.state = { stage: 0, member: -1, row: -1, tab: "" };
    [this.frameTimes, this.mountMs] = [[], null];
    this.timeline = makeTimeline({ onMove: (stage, dragging) => this.move(stage, dragging), onSettle: (stage) => this.settle(stage) });
    this.tabs = makeTabs({ onTab: (tab) => this.change({ tab }), onRow: (row) => this.change({ row }), onMember: (member) => this.change({ member }) });
    this.makeParts();
    const strip = makeElement("div", "tv-panel tv-panel-host", {}, [this.timeline.element]);
    this.side = makeElement("div", "ev-side tv-panel", { hidden: "" });
    this.root = makeElement("div", "tv-root ev-root ev-view", {}, [makeElement("div", "ev-column", {}, [this.tabs.element, strip]), this.side]);
    parentElement.append(this.root);
    globalThis.ensembleViews ??= new Map(); // also for tests and benchmarks
    globalThis.ensembleViews.set(this.name, this);
  }

  makeParts() {
    this.parts = {
      scores: makeScores({ onMoveTo: (stage) => this.timeline.moveTo(stage), onRelease: () => this.timeline.release() }),
      row: makeRowPart(),
      margins: makeMargins(),
      facts: makeFacts({ onJump: (stage) => this.timeline.jump(stage) }),
    };
  }

  /** The parts that the picture has something for, by name. */
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

  /** New data or another theme. */
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
    const picture = ensembleLibrary.payloads.get(this.data.picture);
    const row = this.data.row === null ? null : ensembleLibrary.payloads.get(this.data.row);
    if (!picture || row === undefined) return;
    const started = performance.now();
    if (picture !== this.picture) this.setPicture(picture);
    if (row !== this.row) this.setRowData(row);
    this.mountMs ??= performance.now() - started + picture.readMs;
  }

  setPicture(picture) {
    [this.picture, this.row] = [picture, undefined];
    const state = this.isDragging ? this.state : this.data.state;
    const stage = Math.min(state.stage, picture.nStages);
    this.tabs.set(picture);
    this.timeline.set(picture, stage);
    for (const part of Object.values(this.parts)) if (this.draws(part)) part.set(picture);
    this.setState({ ...state, stage });
    this.placeParts();
  }

  draws(part) {
    return part !== this.parts.margins || this.picture.margins !== null;
  }

  setRowData(row) {
    this.row = row;
    this.parts.row.setData(row);
    this.placeParts();
  }

  setState({ stage, member, row, tab }) {
    this.state = { stage: Math.min(stage, this.picture.nStages), member, row, tab };
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

  move(stage, dragging) {
    const started = performance.now();
    this.isDragging = dragging;
    this.state.stage = stage;
    this.showStage();
    this.noteTime(performance.now() - started);
  }

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

  /** An action of the reader: show it at once, and report it. */
  change(changes) {
    this.state = { ...this.state, ...changes };
    if ("tab" in changes) this.tabs.show(changes.tab);
    if ("row" in changes) this.tabs.setRow(changes.row);
    if ("member" in changes) this.tabs.setMember(changes.member);
    reportsByView.set(this.name, this.sent() + 1);
    this.report({ number: this.sent(), ...this.state });
  }

  /** Put each part where the page has a place for it, else beside the view where its data say so, else nowhere. */
  placeParts() {
    if (globalThis.ensembleViews.get(this.name) !== this) return;
    const filled = this.filledParts();
    for (const [name, part] of Object.entries(this.parts)) {
      const frame = filled[name] ? (frameFor(this.name, name) ?? (this.data.parts_beside ? this.ownFrame(name) : null)) : null;
      if (!putPart(part.element, frame) || frame === null) continue;
      part.setStage(this.state.stage);
      part.redrawSoon();
    }
    this.side.hidden = !this.data.parts_beside;
  }

  /** The frame of a part beside the view. */
  ownFrame(name) {
    const known = this.side.querySelector(`[data-part="${name}"]`);
    if (known) return known;
    const frame = makeElement("div", "", { "data-part": name });
    this.side.append(frame);
    return frame;
  }

  /** The keys of the timeline, for the page around: returns whether the key has an action. */
  timelineKey(key) {
    return this.timeline.timelineKey(key);
  }

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
    if (globalThis.ensembleViews.get(this.name) === this) globalThis.ensembleViews.delete(this.name);
  }
}
