// Translates GML into JavaScript for tests. It is not the runner: it is strict where GML is strict, refuses what it does not
// know, and proves nothing about timing, platforms and peculiarities of the runner.
import { eventCode, namesIn, scriptCode } from "./functions.ts";
import type { World } from "./names.ts";
import { loadBuiltIns, loadParser, type Node } from "./parser.ts";

export type Sources = {
  readonly scripts: readonly string[];
  /** Code of events, under names that the caller chooses. */
  readonly events?: Readonly<Record<string, string>>;
};

export type Translated = {
  readonly code: string;
  readonly functions: readonly string[];
  readonly events: readonly string[];
};
export type Translator = (sources: Sources) => Translated;

export async function loadTranslator(): Promise<Translator> {
  const parse = await loadParser();
  const builtIns = loadBuiltIns();
  return ({ scripts, events = {} }) => {
    const world: World = { builtIns, scripts: new Set(), macros: new Map() };
    const files: Node[] = scripts.map(parse);
    for (const file of files) namesIn(file, world);
    const bodies = files.map((file) => scriptCode(file, world));
    const listed = Object.entries(events).map(
      ([name, source]) => `${JSON.stringify(name)}:${eventCode(parse(source), world)}`,
    );
    const functions = [...world.scripts];
    const declared = functions.length > 0 ? `let ${functions.map((name) => `gml_${name}`).join(",")};` : "";
    const given = functions.map((name) => `${JSON.stringify(name)}:gml_${name}`);
    const code = `"use strict";${declared}${bodies.join("\n")}\nreturn {functions:{${given.join(",")}},events:{${listed.join(",")}}};`;
    return { code, functions, events: Object.keys(events) };
  };
}
