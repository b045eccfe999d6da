// The colours in force: Streamlit's variables, and the palette that suits the page's brightness.

export function readTheme(root, palettes) {
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
    grid: colour("border-color"),
    enlarged: 1,
    primary: palette.accent,
  };
}

/** Brightness of an opaque colour, 0 to 1; a canvas reads any notation and returns #rrggbb. */
function brightness(colour) {
  const context = document.createElement("canvas").getContext("2d");
  context.fillStyle = colour;
  const [red, green, blue] = [1, 3, 5].map((at) => parseInt(context.fillStyle.slice(at, at + 2), 16) / 255);
  return 0.299 * red + 0.587 * green + 0.114 * blue;
}
