// Texts in pictures: shortened and broken to a width, in Latin and Chinese script.
import assert from "node:assert/strict";
import { test } from "node:test";
import { brokenText, shortenedText } from "../../explorer/drawing/pictures/text.js";

/** Every Latin sign is ten units wide, every Chinese one twenty. */
const width = (text) => [...text].reduce((sum, sign) => sum + (sign > "\u2e80" ? 20 : 10), 0);

test("a text that fits is shown whole, a longer one ends in an ellipsis within the width", () => {
  assert.equal(shortenedText("Outlook", 70, width), "Outlook");
  assert.equal(shortenedText("Outlook", 60, width), "Outlo…");
  for (let most = 20; most < 120; most += 7) assert.ok(width(shortenedText("湿度 Humidity", most, width)) <= most);
});

test("lines break between words and never begin with a mark", () => {
  assert.deepEqual(brokenText("How mixed is a node?", 100, width), ["How mixed", "is a node?"]);
  const lines = brokenText("熵越大，节点越混杂。", 80, width);
  assert.equal(lines.join(""), "熵越大，节点越混杂。");
  for (const line of lines) assert.ok(width(line) <= 100 && !/^[，。]/.test(line), line);
});

test("numbers and formulas stay whole", () => {
  assert.deepEqual(brokenText("9/14 = 0.643 bits", 120, width), ["9/14 = 0.643", "bits"]);
});
