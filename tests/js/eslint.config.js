import js from "@eslint/js";
import globals from "globals";

const rules = {
  "no-control-regex": "off", // texts from files hold control characters, which are looked for
  "no-misleading-character-class": "off", // and single marks that join others
  "no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
  eqeqeq: "error",
  "no-var": "error",
  "prefer-const": "error",
  "no-shadow": "error",
  "no-param-reassign": "error",
};
const STARTERS = ["explorer/drawing/standalone.js"]; // follows the script whose function it calls

export default [
  js.configs.recommended,
  { languageOptions: { globals: globals.browser }, linterOptions: { reportUnusedDisableDirectives: "error" }, rules },
  { files: STARTERS, languageOptions: { globals: { mountLibrary: "readonly" } } },
  { files: ["tests/**"], languageOptions: { globals: globals.node } },
];
