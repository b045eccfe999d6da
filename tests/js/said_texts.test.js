import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

const FOLDER = new URL("../../explorer/drawing/", import.meta.url);
const FOLDERS = [...["canvas", "stage", "model"].map((name) => `tree_view/${name}`), ...["draw", "model", "parts"].flatMap((name) => [`ensemble_view/${name}`, `drawn_table/${name}`])];
const FILES = FOLDERS.flatMap((folder) =>
  readdirSync(new URL(`${folder}/`, FOLDER)).filter((name) => name.endsWith(".js")).map((name) => `${folder}/${name}`),
);
const READ_ALOUD = /"(?:aria-label|title|placeholder|alt)"?\s*[,:]\s*(["`][^"`]*["`])|\b(?:title|placeholder|textContent|innerText)\s*[=:]\s*(["`][^"`]*["`])/g;
const SHOWN = /\b(?:textElement|putText|iconButton|nameButton|announce|fillText|makeButton|menuItem|field|group)\(([^;]*)/g;

/** The texts in quotes, without those that say() or sayCount() get. */
function unsaidTexts(code) {
  const bare = code.replace(/\bsayCount\([^"]*"(?:[^"\\]|\\.)*",\s*"(?:[^"\\]|\\.)*"/g, "").replace(/\bsay\(\s*"(?:[^"\\]|\\.)*"/g, "");
  return [...bare.matchAll(/"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g)].map(([, quoted, template]) => quoted ?? template.replace(/\$\{[^}]*\}/g, ""));
}

/** Words with a space between them; class names of elements, which begin with tv- or ev-, are none. */
function isSentence(text) {
  return /\p{L}/u.test(text) && / /.test(text.trim()) && !/(^|\s)[te]v-/.test(text) && !/^\d+ \d+px /.test(text) && !/^[MmLlHhVvCcAaZz0-9 .,-]+$/.test(text);
}

test("no text is shown or read aloud that can't be translated", () => {
  const found = [];
  for (const name of FILES) {
    const code = readFileSync(new URL(name, FOLDER), "utf8").replace(/^\s*\/\/.*$|\/\*\*[\s\S]*?\*\//gm, "");
    for (const [, first, second] of code.matchAll(READ_ALOUD)) if (isSentence((first ?? second).slice(1, -1))) found.push(`${name}: ${first ?? second}`);
    for (const [, given] of code.matchAll(SHOWN)) for (const text of unsaidTexts(given)) if (isSentence(text)) found.push(`${name}: ${text}`);
  }
  assert.deepEqual(found, []);
  assert.ok(FILES.length > 25);
});

test("the scan finds a text that is not said", () => {
  assert.deepEqual(unsaidTexts('textElement("p", "", "Save it")').filter(isSentence), ["Save it"]);
  assert.deepEqual(unsaidTexts('textElement("p", "", say("Save it"))').filter(isSentence), []);
});
