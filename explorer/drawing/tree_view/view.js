// One view of a tree: stage (the picture) and panel (slider, curve, table) wired to each other and to Python.
//
// Streamlit sends a component's script along with every message about it. So the modules, joined into one script, are
// mounted once as a *library*, whose message never changes and is sent once; views and carriers come in by `door.js`.
// A *carrier* has bytes as data (see payload.js): its tree or sequence is put on the shelf, where views find it by its
// sig, and nothing is shown. A *view* has a plain object as data:
//   view        its name on the page; camera and choices of sight are remembered under it over page switches
//   tree, sequence   sigs of the packs it shows (sequence: null without a slider; what is pruned away is then left out
//               to begin with, since nothing brings it back)
//   echo        number of the last report that Python has dealt with
//   state       {selected, position, hand}: what Python holds to be true
//   rule        the selected node's rule in words, for the node `rule_of`
//   range       [least, largest] mean of all trees that stand side by side, which share one scale of colours, or null
//   look        {light, dark}: {classes in class order, means (of the least and the largest), quiet, accent}
//   link        null, or {group, moves}: views of one group choose nodes together, and if `moves` pan and zoom together
//   ways        [node, part] of every node that one row comes to, or [] without a row
//   by_hand     whether nodes can be pruned by hand; height in pixels
// What the reader does is reported to Python as the whole state with a rising number, so that of two reports in one
// breath none is lost. Python's state counts only when it answers the last report: an older answer would undo a drag.

import { openPack } from "./model/payload.js";
import { nextLinks, scoreOf, shapeAt } from "./model/pruned_shape.js";
import { counterpart, linkedWith, lookAlike } from "./linked_views.js";
import { outlineOf } from "./canvas/paint.js";
import { makeStage } from "./stage/stage.js";
import { makePanel } from "./panel/panel.js";

const SHELF_SIZE = 16;
const FRAMES_KEPT = 4096;
const packShelf = new Map();
const viewMemories = new Map();
const viewsByRoot = new WeakMap();
const liveViews = new Set();
const carriedBytes = new WeakMap();

/** Called by Streamlit when the library is mounted: let in who waits at the door, and whoever comes later. */
export default function openLibrary({ data, parentElement }) {
  hideElement(parentElement);
  const style = new CSSStyleSheet();
  style.replaceSync(data.style);
  const door = (globalThis.decisionTreeDoor ??= { waiting: new Map(), leave: new Map() });
  door.enter = (component) => enterLibrary(component, style);
  for (const [root, component] of door.waiting) door.leave.set(root, door.enter(component));
  door.waiting.clear();
}

/** Called through the door on mounting, and again when the data or the theme change; gives what unmounting calls. */
function enterLibrary(component, style) {
  const { data, parentElement } = component;
  if (data instanceof Uint8Array) return carry(data, parentElement);
  parentElement.adoptedStyleSheets = [style];
  let view = viewsByRoot.get(parentElement);
  if (!view) {
    view = new View(parentElement, data);
    viewsByRoot.set(parentElement, view);
    liveViews.add(view);
  }
  view.report = (state) => component.setTriggerValue("event", state);
  view.update(data);
  return () => view.destroy();
}

/** Take an element that shows nothing out of the page's layout. */
function hideElement(parentElement) {
  parentElement.host?.closest('[data-testid="stElementContainer"]')?.style.setProperty("display", "none");
}

/** Put a pack on the shelf and show it in the views that wait for it. */
function carry(bytes, parentElement) {
  if (carriedBytes.get(parentElement) === bytes) return;
  carriedBytes.set(parentElement, bytes);
  hideElement(parentElement);
  const started = performance.now();
  const pack = openPack(bytes);
  pack.openedIn = performance.now() - started;
  packShelf.delete(pack.sig);
  packShelf.set(pack.sig, pack);
  for (const sig of packShelf.keys()) if (packShelf.size > SHELF_SIZE) packShelf.delete(sig);
  for (const view of liveViews) view.showPacks();
}

function rememberedView(name) {
  if (!viewMemories.has(name)) viewMemories.set(name, { sent: 0, stages: new Map() });
  return viewMemories.get(name);
}

class View {
  constructor(parentElement, data) {
    this.name = data.view;
    this.memory = rememberedView(data.view);
    this.report = () => {};
    this.tree = null;
    this.sequence = null;
    this.state = { selected: -1, position: 0, hand: [] };
    this.isDragging = this.isFollowing = false;
    this.frameTimes = [];
    this.mountMs = null;
    this.root = document.createElement("div");
    this.root.className = "tv-root";
    parentElement.append(this.root);
    this.stage = makeStage(this.addPart("tv-stage-host"), this.stageHooks());
    this.panel = null;
    exposeView(this);
  }

  addPart(className) {
    const part = document.createElement("div");
    part.className = className;
    this.root.append(part);
    return part;
  }

  stageHooks() {
    return {
      onSelect: (id) => this.change({ selected: id }),
      onHand: (op, id) => this.change({ hand: [...this.state.hand, [op, id]] }),
      onStep: (steps) => this.panel?.step(steps),
      onFrame: (milliseconds) => this.noteFrame(milliseconds),
      onLook: () => this.leadLook(),
    };
  }

  panelHooks() {
    return {
      onMove: (position, { dragging }) => this.move(position, dragging),
      onSettle: (position) => this.settle(position),
      onSelect: (id) => this.change({ selected: id }),
      onUndo: () => this.change({ hand: this.state.hand.slice(0, -1) }),
      onClearHand: () => this.change({ hand: [] }),
    };
  }

  /** New data or another theme. */
  update(data) {
    this.data = data;
    this.root.style.setProperty("--tv-height", `${data.height}px`);
    this.applyLook();
    this.showPacks();
    if (!this.tree) return;
    this.showOptions();
    this.applyAnswer();
  }

  /** Take the packs that the data name from the shelf, once they are there. */
  showPacks() {
    const { tree: treeSig, sequence: sequenceSig } = this.data;
    const tree = packShelf.get(treeSig);
    const sequence = sequenceSig === null ? null : packShelf.get(sequenceSig);
    if (!tree || sequence === undefined) return;
    const started = performance.now();
    const [isNewTree, isNewSequence] = [tree !== this.tree, sequence !== this.sequence];
    if (!isNewTree && !isNewSequence) return;
    if (isNewTree) this.takeTree(tree);
    if (isNewTree || isNewSequence) this.takeSequence(sequence);
    this.takeState(this.isDragging ? this.state : this.data.state);
    this.noteAnswer();
    this.mountMs = performance.now() - started + (tree.openedIn ?? 0);
  }

  takeTree(tree) {
    if (this.tree) this.memory.stages.set(this.tree.sig, this.stage.memory());
    this.tree = tree;
    this.shape = new Uint8Array(tree.n);
    const remembered = this.memory.stages.get(tree.sig);
    if (remembered) this.stage.remember(remembered);
    else if (this.data.sequence === null) this.stage.scene.isTrimmed = true;
    this.stage.setTree(tree);
    this.showOptions();
  }

  showOptions() {
    const { by_hand: showHand, sequence, state } = this.data;
    this.stage.setOptions({ showHand, isPruned: sequence !== null || state.hand.length > 0 });
  }

  takeSequence(sequence) {
    this.sequence = sequence;
    if (sequence && !this.panel) {
      this.panel = makePanel(this.addPart("tv-panel-host"), this.panelHooks());
      this.applyLook();
    }
    this.stage.setSequence(sequence);
    if (sequence) this.panel.setSequence(sequence, this.tree);
  }

  /** Python's state, unless the reader has gone on since. */
  applyAnswer() {
    const { echo, state } = this.data;
    if (echo === this.memory.sent && !this.isDragging) this.takeState(state);
    else this.showRule();
    this.noteAnswer();
  }

  /** Write on the root which report Python has answered, and the position that it holds to be true. */
  noteAnswer() {
    this.root.dataset.settled = String(this.data.state.position);
    this.root.dataset.echo = String(this.data.echo);
  }

  takeState(state) {
    const revealed = state.selected !== this.state.selected;
    this.state = { selected: state.selected, position: state.position, hand: state.hand };
    this.stage.setWays(this.data.ways);
    this.stage.setSelected(state.selected, { reveal: revealed });
    this.showRule();
    this.panel?.setPosition(this.state.position);
    this.showPosition();
  }

  move(position, dragging) {
    this.isDragging = dragging;
    if (dragging) this.stage.busy(true);
    this.state.position = position;
    this.showPosition();
  }

  settle(position) {
    this.isDragging = false;
    this.stage.busy(false);
    this.change({ position });
  }

  /** Something that the reader did: show it at once, and report it. */
  change(changes) {
    this.state = { ...this.state, ...changes };
    if ("selected" in changes) {
      this.stage.setSelected(this.state.selected, { reveal: false });
      this.showRule();
      for (const other of linkedWith(this, liveViews)) other.followSelection(this);
    }
    this.showPosition();
    this.memory.sent += 1;
    this.report({ number: this.memory.sent, ...this.state });
  }

  /** Another view has chosen a node: choose its counterpart. Python, which hears of the choice, finds it alike. */
  followSelection(leader) {
    const node = counterpart(leader.tree, leader.state.selected, this.tree);
    if (node < 0) return;
    this.state = { ...this.state, selected: node };
    this.stage.setSelected(node, { reveal: true });
    this.showRule();
    this.showPosition();
  }

  /** The reader has panned or zoomed: the linked views move along, without leading in turn. */
  leadLook() {
    if (this.isFollowing || !this.data?.link?.moves) return;
    for (const other of linkedWith(this, liveViews)) {
      other.isFollowing = true;
      lookAlike(other.stage, this.stage);
      other.isFollowing = false;
    }
  }

  /** The selected node's rule; none until Python has worded it. */
  showRule() {
    this.stage.setRule(this.data.rule_of === this.state.selected ? this.data.rule : "");
  }

  showPosition() {
    const { position, hand } = this.state;
    shapeAt(this.tree, this.sequence, position, hand, this.shape);
    const links = hand.length ? new Int32Array(0) : nextLinks(this.tree, this.sequence, position, this.shape);
    this.stage.setShape(this.shape, links);
    this.root.dataset.position = String(position);
    this.root.dataset.selected = String(this.state.selected);
    if (!this.sequence) return;
    this.stage.setFocusMark(this.sequence.focus(position));
    this.panel.setLinks(links);
    this.panel.setHand(hand, hand.length ? scoreOf(this.tree, this.sequence, this.shape) : null);
  }

  applyLook() {
    const look = { ...readLook(this.root, this.data.look), range: this.data.range };
    this.stage.setLook(look);
    this.panel?.setLook(look);
  }

  noteFrame(milliseconds) {
    if (this.frameTimes.length === FRAMES_KEPT) this.frameTimes.shift();
    this.frameTimes.push(milliseconds);
  }

  position() {
    return this.state.position;
  }

  /** Where a node stands in the window, in pixels. */
  placeOf(node) {
    const { left, top } = this.stage.canvas.getBoundingClientRect();
    const { x, y } = outlineOf(this.stage.scene, node);
    return { x: left + x, y: top + y };
  }

  openLeaves() {
    return this.tree ? scoreOf(this.tree, null, this.shape).leaves : 0;
  }

  destroy() {
    if (this.tree) this.memory.stages.set(this.tree.sig, this.stage.memory());
    liveViews.delete(this);
    this.stage.destroy();
    this.panel?.destroy();
    if (globalThis.decisionTreeViews.get(this.name) === this) globalThis.decisionTreeViews.delete(this.name);
  }
}

/** The colours in force: Streamlit's variables, and the palette that suits the page's brightness. */
function readLook(root, palettes) {
  const style = getComputedStyle(root);
  const colour = (name) => style.getPropertyValue(`--st-${name}`).trim();
  const background = colour("background-color") || "#ffffff";
  const dark = brightness(background) < 0.5;
  const palette = dark ? palettes.dark : palettes.light;
  return {
    dark,
    classes: palette.classes,
    means: palette.means,
    font: colour("font") || "system-ui, sans-serif",
    text: colour("text-color"),
    quiet: palette.quiet,
    background,
    panel: colour("secondary-background-color"),
    border: colour("border-color"),
    primary: palette.accent,
  };
}

/** Brightness of an opaque colour, 0 to 1; a canvas reads any notation and gives it back as #rrggbb. */
function brightness(colour) {
  const context = document.createElement("canvas").getContext("2d");
  context.fillStyle = colour;
  const [red, green, blue] = [1, 3, 5].map((at) => parseInt(context.fillStyle.slice(at, at + 2), 16) / 255);
  return 0.299 * red + 0.587 * green + 0.114 * blue;
}

/** Let tests and benchmarks read what a view shows. */
function exposeView(view) {
  globalThis.decisionTreeViews ??= new Map();
  globalThis.decisionTreeViews.set(view.name, view);
}
