// The opacity of every node, 1 or, of what is pruned away, 0. A node fades: in every frame its opacity moves by a share of
// what is left to go. Only nodes that are still moving are visited.

import { NodeSet } from "../../model/node_set.js";

const FADE_SHARE = 0.35;
const ARRIVED = 0.02;

export class Fades {
  /** n opaque nodes. @param {number} n */
  constructor(n) {
    this.values = new Float32Array(n).fill(1);
    this.goals = new Uint8Array(n).fill(1);
    this.moving = new NodeSet(n);
  }

  /** The node has this opacity at once; if it was fading, it has arrived. @param {number} t @param {number} opacity */
  put(t, opacity) {
    this.values[t] = this.goals[t] = opacity;
  }

  /** The node fades towards 0 or 1 from the next frame on. @param {number} t @param {number} goal */
  aim(t, goal) {
    this.goals[t] = goal;
    if (this.values[t] !== goal) this.moving.add(t);
  }

  /**
   * Advance by a frame; `note(t)` is told every node whose opacity changes. Returns whether any is still moving.
   * @param {(t: number) => void} note
   */
  step(note) {
    const { values, goals, moving } = this;
    for (let i = moving.size - 1; i >= 0; i--) {
      const t = moving.ids[i];
      const next = values[t] + (goals[t] - values[t]) * FADE_SHARE;
      values[t] = Math.abs(goals[t] - next) < ARRIVED ? goals[t] : next;
      if (values[t] === goals[t]) moving.removeAt(i);
      note(t);
    }
    return moving.size > 0;
  }
}
