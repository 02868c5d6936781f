// How the page's texts are collected into its catalogues, and how a text is found that no catalogue could have.
import { defineConfig } from "i18next-cli";

export default defineConfig({
  locales: ["ja"],
  extract: {
    input: ["src/**/*.{ts,tsx}"],
    ignore: ["src/**/*.test.ts", "src/**/*.samples.ts", "src/language/language.ts"],
    output: "src/language/{{language}}.json",
    keySeparator: false,
    nsSeparator: false,
    functions: ["t"],
    transComponents: ["Trans"],
    sort: true,
    indentation: 2,
    defaultValue: "",
  },
  lint: {
    acceptedTags: "all",
    // Words of a command line or a program are the same in every language.
    ignoredTags: ["code", "pre", "kbd", "CommandLine"],
  },
});
