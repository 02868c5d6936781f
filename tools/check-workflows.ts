// Reports what GitHub would refuse in the workflows: unknown members, wrong types, unknown values in expressions.
import { globSync, readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { join } from "node:path";
import { TextDocument } from "vscode-languageserver-textdocument";
import { report, repositoryRoot } from "./check/findings.ts";

// The package is made for bundlers, so it imports JSON without saying that it is JSON.
registerHooks({
  load: (url, context, next) =>
    next(url, url.endsWith(".json") ? { ...context, importAttributes: { type: "json" } } : context),
});
const { validate } = await import("@actions/languageservice");

/** A line for each finding in the text of a workflow. The package parses each path once. */
export async function findingsIn(path: string, text: string): Promise<string[]> {
  const found = await validate(TextDocument.create(`file:///${path}`, "yaml", 1, text));
  return found.map(({ range, message }) => `${path}:${range.start.line + 1}: ${message}`);
}

if (import.meta.main) {
  const paths = globSync(".github/workflows/*.yml", { cwd: repositoryRoot });
  const found = paths.map((path) => findingsIn(path, readFileSync(join(repositoryRoot, path), "utf8")));
  report((await Promise.all(found)).flat());
}
