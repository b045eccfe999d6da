// The plain object that Python sends a view as its data.

/** @typedef {import("./pruned_shape.js").Hand} Hand */
/** @typedef {{ selected: number, position: number, hand: Hand }} State */
/**
 * @typedef {{ layout: string | null, ghosts: boolean | null, stability: boolean | null }} Shown what Python keeps of the
 *   picture: the layout, the pruned branches, and whether the layer is shown; null where the view may choose
 */
/**
 * @typedef Data
 * @property {string} view its name on the page; camera and view options are remembered under it across page switches
 * @property {string} tree sig of the payload
 * @property {string | null} sequence likewise; null without a slider
 * @property {number} echo number of the last report that Python has processed
 * @property {string | null} [stability] sig of the payload with the stability of the tree's nodes
 * @property {State & Partial<Shown>} state the state in Python
 * @property {import("../canvas/scene/scene_fields.js").NodeMark[]} [marks]
 * @property {boolean} [presenter] whether everything is drawn larger
 * @property {string | null} [order] of growing: the order of the splits
 * @property {import("../panel/growth_controls.js").Ask | null} [ask] for guessing splits first; `options` and `verdict` are
 *   those of the step `of`
 * @property {string} [sentence] Python's about a step of growing
 * @property {number} [sentence_of] that step
 * @property {string} rule the rule of a node as text
 * @property {number} rule_of that node
 * @property {number[] | null} [range] least and largest mean of all trees side by side, which share one colour scale
 * @property {{ light: Palette, dark: Palette }} themes
 * @property {{ group: string, moves: boolean } | null} [link] views of one group select nodes together, and if `moves` pan
 *   and zoom together
 * @property {[t: number, share: number][]} row_path every node that one row reaches; none without a row
 * @property {boolean} by_hand whether nodes can be pruned by hand
 * @property {boolean} [takes_layout] whether the page hears of a chosen layout: only it can draw with Graphviz
 * @property {boolean} [bare] the tree is a picture among others: without toolbar, slider and minimap
 * @property {boolean} [shows_rule] on a page that stands alone: the rule of the selected node stands under the tree
 * @property {boolean} [parts_below] whether the parts stand below the view where the page has no place for them
 * @property {Record<string, string> | null} [messages] the texts in the reader's language, by the English ones
 */
/** @typedef {import("../theme.js").Palette} Palette */

export {};
