// Two entropies as bars that overlap by their mutual information; what sticks out on each side is a conditional entropy.
//
// picture: {first, second: {label, entropy, rest_label, rest}, shared, shared_label}

import { mixColours, readableOn } from "../../charts/colours.js";

const [OVERLAP_MARGIN, OVERLAP_BAR] = [36, 84];

export function drawEntropyOverlap(canvas, picture, { theme }) {
  const { first, second, shared } = picture;
  const joint = first.entropy + second.entropy - shared;
  const across = (value) => OVERLAP_MARGIN + (value / joint) * (canvas.width - 2 * OVERLAP_MARGIN);
  const high = Math.min(OVERLAP_BAR, canvas.height / 6);
  const top = canvas.height / 2 - 1.5 * high;
  const start = first.entropy - shared;
  const pale = mixColours(theme.background, theme.primary, 0.3);
  drawEntropyBar(canvas, "first", first, { x: across(0), right: across(first.entropy), y: top, high, fill: pale });
  drawEntropyBar(canvas, "second", second, { x: across(start), right: across(joint), y: top + 2 * high, high, fill: pale });
  const strip = { x: across(start), y: top + high, width: across(first.entropy) - across(start), height: high };
  canvas.put("overlap", "rect", { ...strip, class: "pic-block", fill: theme.primary, stroke: theme.background });
  const text = shared.toFixed(3);
  const isWide = canvas.textWidth(text, "pic-value") + 12 <= strip.width;
  const x = isWide ? strip.x + strip.width / 2 : strip.x + strip.width + 12;
  canvas.text("overlap value", x, strip.y + high / 2 + 7, text, { anchor: isWide ? "middle" : "start", kind: "pic-value", fill: isWide ? readableOn(theme.primary) : theme.primary });
  const label = { anchor: "start", fill: theme.primary, kind: "pic-number" };
  const labelX = strip.x + strip.width + (isWide ? 16 : 84);
  canvas.text("overlap label", labelX, strip.y + high / 2 + 6, canvas.shortened(picture.shared_label, canvas.width - labelX - 8, "pic-number"), label);
  drawRest(canvas, "first", first, { x: across(0), right: across(start), y: top + high / 2 });
  drawRest(canvas, "second", second, { x: across(first.entropy), right: across(joint), y: top + 2.5 * high });
}

function drawEntropyBar(canvas, key, { label, entropy }, { x, right, y, high, fill }) {
  canvas.put(`${key} bar`, "rect", { class: "pic-block", x, y, width: right - x, height: high, fill, stroke: canvas.theme.background });
  const isFirst = key === "first";
  const textY = isFirst ? y - 16 : y + high + 30;
  const text = `${label} = ${entropy.toFixed(3)}`;
  canvas.text(`${key} label`, isFirst ? x : right, textY, text, { anchor: isFirst ? "start" : "end", kind: "pic-title" });
}

/** The part of a bar that the other one does not cover. */
function drawRest(canvas, key, { rest_label: label, rest }, { x, right, y }) {
  const [middle, most] = [(x + right) / 2, right - x - 10];
  const value = canvas.textWidth(rest.toFixed(3), "pic-value") <= most ? rest.toFixed(3) : "";
  canvas.text(`${key} rest value`, middle, y, value, { anchor: "middle", kind: "pic-value" });
  const fits = canvas.textWidth(label, "pic-small") <= most;
  canvas.text(`${key} rest label`, middle, y + 24, fits ? label : "", { anchor: "middle", kind: "pic-small" });
}
