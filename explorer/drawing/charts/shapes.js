// One shape for each class, beside its colour.

/** Shapes in class order, cycled; a saved SVG (`explorer/drawing/class_shapes.py`) has the same. */
export const CLASS_SHAPES = [
  "circle", "square", "triangle", "diamond", "triangle_down", "pentagon", "cross", "star", "hexagon", "plus",
];

/** @param {number} corners @param {number} turn */
function regularCorners(corners, turn, inner = 0) {
  const points = [];
  for (let i = 0; i < corners; i++) {
    const radius = inner > 0 && i % 2 === 1 ? inner : 1;
    const angle = turn + (2 * Math.PI * i) / corners;
    points.push([radius * Math.cos(angle), radius * Math.sin(angle)]);
  }
  return points;
}

/** @param {number} a */
function plusCorners(a) {
  return [[-a, -1], [a, -1], [a, -a], [1, -a], [1, a], [a, a], [a, 1], [-a, 1], [-a, a], [-1, a], [-1, -a], [-a, -a]];
}

/** @param {number[][]} corners @param {number} angle */
function turnedCorners(corners, angle) {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return corners.map(([x, y]) => [cos * x - sin * y, sin * x + cos * y]);
}

const UPWARDS = -Math.PI / 2;
/** @type {Record<string, number[][] | undefined>} */
const SHAPE_CORNERS = {
  square: regularCorners(4, Math.PI / 4).map(([x, y]) => [x * 1.2, y * 1.2]),
  triangle: regularCorners(3, UPWARDS).map(([x, y]) => [x * 1.2, y * 1.2 + 0.15]),
  diamond: regularCorners(4, 0).map(([x, y]) => [x * 1.15, y * 1.15]),
  cross: turnedCorners(plusCorners(0.38), Math.PI / 4),
  star: regularCorners(10, UPWARDS, 0.48).map(([x, y]) => [x * 1.2, y * 1.2]),
  pentagon: regularCorners(5, UPWARDS).map(([x, y]) => [x * 1.08, y * 1.08]),
  triangle_down: regularCorners(3, -UPWARDS).map(([x, y]) => [x * 1.2, y * 1.2 - 0.15]),
  hexagon: regularCorners(6, 0).map(([x, y]) => [x * 1.05, y * 1.05]),
  plus: plusCorners(0.38),
};

/** The corners of a shape of radius 1 about the origin; none for the circle. @param {string} kind */
export function shapeCorners(kind) {
  return SHAPE_CORNERS[kind] ?? [];
}

/**
 * Add a class shape to the canvas' current path.
 * @param {CanvasRenderingContext2D} context @param {string} kind @param {number} x @param {number} y @param {number} radius
 */
export function traceShape(context, kind, x, y, radius) {
  const corners = SHAPE_CORNERS[kind];
  if (!corners) {
    context.moveTo(x + radius, y);
    context.arc(x, y, radius, 0, 2 * Math.PI);
    return;
  }
  context.moveTo(x + corners[0][0] * radius, y + corners[0][1] * radius);
  for (let i = 1; i < corners.length; i++) context.lineTo(x + corners[i][0] * radius, y + corners[i][1] * radius);
  context.closePath();
}
