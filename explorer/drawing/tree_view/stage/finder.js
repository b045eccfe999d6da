// The nodes that the field for finding names, and the one of them that is selected.

import { nextMatch, nodesNamed } from "../model/search.js";

export class Finder {
  constructor(surface, toolbar) {
    [this.surface, this.scene, this.toolbar] = [surface, surface.scene, toolbar];
  }

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

  /** The next match, or −1. */
  next(step) {
    return nextMatch(this.scene.matches, this.scene.selected, step);
  }

  show() {
    const { matches, selected } = this.scene;
    this.toolbar.showMatches(matches.indexOf(selected), matches.length);
  }
}
