// The row of tools above the tree. It holds no state of the tree: it calls `act`, and `show` sets what it displays.

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
  /** `act` has layout, zoom, fit, depth, search, step, filter, ghosts, hand, ids, cuts, stability, picture and whole. */
  constructor(host, act) {
    this.act = act;
    this.element = makeElement("div", "tv-toolbar", { role: "group", "aria-label": say("Tools of the tree view") });
    this.buildLayouts();
    this.buildZoom();
    this.buildDepth();
    this.buildSearch();
    this.buildFilter();
    this.buildPruning();
    this.buildRest();
    [this.isNarrow, this.isNarrowest] = [false, false];
    this.placeTools();
    host.append(this.element);
    this.observer = new ResizeObserver(([entry]) => this.setRoom(entry.contentRect.width));
    this.observer.observe(host);
  }

  destroy() {
    clearTimeout(this.searchTimer);
    this.observer.disconnect();
  }

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

  group(label, ...items) {
    const group = makeElement("div", "tv-group", { role: "group", "aria-label": label }, items);
    this.element.append(group);
    return group;
  }

  buildLayouts() {
    this.layouts = layoutNames().map(([mode, label]) => {
      const button = iconButton(mode, label, () => this.act.layout(mode));
      button.dataset.mode = mode;
      return button;
    });
    this.graphviz = this.layouts.at(-1);
    this.layoutGroup = this.group(say("Layout"), ...this.layouts);
    this.layoutGroup.classList.add("tv-segments");
  }

  buildZoom() {
    this.zoomOut = iconButton("zoomOut", say("Zoom out (−)"), () => this.act.zoom(1 / 1.4));
    this.zoomIn = iconButton("zoomIn", say("Zoom in (+)"), () => this.act.zoom(1.4));
    this.whole = iconButton("fit", say("Show the whole tree (0)"), () => this.act.fit());
    this.zoomGroup = this.group(say("Zoom"), this.zoomOut, this.zoomIn, this.whole);
    this.zoomGroup.classList.add("tv-segments");
  }

  buildDepth() {
    this.depth = makeElement("select", "tv-select tv-depth", { title: say("Number of levels shown"), "aria-label": say("Depth") });
    this.depth.addEventListener("change", () => this.act.depth(Number(this.depth.value || Infinity)));
    const name = textElement("span", "tv-field-name", say("Depth"));
    this.depthField = makeElement("label", "tv-field tv-depth-field", {}, [name, this.depth]);
    this.element.append(this.depthField);
  }

  buildSearch() {
    const label = say("Find nodes by feature, value, class or #id");
    this.search = makeElement("input", "tv-search", { type: "search", placeholder: say("Find"), title: label, "aria-label": label });
    this.search.addEventListener("input", () => this.noteSearch());
    this.search.addEventListener("keydown", (event) => this.searchKey(event));
    this.matchCount = makeElement("span", "tv-match-count", { role: "status" });
    const before = iconButton("before", say("Previous match (Shift+Enter)"), () => this.act.step(-1));
    const after = iconButton("after", say("Next match (Enter)"), () => this.act.step(1));
    this.steps = makeElement("span", "tv-steps", {}, [this.matchCount, before, after]);
    this.findButton = iconButton("find", say("Find nodes (/)"), () => this.openSearch());
    const close = iconButton("close", say("Close the field for finding nodes (Escape)"), () => this.leaveSearch());
    close.classList.add("tv-close-find");
    this.find = this.group(say("Find"), this.search, this.steps, close);
    this.find.classList.add("tv-find");
    this.find.before(this.findButton);
    this.find.addEventListener("focusout", ({ relatedTarget }) => {
      if (this.isNarrow && relatedTarget && !this.find.contains(relatedTarget)) this.showSearch(false);
    });
    this.showMatches(-1, 0);
  }

  /** Show or hide the field for finding; over a narrow row of tools it covers them while it is open. */
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

  buildFilter() {
    this.filter = new FilterPanel(this.element, (filter) => this.act.filter(filter));
    this.element.append(this.filter.button);
  }

  buildPruning() {
    this.hand = iconButton("hand", say("Manual pruning"), () => this.act.hand());
    this.ghosts = iconButton("ghosts", say("Show pruned branches"), () => this.act.ghosts());
    this.group(say("Pruning"), this.hand, this.ghosts);
  }

  buildRest() {
    this.more = iconButton("more", say("More tools"), () => {});
    this.menu = new Popover(this.element, this.more, "tv-menu");
    this.menuZoom = makeElement("div", "tv-field tv-menu-zoom", { role: "group", "aria-label": say("Zoom") }, [textElement("span", "tv-field-name", say("Zoom"))]);
    this.ids = this.menuItem(say("Show node ids"), () => this.act.ids());
    this.cuts = this.menuItem(say("Mark where the best and the 1-SE tree are cut (★, ◇)"), () => this.act.cuts());
    this.stability = this.menuItem(say("Show how stable the nodes are"), () => this.act.stability());
    this.picture = this.menuItem(say("Save the view as a picture (PNG)"), () => this.act.picture());
    this.group(say("More"), this.more, iconButton("whole", say("Full screen (F)"), () => this.act.whole())).classList.add("tv-last");
  }

  menuItem(label, onClick) {
    const item = makeElement("button", "tv-menu-item", { type: "button" }, [label]);
    item.addEventListener("click", onClick);
    this.menu.panel.append(item);
    return item;
  }

  setClasses(classes) {
    this.filter.setClasses(classes);
  }

  /** Show the state of the view in the tools. */
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

  /** Graphviz stays in the row where it can't draw the tree; its tooltip says why. */
  showGraphviz({ hasGraphviz, graphvizLimit }) {
    setShown(this.graphviz, hasGraphviz);
    nameButton(this.graphviz, graphvizLimit === "" ? say("Graphviz") : graphvizLimit);
    this.graphviz.setAttribute("aria-disabled", String(graphvizLimit !== ""));
  }

  showDepth(limit, deepest) {
    if (this.depth.options.length !== Math.max(1, deepest)) {
      const levels = Array.from({ length: Math.max(0, deepest - 1) }, (_, i) => i + 1);
      const choices = levels.map((level) => makeElement("option", "", { value: level }, [sayCount(level, "{n} level", "{n} levels")]));
      this.depth.replaceChildren(makeElement("option", "", { value: "" }, [say("all levels")]), ...choices);
    }
    this.depth.value = Number.isFinite(limit) ? String(limit) : "";
  }

  /** How many matches there are, and which of them is selected. */
  showMatches(at, count) {
    const isSearching = this.search.value.trim() !== "";
    setShown(this.steps, isSearching);
    this.findButton.setAttribute("aria-pressed", String(isSearching));
    this.matchCount.textContent = matchText(at, count);
  }
}

function matchText(at, count) {
  if (count === 0) return say("none found");
  return at < 0 ? sayCount(count, "{n} found", "{n} found") : say("{number} of {count}", { number: at + 1, count });
}

function showToggle(button, isShown, isOn) {
  setShown(button, isShown);
  button.setAttribute("aria-pressed", String(isOn));
}
