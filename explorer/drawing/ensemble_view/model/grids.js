// Where the members and the rows stand: equal cells in lines from left to right.

/** @typedef {{ width: number, height: number }} Size */
/** @typedef {ReturnType<typeof memberGrid>} MemberGrid */
/** @typedef {ArrayLike<number>} Numbers */

const CELL_SHAPE = 1.35; // width : height of a member's cell
const FLATTEST = 1.65; // where all cells fit by that

/**
 * Columns and size of the cells of n members: as large as fits without scrolling, between the least and the largest, and
 * a little flatter where all then fit.
 * @param {number} n @param {Size} size
 */
export function memberGrid(n, { width, height }, { least = 56, largest = 150, gap = 8 } = {}) {
  const fit = (/** @type {number} */ count) => (width - gap * (count + 1)) / count;
  let columns = Math.max(1, Math.floor((width - gap) / (largest + gap)));
  const linesOf = (/** @type {number} */ count) => Math.ceil(n / count);
  const heightOf = (/** @type {number} */ count) => linesOf(count) * (fit(count) / CELL_SHAPE + gap) + gap;
  while (heightOf(columns) > height && fit(columns + 1) >= least) columns += 1;
  const [cell, lines] = [Math.min(fit(columns), largest), linesOf(columns)];
  const fitting = (height - gap) / lines - gap;
  const high = fitting >= cell / FLATTEST ? Math.min(cell / CELL_SHAPE, fitting) : cell / CELL_SHAPE;
  return { columns, gap, width: cell, height: high, lines, total: Math.ceil(lines * (high + gap) + gap) };
}

/** The upper left corner of a member's cell. @param {MemberGrid} grid @param {number} m */
export function cellAt({ columns, gap, width, height }, m) {
  return { x: gap + (m % columns) * (width + gap), y: gap + Math.floor(m / columns) * (height + gap) };
}

/**
 * The member at a point, −1 for none.
 * @param {MemberGrid} grid @param {number} n @param {number} x @param {number} y
 */
export function memberAt(grid, n, x, y) {
  const { columns, gap, width, height } = grid;
  const [column, line] = [Math.floor((x - gap) / (width + gap)), Math.floor((y - gap) / (height + gap))];
  if (column < 0 || column >= columns || line < 0) return -1;
  if (x - gap - column * (width + gap) > width || y - gap - line * (height + gap) > height) return -1;
  const m = line * columns + column;
  return m < n ? m : -1;
}

/**
 * The member that an arrow key leads to.
 * @param {MemberGrid} grid @param {number} n @param {number} m @param {string} key
 */
export function memberBeside(grid, n, m, key) {
  /** @type {Record<string, number>} */
  const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -grid.columns, ArrowDown: grid.columns };
  const next = m + (by[key] ?? 0);
  return next >= 0 && next < n ? next : m;
}

/**
 * Centres of the rows' dots, grouped by class, each group from a new line: {x, y [n], side, groups, total}.
 * @param {Numbers} classOf @param {number} nClasses @param {Size} size
 */
export function rowGrid(classOf, nClasses, { width, height }, head = 22) {
  const members = Array.from({ length: Math.max(nClasses, 1) }, () => /** @type {number[]} */ ([]));
  for (let i = 0; i < classOf.length; i++) members[nClasses ? classOf[i] : 0].push(i);
  const filled = members.map((rows, code) => ({ code, rows })).filter(({ rows }) => rows.length);
  const linesOf = (/** @type {number} */ wide) => filled.reduce((sum, { rows }) => sum + Math.ceil(rows.length / Math.max(1, Math.floor(width / wide))), 0);
  let side = 72;
  while (side > 8 && linesOf(side) * side + filled.length * head > height) side -= 1;
  return placeGroups(filled, classOf.length, width, side, head);
}

/** @param {{ code: number, rows: number[] }[]} filled @param {number} n @param {number} width @param {number} side @param {number} head */
function placeGroups(filled, n, width, side, head) {
  const [x, y] = [new Float32Array(n), new Float32Array(n)];
  const groups = [];
  const columns = Math.max(1, Math.floor(width / side));
  let top = 0;
  for (const { code, rows } of filled) {
    groups.push({ code, top, n: rows.length });
    top += head;
    rows.forEach((row, i) => {
      x[row] = (i % columns) * side + side / 2;
      y[row] = top + Math.floor(i / columns) * side + side / 2;
    });
    top += Math.ceil(rows.length / columns) * side;
  }
  return { x, y, side, groups, total: top };
}

/**
 * Radii whose areas are as the weights; a row of mean weight has the radius `mean`.
 * @param {Numbers} weights @param {number} mean
 */
export function radiiOf(weights, mean, radii = new Float32Array(weights.length)) {
  let sum = 0;
  let counted = 0;
  for (let i = 0; i < weights.length; i++) {
    sum += weights[i];
    counted += 1;
  }
  const unit = sum > 0 ? counted / sum : 0;
  for (let i = 0; i < weights.length; i++) radii[i] = mean * Math.sqrt(weights[i] * unit);
  return radii;
}

/**
 * The largest weight of any round, in multiples of that round's mean.
 * @param {(stage: number) => Numbers} weightsOf @param {number} nStages
 */
export function largestShare(weightsOf, nStages) {
  let largest = 1;
  for (let stage = 1; stage <= nStages; stage++) {
    const weights = weightsOf(stage);
    let [sum, most] = [0, 0];
    for (let i = 0; i < weights.length; i++) {
      sum += weights[i];
      if (weights[i] > most) most = weights[i];
    }
    if (sum > 0) largest = Math.max(largest, (most * weights.length) / sum);
  }
  return largest;
}
