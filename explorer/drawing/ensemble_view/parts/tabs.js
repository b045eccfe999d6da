// The main picture, chosen by tabs: the fit over one feature, the regions over two, the rows and their weights, the members.

import { makeFitChart } from "../draw/fit_chart.js";
import { makeMemberCards } from "../draw/member_cards.js";
import { makeRegionMap } from "../draw/region_map.js";
import { makeRowDots } from "../draw/row_dots.js";
import { makeVoteChart } from "../draw/vote_chart.js";
import { classSign } from "../../charts/swatches.js";
import { makeElement } from "../../tree_view/dom.js";
import { ellipsis, visibleText } from "../../tree_view/format.js";
import { say } from "../../tree_view/messages.js";

const MOST_CLASS_NAMES = 10;
const TABS = [
  { tab: "fit", name: () => say("Fit"), has: ({ scatter, voteLine }) => scatter || voteLine, make: (hooks, { scatter }) => (scatter ? makeFitChart(hooks) : makeVoteChart(hooks)) },
  { tab: "regions", name: () => say("Regions"), has: ({ regions }) => regions, make: makeRegionMap },
  { tab: "rows", name: ({ weights }) => (weights.areDrawn ? say("Rows drawn") : say("Row weights")), has: ({ weights }) => weights && !weights.isEven, make: makeRowDots },
  { tab: "members", name: () => say("Members"), has: ({ members }) => members.n > 0, make: makeMemberCards },
];

/** The pictures that can be drawn, in the order of their tabs; the trees tell more than weights that answer no error. */
function tabsOf(picture) {
  const tabs = TABS.filter(({ has }) => has(picture)).map(({ tab }) => tab);
  return picture.weights?.areDrawn || picture.hasNumericMembers ? [...tabs.filter((tab) => tab !== "rows"), ...tabs.filter((tab) => tab === "rows")] : tabs;
}

/** hooks: {onTab(tab), onRow(row), onMember(m)}. */
export function makeTabs(hooks) {
  return new Tabs(hooks);
}

class Tabs {
  constructor(hooks) {
    this.hooks = hooks;
    [this.open, this.stage, this.row, this.member, this.theme] = ["", 0, -1, -1, null];
    [this.charts, this.buttons] = [new Map(), new Map()];
    this.list = makeElement("div", "ev-tabs", { role: "tablist", "aria-label": say("Pictures of the ensemble") });
    this.list.addEventListener("keydown", (event) => this.keyDown(event));
    this.panel = makeElement("div", "ev-picture", { role: "tabpanel" });
    this.legend = makeElement("span", "ev-classes");
    this.method = makeElement("span", "ev-method");
    this.element = makeElement("div", "ev-main", {}, [makeElement("div", "ev-head", {}, [this.list, this.legend, this.method]), this.panel]);
  }

  set(picture) {
    for (const chart of this.charts.values()) chart.destroy();
    this.charts.clear();
    this.buttons.clear();
    this.picture = picture;
    this.method.textContent = picture.method;
    for (const tab of tabsOf(picture)) this.buttons.set(tab, this.button(tab));
    this.list.replaceChildren(...this.buttons.values());
    this.open = "";
    this.writeLegend();
  }

  button(tab) {
    const { name } = TABS.find((entry) => entry.tab === tab);
    const button = makeElement("button", "ev-tab", { type: "button", role: "tab", "data-tab": tab }, [name(this.picture)]);
    button.addEventListener("click", () => this.hooks.onTab(tab));
    return button;
  }

  /** Open a picture, the first one if it has no such tab; each is made when it is first opened. */
  show(wanted) {
    const tab = this.buttons.has(wanted) ? wanted : (this.buttons.keys().next().value ?? "");
    if (tab === this.open) return;
    this.open = tab;
    for (const [name, button] of this.buttons) {
      button.setAttribute("aria-selected", String(name === tab));
      button.tabIndex = name === tab ? 0 : -1;
    }
    if (!tab) return;
    const chart = this.chartOf(tab);
    this.panel.replaceChildren(chart.element);
    this.panel.setAttribute("aria-label", this.buttons.get(tab).textContent);
    chart.setRow(this.row);
    chart.setStage(this.stage);
    chart.describe();
  }

  chartOf(tab) {
    if (!this.charts.has(tab)) {
      const chart = TABS.find((entry) => entry.tab === tab).make(this.hooks, this.picture);
      chart.set(this.picture);
      if (this.theme) chart.setTheme(this.theme);
      chart.setMember?.(this.member);
      this.charts.set(tab, chart);
    }
    return this.charts.get(tab);
  }

  shown() {
    return this.charts.get(this.open) ?? null;
  }

  setStage(stage) {
    this.stage = stage;
    this.shown()?.setStage(stage);
  }

  setRow(row) {
    this.row = row;
    this.shown()?.setRow(row);
  }

  setMember(m) {
    this.member = m;
    this.charts.get("members")?.setMember(m);
  }

  /** The classes with their shapes and colours; those without room are left out, and named on hover. */
  writeLegend() {
    if (!this.theme || !this.picture) return;
    const names = this.picture.classes.slice(0, MOST_CLASS_NAMES).map((name) => visibleText(ellipsis(name, 24)));
    const entries = names.map((name, code) => makeElement("span", "ev-class", { title: name }, [classSign(this.theme, code, 11), name]));
    if (this.picture.classes.length > names.length) entries.push(say("+{count} more", { count: this.picture.classes.length - names.length }));
    this.legend.replaceChildren(...entries);
    this.legend.title = this.picture.classes.map((name) => visibleText(name)).join(", ");
  }

  setTheme(theme) {
    this.theme = theme;
    this.writeLegend();
    for (const chart of this.charts.values()) chart.setTheme(theme);
  }


  describe() {
    this.shown()?.describe();
  }

  /** Arrow keys move between the tabs, as in every list of tabs. */
  keyDown(event) {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (by === undefined) return;
    const names = [...this.buttons.keys()];
    const next = names[(names.indexOf(this.open) + by + names.length) % names.length];
    this.hooks.onTab(next);
    this.buttons.get(next).focus();
    event.preventDefault();
    event.stopPropagation();
  }

  destroy() {
    for (const chart of this.charts.values()) chart.destroy();
  }
}
