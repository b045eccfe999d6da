// Keys of the canvas and of the text: moving between nodes, zooming, folding, pruning by hand.

import { pruneNode, hideTip } from "./pointer.js";
import { toggleWhole } from "./view_options.js";
import { stepOfKey, nodeAfterStep } from "../model/keyboard_path.js";

const ZOOM_KEYS = { "+": 1.3, "=": 1.3, "-": 1 / 1.3, "−": 1 / 1.3 };
const STEP_KEYS = { PageDown: 1, PageUp: -1 };
const HAND_KEYS = { Delete: "collapse", Backspace: "collapse", Insert: "restore", r: "restore" };

/** Do the action of a key; returns whether it has one. */
export function handleKey(stage, event) {
  if (event.ctrlKey || event.metaKey || event.altKey || !stage.scene.tree) return false;
  return arrowKey(stage, event.key) || presenterKey(stage, event.key) || zoomKey(stage, event.key) || nodeKey(stage, event.key);
}

function arrowKey(stage, key) {
  const { scene, mode } = stage;
  const step = stepOfKey(key, scene.frame.mode);
  if (step === undefined || mode === "text") return false;
  const from = scene.selected < 0 || !scene.layout.shown[scene.selected] ? -1 : scene.selected;
  const to = nodeAfterStep(scene.tree, scene.layout, from, step);
  stage.choose(to);
  stage.reveal(to);
  return true;
}

/** The keys of a presenter's remote control, and full screen. */
function presenterKey(stage, key) {
  if (key === "f") toggleFullScreen(stage);
  else if (STEP_KEYS[key] && stage.scene.sequence) stage.hooks.onStep?.(STEP_KEYS[key]);
  else return false;
  return true;
}

/** In full screen the tree must have the focus and be visible. */
export function toggleFullScreen(stage) {
  const whole = stage.host.closest(".tv-root") ?? stage.host;
  const settle = () => {
    if (whole.getRootNode().fullscreenElement !== whole) return;
    whole.scrollTop = 0;
    if (stage.mode === "text") stage.outline.focus();
    else stage.view.focus({ preventScroll: true });
  };
  whole.addEventListener("fullscreenchange", settle, { once: true });
  toggleWhole(whole);
}

function zoomKey(stage, key) {
  if (stage.mode === "text" || stage.mode === "graphviz") return false;
  if (key === "0") stage.fit();
  else if (ZOOM_KEYS[key]) stage.zoomAt(ZOOM_KEYS[key]);
  else return false;
  return true;
}

function nodeKey(stage, key) {
  const { selected } = stage.scene;
  if (key === "Escape") hideTip(stage);
  else if (key === "/") stage.toolbar.openSearch();
  else if (key === "c" || key === "Enter") stage.fold(selected);
  else if (stage.isHand && HAND_KEYS[key]) pruneNode(stage, selected, HAND_KEYS[key]);
  else return false;
  return true;
}
