// Icons of the toolbar, drawn as strokes on a grid of 20 by 20.

import { makeSvg } from "../dom.js";

/** @type {Record<string, string>} */
const ICON_PATHS = {
  down: "M10 3v3M5 14v-3h10v3M10 6v5M8 3h4M3 14h4v3H3zM13 14h4v3h-4z",
  right: "M3 10h3M14 5h-3v10h3M6 10h5M3 8v4M14 3h3v4h-3zM14 13h3v4h-3z",
  icicle: "M3 3h14v4H3zM3 8.5h8v4H3zM12.5 8.5H17v4h-4.5zM3 14h3.5v3H3zM8 14h3v3H8z",
  text: "M3 4.5h8M6 8.2h9M6 11.8h7M3 15.5h10",
  graphviz: "M6 4.6a4 2 0 1 0 8 0a4 2 0 1 0-8 0M2 15.2a3.4 2 0 1 0 6.8 0a3.4 2 0 1 0-6.8 0M11.2 15.2a3.4 2 0 1 0 6.8 0a3.4 2 0 1 0-6.8 0M8.6 6.6l-2.4 6.5M11.4 6.6l2.4 6.5",
  zoomIn: "M10 4v12M4 10h12",
  zoomOut: "M4 10h12",
  fit: "M3 7V3h4M13 3h4v4M17 13v4h-4M7 17H3v-4M7 10h6M10 7v6",
  find: "M8.5 13.5a5 5 0 1 0 0-10a5 5 0 1 0 0 10M12.2 12.2L17 17",
  close: "M5 5l10 10M15 5L5 15",
  filter: "M3 4h14l-5.5 6.5V16l-3 1.5v-7z",
  ghosts: "M10 3v4M5 11V7h10v1M15 10v1M3 11h4v4H3zM12.6 13.2h1M15.4 13.2h1M12.6 16.6h1M15.4 16.6h1M12.4 15v.2M17 15v.2",
  more: "M4.4 10a.6.6 0 1 0 1.2 0a.6.6 0 1 0-1.2 0M9.4 10a.6.6 0 1 0 1.2 0a.6.6 0 1 0-1.2 0M14.4 10a.6.6 0 1 0 1.2 0a.6.6 0 1 0-1.2 0",
  hand: "M6.2 8 16 15.5M6.2 12 16 4.5M4.6 7.4a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM4.6 16.6a2 2 0 1 0 0-4 2 2 0 0 0 0 4z",
  whole: "M3 8V3h5M12 3h5v5M17 12v5h-5M8 17H3v-5",
  before: "M12.5 5 7.5 10l5 5",
  after: "M7.5 5l5 5-5 5",
};

/** @param {string} name */
export function iconOf(name) {
  return makeSvg("tv-glyph", [["path", { d: ICON_PATHS[name] }]], { viewBox: "0 0 20 20" });
}
