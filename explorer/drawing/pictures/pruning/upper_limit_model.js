// C4.5's upper limit of an error rate (release 8), so that it follows a dragged confidence.

/** The normal deviate of a confidence, interpolated in C4.5's table [confidences, deviates]. */
export function deviateOf(confidence, [confidences, deviates]) {
  let above = confidences.findIndex((known) => known >= confidence);
  above = Math.max(above, 1);
  const [low, high] = [confidences[above - 1], confidences[above]];
  const part = (confidence - low) / (high - low);
  return deviates[above - 1] + part * (deviates[above] - deviates[above - 1]);
}

/** U(E, N): the upper limit of the error rate of a leaf with a whole number of errors. */
export function upperLimit(errors, rows, confidence, table) {
  if (errors === 0) return 1 - confidence ** (1 / rows);
  if (errors + 0.5 >= rows) return (errors + 0.67 * (rows - errors)) / rows;
  const deviate = deviateOf(confidence, table);
  const [share, square] = [(errors + 0.5) / rows, (deviate * deviate) / rows];
  const spread = Math.sqrt((share * (1 - share)) / rows + square / (4 * rows));
  const limit = (share + square / 2 + deviate * spread) / (1 + square);
  return Math.min(Math.max(limit, errors / rows), 1);
}
