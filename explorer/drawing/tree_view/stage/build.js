// Builds the parts of the stage and connects their events to its actions.

import { textElement } from "../dom.js";
import { Gestures } from "./gestures.js";
import { Minimap } from "../canvas/minimap.js";
import { toggleFullScreen } from "./keys.js";
import { Outline } from "./outline.js";
import { doubleTapStage, hoverStage, tapStage } from "./pointer.js";
import { savePicture } from "./view_options.js";
import { Toolbar } from "./toolbar.js";

export function buildParts(stage) {
  stage.host.classList.add("tv-stage");
  stage.toolbar = new Toolbar(stage.host, toolActions(stage));
  buildArea(stage);
  buildWords(stage);
  stage.host.append(stage.area, stage.legend, stage.rule, stage.tip);
  stage.minimap = new Minimap(stage.area, (camera) => stage.setCamera(camera));
  stage.outline = new Outline(stage.area, {
    select: (t) => stage.choose(t),
    fold: (t) => stage.fold(t),
    key: (event) => stage.keyDown(event),
  });
}

function buildArea(stage) {
  stage.area = textElement("div", "tv-area");
  stage.view = textElement("div", "tv-view");
  stage.canvas = textElement("canvas", "tv-canvas");
  stage.context = stage.canvas.getContext("2d", { alpha: false });
  stage.item = textElement("div", "tv-hidden");
  stage.status = textElement("div", "tv-status");
  stage.hint = textElement("div", "tv-hint", "Click a split node to collapse it, a closed or faint one to restore it");
  stage.view.append(stage.canvas, stage.item);
  stage.area.append(stage.view, stage.status, stage.hint);
}

function buildWords(stage) {
  stage.tip = textElement("div", "tv-tip");
  stage.tip.hidden = true;
  stage.legend = textElement("div", "tv-classes");
  stage.rule = textElement("p", "tv-rule");
  stage.rule.setAttribute("aria-live", "polite");
}

export function listenToView(stage) {
  const { view, item } = stage;
  item.id = `tv-item-${Math.random().toString(36).slice(2)}`;
  view.tabIndex = 0;
  view.setAttribute("role", "tree");
  view.setAttribute("aria-label", "Decision tree; arrow keys walk it, + and − zoom, 0 shows all of it");
  view.setAttribute("aria-activedescendant", item.id);
  stage.canvas.setAttribute("aria-hidden", "true");
  view.addEventListener("keydown", (event) => stage.keyDown(event));
  view.addEventListener("focus", () => view.classList.add("tv-active"));
  view.addEventListener("blur", () => view.classList.remove("tv-active"));
  stage.gestures = new Gestures(view, {
    tap: (x, y, event) => tapStage(stage, x, y, event),
    double: (x, y) => doubleTapStage(stage, x, y),
    hover: (x, y) => hoverStage(stage, x, y),
    leave: () => hoverStage(stage, NaN, NaN),
    pan: (dx, dy) => stage.pan(dx, dy),
    zoom: (factor, x, y) => stage.zoomAt(factor, x, y),
    end: () => stage.busy(false),
    isFocused: () => view.getRootNode().activeElement === view,
  });
}

function toolActions(stage) {
  return {
    direction: (mode) => stage.setMode(mode),
    zoom: (factor) => stage.zoomAt(factor),
    fit: () => stage.fit(),
    depth: (limit) => stage.relayout(() => (stage.scene.depthLimit = limit)),
    search: (query) => stage.search(query),
    step: (step) => stage.stepMatch(step),
    filter: (filter) => stage.setFilter(filter),
    trim: () => stage.setTrimmed(!stage.scene.isTrimmed),
    ids: () => stage.setIds(!stage.scene.showIds),
    hand: () => stage.setHandMode(!stage.isHand),
    picture: () => savePicture(stage),
    whole: () => toggleFullScreen(stage),
  };
}
