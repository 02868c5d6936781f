// Reports names of files and folders in documents that do not exist.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { report, repositoryRoot } from "./check/findings.ts";
import { pathsIn } from "./check/sources.ts";

/** Records of what was decided at its time. */
const notChecked = /^docs\/decisions\/|CHANGELOG\.md$|THIRD/;

/** Names of things that no checkout holds. */
const elsewhere: readonly { readonly name: RegExp; readonly reason: string }[] = [
  { name: /^dist\//, reason: "is built" },
  { name: /^js\/plugins\//, reason: "a folder of RPG Maker" },
  { name: /^(stranger|quit)\/$/, reason: "a group of conformance cases" },
];

const fileName = /(?<![\w.~/-])[\w@][\w./@~-]*\.(?:ts|tsx|css|sql|svg|gd|cs|gml)(?![\w-])/g;
const folderName = /(?<![\w.~/-])[\w@][\w./@~-]*\/(?![\w.*<-])/g;

/** Text in backquotes, and lines of code blocks that are not commands of another language. */
function codeIn(text: string): string[] {
  const blocks = [...text.matchAll(/^```(?:text)?\n([\s\S]*?)^```$/gm)].map(([, code = ""]) => code);
  const spans = [...text.replace(/^```[\s\S]*?^```$/gm, "").matchAll(/`([^`\n]+)`/g)].map(([, code = ""]) => code);
  return [...blocks, ...spans];
}

/** A line for each name that ends no path in the repository. `paths`: files, and folders with a slash at their end. */
export function missingIn(document: string, text: string, paths: readonly string[]): string[] {
  const exists = (name: string) => {
    if (elsewhere.some((entry) => entry.name.test(name))) return true;
    const clean = name.replace(/^(\.\.?\/)+/, "");
    return paths.some((path) => path === clean || path.endsWith(`/${clean}`));
  };
  const names = codeIn(text).flatMap((code) => [...code.matchAll(fileName), ...code.matchAll(folderName)]);
  const missing = new Set(names.map(([name]) => name).filter((name) => !exists(name)));
  return [...missing].map((name) => `${document}: there is no ${name}`);
}

if (import.meta.main) {
  const found = pathsIn(repositoryRoot);
  const paths = found.map(({ path, isFolder }) => (isFolder ? `${path}/` : path));
  const documents = found.filter(({ path }) => path.endsWith(".md") && !notChecked.test(path));
  report(documents.flatMap(({ path }) => missingIn(path, readFileSync(join(repositoryRoot, path), "utf8"), paths)));
}
