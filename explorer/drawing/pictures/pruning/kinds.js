// The pictures of lessons about pruning, by their kinds.

import { drawExpectedErrors } from "./expected_errors.js";
import { drawFixedAlphaRules } from "./fixed_alpha_rules.js";
import { drawLinkStrengths } from "./link_strengths.js";
import { drawPenaltyLines } from "./penalty_lines.js";
import { drawSizeCurve } from "./size_curve.js";
import { drawUpperLimits } from "./upper_limits.js";
import { drawValidationRows } from "./validation_rows.js";

export const PRUNING_KINDS = {
  expected_errors: drawExpectedErrors,
  fixed_alpha_rules: drawFixedAlphaRules,
  link_strengths: drawLinkStrengths,
  penalty_lines: drawPenaltyLines,
  size_curve: drawSizeCurve,
  upper_limits: drawUpperLimits,
  validation_rows: drawValidationRows,
};
