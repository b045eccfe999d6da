// The row of tools above the tree. It holds no state of the tree: it calls `act`, and `show` sets what it displays.

import { iconOf } from "./icons.js";
import { textElement } from "../dom.js";

const DIRECTIONS = [
  ["down", "Top down"],
  ["right", "Left to right"],
  ["icicle", "Icicle: bars as long as their rows"],
  ["text", "Text"],
];
const SEARCH_PAUSE = 150;

export class Toolbar {
  /** `act` has direction, zoom, fit, depth, search, step, filter, ids, trim, hand, picture and whole. */
  constructor(host, act) {
    this.act = act;
    this.element = textElement("div", "tv-toolbar");
    this.element.setAttribute("role", "group");
    this.element.setAttribute("aria-label", "Tools of the tree view");
    this.buildDirections();
    this.buildZoom();
    this.buildDepth();
    this.buildSearch();
    this.buildFilter();
    this.buildHand();
    this.buildRest();
    host.append(this.element);
  }

  group(label, ...items) {
    const group = textElement("div", "tv-group");
    group.setAttribute("role", "group");
    group.setAttribute("aria-label", label);
    group.append(...items);
    this.element.append(group);
    return group;
  }

  button(icon, label, onClick) {
    const button = textElement("button", "tv-tool");
    button.type = "button";
    button.title = label;
    button.setAttribute("aria-label", label);
    button.append(iconOf(icon));
    button.addEventListener("click", onClick);
    return button;
  }

  buildDirections() {
    this.directions = DIRECTIONS.map(([mode, label]) => {
      const button = this.button(mode, label, () => this.act.direction(mode));
      button.dataset.mode = mode;
      return button;
    });
    this.group("Direction", ...this.directions);
  }

  buildZoom() {
    this.zoomGroup = this.group(
      "Zoom",
      this.button("zoomOut", "Zoom out (−)", () => this.act.zoom(1 / 1.4)),
      this.button("zoomIn", "Zoom in (+)", () => this.act.zoom(1.4)),
      this.button("fit", "Show the whole tree (0)", () => this.act.fit()),
    );
  }

  buildDepth() {
    const label = textElement("label", "tv-field", "Depth");
    this.depth = textElement("select", "tv-select");
    this.depth.title = "How many levels are shown";
    this.depth.addEventListener("change", () => this.act.depth(Number(this.depth.value || Infinity)));
    label.append(this.depth);
    this.element.append(label);
  }

  buildSearch() {
    this.search = textElement("input", "tv-search");
    this.search.type = "search";
    this.search.placeholder = "Find a feature, value, label or #id";
    this.search.setAttribute("aria-label", "Find nodes by feature, value, label or id");
    this.search.addEventListener("input", () => this.noteSearch());
    this.search.addEventListener("keydown", (event) => this.searchKey(event));
    this.matchCount = textElement("span", "tv-match-count");
    this.matchCount.setAttribute("role", "status");
    const before = this.button("before", "Previous match", () => this.act.step(-1));
    const after = this.button("after", "Next match (Enter)", () => this.act.step(1));
    this.steps = textElement("span", "tv-steps");
    this.steps.append(this.matchCount, before, after);
    const group = this.group("Find", this.search, this.steps);
    group.classList.add("tv-find");
    this.showMatches(-1, 0);
  }

  noteSearch() {
    clearTimeout(this.searchTimer);
    this.searchTimer = setTimeout(() => this.act.search(this.search.value), SEARCH_PAUSE);
  }

  searchKey(event) {
    event.stopPropagation();
    if (event.key !== "Enter" && event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    clearTimeout(this.searchTimer);
    this.act.search(this.search.value);
    this.act.step(event.key === "ArrowUp" || event.shiftKey ? -1 : 1);
  }

  buildFilter() {
    const turn = () => this.openFilter(this.filterPanel.hidden);
    this.filterButton = this.button("filter", "Filter: dim small or mixed nodes", turn);
    this.filterButton.setAttribute("aria-expanded", "false");
    this.filterPanel = textElement("div", "tv-popover");
    this.filterPanel.hidden = true;
    this.minRows = this.numberField("Rows at least", { min: 0, step: 1 });
    this.minPurity = this.numberField("Purity at least, %", { min: 0, max: 100, step: 5 });
    const clear = textElement("button", "tv-button", "Clear");
    clear.type = "button";
    clear.addEventListener("click", () => this.clearFilter());
    this.filterPanel.append(clear);
    this.filterPanel.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Escape") this.openFilter(false);
    });
    this.group("Filter", this.filterButton);
    this.element.append(this.filterPanel);
  }

  numberField(name, limits) {
    const label = textElement("label", "tv-field", name);
    const input = textElement("input", "tv-number-input");
    Object.assign(input, { type: "number", ...limits });
    input.addEventListener("input", () => this.reportFilter());
    label.append(input);
    this.filterPanel.append(label);
    return input;
  }

  openFilter(isOpen) {
    this.filterPanel.hidden = !isOpen;
    this.filterButton.setAttribute("aria-expanded", String(isOpen));
    if (isOpen) this.placeFilter();
    (isOpen ? this.minRows : this.filterButton).focus();
  }

  /** Under its button, but never past the end of the row. */
  placeFilter() {
    const { filterPanel: panel, filterButton: button, element } = this;
    panel.style.left = `${Math.max(0, Math.min(button.offsetLeft, element.clientWidth - panel.offsetWidth))}px`;
    panel.style.top = `${button.offsetTop + button.offsetHeight + 6}px`;
  }

  clearFilter() {
    this.minRows.value = this.minPurity.value = "";
    this.reportFilter();
  }

  fillFilter({ minRows, minPurity }) {
    this.minRows.value = minRows || "";
    this.minPurity.value = minPurity ? Math.round(minPurity * 100) : "";
  }

  reportFilter() {
    this.act.filter({ minRows: Number(this.minRows.value) || 0, minPurity: (Number(this.minPurity.value) || 0) / 100 });
  }

  buildHand() {
    this.hand = this.button("hand", "Prune by hand", () => this.act.hand());
    this.hand.append(textElement("span", "", "Prune by hand"));
    this.hand.classList.add("tv-worded");
    this.handGroup = this.group("By hand", this.hand);
  }

  buildRest() {
    this.ids = this.button("id", "Show node ids", () => this.act.ids());
    this.trim = this.button("trim", "Show only what is left, without the pruned branches", () => this.act.trim());
    this.group(
      "Show and save",
      this.trim,
      this.ids,
      this.button("picture", "Save what is seen as a picture (PNG)", () => this.act.picture()),
      this.button("whole", "Full screen", () => this.act.whole()),
    );
  }

  /** Show the state of the view in the tools. */
  show({ mode, showHand, isHand, isPruned, isTrimmed, showIds, filter, depthLimit, maxDepth }) {
    for (const button of this.directions) button.setAttribute("aria-pressed", String(button.dataset.mode === mode));
    for (const button of this.zoomGroup.children) button.disabled = mode === "text";
    this.handGroup.hidden = !showHand;
    this.hand.setAttribute("aria-pressed", String(isHand));
    this.ids.setAttribute("aria-pressed", String(showIds));
    this.trim.hidden = !isPruned;
    this.trim.setAttribute("aria-pressed", String(isTrimmed));
    this.filterButton.setAttribute("aria-pressed", String(filter.minRows > 0 || filter.minPurity > 0));
    if (this.filterPanel.hidden) this.fillFilter(filter);
    this.showDepth(depthLimit, maxDepth);
  }

  showDepth(limit, deepest) {
    if (this.depth.options.length !== Math.max(1, deepest)) {
      const choices = Array.from({ length: Math.max(0, deepest - 1) }, (_, i) => String(i + 1));
      this.depth.replaceChildren(...["", ...choices].map((value) => depthChoice(value)));
    }
    this.depth.value = Number.isFinite(limit) ? String(limit) : "";
  }

  /** How many matches there are, and which of them is selected. */
  showMatches(at, count) {
    const isSearching = this.search.value.trim() !== "";
    this.steps.hidden = !isSearching;
    if (count === 0) this.matchCount.textContent = "none";
    else this.matchCount.textContent = at < 0 ? `${count} found` : `${at + 1} of ${count}`;
  }
}

function depthChoice(value) {
  const choice = textElement("option", "", value === "" ? "All" : value);
  choice.value = value;
  return choice;
}
