// The row of tools above the tree. It holds no state of the tree: it calls `act`, and `show` sets what it displays.

/** @typedef {import("./stage.js").Actions} Actions */
/** @typedef {import("./choices.js").ToolState} ToolState */

import { FilterPanel } from "./filter_panel.js";
import { iconButton, nameButton, Popover } from "./popover.js";
import { makeElement, setShown, textElement } from "../dom.js";
import { say, sayCount } from "../messages.js";

const SEARCH_PAUSE = 150;
const LEAST_ROW = 600; // of the stage, for all tools in one row; below it the rarer ones go into the menu "More tools"
const LEAST_LAYOUTS = 290; // of the stage, for the layouts beside the others; below it they go into the menu too

/** The layouts in the order of their buttons, with their names. */
function layoutNames() {
  return [
    ["down", say("Top-down")],
    ["right", say("Left to right")],
    ["icicle", say("Icicle: bars as long as their rows")],
    ["text", say("Indented text")],
    ["graphviz", say("Graphviz")],
  ];
}

export class Toolbar {
  element = makeElement("div", "tv-toolbar", { role: "group", "aria-label": say("Tools of the tree view") });
  isNarrow = false;
  isNarrowest = false;

  layouts = layoutNames().map(([mode, label]) => {
    const button = iconButton(mode, label, () => this.act.layout(mode));
    button.dataset.mode = mode;
    return button;
  });
  layoutGroup = this.group(say("Layout"), ...this.layouts);

  zoomOut = iconButton("zoomOut", say("Zoom out (−)"), () => this.act.zoom(1 / 1.4));
  zoomIn = iconButton("zoomIn", say("Zoom in (+)"), () => this.act.zoom(1.4));
  whole = iconButton("fit", say("Show the whole tree (0)"), () => this.act.fit());
  zoomGroup = this.group(say("Zoom"), this.zoomOut, this.zoomIn, this.whole);

  depth = makeElement("select", "tv-select tv-depth", { title: say("Number of levels shown"), "aria-label": say("Depth") });
  depthField = this.add(makeElement("label", "tv-field tv-depth-field", {}, [textElement("span", "tv-field-name", say("Depth")), this.depth]));

  search = makeElement("input", "tv-search", { type: "search", placeholder: say("Find") });
  matchCount = makeElement("span", "tv-match-count", { role: "status" });
  steps = makeElement("span", "tv-steps", {}, [
    this.matchCount,
    iconButton("before", say("Previous match (Shift+Enter)"), () => this.act.step(-1)),
    iconButton("after", say("Next match (Enter)"), () => this.act.step(1)),
  ]);
  findButton = this.add(iconButton("find", say("Find nodes (/)"), () => this.openSearch()));
  closeFind = iconButton("close", say("Close the field for finding nodes (Escape)"), () => this.leaveSearch());
  find = this.group(say("Find"), this.search, this.steps, this.closeFind);

  filter = new FilterPanel(this.element, (filter) => this.act.filter(filter));

  hand = iconButton("hand", say("Manual pruning"), () => this.act.hand());
  ghosts = iconButton("ghosts", say("Show pruned branches"), () => this.act.ghosts());
  pruningGroup = this.group(say("Pruning"), this.hand, this.ghosts);

  more = iconButton("more", say("More tools"), () => {});
  menu = new Popover(this.element, this.more, "tv-menu");
  menuZoom = makeElement("div", "tv-field tv-menu-zoom", { role: "group", "aria-label": say("Zoom") }, [textElement("span", "tv-field-name", say("Zoom"))]);
  ids = this.menuItem(say("Show node ids"), () => this.act.ids());
  cuts = this.menuItem(say("Mark where the best and the 1-SE tree are cut (★, ◇)"), () => this.act.cuts());
  stability = this.menuItem(say("Show how stable the nodes are"), () => this.act.stability());
  picture = this.menuItem(say("Save the view as a picture (PNG)"), () => this.act.picture());
  lastGroup = this.group(say("More"), this.more, iconButton("whole", say("Full screen (F)"), () => this.act.whole()));

  /** @param {HTMLElement} host @param {Actions} act */
  constructor(host, act) {
    this.act = act;
    this.layoutGroup.classList.add("tv-segments");
    this.zoomGroup.classList.add("tv-segments");
    this.lastGroup.classList.add("tv-last");
    this.depth.addEventListener("change", () => act.depth(Number(this.depth.value || Infinity)));
    this.listenToSearch();
    this.showMatches(-1, 0);
    this.placeTools();
    host.append(this.element);
    this.observer = new ResizeObserver(([entry]) => this.setRoom(entry.contentRect.width));
    this.observer.observe(host);
  }

  destroy() {
    clearTimeout(this.searchTimer);
    this.observer.disconnect();
  }

  /** @param {number} width */
  setRoom(width) {
    const [isNarrow, isNarrowest] = [width < LEAST_ROW, width < LEAST_LAYOUTS];
    if (this.isNarrow === isNarrow && this.isNarrowest === isNarrowest) return;
    Object.assign(this, { isNarrow, isNarrowest });
    this.placeTools();
  }

  /** All tools in the row; or zoom and depth in the menu, and the field for finding behind a button; or layouts there too. */
  placeTools() {
    const { isNarrow, isNarrowest } = this;
    if (isNarrowest) this.menu.panel.prepend(this.layoutGroup);
    else this.element.prepend(this.layoutGroup);
    this.element.classList.toggle("tv-narrow", isNarrow);
    if (isNarrow) this.menu.panel.prepend(this.menuZoom, this.depthField);
    else this.zoomGroup.after(this.depthField);
    if (isNarrow) this.menuZoom.append(this.zoomOut, this.zoomIn);
    else this.zoomGroup.prepend(this.zoomOut, this.zoomIn);
    setShown(this.menuZoom, isNarrow);
    setShown(this.findButton, isNarrow);
    this.showSearch(!isNarrow);
  }

  /** @template {HTMLElement} Tool @param {Tool} tool */
  add(tool) {
    this.element.append(tool);
    return tool;
  }

  /** @param {string} label @param {...HTMLElement} items */
  group(label, ...items) {
    return this.add(makeElement("div", "tv-group", { role: "group", "aria-label": label }, items));
  }

  listenToSearch() {
    const label = say("Find nodes by feature, value, class or #id");
    this.search.title = label;
    this.search.setAttribute("aria-label", label);
    this.search.addEventListener("input", () => this.noteSearch());
    this.search.addEventListener("keydown", (event) => this.searchKey(event));
    this.closeFind.classList.add("tv-close-find");
    this.find.classList.add("tv-find");
    this.find.addEventListener("focusout", ({ relatedTarget }) => {
      if (this.isNarrow && relatedTarget instanceof Node && !this.find.contains(relatedTarget)) this.showSearch(false);
    });
  }

  /** Show or hide the field for finding; over a narrow row of tools it covers them while it is open. @param {boolean} isOpen */
  showSearch(isOpen) {
    setShown(this.find, isOpen);
    this.findButton.setAttribute("aria-expanded", String(isOpen));
  }

  openSearch() {
    this.showSearch(true);
    this.search.focus();
  }

  leaveSearch() {
    this.findButton.focus();
    this.showSearch(false);
  }

  noteSearch() {
    clearTimeout(this.searchTimer);
    this.searchTimer = setTimeout(() => this.act.search(this.search.value), SEARCH_PAUSE);
  }

  /** @param {KeyboardEvent} event */
  searchKey(event) {
    event.stopPropagation();
    if (event.key === "Escape" && this.isNarrow && this.search.value === "") return this.leaveSearch();
    if (event.key !== "Enter" && event.key !== "ArrowDown" && event.key !== "ArrowUp") return undefined;
    event.preventDefault();
    clearTimeout(this.searchTimer);
    this.act.search(this.search.value);
    this.act.step(event.key === "ArrowUp" || event.shiftKey ? -1 : 1);
    return undefined;
  }

  /** @param {string} label @param {() => void} onClick */
  menuItem(label, onClick) {
    const item = makeElement("button", "tv-menu-item", { type: "button" }, [label]);
    item.addEventListener("click", onClick);
    this.menu.panel.append(item);
    return item;
  }

  /** @param {string[]} classes */
  setClasses(classes) {
    this.filter.setClasses(classes);
  }

  /** Show the state of the view in the tools. @param {ToolState} view */
  show(view) {
    const isCanvas = view.mode !== "text" && view.mode !== "graphviz";
    for (const button of this.layouts) button.setAttribute("aria-pressed", String(button.dataset.mode === view.mode));
    for (const button of [this.zoomOut, this.zoomIn, this.whole]) button.disabled = !isCanvas;
    this.showGraphviz(view);
    showToggle(this.hand, view.showHand, view.isHand);
    showToggle(this.ghosts, view.isPruned, view.showsGhosts);
    showToggle(this.ids, true, view.showIds);
    showToggle(this.cuts, view.hasCuts, view.showsCuts);
    showToggle(this.stability, view.hasStability, view.showsStability);
    this.picture.disabled = !isCanvas;
    this.filter.show(view.filter);
    this.showDepth(view.depthLimit, view.maxDepth);
  }

  /** Graphviz stays in the row where it can't draw the tree; its tooltip says why. @param {ToolState} toolState */
  showGraphviz({ hasGraphviz, graphvizLimit }) {
    const button = this.layouts[this.layouts.length - 1];
    setShown(button, hasGraphviz);
    nameButton(button, graphvizLimit === "" ? say("Graphviz") : graphvizLimit);
    button.setAttribute("aria-disabled", String(graphvizLimit !== ""));
  }

  /** @param {number} limit @param {number} deepest */
  showDepth(limit, deepest) {
    if (this.depth.options.length !== Math.max(1, deepest)) {
      const levels = Array.from({ length: Math.max(0, deepest - 1) }, (_, i) => i + 1);
      const choices = levels.map((level) => makeElement("option", "", { value: level }, [sayCount(level, "{n} level", "{n} levels")]));
      this.depth.replaceChildren(makeElement("option", "", { value: "" }, [say("all levels")]), ...choices);
    }
    this.depth.value = Number.isFinite(limit) ? String(limit) : "";
  }

  /** How many matches there are, and which of them is selected. @param {number} at @param {number} count */
  showMatches(at, count) {
    const isSearching = this.search.value.trim() !== "";
    setShown(this.steps, isSearching);
    this.findButton.setAttribute("aria-pressed", String(isSearching));
    this.matchCount.textContent = matchText(at, count);
  }
}

/** @param {number} at @param {number} count */
function matchText(at, count) {
  if (count === 0) return say("none found");
  return at < 0 ? sayCount(count, "{n} found", "{n} found") : say("{number} of {count}", { number: at + 1, count });
}

/** @param {HTMLElement} button @param {boolean} isShown @param {boolean} isOn */
function showToggle(button, isShown, isOn) {
  setShown(button, isShown);
  button.setAttribute("aria-pressed", String(isOn));
}
