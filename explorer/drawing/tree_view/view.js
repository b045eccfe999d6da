// One view of a tree: stage (the picture) and panel (the strip below it, and parts elsewhere) wired to each other and to
// Python.
//
// Streamlit sends a component's script along with every message about it. So the modules, joined into one script, are
// mounted once as a *library*, whose message never changes and is sent once; all other components arrive by `loader.js`.
// A *data component* has bytes as data (see payload.js): its tree or sequence is put into the cache, where views look it
// up by its sig, and nothing is shown. A *part* has {part, of} as data: a place elsewhere on the page for the "scores", the
// "sequence" or the "weakest" link of the view named `of` (see panel/parts.js). A *view* has a plain object as data (see model/payload.js).
// Every action of the reader is reported to Python as the whole state with a rising number, so that no report is lost; it
// comes with the commands [number, name, value] that Python has not answered yet (a layout, an order, a split, …).
// Python's state counts only when it follows the last report: an older state would undo a drag.

import { openPayload } from "./model/payload.js";
import { GHOST, INNER, scoreOf } from "./model/pruned_shape.js";
import { ShapeWalk } from "./model/shape_walk.js";
import { counterpart, linkedWith, matchCamera } from "./linked_views.js";
import { outlineOf } from "./canvas/paint.js";
import { Stage } from "./stage/stage.js";
import { canSplitNext, isOpenQuestion } from "./panel/growth_controls.js";
import { makePanel } from "./panel/panel.js";
import { frameFor, PART_NAMES, putPart } from "./panel/parts.js";
import { makeElement } from "./dom.js";
import { later } from "./later.js";
import { makeLibrary } from "./mounting.js";
import { messagesKey } from "./messages.js";
import { readTheme } from "./theme.js";

/** @typedef {import("./model/payload.js").SequenceData} SequenceData */
/** @typedef {import("./model/payload.js").Stability} Stability */
/** @typedef {import("./model/payload.js").TreeData} TreeData */
/** @typedef {import("./stage/choices.js").Memory} Memory */
/** @typedef {import("./theme.js").Theme} Theme */
/** @typedef {import("./model/payload.js").Data} Data */
/** @typedef {import("./model/payload.js").Shown} Shown */
/** @typedef {import("./model/payload.js").State} State */
/** @typedef {[number: number, name: string, value: unknown]} Command */
/** @typedef {{ sent: number, commands: Command[], stages: Map<string, Memory> }} ViewMemory */

const MOST_FRAME_TIMES = 4096;
const [REPORT_EVERY, ANSWER_LATE] = [400, 3000];
const PART_FRAME = "tv-root tv-part tv-panel";
/** @type {Map<string, ViewMemory>} */
const viewMemories = new Map();
const library = makeLibrary({
  loader: "decisionTreeLoader",
  views: "decisionTreeViews",
  open: openPayload,
  make: (parentElement, /** @type {Data} */ data) => new View(parentElement, data),
  partFrame: PART_FRAME,
});

/** Called by Streamlit when the library is mounted. @param {Component<{ style: string }>} component */
export default function mountLibrary(component) {
  library.mount(component);
}

/** @param {string} name @returns {ViewMemory} */
function rememberedView(name) {
  const memory = viewMemories.get(name) ?? { sent: 0, commands: [], stages: new Map() };
  viewMemories.set(name, memory);
  return memory;
}

class View {
  /** @param {ShadowRoot} parentElement @param {Data} data */
  constructor(parentElement, data) {
    this.name = data.view;
    this.messagesKey = messagesKey(data.messages);
    this.memory = rememberedView(data.view);
    /** @type {Data} */
    this.data = later();
    /** @type {(state: Record<string, unknown>) => void} */
    this.report = () => {};
    /** @type {TreeData} */
    this.tree = later();
    /** @type {SequenceData | null} */
    this.sequence = null;
    this.shape = new Uint8Array(0);
    /** @type {ShapeWalk | null} */
    this.walk = null;
    /** @type {State} */
    this.state = { selected: -1, position: 0, hand: [] };
    /** @type {Shown} */
    this.picture = { layout: null, ghosts: null, stability: null };
    this.isDragging = false;
    this.isFollowing = false;
    this.reportedAt = 0;
    /** @type {Map<string, HTMLElement>} by the name of the part */
    this.ownFrames = new Map();
    this.toldMoved = "";
    /** @type {number[]} */
    this.frameTimes = [];
    /** @type {number | null} */
    this.mountMs = null;
    /** @type {Theme & { hasFont?: boolean }} */
    this.theme = later();
    this.root = document.createElement("div");
    this.root.className = "tv-root";
    parentElement.append(this.root);
    this.stage = new Stage(this.addHost("tv-stage-host"), this.stageHooks());
    /** @type {ReturnType<typeof makePanel> | null} */
    this.panel = null;
    exposeView(this);
  }

  /** @param {string} className */
  addHost(className) {
    const host = document.createElement("div");
    host.className = className;
    this.root.append(host);
    return host;
  }

  /** @returns {import("./stage/stage.js").Hooks} */
  stageHooks() {
    return {
      onSelect: (id) => this.change({ selected: id }),
      onHand: (op, id) => this.change({ hand: [...this.state.hand, [op, id]] }),
      onStep: (steps) => this.panel?.step(steps),
      onFrame: (milliseconds) => this.noteFrame(milliseconds),
      onCameraMove: () => this.leadCamera(),
      onCommand: (name, value) => this.command(name, value),
    };
  }

  /** @returns {Parameters<typeof makePanel>[1]} */
  panelHooks() {
    return {
      onMove: (position, how) => this.move(position, how),
      onSettle: (position) => this.settle(position),
      onSelect: (id) => this.change({ selected: id }),
      onUndo: () => this.change({ hand: this.state.hand.slice(0, -1) }),
      onClearHand: () => this.change({ hand: [] }),
      onPause: (isPaused) => this.stage.surface.rows.pause(isPaused),
      onCommand: (name, value) => this.command(name, value),
    };
  }

  /** New data or another theme. @param {Data} data */
  update(data) {
    this.data = data;
    this.root.classList.toggle("tv-bare", Boolean(data.bare));
    this.stage.setPresenter(Boolean(data.presenter));
    this.applyTheme();
    this.showPayloads();
    if (!this.tree) return;
    this.showOptions();
    this.applyPythonState();
    this.showGrowth();
    this.placeParts();
  }

  /** The order of growing and Python's sentence; an answered question shows its split. */
  showGrowth() {
    const { order = null, ask = null, sentence, sentence_of: step } = this.data;
    this.panel?.setGrowth({ order, ask, sentence: sentence && step !== undefined ? { step, text: sentence } : null });
    if (this.sequence?.isGrowth) this.showPosition();
  }

  /** Take the payloads of the data from the cache, once they have arrived. */
  showPayloads() {
    const { tree: treeSig, sequence: sequenceSig } = this.data;
    const tree = /** @type {(TreeData & { readMs?: number }) | undefined} */ (library.payload(treeSig));
    const sequence = sequenceSig === null ? null : /** @type {SequenceData | undefined} */ (library.payload(sequenceSig));
    if (!tree || sequence === undefined) return;
    const started = performance.now();
    const [isNewTree, isNewSequence] = [tree !== this.tree, sequence !== this.sequence];
    if (!isNewTree) this.showStability();
    if (!isNewTree && !isNewSequence) return;
    if (isNewTree) this.setTree(tree);
    if (isNewTree || isNewSequence) this.setSequence(sequence);
    this.setState(this.isDragging ? this.state : this.data.state);
    this.showStability();
    this.showGrowth();
    this.noteEcho();
    this.mountMs = performance.now() - started + (tree.readMs ?? 0);
  }

  /** The layer over this tree, once it has arrived. */
  showStability() {
    const layer = /** @type {Stability | undefined} */ (library.payload(this.data.stability ?? ""));
    this.stage.setStability(layer && layer.tree === this.tree.sig ? layer : null);
  }

  /** @param {TreeData} tree */
  setTree(tree) {
    if (this.tree) this.memory.stages.set(this.tree.sig, this.stage.memory());
    this.tree = tree;
    this.shape = new Uint8Array(tree.n);
    this.walk = null;
    this.stage.setTree(tree, this.memory.stages.get(tree.sig) ?? null);
    this.picture = { layout: null, ghosts: null, stability: null };
    this.showOptions();
  }

  showOptions() {
    const { by_hand: showHand, sequence, state, shows_rule: isStandAlone = false, takes_layout: hasGraphviz = false } = this.data;
    this.stage.setOptions({ showHand, isPruned: sequence !== null || state.hand.length > 0, isStandAlone, hasGraphviz });
    this.stage.setMarks(this.data.marks ?? []);
  }

  /** @param {SequenceData | null} sequence */
  setSequence(sequence) {
    this.sequence = sequence;
    if (sequence && !this.panel) {
      this.panel = makePanel(this.addHost("tv-panel-host"), this.panelHooks());
      this.panel.setTheme(this.theme);
    }
    this.stage.setSequence(sequence);
    this.panel?.setSequence(sequence, this.tree);
    this.placeParts();
  }

  /** Put each part where the page has a place for it, else below the view where its data say so, else nowhere. */
  placeParts() {
    if (!this.panel || globalThis.decisionTreeViews?.get(this.name) !== this) return;
    const parts = this.panel.parts();
    let isMoved = false;
    for (const name of PART_NAMES) {
      if (!parts[name]) continue;
      const frame = frameFor(this.name, name) ?? (this.data.parts_below ? this.ownFrame(name) : null);
      isMoved = putPart(parts[name], frame) || isMoved;
    }
    for (const element of this.panel.allParts()) if (!Object.values(parts).includes(element)) element.remove();
    if (isMoved) this.panel.partsMoved();
  }

  /** The frame of a part below the view. @param {string} name */
  ownFrame(name) {
    const known = this.ownFrames.get(name);
    if (known) return known;
    const frame = makeElement("div", PART_FRAME);
    (Array.from(this.ownFrames.values()).at(-1) ?? this.root).after(frame);
    this.ownFrames.set(name, frame);
    return frame;
  }

  /** Take over Python's state, unless the reader has done something since. */
  applyPythonState() {
    const { echo, state } = this.data;
    if (echo === this.memory.sent && !this.isDragging) this.setState(state);
    else this.showRule();
    this.noteEcho();
  }

  /** Write the report that Python has processed, and its position, on the root element. */
  noteEcho() {
    this.root.dataset.settled = String(this.data.state.position);
    this.root.dataset.echo = String(this.data.echo);
    this.memory.commands = this.memory.commands.filter(([number]) => number > this.data.echo);
  }

  /** @param {State & Partial<Shown>} state */
  setState(state) {
    const revealed = state.selected !== this.state.selected;
    this.state = { selected: state.selected, position: state.position, hand: state.hand };
    this.showPicture(state);
    this.stage.setRowPath(this.data.row_path);
    this.stage.setSelected(state.selected, { reveal: revealed });
    this.showRule();
    this.panel?.setPosition(this.state.position);
    this.showPosition();
  }

  /** The layout, the ghosts and the layer that Python has kept, where they are others than those shown. @param {Partial<Shown>} shown */
  showPicture({ layout = null, ghosts = null, stability = null }) {
    if (stability !== this.picture.stability) this.stage.setStability(this.stage.scene.stability, stability);
    const isSame = layout === this.picture.layout && ghosts === this.picture.ghosts;
    this.picture = { layout, ghosts, stability };
    if (!isSame) this.stage.setView({ layout, ghosts });
  }

  /** @param {number} position @param {{ dragging: boolean, playing: boolean }} how */
  move(position, { dragging, playing }) {
    if (dragging) this.drag(true);
    this.isDragging = dragging;
    this.state.position = position;
    if (playing) this.followGrowth(position);
    this.showPosition();
  }

  /** @param {boolean} isDragging */
  drag(isDragging) {
    this.isDragging = isDragging;
    this.stage.dragged(isDragging);
  }

  /** @param {number} position */
  settle(position) {
    this.drag(false);
    const node = this.splitAt(position);
    this.change(node < 0 ? { position } : { position, selected: node });
    if (node >= 0) this.stage.setSelected(node, { reveal: true });
  }

  /**
   * The node that a step of growing is about: the one it splits, the root before any split; −1 for other sequences.
   * @param {number} position
   */
  splitAt(position) {
    return this.sequence?.isGrowth ? Math.max(this.sequence.focus(position), 0) : -1;
  }

  /**
   * While growing is played, the node of each step is selected, and reported as often as Python keeps up.
   * @param {number} position
   */
  followGrowth(position) {
    const node = this.splitAt(position);
    if (node < 0) return;
    this.state.selected = node;
    this.stage.setSelected(node, { reveal: true });
    this.showRule();
    const waited = performance.now() - this.reportedAt;
    if (waited >= (this.data.echo === this.memory.sent ? REPORT_EVERY : ANSWER_LATE)) this.sendReport();
  }

  /** An action of the reader: show it at once, and report it. @param {Partial<State>} changes */
  change(changes) {
    this.state = { ...this.state, ...changes };
    if ("selected" in changes) {
      this.stage.setSelected(this.state.selected, { reveal: false });
      this.showRule();
      for (const other of linkedWith(this, library.live)) other.followSelection(this);
    }
    this.showPosition();
    this.sendReport();
  }

  /**
   * A choice that Python keeps or carries out; what the reader has not let go of yet is settled first.
   * @param {string} name @param {unknown} value
   */
  command(name, value) {
    if (this.isDragging) this.panel?.settleNow();
    if (name in this.picture) this.picture = { ...this.picture, [name]: value };
    this.memory.commands.push([this.memory.sent + 1, name, value]);
    this.sendReport();
  }

  sendReport() {
    this.memory.sent += 1;
    this.reportedAt = performance.now();
    this.report({ number: this.memory.sent, ...this.state, commands: this.memory.commands });
  }

  /** The keys of the timeline, for the page around: returns whether the key has an action. @param {string} key */
  timelineKey(key) {
    return this.panel?.timelineKey(key) ?? false;
  }

  /** Whether the keys of the timeline are the reader's wherever the focus is. */
  asksFirst() {
    return this.panel?.asksFirst() ?? false;
  }

  /** Whether → is the next question wherever the focus is, on the tree too. */
  offersNext() {
    return this.panel?.offersNext() ?? false;
  }

  /** The key of full screen, for the page around. */
  toggleFullScreen() {
    this.stage.toggleFullScreen();
  }

  /** The digits that answer an open question: returns whether the key has an answer. @param {string} key */
  answerKey(key) {
    return this.panel?.answerKey(key) ?? false;
  }

  /**
   * Another view has selected a node: select its counterpart. Python gets the selection and does the same.
   * @param {View} leader
   */
  followSelection(leader) {
    const node = counterpart(leader.tree, leader.state.selected, this.tree);
    if (node < 0 || this.stage.scene.shape?.[node] === GHOST) return; // not there, or pruned away
    this.state = { ...this.state, selected: node };
    this.stage.setSelected(node, { reveal: true });
    this.showRule();
    this.showPosition();
  }

  /** The reader has panned or zoomed: the linked views follow, without leading in turn. */
  leadCamera() {
    if (this.isFollowing || !this.data?.link?.moves) return;
    for (const other of linkedWith(this, library.live)) {
      other.isFollowing = true;
      matchCamera(other.stage, this.stage);
      other.isFollowing = false;
    }
  }

  /** The rule of the selected node; empty until Python has sent it. */
  showRule() {
    this.stage.setRule(this.data.rule_of === this.state.selected ? this.data.rule : "");
  }

  showPosition() {
    const { hand } = this.state;
    const position = this.shownPosition();
    if (!this.walk?.isFor(this.sequence, hand)) this.walk = new ShapeWalk(this.tree, this.sequence, hand, this.shape);
    const isFirst = this.shape[0] === 0;
    const changed = this.walk.moveTo(position);
    const links = this.walk.links();
    const split = this.sequence?.isGrowth && !isFirst ? changed.filter((t) => this.shape[t] === INNER) : [];
    this.stage.setShape(this.shape, changed, links);
    if (split.length === 1) this.stage.surface.rows.send(split[0]);
    this.root.dataset.position = String(this.state.position);
    this.root.dataset.selected = String(this.state.selected);
    if (!this.sequence || !this.panel) return;
    // A step of growing selects its node, which needs no other mark unless its split is still to be guessed.
    const isMarked = !this.sequence.isGrowth || position !== this.state.position;
    this.stage.setFocusMark(isMarked ? this.sequence.focus(this.state.position) : -1);
    this.panel.setLinks(links);
    this.panel.setSplittable(canSplitNext(this.tree, this.shape, this.state.selected) ? this.state.selected : -1);
    this.panel.setHand(hand, hand.length ? scoreOf(this.tree, this.sequence, this.shape) : null);
    this.tellMoved(this.state.position === this.data.state.position ? "" : this.panel.sizeAndScore());
  }

  /**
   * While the slider stands where Python does not know it yet, tell the page around what it shows; "" from then on.
   * @param {string} text
   */
  tellMoved(text) {
    if (text === this.toldMoved) return;
    this.toldMoved = text;
    globalThis.dispatchEvent(new CustomEvent("decisiontreemoved", { detail: text }));
  }

  /** The position whose tree is drawn: while a split is asked for, the step before it. */
  shownPosition() {
    const { position } = this.state;
    return isOpenQuestion(this.data.ask ?? null, this.sequence, position) ? position - 1 : position;
  }

  /** Colours and font, unless they are those in force and the font has not arrived since: everything is painted again. */
  applyTheme() {
    const read = readTheme(this.root, this.data.themes);
    const theme = { ...read, range: this.data.range, hasFont: document.fonts.check(`14px ${read.font}`) };
    if (JSON.stringify(theme) === JSON.stringify(this.theme)) return;
    this.theme = theme;
    this.stage.setTheme(theme);
    this.panel?.setTheme(theme);
  }

  /** @param {number} milliseconds */
  noteFrame(milliseconds) {
    if (this.frameTimes.length === MOST_FRAME_TIMES) this.frameTimes.shift();
    this.frameTimes.push(milliseconds);
  }

  position() {
    return this.state.position;
  }

  /** The centre of a node in the window, in pixels. @param {number} node */
  nodeCentre(node) {
    const { left, top } = this.stage.surface.canvas.getBoundingClientRect();
    const { x, y } = outlineOf(this.stage.scene, node);
    const { enlarged } = this.stage.scene;
    return { x: left + x * enlarged, y: top + y * enlarged };
  }

  leafCount() {
    return this.walk?.leaves ?? 0;
  }

  destroy() {
    this.tellMoved("");
    if (this.tree) this.memory.stages.set(this.tree.sig, this.stage.memory());
    library.live.delete(this);
    this.stage.destroy();
    this.panel?.destroy();
    for (const frame of this.ownFrames.values()) frame.remove();
    if (globalThis.decisionTreeViews?.get(this.name) === this) globalThis.decisionTreeViews.delete(this.name);
  }
}

/** Let tests and benchmarks read what a view shows. @param {View} view */
function exposeView(view) {
  globalThis.decisionTreeViews ??= new Map();
  globalThis.decisionTreeViews.set(view.name, view);
}
