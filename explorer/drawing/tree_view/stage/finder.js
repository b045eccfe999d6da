// The nodes that the field for finding names, and the one of them that is selected.

/** @typedef {import("./surface.js").Surface} Surface */
/** @typedef {import("./toolbar.js").Toolbar} Toolbar */

import { nextMatch, nodesNamed } from "../model/search.js";

export class Finder {
  /** @param {Surface} surface @param {Toolbar} toolbar */
  constructor(surface, toolbar) {
    this.surface = surface;
    this.scene = surface.scene;
    this.toolbar = toolbar;
  }

  /** @param {string} query */
  find(query) {
    const { scene } = this;
    scene.matches = nodesNamed(scene.tree, scene.shape, query, scene.isTrimmed || scene.sequence?.isGrowth);
    this.show();
    this.surface.draw();
  }

  /** After the tree has changed. */
  findAgain() {
    if (this.toolbar.search.value !== "" && this.scene.shape) this.find(this.toolbar.search.value);
  }

  /** The next match, or −1. @param {number} step */
  next(step) {
    return nextMatch(this.scene.matches, this.scene.selected, step);
  }

  show() {
    const { matches, selected } = this.scene;
    this.toolbar.showMatches(matches.indexOf(selected), matches.length);
  }
}
