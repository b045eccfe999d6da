// A canvas for tests: every pixel has the list of what was painted on it since it was last filled with one colour, so that
// two pictures can be compared as a browser would compare their pixels.

const HALF_TEXT = 5;

export class TestCanvas {
  constructor(width = 0, height = 0) {
    this.size = [width, height];
    this.context = new TestContext(this);
    this.clear();
  }

  get width() {
    return this.size[0];
  }

  set width(width) {
    this.size[0] = width;
    this.clear();
  }

  get height() {
    return this.size[1];
  }

  set height(height) {
    this.size[1] = height;
    this.clear();
  }

  clear() {
    this.pixels = Array.from({ length: this.width * this.height }, () => "");
  }

  getContext() {
    return this.context;
  }
}

class TestContext {
  constructor(canvas) {
    this.canvas = canvas;
    this.state = { scale: 1, x: 0, y: 0, isTurned: false, clip: null };
    this.saved = [];
    this.path = null;
    Object.assign(this, { fillStyle: "", strokeStyle: "", globalAlpha: 1, lineWidth: 1, font: "" });
  }

  save() {
    this.saved.push({ ...this.state });
  }

  restore() {
    this.state = this.saved.pop();
  }

  setTransform(scale) {
    Object.assign(this.state, { scale, x: 0, y: 0, isTurned: false });
  }

  translate(x, y) {
    this.state.x += x;
    this.state.y += y;
  }

  rotate() {
    this.state.isTurned = true;
  }

  beginPath() {
    this.path = null;
  }

  rect(...box) {
    this.path = box;
  }

  roundRect(...box) {
    this.path = box;
  }

  clip() {
    this.state.clip = this.inPixels(...this.path);
  }

  measureText(text) {
    return { width: 6 * text.length };
  }

  fillRect(...box) {
    this.paint(`${this.fillStyle} ${this.globalAlpha}`, box, this.globalAlpha === 1);
  }

  strokeRect(x, y, width, height) {
    this.paint(`outline ${this.strokeStyle} ${this.globalAlpha} ${[x, y, width, height]}`, [x - 0.5, y - 0.5, width + 1, height + 1]);
  }

  fill() {
    this.paint(`round ${this.fillStyle} ${this.globalAlpha} ${this.path}`, this.path);
  }

  stroke() {
    const [x, y, width, height] = this.path;
    this.paint(`round outline ${this.strokeStyle} ${this.globalAlpha} ${this.path}`, [x - 0.5, y - 0.5, width + 1, height + 1]);
  }

  fillText(text, x, y) {
    const half = this.measureText(text).width / 2;
    const [wide, high] = this.state.isTurned ? [HALF_TEXT, half] : [half, HALF_TEXT];
    this.paint(`text ${text} ${this.font} ${this.fillStyle} ${this.globalAlpha}`, [x - wide, y - high, 2 * wide, 2 * high]);
  }

  drawImage(other) {
    this.canvas.pixels = other.pixels.slice();
  }

  inPixels(x, y, width, height) {
    const { scale, x: dx, y: dy } = this.state;
    return { left: (x + dx) * scale, top: (y + dy) * scale, right: (x + dx + width) * scale, bottom: (y + dy + height) * scale };
  }

  /** Put a mark on every pixel of a box, with the share of the pixel that the box covers. */
  paint(mark, box, isOpaque = false) {
    const { left, top, right, bottom } = this.inPixels(...box);
    const { width, height, pixels } = this.canvas;
    const clip = this.state.clip ?? { left: 0, top: 0, right: width, bottom: height };
    const between = (value, from, to) => Math.max(from, Math.min(value, to));
    for (let y = between(Math.floor(top), clip.top, height); y < Math.min(Math.ceil(bottom), clip.bottom, height); y++) {
      if (y < 0) continue;
      const high = Math.min(bottom, y + 1) - Math.max(top, y);
      for (let x = between(Math.floor(left), Math.max(0, clip.left), width); x < Math.min(Math.ceil(right), clip.right, width); x++) {
        const share = ((Math.min(right, x + 1) - Math.max(left, x)) * high).toFixed(4);
        if (share === "0.0000") continue;
        const before = isOpaque && share === "1.0000" ? "" : pixels[y * width + x];
        pixels[y * width + x] = `${before}|${mark} ${share}`;
      }
    }
  }
}
