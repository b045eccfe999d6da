// The pictures of lessons about splits and sizes, by their kinds.

import { drawCut } from "./cut.js";
import { drawOrderedCategories } from "./ordered_categories.js";
import { drawScoreCurves } from "./score_curves.js";
import { drawSplitBags } from "./split_bags.js";
import { drawStaircase } from "./staircase.js";

export const SPLIT_KINDS = {
  cut: drawCut,
  ordered_categories: drawOrderedCategories,
  score_curves: drawScoreCurves,
  split_bags: drawSplitBags,
  staircase: drawStaircase,
};
