// The colours in force: Streamlit's variables, and the palette that suits the page's brightness.

import { colourChannels } from "../charts/colours.js";
import { contextOf } from "./dom.js";

/** @typedef {{ classes: string[], means: string[], quiet: string, accent: string }} Palette */
/** @typedef {ReturnType<typeof readTheme> & { range?: number[] | null }} Theme range: of the means of all trees side by side */

/** @param {Element} root @param {{ light: Palette, dark: Palette }} palettes */
export function readTheme(root, palettes) {
  const style = getComputedStyle(root);
  const colour = (/** @type {string} */ name) => style.getPropertyValue(`--st-${name}`).trim();
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
    grid: colour("border-color"),
    enlarged: 1,
    primary: palette.accent,
  };
}

/** Brightness of an opaque colour, 0 to 1; a canvas reads any notation and returns #rrggbb. @param {string} colour */
function brightness(colour) {
  const context = contextOf(document.createElement("canvas"));
  context.fillStyle = colour;
  const [red, green, blue] = colourChannels(context.fillStyle).map((channel) => channel / 255);
  return 0.299 * red + 0.587 * green + 0.114 * blue;
}
