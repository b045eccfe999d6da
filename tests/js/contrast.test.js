import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { contrastOf } from "../../explorer/drawing/charts/colours.js";
import { makePaints } from "../../explorer/drawing/tree_view/canvas/node_style.js";
import { TreeData } from "../../explorer/drawing/tree_view/model/payload.js";

const golden = JSON.parse(readFileSync(new URL("../reference/golden/colours.json", import.meta.url)));
const THEMES = Object.values(golden.palettes).flatMap((themes) =>
  Object.entries(themes).map(([name, colours]) => ({ ...colours, ...golden.grounds[name], name })),
);

/** A tree of one node per class and purity, 0 to 1; or with means along their whole range. */
function treeOfAllFills(nClasses) {
  const [labels, stats] = [[], []];
  for (let k = 0; k < Math.max(1, nClasses); k++) {
    for (let step = 0; step <= 20; step++) {
      const share = nClasses ? 1 / nClasses + (1 - 1 / nClasses) * (step / 20) : 0;
      labels.push(nClasses ? k : step / 20);
      if (nClasses === 0) stats.push(100, step / 20, 0);
      else for (let j = 0; j < nClasses; j++) stats.push(100 * (j === k ? share : (1 - share) / (nClasses - 1)));
    }
  }
  const n = labels.length;
  const header = { classes: Array.from({ length: nClasses }, String), features: [], branch_texts: [""], stop_reasons: [""] };
  const arrays = {
    depth: new Uint8Array(n), parent: new Int32Array(n).fill(-1), first_child: new Int32Array(n).fill(-1), child_count: new Uint8Array(n),
    feature: new Int32Array(n).fill(-1), branch_text: new Uint8Array(n), weight: new Float64Array(n).fill(100), impurity: new Float64Array(n),
    missing: new Float64Array(n), stop: new Uint8Array(n), stats: Float64Array.from(stats),
    ...(nClasses ? { label: Uint8Array.from(labels) } : { value: Float64Array.from(labels) }),
  };
  return new TreeData({ header, arrays });
}

test("every node's fill or outline has 3 : 1 against the stage, at every purity, in every palette and theme", () => {
  let measured = 0;
  for (const theme of THEMES) {
    for (const nClasses of [0, 2, 3, 15]) {
      const tree = treeOfAllFills(nClasses);
      const paints = makePaints(tree, theme);
      for (const code of new Set(paints.code)) {
        for (const kind of ["leaf", "inner"]) {
          const best = Math.max(...["Fill", "Edge"].map((part) => contrastOf(paints[kind + part][code], theme.background)));
          assert.ok(best >= 3, `${theme.name}, ${nClasses} classes, ${kind} ${code}: ${best}`);
          const mark = contrastOf(paints[`${kind}Mark`][code], theme.background); // dots too small for an outline
          assert.ok(mark >= 3, `${theme.name}, ${nClasses} classes, mark of ${kind} ${code}: ${mark}`);
          measured += 1;
        }
      }
    }
  }
  assert.ok(measured > 1500, `${measured}`);
});
