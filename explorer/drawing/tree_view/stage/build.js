// Builds the parts of the stage and connects their events to its actions.

import { ClassLegend } from "./class_legend.js";
import { makeElement, textElement } from "../dom.js";
import { Gestures } from "./gestures.js";
import { BranchPicture } from "../canvas/branches/picture.js";
import { IciclePicture } from "../canvas/icicle/picture.js";
import { StretchedPainting } from "../canvas/offscreen/stretched.js";
import { Minimap } from "../canvas/minimap.js";
import { toggleFullScreen } from "./keys.js";
import { Outline } from "./outline.js";
import { doubleTapStage, hoverStage, tapStage } from "./pointer.js";
import { chooseStability, savePicture } from "./view_options.js";
import { Toolbar } from "./toolbar.js";
import { TravellingRows } from "./travelling_rows.js";
import { say } from "../messages.js";

export function buildParts(stage) {
  stage.host.classList.add("tv-stage");
  stage.toolbar = new Toolbar(stage.host, toolActions(stage));
  buildArea(stage);
  buildFoot(stage);
  stage.rule = makeElement("p", "tv-rule tv-hidden", { "aria-live": "polite" });
  stage.tip = makeElement("div", "tv-tip", { hidden: "" });
  stage.frameBox = makeElement("div", "tv-frame", {}, [stage.area, stage.foot]);
  stage.host.append(stage.frameBox, stage.rule, stage.tip);
  stage.rows = new TravellingRows(stage);
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
  const unseen = () => textElement("canvas", "");
  stage.pictures = { icicle: new IciclePicture(unseen()), branches: new BranchPicture(unseen()), stretched: new StretchedPainting(unseen()) };
  stage.item = textElement("div", "tv-hidden");
  stage.hint = textElement("div", "tv-hint", say("Click an internal node to make it a leaf; click a pruned node to restore it."));
  stage.view.append(stage.canvas, stage.item);
  stage.area.append(stage.view, stage.hint);
}

/** Below the area: the classes, what outlines mean, how many nodes are merged, and notices about the last action. */
function buildFoot(stage) {
  stage.foot = textElement("div", "tv-foot");
  stage.legend = new ClassLegend(stage.foot);
  stage.stabilityKey = textElement("div", "tv-stability-key");
  stage.status = textElement("div", "tv-status");
  stage.notice = makeElement("div", "tv-notice", { role: "status" });
  stage.foot.append(stage.stabilityKey, stage.status, stage.notice);
}

export function listenToView(stage) {
  const { view, item } = stage;
  item.id = `tv-item-${Math.random().toString(36).slice(2)}`;
  view.tabIndex = 0;
  view.setAttribute("role", "tree");
  view.setAttribute("aria-label", say("Decision tree. Arrow keys move between nodes, + and − zoom, 0 shows the whole tree."));
  view.setAttribute("aria-activedescendant", item.id);
  stage.canvas.setAttribute("aria-hidden", "true");
  view.addEventListener("keydown", (event) => stage.keyDown(event));
  view.addEventListener("focus", () => view.classList.add("tv-active"));
  view.addEventListener("blur", () => view.classList.remove("tv-active"));
  const inScene = (length) => length / stage.scene.enlarged;
  stage.gestures = new Gestures(view, {
    tap: (x, y, event) => tapStage(stage, inScene(x), inScene(y), event),
    double: (x, y) => doubleTapStage(stage, inScene(x), inScene(y)),
    hover: (x, y) => hoverStage(stage, inScene(x), inScene(y)),
    leave: () => hoverStage(stage, NaN, NaN),
    pan: (dx, dy) => stage.pan(inScene(dx), inScene(dy)),
    zoom: (factor, x, y) => stage.zoomAt(factor, inScene(x), inScene(y)),
    end: () => stage.busy(false),
    isFocused: () => view.getRootNode().activeElement === view,
  });
}

function toolActions(stage) {
  return {
    layout: (mode) => stage.chooseLayout(mode),
    zoom: (factor) => stage.zoomAt(factor),
    fit: () => stage.fit(),
    depth: (limit) => stage.limitDepth(limit),
    search: (query) => stage.search(query),
    step: (step) => stage.stepMatch(step),
    filter: (filter) => stage.setFilter(filter),
    ghosts: () => stage.chooseGhosts(!stage.showsGhosts()),
    ids: () => stage.setIds(!stage.scene.showIds),
    cuts: () => stage.showCuts(!stage.showsCuts()),
    stability: () => chooseStability(stage, !stage.scene.showsStability),
    hand: () => stage.setHandMode(!stage.isHand),
    picture: () => savePicture(stage),
    whole: () => toggleFullScreen(stage),
  };
}
