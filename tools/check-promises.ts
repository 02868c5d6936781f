// Every test that docs/promises.md names as a proof exists, and every promise names one.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { report, repositoryRoot } from "./check/findings.ts";

const page = "docs/promises.md";
/** `path: "name of the test"`. */
const proof = /`([^`\s]+\.test\.ts): "([^`]+)"`/g;
const testName = /\b(?:test|it)\(\s*(?:"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`)/g;

/** The names of the tests in a file; one that is put together stays as it is written. */
const testNamesIn = (text: string): string[] =>
  [...text.matchAll(testName)].map(([, plain, template]) => (plain ?? template ?? "").replaceAll('\\"', '"'));

/** What is wrong with a page of promises in the tree below `root`, a line each. */
export function unprovenIn(markdown: string, root: string): string[] {
  const rows = markdown.split("\n").filter((line) => /^\| (?!promise )/.test(line));
  return rows.flatMap((row) => {
    const proofs = [...row.matchAll(proof)];
    if (proofs.length === 0) return [`${page}: no test proves: ${row}`];
    return proofs.flatMap(([, path = "", name = ""]) => {
      const full = join(root, path);
      if (!existsSync(full)) return [`${page}: there is no ${path}`];
      return testNamesIn(readFileSync(full, "utf8")).includes(name) ? [] : [`${page}: ${path} has no test "${name}"`];
    });
  });
}

if (import.meta.main) report(unprovenIn(readFileSync(join(repositoryRoot, page), "utf8"), repositoryRoot));
