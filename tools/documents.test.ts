// Tests that what documents name exists: links, files, commands, and the tests that prove the promises.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { operations } from "@kit/contract";
import { test } from "vitest";
import { commands } from "../launcher/src/cli/commands.ts";
import { pathsInRepository, repositoryRoot } from "./repository.ts";

const textOf = (path: string) => readFileSync(join(repositoryRoot, path), "utf8");
const paths = pathsInRepository().map(({ path, isFolder }) => (isFolder ? `${path}/` : path));
const documents = [...paths, ".github/pull_request_template.md"].filter((path) => path.endsWith(".md"));
/** Decisions and the changelog record what was true at their time. */
const present = documents.filter((path) => !/^docs\/decisions\/|CHANGELOG\.md$/.test(path));

const finds = (path: string, text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, found = ""]) => ({ path, found }));
/** Text in backquotes and in code blocks. */
const codeIn = (text: string) => [...text.matchAll(/^```[\s\S]*?^```$|`[^`\n]+`/gm)].join("\n");
const missing = (found: readonly { path: string; found: string }[], exists: (name: string, path: string) => boolean) =>
  found.filter(({ path, found: name }) => !exists(name, path)).map(({ path, found: name }) => `${path}: ${name}`);

/** The anchor that a forge gives to a heading. */
const anchorsIn = (text: string) =>
  [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );

test("every relative link in a document leads to a file, and to a heading of it", () => {
  const links = documents.flatMap((path) => finds(path, textOf(path), /\]\(([^)\s]+)\)/g));
  const broken = missing(links, (link, path) => {
    if (/^[a-z]+:/.test(link)) return true;
    const [file = "", anchor] = link.split("#");
    const target = file === "" ? path : posix.join(dirname(path), file);
    if (!existsSync(join(repositoryRoot, target))) return false;
    return anchor === undefined || anchorsIn(textOf(target)).includes(anchor);
  });
  assert.deepEqual(broken, []);
  assert.ok(links.length > 0);
});

test("every file that a document names in code exists", () => {
  const name = /(?<![\w.~/-])([\w@][\w./@~-]*\.(?:ts|tsx|css|sql|svg|gd|cs|gml))(?![\w-])/g;
  const named = present.flatMap((path) => finds(path, codeIn(textOf(path)), name));
  const clean = (file: string) => file.replace(/^(\.\.?\/)+/, "");
  assert.deepEqual(
    missing(named, (file) => paths.some((path) => path === clean(file) || path.endsWith(`/${clean(file)}`))),
    [],
  );
});

test("every command that a document names exists", () => {
  const { scripts } = JSON.parse(textOf("package.json"));
  const kit = commands.map((one) => one.name());
  const code = present.map((path) => [path, codeIn(textOf(path))] as const);
  const npmRuns = code.flatMap(([path, text]) => finds(path, text, /\bnpm run ([\w:-]+)/g));
  const kitRuns = code.flatMap(([path, text]) => finds(path, text, /(?:^|`|npx |\$ )kit ([a-z]\w+)/gm));
  assert.deepEqual(
    missing(npmRuns, (name) => name in scripts),
    [],
  );
  const setups = paths.filter((path) => path.endsWith(".nsi"));
  const setupRuns = setups.flatMap((path) => finds(path, textOf(path), /main\.js" ([a-z]+)/g));
  assert.deepEqual(
    missing([...kitRuns, ...setupRuns], (name) => kit.includes(name)),
    [],
  );
  const ids = operations.map(({ id }) => id);
  const calls = code.flatMap(([path, text]) => finds(path, text, /\bkit api ([a-z]\w+)/g));
  assert.deepEqual(
    missing(calls, (id) => ids.includes(id)),
    [],
  );
  for (const found of [npmRuns, kitRuns, setupRuns, calls]) assert.ok(found.length > 0);
});

test("every promise names tests that prove it, and they exist", () => {
  const page = textOf("docs/promises.md");
  const rows = page.split("\n").filter((line) => /^\| (?!promise )/.test(line));
  const unproven = rows.filter((row) => {
    const proofs = [...row.matchAll(/`([^`\s]+\.test\.tsx?): "([^`]+)"`/g)];
    return proofs.length === 0 || !proofs.every(([, path = "", name = ""]) => namesTest(path, name));
  });
  assert.deepEqual(unproven, []);
});

/** A name that is put together at run time is compared as it is written. */
function namesTest(path: string, name: string): boolean {
  if (!existsSync(join(repositoryRoot, path))) return false;
  const written = [...textOf(path).matchAll(/\b(?:test|it)\(\s*(?:"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`)/g)];
  return written.some(([, plain, template]) => (plain ?? template ?? "").replaceAll('\\"', '"') === name);
}
